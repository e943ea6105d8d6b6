mod expected;

use std::io::{self, Write};

use actix_web::web::Bytes;
use domain::{
    ByColor, Color, EndReason, Event, Game, Move, Options, Outcome, Ruleset, Setup, Terms,
    TimeControl, Timestamp,
};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use self::expected::expected;
use super::{About, ColumnType, Finished, Table, TableError, TableWriter};
use crate::bot::mind::Level;
use crate::simulation::Simulation;

fn about(nth: u128) -> About<'static> {
    About {
        id: Uuid::from_u128(nth),
        source: "simulated",
        players: ByColor {
            red: "Ann",
            blue: "Γιώργος",
        },
        ratings: ByColor {
            red: Some(1500.5),
            blue: None,
        },
        rated: nth.is_multiple_of(2),
        raw_ending: nth.is_multiple_of(3).then_some(11),
    }
}

/// Games of every kind: all rule sheets, some with the options turned about, and one that breaks the
/// repetition rule.
fn games() -> Vec<Game> {
    let kinds = Ruleset::ALL
        .into_iter()
        .zip([false, false, true, false, true]);
    let mut games: Vec<Game> = kinds
        .flat_map(|(ruleset, turned)| {
            let simulation = Simulation {
                ruleset,
                options: Options {
                    rescue: turned,
                    silent_defense: turned,
                    ..ruleset.default_options()
                },
                games: 3,
                seed: 5,
                levels: ByColor::from_fn(|_| Level::Simple),
                setups: ByColor::default(),
            };
            (0..simulation.games).map(move |nth| simulation.play(nth))
        })
        .collect();
    games.push(shuttling());
    games
}

const DAY: Timestamp = Timestamp::from_micros(1_141_862_400_000_000);

fn recorded(ruleset: Ruleset, setups: ByColor<&str>, moves: &[Move], outcome: Outcome) -> Game {
    let terms = Terms {
        ruleset,
        options: ruleset.default_options(),
        time_control: TimeControl::Unlimited,
        vacation: false,
        weekends: false,
    };
    let at = DAY;
    let mut game = Game::recorded(terms, at);
    for by in Color::ALL {
        let setup = Setup::parse(ruleset, setups[by]).expect("a setup");
        game.apply(&Event::SetupPlaced { by, setup, at })
            .expect("placed");
    }
    game.apply(&Event::Started { at }).expect("started");
    for mv in moves {
        let (mv, rescue) = (*mv, None);
        game.apply(&Event::Moved { mv, rescue, at }).expect("legal");
    }
    game.apply(&Event::Ended { outcome, at }).expect("ended");
    game
}

fn step(text: &str) -> Move {
    let (from, to) = text.split_once(['-', 'x']).expect("two squares");
    let square = |name: &str| name.parse().expect("a square");
    Move {
        from: square(from),
        to: square(to),
    }
}

fn shuttling() -> Game {
    let setups = ByColor {
        red: "29...M..3....................F...B2.S...",
        blue: ".....39.SM..................2B........2F",
    };
    let moves: Vec<Move> = ["b4-b5", "e7-e6", "b5-b4", "e6-e7"]
        .into_iter()
        .cycle()
        .take(12)
        .map(step)
        .collect();
    let outcome = Outcome::no_winner(EndReason::DrawAgreed);
    recorded(Ruleset::Barrage, setups, &moves, outcome)
}

fn write(table: Table, games: &[Game], group_rows: usize) -> Bytes {
    let mut writer = TableWriter::new(table, Vec::new()).expect("begun");
    writer.group_rows = group_rows;
    for (nth, game) in (0..).zip(games) {
        let finished = Finished::new(about(nth), game).expect("over");
        writer.push(&finished).expect("written");
    }
    writer.finish().expect("whole").into()
}

/// The rows by the reader of the library.
fn read(file: Bytes) -> Vec<Value> {
    let reader = SerializedFileReader::new(file).expect("a table");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| {
        let row = row.expect("a row");
        let columns = row.get_column_iter();
        let values = columns.map(|(name, field)| (name.clone(), value(field)));
        Value::Object(values.collect::<Map<_, _>>())
    })
    .collect()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(it) => json!(it),
        Field::Int(it) => json!(it),
        Field::Long(it) | Field::TimestampMicros(it) => json!(it),
        Field::Double(it) => json!(it),
        Field::Str(it) => json!(it),
        other => panic!("{other} is of no type of ours"),
    }
}

