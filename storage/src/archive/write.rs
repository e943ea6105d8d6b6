use diesel::connection::{Connection as _, SimpleConnection};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sqlite::Sqlite;

use super::table::{TABLES, Table};
use super::value::Row;
use crate::connection::Role;
use crate::database::Database;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;

/// How many rows [`insert`] is best called with. With the widest table this stays below the number of
/// values that a statement may have on either database.
pub const BATCH_ROWS: usize = 250;

/// Binds a value as its column has it.
macro_rules! push_value {
    ($out:ident, $value:expr, $kind:expr) => {
        match ($value, $kind) {
            ($crate::archive::Value::Integer(value), _) => {
                $out.push_bind_param::<diesel::sql_types::BigInt, _>(value)?;
            }
            ($crate::archive::Value::Text(value), _) => {
                $out.push_bind_param::<diesel::sql_types::Text, _>(value)?;
            }
            ($crate::archive::Value::Bytes(value), _) => {
                $out.push_bind_param::<diesel::sql_types::Binary, _>(value)?;
            }
            ($crate::archive::Value::Bool(value), _) => {
                $out.push_bind_param::<diesel::sql_types::Bool, _>(value)?;
            }
            // With its type, so that the statement of a table is the same whatever is missing in it.
            ($crate::archive::Value::Null, $crate::archive::Kind::Integer) => {
                $out.push_bind_param::<diesel::sql_types::Nullable<diesel::sql_types::BigInt>, Option<i64>>(&None)?;
            }
            ($crate::archive::Value::Null, $crate::archive::Kind::Text) => {
                $out.push_bind_param::<diesel::sql_types::Nullable<diesel::sql_types::Text>, Option<&str>>(&None)?;
            }
            ($crate::archive::Value::Null, $crate::archive::Kind::Bytes) => {
                $out.push_bind_param::<diesel::sql_types::Nullable<diesel::sql_types::Binary>, Option<&[u8]>>(&None)?;
            }
            ($crate::archive::Value::Null, $crate::archive::Kind::Bool) => {
                $out.push_bind_param::<diesel::sql_types::Nullable<diesel::sql_types::Bool>, Option<bool>>(&None)?;
            }
        }
    };
}
pub(super) use push_value;

/// Writes within one transaction on a connection of its own, however long it takes. It is tried once,
/// and has left nothing when this returns `Err`. On PostgreSQL nobody else writes meanwhile, and
/// every reference must hold at once; SQLite has one writer, and looks at deferred ones at the end.
///
/// # Errors
/// What `f` says, or [`Unavailable`](StorageError::Unavailable) when no connection is to be had or
/// when the commit fails.
pub fn write<T, E: From<StorageError>>(
    database: &Database,
    f: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    let mut own = database.connect_apart(Role::Write)?;
    own.begin(Role::Write).map_err(StorageError::from)?;
    let written = take_tables(own.connection())
        .map_err(E::from)
        .and_then(|()| f(own.connection()));
    match written {
        Ok(value) => {
            own.commit().map_err(StorageError::from)?;
            Ok(value)
        }
        Err(error) => {
            own.rollback();
            Err(error)
        }
    }
}

/// Before the first read of the transaction, so that it sees what others had written until then.
fn take_tables(conn: &mut Connection) -> Result<(), StorageError> {
    if let Connection::Postgres(conn) = conn {
        let names: Vec<_> = TABLES.iter().map(|table| table.name).collect();
        conn.batch_execute(&format!(
            "LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE; SET CONSTRAINTS ALL IMMEDIATE",
            names.join(", ")
        ))?;
    }
    Ok(())
}

/// A row that the database does not take.
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub struct RefusedRow {
    /// Which of the rows, counted from 0.
    pub index: usize,
    /// What the database said.
    pub fault: StorageError,
}

/// Puts rows into a table, all or none of them. Each has a value of the right kind for each column.
///
/// # Errors
/// The first row that the database does not take, and why.
pub fn insert(conn: &mut Connection, table: &Table, rows: &[Row]) -> Result<(), RefusedRow> {
    if rows.is_empty() {
        return Ok(());
    }
    match insert_whole(conn, table, rows) {
        Ok(()) => Ok(()),
        Err(fault) => Err(first_refused(conn, table, rows, fault)),
    }
}

/// Within a savepoint, so that PostgreSQL takes further statements when it is refused.
fn insert_whole(conn: &mut Connection, table: &Table, rows: &[Row]) -> Result<(), StorageError> {
    let insert = Insert { table, rows };
    conn.transaction(|conn| match conn {
        Connection::Sqlite(conn) => insert.execute(conn),
        Connection::Postgres(conn) => insert.execute(conn),
    })?;
    Ok(())
}

/// Tries them one at a time: the database does not say which it was.
fn first_refused(
    conn: &mut Connection,
    table: &Table,
    rows: &[Row],
    of_all: StorageError,
) -> RefusedRow {
    for (index, row) in rows.iter().enumerate() {
        if let Err(fault) = insert_whole(conn, table, std::slice::from_ref(row)) {
            return RefusedRow { index, fault };
        }
    }
    RefusedRow {
        index: 0,
        fault: of_all,
    }
}

/// Puts rows into a table.
struct Insert<'a> {
    table: &'a Table,
    rows: &'a [Row],
}

macro_rules! insert_on {
    ($backend:ty) => {
        impl QueryFragment<$backend> for Insert<'_> {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, $backend>) -> QueryResult<()> {
                out.push_sql("INSERT INTO ");
                out.push_sql(self.table.name);
                let mut before = " (";
                for column in self.table.columns {
                    out.push_sql(std::mem::replace(&mut before, ", "));
                    out.push_sql(column.name);
                }
                out.push_sql(") VALUES ");
                let mut before = "(";
                for row in self.rows {
                    out.push_sql(std::mem::replace(&mut before, "), ("));
                    for (index, (value, column)) in row.iter().zip(self.table.columns).enumerate() {
                        if index > 0 {
                            out.push_sql(", ");
                        }
                        push_value!(out, value, column.kind);
                    }
                }
                out.push_sql(")");
                Ok(())
            }
        }
    };
}

insert_on!(Sqlite);
insert_on!(Pg);

/// Its text differs from table to table, and with the number of rows.
impl QueryId for Insert<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<C> RunQueryDsl<C> for Insert<'_> {}
