//! Where statistics are read, when that is not where games are played.

use std::fs;
use std::path::Path;

use serde_json::json;
use tests::database::Database;
use tests::{Backend, TestServer, on_both};

const KEY: &str = "REVEILLE_DATABASE_READ_URL";

/// What the server says when it does not start.
fn refusal(server: &TestServer) -> String {
    let output = server.command(&["serve"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "it was served: {said}");
    assert!(
        said.contains("error: ") && !said.contains("panicked"),
        "{said}"
    );
    said
}

fn the_server_says_whether_they_can_be_read(backend: Backend) {
    let other = TestServer::start(backend);
    let alone = other.client().get("/readyz").ok(200);
    assert_eq!(alone, json!({"status": "ok"}));
    let server = TestServer::start_with(backend, &[(KEY, other.database().url())]);
    let both = server.client().get("/readyz").ok(200);
    assert_eq!(both, json!({"status": "ok", "statistics": "ok"}));
}

/// It is made by nobody but its owner.
fn a_database_that_is_not_there_is_refused(backend: Backend) {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.db");
    let url = match backend {
        Backend::Sqlite => format!("sqlite://{}", missing.display()),
        Backend::Postgres => "postgres://u:hunter2@127.0.0.1:1/nothing".to_owned(),
    };
    let said = refusal(&TestServer::prepare(backend, &[(KEY, &url)]));
    assert!(
        said.contains("`database_read_url`") && said.contains("no connection"),
        "{said}"
    );
    assert!(!said.contains("hunter2"), "{said}");
    assert!(!missing.exists());
}

/// It is migrated by nobody but its owner.
fn a_database_without_the_schema_is_refused(backend: Backend) {
    let folder = tempfile::tempdir().unwrap();
    let empty = Database::create(backend, folder.path());
    if backend == Backend::Sqlite {
        fs::write(file_of(&empty), "").unwrap();
    }
    let server = TestServer::prepare(backend, &[(KEY, empty.url())]);
    for _ in 0..2 {
        let said = refusal(&server);
        assert!(
            said.contains("`database_read_url` lacks migrations"),
            "{said}"
        );
    }
}

fn file_of(database: &Database) -> &Path {
    Path::new(database.url().trim_start_matches("sqlite://"))
}

fn a_database_of_the_other_kind_is_refused(backend: Backend) {
    let url = match backend {
        Backend::Sqlite => "postgres://localhost/reveille",
        Backend::Postgres => "sqlite://reveille.db",
    };
    let said = refusal(&TestServer::prepare(backend, &[(KEY, url)]));
    assert!(
        said.contains("database_read_url") && said.contains("expected"),
        "{said}"
    );
}

/// Games are played on without it.
#[test]
fn a_database_that_went_away_is_said_to_be_away() {
    let backend = Backend::Postgres;
    let other = TestServer::start(backend);
    let server = TestServer::start_with(backend, &[(KEY, other.database().url())]);
    let name = other.database().name().to_owned();
    server
        .database()
        .execute(&format!("DROP DATABASE {name} WITH (FORCE)"));
    let ready = server.client().get("/readyz").ok(200);
    assert_eq!(ready, json!({"status": "ok", "statistics": "unavailable"}));
    server.register("player").get("/v1/me").ok(200);
}

on_both! {
    the_server_says_whether_they_can_be_read,
    a_database_that_is_not_there_is_refused,
    a_database_without_the_schema_is_refused,
    a_database_of_the_other_kind_is_refused,
}
