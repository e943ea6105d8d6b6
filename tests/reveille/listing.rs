//! Lists of games, and who is on them.

use serde_json::{Value, json};
use tests::client::text;
use tests::game::{accept, challenge};
use tests::{Client, Game, Side, TestServer, assert_problem, on_both};

use crate::games::abort;
use crate::lines::EVEN;

fn listed(client: &Client, query: &str) -> Vec<String> {
    listed_at(client, &format!("/v1/games{query}"))
}

/// As a player's own list has them.
fn listed_of(client: &Client, username: &str, query: &str) -> Vec<String> {
    listed_at(client, &format!("/v1/players/{username}/games{query}"))
}

fn listed_at(client: &Client, path: &str) -> Vec<String> {
    let page = client.get(path).ok(200);
    page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| text(&game["id"]))
        .collect()
}

fn games_are_listed_by_player_status_ruleset_and_turn(server: &TestServer) {
    let mut running = EVEN.begin(server);
    let ended = Game::between(
        running.red.clone(),
        running.blue.clone(),
        "duel",
        &Value::Null,
    );
    abort(&ended, Side::Blue).ok(200);
    let (red, blue) = (running.red.name.clone(), running.blue.name.clone());
    let both = listed(&server.client(), &format!("?player={red}"));
    assert_eq!(both.len(), 2);
    assert_eq!(
        listed(
            &server.client(),
            &format!("?player={}", blue.to_uppercase())
        )
        .len(),
        2
    );
    assert_eq!(
        listed(&running.red, &format!("?player={red}&status=active")),
        [&*running.id]
    );
    assert_eq!(
        listed(&running.red, &format!("?player={red}&status=aborted")),
        [&*ended.id]
    );
    assert_eq!(
        listed(&running.red, &format!("?player={red}&ruleset=duel")),
        [&*ended.id]
    );
    assert_eq!(
        listed(&running.red, "?turn=mine&sort=deadline"),
        [&*running.id]
    );
    assert!(listed(&running.blue, "?turn=mine").is_empty());
    running.line("a4-a5");
    assert_eq!(listed(&running.blue, "?turn=mine"), [&*running.id]);
    assert_eq!(
        listed(&running.red, &format!("?player={red}&sort=updated"))[0],
        running.id
    );
    assert_problem(
        &server.client().get("/v1/games?turn=mine"),
        401,
        "unauthenticated",
    );
    assert!(listed(&server.client(), "?player=nobody_at_all").is_empty());
}

fn a_private_game_is_nobody_elses(server: &TestServer) {
    let (red, blue, third) = (
        server.register("red"),
        server.register("blue"),
        server.register("third"),
    );
    let body = json!({"ruleset": "barrage", "color": "red", "opponent": blue.name, "private": true,
                      "time_control": {"kind": "unlimited"}});
    let made = red.post("/v1/challenges", &body).ok(201);
    let mut game = Game {
        id: text(&accept(&blue, &made).ok(201)["id"]),
        red,
        blue,
        ply: 0,
    };
    let (red_setup, blue_setup) = EVEN.setups();
    game.place(Side::Red, &red_setup).ok(200);
    game.place(Side::Blue, &blue_setup).ok(200);
    game.line("a4-a5 a7-a6");
    for ended in [false, true] {
        if ended {
            game.resign(Side::Red).ok(200);
        }
        for client in [&third, &server.client()] {
            for rest in ["", "/moves", "/replay", "/replay?viewpoint=public"] {
                assert_problem(&client.get(&game.path(rest)), 404, "not_found");
            }
            assert!(listed(client, &format!("?player={}", game.red.name)).is_empty());
            assert!(listed_of(client, &game.red.name, "").is_empty());
            assert!(listed_of(client, &game.blue.name, "?sort=deadline").is_empty());
            let seen = client.query(
                "query($id: UUID!) { game(id: $id) { uuid } }",
                &json!({"id": game.id}),
            );
            assert_eq!(seen["game"], Value::Null);
        }
        assert_eq!(game.view(&game.red)["private"], true);
        assert_eq!(
            listed(&game.blue, &format!("?player={}", game.red.name)),
            [game.id.clone()]
        );
        for player in [&game.red, &game.blue] {
            assert_eq!(listed_of(&game.blue, &player.name, ""), [&*game.id]);
        }
    }
}

