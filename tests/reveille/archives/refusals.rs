use std::fs;

use tempfile::TempDir;
use tests::{Backend, TestServer, on_both};

use super::{entries, export, migrated, refused};

fn only_what_can_be_carried_is_begun(backend: Backend) {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let server = migrated(backend, &[]);
    let (file, _) = export(&server, &folder, "archive");
    assert_eq!(entries(&folder), ["archive"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    for command in [&["export", "--all"][..], &["backup"]] {
        let file = file.to_str().unwrap();
        let said = refused(&server, &[command, &[file]].concat());
        let over = said.contains("there already, and nothing is written over");
        let other =
            command[0] == "backup" && backend == Backend::Postgres && said.contains("pg_dump");
        assert!(over || other, "{said}");
    }
    let none = path("none/archive");
    assert!(refused(&server, &["export", "--all", &none]).contains("cannot write"));
    assert!(refused(&server, &["import", "--all", &none]).contains("cannot read"));

    // A mistyped path makes no database.
    let absent = format!("sqlite://{}", path("absent.db"));
    for command in [
        &["export", "--all", "-"][..],
        &["import", "--all", &path("archive")],
        &["backup", &none],
    ] {
        let said = refused(&server, &[command, &["--database-url", &absent]].concat());
        let hint = "make one with `reveille migrate`";
        assert!(
            said.contains("there is no database at ") && said.contains(hint),
            "{said}"
        );
    }
    // Nor is one of another schema taken.
    let bare = TestServer::prepare(backend, &[]);
    if backend == Backend::Sqlite {
        fs::create_dir_all(bare.data_folder()).unwrap();
        fs::write(bare.data_folder().join("reveille.db"), b"").unwrap();
    }
    for arguments in [
        ["export", "--all", &path("bare")],
        ["import", "--all", &path("archive")],
    ] {
        let said = refused(&bare, &arguments);
        assert!(said.contains("`reveille migrate`"), "{said}");
    }
    assert_eq!(entries(&folder), ["archive"]);
}

on_both! { only_what_can_be_carried_is_begun }
