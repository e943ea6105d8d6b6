//! Ratings over HTTP: one result, one change for each side, and the same in every view.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use storage::ratings::{Annulled, annul};
use storage::{GameId, PoolOptions};
use tests::client::text;
use tests::game::{accept, move_body};
use tests::rounds::faults;
use tests::{
    Backend, Client, EventStream, Game, Response, Side, TestServer, Timed, assert_problem, on_both,
};

use crate::lines::{EVEN, Line, RED_TAKES_THE_FLAG};

const START: f64 = 1500.0;

/// A game between two players that counts, with both armies in place and the moves made.
pub(crate) fn rated(red: &Client, blue: &Client, line: &Line, moves: &str, more: &Value) -> Game {
    let mut body = json!({
        "ruleset": line.ruleset, "color": "red", "opponent": blue.name, "rated": true,
        "time_control": {"kind": "per_move", "per_move": "P3D"},
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    let challenge = red.post("/v1/challenges", &body).ok(201);
    let mut game = Game {
        id: text(&accept(blue, &challenge).ok(201)["id"]),
        red: red.clone(),
        blue: blue.clone(),
        ply: 0,
    };
    let setups = line.setups();
    game.place(Side::Red, &setups.0).ok(200);
    game.place(Side::Blue, &setups.1).ok(200);
    game.line(moves);
    game
}

pub(crate) fn ratings(of: &Client) -> Value {
    of.get(&format!("/v1/players/{}/ratings", of.name)).ok(200)["items"].clone()
}

pub(crate) fn history(viewer: &Client, of: &Client) -> Vec<Value> {
    let path = format!("/v1/players/{}/rating-history", of.name);
    let page = viewer.get(&path).ok(200);
    assert_eq!(page["next"], Value::Null);
    page["items"].as_array().unwrap().clone()
}

pub(crate) fn points(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("no number: {value}"))
}

#[track_caller]
pub(crate) fn near(value: &Value, expected: f64) {
    assert!(
        (points(value) - expected).abs() < 0.005,
        "{value} is not {expected}"
    );
}

/// C15, E09: whoever asks for whatever finds the same, also after the power was cut.
fn a_result_and_its_ratings_are_the_same_everywhere(backend: Backend) {
    let mut server = TestServer::start(backend);
    let (red, blue) = (server.register("red"), server.register("blue"));
    assert_eq!(ratings(&red), json!([]));
    let game = rated(&red, &blue, &EVEN, "a4-a5 a7-a6", &Value::Null);
    let begun = game.view(&red);
    for side in ["red", "blue"] {
        let at_start = json!({"rating": START, "deviation": 350.0, "provisional": true});
        assert_eq!(begun[side]["rating"], at_start);
        assert_eq!(begun[side]["rating_change"], Value::Null);
    }
    game.resign(Side::Blue).ok(200);
    server.kill();
    server.restart();
    let (red, blue) = (red.at(server.url()), blue.at(server.url()));
    for (player, side, gained) in [(&red, "red", 162.31), (&blue, "blue", -162.31)] {
        let view = red.get(&game.path("")).ok(200);
        assert_eq!(view["status"], "finished");
        near(&view[side]["rating"]["rating"], START);
        near(&view[side]["rating_change"], gained);
        let list = red.get(&format!("/v1/games?player={}", red.name)).ok(200);
        for field in ["rating", "rating_change"] {
            assert_eq!(list["items"][0][side][field], view[side][field]);
        }
        let standing = ratings(player)[0].clone();
        near(&standing["rating"], START + gained);
        near(&standing["deviation"], 290.32);
        assert_eq!(
            [
                &standing["ruleset"],
                &standing["games"],
                &standing["provisional"]
            ],
            [&json!("barrage"), &json!(1), &json!(true)]
        );
        let rows = history(&blue, player);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0]["game_id"], json!(game.id));
        for field in ["ruleset", "rating", "deviation"] {
            assert_eq!(rows[0][field], standing[field]);
        }
        assert_eq!(rows[0]["at"], view["finished_at"]);
        let query = "query($name: String!, $id: UUID!) {
            player(username: $name) { ratings { ruleset rating deviation volatility games provisional } }
            game(id: $id) { red { rating } blue { rating } } }";
        let seen = red.query(query, &json!({"name": player.name, "id": game.id}));
        assert_eq!(seen["player"]["ratings"], ratings(player));
        assert_eq!(seen["game"][side]["rating"], json!(START));
    }
}

