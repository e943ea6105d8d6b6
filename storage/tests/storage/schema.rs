//! Migrations, and what opening a database promises.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::Text;
use storage::{Database, DatabaseUrlError, PoolOptions, StorageError};

use crate::support::{TestDatabase, on_both};

on_both!(
    up_down_up_gives_the_same_schema,
    a_database_is_ready_once_it_is_migrated,
    migrating_again_changes_nothing,
    nodes_that_start_together_migrate_once,
    a_read_cannot_write,
    a_database_opened_to_read_takes_no_writes,
    a_schema_that_is_newer_is_refused,
);

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

const SQLITE: &str = "SELECT type || ' ' || name || ': ' || COALESCE(sql, '') AS line
    FROM sqlite_master ORDER BY type, name";

const POSTGRES: &str = "SELECT line FROM (
    SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
        || COALESCE(collation_name, '') || ' ' || ordinal_position AS line
        FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    ) AS lines ORDER BY line";

fn dump(db: &TestDatabase) -> Vec<String> {
    let query = if db.is_sqlite() { SQLITE } else { POSTGRES };
    let lines: Vec<Line> = db.read(|conn| Ok(diesel::sql_query(query).load(conn)?));
    lines.into_iter().map(|line| line.line).collect()
}

fn up_down_up_gives_the_same_schema(db: &TestDatabase) {
    let first = dump(db);
    assert!(
        first.iter().any(|line| line.contains("games_by_deadline")),
        "{first:#?}"
    );
    db.database.revert_all().unwrap();
    let empty = dump(db);
    assert!(
        empty
            .iter()
            .all(|line| line.contains("__diesel_schema_migrations")),
        "{empty:#?}"
    );
    assert!(db.database.migrate().unwrap() > 0);
    assert_eq!(dump(db), first);
}

fn a_database_is_ready_once_it_is_migrated(db: &TestDatabase) {
    assert!(db.database.is_ready().unwrap());
    db.database.revert_all().unwrap();
    assert!(!db.database.is_ready().unwrap());
    db.execute("DROP TABLE __diesel_schema_migrations").unwrap();
    assert!(!db.database.is_ready().unwrap());
    db.database.migrate().unwrap();
    assert!(db.database.is_ready().unwrap());
    db.execute("DELETE FROM __diesel_schema_migrations WHERE version = '20261129000003'")
        .unwrap();
    assert!(!db.database.is_ready().unwrap());
}

fn a_database_opened_to_read_takes_no_writes(db: &TestDatabase) {
    let player = db.player("kept");
    let reader = Database::open_to_read(&db.url, &PoolOptions::default()).unwrap();
    assert!(reader.is_ready().unwrap());
    let read = reader.read(|conn| storage::players::by_id(conn, player.id));
    assert_eq!(read.unwrap(), player);
    let written: Result<_, StorageError> = reader.write(|conn| {
        Ok(diesel::sql_query("UPDATE players SET username = 'changed'").execute(conn)?)
    });
    assert!(written.is_err());
    assert_eq!(
        db.read(|conn| storage::players::by_id(conn, player.id)),
        player
    );
}

/// Neither to be brought up to date nor to be read.
fn a_schema_that_is_newer_is_refused(db: &TestDatabase) {
    db.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('99991231000001')")
        .unwrap();
    let migrated = db.database.migrate().map(drop);
    let opened = Database::open_to_read(&db.url, &PoolOptions::default()).map(drop);
    for refused in [migrated, opened] {
        assert!(
            matches!(&refused, Err(StorageError::NewerSchema(unknown)) if unknown.version == "99991231000001"),
            "{refused:?}"
        );
    }
}

fn migrating_again_changes_nothing(db: &TestDatabase) {
    let player = db.player("kept");
    assert_eq!(db.database.migrate().unwrap(), 0);
    assert_eq!(
        db.read(|conn| storage::players::by_id(conn, player.id)),
        player
    );
}

fn nodes_that_start_together_migrate_once(db: &TestDatabase) {
    let before = dump(db);
    db.database.revert_all().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let options = PoolOptions {
                    connections: 1,
                    ..PoolOptions::default()
                };
                Database::open(&db.url, &options)
                    .unwrap()
                    .migrate()
                    .unwrap();
            });
        }
    });
    assert_eq!(dump(db), before);
}

fn a_read_cannot_write(db: &TestDatabase) {
    let new = crate::support::new_player("nobody");
    let refused = db
        .database
        .read(|conn| storage::players::create(conn, &new));
    assert!(matches!(
        refused,
        Err(StorageError::Refused(_) | StorageError::Unavailable(_))
    ));
    assert_eq!(db.count("players"), 0);
}

#[test]
fn a_mistyped_url_makes_no_file() {
    let folder = tempfile::TempDir::new().unwrap();
    for scheme in ["", "sqlit://", "sqlite:", "file:", "host=here dbname="] {
        let url = format!("{scheme}{}/reveille.db", folder.path().display());
        let refused = Database::open(&url, &PoolOptions::default());
        assert!(
            matches!(
                refused,
                Err(StorageError::Url(DatabaseUrlError::UnknownScheme))
            ),
            "{url}"
        );
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_file_and_its_journals_are_private_in_a_folder_that_is_not() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::TempDir::new().unwrap();
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let file = folder.path().join("reveille.db");
    let url = format!("sqlite://{}", file.display());
    let open = || Database::open(&url, &PoolOptions::default()).unwrap();
    let database = open();
    assert!(database.migrate().unwrap() > 0);
    let modes = || {
        let entries = folder.path().read_dir().unwrap().map(Result::unwrap);
        let mode = |entry: std::fs::DirEntry| {
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            (entry.file_name().into_string().unwrap(), mode)
        };
        entries.map(mode).collect::<BTreeMap<_, _>>()
    };
    let private = ["reveille.db", "reveille.db-shm", "reveille.db-wal"];
    let private = private.map(|name| (name.to_owned(), 0o600));
    assert_eq!(modes(), BTreeMap::from(private));

    drop(database);
    // Who shares the file with others keeps it so.
    std::fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    assert!(open().is_ready().unwrap());
    assert_eq!(modes()["reveille.db"], 0o640);
}

#[test]
fn a_server_that_is_not_there_is_an_outage() {
    let url = "postgres://reveille:secret@127.0.0.1:1/reveille";
    let Err(error) = Database::open(url, &PoolOptions::default()) else {
        panic!("nothing listens there");
    };
    assert!(matches!(error, StorageError::Unavailable(_)));
    assert_eq!(
        error.to_string(),
        "the database is not available at the moment"
    );
}
