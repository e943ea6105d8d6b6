//! What SQLite says of its own file.

use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::Text;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Asserts that `PRAGMA integrity_check` finds nothing, and that no row refers to one that is missing.
pub fn assert_sound(file: &Path) {
    let mut connection = SqliteConnection::establish(&file.display().to_string()).unwrap();
    let mut lines = |query: &str| -> Vec<String> {
        let lines = diesel::sql_query(query).load::<Line>(&mut connection);
        lines.unwrap().into_iter().map(|line| line.line).collect()
    };
    let verdict = lines("SELECT integrity_check AS line FROM pragma_integrity_check");
    assert_eq!(verdict, ["ok"], "{}", file.display());
    let orphans = lines("SELECT \"table\" AS line FROM pragma_foreign_key_check");
    assert!(orphans.is_empty(), "{}: {orphans:?}", file.display());
}
