//! A game of this server as it is written into a file.

use domain::gravon::Ending;
use domain::{ByColor, NotedMove, Options, Outcome, Record, RecordEnd, Ruleset, Timestamp, View};

use super::recording::{PLAY, REVEILLE};
use super::{json, plain, write_xml};

/// A game that is over, with all that stands in a file.
#[derive(Debug, Clone, Copy)]
pub struct Exported<'a> {
    /// Its identifier.
    pub id: &'a str,
    /// Where it was played: `play` for this server, and what its import said else.
    pub source: &'a str,
    /// The game, with everything in it disclosed.
    pub view: View<'a>,
    /// The players' names.
    pub players: ByColor<&'a str>,
    /// The players' ratings.
    pub ratings: ByColor<Option<f64>>,
    /// When it began, if that is known.
    pub started_at: Option<Timestamp>,
    /// When it ended, if that is known.
    pub finished_at: Option<Timestamp>,
    /// The code that an archive gave the ending.
    pub raw_ending: Option<u16>,
}

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameFormat {
    /// One object; as lines of a file it is NDJSON.
    Json,
    /// The text notation.
    Text,
    /// The XML of the archive of Gravon.
    Xml,
}

/// Why a game cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportFault {
    /// It is not over, it never began, or not all of it is seen.
    #[error("only a game that was played and is over can be exported")]
    NotOver,
    /// The archive has no such kind of game.
    #[error("Gravon XML has games of original, duel and barrage; this one is {0}")]
    Ruleset(Ruleset),
    /// The archive has no options: these are none of the ruleset's own.
    #[error("Gravon XML has games with the ruleset's own options alone; this one has {0}")]
    Options(String),
    /// The archive has no code for this reason.
    #[error("Gravon XML has no code for a game that ended by {0}")]
    Ending(&'static str),
}

impl GameFormat {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Json, Self::Text, Self::Xml];

    /// The name, which is the extension of a file as well; a text is `txt`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "txt",
            Self::Xml => "xml",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// What an answer over HTTP says of it.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain; charset=utf-8",
            Self::Xml => "application/xml",
        }
    }

    /// Writes a game; JSON as one line without its end.
    ///
    /// # Errors
    /// A game that is not over, or one that the form has no room for.
    pub fn write(self, game: &Exported<'_>) -> Result<String, ExportFault> {
        let sheet = Sheet::of(game)?;
        match self {
            Self::Json => Ok(json::write(&sheet)),
            Self::Text => Ok(plain::write(&sheet)),
            Self::Xml => write_xml::write(&sheet),
        }
    }

    /// A name for the file of a game, in the way of the archive: the day of its end is read back from it.
    pub fn file_name(self, game: &Exported<'_>) -> String {
        let ruleset = game.view.game().terms().ruleset;
        let kind = domain::gravon::kind_of_ruleset(ruleset).unwrap_or(ruleset.id());
        // A hyphen would say that there is a month alone.
        let id: String = game
            .id
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect();
        let day = game.finished_at.map(super::instant::day);
        let day = day.map_or_else(String::new, |day| format!("{}.", day.replace('-', ".")));
        format!("{kind}.{day}{id}.{}", self.name())
    }
}

/// What all forms write.
pub(super) struct Sheet<'a> {
    pub(super) game: &'a Exported<'a>,
    pub(super) source: &'a str,
    pub(super) ruleset: Ruleset,
    pub(super) options: Options,
    pub(super) record: Record,
    pub(super) outcome: Outcome,
    pub(super) moves: Vec<NotedMove>,
    /// When the moves were made, if that is known.
    pub(super) played_at: Option<Vec<Timestamp>>,
}

impl<'a> Sheet<'a> {
    fn of(game: &'a Exported<'a>) -> Result<Self, ExportFault> {
        let mut record = Record::of(&game.view).ok_or(ExportFault::NotOver)?;
        let RecordEnd::Outcome(outcome) = record.end else {
            return Err(ExportFault::NotOver);
        };
        if let Some(code) = game.raw_ending {
            let winner = outcome.winner;
            record.end = RecordEnd::Gravon(Ending { code, winner });
        }
        let battles = game.view.battles();
        let mut battles = battles.iter().map(|battle| battle.ply - 1).peekable();
        let noted = |(ply, (mv, rescue)): (u32, &(domain::Move, Option<domain::Rescue>))| {
            let attack = battles.next_if_eq(&ply).is_some();
            NotedMove {
                mv: *mv,
                attack,
                rescue: *rescue,
            }
        };
        let moves = (0..).zip(&record.moves).map(noted).collect();
        let times = game.view.moves_from(0).map(|made| made.played_at);
        Ok(Self {
            game,
            source: if game.source == PLAY {
                REVEILLE
            } else {
                game.source
            },
            ruleset: record.ruleset,
            options: record.options,
            outcome,
            moves,
            played_at: times.collect(),
            record,
        })
    }
}
