//! The statements that add to a log, written out so that each is prepared once for a connection: diesel
//! prepares an `UPDATE` anew each time.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Binary, Integer, Nullable, SmallInt, Text};
use diesel::sqlite::Sqlite;

use super::row::{Guard, StandingRow};
use crate::either::DatabaseConnection as Connection;
use crate::ids::GameId;

/// Makes of a struct a statement of a fixed text, and with it one that is prepared once.
macro_rules! statement {
    ($name:ident, $self:ident, $out:ident, $write:block) => {
        statement!(@on Sqlite, $name, $self, $out, $write);
        statement!(@on Pg, $name, $self, $out, $write);

        impl QueryId for $name<'_> {
            type QueryId = $name<'static>;
            const HAS_STATIC_QUERY_ID: bool = true;
        }

        impl<C> RunQueryDsl<C> for $name<'_> {}

        impl $name<'_> {
            /// Runs it; gives the number of rows that it wrote.
            pub(super) fn run(self, conn: &mut Connection) -> QueryResult<usize> {
                match conn {
                    Connection::Sqlite(conn) => self.execute(conn),
                    Connection::Postgres(conn) => self.execute(conn),
                }
            }
        }
    };
    (@on $backend:ty, $name:ident, $self:ident, $out:ident, $write:block) => {
        impl QueryFragment<$backend> for $name<'_> {
            fn walk_ast<'b>(&'b $self, mut $out: AstPass<'_, 'b, $backend>) -> QueryResult<()> {
                $write
                Ok(())
            }
        }
    };
}

/// Writes one bound value for each column, with commas between.
macro_rules! values {
    ($out:ident, $($type:ty: $value:expr),+ $(,)?) => {{
        let mut comma = "";
        $(
            $out.push_sql(std::mem::replace(&mut comma, ", "));
            $out.push_bind_param::<$type, _>(&$value)?;
        )+
        let _ = comma;
    }};
}

/// Writes what a game is set to, and the guard: only as it was seen.
macro_rules! advance {
    ($out:ident, $game:expr, $guard:expr, $to:expr) => {{
        $out.push_sql("UPDATE games SET status = ");
        $out.push_bind_param::<Text, _>(&$to.status)?;
        $out.push_sql(", ply = ");
        $out.push_bind_param::<Integer, _>(&$to.ply)?;
        $out.push_sql(", version = ");
        $out.push_bind_param::<BigInt, _>(&$to.version)?;
        $out.push_sql(", turn = ");
        $out.push_bind_param::<Nullable<Text>, _>(&$to.turn)?;
        $out.push_sql(", deadline = ");
        $out.push_bind_param::<Nullable<BigInt>, _>(&$to.deadline)?;
        $out.push_sql(", winner = ");
        $out.push_bind_param::<Nullable<Text>, _>(&$to.winner)?;
        $out.push_sql(", reason = ");
        $out.push_bind_param::<Nullable<Text>, _>(&$to.reason)?;
        $out.push_sql(", started_at = ");
        $out.push_bind_param::<Nullable<BigInt>, _>(&$to.started_at)?;
        $out.push_sql(", finished_at = ");
        $out.push_bind_param::<Nullable<BigInt>, _>(&$to.finished_at)?;
        $out.push_sql(", updated_at = ");
        $out.push_bind_param::<BigInt, _>(&$to.updated_at)?;
        $out.push_sql(", announced = ");
        $out.push_bind_param::<BigInt, _>(&$to.announced)?;
        $out.push_sql(", announced_to_all = ");
        $out.push_bind_param::<BigInt, _>(&$to.announced_to_all)?;
        $out.push_sql(", near_at = ");
        $out.push_bind_param::<Nullable<BigInt>, _>(&$to.near_at)?;
        $out.push_sql(", pause_kind = ");
        $out.push_bind_param::<Nullable<Text>, _>(&$to.pause_kind)?;
        $out.push_sql(", pause_by = ");
        $out.push_bind_param::<Nullable<Text>, _>(&$to.pause_by)?;
        $out.push_sql(", pause_since = ");
        $out.push_bind_param::<Nullable<BigInt>, _>(&$to.pause_since)?;
        $out.push_sql(", pause_until = ");
        $out.push_bind_param::<Nullable<BigInt>, _>(&$to.pause_until)?;
        $out.push_sql(" WHERE id = ");
        $out.push_bind_param::<Binary, _>(&$game)?;
        $out.push_sql(" AND version = ");
        $out.push_bind_param::<BigInt, _>(&$guard.version)?;
        $out.push_sql(" AND ply = ");
        $out.push_bind_param::<Integer, _>(&$guard.ply)?;
        $out.push_sql(" AND status = ");
        $out.push_bind_param::<Text, _>(&$guard.status)?;
        $out.push_sql(" AND lines_version = COALESCE(");
        $out.push_bind_param::<Nullable<BigInt>, _>(&$guard.lines)?;
        $out.push_sql(", lines_version)");
    }};
}

/// The columns of a move without its game, in their order.
macro_rules! move_values {
    ($out:ident, $row:expr) => {
        values!($out,
            Integer: $row.ply, BigInt: $row.seq, SmallInt: $row.from_square,
            SmallInt: $row.to_square, Nullable<Text>: $row.rescue_rank,
            Nullable<SmallInt>: $row.rescue_square, BigInt: $row.played_at,
        )
    };
}

const MOVES: &str = "INSERT INTO moves (game_id, ply, seq, from_square, to_square, rescue_rank, \
     rescue_square, played_at) ";
/// Takes a game on from where it was seen to be; writes no row when it is there no more.
pub(super) struct Advance<'a> {
    pub(super) game: GameId,
    pub(super) guard: &'a Guard,
    pub(super) to: &'a StandingRow,
}

statement!(Advance, self, out, {
    advance!(out, self.game, self.guard, self.to);
});

/// A row of the table of moves.
pub(super) struct MoveToStore {
    pub(super) ply: i32,
    pub(super) seq: i64,
    pub(super) from_square: i16,
    pub(super) to_square: i16,
    pub(super) rescue_rank: Option<String>,
    pub(super) rescue_square: Option<i16>,
    pub(super) played_at: i64,
}

/// Writes a move down.
pub(super) struct WriteMove<'a> {
    pub(super) game: GameId,
    pub(super) row: &'a MoveToStore,
}

statement!(WriteMove, self, out, {
    out.push_sql(MOVES);
    out.push_sql("VALUES (");
    out.push_bind_param::<Binary, _>(&self.game)?;
    out.push_sql(", ");
    move_values!(out, self.row);
    out.push_sql(")");
});
