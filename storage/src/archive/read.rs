use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, QueryableByName};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::row::{Field, NamedRow, Row as Cells};
use diesel::sql_types::{BigInt, Binary, Bool, Integer, SmallInt, Text, Untyped};
use diesel::sqlite::{Sqlite, SqliteType};

use super::table::{Kind, TABLES, Table};
use super::value::{Row, Value};
use super::write::push_value;
use crate::connection::Role;
use crate::database::Database;
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::migrations;

/// How many rows are in memory at once.
const PAGE_ROWS: i64 = 500;

/// Reads within one transaction on a connection of its own: all statements see the same state,
/// however long it takes, and nobody waits for it.
///
/// # Errors
/// What `f` says, or [`Unavailable`](StorageError::Unavailable) when no connection is to be had.
pub fn read<T, E: From<StorageError>>(
    database: &Database,
    f: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    let mut own = database.connect_apart(Role::Read)?;
    own.begin(Role::Read).map_err(StorageError::from)?;
    let answer = f(own.connection());
    own.rollback();
    answer
}

/// Which migrations have run, in their order, if they are exactly those of this program: rows of
/// another schema are not what [`TABLES`] says.
///
/// # Errors
/// [`Unavailable`](StorageError::Unavailable).
pub fn schema(conn: &mut Connection) -> Result<Option<Vec<String>>, StorageError> {
    let known = migrations::known(conn)?;
    Ok(migrations::applied(conn)?.filter(|applied| *applied == known))
}

/// How many rows a table has.
///
/// # Errors
/// [`Unavailable`](StorageError::Unavailable).
pub fn count(conn: &mut Connection, table: &Table) -> Result<u64, StorageError> {
    let sql = format!("SELECT COUNT(*) AS count FROM {}", table.name);
    let count: Count = diesel::sql_query(sql).get_result(conn)?;
    u64::try_from(count.count).map_err(|_| Corruption::Value { column: "count" }.into())
}

/// The first table that has a row, if any has.
///
/// # Errors
/// [`Unavailable`](StorageError::Unavailable).
pub fn first_occupied(conn: &mut Connection) -> Result<Option<&'static Table>, StorageError> {
    for table in TABLES {
        let sql = format!(
            "SELECT COUNT(*) AS count FROM (SELECT 1 FROM {} LIMIT 1) AS rows",
            table.name
        );
        if diesel::sql_query(sql).get_result::<Count>(conn)?.count > 0 {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// Hands every row of a table to `f`, in the order of its key, which is the same on both databases;
/// some hundred of them are in memory at once.
///
/// # Errors
/// What `f` says, at the first row of which it says it; [`Unavailable`](StorageError::Unavailable);
/// [`Corrupt`](StorageError::Corrupt) when a value is of another kind than its column.
pub fn for_each_row<E: From<StorageError>>(
    conn: &mut Connection,
    table: &Table,
    mut f: impl FnMut(&Row) -> Result<(), E>,
) -> Result<(), E> {
    let mut after = None;
    loop {
        let mut rows = page(conn, table, after.as_ref())?;
        for row in &rows {
            f(row)?;
        }
        match rows.pop() {
            Some(last) => after = Some(last),
            None => return Ok(()),
        }
    }
}

/// The rows that come next after a row.
fn page(
    conn: &mut Connection,
    table: &Table,
    after: Option<&Row>,
) -> Result<Vec<Row>, StorageError> {
    let page = Page { table, after };
    let rows: Vec<RawRow> = match conn {
        Connection::Sqlite(conn) => page.load(conn)?,
        Connection::Postgres(conn) => page.load(conn)?,
    };
    rows.into_iter().map(|row| typed(table, row.0)).collect()
}

/// SQLite keeps yes and no as a number.
fn typed(table: &Table, mut row: Row) -> Result<Row, StorageError> {
    for (value, column) in row.iter_mut().zip(table.columns) {
        if let (Value::Integer(flag @ 0..=1), Kind::Bool) = (&*value, column.kind) {
            *value = Value::Bool(*flag == 1);
        }
        if !value.is_of(column.kind) {
            return Err(Corruption::Value {
                column: column.name,
            }
            .into());
        }
    }
    Ok(row)
}

/// Asks for the rows of a table that come next after a row, or for its first.
struct Page<'a> {
    table: &'a Table,
    after: Option<&'a Row>,
}

/// Writes the key as it is sorted: by bytes on both databases, whatever the locale of one of them.
fn push_key<DB: Backend>(out: &mut AstPass<'_, '_, DB>, table: &Table, collation: &str) {
    for (index, column) in table.key_columns().iter().enumerate() {
        if index > 0 {
            out.push_sql(", ");
        }
        out.push_sql(column.name);
        if column.kind == Kind::Text {
            out.push_sql(collation);
        }
    }
}

macro_rules! page_on {
    ($backend:ty, $collation:literal) => {
        impl QueryFragment<$backend> for Page<'_> {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, $backend>) -> QueryResult<()> {
                out.push_sql("SELECT ");
                for (index, column) in self.table.columns.iter().enumerate() {
                    if index > 0 {
                        out.push_sql(", ");
                    }
                    out.push_sql(column.name);
                }
                out.push_sql(" FROM ");
                out.push_sql(self.table.name);
                if let Some(after) = self.after {
                    out.push_sql(" WHERE (");
                    push_key(&mut out, self.table, $collation);
                    out.push_sql(") > (");
                    for (index, (value, column)) in
                        after.iter().zip(self.table.key_columns()).enumerate()
                    {
                        if index > 0 {
                            out.push_sql(", ");
                        }
                        push_value!(out, value, column.kind);
                    }
                    out.push_sql(")");
                }
                out.push_sql(" ORDER BY ");
                push_key(&mut out, self.table, $collation);
                out.push_sql(" LIMIT ");
                out.push_bind_param::<BigInt, _>(&PAGE_ROWS)
            }
        }
    };
}

