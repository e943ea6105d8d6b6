//! A database that cannot be served is refused at the start, in a sentence, and stays as it was.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tests::server::binary;
use tests::{Backend, TestServer, on_both};

/// A number that no migration of this program has.
const UNKNOWN: &str = "99991231000001";

/// Whom the server runs as where the tests run as root, to whom permissions mean nothing.
const NOBODY: u32 = 65_534;

fn a_newer_schema_is_refused_and_left_alone(backend: Backend) {
    let mut server = TestServer::start(backend);
    server.register("kept");
    server.stop();
    server.database().run(&format!(
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('{UNKNOWN}')"
    ));
    let before = (backend == Backend::Sqlite).then(|| files(&server.data_folder()));
    for command in ["serve", "migrate"] {
        let refused = server.command(&[command]).output().unwrap();
        assert_refused(&refused, &["schema is newer", UNKNOWN]);
    }
    if let Some(before) = before {
        assert_eq!(files(&server.data_folder()), before);
    }
    server.database().run(&format!(
        "DELETE FROM __diesel_schema_migrations WHERE version = '{UNKNOWN}'"
    ));
    server.restart();
    server.client().get("/v1/players/kept_0").ok(200);
}

on_both! {
    a_newer_schema_is_refused_and_left_alone,
}

/// Two servers on one SQLite file would each keep games in memory that the other changes. What a server
/// had that was killed is free at once.
#[test]
fn a_second_server_on_one_sqlite_file_is_refused() {
    let mut server = TestServer::start(Backend::Sqlite);
    let file = server.data_folder().join("reveille.db");
    for _ in 0..2 {
        let refused = server.command(&["serve"]).output().unwrap();
        let said = ["another server runs on it", &file.display().to_string()];
        assert_refused(&refused, &said);
        server.register("kept");
        server.kill();
        server.restart();
    }
    // Whatever else is done beside a server can be done.
    let migrated = server.command(&["migrate"]).output().unwrap();
    assert!(migrated.status.success(), "{migrated:?}");
}

/// The file, the folder, or both; as a user to whom permissions mean something.
#[test]
fn a_file_that_cannot_be_written_is_refused_and_left_alone() {
    let data = OrdinaryData::make();
    let file = data.folder.join("reveille.db");
    for (folder_mode, file_mode) in [(0o700, 0o400), (0o500, 0o600), (0o500, 0o400)] {
        set_mode(&file, file_mode);
        set_mode(&data.folder, folder_mode);
        let before = files(&data.folder);
        let refused = data.serve();
        assert_refused(
            &refused,
            &["cannot be written", &data.folder.display().to_string()],
        );
        assert_eq!(files(&data.folder), before);
    }
    set_mode(&data.folder, 0o700);
}

/// A standby, say.
#[test]
fn a_postgresql_that_takes_no_writes_is_refused() {
    let mut server = TestServer::start(Backend::Postgres);
    server.stop();
    let name = server.database().name();
    server.database().execute(&format!(
        "ALTER DATABASE {name} SET default_transaction_read_only = on"
    ));
    let refused = server.command(&["serve"]).output().unwrap();
    assert_refused(&refused, &["cannot be written", "standby"]);
}

/// A log on a full disk is no reason to refuse anybody.
#[test]
fn a_log_that_cannot_be_written_stops_no_request() {
    let mut server = TestServer::prepare(Backend::Sqlite, &[]);
    let folder = server.data_folder();
    let log = folder.parent().unwrap().join("stderr.log");
    std::os::unix::fs::symlink("/dev/full", log).unwrap();
    server.restart();
    let player = server.register("unheard");
    player.get("/v1/me").ok(200);
    player.get("/v1/nothing").ok(404);
}

#[track_caller]
fn assert_refused(output: &Output, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "it was served: {said}");
    for word in words {
        assert!(said.contains(word), "{word:?} is not in {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

/// The data folder of a server that ran once, all of it an ordinary user's.
struct OrdinaryData {
    _home: tempfile::TempDir,
    folder: PathBuf,
    program: PathBuf,
    /// Whether the tests run as root, and the server must not.
    is_root: bool,
}

impl OrdinaryData {
    fn make() -> Self {
        let mut server = TestServer::start(Backend::Sqlite);
        server.stop();
        let home = tempfile::tempdir().unwrap();
        let (folder, program) = (home.path().join("data"), home.path().join("reveille"));
        let is_root = fs::metadata(home.path()).unwrap().uid() == 0;
        fs::create_dir(&folder).unwrap();
        for entry in fs::read_dir(server.data_folder()).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
        }
        // The program may lie where the other user cannot go.
        fs::copy(binary(), &program).unwrap();
        if is_root {
            set_mode(home.path(), 0o755);
            for path in files(&folder).keys().chain([&folder]) {
                chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
        Self {
            _home: home,
            folder,
            program,
            is_root,
        }
    }

    /// Starts the program, which must end by itself.
    fn serve(&self) -> Output {
        let mut command = Command::new(&self.program);
        command
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--metrics-listen",
                "off",
            ])
            .arg("--data-dir")
            .arg(&self.folder)
            .current_dir("/")
            .env_clear();
        if self.is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output().unwrap()
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Every file of a folder with a digest of what is in it. SQLite's journals are left out: whoever so much
/// as reads makes them, empty.
fn files(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_journal = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with("-wal") || name.ends_with("-shm")
    };
    paths
        .filter(|path| !is_journal(path))
        .map(|path| {
            let mut digest = DefaultHasher::new();
            fs::read(&path).unwrap().hash(&mut digest);
            (path, digest.finish())
        })
        .collect()
}
