use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use diesel::connection::{
    AnsiTransactionManager, Connection as _, InstrumentationEvent, SimpleConnection,
    TransactionManager,
};
use diesel::pg::PgConnection;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::r2d2::ManageConnection;
use diesel::result::Error as QueryError;
use diesel::sql_types::BigInt;
use diesel::sqlite::{Sqlite, SqliteConnection};
use diesel::{ConnectionError, ConnectionResult, QueryResult, RunQueryDsl};

use crate::either::DatabaseConnection as Connection;
use crate::error::{StorageError, is_contention, is_outage};
use crate::url::DatabaseUrl;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Read,
    /// Reads much, for statistics.
    Study,
    Write,
    /// Carries the journal of an SQLite file over.
    Checkpoint,
    /// Takes as long as it takes.
    Migrate,
}

/// For how long after its last use a connection is taken to live.
const FRESH: Duration = Duration::from_secs(1);

/// What each SQLite connection is told. The timeout comes first: everything after it, and the
/// journal mode above all, may meet a lock.
const SQLITE: [&str; 4] = [
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
];

/// A reader that tries to write is a fault of this program, and must not take the write lock. There are
/// many, and the system keeps what they read: 1 MiB each.
const SQLITE_READER: &str = "PRAGMA query_only = ON; PRAGMA cache_size = -1024";

/// Whoever goes through much of the file has it mapped, as far as SQLite can: its pages are not copied.
const SQLITE_STUDENT: &str = "PRAGMA query_only = ON; PRAGMA cache_size = -1024; \
     PRAGMA mmap_size = 2147418112";

/// The journal is carried over by another connection: see [`checkpoint`](crate::checkpoint). What is
/// written is spread over the file, so that the writer keeps more pages: 16 MiB. What savepoints could
/// undo stays in memory.
const SQLITE_WRITER: &str = "PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -16384; \
     PRAGMA temp_store = MEMORY";

/// Nothing waits for ever, neither for a lock nor for a client that went away.
const POSTGRES: &str = "SET lock_timeout = '5s'; SET statement_timeout = '30s'; \
     SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = 'warning'";

/// Where nothing but reading is meant, on a primary too.
const POSTGRES_READER: &str = "SET default_transaction_read_only = on";

impl Connection {
    /// Connects. Only the scheme of the URL decides to what; nothing is tried.
    pub(crate) fn open(url: &DatabaseUrl, role: Role) -> ConnectionResult<Self> {
        match url {
            DatabaseUrl::Sqlite(path) => {
                let path = std::path::absolute(path)
                    .map_err(|error| ConnectionError::BadConnection(error.to_string()))?;
                let path = path.to_str().ok_or_else(|| {
                    ConnectionError::BadConnection("the path is not UTF-8".to_owned())
                })?;
                let mut connection = SqliteConnection::establish(path)?;
                let more = match role {
                    Role::Read => Some(SQLITE_READER),
                    Role::Study => Some(SQLITE_STUDENT),
                    Role::Write | Role::Checkpoint => Some(SQLITE_WRITER),
                    Role::Migrate => None,
                };
                for pragma in SQLITE.into_iter().chain(more) {
                    connection
                        .batch_execute(pragma)
                        .map_err(ConnectionError::CouldntSetupConfiguration)?;
                }
                Ok(Self::Sqlite(connection))
            }
            DatabaseUrl::Postgres(url) => {
                let mut connection = PgConnection::establish(url)?;
                let settings: &[&str] = match role {
                    Role::Read | Role::Study => &[POSTGRES, POSTGRES_READER],
                    Role::Write | Role::Checkpoint => &[POSTGRES],
                    Role::Migrate => &[],
                };
                for setting in settings {
                    connection
                        .batch_execute(setting)
                        .map_err(ConnectionError::CouldntSetupConfiguration)?;
                }
                Ok(Self::Postgres(connection))
            }
        }
    }

    /// Begins a transaction that sees one state of the database from its first statement to its
    /// last, so that what is read by several statements fits together.
    ///
    /// A writer takes SQLite's lock at once: a transaction that reads first and wants to write
    /// later is refused when another wrote in between.
    fn begin(&mut self, role: Role) -> QueryResult<()> {
        match self {
            Self::Sqlite(connection) => {
                let begin = if matches!(role, Role::Read | Role::Study) {
                    "BEGIN"
                } else {
                    "BEGIN IMMEDIATE"
                };
                AnsiTransactionManager::begin_transaction_sql(connection, begin)
            }
            Self::Postgres(connection) => {
                let begin = if matches!(role, Role::Read | Role::Study) {
                    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
                } else {
                    "BEGIN ISOLATION LEVEL REPEATABLE READ"
                };
                AnsiTransactionManager::begin_transaction_sql(connection, begin)
            }
        }
    }

    fn run(&mut self, part: Part) -> QueryResult<()> {
        let Self::Sqlite(connection) = self else {
            return Err(QueryError::BrokenTransactionManager);
        };
        match part {
            Part::Begin => BeginPart.execute(connection),
            Part::Keep => KeepPart.execute(connection),
            Part::Undo => UndoPart.execute(connection),
        }
        .map(drop)
    }

