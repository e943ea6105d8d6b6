use std::sync::Arc;

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error as QueryError};
use domain::CorruptLog;

use crate::url::DatabaseUrlError;

/// Why a read or a write came to nothing.
///
/// What it prints may be shown to anyone; the cause beneath it is for the log.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// There is no such thing.
    #[error("there is no such thing")]
    NotFound,
    /// It is no longer as the writer saw it: load it again and decide anew.
    #[error("it has changed in the meantime")]
    Conflict,
    /// Something else has that value already, and only one may.
    #[error("{0}")]
    Duplicate(Unique),
    /// The database is busy, unreachable or full: a fault that may pass.
    #[error("the database is not available at the moment")]
    Unavailable(#[source] Outage),
    /// What is stored makes no sense.
    #[error("what is stored is damaged")]
    Corrupt(#[source] Corruption),
    /// The database refused a statement: a constraint that the caller should have kept, or a fault
    /// of this program.
    #[error("the database refused the statement")]
    Refused(#[source] QueryError),
    /// The URL names no database.
    #[error(transparent)]
    Url(#[from] DatabaseUrlError),
    /// The schema could not be brought up to date.
    #[error("the schema of the database could not be brought up to date")]
    Migration(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A newer program has changed the schema: what this one would write may not fit.
    #[error("its schema is newer than this program")]
    NewerSchema(#[source] UnknownMigration),
    /// The database takes no writes.
    #[error("it cannot be written")]
    ReadOnly(#[source] WriteProtection),
    /// Another server has claimed it: see [`claim`](crate::claim()).
    #[error("another server runs on it")]
    InUse(#[source] Rival),
    /// What was to be read takes longer than it may.
    #[error("it takes too long to read")]
    TooSlow,
}

/// The server that has a database which can have one only.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "an SQLite file, such as {path}, has one server at a time; stop that one first, or use PostgreSQL \
     for several"
)]
pub struct Rival {
    /// The SQLite file.
    pub path: String,
}

/// The first migration of a database that this program does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the migration {version} has run on it, which this program does not have; start the release that \
     has it, or go back to a copy of the database from before"
)]
pub struct UnknownMigration {
    /// The number of the migration.
    pub version: String,
}

/// What keeps a database from being written.
#[derive(Debug, thiserror::Error)]
pub enum WriteProtection {
    /// The file, its journals, or the folder that they are in.
    #[error("{path}: {cause}")]
    File {
        /// Which of them.
        path: String,
        /// What the system says.
        cause: std::io::Error,
    },
    /// PostgreSQL allows reads alone: a standby, or `default_transaction_read_only`.
    #[error("PostgreSQL lets this role read only here; is this a standby?")]
    Transactions,
}

/// What may be there only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Unique {
    /// A player's name, whatever its case.
    #[error("the username is taken")]
    Username,
    /// The answer to a request with an `Idempotency-Key`.
    #[error("the idempotency key is in use")]
    IdempotencyKey,
    /// A move at a ply, or an entry of a game's log.
    #[error("the ply has been played")]
    LogEntry,
    /// The open offer of a game.
    #[error("an offer is open already")]
    OpenOffer,
    /// The rematch of a game.
    #[error("the game has a rematch already")]
    Rematch,
    /// An identifier or a token: drawn by chance, so never twice by accident.
    #[error("it is there already")]
    Identity,
}

/// Why the database does not answer.
#[derive(Debug, thiserror::Error)]
pub enum Outage {
    /// No connection became free, or none could be made, in time.
    #[error("no connection: {0}")]
    Pool(#[from] diesel::r2d2::PoolError),
    /// A connection could not be made.
    #[error("no connection: {0}")]
    Connect(#[from] diesel::ConnectionError),
    /// The folder of the SQLite file could not be made.
    #[error(
        "the folder of the database (settings `data_dir` and `database_url`) cannot be made: {0}"
    )]
    Folder(#[from] std::io::Error),
    /// A statement failed because of the state of the server, not because of what it says.
    #[error("a statement failed: {0}")]
    Query(#[source] QueryError),
    /// More writes wait for the one writer than may.
    #[error("too many writes are waiting")]
    Queue,
    /// A write was asked for within another, which it would wait for for ever: a fault of this
    /// program.
    #[error("a write within a write")]
    Nested,
    /// The writer has stopped.
    #[error("the writer has stopped")]
    Stopped,
    /// The transaction failed that the write was a part of.
    #[error("a group of writes failed: {0}")]
    Group(#[source] Arc<QueryError>),
    /// Nor was any of the moves made that it was to be made with.
    #[error(transparent)]
    Together(Arc<Outage>),
    /// The system gave no lock on the file that says whose the database is.
    #[error("no lock beside the database: {0}")]
    Lock(#[source] std::io::Error),
    /// The system gave no thread.
    #[error("no thread for the database: {0}")]
    Thread(#[source] std::io::Error),
}

impl Outage {
    /// Whether only another transaction got into the way: the write is begun anew by itself.
    pub fn is_contention(&self) -> bool {
        match self {
            Self::Query(fault) => is_contention(fault),
            Self::Together(outage) => outage.is_contention(),
            _ => false,
        }
    }
}

/// What is wrong with what is stored. Names places, never what stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Corruption {
    /// A value outside the vocabulary of its column.
    #[error("a value in column `{column}` is none that may stand there")]
    Value {
        /// The column.
        column: &'static str,
    },
    /// The log of a game does not fold.
    #[error(transparent)]
    Log(#[from] CorruptLog),
    /// The standing in the row of a game is not what its log says.
    #[error("the standing of a game differs from its log")]
    Standing,
    /// A row refers to one that is not there.
    #[error("a row of `{table}` is missing")]
    Missing {
        /// The table.
        table: &'static str,
    },
}

impl From<Corruption> for StorageError {
    fn from(corruption: Corruption) -> Self {
        Self::Corrupt(corruption)
    }
}

impl From<CorruptLog> for StorageError {
    fn from(log: CorruptLog) -> Self {
        Self::Corrupt(Corruption::Log(log))
    }
}

impl From<QueryError> for StorageError {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::NotFound => Self::NotFound,
            QueryError::DatabaseError(DatabaseErrorKind::UniqueViolation, info) => {
                Self::Duplicate(violated(info.as_ref()))
            }
            error if is_outage(&error) => Self::Unavailable(Outage::Query(error)),
            error => Self::Refused(error),
        }
    }
}

/// PostgreSQL names the constraint; SQLite lists its columns, or the index if it is a partial one.
const UNIQUE: [(Unique, &[&str]); 5] = [
    (
        Unique::Username,
        &["players_username_key", "players.username_key"],
    ),
    (
        Unique::IdempotencyKey,
        &["idempotency_keys_pkey", "idempotency_keys.idempotency_key"],
    ),
    (
        Unique::LogEntry,
        &[
            "moves_pkey",
            "moves.ply",
            "events_key",
            "events.number",
            "setups_pkey",
            "setups.color",
            "player_outbox_key",
            "player_outbox.source_number",
            "rating_history_key",
            "rating_history_once",
            "rating_history.number",
            "rating_history.game_id",
        ],
    ),
    (Unique::OpenOffer, &["offers_open", "offers.kind"]),
    (
        Unique::Rematch,
        &["challenges_rematch", "challenges.rematch_of"],
    ),
];

fn violated(info: &(dyn DatabaseErrorInformation + Send + Sync)) -> Unique {
    let name = info.constraint_name().unwrap_or_else(|| info.message());
    UNIQUE
        .iter()
        .find(|(_, marks)| marks.iter().any(|mark| name.contains(mark)))
        .map_or(Unique::Identity, |(unique, _)| *unique)
}

/// Whether the fault lies in the state of the server and may pass.
pub(crate) fn is_outage(error: &QueryError) -> bool {
    match error {
        QueryError::BrokenTransactionManager
        | QueryError::DatabaseError(
            DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::SerializationFailure,
            _,
        ) => true,
        // diesel keeps no code for these: only the words tell.
        QueryError::DatabaseError(DatabaseErrorKind::Unknown, info) => {
            PASSING.iter().any(|words| info.message().contains(words))
        }
        _ => false,
    }
}

const DEADLOCK: &str = "deadlock detected";

const PASSING: [&str; 15] = [
    // SQLite
    "is locked",
    "disk I/O error",
    "is full",
    "unable to open database file",
    "readonly database",
    // PostgreSQL
    DEADLOCK,
    "canceling statement",
    "terminating connection",
    "server closed the connection",
    "connection to server",
    "too many clients",
    "shutting down",
    "starting up",
    // A standby, for as long as nobody has made it the primary.
    "read-only transaction",
    "No space left",
];

/// The keys of what any node may write that comes to it first: statistics.
const BEGUN_TWICE: [&str; 3] = ["rollups_key", "game_facts_key", "facts_to_fold_key"];

/// Whether the transaction failed only because another one ran beside it: done again from the
/// start, it may succeed.
pub(crate) fn is_contention(error: &QueryError) -> bool {
    match error {
        QueryError::DatabaseError(DatabaseErrorKind::SerializationFailure, _) => true,
        // Two began the same: whoever begins anew finds it.
        QueryError::DatabaseError(DatabaseErrorKind::UniqueViolation, info) => info
            .constraint_name()
            .is_some_and(|constraint| BEGUN_TWICE.contains(&constraint)),
        QueryError::DatabaseError(DatabaseErrorKind::Unknown, info) => {
            info.message().contains(DEADLOCK)
        }
        _ => false,
    }
}

/// Exactly one row was written, or somebody else was faster.
pub(crate) fn exactly_one(rows: usize) -> Result<(), StorageError> {
    if rows == 1 {
        Ok(())
    } else {
        Err(StorageError::Conflict)
    }
}
