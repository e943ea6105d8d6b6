//! A game that was recorded elsewhere, with all that an importer needs.

use std::sync::Arc;

use domain::{ByColor, Game, Instants, Record, RecordEnd, RecordFault, Rescue, Status, Timestamp};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use super::rejection::{Code, Fault, Rejection, shown};
use super::result;

/// How long a name may be, in characters.
pub const MAX_NAME: usize = 200;

/// How many plies a game may have.
pub const MAX_PLIES: usize = 20_000;

/// What stands in the place of a name that is empty.
const NO_NAME: &str = "?";

/// How long the name of a source may be.
const MAX_SOURCE: usize = 32;

/// The source of this server's own games, which no file can claim.
pub const PLAY: &str = "play";

/// What this server's own games are called in a file: to another server they are not its own.
pub const REVEILLE: &str = "reveille";

const MICROS_PER_DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// A game that was recorded elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The file that it was read from.
    pub file: Arc<str>,
    /// Which game of the file, from 1.
    pub game: u32,
    /// What was played.
    pub record: Record,
    /// Where: `gravon`, `text`, `reveille` or whatever a file says, of `a` to `z`, `0` to `9`, `_` and `-`.
    pub source: String,
    /// The players' names as recorded; `?` where there is none.
    pub players: ByColor<String>,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// When it ended; of an archive the day, at its first instant.
    pub finished_at: Option<Timestamp>,
    /// When each move was made.
    pub move_times: Option<Vec<Timestamp>>,
}

impl Recording {
    /// A game of which no instants are known yet. Its file is named by whoever reads it.
    pub(super) fn new(record: Record, source: &str, players: ByColor<&str>) -> Result<Self, Fault> {
        if record.moves.len() > MAX_PLIES {
            let detail = format!(
                "expected a game of at most {MAX_PLIES} plies, got {}",
                record.moves.len()
            );
            return Err(Fault::new(Code::TooLarge, detail));
        }
        result::check(record.end)?;
        Ok(Self {
            file: "".into(),
            game: 1,
            record,
            source: read_source(source)?,
            players: ByColor {
                red: read_name(players.red)?,
                blue: read_name(players.blue)?,
            },
            started_at: None,
            finished_at: None,
            move_times: None,
        })
    }

    /// The same with its instants, each at or after those before it.
    pub(super) fn timed(
        mut self,
        started_at: Option<Timestamp>,
        finished_at: Option<Timestamp>,
        move_times: Option<Vec<Timestamp>>,
    ) -> Result<Self, Fault> {
        let backwards = |what: &str, ply| {
            let detail = format!("expected {what} not before what came before it");
            Err(Fault::new(Code::BadInstant, detail).at(ply))
        };
        let mut last = started_at;
        for (ply, at) in (0..).zip(move_times.iter().flatten()) {
            if last.is_some_and(|last| *at < last) {
                return backwards("the instant of a move", Some(ply));
            }
            last = Some(*at);
        }
        if let (Some(last), Some(finished)) = (last, finished_at)
            && finished < last
        {
            return backwards("the end", None);
        }
        let count = move_times.as_ref().map(Vec::len);
        if count.is_some_and(|count| count != self.record.moves.len()) {
            let detail = format!(
                "expected an instant for each of the {} moves, got {}",
                self.record.moves.len(),
                count.unwrap_or_default()
            );
            return Err(Fault::new(Code::BadInstant, detail));
        }
        self.started_at = started_at;
        self.finished_at = finished_at;
        self.move_times = move_times;
        Ok(self)
    }

    /// Refuses a game that is said to have been played later than now: it would stand before all others for as long.
    ///
    /// # Errors
    /// [`BadInstant`](Code::BadInstant).
    pub fn check_played_by(&self, now: Timestamp) -> Result<(), Rejection> {
        let of_moves = self.move_times.iter().flatten().last().copied();
        let last = self.finished_at.or(of_moves).or(self.started_at);
        if last.is_none_or(|last| last <= now) {
            return Ok(());
        }
        let detail = "expected a game that is over, and its end is yet to come";
        Err(self.refused(Fault::new(Code::BadInstant, detail)))
    }