    fn savepoint(&mut self) -> QueryResult<()> {
        match self {
            Self::Sqlite(connection) => AnsiTransactionManager::begin_transaction(connection),
            Self::Postgres(connection) => AnsiTransactionManager::begin_transaction(connection),
        }
    }

    /// How many rows were changed since the connection was opened, by what was undone since too. PostgreSQL
    /// does not count.
    fn changes(&mut self) -> QueryResult<i64> {
        match self {
            Self::Sqlite(connection) => diesel::select(total_changes()).get_result(connection),
            Self::Postgres(_) => Ok(0),
        }
    }

    fn commit(&mut self) -> QueryResult<()> {
        match self {
            Self::Sqlite(connection) => AnsiTransactionManager::commit_transaction(connection),
            Self::Postgres(connection) => AnsiTransactionManager::commit_transaction(connection),
        }
    }

    fn rollback(&mut self) -> QueryResult<()> {
        match self {
            Self::Sqlite(connection) => AnsiTransactionManager::rollback_transaction(connection),
            Self::Postgres(connection) => AnsiTransactionManager::rollback_transaction(connection),
        }
    }

    /// Does what takes several statements as one change: all of it, or nothing.
    ///
    /// # Errors
    /// What `f` says, or that it cannot be committed.
    pub fn atomically<T, E: From<StorageError>>(
        &mut self,
        f: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let fault = |fault: QueryError| E::from(fault.into());
        self.savepoint().map_err(fault)?;
        let result = f(self);
        let ended = match &result {
            Ok(_) => self.commit(),
            Err(_) => self.rollback(),
        };
        let value = result?;
        ended.map_err(fault)?;
        Ok(value)
    }

    /// Reads by several statements that all see the same state.
    ///
    /// # Errors
    /// What `f` says, or that the transaction cannot be begun.
    pub fn snapshot<T, E: From<StorageError>>(
        &mut self,
        f: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.is_in_transaction() {
            return f(self);
        }
        let fault = |fault: QueryError| E::from(fault.into());
        self.begin(Role::Read).map_err(fault)?;
        let result = f(self);
        let ended = self.rollback();
        let value = result?;
        ended.map_err(fault)?;
        Ok(value)
    }

    fn is_in_transaction(&mut self) -> bool {
        let status = match self {
            Self::Sqlite(connection) => {
                AnsiTransactionManager::transaction_manager_status_mut(connection)
            }
            Self::Postgres(connection) => {
                AnsiTransactionManager::transaction_manager_status_mut(connection)
            }
        };
        // One in a bad state is in none that could be read in.
        matches!(status.transaction_depth(), Ok(Some(_)))
    }

    fn is_broken(&mut self) -> bool {
        match self {
            Self::Sqlite(connection) => {
                AnsiTransactionManager::is_broken_transaction_manager(connection)
            }
            Self::Postgres(connection) => {
                AnsiTransactionManager::is_broken_transaction_manager(connection)
            }
        }
    }
}

/// What is done to a part of a transaction that can be undone by itself.
#[derive(Debug, Clone, Copy)]
enum Part {
    Begin,
    Keep,
    Undo,
}

macro_rules! part {
    ($name:ident, $sql:literal) => {
        #[derive(QueryId)]
        struct $name;

        impl QueryFragment<Sqlite> for $name {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
                out.push_sql($sql);
                Ok(())
            }
        }

        impl RunQueryDsl<SqliteConnection> for $name {}
    };
}

part!(BeginPart, "SAVEPOINT one_write");
part!(KeepPart, "RELEASE one_write");
part!(UndoPart, "ROLLBACK TO one_write");

#[diesel::declare_sql_function]
extern "SQL" {
    fn total_changes() -> BigInt;
}

/// What became of the statements of a transaction, whatever its caller made of their errors.
#[derive(Default)]
struct Faults {
    /// One failed because of another transaction.
    contention: AtomicBool,
    /// One failed, and no savepoint has undone it: PostgreSQL would answer a commit with a rollback,
    /// and call it success.
    undone: AtomicBool,
    /// One failed because the database is not there, or not as it should be.
    outage: AtomicBool,
}

impl Faults {
    fn clear(&self) {
        self.contention.store(false, Ordering::Relaxed);
        self.undone.store(false, Ordering::Relaxed);
        self.outage.store(false, Ordering::Relaxed);
    }

