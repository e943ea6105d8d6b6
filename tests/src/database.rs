//! A database for one test, gone when the test is over.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel::{Connection, PgConnection, RunQueryDsl, SqliteConnection};

use crate::backend::Backend;

/// Names the maintenance database of the PostgreSQL that tests use.
pub const VARIABLE: &str = "REVEILLE_TEST_POSTGRES";

static DATABASES: AtomicU32 = AtomicU32::new(0);

/// A database of its own.
#[derive(Debug)]
pub struct Database {
    url: String,
    created: Option<Created>,
}

#[derive(Debug)]
struct Created {
    maintenance: String,
    name: String,
}

impl Database {
    /// An empty database: a file under `folder`, made by the server at its first start, or one
    /// created on PostgreSQL.
    pub fn create(backend: Backend, folder: &Path) -> Self {
        match backend {
            Backend::Sqlite => {
                let file = folder.join("reveille.db");
                Self {
                    url: format!("sqlite://{}", file.display()),
                    created: None,
                }
            }
            Backend::Postgres => Self::create_postgres(),
        }
    }

    fn create_postgres() -> Self {
        let maintenance = std::env::var(VARIABLE).unwrap_or_else(|_| {
            panic!("{VARIABLE} is not set: run `tests/run`, or `tests/postgres COMMAND`, which provide it")
        });
        let number = DATABASES.fetch_add(1, Ordering::Relaxed);
        let name = format!("reveille_{}_{number}", process::id());
        psql(
            &maintenance,
            &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
        );
        psql(&maintenance, &format!("CREATE DATABASE {name}"));
        let url = replace_database(&maintenance, &name);
        Self {
            url,
            created: Some(Created { maintenance, name }),
        }
    }

    /// The same database, which goes with the one that created it.
    #[must_use]
    pub fn shared(&self) -> Self {
        Self {
            url: self.url.clone(),
            created: None,
        }
    }

    /// What `REVEILLE_DATABASE_URL` is set to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Runs one statement on PostgreSQL and gives what it answers, unaligned.
    pub fn execute(&self, statement: &str) -> String {
        assert!(
            self.created.is_some(),
            "statements are run on PostgreSQL only"
        );
        psql(&self.url, statement)
    }

    /// Runs one statement on either database, behind the server's back.
    pub fn run(&self, statement: &str) {
        if self.created.is_some() {
            self.execute(statement);
            return;
        }
        let file = self.url.trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(file).unwrap();
        // The server writes as well, each second and without being asked.
        connection
            .batch_execute("PRAGMA busy_timeout = 30000")
            .unwrap();
        connection
            .batch_execute(statement)
            .unwrap_or_else(|error| panic!("{statement}: {error}"));
    }

    /// How many rows a table has.
    pub fn count(&self, table: &str) -> i64 {
        let counted = format!("(SELECT count(*) FROM {table})");
        if self.created.is_some() {
            let said = self.execute(&format!("SELECT {counted}"));
            return said.trim().parse().unwrap();
        }
        let file = self.url.trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(file).unwrap();
        let query = diesel::select(sql::<BigInt>(&counted));
        query.get_result(&mut connection).unwrap()
    }

    /// Until what this gives is dropped, no move is written; what is read is read.
    #[must_use]
    pub fn hold_moves(&self) -> Hold {
        let (mut connection, lock): (Box<dyn SimpleConnection>, _) = if self.created.is_some() {
            let connection = PgConnection::establish(&self.url).unwrap();
            (
                Box::new(connection),
                "BEGIN; LOCK TABLE moves IN SHARE MODE",
            )
        } else {
            let file = self.url.trim_start_matches("sqlite://");
            let connection = SqliteConnection::establish(file).unwrap();
            let lock = "PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE";
            (Box::new(connection), lock)
        };
        connection.batch_execute(lock).unwrap();
        Hold {
            _connection: connection,
        }
    }

    /// Until what this gives is dropped, statistics wait on PostgreSQL for what they are read from, and moves do not.
    /// (On SQLite nothing keeps a reader waiting.)
    #[must_use]
    pub fn hold_statistics(&self) -> Hold {
        let mut connection = PgConnection::establish(&self.url).unwrap();
        connection
            .batch_execute("BEGIN; LOCK TABLE rollups")
            .unwrap();
        Hold {
            _connection: Box::new(connection),
        }
    }

    /// The name of the database on PostgreSQL.
    pub fn name(&self) -> &str {
        self.created.as_ref().map_or("", |created| &created.name)
    }
}

/// A transaction that keeps others waiting and ends when dropped.
pub struct Hold {
    _connection: Box<dyn SimpleConnection>,
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(Created { maintenance, name }) = &self.created {
            psql(
                maintenance,
                &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
            );
        }
    }
}

/// The URL of another database on the same server.
pub fn replace_database(url: &str, name: &str) -> String {
    let (front, query) = url
        .split_once('?')
        .map_or((url, None), |(front, query)| (front, Some(query)));
    let server = front.rsplit_once('/').map_or(front, |(server, _)| server);
    query.map_or_else(
        || format!("{server}/{name}"),
        |query| format!("{server}/{name}?{query}"),
    )
}

fn psql(url: &str, statement: &str) -> String {
    let output = Command::new(psql_program())
        .args([
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            "--set=ON_ERROR_STOP=1",
        ])
        .args(["--command", statement, url])
        .output()
        .expect("psql runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "psql: {statement}: {errors}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// The newest installed psql, else the one on the path.
fn psql_program() -> PathBuf {
    programs().map_or_else(|| PathBuf::from("psql"), |folder| folder.join("psql"))
}

/// The folder of the newest installed PostgreSQL's programs.
pub(crate) fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    versions
        .map(|entry| entry.path().join("bin"))
        .filter(|folder| folder.join("psql").exists())
        .max_by_key(|folder| version_of(folder))
}

fn version_of(programs: &Path) -> Option<u32> {
    programs.parent()?.file_name()?.to_str()?.parse().ok()
}
