//! Both databases behave alike, also when pressed.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tests::client::{PASSWORD, text};
use tests::{Backend, Client, Game, Side, TestServer, assert_problem, on_both};

use crate::lines::{BLUE_TAKES_THE_FLAG, EVEN};

/// Gives identifiers, commitments and instants names in order of appearance, and checks that they are such.
#[derive(Default)]
struct Redaction {
    names: BTreeMap<String, String>,
}

impl Redaction {
    fn apply(&mut self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.apply(item)),
            Value::Object(fields) => {
                for (name, field) in fields.iter_mut() {
                    match field.as_str() {
                        Some(instant) if name.ends_with("_at") || name == "deadline" => {
                            assert!(
                                instant.len() == 24 && instant.ends_with('Z'),
                                "{name}: {instant}"
                            );
                            *field = json!("an instant");
                        }
                        Some(duration) if name == "think_time" || name == "time_left" => {
                            assert!(duration.starts_with('P'), "{name}: {duration}");
                            *field = json!("a duration");
                        }
                        Some(id) if is_uuid(id) || is_commitment(name, id) => {
                            let next = self.names.len();
                            let known = self.names.entry(id.to_owned());
                            *field = json!(known.or_insert_with(|| format!("id {next}")).clone());
                        }
                        _ => self.apply(field),
                    }
                }
            }
            _ => {}
        }
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            14 => byte == b'7',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Drawn by chance, as identifiers are.
fn is_commitment(name: &str, text: &str) -> bool {
    name == "setup_commitment"
        && text.len() == 64
        && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Two accounts, three games in different states, and everything that can be read of them.
fn story(server: &TestServer) -> Vec<(String, u16, Value)> {
    let (red, blue) = (
        Client::register_as(server.url(), "Red_One"),
        Client::register_as(server.url(), "Blue_One"),
    );
    let (red_setup, blue_setup) = EVEN.setups();
    let mut running = Game::between(red.clone(), blue.clone(), "barrage", &Value::Null);
    running.place(Side::Red, &red_setup).ok(200);
    running.place(Side::Blue, &blue_setup).ok(200);
    running.line("i4xi7 j7xj4 a4-a5");
    let in_setup = Game::between(blue.clone(), red.clone(), "duel", &json!({"rescue": true}));
    in_setup.place(Side::Red, "nonsense");
    let (red_setup, blue_setup) = BLUE_TAKES_THE_FLAG.setups();
    let mut ended = Game::between(
        red.clone(),
        blue.clone(),
        "barrage",
        &json!({"no_progress_plies": 60}),
    );
    ended.place(Side::Red, &red_setup).ok(200);
    ended.place(Side::Blue, &blue_setup).ok(200);
    ended.line(BLUE_TAKES_THE_FLAG.moves);

    let mut redaction = Redaction::default();
    let mut seen = Vec::new();
    let mut paths = vec![
        "/v1/games".to_owned(),
        "/v1/games?sort=deadline".to_owned(),
        "/v1/games?sort=updated&limit=2".to_owned(),
        "/v1/games?status=finished".to_owned(),
        "/v1/players/red_one".to_owned(),
        "/v1/challenges?direction=outgoing".to_owned(),
    ];
    for game in [&running, &in_setup, &ended] {
        paths.extend(
            ["", "/moves", "/replay", "/legal-moves", "/replay?ply=1"].map(|rest| game.path(rest)),
        );
    }
    for path in &paths {
        for viewer in [&red, &blue, &server.client()] {
            let answer = viewer.get(path);
            let mut body = answer.json();
            if let Some(next) = body.get_mut("next").filter(|next| next.is_string()) {
                *next = json!("a cursor");
            }
            if answer.status >= 400 {
                body["instance"] = json!("a path");
            }
            redaction.apply(&mut body);
            seen.push((
                format!("{} {}", viewer.name, generic(path)),
                answer.status,
                body,
            ));
        }
    }
    let query = "{ games(orderBy: FINISHED_DESC, first: 10) { edges { node {
        uuid ruleset status plies startedAt finishedAt outcome { winner reason } red { player { username } } } } } }";
    let order = server.client().query(query, &json!({}));
    for edge in order["games"]["edges"].as_array().unwrap() {
        let mut game = edge["node"].clone();
        game["startedAt"] = json!(game["startedAt"].is_string());
        game["finishedAt"] = json!(game["finishedAt"].is_string());
        redaction.apply(&mut game);
        seen.push(("graphql".to_owned(), 200, game));
    }
    seen
}

