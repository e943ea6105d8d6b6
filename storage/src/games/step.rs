//! Moves after which their games go on, made on PostgreSQL: any number of them by one statement.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Binary, Integer, Nullable, SmallInt, Text};
use domain::{Color, Event, Game, Status};

use super::StoredGame;
use super::append::{lost_race, move_to_store};
use super::events::GameEventKind;
use super::row::Guard;
use super::statements::MoveToStore;
use crate::error::StorageError;
use crate::ids::GameId;
use crate::number;
use crate::time::micros;

/// A move that was decided and is not made yet, with the game as it was and as it will be.
pub struct Step {
    game: GameId,
    /// How many entries the log has.
    version: i64,
    /// How often the lines of the players were changed.
    lines: Option<i64>,
    row: MoveToStore,
    turn: Option<&'static str>,
    deadline: Option<i64>,
    near_at: Option<i64>,
    announced: i64,
    announced_to_all: i64,
    after: StoredGame,
}

impl Step {
    /// Whether these events can be made as a step, if the game goes on after them: they are one move.
    pub const fn is_of(events: &[Event]) -> bool {
        matches!(events, [Event::Moved { .. }])
    }

    /// The step from a game to what it is `after` these events, or that game again when they are more
    /// than a move after which it goes on.
    ///
    /// # Errors
    /// [`Corrupt`](StorageError::Corrupt) when a count is more than a column holds.
    pub fn new(
        before: &StoredGame,
        after: Game,
        events: &[Event],
    ) -> Result<Result<Self, Game>, StorageError> {
        let [Event::Moved { mv, rescue, at }] = *events else {
            return Ok(Err(after));
        };
        let pauses = before.summary.pause.is_some() || after.pause().is_some();
        if after.status() != Status::Active || pauses {
            return Ok(Err(after));
        }
        let summary = &before.summary;
        let (ply, mut announced) = (summary.ply, summary.announced);
        announced.next(GameEventKind::Move { ply }, at);
        Ok(Ok(Self {
            game: summary.id,
            version: number::stored(summary.version)?,
            lines: Guard::of(before)?.lines,
            row: move_to_store(ply, summary.version, mv, rescue, at)?,
            turn: after.turn().map(Color::name),
            deadline: after.deadline().map(micros),
            near_at: after.near().map(micros),
            announced: number::stored(announced.to_players)?,
            announced_to_all: number::stored(announced.to_all)?,
            after: before.then(after, summary.version + 1, announced, before.commitments),
        }))
    }

    /// Which game it is a step of.
    pub(crate) const fn game(&self) -> GameId {
        self.game
    }

    /// The game once the step is made.
    pub(crate) fn into_after(self) -> StoredGame {
        self.after
    }
}

/// Makes the steps whose games are as they were seen to be, in one transaction; says of each whether
/// it was made.
///
/// # Errors
/// When the database fails, or refuses one of them: then none is made.
pub(crate) fn make(conn: &mut PgConnection, steps: &[&Step]) -> Result<Vec<bool>, StorageError> {
    let steps = Steps::of(steps);
    let mut made = vec![false; steps.games.len()];
    let places: QueryResult<Vec<i64>> = steps.load(conn);
    for place in places.map_err(StorageError::from).map_err(lost_race)? {
        // Places are counted from 1.
        let index = usize::try_from(place - 1).ok();
        if let Some(made) = index.and_then(|index| made.get_mut(index)) {
            *made = true;
        }
    }
    Ok(made)
}

/// Steps, column by column.
struct Steps {
    games: Vec<GameId>,
    plies: Vec<i32>,
    versions: Vec<i64>,
    lines: Vec<Option<i64>>,
    from_squares: Vec<i16>,
    to_squares: Vec<i16>,
    rescue_ranks: Vec<Option<String>>,
    rescue_squares: Vec<Option<i16>>,
    played_at: Vec<i64>,
    turns: Vec<Option<&'static str>>,
    deadlines: Vec<Option<i64>>,
    near_at: Vec<Option<i64>>,
    announced: Vec<i64>,
    announced_to_all: Vec<i64>,
}

impl Steps {
    fn of(steps: &[&Step]) -> Self {
        fn column<T>(steps: &[&Step], of: impl Fn(&Step) -> T) -> Vec<T> {
            steps.iter().map(|step| of(step)).collect()
        }
        Self {
            games: column(steps, |step| step.game),
            plies: column(steps, |step| step.row.ply),
            versions: column(steps, |step| step.version),
            lines: column(steps, |step| step.lines),
            from_squares: column(steps, |step| step.row.from_square),
            to_squares: column(steps, |step| step.row.to_square),
            rescue_ranks: column(steps, |step| step.row.rescue_rank.clone()),
            rescue_squares: column(steps, |step| step.row.rescue_square),
            played_at: column(steps, |step| step.row.played_at),
            turns: column(steps, |step| step.turn),
            deadlines: column(steps, |step| step.deadline),
            near_at: column(steps, |step| step.near_at),
            announced: column(steps, |step| step.announced),
            announced_to_all: column(steps, |step| step.announced_to_all),
        }
    }
}

impl QueryId for Steps {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Steps {
    type SqlType = BigInt;
}

impl RunQueryDsl<PgConnection> for Steps {}

impl QueryFragment<Pg> for Steps {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH steps AS (SELECT * FROM unnest(");
        out.push_bind_param::<Array<Binary>, _>(&self.games)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Integer>, _>(&self.plies)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.versions)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<BigInt>>, _>(&self.lines)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<SmallInt>, _>(&self.from_squares)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<SmallInt>, _>(&self.to_squares)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.rescue_ranks)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<SmallInt>>, _>(&self.rescue_squares)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.played_at)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.turns)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<BigInt>>, _>(&self.deadlines)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<BigInt>>, _>(&self.near_at)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.announced)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.announced_to_all)?;
        out.push_sql(MAKE);
        Ok(())
    }
}

const MAKE: &str = ") WITH ORDINALITY AS step (game_id, ply, version, lines, from_square, \
     to_square, rescue_rank, rescue_square, played_at, turn, deadline, near_at, announced, announced_to_all, place)), \
     advanced AS (UPDATE games SET ply = step.ply + 1, version = step.version + 1, \
     turn = step.turn, deadline = step.deadline, near_at = step.near_at, updated_at = step.played_at, \
     announced = step.announced, announced_to_all = step.announced_to_all \
     FROM steps AS step WHERE games.id = step.game_id AND games.version = step.version \
     AND games.ply = step.ply AND games.status = 'active' \
     AND games.lines_version = COALESCE(step.lines, games.lines_version) RETURNING step.*), \
     moved AS (INSERT INTO moves (game_id, ply, seq, from_square, to_square, rescue_rank, \
     rescue_square, played_at) SELECT game_id, ply, version, from_square, to_square, rescue_rank, \
     rescue_square, played_at FROM advanced) \
     SELECT place FROM advanced";
