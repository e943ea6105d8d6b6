use std::sync::Arc;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::r2d2::{HandleError, Pool, PooledConnection};

use crate::connection::{Manager, Pooled, Role};
use crate::either::DatabaseConnection as Connection;
use crate::error::{Outage, StorageError};
use crate::games::{Step, StoredGame};
use crate::ids::PlayerId;
use crate::migrations;
use crate::mover::Mover;
use crate::notices::{Heard, Notifier};
use crate::url::DatabaseUrl;
use crate::writer::{Writer, WriterFigures};

/// How often a write is begun anew when other writes get into its way.
const ATTEMPTS: u32 = 8;

/// How many connections are kept, and how long anyone waits for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolOptions {
    /// Connections to PostgreSQL, or readers of SQLite; at least one. SQLite has one writer beside
    /// them.
    pub connections: u32,
    /// How long to wait for a free connection before the answer is
    /// [`Unavailable`](StorageError::Unavailable).
    pub checkout_timeout: Duration,
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self {
            connections: 16,
            checkout_timeout: Duration::from_secs(5),
        }
    }
}

/// An open database. Clones share their connections.
///
/// All calls block: they belong on threads that may.
#[derive(Clone)]
pub struct Database {
    url: DatabaseUrl,
    readers: Pool<Manager>,
    /// Of an SQLite file; on PostgreSQL the readers' connections write too.
    writer: Option<Arc<Writer>>,
    /// Of PostgreSQL.
    mover: Option<Arc<Mover>>,
}

impl Database {
    /// Connects to a database; makes the file and its folder on SQLite.
    ///
    /// The schema may be old or absent still: see [`migrate`](Self::migrate).
    ///
    /// # Errors
    /// [`Url`](StorageError::Url) when the URL is neither `sqlite://…` nor `postgres://…`,
    /// [`Unavailable`](StorageError::Unavailable) when no connection can be made.
    pub fn open(url: &str, options: &PoolOptions) -> Result<Self, StorageError> {
        let url: DatabaseUrl = url.parse()?;
        let (writer, mover, readers) = match &url {
            DatabaseUrl::Sqlite(path) => {
                if let Some(folder) = path.parent() {
                    create_private_folder(folder)
                        .map_err(|error| StorageError::Unavailable(error.into()))?;
                }
                create_private_file(path)
                    .map_err(|error| StorageError::Unavailable(error.into()))?;
                // The writer comes first: it makes the journal.
                Writer::start(&url).and_then(|writer| {
                    let readers = pool(&url, Role::Read, options)?;
                    Ok((Some(Arc::new(writer)), None, readers))
                })
            }
            DatabaseUrl::Postgres(_) => pool(&url, Role::Write, options)
                .and_then(|pool| Ok((None, Some(Arc::new(Mover::start(&pool)?)), pool))),
        }
        .map_err(StorageError::Unavailable)?;
        Ok(Self {
            url,
            readers,
            writer,
            mover,
        })
    }

    /// Connects to a database that is there, to read and for nothing else: a standby, say. It is not
    /// migrated; see [`is_ready`](Self::is_ready).
    ///
    /// # Errors
    /// [`Url`](StorageError::Url), [`Unavailable`](StorageError::Unavailable) as [`open`](Self::open),
    /// and when there is no such file; [`NewerSchema`](StorageError::NewerSchema).
    pub fn open_to_read(url: &str, options: &PoolOptions) -> Result<Self, StorageError> {
        let url: DatabaseUrl = url.parse()?;
        if let DatabaseUrl::Sqlite(path) = &url {
            // SQLite would make it.
            std::fs::File::open(path).map_err(|cause| {
                let said = format!("{}: {cause}", path.display());
                let fault = diesel::ConnectionError::BadConnection(said);
                StorageError::Unavailable(fault.into())
            })?;
        }
        let readers = pool(&url, Role::Study, options).map_err(StorageError::Unavailable)?;
        let database = Self {
            url,
            readers,
            writer: None,
            mover: None,
        };
        database.read(migrations::assert_known)?;
        Ok(database)
    }

    /// Brings the schema up to date, one node at a time; gives the number of migrations that this
    /// took.
    ///
    /// # Errors
    /// [`Migration`](StorageError::Migration) when a migration fails, which leaves the schema at
    /// the last one that succeeded; [`Unavailable`](StorageError::Unavailable).
    pub fn migrate(&self) -> Result<usize, StorageError> {
        migrations::run(&mut self.migrator()?)
    }

    /// Takes the whole schema away, and all data with it.
    ///
    /// # Errors
    /// As [`migrate`](Self::migrate).
    pub fn revert_all(&self) -> Result<(), StorageError> {
        migrations::revert_all(&mut self.migrator()?)
    }

    /// Whether the database answers and its schema is the one that this program was built for.
    ///
    /// # Errors
    /// [`Unavailable`](StorageError::Unavailable) when it does not answer.
    pub fn is_ready(&self) -> Result<bool, StorageError> {
        self.read(migrations::are_complete)
    }

