//! The row of a game and what it stands for.

use diesel::prelude::*;
use domain::{ByColor, Color, Game, Outcome, Pause, Rating, Status, Terms};

use super::{
    Announced, Annulment, GameOrder, GameSummary, PLAYED_HERE, SeatRating, StoredGame, StoredLines,
};
use crate::error::{Corruption, StorageError};
use crate::ids::{GameId, PlayerId};
use crate::number;
use crate::players::Player;
use crate::ratings::{from_millionths, to_millionths};
use crate::schema::games;
use crate::terms::terms_row;
use crate::text;
use crate::time::{instant, micros};

terms_row!(games);

#[derive(Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = games, treat_none_as_default_value = false)]
pub(super) struct GameRow {
    pub(super) id: GameId,
    pub(super) red_player: PlayerId,
    pub(super) blue_player: PlayerId,
    #[diesel(embed)]
    terms: TermsRow,
    rated: bool,
    private: bool,
    #[diesel(embed)]
    standing: StandingRow,
    pub(super) created_at: i64,
    #[diesel(embed)]
    ratings: RatingsRow,
    source: String,
    raw_ending: Option<i32>,
}

/// What a game shows of ratings, in millionths of a point.
#[derive(Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = games, treat_none_as_default_value = false)]
pub(super) struct RatingsRow {
    red_rating: Option<i64>,
    red_deviation: Option<i64>,
    blue_rating: Option<i64>,
    blue_deviation: Option<i64>,
    red_rating_change: Option<i64>,
    blue_rating_change: Option<i64>,
    annulled_at: Option<i64>,
    annulled_because: Option<String>,
}

impl RatingsRow {
    /// Of a game that is made between players of these ratings.
    fn new(ratings: ByColor<Rating>) -> Self {
        let ByColor { red, blue } = ratings;
        Self {
            red_rating: Some(to_millionths(red.rating)),
            red_deviation: Some(to_millionths(red.deviation)),
            blue_rating: Some(to_millionths(blue.rating)),
            blue_deviation: Some(to_millionths(blue.deviation)),
            red_rating_change: None,
            blue_rating_change: None,
            annulled_at: None,
            annulled_because: None,
        }
    }

    /// Of a game that was played elsewhere.
    const fn none() -> Self {
        Self {
            red_rating: None,
            red_deviation: None,
            blue_rating: None,
            blue_deviation: None,
            red_rating_change: None,
            blue_rating_change: None,
            annulled_at: None,
            annulled_because: None,
        }
    }

    fn ratings(&self) -> ByColor<Option<SeatRating>> {
        let seat = |rating: Option<i64>, deviation: Option<i64>| {
            Some(SeatRating {
                rating: from_millionths(rating?),
                deviation: from_millionths(deviation?),
            })
        };
        ByColor {
            red: seat(self.red_rating, self.red_deviation),
            blue: seat(self.blue_rating, self.blue_deviation),
        }
    }

    fn changes(&self) -> ByColor<Option<f64>> {
        ByColor {
            red: self.red_rating_change.map(from_millionths),
            blue: self.blue_rating_change.map(from_millionths),
        }
    }

    fn annulment(self) -> Option<Annulment> {
        Some(Annulment {
            at: instant(self.annulled_at?),
            reason: self.annulled_because.unwrap_or_default(),
        })
    }
}

/// How a game stands: all that an append may change.
#[derive(Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = games, treat_none_as_default_value = false)]
pub(super) struct StandingRow {
    pub(super) status: String,
    pub(super) ply: i32,
    pub(super) version: i64,
    pub(super) turn: Option<String>,
    pub(super) deadline: Option<i64>,
    pub(super) winner: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) started_at: Option<i64>,
    pub(super) finished_at: Option<i64>,
    pub(super) updated_at: i64,
    pub(super) announced: i64,
    pub(super) announced_to_all: i64,
    pub(super) near_at: Option<i64>,
    pub(super) pause_kind: Option<String>,
    pub(super) pause_by: Option<String>,
    pub(super) pause_since: Option<i64>,
    pub(super) pause_until: Option<i64>,
}

impl StandingRow {
    /// How a game stands by its log, which has `version` entries, and what was announced of them.
    pub(super) fn of(
        game: &Game,
        version: u64,
        announced: Announced,
    ) -> Result<Self, StorageError> {
        let outcome = game.outcome();
        let name = |color: Color| color.name().to_owned();
        let pause = game.pause();
        Ok(Self {
            status: game.status().name().to_owned(),
            ply: stored_ply(game.ply())?,
            version: number::stored(version)?,
            turn: game.turn().map(name),
            deadline: game.deadline().map(micros),
            winner: outcome.and_then(|outcome| outcome.winner).map(name),
            reason: outcome.map(|outcome| outcome.reason.name().to_owned()),
            started_at: game.started_at().map(micros),
            finished_at: game.finished_at().map(micros),
            updated_at: micros(game.updated_at()),
            announced: number::stored(announced.to_players)?,
            announced_to_all: number::stored(announced.to_all)?,
            near_at: game.near().map(micros),
            pause_kind: pause.map(|pause| pause.kind.name().to_owned()),
            pause_by: pause.and_then(|pause| pause.by).map(name),
            pause_since: pause.map(|pause| micros(pause.since)),
            pause_until: pause.and_then(|pause| pause.until).map(micros),
        })
    }

    fn pause(&self) -> Result<Option<Pause>, StorageError> {
        let (Some(kind), Some(since)) = (&self.pause_kind, self.pause_since) else {
            return Ok(None);
        };
        Ok(Some(Pause {
            kind: text::pause_kind(kind)?,
            by: text::optional_color(self.pause_by.as_deref())?,
            since: instant(since),
            until: self.pause_until.map(instant),
        }))
    }

