//! Private notes on games: what is noted, and that nobody else sees it.

use serde_json::{Value, json};
use tests::client::{PASSWORD, text};
use tests::game::accept;
use tests::{Client, EventStream, Game, Response, Side, TestServer, assert_problem, on_both};

use crate::lines::EVEN;
use crate::secrets::read_everything;

const WORD: &str = "marshal-at-a7-unless-he-bluffs";

fn write(client: &Client, game: &Game, text: &str) -> Response {
    client.put(&game.path("/notes"), &json!({"text": text}))
}

fn read(client: &Client, game: &Game) -> Value {
    client.get(&game.path("/notes")).ok(200)
}

fn a_note_is_written_read_and_deleted(server: &TestServer) {
    let game = EVEN.begin(server);
    let nothing = json!({"text": "", "updated_at": null});
    assert_eq!(read(&game.red, &game), nothing);
    let long = "é".repeat(9_990);
    for text in ["flag at b10?\n\tthen bombs", &*long, "𝔘"] {
        let written = write(&game.red, &game, text).ok(200);
        assert_eq!(written["text"], text);
        assert!(written["updated_at"].is_string(), "{written}");
        assert_eq!(read(&game.red, &game), written);
    }
    // Whoever may see the game may keep some, in its every state.
    let third = server.register("third");
    write(&third, &game, "watch this").ok(200);
    assert_eq!(read(&game.blue, &game), nothing);
    game.resign(Side::Red).ok(200);
    write(&game.blue, &game, "over").ok(200);
    assert_eq!(read(&third, &game)["text"], "watch this");
    let answer = third.get(&game.path("/notes"));
    let tag = answer.header("etag").unwrap();
    assert!(answer.header("cache-control").unwrap().contains("private"));
    let again = third.request("GET", &game.path("/notes"));
    assert_eq!(again.header("if-none-match", tag).send().status, 304);
    for _ in 0..2 {
        third.delete(&game.path("/notes")).ok(204);
        assert_eq!(read(&third, &game), nothing);
    }
    // An empty text is none.
    assert_eq!(write(&game.blue, &game, "").ok(200), nothing);
    assert_eq!(read(&game.blue, &game), nothing);
    assert_eq!(read(&game.red, &game)["text"], "𝔘");
}

fn what_is_no_note_is_refused(server: &TestServer) {
    let game = EVEN.begin(server);
    write(&game.red, &game, "kept").ok(200);
    for text in [&*"x".repeat(10_001), "a\0b", "\u{1b}[2J"] {
        let refused = write(&game.red, &game, text);
        assert_problem(&refused, 422, "validation_failed");
        assert_eq!(refused.json()["errors"][0]["field"], "text");
    }
    for body in [
        json!({}),
        json!({"text": 1}),
        json!({"text": "a", "to": "blue"}),
        json!([]),
    ] {
        let refused = game.red.put(&game.path("/notes"), &body);
        assert_problem(&refused, 400, "malformed_request");
    }
    assert_eq!(read(&game.red, &game)["text"], "kept");
    for method in ["GET", "PUT", "DELETE"] {
        let ask = |client: &Client, path: &str| {
            let request = client.request(method, path);
            // What is wrong with the body is said last.
            request.json(&json!({"wrong": true})).send()
        };
        assert_problem(
            &ask(&server.client(), &game.path("/notes")),
            401,
            "unauthenticated",
        );
        let nowhere = "/v1/games/0190f0a0-0000-7000-8000-000000000000/notes";
        assert_problem(&ask(&game.red, nowhere), 404, "not_found");
    }
}

fn on_a_private_game_only_its_players_note(server: &TestServer) {
    let (red, blue, third) = (
        server.register("red"),
        server.register("blue"),
        server.register("third"),
    );
    let body = json!({"ruleset": "barrage", "opponent": blue.name, "private": true,
                      "time_control": {"kind": "unlimited"}});
    let made = red.post("/v1/challenges", &body).ok(201);
    let id = text(&accept(&blue, &made).ok(201)["id"]);
    let game = Game {
        id,
        red,
        blue,
        ply: 0,
    };
    write(&game.red, &game, WORD).ok(200);
    write(&game.blue, &game, "his").ok(200);
    assert_problem(&write(&third, &game, "x"), 404, "not_found");
    assert_problem(&third.get(&game.path("/notes")), 404, "not_found");
    assert_problem(&third.delete(&game.path("/notes")), 404, "not_found");
    assert_eq!(read(&game.red, &game)["text"], WORD);
}

/// B11: in no answer, list, event or nested path of anybody else, during the game and after it.
fn a_note_is_its_authors_alone(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let (third, anonymous) = (server.register("third"), server.client());
    let others = [game.blue.clone(), server.register("fourth"), anonymous];
    let assert_kept = |game: &Game| {
        for other in &others {
            for answer in read_everything(game, other) {
                assert!(!answer.text().contains(WORD), "{answer:?}");
            }
        }
    };
    game.line("a4-a5 a7-a6");
    let mut stream = EventStream::send(&game.blue, "GET", &game.path("/events"), &[]);
    let before = game.blue.get(&game.path(""));
    write(&game.red, &game, WORD).ok(200);
    write(&third, &game, WORD).ok(200);
    let after = game.blue.get(&game.path(""));
    assert_eq!(after.header("etag"), before.header("etag"));
    assert_kept(&game);
    // The next that is told is the next move.
    game.line("b4-b5");
    assert_eq!(stream.event().name, "game.move");
    game.resign(Side::Blue).ok(200);
    assert_kept(&game);
    assert_eq!(read(&game.blue, &game)["text"], "");
    assert!(!server.stderr().contains(WORD));
    // With the account it is gone, and nobody writes for it any more.
    game.red.delete("/v1/me").ok(204);
    assert_problem(&game.red.get(&game.path("/notes")), 401, "unauthenticated");
    assert_problem(&write(&game.red, &game, "back"), 401, "unauthenticated");
    let login = json!({"username": game.red.name, "password": PASSWORD});
    assert_eq!(server.client().post("/v1/auth/login", &login).status, 401);
}

on_both! {
    a_note_is_written_read_and_deleted,
    what_is_no_note_is_refused,
    on_a_private_game_only_its_players_note,
    a_note_is_its_authors_alone,
}
