use std::fmt::Display;
use std::str::FromStr;

use domain::{Color, Options, PieceId, Rank, RankSet, Ruleset, Square, Status, TwoSquares};
use serde::{Deserialize, Deserializer, de};
use uuid::Uuid;

/// A page of a list.
#[derive(Debug, Deserialize)]
pub(super) struct Page<T> {
    pub(super) items: Vec<T>,
    pub(super) next: Option<String>,
}

/// What only a name is read of.
#[derive(Debug, Deserialize)]
pub(super) struct Made {
    pub(super) id: Uuid,
}

/// A player.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Who {
    pub(super) id: Uuid,
    pub(super) username: String,
}

/// A challenge.
#[derive(Debug, Deserialize)]
pub(super) struct Challenge {
    pub(super) id: Uuid,
    #[serde(deserialize_with = "named")]
    pub(super) ruleset: Ruleset,
    pub(super) challenger: Who,
    pub(super) opponent: Option<Who>,
    pub(super) status: String,
}

/// A game in a list.
#[derive(Debug, Deserialize)]
pub(super) struct Summary {
    pub(super) id: Uuid,
    pub(super) red: Seat,
    pub(super) blue: Seat,
}

/// One side of the table.
#[derive(Debug, Deserialize)]
pub(super) struct Seat {
    pub(super) player: Who,
    pub(super) setup_placed: bool,
}

/// A game as the bot may see it.
#[derive(Debug, Deserialize)]
pub(super) struct Game {
    #[serde(deserialize_with = "named")]
    pub(super) ruleset: Ruleset,
    pub(super) options: Rules,
    #[serde(deserialize_with = "status")]
    pub(super) status: Status,
    pub(super) red: Seat,
    pub(super) blue: Seat,
    #[serde(default, deserialize_with = "maybe_named")]
    pub(super) turn: Option<Color>,
    pub(super) ply: u32,
    pub(super) pieces: Vec<Piece>,
    pub(super) captured: Vec<Captured>,
    pub(super) offers: Vec<Offer>,
    pub(super) outcome: Option<Outcome>,
    pub(super) paused: Option<Pause>,
}

/// What a game is played with.
#[derive(Debug, Deserialize)]
pub(super) struct Rules {
    aggressor_advantage: bool,
    silent_defense: bool,
    rescue: bool,
    more_squares: bool,
    two_squares: String,
    two_squares_limit: u8,
    no_progress_plies: Option<u16>,
}

/// A piece on the board.
#[derive(Debug, Deserialize)]
pub(super) struct Piece {
    #[serde(deserialize_with = "named")]
    pub(super) id: PieceId,
    #[serde(deserialize_with = "named")]
    pub(super) square: Square,
    #[serde(rename = "piece", deserialize_with = "rank")]
    pub(super) rank: Option<Rank>,
    pub(super) moved: bool,
    pub(super) revealed_ply: Option<u32>,
    #[serde(default, deserialize_with = "ranks")]
    pub(super) possible: Option<RankSet>,
}

/// A piece that was removed.
#[derive(Debug, Deserialize)]
pub(super) struct Captured {
    #[serde(deserialize_with = "named")]
    pub(super) id: PieceId,
    #[serde(rename = "piece", deserialize_with = "rank")]
    pub(super) rank: Option<Rank>,
    pub(super) ply: u32,
    #[serde(default, deserialize_with = "ranks")]
    pub(super) possible: Option<RankSet>,
}

/// An offer at the table.
#[derive(Debug, Deserialize)]
pub(super) struct Offer {
    pub(super) id: Uuid,
    pub(super) kind: String,
    #[serde(deserialize_with = "named")]
    pub(super) by: Color,
    pub(super) status: String,
}

/// How a game ended.
#[derive(Debug, Deserialize)]
pub(super) struct Outcome {
    #[serde(default, deserialize_with = "maybe_named")]
    pub(super) winner: Option<Color>,
    pub(super) reason: String,
}

/// Why no clock runs.
#[derive(Debug, Deserialize)]
pub(super) struct Pause {
    pub(super) kind: String,
}

/// The moves that the bot may make.
#[derive(Debug, Deserialize)]
pub(super) struct LegalMoves {
    pub(super) ply: u32,
    pub(super) moves: Vec<LegalMove>,
}

/// One of them.
#[derive(Debug, Deserialize)]
pub(super) struct LegalMove {
    #[serde(deserialize_with = "named")]
    pub(super) from: Square,
    #[serde(deserialize_with = "named")]
    pub(super) to: Square,
}

/// An army that was made up.
#[derive(Debug, Deserialize)]
pub(super) struct Setup {
    pub(super) setup: String,
}

impl Rules {
    pub(super) fn options(&self) -> Options {
        Options {
            aggressor_advantage: self.aggressor_advantage,
            silent_defense: self.silent_defense,
            rescue: self.rescue,
            more_squares: self.more_squares,
            // What this version does not know, the legal moves tell all the same.
            two_squares: TwoSquares::from_name(&self.two_squares).unwrap_or(TwoSquares::Illegal),
            two_squares_limit: self.two_squares_limit,
            no_progress_plies: self.no_progress_plies,
        }
    }
}

/// Reads what is written as its name.
fn named<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(de::Error::custom)
}

/// As [`named`], or nothing.
pub(super) fn maybe_named<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    let parsed = text.map(|text| text.parse().map_err(de::Error::custom));
    parsed.transpose()
}

fn status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Status, D::Error> {
    let text = String::deserialize(deserializer)?;
    Status::from_name(&text).ok_or_else(|| de::Error::custom("an unknown status"))
}

fn character(text: &str) -> Option<Rank> {
    let mut chars = text.chars();
    Rank::from_char(chars.next()?).filter(|_| chars.next().is_none())
}

/// A rank, or nothing for `?`.
fn rank<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rank>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text == "?" {
        return Ok(None);
    }
    let rank = character(&text).ok_or_else(|| de::Error::custom("an unknown rank"))?;
    Ok(Some(rank))
}

fn ranks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RankSet>, D::Error> {
    let texts = Option::<Vec<String>>::deserialize(deserializer)?;
    let set = |texts: Vec<String>| texts.iter().map(|text| character(text)).collect();
    texts.map_or(Ok(None), |texts| {
        let set: Option<RankSet> = set(texts);
        set.map(Some)
            .ok_or_else(|| de::Error::custom("an unknown rank"))
    })
}
