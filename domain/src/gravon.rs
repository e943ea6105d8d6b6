//! What the archive of Gravon says of its games (`rules.md` 8): fields, squares, endings and file names, and
//! the text notation (`gsn`). The other notation, XML, is read where there is a library for it.

mod date;
mod ending;
mod field;
mod gsn;

pub use date::{ArchiveDate, DateSpan};
pub use ending::Ending;
pub use field::{FieldFault, read_field, write_field};
pub use gsn::{GsnFault, parse as parse_gsn};

use crate::color::ByColor;
use crate::moves::Move;
use crate::ruleset::Ruleset;
use crate::setup::Setup;
use crate::square::Square;

/// A game as the archive has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GravonGame {
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// Both armies.
    pub setups: ByColor<Setup>,
    /// The moves, Red's first.
    pub moves: Vec<Move>,
    /// The players' names, as recorded.
    pub players: ByColor<String>,
    /// How it ended, as recorded.
    pub ending: Ending,
}

/// A kind of game of the archive that is not played here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a game of the kind classic, barrage or duel, got `{0}`")]
pub struct UnknownKind(pub String);

/// The rule sheet of a kind of game by its name in XML; the archive's duel is written in two ways.
///
/// # Errors
/// A kind that is not played here: free setups and ultimate lightning.
pub fn ruleset_of_kind(kind: &str) -> Result<Ruleset, UnknownKind> {
    match kind.to_ascii_lowercase().as_str() {
        "classic" => Ok(Ruleset::Original),
        "barrage" => Ok(Ruleset::Barrage),
        "duel" | "duell" => Ok(Ruleset::Duel),
        _ => Err(UnknownKind(kind.chars().take(40).collect())),
    }
}

/// The name of the kind of game that a rule sheet is, if the archive has it.
pub const fn kind_of_ruleset(ruleset: Ruleset) -> Option<&'static str> {
    match ruleset {
        Ruleset::Original => Some("classic"),
        Ruleset::Barrage => Some("barrage"),
        Ruleset::Duel => Some("duell"),
        Ruleset::Classic | Ruleset::OriginalForfeit => None,
    }
}

/// The square of a name such as `A4`, `K:` or `J10`: columns `A` to `K` without `J`, which some files
/// write for the tenth; rows `1` to `9` and `:` for ten.
pub fn parse_square(name: &str) -> Option<Square> {
    let mut letters = name.chars();
    let column = match letters.next()?.to_ascii_uppercase() {
        letter @ 'A'..='I' => letter as u8 - b'A',
        'J' | 'K' => 9,
        _ => return None,
    };
    let row = match letters.as_str() {
        ":" | "10" => 9,
        digit if digit.len() == 1 => digit
            .bytes()
            .next()?
            .checked_sub(b'1')
            .filter(|row| *row < 9)?,
        _ => return None,
    };
    Square::new(row * 10 + column)
}

/// The two letters of a square, such as `A4` or `K:`.
pub fn square_name(square: Square) -> [char; 2] {
    let column = match square.column().index() {
        9 => 'K',
        column => char::from(b'A' + column),
    };
    // Behind the 9 stands the `:`.
    [column, char::from(b'1' + square.row().index())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_the_names_of_the_archive() {
        for (name, square) in [
            ("A1", "a1"),
            ("a4", "a4"),
            ("I9", "i9"),
            ("K:", "j10"),
            ("J:", "j10"),
            ("K10", "j10"),
            ("E:", "e10"),
        ] {
            let square = square.parse().unwrap();
            assert_eq!(parse_square(name), Some(square), "{name}");
        }
        for name in ["", "A", "A0", "L1", "A11", "AA", ":1", "A:1", "Ä1", "A½"] {
            assert_eq!(parse_square(name), None, "{name}");
        }
    }

    #[test]
    fn every_square_and_kind_reads_back() {
        for square in Square::all() {
            let name: String = square_name(square).iter().collect();
            assert_eq!(parse_square(&name), Some(square), "{name}");
        }
        for ruleset in Ruleset::ALL {
            if let Some(kind) = kind_of_ruleset(ruleset) {
                assert_eq!(ruleset_of_kind(kind), Ok(ruleset));
            }
        }
    }

    #[test]
    fn what_is_not_played_here_is_no_classic_game() {
        assert_eq!(ruleset_of_kind("classic"), Ok(Ruleset::Original));
        assert_eq!(ruleset_of_kind("duell"), Ok(Ruleset::Duel));
        for kind in ["free", "ultimate", "ultimate lightning", "classical", ""] {
            assert_eq!(ruleset_of_kind(kind), Err(UnknownKind(kind.to_owned())));
        }
    }
}
