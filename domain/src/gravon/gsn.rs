use super::ending::Ending;
use super::field::{FieldFault, read_field};
use super::{GravonGame, parse_square};
use crate::color::ByColor;
use crate::moves::Move;
use crate::ruleset::Ruleset;

/// Why a text is no game in this notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GsnFault {
    /// It does not begin as one.
    #[error("expected `#… Stratego-Notation v1` or v2 on the first line")]
    Header,
    /// A kind that is not played here, or none.
    #[error("expected `type 0` (classic), 1 (barrage) or 4 (duel), got `{0}`")]
    Kind(String),
    /// The field is missing or wrong.
    #[error(transparent)]
    Field(#[from] FieldFault),
    /// A line that is no move.
    #[error("expected a move such as `A4-A5`, got `{found}`")]
    Move {
        /// Which move it would have been, from 0.
        ply: u32,
        /// The line.
        found: String,
    },
    /// It does not say how it ended.
    #[error("expected `END` and `RED vs BLUE result N winner N` at the end")]
    Result,
}

impl GsnFault {
    /// The ply at which it was found, where it is about a move.
    pub const fn ply(&self) -> Option<u32> {
        match self {
            Self::Move { ply, .. } => Some(*ply),
            _ => None,
        }
    }
}

/// How much of a line a fault shows, in characters.
const SHOWN: usize = 40;

/// Reads a game. Byte-order marks, comments between moves and repeated `END` lines are passed over, and
/// moves that come after the first `END` belong to the game all the same. The last line is no comment where
/// Red's name begins as one.
///
/// # Errors
/// The first fault.
pub fn parse(text: &str) -> Result<GravonGame, GsnFault> {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let header = lines.next().unwrap_or_default();
    if !header.starts_with('#') || !header.contains("Stratego-Notation") {
        return Err(GsnFault::Header);
    }
    let mut head = lines.by_ref().filter(|line| !line.starts_with('#'));
    let ruleset = kind(head.next().unwrap_or_default())?;
    let setups = read_field(ruleset, head.next().unwrap_or_default())?;
    let (mut moves, mut has_ended) = (Vec::new(), false);
    let (mut result, mut by_comment) = (None, None);
    for line in lines {
        if line.starts_with('#') {
            by_comment = parse_result(line).filter(|_| has_ended).or(by_comment);
        } else if line == "END" {
            has_ended = true;
        } else if let Some(mv) = parse_move(line) {
            moves.push(mv);
        } else if has_ended && let Some(found) = parse_result(line) {
            result = Some(found);
        } else {
            return Err(GsnFault::Move {
                ply: u32::try_from(moves.len()).unwrap_or(u32::MAX),
                found: shown(line),
            });
        }
    }
    let (players, ending) = result.or(by_comment).ok_or(GsnFault::Result)?;
    Ok(GravonGame {
        ruleset,
        setups,
        moves,
        players,
        ending,
    })
}

fn kind(line: &str) -> Result<Ruleset, GsnFault> {
    match line.strip_prefix("type ").map(str::trim) {
        Some("0") => Ok(Ruleset::Original),
        Some("1") => Ok(Ruleset::Barrage),
        Some("4") => Ok(Ruleset::Duel),
        _ => Err(GsnFault::Kind(shown(line))),
    }
}

/// `A4-A5`. With a `:` in the place of the `-` it is a rescue, of a game that is not played here.
fn parse_move(line: &str) -> Option<Move> {
    let (from, to) = line.split_once('-')?;
    Some(Move {
        from: parse_square(from)?,
        to: parse_square(to)?,
    })
}

/// `RED vs BLUE result 3 winner 0`. A name may hold any of these words: the last ones count.
fn parse_result(line: &str) -> Option<(ByColor<String>, Ending)> {
    let (rest, winner) = line.rsplit_once(" winner ")?;
    let (names, code) = rest.rsplit_once(" result ")?;
    let (red, blue) = names.split_once(" vs ")?;
    let ending = Ending::of_gsn(code.trim().parse().ok()?, winner.trim().parse().ok()?)?;
    let players = ByColor {
        red: red.trim().to_owned(),
        blue: blue.trim().to_owned(),
    };
    Some((players, ending))
}

