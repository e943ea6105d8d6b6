//! One type for a connection to either database, and one query layer over it.

use diesel::MultiConnection;
use diesel::pg::PgConnection;
use diesel::sqlite::SqliteConnection;

/// A connection to either database, lent within a transaction.
///
/// Known as `Connection` everywhere else: the derived code wants that name for diesel's trait.
#[derive(MultiConnection)]
pub enum DatabaseConnection {
    /// To a SQLite file.
    Sqlite(SqliteConnection),
    /// To a PostgreSQL server.
    Postgres(PgConnection),
}