    /// Reads within one transaction: all statements see the same state.
    ///
    /// # Errors
    /// What `f` says, or [`Unavailable`](StorageError::Unavailable) when no connection is to be had.
    pub fn read<T, E: From<StorageError>>(
        &self,
        f: impl FnOnce(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut pooled = begin(&self.readers, Role::Read)?;
        let answer = f(pooled.connection());
        pooled.rollback();
        answer
    }

    /// Writes within one transaction, which is committed, and on disk, when this returns `Ok`, and
    /// has left nothing when it returns `Err`.
    ///
    /// `f` may be called several times: a transaction that failed only because of another one is
    /// begun anew from the start. So it decides by what it reads through its connection. After the
    /// database refused a statement (a [`Duplicate`](StorageError::Duplicate), say) `f` must return
    /// an error: PostgreSQL takes no further statement in that transaction.
    ///
    /// # Errors
    /// What `f` says, or [`Unavailable`](StorageError::Unavailable) when no connection is to be
    /// had, when other writes get into the way again and again, or when the commit fails.
    pub fn write<T, E: From<StorageError>>(
        &self,
        mut f: impl FnMut(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        if let Some(writer) = &self.writer {
            return writer.write(f);
        }
        let mut attempt = 1;
        loop {
            let mut pooled = begin(&self.readers, Role::Write)?;
            let result = end(&mut pooled, &mut f);
            if result.is_ok() || !pooled.met_contention() || attempt == ATTEMPTS {
                return result;
            }
            attempt += 1;
        }
    }

    /// As [`write`](Self::write), one after the other with all that hold one of the same players: it sees
    /// what those before it have committed, and those that wait see what this commits. For what two writes
    /// must not miss of each other although neither changes what the other reads.
    ///
    /// # Errors
    /// As [`write`](Self::write); [`Unavailable`](StorageError::Unavailable) after waiting for five seconds.
    pub fn write_holding<T, E: From<StorageError>>(
        &self,
        players: &[PlayerId],
        mut f: impl FnMut(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        if let Some(writer) = &self.writer {
            return writer.write(f);
        }
        // Who holds two takes them in the order that all take them in.
        let mut keys: Vec<i64> = players.iter().map(|player| player.lock_key()).collect();
        keys.sort_unstable();
        keys.dedup();
        let pooled = self.readers.get();
        let mut pooled = pooled.map_err(|error| StorageError::Unavailable(error.into()))?;
        pooled.hold(&keys).map_err(StorageError::from)?;
        let mut attempt = 1;
        let result = loop {
            pooled.begin(Role::Write).map_err(StorageError::from)?;
            let result = end(&mut pooled, &mut f);
            if result.is_ok() || !pooled.met_contention() || attempt == ATTEMPTS {
                break result;
            }
            attempt += 1;
        };
        pooled.give_back();
        result
    }

    /// Whether writes queue for one writer, so that [`guarded`](Self::guarded) returns at once.
    pub const fn queues_writes(&self) -> bool {
        self.writer.is_some()
    }

    /// Reads, decides, and appends with a guard; then calls `done` with the outcome, which is on disk
    /// by then if it is `Ok`.
    ///
    /// On SQLite this returns at once, and `done` is called on the writer's thread. On PostgreSQL all
    /// is done here, and each statement of `f` is a transaction of its own, which spares the round
    /// trips of a transaction around them: so `f` relies on the guard of what it appends, and does
    /// [`atomically`](Connection::atomically) what takes several statements. It may be called again
    /// when it got into another transaction's way.
    pub fn guarded<T, E>(
        &self,
        f: impl FnMut(&mut Connection) -> Result<T, E> + Send + 'static,
        done: impl FnOnce(Result<T, E>) + Send + 'static,
    ) where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        match &self.writer {
            Some(writer) => writer.submit(f, done),
            None => done(each_statement_by_itself(&self.readers, f)),
        }
    }

    /// Whether moves are made together, so that [`make_move`](Self::make_move) is the faster way.
    pub const fn makes_moves_together(&self) -> bool {
        self.mover.is_some()
    }

    /// Has a move made, if its game is still as it was seen; then calls `done` with the game as it is,
    /// which is on disk by then, or with [`Conflict`](StorageError::Conflict). Returns at once where
    /// [moves are made together](Self::makes_moves_together); elsewhere nothing is made, and that is
    /// said as such a conflict.
    pub fn make_move(
        &self,
        step: Step,
        done: impl FnOnce(Result<Arc<StoredGame>, StorageError>) + Send + 'static,
    ) {
        match &self.mover {
            Some(mover) => mover.submit(step, done),
            None => done(Err(StorageError::Conflict)),
        }
    }

    /// Begins to hear what other nodes on the same database tell, and to tell them; `None` where a
    /// node is alone with its database.
    ///
    /// # Errors
    /// [`Unavailable`](StorageError::Unavailable) when the system gives no thread.
    pub fn listen(
        &self,
        heard: impl Fn(Heard) + Send + 'static,
    ) -> Result<Option<Notifier>, StorageError> {
        let DatabaseUrl::Postgres(url) = &self.url else {
            return Ok(None);
        };
        Notifier::start(url, heard)
            .map_err(|fault| StorageError::Unavailable(Outage::Thread(fault)))
    }

    /// How much the one writer has written, where there is one.
    pub fn writer_figures(&self) -> Option<WriterFigures> {
        self.writer.as_ref().map(|writer| writer.figures())
    }

    /// Brings an SQLite file to a state in which it holds everything by itself, for a server that
    /// stops; elsewhere there is nothing to do.
    ///
    /// # Errors
    /// [`Unavailable`](StorageError::Unavailable).
    pub fn settle(&self) -> Result<(), StorageError> {
        match self.migrator()? {
            Connection::Sqlite(mut file) => {
                Ok(file.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")?)
            }
            Connection::Postgres(_) => Ok(()),
        }
    }

    /// A connection of its own beside the pools, for work that takes as long as it takes.
    pub(crate) fn connect_apart(&self, role: Role) -> Result<Pooled, StorageError> {
        let role = match &self.url {
            DatabaseUrl::Sqlite(_) => role,
            // Without the limits of time.
            DatabaseUrl::Postgres(_) => Role::Migrate,
        };
        Connection::open(&self.url, role)
            .map(Pooled::new)
            .map_err(|error| StorageError::Unavailable(error.into()))
    }

    fn migrator(&self) -> Result<Connection, StorageError> {
        Connection::open(&self.url, Role::Migrate)
            .map_err(|error| StorageError::Unavailable(error.into()))
    }
}

fn pool(url: &DatabaseUrl, role: Role, options: &PoolOptions) -> Result<Pool<Manager>, Outage> {
    // The pool only says that time ran out; the first connection says why.
    drop(Connection::open(url, role)?);
    Ok(Pool::builder()
        .max_size(options.connections.max(1))
        .min_idle(Some(1))
        .connection_timeout(options.checkout_timeout)
        .test_on_check_out(true)
        .error_handler(Box::new(Warn))
        .build(Manager::new(url.clone(), role))?)
}

/// Makes a folder, and those above it, for nobody but the account that the server runs under: it
/// holds hidden armies and keys. One that is there stays as it is.
///
/// # Errors
/// What the system says.
pub fn create_private_folder(folder: &std::path::Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes an empty file, for SQLite to fill, that nobody but the account of the server can read,
/// whatever folder it is in; the journals get the same permissions. One that is there stays as it is.
fn create_private_file(path: &std::path::Path) -> std::io::Result<()> {
    match create_new_private_file(path) {
        Err(fault) if fault.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        outcome => outcome.map(drop),
    }
}

/// Makes an empty file that nobody but the account of the program can read, and opens it for writing.
///
/// # Errors
/// What the system says; [`AlreadyExists`](std::io::ErrorKind::AlreadyExists) when it is there.
pub fn create_new_private_file(path: &std::path::Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Does something of which each statement is a transaction of its own; anew when it got into another
/// transaction's way.
pub(crate) fn each_statement_by_itself<T, E: From<StorageError>>(
    connections: &Pool<Manager>,
    mut f: impl FnMut(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    let mut attempt = 1;
    loop {
        let pooled = connections.get();
        let mut pooled = pooled.map_err(|error| StorageError::Unavailable(error.into()))?;
        pooled.lend();
        let result = f(pooled.connection());
        if result.is_ok() || !pooled.met_contention() || attempt == ATTEMPTS {
            return result;
        }
        attempt += 1;
    }
}

/// Does what belongs into the transaction that was begun, and ends it.
fn end<T, E: From<StorageError>>(
    pooled: &mut Pooled,
    f: &mut impl FnMut(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    match f(pooled.connection()) {
        Ok(value) => pooled
            .commit()
            .map(|()| value)
            .map_err(|error| E::from(StorageError::from(error))),
        Err(error) => {
            pooled.rollback();
            Err(error)
        }
    }
}

/// Takes a connection and begins a transaction on it.
///
/// Connections that died while they lay idle are found here and thrown away, until one lives.
fn begin(pool: &Pool<Manager>, role: Role) -> Result<PooledConnection<Manager>, StorageError> {
    let mut left = pool.max_size();
    loop {
        let mut pooled = pool
            .get()
            .map_err(|error| StorageError::Unavailable(error.into()))?;
        match pooled.begin(role) {
            Ok(()) => return Ok(pooled),
            Err(error) => match StorageError::from(error) {
                StorageError::Unavailable(_) if left > 0 => left -= 1,
                error => return Err(error),
            },
        }
    }
}

/// Tells the log of connections that could not be made.
#[derive(Debug)]
struct Warn;

impl HandleError<diesel::ConnectionError> for Warn {
    fn handle_error(&self, error: diesel::ConnectionError) {
        tracing::warn!(%error, "no connection to the database");
    }
}
