//! A whole database as values: every table and column, from one database to the other and back.

mod sample;

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use storage::archive::{self, BATCH_ROWS, Column, Kind, RefusedRow, Row, TABLES, Table, Value};
use storage::backup::{self, BackupError};
use storage::{Connection, Database, PoolOptions, StorageError};

use crate::support::{TestDatabase, on_both};

on_both!(
    every_table_and_column_is_carried,
    an_empty_database_has_nothing_to_carry,
    a_row_that_is_refused_is_told_from_its_neighbours,
    a_write_that_fails_leaves_nothing,
    only_the_schema_of_this_program_is_known,
    long_work_is_a_transaction_of_its_own,
);

#[derive(QueryableByName)]
struct CatalogueColumn {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Bool)]
    is_key: bool,
}

const SQLITE: &str = "SELECT t.name AS table_name, c.name AS column_name, c.type AS kind,
        c.pk > 0 AS is_key
    FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND t.name <> '__diesel_schema_migrations'
    ORDER BY t.name, c.cid";

const POSTGRES: &str = "SELECT c.relname::text AS table_name, a.attname::text AS column_name,
        format_type(COALESCE(NULLIF(t.typbasetype, 0), t.oid), NULL) AS kind, COALESCE(a.attnum = ANY (i.indkey), FALSE) AS is_key
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
        AND c.relname <> '__diesel_schema_migrations'
    ORDER BY c.relname, a.attnum";

/// Who adds a table or a column to the migrations adds it to the archive.
fn every_table_and_column_is_carried(db: &TestDatabase) {
    let query = if db.is_sqlite() { SQLITE } else { POSTGRES };
    let catalogue: Vec<CatalogueColumn> = db.read(|conn| Ok(diesel::sql_query(query).load(conn)?));
    let mut in_catalogue: Vec<_> = catalogue
        .iter()
        .map(|column| {
            let key = if column.is_key { " key" } else { "" };
            format!("{}.{}{key}", column.table_name, column.column_name)
        })
        .collect();
    let mut carried = Vec::new();
    for table in TABLES {
        for (index, column) in table.columns.iter().enumerate() {
            let key = if index < table.key { " key" } else { "" };
            carried.push(format!("{}.{}{key}", table.name, column.name));
        }
    }
    in_catalogue.sort();
    carried.sort();
    assert_eq!(carried, in_catalogue);

    for column in catalogue {
        let kind = kind_of(&column.table_name, &column.column_name);
        let fits = match column.kind.as_str() {
            // SQLite keeps yes and no as a number.
            "INTEGER" => matches!(kind, Kind::Integer | Kind::Bool),
            "smallint" | "integer" | "bigint" => kind == Kind::Integer,
            "boolean" => kind == Kind::Bool,
            "TEXT" | "text" => kind == Kind::Text,
            "BLOB" | "bytea" => kind == Kind::Bytes,
            _ => false,
        };
        let (table, name) = (column.table_name, column.column_name);
        assert!(fits, "{table}.{name} is {kind:?} and {}", column.kind);
    }
}

fn kind_of(table: &str, column: &str) -> Kind {
    let table = TABLES.iter().find(|known| known.name == table).unwrap();
    let column = table.columns.iter().find(|known| known.name == column);
    column.unwrap().kind
}

/// Every row of every table.
fn dump(database: &Database) -> Vec<Vec<Row>> {
    let dumped = archive::read(database, |conn| {
        let table = |table| {
            let mut rows = Vec::new();
            archive::for_each_row(conn, table, |row| {
                rows.push(row.clone());
                Ok::<_, StorageError>(())
            })?;
            assert_eq!(archive::count(conn, table)?, rows.len() as u64);
            Ok::<_, StorageError>(rows)
        };
        TABLES.iter().map(table).collect()
    });
    dumped.unwrap()
}