/// Ends a game in every way there is, all at one moment.
fn ends(game: &Game, offer: &str) -> Vec<Response> {
    let (resign, offers) = (game.path("/resign"), game.path("/offers"));
    let (moves, accept) = (game.path("/moves"), format!("{offers}/{offer}/accept"));
    let (empty, taking) = (json!({}), move_body(2, "e4xe7"));
    let ways = [
        (&game.red, &resign, &empty),
        (&game.blue, &resign, &empty),
        (&game.red, &moves, &taking),
        (&game.red, &accept, &empty),
    ];
    let start = Barrier::new(20);
    thread::scope(|scope| {
        let running: Vec<_> = ways
            .iter()
            .cycle()
            .take(20)
            .map(|(player, path, body)| {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    player.post(path, body)
                })
            })
            .collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

/// Twenty ends of one game, some of them after its deadline: one result, one change for each side, one
/// event.
fn twenty_ends_at_once_are_one_end(backend: Backend) {
    let timed = Timed::start(backend);
    let (mut red, mut blue) = (timed.register("red"), timed.register("blue"));
    let mut reasons = Vec::new();
    for round in 1..=faults(4, 100) {
        let line = &RED_TAKES_THE_FLAG;
        let mut game = rated(&red, &blue, line, "a4-a5 a7-a8", &Value::Null);
        let draw = json!({"kind": "draw"});
        blue.post(&game.path("/offers"), &draw).ok(201);
        let offer = text(&game.view(&red)["offers"][0]["id"]);
        if round % 2 == 0 {
            timed.advance([&mut red, &mut blue], Duration::from_hours(72));
            (game.red, game.blue) = (red.clone(), blue.clone());
        }
        let answers = ends(&game, &offer);
        for answer in &answers {
            assert!(answer.status < 500, "{answer:?}");
        }
        let view = game.view(&red);
        assert_eq!(view["status"], "finished");
        reasons.push(text(&view["outcome"]["reason"]));
        if round % 2 == 0 {
            assert_eq!(
                view["outcome"],
                json!({"winner": "blue", "reason": "timeout"})
            );
        }
        let events = EventStream::open(&red, &game.path("/events"), Some("999999"));
        let last = { events }.event().number();
        let told = EventStream::open(&red, &game.path("/events"), Some("0")).up_to(last);
        let finished = told.iter().filter(|event| event.name == "game.finished");
        assert_eq!(finished.count(), 1, "{told:?}");
        for (player, side) in [(&red, "red"), (&blue, "blue")] {
            let path = format!("/v1/players/{}/rating-history?limit=100", player.name);
            let rows = player.get(&path).ok(200)["items"].clone();
            let rows = rows.as_array().unwrap();
            assert_eq!(rows.len(), round, "{reasons:?}");
            let (last, before) = (&rows[round - 1], rows.get(round.wrapping_sub(2)));
            let before = before.map_or(START, |row| points(&row["rating"]));
            assert_eq!(last["game_id"], json!(game.id));
            let standing = &ratings(player)[0];
            assert_eq!(standing["games"], json!(round));
            assert_eq!(standing["rating"], last["rating"]);
            near(
                &view[side]["rating_change"],
                points(&last["rating"]) - before,
            );
        }
    }
    println!("{reasons:?}");
}

/// E06: what is unrated, and what ends before both have moved.
fn what_does_not_count_shows_no_change(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let unrated = json!({"rated": false});
    let game = rated(&red, &blue, &EVEN, "a4-a5 a7-a6", &unrated);
    game.resign(Side::Red).ok(200);
    let early = rated(&red, &blue, &EVEN, "a4-a5", &Value::Null);
    early.resign(Side::Blue).ok(200);
    let called_off = rated(&red, &blue, &EVEN, "", &Value::Null);
    red.post(&called_off.path("/abort"), &json!({})).ok(200);
    for (game, status) in [
        (&game, "finished"),
        (&early, "aborted"),
        (&called_off, "aborted"),
    ] {
        let view = game.view(&red);
        assert_eq!(view["status"], status);
        for side in ["red", "blue"] {
            assert_eq!(view[side]["rating_change"], Value::Null);
        }
    }
    assert_eq!((ratings(&red), ratings(&blue)), (json!([]), json!([])));
    let list = red.get(&format!("/v1/games?player={}", red.name)).ok(200);
    assert_eq!(list["items"].as_array().unwrap().len(), 3);
}

/// A game is as its players were when it was made, so that its tag holds while other games end.
fn the_end_of_a_game_does_not_move_another(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let running = rated(&red, &blue, &EVEN, "a4-a5 a7-a6", &Value::Null);
    let other = rated(&red, &blue, &EVEN, "a4-a5 a7-a6", &Value::Null);
    let before = red.get(&running.path(""));
    other.resign(Side::Blue).ok(200);
    let after = red.get(&running.path(""));
    assert_eq!(after.text(), before.text());
    assert_eq!(after.header("etag"), before.header("etag"));
    let next = rated(&red, &blue, &EVEN, "", &Value::Null);
    near(&next.view(&red)["red"]["rating"]["rating"], START + 162.31);
}

fn annul_behind(server: &TestServer, game: &Game) -> Annulled {
    let options = PoolOptions::default();
    let database = storage::Database::open(server.database().url(), &options).unwrap();
    let id = GameId::from_uuid(game.id.parse().unwrap());
    let now = domain::Timestamp::from_micros(1_795_986_000_000_000);
    database
        .write(|connection| annul(connection, id, "played by a program", now))
        .unwrap()
}

/// E07, E08: a game in the middle is annulled: it says so, later ones are rated anew, and what the
/// server had at hand of them is not shown any more.
fn an_annulled_game_counts_nowhere(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let games: Vec<Game> = (0..3)
        .map(|_| {
            let game = rated(&red, &blue, &EVEN, "a4-a5 a7-a6", &Value::Null);
            game.resign(Side::Blue).ok(200);
            game
        })
        .collect();
    let before: Vec<Response> = games.iter().map(|game| red.get(&game.path(""))).collect();
    assert_eq!(
        annul_behind(server, &games[1]),
        Annulled::Now { rated_anew: 1 }
    );
    assert_eq!(annul_behind(server, &games[1]), Annulled::Before);
    let after: Vec<Response> = games.iter().map(|game| red.get(&game.path(""))).collect();
    assert_eq!(before[0].text(), after[0].text());
    for nth in [1, 2] {
        assert_ne!(before[nth].header("etag"), after[nth].header("etag"));
    }
    let annulled = after[1].json();
    assert_eq!(
        [
            &annulled["rated"],
            &annulled["annulled"]["reason"],
            &annulled["status"]
        ],
        [
            &json!(false),
            &json!("played by a program"),
            &json!("finished")
        ]
    );
    assert_eq!(annulled["outcome"], before[1].json()["outcome"]);
    assert_eq!(annulled["red"]["rating_change"], Value::Null);
    // As if there had been two games.
    let gained = |answer: &Response| points(&answer.json()["red"]["rating_change"]);
    let second = gained(&before[1]);
    assert!((gained(&after[2]) - second).abs() < 0.005, "{second}");
    let standing = &ratings(&red)[0];
    assert_eq!(standing["games"], 2);
    near(
        &standing["rating"],
        START + gained(&after[0]) + gained(&after[2]),
    );
    let rows = history(&red, &red);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[2]["rating"], standing["rating"]);
    let marked: Vec<_> = rows.iter().map(|row| &row["annulled"]).collect();
    assert_eq!(marked, [&json!(false), &json!(true), &json!(false)]);
    assert_eq!(rows[1]["rating"], rows[0]["rating"]);
}

