use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use diesel::connection::{Connection as _, SimpleConnection};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::facts::{Facts, Section};
use domain::{ByColor, Color, Command, Ruleset, Salts, Setup, Terms, TimeControl, Timestamp};
use storage::games::{self, NewGame, StoredGame};
use storage::players::{self, NewPlayer, Player};
use storage::{Connection, Database, GameId, PlayerId, PoolOptions, StorageError};
use tempfile::TempDir;

/// Makes of each function of a module a test for each database.
macro_rules! on_both {
    ($($test:ident),+ $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $test() {
                super::$test(&crate::support::TestDatabase::sqlite());
            })+
        }
        mod postgres {
            $(#[test]
            fn $test() {
                super::$test(&crate::support::TestDatabase::postgres());
            })+
        }
    };
}
pub(crate) use on_both;

/// Adds the counts of a game.
pub(crate) fn add(sum: &mut Facts, facts: &Facts) {
    for section in Section::ALL {
        let counts = sum.section_mut(section);
        for (key, count) in facts.section(section).iter() {
            counts.add(key, count);
        }
    }
}

/// A database with its schema, gone when the test is over.
pub(crate) struct TestDatabase {
    pub(crate) database: Database,
    pub(crate) url: String,
    kept_by: KeptBy,
}

enum KeptBy {
    Folder(#[expect(dead_code, reason = "removes the folder when dropped")] TempDir),
    Server { maintenance: String, name: String },
}

impl TestDatabase {
    pub(crate) fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        let url = format!("sqlite://{}/in/here/reveille.db", folder.path().display());
        let database = Database::open(&url, &PoolOptions::default()).unwrap();
        database.migrate().unwrap();
        Self {
            database,
            url,
            kept_by: KeptBy::Folder(folder),
        }
    }

    pub(crate) fn postgres() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let Ok(maintenance) = std::env::var("REVEILLE_TEST_POSTGRES") else {
            panic!("REVEILLE_TEST_POSTGRES is not set: tests/run provides it");
        };
        let template = template(&maintenance);
        let name = format!(
            "reveille_storage_{}_{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        PgConnection::establish(&maintenance)
            .unwrap()
            .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template}"))
            .unwrap();
        let url = with_database(&maintenance, &name);
        let options = PoolOptions {
            connections: 4,
            ..PoolOptions::default()
        };
        let database = Database::open(&url, &options).unwrap();
        Self {
            database,
            url,
            kept_by: KeptBy::Server { maintenance, name },
        }
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.url.starts_with("sqlite")
    }

    pub(crate) fn read<T>(&self, f: impl FnOnce(&mut Connection) -> Result<T, StorageError>) -> T {
        self.database.read(f).unwrap()
    }

    pub(crate) fn write<T>(&self, f: impl FnMut(&mut Connection) -> Result<T, StorageError>) -> T {
        self.database.write(f).unwrap()
    }

    /// Runs a statement that no function of the crate would.
    pub(crate) fn execute(&self, sql: &str) -> Result<usize, StorageError> {
        self.database
            .write(|conn| Ok(diesel::sql_query(sql).execute(conn)?))
    }

    pub(crate) fn count(&self, from: &str) -> i64 {
        let sql = format!("SELECT COUNT(*) AS count FROM {from}");
        self.read(|conn| Ok(diesel::sql_query(sql).get_result::<Count>(conn)?.count))
    }

    pub(crate) fn player(&self, name: &str) -> Player {
        let new = new_player(name);
        self.write(|conn| players::create(conn, &new))
    }

    pub(crate) fn pair(&self) -> ByColor<PlayerId> {
        ByColor {
            red: self.player("red").id,
            blue: self.player("blue").id,
        }
    }

    pub(crate) fn game(&self, players: ByColor<PlayerId>) -> StoredGame {
        let new = new_game(players);
        self.write(|conn| games::create(conn, &new))
    }

    /// A game of which both armies stand.
    pub(crate) fn active_game(&self, players: ByColor<PlayerId>) -> StoredGame {
        let mut game = self.game(players);
        for color in Color::ALL {
            game = self.play(&game, color, &Command::PlaceSetup(setup()), at(10));
        }
        game
    }

    /// Does what a player asks of a game, as it was seen.
    pub(crate) fn play(
        &self,
        before: &StoredGame,
        by: Color,
        command: &Command,
        now: Timestamp,
    ) -> StoredGame {
        self.try_play(before, by, command, now).unwrap()
    }

    pub(crate) fn try_play(
        &self,
        before: &StoredGame,
        by: Color,
        command: &Command,
        now: Timestamp,
    ) -> Result<StoredGame, StorageError> {
        let events = before.game.play(by, command, now).unwrap();
        self.database.write(|conn| {
            let mut after = before.game.clone();
            for event in &events {
                after.apply(event)?;
            }
            games::append(conn, before, after, &events, Some(&salts(now)))
        })
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let KeptBy::Server { maintenance, name } = &self.kept_by {
            let drop = format!("DROP DATABASE {name} WITH (FORCE)");
            PgConnection::establish(maintenance)
                .unwrap()
                .batch_execute(&drop)
                .unwrap();
        }
    }
}