/// A row and why it was refused, or something else that went wrong.
#[derive(Debug)]
enum Fault {
    Row(&'static str, usize, StorageError),
    Storage(#[expect(dead_code, reason = "printed when a test fails")] StorageError),
}

impl From<StorageError> for Fault {
    fn from(fault: StorageError) -> Self {
        Self::Storage(fault)
    }
}

fn put(conn: &mut Connection, table: &Table, rows: &[Row]) -> Result<(), Fault> {
    let name = TABLES.iter().find(|known| *known == table).unwrap().name;
    for batch in rows.chunks(BATCH_ROWS) {
        archive::insert(conn, table, batch)
            .map_err(|RefusedRow { index, fault }| Fault::Row(name, index, fault))?;
    }
    Ok(())
}

fn fill(database: &Database, tables: &[Vec<Row>]) -> Result<(), Fault> {
    archive::write(database, |conn| {
        for (table, rows) in TABLES.iter().zip(tables) {
            put(conn, table, rows)?;
        }
        Ok(())
    })
}

/// NULL, 0, the greatest and the least, great texts, all of Unicode: nothing is lost on the way.
#[test]
fn from_sqlite_to_postgres_and_back_everything_stays() {
    let rows = sample::rows();
    for (table, rows) in TABLES.iter().zip(&rows) {
        assert!(!rows.is_empty(), "the sample has no row of {}", table.name);
    }
    let (first, second, third) = (
        TestDatabase::sqlite(),
        TestDatabase::postgres(),
        TestDatabase::sqlite(),
    );
    // A locale that sorts texts otherwise than by their bytes.
    let other_order = "ALTER TABLE idempotency_keys ALTER path TYPE text COLLATE \"und-x-icu\",
        ALTER idempotency_key TYPE text COLLATE \"und-x-icu\"";
    second.execute(other_order).unwrap();
    fill(&first.database, &rows).unwrap();
    let dumped = dump(&first.database);
    assert!(
        dumped == rows,
        "SQLite gives what was put into it, sorted by its key"
    );
    fill(&second.database, &dumped).unwrap();
    let carried = dump(&second.database);
    for ((table, before), after) in TABLES.iter().zip(&dumped).zip(&carried) {
        assert!(before == after, "{}", table.name);
    }
    fill(&third.database, &carried).unwrap();
    assert!(dump(&third.database) == rows);
}

fn an_empty_database_has_nothing_to_carry(db: &TestDatabase) {
    assert!(dump(&db.database).iter().all(Vec::is_empty));
    let occupied = || archive::read(&db.database, archive::first_occupied).unwrap();
    assert_eq!(occupied(), None);
    db.player("first");
    assert_eq!(occupied().map(|table| table.name), Some("players"));
}

/// Also when it is the database that finds out, and among many.
fn a_row_that_is_refused_is_told_from_its_neighbours(db: &TestDatabase) {
    let rows = sample::rows();
    let place = |name: &str| TABLES.iter().position(|table| table.name == name).unwrap();
    let column = |table: &Table, name: &str| {
        let named = |column: &Column| column.name == name;
        table.columns.iter().position(named).unwrap()
    };
    let (keys, moves, games) = (place("idempotency_keys"), place("moves"), place("games"));
    let changes: [(usize, usize, &str, Value); 4] = [
        (keys, 100, "resource_id", Value::Bytes(vec![1])),
        (moves, 2, "from_square", Value::Integer(100)),
        (games, 1, "red_player", Value::Bytes(vec![9; 16])),
        (games, 2, "status", Value::Text("lost".to_owned())),
    ];
    for (table, row, name, value) in changes {
        let mut tables = rows.clone();
        tables[table][row][column(&TABLES[table], name)] = value;
        let refused = fill(&db.database, &tables);
        let Err(Fault::Row(refused_by, index, StorageError::Refused(_))) = refused else {
            panic!("{name} was taken: {refused:?}");
        };
        assert_eq!((refused_by, index), (TABLES[table].name, row));
        assert!(dump(&db.database).iter().all(Vec::is_empty));
    }
    let mut twice = rows.clone();
    twice[keys][7].clone_from(&rows[keys][6]);
    assert!(matches!(
        fill(&db.database, &twice),
        Err(Fault::Row(
            "idempotency_keys",
            7,
            StorageError::Duplicate(_)
        ))
    ));
    // A game that a challenge led to is looked for at the end by one database, at once by the other.
    let mut without_games = rows;
    for name in ["games", "setups", "moves", "offers", "events"] {
        without_games[place(name)].clear();
    }
    assert!(fill(&db.database, &without_games).is_err());
    assert!(dump(&db.database).iter().all(Vec::is_empty));
}

fn a_write_that_fails_leaves_nothing(db: &TestDatabase) {
    let rows = sample::rows();
    let failed: Result<(), StorageError> = archive::write(&db.database, |conn| {
        put(conn, &TABLES[0], &rows[0]).unwrap();
        Err(StorageError::NotFound)
    });
    assert!(matches!(failed, Err(StorageError::NotFound)));
    // Nor does one whose refusal was swallowed and that then goes on.
    let swallowed: Result<(), StorageError> = archive::write(&db.database, |conn| {
        put(conn, &TABLES[0], &rows[0]).unwrap();
        assert!(
            diesel::sql_query("UPDATE nothing SET no = 1")
                .execute(conn)
                .is_err()
        );
        Ok(())
    });
    assert!(swallowed.is_err());
    assert_eq!(db.count("players"), 0);
}

fn only_the_schema_of_this_program_is_known(db: &TestDatabase) {
    let schema = || archive::read(&db.database, archive::schema).unwrap();
    let known = schema().unwrap();
    assert!(known.len() > 5 && known.is_sorted());
    db.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('30001231000001')")
        .unwrap();
    assert_eq!(schema(), None);
    db.execute("DELETE FROM __diesel_schema_migrations WHERE version > '20261129000002'")
        .unwrap();
    assert_eq!(schema(), None);
    db.execute("DROP TABLE __diesel_schema_migrations").unwrap();
    assert_eq!(schema(), None);
}

/// It sees one state, and others read and write meanwhile.
fn long_work_is_a_transaction_of_its_own(db: &TestDatabase) {
    db.player("before");
    let seen = archive::read(&db.database, |conn| {
        let before = archive::count(conn, &TABLES[0])?;
        db.player("during");
        assert_eq!(db.count("players"), 2);
        Ok::<_, StorageError>((before, archive::count(conn, &TABLES[0])?))
    });
    assert_eq!(seen.unwrap(), (1, 1));
    let refused = archive::read(&db.database, |conn| {
        Ok::<_, StorageError>(diesel::sql_query("DELETE FROM players").execute(conn)?)
    });
    assert!(refused.is_err());
}

#[test]
fn a_value_prints_nothing_of_itself() {
    let text = Value::Text("a secret".to_owned());
    assert_eq!(format!("{text:?}"), "Text(…)");
    assert!(!format!("{:?}", Value::Bytes(vec![77])).contains("77"));
}

#[test]
fn a_copy_of_a_file_has_what_was_committed() {
    let db = TestDatabase::sqlite();
    fill(&db.database, &sample::rows()).unwrap();
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("it's a copy.db");
    std::fs::File::create(&file).unwrap();
    // Those who read and those who write are not waited for.
    let copied = db.database.write(|conn| {
        storage::players::create(conn, &crate::support::new_player("not yet"))?;
        Ok::<_, StorageError>(backup::copy(&db.database, &file))
    });
    copied.unwrap().unwrap();
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    let url = format!("sqlite://{}", file.display());
    let copy = Database::open(&url, &PoolOptions::default()).unwrap();
    assert!(copy.is_ready().unwrap());
    assert!(dump(&copy) == sample::rows());

    // Never over something.
    let again = backup::copy(&db.database, &file);
    assert!(matches!(again, Err(BackupError::Storage(_))));
    let postgres = TestDatabase::postgres();
    let refused = backup::copy(&postgres.database, &folder.path().join("none.db"));
    assert!(matches!(refused, Err(BackupError::NotAFile)));
}