    /// The code that an archive gives the ending.
    pub const fn raw_ending(&self) -> Option<u16> {
        match self.record.end {
            RecordEnd::Gravon(ending) => Some(ending.code),
            RecordEnd::Outcome(_) => None,
        }
    }

    /// The SHA-256 of all that makes it this game: its source, rules, armies, moves, players (by the name
    /// that `name` makes of each), day and ending. The same game has the same one in whatever form it was
    /// written; a corrected one has another.
    pub fn digest(&self, name: impl Fn(&str) -> String) -> [u8; 32] {
        let mut sum = Sum::new();
        sum.text(&self.source);
        sum.text(self.record.ruleset.id());
        let options = &self.record.options;
        for flag in [
            options.aggressor_advantage,
            options.silent_defense,
            options.rescue,
            options.more_squares,
        ] {
            sum.bytes(&[u8::from(flag)]);
        }
        sum.text(options.two_squares.name());
        sum.bytes(&[options.two_squares_limit]);
        sum.bytes(&options.no_progress_plies.unwrap_or(0).to_be_bytes());
        sum.text(&self.record.setups.red.to_string());
        sum.text(&self.record.setups.blue.to_string());
        sum.moves(&self.record);
        sum.text(&name(&self.players.red));
        sum.text(&name(&self.players.blue));
        let day = |at: Timestamp| at.as_micros().div_euclid(MICROS_PER_DAY);
        match self.finished_at.map(day) {
            Some(day) => sum.bytes(&day.to_be_bytes()),
            None => sum.bytes(&[]),
        }
        let (winner, why) = match self.record.end {
            RecordEnd::Gravon(ending) => (ending.winner, ending.code.to_string()),
            RecordEnd::Outcome(outcome) => (outcome.winner, outcome.reason.name().to_owned()),
        };
        sum.text(winner.map_or("", domain::Color::name));
        sum.text(&why);
        sum.0.finalize().into()
    }

    fn refused(&self, fault: Fault) -> Rejection {
        fault.of(&self.file, self.game)
    }
}

/// Replays a recording, as if it had ended at the epoch where no day is known.
///
/// # Errors
/// As [`replay_or_at`].
pub fn replay(recording: &Recording) -> Result<Game, Rejection> {
    replay_or_at(recording, Timestamp::from_micros(0))
}

/// Replays a recording, with the instants that are known; where there is none it counts as ended at `otherwise`.
///
/// # Errors
/// The first move that no rule allows, a winner whose flag was captured, or an end before both sides had moved.
pub fn replay_or_at(recording: &Recording, otherwise: Timestamp) -> Result<Game, Rejection> {
    let instants = Instants {
        started: recording.started_at,
        moves: recording.move_times.as_deref().unwrap_or_default(),
        finished: recording.finished_at,
        otherwise,
    };
    let refused = |fault: RecordFault| recording.refused(fault.into());
    let record = &recording.record;
    let game = record.replay_timed(instants).map_err(refused)?;
    record.check_result(&game).map_err(refused)?;
    if game.status() == Status::Finished {
        return Ok(game);
    }
    let detail = "expected a game that counts, and this one ended before both sides had moved";
    Err(recording.refused(Fault::new(Code::BadResult, detail)))
}

/// A hash of fields, each with its length before it, so that no two lists of fields are one.
struct Sum(Sha256);