/// A private game is told to its players alone: others learn neither which it is nor when it ended.
fn a_private_game_is_hidden_in_a_history(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let third = server.register("third");
    let private = json!({"private": true});
    let game = rated(&red, &blue, &EVEN, "a4-a5 a7-a6", &private);
    game.resign(Side::Blue).ok(200);
    let open = rated(&red, &blue, &EVEN, "a4-a5 a7-a6", &Value::Null);
    open.resign(Side::Blue).ok(200);
    for viewer in [&red, &blue] {
        assert_eq!(history(viewer, &red)[0]["game_id"], json!(game.id));
    }
    for viewer in [&third, &server.client()] {
        let path = format!("/v1/players/{}/rating-history?limit=1", red.name);
        let page = viewer.get(&path).ok(200);
        let row = &page["items"][0];
        assert_eq!(row["game_id"], Value::Null);
        assert!(text(&row["at"]).ends_with("T00:00:00.000Z"), "{row}");
        assert!(!page.to_string().contains(&game.id), "{page}");
        let next = text(&page["next"]);
        let rest = viewer.get(&format!("{path}&after={next}")).ok(200);
        assert_eq!(rest["items"][0]["game_id"], json!(open.id));
        assert_eq!(rest["items"][0]["rating"], ratings(&red)[0]["rating"]);
    }
}