    fn outcome(&self) -> Result<Option<Outcome>, StorageError> {
        let winner = text::optional_color(self.winner.as_deref())?;
        let Some(reason) = &self.reason else {
            return Ok(None);
        };
        Ok(Some(Outcome {
            winner,
            reason: text::reason(reason)?,
        }))
    }
}

impl GameRow {
    /// What lists in an order of the finished games are sorted by.
    pub(super) fn place(&self, order: GameOrder) -> (i64, GameId) {
        let key = match order {
            GameOrder::FinishedAscending => self.standing.finished_at.unwrap_or(i64::MAX),
            GameOrder::FinishedDescending => self.standing.finished_at.unwrap_or(-i64::MAX),
            _ => i64::from(self.standing.ply),
        };
        (key, self.id)
    }

    pub(super) fn new(
        new: &super::NewGame,
        game: &Game,
        ratings: ByColor<Rating>,
    ) -> Result<Self, StorageError> {
        Ok(Self {
            id: new.id,
            red_player: new.players.red,
            blue_player: new.players.blue,
            terms: new.terms.into(),
            rated: new.rated,
            private: new.private,
            standing: StandingRow::of(game, 0, Announced::default())?,
            created_at: micros(new.created_at),
            ratings: RatingsRow::new(ratings),
            source: PLAYED_HERE.to_owned(),
            raw_ending: None,
        })
    }

    /// Of a game that was played elsewhere; its players are known when it is stored.
    pub(super) fn recorded(
        id: GameId,
        game: &Game,
        source: &str,
        raw_ending: Option<u16>,
    ) -> Result<Self, StorageError> {
        // Both armies, the start, the moves, the end.
        let version = u64::from(game.ply()) + 4;
        let nobody = PlayerId::from_uuid(uuid::Uuid::nil());
        Ok(Self {
            id,
            red_player: nobody,
            blue_player: nobody,
            terms: TermsRow::from(*game.terms()),
            rated: false,
            private: false,
            standing: StandingRow::of(game, version, Announced::default())?,
            created_at: micros(game.created_at()),
            ratings: RatingsRow::none(),
            source: source.to_owned(),
            raw_ending: raw_ending.map(i32::from),
        })
    }

    /// The same between players.
    pub(super) fn between(self, players: ByColor<PlayerId>) -> Self {
        Self {
            red_player: players.red,
            blue_player: players.blue,
            ..self
        }
    }

    /// Whether it was played elsewhere, so that its log is kept as one.
    pub(super) fn is_recorded(&self) -> bool {
        self.source != PLAYED_HERE
    }

    pub(super) fn summary(
        self,
        players: &[Player],
        setup_placed: ByColor<bool>,
    ) -> Result<GameSummary, StorageError> {
        let player = |id: PlayerId| {
            let found = players.iter().find(|player| player.id == id).cloned();
            found.ok_or(StorageError::Corrupt(Corruption::Missing {
                table: "players",
            }))
        };
        let standing = self.standing;
        Ok(GameSummary {
            id: self.id,
            players: ByColor {
                red: player(self.red_player)?,
                blue: player(self.blue_player)?,
            },
            terms: Terms::try_from(self.terms)?,
            rated: self.rated,
            ratings: self.ratings.ratings(),
            rating_changes: self.ratings.changes(),
            annulment: self.ratings.annulment(),
            private: self.private,
            raw_ending: self.raw_ending.map(read_ending).transpose()?,
            source: self.source,
            setup_placed,
            status: text::status(&standing.status)?,
            ply: read_ply(standing.ply)?,
            turn: text::optional_color(standing.turn.as_deref())?,
            deadline: standing.deadline.map(instant),
            pause: standing.pause()?,
            outcome: standing.outcome()?,
            version: number::read(standing.version)?,
            announced: Announced {
                to_players: number::read(standing.announced)?,
                to_all: number::read(standing.announced_to_all)?,
            },
            created_at: instant(self.created_at),
            started_at: standing.started_at.map(instant),
            finished_at: standing.finished_at.map(instant),
            updated_at: instant(standing.updated_at),
        })
    }
}

/// A game may be appended to only as it was seen: these columns of its row still say the same.
pub(super) struct Guard {
    pub(super) status: &'static str,
    pub(super) ply: i32,
    pub(super) version: i64,
    /// That of the lines, where they were looked at.
    pub(super) lines: Option<i64>,
}

impl Guard {
    pub(super) fn of(stored: &StoredGame) -> Result<Self, StorageError> {
        let summary = &stored.summary;
        let lines = stored.lines.as_ref();
        Ok(Self {
            lines: lines.map(StoredLines::version).transpose()?,
            status: Status::name(summary.status),
            ply: stored_ply(summary.ply)?,
            version: number::stored(summary.version)?,
        })
    }
}

fn read_ending(code: i32) -> Result<u16, StorageError> {
    let corrupt = |_| Corruption::Value {
        column: "raw_ending",
    };
    u16::try_from(code).map_err(|fault| corrupt(fault).into())
}

pub(super) fn stored_ply(ply: u32) -> Result<i32, StorageError> {
    i32::try_from(ply).map_err(|_| Corruption::Value { column: "ply" }.into())
}

pub(super) fn read_ply(ply: i32) -> Result<u32, StorageError> {
    u32::try_from(ply).map_err(|_| Corruption::Value { column: "ply" }.into())
}