fn compare(games: &[Game], group_rows: usize) {
    for table in Table::ALL {
        let rows = read(write(table, games, group_rows));
        let numbered = (0..).zip(games);
        let expected: Vec<Value> = numbered
            .flat_map(|(nth, game)| expected(table, nth, game))
            .collect();
        assert_eq!(rows.len(), expected.len(), "{table}");
        for (row, expected) in rows.iter().zip(&expected) {
            assert_eq!(row, expected, "{table}");
        }
    }
}

#[test]
fn what_is_written_is_what_the_view_says() {
    compare(&games(), super::writer::GROUP_ROWS);
}

/// That the games above have in them what is rare.
#[test]
fn rare_things_are_among_the_rows() {
    let games = games();
    let rows = |table| read(write(table, &games, super::writer::GROUP_ROWS));
    let has = |rows: &[Value], column: &str, value: Value| {
        let found = rows.iter().any(|row| row[column] == value);
        assert!(found, "{column} {value}");
    };
    let plies = rows(Table::Plies);
    has(&plies, "irregular", json!("two_squares"));
    assert!(plies.iter().any(|row| !row["rescue_rank"].is_null()));
    let pieces = rows(Table::Pieces);
    has(&pieces, "home", Value::Null);
    has(&pieces, "cause", json!("deduced"));
    has(&pieces, "own_home", json!("a4"));
    has(&rows(Table::Reveals), "to", json!("both"));
    has(&rows(Table::Games), "winner", Value::Null);
}

#[test]
fn groups_are_bounded() {
    let games = games();
    compare(&games, 50);
    let file = write(Table::Plies, &games, 50);
    let reader = SerializedFileReader::new(file).expect("a table");
    let groups = reader.metadata().row_groups();
    assert!(groups.len() > 20);
    let (last, full) = groups.split_last().expect("some");
    assert!(full.iter().all(|group| group.num_rows() == 50));
    assert!(last.num_rows() <= 50);
}

#[test]
fn a_table_without_games_is_one() {
    for table in Table::ALL {
        assert_eq!(read(write(table, &[], 1)), Vec::<Value>::new());
    }
}

#[test]
fn every_column_is_documented() {
    for table in Table::ALL {
        let columns = table.columns();
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let distinct: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(distinct.len(), names.len(), "{table}");
        assert_eq!(names[0], "game_id");
        assert_eq!(columns[0].r#type, ColumnType::Text);
        assert!(columns.iter().all(|column| column.doc.ends_with('.')));
        assert_eq!(table.name().parse(), Ok(table));
    }
}

#[test]
fn a_game_that_runs_is_not_written() {
    let terms = *shuttling().terms();
    let game = Game::new(terms, DAY);
    assert!(Finished::new(about(1), &game).is_err());
}

/// A pipe that nobody reads any more.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn a_pipe_that_is_closed_is_told_as_such() {
    let game = shuttling();
    let finished = Finished::new(about(1), &game).expect("over");
    let written = TableWriter::new(Table::Games, Closed).and_then(|mut writer| {
        writer.push(&finished)?;
        writer.finish().map(|_| ())
    });
    let Err(TableError::Write(fault)) = written else {
        panic!("{written:?}");
    };
    assert_eq!(fault.kind(), io::ErrorKind::BrokenPipe);
}

#[test]
fn games_that_others_played_are_written() {
    let Some(folder) = std::env::var_os("REVEILLE_FIXTURES") else {
        println!("REVEILLE_FIXTURES is not set: no recorded game is written");
        return;
    };
    let path = std::path::Path::new(&folder).join("recorded_games.jsonl");
    let text = std::fs::read_to_string(path).expect("the folder holds recorded_games.jsonl");
    let games: Vec<Game> = text
        .lines()
        .step_by(10)
        .map(|line| {
            let game: Value = serde_json::from_str(line).expect("an object");
            let text = |key: &str| game[key].as_str().expect("a text");
            let setups = ByColor {
                red: text("red_setup"),
                blue: text("blue_setup"),
            };
            let moves = game["moves"].as_array().expect("moves");
            let moves: Vec<Move> = moves
                .iter()
                .map(|mv| step(mv.as_str().expect("a move")))
                .collect();
            let ruleset = text("ruleset").parse().expect("a ruleset");
            recorded(
                ruleset,
                setups,
                &moves,
                Outcome::no_winner(EndReason::Other),
            )
        })
        .collect();
    assert!(games.len() > 10);
    compare(&games, 1_000);
}
