//! A player's own stream: his games and his challenges.

use std::thread;

use serde_json::{Value, json};
use tests::client::text;
use tests::game::{accept, challenge};
use tests::{Client, Game, Side, TestServer, assert_problem, on_both};

use super::{assert_dense, follow_me, kinds};
use crate::lines::{EVEN, RED_TAKES_THE_FLAG};

/// Several games at once and what becomes of challenges, in numbers of his own.
fn a_player_hears_of_all_his_games_and_challenges(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let third = server.register("third");
    let mut stream = follow_me(&red, None);
    let mut others = follow_me(&third, None);
    let first = challenge(&red, Some(&blue), "barrage", &Value::Null).ok(201);
    let game = text(&accept(&blue, &first).ok(201)["id"]);
    let declined = challenge(&red, Some(&blue), "barrage", &Value::Null).ok(201);
    let path = format!("/v1/challenges/{}/decline", text(&declined["id"]));
    blue.post(&path, &json!({"reason": "no time"})).ok(204);
    let withdrawn = challenge(&red, None, "barrage", &Value::Null).ok(201);
    red.delete(&format!("/v1/challenges/{}", text(&withdrawn["id"])))
        .ok(204);
    let incoming = challenge(&blue, Some(&red), "barrage", &Value::Null).ok(201);
    let mut game = Game {
        id: game,
        red: red.clone(),
        blue: blue.clone(),
        ply: 0,
    };
    let (red_setup, blue_setup) = RED_TAKES_THE_FLAG.setups();
    game.place(Side::Red, &red_setup).ok(200);
    game.place(Side::Blue, &blue_setup).ok(200);
    crate::offers::offer(&game, Side::Red).ok(201);
    game.line(RED_TAKES_THE_FLAG.moves);
    let expected = [
        (1, "challenge.created"),
        (2, "challenge.closed"),
        (3, "challenge.created"),
        (4, "challenge.closed"),
        (5, "challenge.created"),
        (6, "challenge.closed"),
        (7, "challenge.created"),
        (8, "game.setup_placed"),
        (9, "game.setup_placed"),
        (10, "game.started"),
        (11, "game.offer"),
        (12, "game.move"),
        (13, "game.move"),
        (14, "game.offer"),
        (15, "game.move"),
        (16, "game.finished"),
    ];
    let live = stream.events(16);
    assert_eq!(kinds(&live), expected);
    let told: Vec<Value> = live.iter().map(|event| event.json()).collect();
    for (place, challenge, status) in [
        (0, &first, "open"),
        (1, &first, "accepted"),
        (2, &declined, "open"),
        (3, &declined, "declined"),
        (4, &withdrawn, "open"),
        (5, &withdrawn, "withdrawn"),
        (6, &incoming, "open"),
    ] {
        assert_eq!(told[place]["challenge_id"], challenge["id"], "{place}");
        assert_eq!(told[place]["challenge"]["status"], status, "{place}");
    }
    assert_eq!(told[0]["challenge"], first);
    assert_eq!(told[1]["challenge"]["game_id"], json!(game.id));
    assert_eq!(told[3]["challenge"]["decline_reason"], json!("no time"));
    // The other player hears the same of them, in another order of challenges at most.
    assert_dense(&follow_me(&blue, Some("0")).events(14), 1);
    // Of the offers of others he hears nothing; the open one is the first that concerns him.
    challenge(&blue, Some(&third), "barrage", &Value::Null).ok(201);
    let event = others.event();
    assert_eq!(
        (event.number(), event.name.as_str()),
        (1, "challenge.created")
    );
}

/// Many games of one player at the same time: no number twice, none left out, each game in order.
fn the_numbers_of_a_busy_player_are_dense(server: &TestServer) {
    let red = server.register("red");
    let games: Vec<Game> = (0..6)
        .map(|_| {
            Game::between(
                red.clone(),
                server.register("blue"),
                "barrage",
                &Value::Null,
            )
        })
        .collect();
    let mut stream = follow_me(&red, Some("0"));
    thread::scope(|scope| {
        for mut game in games {
            scope.spawn(move || {
                let (red, blue) = EVEN.setups();
                game.place(Side::Red, &red).ok(200);
                game.place(Side::Blue, &blue).ok(200);
                game.line(EVEN.moves);
            });
        }
    });
    let each = 2 + 3 + EVEN.plies() + 1;
    let all = stream.events(6 * each);
    assert_dense(&all, 1);
    let mut plies: std::collections::BTreeMap<String, Vec<u64>> =
        std::collections::BTreeMap::default();
    for event in all.iter().filter(|event| event.name == "game.move") {
        let data = event.json();
        let of_game = plies.entry(text(&data["game_id"])).or_default();
        of_game.push(data["move"]["ply"].as_u64().unwrap());
    }
    assert_eq!(plies.len(), 6);
    for of_game in plies.values() {
        let expected: Vec<u64> = (0..EVEN.plies() as u64).collect();
        assert_eq!(*of_game, expected);
    }
    // What was numbered stays so.
    assert_eq!(follow_me(&red, Some("0")).events(6 * each), all);
}

/// Who erases his account ends games and challenges, and those whom it concerns hear of it at once.
fn an_erased_account_ends_its_games_and_challenges_in_streams(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6");
    let mut stream = follow_me(&game.red, None);
    challenge(&game.blue, Some(&game.red), "barrage", &Value::Null).ok(201);
    assert_eq!(stream.event().name, "challenge.created");
    game.blue.delete("/v1/me").ok(204);
    let mut names: Vec<String> = stream
        .events(2)
        .into_iter()
        .map(|event| event.name)
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["challenge.closed", "game.finished"]);
    // What was told before can still be told.
    assert_dense(&follow_me(&game.red, Some("0")).events(10), 1);
}

fn a_players_stream_is_his_alone(server: &TestServer) {
    let red = server.register("red");
    assert_problem(
        &server.client().get("/v1/me/events"),
        401,
        "unauthenticated",
    );
    assert_problem(&red.get("/v1/me/events?from=1"), 400, "malformed_request");
    let narrow = json!({"name": "bot", "scopes": ["analysis"]});
    let token = red.post("/v1/me/tokens", &narrow);
    if token.status == 201 {
        let bot = red.with_token(Some(&text(&token.json()["token"])));
        let refused = Client::get(&bot, "/v1/me/events");
        assert_problem(&refused, 403, "insufficient_scope");
    }
}

on_both! {
    a_player_hears_of_all_his_games_and_challenges,
    the_numbers_of_a_busy_player_are_dense,
    an_erased_account_ends_its_games_and_challenges_in_streams,
    a_players_stream_is_his_alone,
}
