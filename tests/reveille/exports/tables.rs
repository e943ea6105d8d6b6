//! Games as tables for programs that read Parquet.

use std::fs::{self, File};
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Map, Value, json};
use tests::{TestServer, on_both};

use super::{fill, run};
use crate::simulations::said;

const TABLES: [&str; 5] = ["games", "plies", "pieces", "battles", "reveals"];

fn rows(file: &Path) -> Vec<Map<String, Value>> {
    let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    let row = |row: parquet::record::Row| {
        let columns = row.get_column_iter();
        columns
            .map(|(name, field)| (name.clone(), value(field)))
            .collect()
    };
    rows.map(|it| row(it.unwrap())).collect()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => json!(value),
        Field::Int(value) => json!(value),
        Field::Long(value) | Field::TimestampMicros(value) => json!(value),
        Field::Double(value) => json!(value),
        Field::Str(value) => json!(value),
        other => panic!("no column is of {other:?}"),
    }
}

fn sum(rows: &[Map<String, Value>], column: &str) -> u64 {
    rows.iter().map(|row| row[column].as_u64().unwrap()).sum()
}

fn tables_say_what_statistics_say(server: &TestServer) {
    fill(server);
    let folder = tempfile::tempdir().unwrap();
    let all = folder.path().join("all");
    said(
        server,
        &["export", "--format", "parquet", all.to_str().unwrap()],
    );
    let table = |name: &str| rows(&all.join(format!("{name}.parquet")));
    let games = table("games");
    assert_eq!(games.len(), 122);
    assert_eq!(
        sum(&games, "plies"),
        u64::try_from(table("plies").len()).unwrap()
    );
    let battles = table("battles");
    let query = "{ stats { battleMatrix { attacker defender fought } } }";
    let analyst = server.register("analyst");
    let matrix = analyst.query(query, &Value::Null)["stats"]["battleMatrix"].clone();
    for cell in matrix.as_array().unwrap() {
        let is = |row: &&Map<String, Value>| {
            ["attacker", "defender"].iter().all(|side| {
                let rank = row[*side].as_str().unwrap();
                cell[*side] == rank.to_uppercase()
            })
        };
        let fought = battles.iter().filter(is).count();
        assert_eq!(cell["fought"], json!(fought), "{cell}");
    }
    for name in TABLES {
        // One alone, by the command and over HTTP, is the same.
        let all = fs::read(all.join(format!("{name}.parquet"))).unwrap();
        let alone = run(
            server,
            &["export", "--format", "parquet", "--table", name, "-"],
        );
        assert!(alone.stdout == all, "{name} differs");
        let answer = analyst.get(&format!("/v1/exports?format=parquet&table={name}"));
        assert!(answer.body == all, "{name} differs over HTTP");
        let header = |name| answer.header(name).unwrap();
        assert_eq!(header("content-type"), "application/vnd.apache.parquet");
        assert!(header("content-disposition").contains(&format!("\"{name}.parquet\"")));
    }
    // Nothing is written over.
    let again = ["export", "--format", "parquet", all.to_str().unwrap()];
    let refused = run(server, &again);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(fs::read_dir(&all).unwrap().count(), TABLES.len());
}

fn an_export_says_what_it_cannot_do(server: &TestServer) {
    for (arguments, code) in [
        (&["export"][..], 2),
        (&["export", "--format", "parquet", "-"], 2),
        (&["export", "--format", "csv", "-"], 2),
        (&["export", "--format", "ndjson"], 2),
        (&["export", "--all", "x", "--format", "ndjson", "-"], 2),
        (&["export", "--all", "x", "--ruleset", "duel"], 2),
        (&["export", "--columns", "x"], 2),
        (&["export", "--format", "ndjson", "--from", "soon", "-"], 2),
        (
            &["export", "--format", "ndjson", "--min-rating", "NaN", "-"],
            2,
        ),
        (
            &["export", "--format", "ndjson", "--max-rating", "-1", "-"],
            2,
        ),
        (
            &["export", "--format", "ndjson", "--max-rating", "inf", "-"],
            2,
        ),
        (
            &["export", "--format", "ndjson", "--table", "games", "-"],
            2,
        ),
        (&["export", "--format", "ndjson", "--source", "", "-"], 2),
        (
            &[
                "export",
                "--format",
                "ndjson",
                "--source",
                "gravon,play",
                "-",
            ],
            2,
        ),
        (&["export", "--format", "ndjson", "/nowhere/file"], 1),
    ] {
        let refused = run(server, arguments);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.starts_with("error: ") && refused.stdout.is_empty());
    }
    let columns = said(server, &["export", "--columns"]);
    for name in TABLES {
        let line = format!("{name}.game_id\ttext\t");
        assert!(columns.contains(&line), "{columns}");
    }
}

on_both! {
    tables_say_what_statistics_say,
    an_export_says_what_it_cannot_do,
}
