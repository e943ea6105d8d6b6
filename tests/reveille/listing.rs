//! Lists of games, and who is on them.

use serde_json::{Value, json};
use tests::client::text;
use tests::game::{accept, challenge};
use tests::{Client, Game, Side, TestServer, assert_problem, on_both};

use crate::games::abort;
use crate::lines::EVEN;

fn listed(client: &Client, query: &str) -> Vec<String> {
    let page = client.get(&format!("/v1/games{query}")).ok(200);
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
    }
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
}