#[derive(QueryableByName)]
pub(crate) struct Count {
    #[diesel(sql_type = BigInt)]
    pub(crate) count: i64,
}

/// The name of a database with the schema of these migrations, made if it is not there.
fn template(maintenance: &str) -> String {
    let migrations = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations/postgres");
    let mut files: Vec<_> = std::fs::read_dir(migrations)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("up.sql"))
        .filter(|path| path.exists())
        .collect();
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        std::fs::read_to_string(file).unwrap().hash(&mut hasher);
    }
    let name = format!("reveille_template_{:016x}", hasher.finish());
    let mut connection = PgConnection::establish(maintenance).unwrap();
    // Tests run side by side, in threads and in processes: one of them makes it.
    connection
        .batch_execute("SELECT pg_advisory_lock(1)")
        .unwrap();
    let exists: i64 = diesel::sql_query(format!(
        "SELECT COUNT(*) AS count FROM pg_database WHERE datname = '{name}'"
    ))
    .get_result::<Count>(&mut connection)
    .unwrap()
    .count;
    if exists == 0 {
        let unfinished = format!("{name}_unfinished");
        connection
            .batch_execute(&format!("DROP DATABASE IF EXISTS {unfinished}"))
            .unwrap();
        connection
            .batch_execute(&format!("CREATE DATABASE {unfinished}"))
            .unwrap();
        let url = with_database(maintenance, &unfinished);
        let options = PoolOptions {
            connections: 1,
            ..PoolOptions::default()
        };
        Database::open(&url, &options).unwrap().migrate().unwrap();
        // The pool closes its connection behind our back.
        let others = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{unfinished}'"
        );
        connection.batch_execute(&others).unwrap();
        connection
            .batch_execute(&format!("ALTER DATABASE {unfinished} RENAME TO {name}"))
            .unwrap();
    }
    name
}

/// The same server, another database.
fn with_database(url: &str, name: &str) -> String {
    let (server, rest) = url.rsplit_once('/').unwrap();
    let options = rest
        .split_once('?')
        .map_or(String::new(), |(_, text)| format!("?{text}"));
    format!("{server}/{name}{options}")
}

/// An instant so many seconds after the beginning of the tests' time.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_795_986_000_000_000 + seconds * 1_000_000)
}

pub(crate) const DAY: Duration = Duration::from_hours(24);

pub(crate) fn terms() -> Terms {
    Terms {
        ruleset: Ruleset::Original,
        options: Ruleset::Original.default_options(),
        time_control: TimeControl::PerMove(3 * DAY),
        vacation: true,
        weekends: false,
    }
}

pub(crate) fn setup() -> Setup {
    Setup::parse(
        Ruleset::Original,
        "6527M3538B36228B74462B245622795FB43S3B2B",
    )
    .unwrap()
}

/// The salts of an army that is placed at an instant: others at another.
pub(crate) fn salts(at: Timestamp) -> Salts {
    let mut hasher = DefaultHasher::new();
    at.as_micros().hash(&mut hasher);
    let mut seed = hasher.finish();
    Salts::from_bytes(std::array::from_fn(|_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed.to_be_bytes()[0]
    }))
}

/// Another arrangement of the same army.
pub(crate) fn other_setup() -> Setup {
    Setup::parse(
        Ruleset::Original,
        "5627M3538B36228B74462B245622795FB43S3B2B",
    )
    .unwrap()
}

pub(crate) fn new_player(name: &str) -> NewPlayer<'_> {
    NewPlayer {
        id: PlayerId::generate(at(0)),
        username: name,
        username_key: name,
        password_hash: "$argon2id$",
        email: None,
        preferences: "{}",
        created_at: at(0),
    }
}

pub(crate) fn new_game(players: ByColor<PlayerId>) -> NewGame {
    NewGame {
        id: GameId::generate(at(1)),
        players,
        terms: terms(),
        rated: true,
        private: false,
        created_at: at(1),
    }
}

pub(crate) fn move_request(ply: u32, from: &str, to: &str) -> Command {
    Command::Move(domain::MoveRequest {
        ply,
        from: Some(from.parse().unwrap()),
        to: Some(to.parse().unwrap()),
        rescue: None,
    })
}