page_on!(Sqlite, " COLLATE BINARY");
page_on!(Pg, " COLLATE \"C\"");

/// Its text differs from table to table.
impl QueryId for Page<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Page<'_> {
    type SqlType = Untyped;
}

impl<C> RunQueryDsl<C> for Page<'_> {}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// A row as the database tells it, whatever its columns.
struct RawRow(Row);

impl QueryableByName<Sqlite> for RawRow {
    fn build<'a>(row: &impl NamedRow<'a, Sqlite>) -> deserialize::Result<Self> {
        let mut values = Row::with_capacity(row.field_count());
        for index in 0..row.field_count() {
            let field = Cells::get(row, index).ok_or("a column is missing")?;
            let Some(value) = field.value() else {
                values.push(Value::Null);
                continue;
            };
            values.push(match value.value_type() {
                None => Value::Null,
                Some(SqliteType::Binary) => {
                    Value::Bytes(<Vec<u8> as FromSql<Binary, Sqlite>>::from_sql(value)?)
                }
                Some(SqliteType::Text) => {
                    Value::Text(<String as FromSql<Text, Sqlite>>::from_sql(value)?)
                }
                Some(SqliteType::SmallInt | SqliteType::Integer | SqliteType::Long) => {
                    Value::Integer(<i64 as FromSql<BigInt, Sqlite>>::from_sql(value)?)
                }
                Some(_) => return Err("a column is of a kind that no table has".into()),
            });
        }
        Ok(Self(values))
    }
}

/// PostgreSQL's numbers for its types.
mod oid {
    pub(super) const BOOL: u32 = 16;
    pub(super) const BYTEA: u32 = 17;
    pub(super) const INT8: u32 = 20;
    pub(super) const INT2: u32 = 21;
    pub(super) const INT4: u32 = 23;
    pub(super) const TEXT: u32 = 25;
}

impl QueryableByName<Pg> for RawRow {
    fn build<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Self> {
        let mut values = Row::with_capacity(row.field_count());
        for index in 0..row.field_count() {
            let field = Cells::get(row, index).ok_or("a column is missing")?;
            let Some(value) = field.value() else {
                values.push(Value::Null);
                continue;
            };
            values.push(match value.get_oid().get() {
                oid::BOOL => Value::Bool(<bool as FromSql<Bool, Pg>>::from_sql(value)?),
                oid::BYTEA => Value::Bytes(<Vec<u8> as FromSql<Binary, Pg>>::from_sql(value)?),
                oid::INT8 => Value::Integer(<i64 as FromSql<BigInt, Pg>>::from_sql(value)?),
                oid::INT4 => Value::Integer(<i32 as FromSql<Integer, Pg>>::from_sql(value)?.into()),
                oid::INT2 => {
                    Value::Integer(<i16 as FromSql<SmallInt, Pg>>::from_sql(value)?.into())
                }
                oid::TEXT => Value::Text(<String as FromSql<Text, Pg>>::from_sql(value)?),
                _ => return Err("a column is of a kind that no table has".into()),
            });
        }
        Ok(Self(values))
    }
}
