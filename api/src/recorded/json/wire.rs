use std::fmt;

use domain::{NotedMove, Options, Timestamp, TwoSquares};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::recorded::instant;
use crate::recorded::rejection::{Code, Fault, shown};

/// A game as a file. What may be left out is not known then, and options are those of the ruleset.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordedGame)]
pub(crate) struct GameText {
    /// `reveille-game`.
    pub(super) format: String,
    /// 1.
    pub(super) version: u32,
    /// What it is called where it comes from.
    pub(super) id: Option<String>,
    /// The kind of its archive.
    pub(super) source: String,
    /// The rule sheet.
    pub(super) ruleset: String,
    pub(super) options: Option<OptionsText>,
    pub(super) red: PlayerText,
    pub(super) blue: PlayerText,
    pub(super) setups: SetupsText,
    /// `e4-e5`, an attack `e4xe5`, a rescue `a9-a10=8@c2`.
    #[schema(value_type = Vec<String>)]
    pub(super) moves: Vec<MoveText>,
    /// When each move was made.
    #[schema(value_type = Option<Vec<String>>)]
    pub(super) played_at: Option<Vec<InstantText>>,
    pub(super) outcome: OutcomeText,
    #[schema(value_type = Option<String>)]
    pub(super) started_at: Option<InstantText>,
    #[schema(value_type = Option<String>)]
    pub(super) finished_at: Option<InstantText>,
}

/// Who played, by the name that was recorded.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordedPlayer)]
pub(super) struct PlayerText {
    pub(super) name: String,
    pub(super) rating: Option<f64>,
}

/// Both armies, as their owners see them, the front row first.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordedSetups)]
pub(super) struct SetupsText {
    pub(super) red: String,
    pub(super) blue: String,
}

/// How it ended, and the code of that in its archive.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordedOutcome)]
pub(super) struct OutcomeText {
    pub(super) winner: Option<String>,
    pub(super) reason: String,
    pub(super) raw_ending: Option<u16>,
}

/// All options: one that is left out would be read as another by a ruleset that changes.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordedOptions)]
pub(super) struct OptionsText {
    aggressor_advantage: bool,
    silent_defense: bool,
    rescue: bool,
    more_squares: bool,
    two_squares: String,
    two_squares_limit: u8,
    no_progress_plies: Option<u16>,
}

impl OptionsText {
    pub(super) fn of(options: Options) -> Self {
        Self {
            aggressor_advantage: options.aggressor_advantage,
            silent_defense: options.silent_defense,
            rescue: options.rescue,
            more_squares: options.more_squares,
            two_squares: options.two_squares.name().to_owned(),
            two_squares_limit: options.two_squares_limit,
            no_progress_plies: options.no_progress_plies,
        }
    }

    pub(super) fn read(self) -> Result<Options, Fault> {
        let two_squares = TwoSquares::from_name(&self.two_squares).ok_or_else(|| {
            let expected = "illegal or forfeit_turn";
            Fault::expected(
                Code::BadOptions,
                "options.two_squares",
                expected,
                &self.two_squares,
            )
        })?;
        let options = Options {
            aggressor_advantage: self.aggressor_advantage,
            silent_defense: self.silent_defense,
            rescue: self.rescue,
            more_squares: self.more_squares,
            two_squares,
            two_squares_limit: self.two_squares_limit,
            no_progress_plies: self.no_progress_plies,
        };
        options
            .validate()
            .map_err(|error| Fault::new(Code::BadOptions, format!("`options`: {error}")))
    }
}

/// A move, `e4-e5`.
pub(super) struct MoveText(pub(super) NotedMove);

/// An instant, `2026-11-29T21:00:00.000000Z`.
pub(super) struct InstantText(pub(super) Timestamp);

impl Serialize for MoveText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Serialize for InstantText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&instant::write(self.0))
    }
}

impl<'de> Deserialize<'de> for MoveText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |text: &str| text.parse().ok();
        let expected = "a move such as `e4-e5`, `e4xe5` or `a9-a10=8@c2`";
        deserializer
            .deserialize_str(Text { expected, read })
            .map(Self)
    }
}

impl<'de> Deserialize<'de> for InstantText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "an instant such as `2026-11-29T21:00:00.000000Z`";
        let read = instant::read;
        deserializer
            .deserialize_str(Text { expected, read })
            .map(Self)
    }
}

/// Reads a value from a text that is not kept.
struct Text<R> {
    expected: &'static str,
    read: R,
}

impl<T, R: FnOnce(&str) -> Option<T>> Visitor<'_> for Text<R> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let Self { expected, read } = self;
        read(text).ok_or_else(|| {
            let came = shown(text);
            E::custom(format_args!("expected {expected}, got `{came}`"))
        })
    }
}