impl Sum {
    fn new() -> Self {
        Self(Sha256::new_with_prefix(b"reveille recording 1\n"))
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.0.update(length.to_be_bytes());
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Four bytes a move: from, to, and the rescue, or nothing.
    fn moves(&mut self, record: &Record) {
        let mut bytes = Vec::with_capacity(record.moves.len() * 4);
        for (mv, rescue) in &record.moves {
            let (rank, square) = match rescue {
                Some(Rescue { rank, square }) => (rank.to_char(), square.index()),
                None => ('.', u8::MAX),
            };
            let rank = u8::try_from(rank).unwrap_or(u8::MAX);
            bytes.extend_from_slice(&[mv.from.index(), mv.to.index(), rank, square]);
        }
        self.bytes(&bytes);
    }
}

/// A name as it can be shown: trimmed, composed (NFC), on one line.
fn read_name(name: &str) -> Result<String, Fault> {
    let name = name.trim();
    let bad = |expected: &str| {
        let detail = format!("expected a player's name {expected}, got `{}`", shown(name));
        Err(Fault::new(Code::BadName, detail))
    };
    let breaks = |ch: char| ch.is_control() || matches!(ch, '\u{2028}' | '\u{2029}');
    if name.contains(breaks) {
        return bad("without control characters and line breaks");
    }
    let name: String = if name.is_ascii() {
        name.to_owned()
    } else {
        name.nfc().collect()
    };
    match name.chars().count() {
        0 => Ok(NO_NAME.to_owned()),
        1..=MAX_NAME => Ok(name),
        _ => bad("of at most 200 characters"),
    }
}

/// Refuses what no source is called.
///
/// # Errors
/// What was expected.
pub fn check_source(source: &str) -> Result<(), String> {
    let proper = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    if (1..=MAX_SOURCE).contains(&source.len()) && source.bytes().all(proper) {
        return Ok(());
    }
    Err(format!(
        "expected a source of 1 to {MAX_SOURCE} characters of a-z, 0-9, _ and -, got `{}`",
        shown(source)
    ))
}

/// The name of a source, as lists are filtered by it.
fn read_source(source: &str) -> Result<String, Fault> {
    let bad = |detail: String| Fault::new(Code::BadSource, detail);
    check_source(source).map_err(bad)?;
    if source == PLAY {
        return Err(bad(format!(
            "`{PLAY}` is the source of this server's own games, and no file's"
        )));
    }
    Ok(source.to_owned())
}

#[cfg(test)]
mod tests {
    use domain::{EndReason, Outcome, Ruleset, Setup};

    use super::*;

    const RED: &str = "M...2..............3.9......B.S2.F......";
    const BLUE: &str = "3...2...........M...9.......2.S..BF.....";

    fn recording() -> Recording {
        let ruleset = Ruleset::Barrage;
        let noted = |text: &str| {
            let noted: domain::NotedMove = text.parse().unwrap();
            (noted.mv, noted.rescue)
        };
        let record = Record {
            ruleset,
            options: ruleset.default_options(),
            setups: ByColor {
                red: Setup::parse(ruleset, RED).unwrap(),
                blue: Setup::parse(ruleset, BLUE).unwrap(),
            },
            moves: ["a4-a5", "f7-f6", "a5-a6"].map(noted).into(),
            end: RecordEnd::Outcome(Outcome::win(domain::Color::Red, EndReason::Resignation)),
        };
        let players = ByColor {
            red: "Ann",
            blue: "Ben",
        };
        Recording::new(record, "text", players).unwrap()
    }