/// A path without the identifier in it.
fn generic(path: &str) -> String {
    path.split('/')
        .map(|part| if is_uuid(part) { "ID" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

/// D06: the same story gives the same answers, in the same order, with an unfinished game and an open
/// deadline among them.
#[test]
fn both_databases_tell_the_same_story() {
    let [sqlite, postgres] = Backend::ALL.map(|backend| story(&TestServer::start(backend)));
    assert_eq!(sqlite.len(), postgres.len());
    for (one, other) in sqlite.iter().zip(&postgres) {
        assert_eq!(one, other);
    }
}

/// D01: a cold start under pressure answers everything.
fn writes_on_a_cold_start_are_all_answered(server: &TestServer) {
    let statuses: Vec<u16> = thread::scope(|scope| {
        let writers: Vec<_> = (0..100)
            .map(|number| {
                scope.spawn(move || {
                    let body = json!({"username": format!("cold_{number}"), "password": PASSWORD});
                    let answer = server.client().post("/v1/auth/register", &body);
                    if answer.status != 201 {
                        assert_problem(&answer, 503, "unavailable");
                        assert!(answer.header("retry-after").is_some());
                    }
                    answer.status
                })
            })
            .collect();
        writers
            .into_iter()
            .map(|writer| writer.join().unwrap())
            .collect()
    });
    assert!(
        statuses.iter().filter(|status| **status == 201).count() >= 10,
        "{statuses:?}"
    );
    // Whoever was answered 201 exists.
    for (number, _) in statuses
        .iter()
        .enumerate()
        .filter(|(_, status)| **status == 201)
    {
        server
            .client()
            .get(&format!("/v1/players/cold_{number}"))
            .ok(200);
    }
}

/// D01: parallel writes to different games do not disturb each other.
fn games_are_played_in_parallel(server: &TestServer) {
    thread::scope(|scope| {
        let players: Vec<_> = (0..8).map(|_| scope.spawn(|| EVEN.play(server))).collect();
        for player in players {
            let game = player.join().unwrap();
            assert_eq!(game.view(&game.red)["outcome"]["reason"], "both_immobile");
        }
    });
}

/// D08: hashing passwords and reading lists block nobody who asks for little.
fn health_is_answered_while_the_workers_are_busy(server: &TestServer) {
    let player = server.register("busy");
    thread::scope(|scope| {
        let busy: Vec<_> = (0..48)
            .map(|number| {
                let player = &player;
                scope.spawn(move || {
                    if number % 2 == 0 {
                        let body = json!({"username": player.name, "password": PASSWORD});
                        server.client().post("/v1/auth/login", &body)
                    } else {
                        server.client().get("/v1/games?limit=100")
                    }
                })
            })
            .collect();
        while !busy.iter().all(thread::ScopedJoinHandle::is_finished) {
            server.client().get("/healthz").ok(200);
        }
        for one in busy {
            let answer = one.join().unwrap();
            if answer.status != 200 {
                assert_problem(&answer, 503, "unavailable");
                assert!(answer.header("retry-after").is_some());
            }
        }
    });
    server.client().get("/readyz").ok(200);
}

/// D07: an instant is the same instant wherever server and database think they are.
fn instants_do_not_move_with_time_zones(backend: Backend) {
    let mut server = TestServer::prepare(
        backend,
        &[("TZ", "America/New_York"), ("PGTZ", "Asia/Kolkata")],
    );
    if backend == Backend::Postgres {
        let name = server.database().name();
        server.database().execute(&format!(
            "ALTER DATABASE {name} SET timezone TO 'Asia/Kolkata'"
        ));
    }
    server.restart();
    let before = SystemTime::now();
    let mut game = EVEN.begin(&server);
    game.line("a4-a5");
    let after = SystemTime::now();
    let view = game.view(&game.red);
    for field in ["created_at", "started_at", "updated_at"] {
        let instant = instant(&text(&view[field]));
        assert!(
            instant >= before - Duration::from_millis(1) && instant <= after,
            "{field}: {}",
            view[field]
        );
    }
    let three_days = Duration::from_hours(72);
    let deadline = instant(&text(&view["deadline"]));
    assert!(
        deadline >= before + three_days - Duration::from_millis(1)
            && deadline <= after + three_days,
        "{view}"
    );
    // Read again by another process, it is still the same.
    server.stop();
    server.restart();
    let red = Client::new(server.url()).with_token(game.red.token.as_deref());
    assert_eq!(
        red.get(&game.path("")).ok(200)["deadline"],
        view["deadline"]
    );
}

/// Whatever is started is stopped in an orderly way, and a second start migrates nothing.
fn a_server_stops_when_told_and_starts_again(backend: Backend) {
    let mut server = TestServer::start(backend);
    server.register("first");
    for _ in 0..2 {
        assert!(server.stop().success(), "{}", server.stderr());
        server.restart();
        server.client().get("/readyz").ok(200);
    }
}

fn migrating_is_a_command_of_its_own(backend: Backend) {
    let mut server = TestServer::prepare(backend, &[]);
    for says in [
        "the schema was brought up to date\n",
        "the schema is up to date\n",
    ] {
        let done = server.command(&["migrate"]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&done.stdout), says);
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
    server.restart();
    server.client().get("/readyz").ok(200);
}

on_both! {
    writes_on_a_cold_start_are_all_answered,
    games_are_played_in_parallel,
    health_is_answered_while_the_workers_are_busy,
    instants_do_not_move_with_time_zones,
    a_server_stops_when_told_and_starts_again,
    migrating_is_a_command_of_its_own,
}

#[test]
fn a_database_of_another_kind_is_refused_with_a_sentence() {
    for url in [
        "mysql://localhost/reveille",
        "reveille.db",
        "host=localhost dbname=reveille",
    ] {
        let server = TestServer::prepare(Backend::Sqlite, &[("REVEILLE_DATABASE_URL", url)]);
        let refused = server.command(&["serve"]).output().unwrap();
        assert!(!refused.status.success(), "{url:?} is served");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(
            said.contains("sqlite://") && said.contains("postgres://"),
            "{url:?}: {said}"
        );
    }
}

#[test]
fn an_unknown_key_of_the_file_is_refused_by_name() {
    let server = TestServer::prepare(Backend::Sqlite, &[]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("reveille.toml");
    fs::write(&file, "listne = \"127.0.0.1:0\"\n").unwrap();
    let refused = server
        .command(&["serve", "--config", file.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("listne"), "{said}");
}

#[test]
fn every_command_has_help() {
    let server = TestServer::prepare(Backend::Sqlite, &[]);
    for (command, serves) in [
        ("serve", true),
        ("migrate", true),
        ("openapi", false),
        ("graphql-schema", false),
        ("verify", false),
    ] {
        let help = server.command(&[command, "--help"]).output().unwrap();
        assert!(help.status.success(), "{command}");
        let said = String::from_utf8_lossy(&help.stdout);
        assert!(said.contains("Usage:"), "{command}");
        assert_eq!(said.contains("--database-url"), serves, "{command}");
    }
}

/// RFC 3339 in UTC with milliseconds, as every instant is written.
fn instant(text: &str) -> SystemTime {
    let number = |range: std::ops::Range<usize>| text[range].parse::<i64>().unwrap();
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let seconds = number(11..13) * 3600 + number(14..16) * 60 + number(17..19);
    // Days since 1970 in the proleptic Gregorian calendar, counted from March.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days =
        year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 719_469;
    let millis = (days * 86_400 + seconds) * 1000 + number(20..23);
    UNIX_EPOCH + Duration::from_millis(millis.try_into().unwrap())
}