fn shown(line: &str) -> String {
    line.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;

    const FIELD: &str = "MBAAAAAAAKLAAACAAAAAEAADADAAAAAAAAAAAAAAAA__AA__AAAA__AA__AAAAWAAAAAAQAAAAAXAAAAAAAPAAAPANAAAAAAAAOY";

    fn game(moves: &str, end: &str) -> String {
        format!("#38FA11 Stratego-Notation v1\ntype 1\n{FIELD}\n{moves}{end}")
    }

    const END: &str = "END\nAnton_1 vs Berta_1 result 3 winner 0\n";

    #[test]
    fn a_game_is_read_whole() {
        let read = parse(&game("A3-A4\nF8-F7\nK1-K2\n", END)).unwrap();
        assert_eq!(read.ruleset, Ruleset::Barrage);
        let moves: Vec<String> = read
            .moves
            .iter()
            .map(|mv| format!("{}-{}", mv.from, mv.to))
            .collect();
        assert_eq!(moves, ["a3-a4", "f8-f7", "j1-j2"]);
        assert_eq!(
            (&*read.players.red, &*read.players.blue),
            ("Anton_1", "Berta_1")
        );
        assert_eq!(
            read.ending,
            Ending {
                code: 3,
                winner: Some(Color::Red)
            }
        );
    }

    /// G02, G03: what real files have in them changes nothing.
    #[test]
    fn marks_comments_and_repeated_ends_are_passed_over() {
        let plain = parse(&game("A3-A4\nF8-F7\n", END)).unwrap();
        for text in [
            format!("\u{feff}{}", game("A3-A4\nF8-F7\n", END)),
            game("A3-A4\n# a comment\nF8-F7\n", END),
            game("A3-A4\nF8-F7\nEND\n", END),
            game("A3-A4\nEND\nF8-F7\n", END),
            game("A3-A4\nF8-F7\n", END).replace('\n', "\r\n"),
            game("A3-A4\nF8-F7\n", END).replace("v1", "v2"),
        ] {
            assert_eq!(parse(&text).as_ref(), Ok(&plain), "{text}");
        }
    }

    #[test]
    fn what_is_no_game_is_refused_with_its_place() {
        let fault = |text: &str| parse(text).unwrap_err();
        assert_eq!(fault(""), GsnFault::Header);
        assert_eq!(fault("type 1"), GsnFault::Header);
        for kind in ["type 2", "type 3", "type x", ""] {
            let text = game("", END).replace("type 1", kind);
            assert!(
                matches!(fault(&text), GsnFault::Kind(_) | GsnFault::Field(_)),
                "{kind}"
            );
        }
        assert!(matches!(
            fault(&game("", END).replace(FIELD, "AAA")),
            GsnFault::Field(_)
        ));
        for line in ["A3:A4", "A3-", "A3-A11", "nonsense"] {
            let fault = fault(&game(&format!("A3-A4\n{line}\n"), END));
            assert_eq!(fault.ply(), Some(1), "{line}");
        }
        assert_eq!(fault(&game("A3-A4\n", "")), GsnFault::Result);
        assert_eq!(fault(&game("A3-A4\n", "END\n")), GsnFault::Result);
        assert!(parse(&game("", "END\na vs b result 3 winner 3\n")).is_err());
    }

    #[test]
    fn names_may_hold_anything() {
        let read = parse(&game("", "END\nKönig winner vs a vs b result 4 winner 2\n")).unwrap();
        assert_eq!(
            (&*read.players.red, &*read.players.blue),
            ("König winner", "a vs b")
        );
        assert_eq!(read.ending.winner, None);
        let read = parse(&game(
            "A3-A4\n# a comment\n",
            "END\n#joe vs b result 3 winner 0\n",
        ));
        assert_eq!(read.unwrap().players.red, "#joe");
        let commented = format!("{END}# x vs y result 4 winner 2\n");
        let read = parse(&game("", &commented)).unwrap();
        assert_eq!(read.players.red, "Anton_1");
    }
}
