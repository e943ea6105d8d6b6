//! Both databases behave alike, also when pressed.

use std::fs;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::json;
use tests::client::{PASSWORD, text};
use tests::{Backend, Client, TestServer, assert_problem, on_both};

use crate::lines::EVEN;

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

/// D08: two connections and fifty heavy reads. Health waits for none of them, and a move is made or refused
/// for now; nothing hangs.
fn a_small_pool_hangs_nobody(backend: Backend) {
    let server = TestServer::start_with(backend, &[("REVEILLE_DATABASE_POOL_SIZE", "2")]);
    let mut game = EVEN.begin(&server);
    game.line("i4xi7 j7xj4 a4-a5");
    let heavy = "{ games(first: 20) { edges { node { replay { frames(first: 20) { edges { node {
        pieces { pieceId possible { rank probability } } } } } } } } } }";
    thread::scope(|scope| {
        let reads: Vec<_> = (0..50)
            .map(|_| scope.spawn(|| server.client().graphql(heavy, &json!({})).ok(200)))
            .collect();
        let played = scope.spawn(|| game.attempt("a7-a6"));
        let mut asked = 0;
        while asked == 0 || !reads.iter().all(thread::ScopedJoinHandle::is_finished) {
            let began = Instant::now();
            server.client().get("/healthz").ok(200);
            let took = began.elapsed();
            assert!(took < Duration::from_secs(2), "health took {took:?}");
            asked += 1;
        }
        let played = played.join().unwrap();
        if played.status != 201 {
            assert_problem(&played, 503, "unavailable");
            assert!(played.header("retry-after").is_some());
        }
        for read in reads {
            // What was refused says so in its errors.
            let answer = read.join().unwrap();
            let is_told = answer["data"].is_object() || answer["errors"].is_array();
            assert!(is_told, "{answer}");
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
    a_small_pool_hangs_nobody,
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