/// D27: equal ratings, page by page.
fn a_leaderboard_has_everybody_once(server: &TestServer) {
    let bytes = |number: u32| match server.backend() {
        Backend::Sqlite => format!("x'{number:032x}'"),
        Backend::Postgres => format!("'\\x{number:032x}'"),
    };
    // The last two are provisional and erased.
    for number in 1..=27 {
        let (id, erased) = (bytes(number), if number == 27 { "1" } else { "NULL" });
        server.database().run(&format!(
            "INSERT INTO players (id, username, username_key, preferences, created_at, erased_at)
             VALUES ({id}, 'Leader{number}', 'leader{number}', '{{}}', {number}, {erased})"
        ));
        let deviation = if number == 26 { 110 } else { 60 };
        server.database().run(&format!(
            "INSERT INTO ratings
             (player_id, ruleset, rating, deviation, volatility, games, changes)
             VALUES ({id}, 'duel', 1500000000, {deviation}000000, 60000000, 9, 9)"
        ));
    }
    let expected: Vec<String> = (1..=25).map(|number| format!("Leader{number}")).collect();
    let client = server.client();
    let (mut seen, mut lengths, mut after) = (Vec::new(), Vec::new(), String::new());
    loop {
        let path = format!("/v1/leaderboards/duel?limit=10{after}");
        let page = client.get(&path).ok(200);
        let items = page["items"].as_array().unwrap();
        lengths.push(items.len());
        for item in items {
            seen.push(text(&item["player"]["username"]));
            assert_eq!(item["provisional"], false);
            near(&item["rating"], START);
        }
        if page["next"].is_null() {
            break;
        }
        after = format!("&after={}", text(&page["next"]));
    }
    assert_eq!(lengths, [10, 10, 5]);
    assert_eq!(seen, expected);
    let query = "query($after: String) { leaderboard(ruleset: \"duel\", first: 10, after: $after) {
        edges { node { player { username } rating games } } pageInfo { hasNextPage endCursor } } }";
    let (mut seen, mut after) = (Vec::new(), Value::Null);
    loop {
        let page = client.query(query, &json!({"after": after}))["leaderboard"].clone();
        let edges = page["edges"].as_array().unwrap();
        seen.extend(
            edges
                .iter()
                .map(|edge| text(&edge["node"]["player"]["username"])),
        );
        if page["pageInfo"]["hasNextPage"] == false {
            break;
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
    assert_eq!(seen, expected);
    assert_eq!(
        client.get("/v1/leaderboards/barrage").ok(200)["items"],
        json!([])
    );
    assert_problem(&client.get("/v1/leaderboards/chess"), 404, "not_found");
    for path in [
        "/v1/leaderboards/duel?after=x",
        "/v1/leaderboards/duel?limit=0",
    ] {
        assert_problem(&client.get(path), 400, "malformed_request");
    }
}

fn an_erased_player_keeps_a_history_that_nobody_is_shown(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let game = rated(&red, &blue, &EVEN, "a4-a5 a7-a6", &Value::Null);
    red.delete("/v1/me").ok(204);
    let view = game.view(&blue);
    assert_eq!(
        view["outcome"],
        json!({"winner": "blue", "reason": "resignation"})
    );
    near(&view["blue"]["rating_change"], 162.31);
    let gone = text(&view["red"]["player"]["username"]);
    for rest in ["ratings", "rating-history"] {
        let path = format!("/v1/players/{gone}/{rest}");
        assert_problem(&blue.get(&path), 410, "gone");
        let unknown = blue.get(&format!("/v1/players/nobody_here/{rest}"));
        assert_problem(&unknown, 404, "not_found");
    }
    assert_eq!(history(&blue, &blue)[0]["game_id"], json!(game.id));
    let path = format!("/v1/players/{}/rating-history?after=x", blue.name);
    assert_problem(&blue.get(&path), 400, "malformed_request");
    // A place in another's history, which this one does not have.
    let place = "WyJkdWVsIiw5XQ";
    let path = format!("/v1/players/{}/rating-history?after={place}", blue.name);
    assert_problem(&blue.get(&path), 400, "malformed_request");
}

on_both! {
    a_result_and_its_ratings_are_the_same_everywhere,
    twenty_ends_at_once_are_one_end,
    what_does_not_count_shows_no_change,
    the_end_of_a_game_does_not_move_another,
    an_annulled_game_counts_nowhere,
    a_private_game_is_hidden_in_a_history,
    a_leaderboard_has_everybody_once,
    an_erased_player_keeps_a_history_that_nobody_is_shown,
}