    fn observe(&self, event: &InstrumentationEvent<'_>) {
        match event {
            InstrumentationEvent::FinishQuery {
                error: Some(error), ..
            } => {
                self.undone.store(true, Ordering::Relaxed);
                if is_contention(error) {
                    self.contention.store(true, Ordering::Relaxed);
                } else if is_outage(error) {
                    self.outage.store(true, Ordering::Relaxed);
                }
            }
            InstrumentationEvent::RollbackTransaction { .. } => {
                self.undone.store(false, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

/// A connection as the pool keeps it.
pub(crate) struct Pooled {
    connection: Connection,
    faults: Arc<Faults>,
    /// Whether the connection failed at beginning or ending a transaction.
    broken: bool,
    /// When it was last lent.
    used: Instant,
}

impl Pooled {
    pub(crate) fn new(mut connection: Connection) -> Self {
        let faults = Arc::new(Faults::default());
        let observer = Arc::clone(&faults);
        // Whatever the process has installed for all connections goes on beside it.
        let mut installed = diesel::connection::get_default_instrumentation();
        connection.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            observer.observe(&event);
            if let Some(installed) = &mut installed {
                installed.on_connection_event(event);
            }
        });
        Self {
            connection,
            faults,
            broken: false,
            used: Instant::now(),
        }
    }

    /// Makes it ready for statements that are each a transaction.
    pub(crate) fn lend(&mut self) {
        self.used = Instant::now();
        self.faults.clear();
    }

    pub(crate) fn begin(&mut self, role: Role) -> QueryResult<()> {
        self.lend();
        self.connection
            .begin(role)
            .inspect_err(|_| self.broken = true)
    }

    /// Waits, outside of any transaction, until nobody else holds these keys, and holds them. Until they are
    /// given back the connection is one to be thrown away, and the keys with it.
    pub(crate) fn hold(&mut self, keys: &[i64]) -> QueryResult<()> {
        self.lend();
        self.broken = true;
        if let Connection::Postgres(connection) = &mut self.connection {
            for key in keys {
                diesel::sql_query("SELECT pg_advisory_lock($1)")
                    .bind::<BigInt, _>(*key)
                    .execute(connection)?;
            }
        }
        Ok(())
    }

    /// Gives back what is held.
    pub(crate) fn give_back(&mut self) {
        if let Connection::Postgres(connection) = &mut self.connection {
            let given = connection.batch_execute("SELECT pg_advisory_unlock_all()");
            self.broken = given.is_err() || self.connection.is_broken();
        }
    }

    /// Commits; a transaction of which a statement failed is undone instead.
    pub(crate) fn commit(&mut self) -> QueryResult<()> {
        if self.has_refused() {
            self.rollback();
            return Err(QueryError::RollbackTransaction);
        }
        let committed = self.connection.commit();
        if committed.is_err() && self.connection.is_broken() {
            self.broken = true;
        }
        committed
    }

    /// Undoes the transaction. A connection that cannot is thrown away, and its transaction with it.
    pub(crate) fn rollback(&mut self) {
        if let Err(error) = self.connection.rollback() {
            tracing::warn!(%error, "a connection is closed because it could not roll back");
            self.broken = true;
        }
    }

    /// Begins a part of the transaction that can be undone by itself. This and its two ends are
    /// prepared once, unlike those of [`atomically`](Connection::atomically): each write has them.
    pub(crate) fn savepoint(&mut self) -> QueryResult<()> {
        self.faults.clear();
        self.connection.run(Part::Begin)
    }

    /// Whether a statement failed since the transaction or the savepoint began.
    pub(crate) fn has_refused(&self) -> bool {
        self.faults.undone.load(Ordering::Relaxed)
    }

    /// Keeps what was done since the savepoint.
    pub(crate) fn release(&mut self) -> QueryResult<()> {
        self.connection.run(Part::Keep)
    }

    /// Undoes what was done since the savepoint. Fails when the whole transaction is gone, as it is
    /// when the disk was full.
    pub(crate) fn undo(&mut self) -> QueryResult<()> {
        let undone = self.connection.run(Part::Undo);
        let ended = undone.and_then(|()| self.connection.run(Part::Keep));
        self.faults.clear();
        ended
    }

    /// How many rows were changed since it was opened.
    pub(crate) fn changes(&mut self) -> QueryResult<i64> {
        self.connection.changes()
    }

    pub(crate) fn met_contention(&self) -> bool {
        self.faults.contention.load(Ordering::Relaxed)
    }

    pub(crate) const fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

/// Makes the connections of a pool.
pub(crate) struct Manager {
    url: DatabaseUrl,
    role: Role,
}

impl Manager {
    pub(crate) const fn new(url: DatabaseUrl, role: Role) -> Self {
        Self { url, role }
    }
}

impl ManageConnection for Manager {
    type Connection = Pooled;
    type Error = ConnectionError;

    fn connect(&self) -> Result<Pooled, ConnectionError> {
        Connection::open(&self.url, self.role).map(Pooled::new)
    }

    /// A connection that was in use a moment ago is not asked: it would cost a round trip.
    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), ConnectionError> {
        let Connection::Postgres(connection) = &mut pooled.connection else {
            return Ok(());
        };
        if pooled.used.elapsed() < FRESH {
            return Ok(());
        }
        connection
            .batch_execute("SELECT 1")
            .map_err(ConnectionError::CouldntSetupConfiguration)
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        // An open transaction means that a panic went through it.
        pooled.broken
            || pooled.faults.outage.load(Ordering::Relaxed)
            || pooled.connection.is_broken()
    }
}
