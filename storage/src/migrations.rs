use diesel::migration::{Migration, MigrationSource};
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::either::DatabaseConnection as Connection;
use crate::error::{StorageError, UnknownMigration, WriteProtection};

const SQLITE: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../migrations/postgres");

/// The key of the advisory lock under which a node migrates: `reveille` as bytes.
const LOCK: i64 = i64::from_be_bytes(*b"reveille");

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Gives the number of migrations that ran. A schema that is newer than this program stays as it is.
pub(crate) fn run(connection: &mut Connection) -> Result<usize, StorageError> {
    assert_writable(connection)?;
    assert_known(connection)?;
    alone(
        connection,
        |sqlite| Ok(sqlite.run_pending_migrations(SQLITE)?.len()),
        |postgres| Ok(postgres.run_pending_migrations(POSTGRES)?.len()),
    )
}

pub(crate) fn revert_all(connection: &mut Connection) -> Result<(), StorageError> {
    alone(
        connection,
        |sqlite| sqlite.revert_all_migrations(SQLITE).map(drop),
        |postgres| postgres.revert_all_migrations(POSTGRES).map(drop),
    )
}

/// Runs one of two changes of the schema while no other node runs one.
fn alone<T>(
    connection: &mut Connection,
    on_sqlite: impl FnOnce(&mut SqliteConnection) -> Outcome<T>,
    on_postgres: impl FnOnce(&mut PgConnection) -> Outcome<T>,
) -> Result<T, StorageError> {
    match connection {
        Connection::Sqlite(sqlite) => sqlite
            .immediate_transaction(|sqlite| on_sqlite(sqlite).map_err(StorageError::Migration)),
        Connection::Postgres(postgres) => {
            diesel::sql_query("SELECT pg_advisory_lock($1)")
                .bind::<BigInt, _>(LOCK)
                .execute(postgres)?;
            let outcome = on_postgres(postgres).map_err(StorageError::Migration);
            // The lock is the connection's, and goes with it if this does not succeed.
            diesel::sql_query("SELECT pg_advisory_unlock($1)")
                .bind::<BigInt, _>(LOCK)
                .execute(postgres)?;
            outcome
        }
    }
}

diesel::table! {
    /// Where diesel keeps which migrations have run.
    __diesel_schema_migrations (version) {
        version -> Text,
    }
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    setting: String,
}

/// Refuses a PostgreSQL that takes no writes. Whether a file can be written is found before it is opened.
fn assert_writable(connection: &mut Connection) -> Result<(), StorageError> {
    if let Connection::Postgres(postgres) = connection {
        let query = "SELECT current_setting('transaction_read_only') AS setting";
        let Setting { setting } = diesel::sql_query(query).get_result(postgres)?;
        if setting == "on" {
            return Err(StorageError::ReadOnly(WriteProtection::Transactions));
        }
    }
    Ok(())
}

/// Refuses a database on which a migration has run that this program does not have.
pub(crate) fn assert_known(connection: &mut Connection) -> Result<(), StorageError> {
    let known = known(connection)?;
    let applied = applied(connection)?.unwrap_or_default();
    let unknown = applied.into_iter().find(|version| !known.contains(version));
    unknown.map_or(Ok(()), |version| {
        Err(StorageError::NewerSchema(UnknownMigration { version }))
    })
}

/// Whether every migration of this program has run.
pub(crate) fn are_complete(connection: &mut Connection) -> Result<bool, StorageError> {
    let known = known(connection)?;
    Ok(applied(connection)?
        .is_some_and(|applied| known.iter().all(|version| applied.contains(version))))
}

/// The migrations of this program, in their order.
pub(crate) fn known(connection: &Connection) -> Result<Vec<String>, StorageError> {
    match connection {
        Connection::Sqlite(_) => versions::<Sqlite>(&SQLITE),
        Connection::Postgres(_) => versions::<Pg>(&POSTGRES),
    }
}

/// The migrations that have run, in their order; `None` when none ever has.
///
/// Reads only, unlike diesel's own way, which makes its table when it is missing.
pub(crate) fn applied(connection: &mut Connection) -> Result<Option<Vec<String>>, StorageError> {
    let tables = match connection {
        Connection::Sqlite(_) => "SELECT COUNT(*) AS count FROM sqlite_master WHERE name = ",
        Connection::Postgres(_) => {
            "SELECT COUNT(*) AS count FROM information_schema.tables WHERE table_name = "
        }
    };
    let table = diesel::sql_query(format!("{tables}'__diesel_schema_migrations'"));
    if table.get_result::<Count>(connection)?.count == 0 {
        return Ok(None);
    }
    let mut applied: Vec<String> = __diesel_schema_migrations::table
        .select(__diesel_schema_migrations::version)
        .load(connection)?;
    applied.sort();
    Ok(Some(applied))
}

fn versions<DB: diesel::backend::Backend>(
    source: &EmbeddedMigrations,
) -> Result<Vec<String>, StorageError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let migrations: Vec<Box<dyn Migration<DB>>> =
        source.migrations().map_err(StorageError::Migration)?;
    let mut versions: Vec<_> = migrations
        .iter()
        .map(|migration| migration.name().version().to_string())
        .collect();
    versions.sort();
    Ok(versions)
}