/// A player's games are those of the whole list with him as the filter.
fn a_players_games_are_those_of_the_list_of_all(server: &TestServer) {
    let games: Vec<Game> = (0..3).map(|_| EVEN.begin(server)).collect();
    let (red, third) = (games[0].red.clone(), server.register("third"));
    let more = Game::between(red.clone(), third.clone(), "duel", &Value::Null);
    abort(&more, Side::Blue).ok(200);
    let name = red.name.to_uppercase();
    for query in [
        "",
        "status=aborted",
        "ruleset=barrage",
        "turn=mine",
        "sort=deadline",
        "limit=1",
    ] {
        let whole = format!("/v1/games?player={}&{query}", red.name);
        let own = format!("/v1/players/{name}/games?{query}");
        let page = red.get(&own).ok(200);
        assert_eq!(page, red.get(&whole).ok(200), "{query}");
        assert_ne!(page["items"], json!([]), "{query}");
    }
    let first = red
        .get(&format!("/v1/players/{name}/games?limit=1"))
        .ok(200);
    let next = text(&first["next"]);
    let rest = listed_of(&red, &name, &format!("?limit=1&after={next}"));
    assert_eq!(
        [text(&first["items"][0]["id"]), rest[0].clone()],
        [more.id.clone(), games[0].id.clone()]
    );
    let get = |query: &str| red.get(&format!("/v1/players/{query}"));
    assert_problem(&get("nobody_at_all/games"), 404, "not_found");
    assert_problem(
        &get(&format!("{name}/games?player={name}")),
        400,
        "malformed_request",
    );
    let none = server.register("none").name;
    assert!(listed_of(&server.client(), &none, "").is_empty());
    let path = format!("/v1/players/{name}/games?turn=mine");
    assert_problem(&server.client().get(&path), 401, "unauthenticated");
}

/// What waits for the caller stands beside every list of games, for him alone.
fn lists_tell_how_much_waits_for_the_caller(server: &TestServer) {
    let waiting = |client: &Client, query: &str| {
        let answer = client.get(&format!("/v1/games{query}"));
        answer.ok(200);
        let count = |name: &str| {
            let header = answer.header(&format!("reveille-{name}"));
            header.map(|count| count.parse::<u64>().unwrap())
        };
        [
            count("games-your-turn"),
            count("games-running"),
            count("challenges-incoming"),
        ]
    };
    let some = |counts: [u64; 3]| counts.map(Some);
    let mut game = EVEN.begin(server);
    let (red, blue) = (game.red.clone(), game.blue.clone());
    Game::between(red.clone(), blue.clone(), "duel", &Value::Null);
    let sent = challenge(&red, Some(&blue), "barrage", &Value::Null).ok(201);
    challenge(&red, None, "barrage", &Value::Null).ok(201);
    for query in ["", "?turn=mine&sort=deadline", "?limit=1&status=aborted"] {
        assert_eq!(waiting(&red, query), some([1, 2, 0]));
        assert_eq!(waiting(&blue, query), some([0, 2, 1]));
    }
    assert_eq!(waiting(&server.register("third"), ""), some([0, 0, 0]));
    assert_eq!(waiting(&server.client(), ""), [None; 3]);
    game.line("a4-a5 a7-a6 b4-b5");
    accept(&blue, &sent).ok(201);
    assert_eq!(waiting(&red, ""), some([0, 3, 0]));
    assert_eq!(waiting(&blue, ""), some([1, 3, 0]));
    game.resign(Side::Blue).ok(200);
    assert_eq!(waiting(&blue, ""), some([0, 2, 0]));
    assert_problem(
        &red.with_token(Some("a.b.c")).get("/v1/games"),
        401,
        "unauthenticated",
    );
}

on_both! {
    lists_tell_how_much_waits_for_the_caller,
    games_are_listed_by_player_status_ruleset_and_turn,
    a_private_game_is_nobody_elses,
    a_players_games_are_those_of_the_list_of_all,
}