    /// G10: the digest is over everything, and not over a beginning.
    #[test]
    fn whatever_differs_makes_another_game() {
        type Change = fn(&mut Recording);
        let changes: [Change; 12] = [
            |_| {},
            |it| it.source = "gravon".to_owned(),
            |it| it.players.red = "Anna".to_owned(),
            |it| {
                it.players = ByColor {
                    red: "An".to_owned(),
                    blue: "nBen".to_owned(),
                }
            },
            |it| it.finished_at = Some(Timestamp::from_micros(0)),
            |it| it.finished_at = Some(Timestamp::from_micros(MICROS_PER_DAY)),
            |it| it.record.moves.truncate(2),
            |it| it.record.moves[2].0.to = "b5".parse().unwrap(),
            |it| it.record.options.no_progress_plies = Some(60),
            |it| it.record.setups.red = it.record.setups.blue,
            |it| it.record.end = RecordEnd::Outcome(Outcome::no_winner(EndReason::Resignation)),
            |it| {
                it.record.moves[2].1 = Some(Rescue {
                    rank: domain::Rank::Miner,
                    square: "a1".parse().unwrap(),
                });
            },
        ];
        let digest = |change: &Change| {
            let mut other = recording();
            change(&mut other);
            other.digest(str::to_owned)
        };
        let mut digests: Vec<_> = changes.iter().map(digest).collect();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), changes.len());
        // What a name becomes is the caller's to say; the hour of the day is not in it.
        let mut same = recording();
        same.players.red = "ANN".to_owned();
        let lower = |name: &str| name.to_lowercase();
        assert_eq!(same.digest(lower), recording().digest(lower));
        same = recording();
        same.finished_at = Some(Timestamp::from_micros(5));
        assert_eq!(same.digest(lower), digest_of_day_zero(lower));
    }

    fn digest_of_day_zero(name: impl Fn(&str) -> String) -> [u8; 32] {
        let mut day = recording();
        day.finished_at = Some(Timestamp::from_micros(0));
        day.digest(name)
    }

    /// G13: one rule for names, whatever is in them.
    #[test]
    fn names_are_kept_as_they_can_be_shown() {
        let long = "x".repeat(200);
        for (given, kept) in [
            ("  Ann ", "Ann"),
            ("", "?"),
            ("Jo\u{308}rg", "Jörg"),
            ("a/b?c#d%&<\">'", "a/b?c#d%&<\">'"),
            ("A  B", "A  B"),
            ("🙂\u{200f}", "🙂\u{200f}"),
            (&long, &long),
        ] {
            assert_eq!(read_name(given).unwrap(), kept);
        }
        for given in ["a\nb", "a\u{0}", "a\u{2028}b", &"y".repeat(201)] {
            assert_eq!(read_name(given).unwrap_err().code, Code::BadName);
        }
    }

    #[test]
    fn no_file_claims_to_be_of_this_server() {
        for good in ["gravon", "reveille", "my_site-2", "a"] {
            assert_eq!(read_source(good).unwrap(), good);
        }
        for bad in ["", "Gravon", "a b", "a,b", "a\0", "é", &"a".repeat(33)] {
            assert_eq!(read_source(bad).unwrap_err().code, Code::BadSource);
            let expected = check_source(bad).unwrap_err();
            assert!(expected.ends_with(&format!("got `{}`", shown(bad))));
        }
        assert_eq!(read_source(PLAY).unwrap_err().code, Code::BadSource);
        assert_eq!(check_source(PLAY), Ok(()));
    }

    #[test]
    fn a_game_has_an_end_to_its_moves() {
        let mut record = recording().record;
        let first = record.moves[0];
        for (count, code) in [(MAX_PLIES, None), (MAX_PLIES + 1, Some(Code::TooLarge))] {
            record.moves = vec![first; count];
            let names = ByColor {
                red: "a",
                blue: "b",
            };
            let fault = Recording::new(record.clone(), "text", names).err();
            assert_eq!(fault.map(|fault| fault.code), code);
        }
    }

    #[test]
    fn no_game_was_played_tomorrow() {
        let at = |micros: i64| Some(Timestamp::from_micros(micros));
        let times = |last: i64| Some([1, 2, last].map(Timestamp::from_micros).to_vec());
        for (start, end, moves, is_bad) in [
            (None, None, None, false),
            (at(6), None, None, true),
            (at(1), at(5), None, false),
            (at(1), at(6), times(5), true),
            (None, None, times(5), false),
            (None, None, times(6), true),
        ] {
            let played = recording().timed(start, end, moves).unwrap();
            let checked = played.check_played_by(Timestamp::from_micros(5));
            let code = checked.err().map(|rejection| rejection.code);
            assert_eq!(code, is_bad.then_some(Code::BadInstant));
        }
    }

    #[test]
    fn instants_go_forward() {
        let at = |micros: i64| Some(Timestamp::from_micros(micros));
        let times = |micros: [i64; 3]| Some(micros.map(Timestamp::from_micros).to_vec());
        let good = recording().timed(at(1), at(5), times([1, 3, 5])).unwrap();
        let game = replay(&good).unwrap();
        assert_eq!(game.started_at(), at(1));
        assert_eq!(game.finished_at(), at(5));
        let view = game.view_for(None);
        assert_eq!(view.move_at(1).and_then(|made| made.played_at), at(3));
        for (start, end, moves, ply) in [
            (at(2), at(5), times([1, 3, 5]), Some(0)),
            (at(1), at(5), times([1, 3, 2]), Some(2)),
            (at(1), at(4), times([1, 3, 5]), None),
            (at(1), at(5), Some(Vec::new()), None),
        ] {
            let fault = recording().timed(start, end, moves).unwrap_err();
            assert_eq!((fault.code, fault.ply), (Code::BadInstant, ply));
        }
    }
}
