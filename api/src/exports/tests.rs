use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

use domain::facts::{Facts, Section};
use domain::{ByColor, Options, Ruleset, Timestamp};
use serde_json::Value;
use storage::facts::{StatisticsFilter, fold, read};
use storage::games::{Import, Recorded, RecordedGame, import};
use storage::{Database, PlayerId, PoolOptions};
use tempfile::TempDir;
use uuid::Uuid;

use super::{Form, Output, Pages, Places, Writer};
use crate::bot::mind::Level;
use crate::problem::Code;
use crate::recorded::{Document, Recording, parse, replay};
use crate::simulation::Simulation;
use crate::usecase::selection::Selection;

const NOW: Timestamp = Timestamp::from_micros(1_795_986_000_000_000);

fn database() -> (TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("reveille.db").display());
    let options = PoolOptions {
        connections: 2,
        checkout_timeout: Duration::from_secs(30),
    };
    let database = Database::open(&url, &options).unwrap();
    database.migrate().unwrap();
    (folder, database)
}

fn store(database: &Database, recordings: &[Recording]) -> Vec<Import> {
    let made: Vec<RecordedGame> = recordings
        .iter()
        .map(|recording| {
            let recorded = Recorded {
                source: &recording.source,
                names: recording.players.as_ref().map(String::as_str),
                digest: recording.digest(str::to_owned),
                other_digest: recording.digest(|name| format!("other {name}")),
                raw_ending: recording.raw_ending(),
                times: recording.move_times.as_deref(),
            };
            let game = replay(recording).unwrap();
            RecordedGame::new(&recording.record, &game, &recorded, NOW).unwrap()
        })
        .collect();
    database.write(|conn| import(conn, &made)).unwrap()
}

/// Games of every rule sheet, with rescues and without.
fn recordings() -> Vec<Recording> {
    let kinds = Ruleset::ALL
        .into_iter()
        .flat_map(|ruleset| [false, true].map(|rescue| (ruleset, rescue)));
    let played = kinds.flat_map(|(ruleset, rescue)| {
        let simulation = Simulation {
            ruleset,
            options: Options {
                rescue,
                ..ruleset.default_options()
            },
            games: 12,
            seed: 11,
            levels: ByColor::from_fn(|_| Level::Simple),
            setups: ByColor::default(),
        };
        (0..simulation.games)
            .map(|nth| simulation.recording(nth, &simulation.play(nth)).unwrap())
            .collect::<Vec<_>>()
    });
    played.collect()
}

fn lines(database: &Database) -> Vec<u8> {
    let mut writer = Writer::new(Form::Lines, Vec::new()).unwrap();
    for page in Pages::new(database.clone(), Selection::default()) {
        for stored in page.unwrap() {
            writer.push(&stored).unwrap();
        }
    }
    writer.finish().unwrap().remove(0)
}

/// Lines without the identifiers, which are each server's own; of one instant in any order.
fn told(lines: &[u8]) -> Vec<String> {
    let mut told: Vec<String> = lines
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| {
            let mut game: Value = serde_json::from_slice(line).unwrap();
            game["id"] = Value::Null;
            game.to_string()
        })
        .collect();
    told.sort_unstable();
    told
}

fn facts(database: &Database) -> Facts {
    while fold(database, 1_000).unwrap().more {}
    let until = Instant::now() + Duration::from_mins(1);
    let all = StatisticsFilter::default();
    database
        .read(|conn| read(conn, &all, &Section::ALL, until))
        .unwrap()
}

#[test]
fn what_is_exported_is_the_same_elsewhere() {
    let (_here, here) = database();
    let recordings = recordings();
    let stored = store(&here, &recordings);
    assert!(stored.iter().all(|it| matches!(it, Import::New(_))));
    let exported = lines(&here);
    let read: Vec<Recording> = exported
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| {
            let document = Document {
                label: "games.ndjson".into(),
                game: 1,
                bytes: line.to_vec(),
            };
            parse(&document).remove(0).unwrap()
        })
        .collect();
    assert_eq!(read.len(), recordings.len());
    let (_there, there) = database();
    let stored = store(&there, &read);
    assert!(stored.iter().all(|it| matches!(it, Import::New(_))));
    assert_eq!(told(&lines(&there)), told(&exported));
    assert_eq!(facts(&there), facts(&here));
    // Where they came from they are known.
    let again = store(&here, &read);
    assert!(again.iter().all(|it| matches!(it, Import::Known(_))));
}

#[test]
fn pages_have_each_game_once() {
    let (_folder, database) = database();
    let recordings = recordings();
    store(&database, &recordings);
    let pages = Pages::new(database, Selection::default());
    assert_eq!(pages.total().unwrap(), 120);
    let pages: Vec<_> = pages.map(|page| page.unwrap()).collect();
    let lengths: Vec<usize> = pages.iter().map(Vec::len).collect();
    assert_eq!(lengths, [100, 20]);
    let mut ids: Vec<_> = pages.iter().flatten().map(|game| game.summary.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), recordings.len());
}

#[test]
fn what_does_not_take_a_game_is_told() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (_folder, database) = database();
    store(&database, &recordings()[..1]);
    let mut pages = Pages::new(database, Selection::default());
    let page = pages.next().unwrap().unwrap();
    let mut writer = Writer::new(Form::Lines, Full).unwrap();
    assert!(writer.push(&page[0]).is_err());
}

/// Files that belong together get their names together.
#[test]
fn a_name_that_is_taken_meanwhile_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a", "b", "c"].map(|name| folder.path().join(name));
    let outputs = files.each_ref().map(|file| Output::create(file).unwrap());
    fs::write(&files[1], "theirs").unwrap();
    assert!(Output::keep_all(outputs.into()).is_err());
    assert_eq!(fs::read_to_string(&files[1]).unwrap(), "theirs");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn places_are_few_and_come_back() {
    let places = Places::default();
    let callers = [1, 2, 3].map(|id| PlayerId::from_uuid(Uuid::from_u128(id)));
    let code = |nth: usize| places.take(callers[nth]).unwrap_err().code();
    let first = places.take(callers[0]).unwrap();
    assert_eq!(code(0), Code::RateLimited);
    let _second = places.take(callers[1]).unwrap();
    assert_eq!(code(2), Code::Unavailable);
    assert_eq!(code(1), Code::RateLimited);
    drop(first);
    assert!(places.take(callers[2]).is_ok());
    assert!(places.take(callers[0]).is_ok());
}
