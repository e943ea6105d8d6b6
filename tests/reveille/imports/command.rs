//! The command: what it takes, prints and ends with.

use std::fs;
use std::process::Stdio;

use serde_json::json;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::{Backend, TestServer, on_both};

use super::{Report, counted, import, text};
use crate::lines::EVEN;

fn game(seed: u64) -> GravonGame {
    GravonGame::random(&mut Dice::new(seed), 20)
}

/// Several games of a file have numbers, one alone has none.
fn games_of_one_file_are_numbered(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let inner = |seed| {
        let text = game(seed).xml();
        let (_, rest) = text.split_once("<stratego>").unwrap();
        rest.split_once("</stratego>").unwrap().0.to_owned()
    };
    let wrong = inner(2).replace("barrage", "free");
    let two = format!("<stratego>{}{wrong}{}</stratego>", inner(1), inner(3));
    fs::write(folder.path().join("a.xml"), two).unwrap();
    fs::write(folder.path().join("b\n.xml"), game(1).xml()).unwrap();
    let report = import(server, &[text(folder.path())]);
    assert_eq!(report.totals, [2, 1, 1]);
    let [first, second, third, fourth] = &report.lines[..] else {
        panic!("{:?}", report.lines);
    };
    let file = folder.path().join("a.xml");
    let begins = |line: &str, says: &str| {
        let whole = format!("{} {says}", text(&file));
        assert!(line.starts_with(&whole), "{line}");
    };
    begins(first, "game 1: imported ");
    begins(second, "game 2: rejected: unsupported_kind: ");
    begins(third, "game 3: imported ");
    let (_, id) = first.rsplit_once(' ').unwrap();
    assert!(
        fourth.ends_with(&format!("b\u{fffd}.xml: duplicate of {id}")),
        "{fourth}"
    );
}

/// A game of which no day is known ended when it was imported, however often.
fn what_has_no_date_is_dated_by_its_import(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.xml");
    fs::write(&file, game(1).xml()).unwrap();
    let report = import(server, &[text(&file)]);
    let id = report.ids()[0];
    let seen = server.client().get(&format!("/v1/games/{id}")).ok(200);
    let year = seen["finished_at"].as_str().unwrap()[..4].parse::<u32>();
    assert!(year.unwrap() >= 2026, "{seen}");
    assert_eq!(import(server, &[text(&file)]).totals, [0, 1, 0]);
}

/// A game that ends in the future would be the latest for as long.
fn what_is_yet_to_end_is_refused(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("barrage.2199.01.01.1.gsn");
    fs::write(&file, game(1).gsn()).unwrap();
    let report = import(server, &[text(&file)]);
    assert_eq!(report.totals, [0, 0, 1]);
    let line = &report.lines[0];
    assert!(line.contains(": rejected: bad_instant: "), "{line}");
}

/// A path that is not there is told of, and keeps no other from being imported.
fn a_path_that_is_not_there_is_a_fault(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.xml");
    fs::write(&file, game(1).xml()).unwrap();
    let missing = folder.path().join("missing.xml");
    let paths = [text(&missing), text(&file)];
    let output = server.command(&[&["import"][..], &paths].concat()).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report = Report::of(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(report.totals, [1, 0, 1]);
    assert!(report.lines[0].contains(": rejected: unreadable: "));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("error: cannot read") && said.contains("missing.xml"),
        "{said}"
    );
}

fn either_games_or_a_whole_server_is_imported(server: &TestServer) {
    for arguments in [
        &["import"][..],
        &["import", "--pseudonymise"],
        &["import", "--all", "x", "y"],
        &["import", "--all", "x", "--pseudonymise"],
    ] {
        let output = server.command(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

/// Whoever reads the report may have seen enough.
fn a_reader_that_goes_stops_no_import(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..200 {
        fs::write(folder.path().join(format!("{seed}.gsn")), game(seed).gsn()).unwrap();
    }
    let mut child = server
        .command(&["import", text(folder.path())])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(counted(&server.client()), (200, 200));
}

/// Two at once, of the same games: each is there once, and both tell of all.
fn two_imports_at_once_store_each_game_once(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..600 {
        fs::write(folder.path().join(format!("{seed}.gsn")), game(seed).gsn()).unwrap();
    }
    let both = [(); 2].map(|()| {
        let mut command = server.command(&["import", text(folder.path())]);
        command.stdout(Stdio::piped()).spawn().unwrap()
    });
    let reports = both.map(|child| {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        Report::of(&String::from_utf8(output.stdout).unwrap())
    });
    let [one, other] = reports.map(|report| report.totals);
    assert_eq!([one[0] + other[0], one[1] + other[1]], [600, 600]);
    assert_eq!(counted(&server.client()), (600, 600));
}

/// One game that the database does not take keeps no other from being stored.
fn what_the_database_does_not_take_is_rejected_alone(server: &TestServer) {
    let refusing = match server.backend() {
        Backend::Sqlite => {
            "CREATE TRIGGER refusing BEFORE INSERT ON games WHEN NEW.raw_ending = 77
             BEGIN SELECT RAISE(ABORT, 'not this one'); END"
        }
        Backend::Postgres => {
            "ALTER TABLE games ADD CONSTRAINT refusing CHECK (raw_ending IS DISTINCT FROM 77)"
        }
    };
    server.database().run(refusing);
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..9 {
        let mut game = game(seed);
        if seed == 4 {
            game.moves.truncate(6);
            (game.ending, game.winner) = (77, 3);
        }
        fs::write(folder.path().join(format!("{seed}.xml")), game.xml()).unwrap();
    }
    for totals in [[8, 0, 1], [0, 8, 1]] {
        let report = import(server, &[text(folder.path())]);
        assert_eq!(report.totals, totals);
        let said = report.by_name()["4.xml"];
        assert!(said.starts_with("rejected: not_storable: "), "{said}");
    }
    assert_eq!(counted(&server.client()), (8, 8));
}

fn a_database_that_is_not_there_or_of_before_is_refused(backend: Backend) {
    let server = TestServer::prepare(backend, &[]);
    let output = server.command(&["import", "x.xml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    let expected = match backend {
        Backend::Sqlite => "there is no database",
        Backend::Postgres => "reveille migrate",
    };
    assert!(said.contains(expected), "{said}");
}

/// Games go on while others are imported, and what is imported is there at once.
fn servers_run_meanwhile(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("1.xml"), game(1).xml()).unwrap();
    let mut played = EVEN.begin(server);
    played.line("i4xi7");
    let report = import(server, &[text(folder.path())]);
    let query = "query($id: UUID!) { game(id: $id) { source } }";
    let seen = played.red.query(query, &json!({"id": report.ids()[0]}));
    assert_eq!(seen["game"]["source"], "gravon");
    played.line("a7-a6");
}

on_both! {
    games_of_one_file_are_numbered,
    what_has_no_date_is_dated_by_its_import,
    what_is_yet_to_end_is_refused,
    a_path_that_is_not_there_is_a_fault,
    either_games_or_a_whole_server_is_imported,
    a_reader_that_goes_stops_no_import,
    two_imports_at_once_store_each_game_once,
    what_the_database_does_not_take_is_rejected_alone,
    a_database_that_is_not_there_or_of_before_is_refused,
    servers_run_meanwhile,
}
