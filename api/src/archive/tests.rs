use std::fs;
use std::io;
use std::path::Path;

use domain::Timestamp;
use storage::archive::{Column, Kind, Row, Table, Value};
use storage::players::{self, NewPlayer};
use storage::{Database, PlayerId, PoolOptions, StorageError};

use super::error::{ArchiveError, LineFault};
use super::file::NewFile;
use super::format::{read_row, write_row};
use super::lines::Lines;
use super::{Carried, export, import};
use crate::clock::{Clock, SystemClock};
use crate::progress::Progress;

const fn column(name: &'static str, kind: Kind) -> Column {
    Column { name, kind }
}

const TABLE: Table = Table {
    name: "things",
    key: 1,
    columns: &[
        column("id", Kind::Bytes),
        column("number", Kind::Integer),
        column("name", Kind::Text),
        column("flag", Kind::Bool),
    ],
};

fn line(row: &Row) -> String {
    let mut line = Vec::new();
    write_row(&mut line, row).unwrap();
    String::from_utf8(line).unwrap()
}

#[test]
fn a_row_has_one_line_and_the_line_that_row() {
    let text = |text: &str| Value::Text(text.to_owned());
    for (row, expected) in [
        (
            vec![
                Value::Bytes(vec![0, 255]),
                Value::Integer(i64::MIN),
                text("a"),
                Value::Bool(true),
            ],
            "[\"AP8=\",-9223372036854775808,\"a\",true]\n",
        ),
        (
            vec![
                Value::Bytes(vec![]),
                Value::Integer(i64::MAX),
                text(""),
                Value::Bool(false),
            ],
            "[\"\",9223372036854775807,\"\",false]\n",
        ),
        (
            vec![Value::Null, Value::Null, Value::Null, Value::Null],
            "[null,null,null,null]\n",
        ),
        (
            vec![
                Value::Null,
                Value::Integer(0),
                text("\"\\\n\u{0}\u{7f}é\u{2028}𝔘"),
                Value::Null,
            ],
            "[null,0,\"\\\"\\\\\\n\\u0000\u{7f}é\u{2028}𝔘\",null]\n",
        ),
    ] {
        assert_eq!(line(&row), expected);
        assert!(
            read_row(expected.as_bytes(), &TABLE).unwrap() == row,
            "{expected}"
        );
    }
}

/// What is refused is not repeated: it may be a secret.
#[test]
fn a_line_that_no_export_writes_is_no_row() {
    for (line, says) in [
        ("[\"AP8=\",1,\"secret\"]\n", "no row"),
        ("[\"AP8=\",1,\"secret\",true,null]\n", "no row"),
        ("[\"AP8=\",1,\"secret\",true\n", "no row"),
        ("[\"AP8=\",1,\"secret\",true]]\n", "no row"),
        ("[\"AP8=\", 1,\"secret\",true]\n", "no row"),
        ("[\"AP8=\",1,\"\\u0073ecret\",true]\n", "no row"),
        ("[\"AP8=\",1,\"secret\",true]\r\n", "no row"),
        ("[\"AP8=\",1,{\"secret\":1},true]\n", "`name`"),
        ("[\"secret\",1,\"a\",true]\n", "`id`"),
        ("[\"AP8\",1,\"secret\",true]\n", "`id`"),
        ("[null,1.0,\"secret\",true]\n", "`number`"),
        ("[null,9223372036854775808,\"secret\",true]\n", "`number`"),
        ("[null,-0,\"secret\",true]\n", "`number`"),
        ("[null,true,\"secret\",true]\n", "`number`"),
        ("[null,1,\"secret\",1]\n", "`flag`"),
    ] {
        let Err(fault) = read_row(line.as_bytes(), &TABLE) else {
            panic!("{line} was taken");
        };
        let said = fault.to_string();
        assert!(
            said.contains(says) && !said.contains("ecret"),
            "{line}: {said}"
        );
    }
}

#[test]
fn a_line_without_end_is_not_read_into_memory() {
    let endless = io::BufReader::new(io::repeat(b'['));
    let mut lines = Lines::new(endless, "zeros".to_owned());
    let Err(ArchiveError::Line { line, fault, .. }) = lines.next() else {
        panic!("the line has no end");
    };
    assert!(matches!((line, fault), (1, LineFault::TooLong)));
    assert!(lines.bytes() < 20 << 20);
}

#[test]
fn a_file_is_whole_or_not_there_and_nothing_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("archive");
    let names = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .collect::<Vec<_>>()
    };
    let draft = NewFile::create(&path).unwrap();
    io::Write::write_all(&mut draft.file(), b"whole").unwrap();
    assert!(!path.exists());
    drop(draft);
    assert!(names().is_empty());

    let (first, second) = (
        NewFile::create(&path).unwrap(),
        NewFile::create(&path).unwrap(),
    );
    io::Write::write_all(&mut first.file(), b"first").unwrap();
    first.keep().unwrap();
    assert!(matches!(second.keep(), Err(ArchiveError::Exists { .. })));
    assert!(matches!(
        NewFile::create(&path),
        Err(ArchiveError::Exists { .. })
    ));
    assert_eq!(fs::read(&path).unwrap(), b"first");
    assert_eq!(names(), std::slice::from_ref(&path));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    for nowhere in ["none/archive", "", ".."] {
        assert!(
            NewFile::create(&folder.path().join(nowhere)).is_err(),
            "{nowhere}"
        );
    }
}

fn database(folder: &Path, name: &str) -> Database {
    let url = format!("sqlite://{}", folder.join(name).display());
    let database = Database::open(&url, &PoolOptions::default()).unwrap();
    database.migrate().unwrap();
    database
}

fn archive_of(database: &Database) -> (Carried, Vec<u8>) {
    let mut archive = Vec::new();
    let now = SystemClock.now();
    let carried = export::write(database, &mut archive, Path::new("archive"), now).unwrap();
    (carried, archive)
}

fn import_into(database: &Database, archive: &[u8]) -> Result<Carried, ArchiveError> {
    import::read(
        database,
        archive,
        "archive",
        &Progress::bytes("importing", None),
    )
}

/// However little, and wherever it is cut.
#[test]
fn a_part_of_an_archive_is_never_taken() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (
        database(folder.path(), "source.db"),
        database(folder.path(), "target.db"),
    );
    source
        .write(|conn| {
            let new = NewPlayer {
                id: PlayerId::generate(Timestamp::from_micros(1)),
                username: "Åse",
                username_key: "åse",
                password_hash: "$argon2id$",
                email: None,
                preferences: "{}",
                created_at: Timestamp::from_micros(1),
            };
            players::create(conn, &new)?;
            Ok::<_, StorageError>(())
        })
        .unwrap();
    let (carried, archive) = archive_of(&source);
    assert_eq!(carried.rows, 1);
    for length in (0..archive.len()).step_by(7).chain([archive.len() - 1]) {
        let Err(fault) = import_into(&target, &archive[..length]) else {
            panic!("{length} of {} bytes were taken", archive.len());
        };
        assert!(fault.to_string().contains("cut short"), "{length}: {fault}");
    }
    for change in [0, archive.len() / 3, archive.len() - 30] {
        let mut changed = archive.clone();
        changed[change] ^= 1;
        assert!(import_into(&target, &changed).is_err(), "byte {change}");
    }
    assert_eq!(import_into(&target, &archive).unwrap(), carried);
    let again = import_into(&target, &archive);
    assert!(matches!(
        again,
        Err(ArchiveError::NotEmpty { table: "players" })
    ));
}
