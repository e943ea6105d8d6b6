//! Who wants nothing of whom: blocks, and the preference who may challenge.

use serde_json::{Value, json};
use tests::client::text;
use tests::game::{accept, challenge};
use tests::problem::assert_invalid;
use tests::{Client, EventStream, Response, Side, TestServer, assert_problem, on_both};

use crate::lines::EVEN;
use crate::races::at_once;

fn block(player: &Client, name: &str) -> Response {
    player.put(&format!("/v1/me/blocks/{name}"), &json!({}))
}

fn unblock(player: &Client, name: &str) -> Response {
    player.delete(&format!("/v1/me/blocks/{name}"))
}

fn to(from: &Client, to: &Client) -> Response {
    challenge(from, Some(to), "barrage", &Value::Null)
}

fn open(from: &Client) -> Value {
    challenge(from, None, "barrage", &Value::Null).ok(201)
}

fn prefer(player: &Client, challenges: &Value) -> Response {
    let body = json!({"preferences": {"challenges": challenges}});
    player.patch("/v1/me", &body)
}

fn a_blocked_player_makes_and_accepts_no_challenges(server: &TestServer) {
    let (player, blocked) = (server.register("player"), server.register("blocked"));
    let stands = open(&player);
    block(&player, &blocked.name.to_uppercase()).ok(204);
    block(&player, &blocked.name).ok(204);
    assert_problem(&to(&blocked, &player), 403, "forbidden");
    assert_problem(&accept(&blocked, &stands), 403, "forbidden");
    // He could not accept one.
    assert_problem(&to(&player, &blocked), 403, "forbidden");
    // That he wants nothing himself is no reason.
    accept(&player, &open(&blocked)).ok(201);
    unblock(&player, &blocked.name).ok(204);
    unblock(&player, &blocked.name).ok(204);
    to(&blocked, &player).ok(201);
    accept(&blocked, &stands).ok(201);
}

/// A challenge that is made while its maker is blocked is closed with the rest, or not made.
fn a_challenge_that_races_a_block_does_not_stand(server: &TestServer) {
    for _ in 0..3 {
        let (player, blocked) = (server.register("player"), server.register("blocked"));
        let ask = || to(&blocked, &player);
        let refuse = || block(&player, &blocked.name);
        let requests: [&(dyn Fn() -> Response + Sync); 7] =
            [&ask, &ask, &ask, &refuse, &ask, &ask, &ask];
        at_once(&requests)[3].ok(204);
        let left = player.get("/v1/challenges?direction=incoming").ok(200);
        assert_eq!(left["items"], json!([]));
        // Nor one of his own.
        unblock(&player, &blocked.name).ok(204);
        let ask = || to(&player, &blocked);
        let requests: [&(dyn Fn() -> Response + Sync); 4] = [&ask, &ask, &refuse, &ask];
        at_once(&requests)[2].ok(204);
        let left = player.get("/v1/challenges?direction=outgoing").ok(200);
        assert_eq!(left["items"], json!([]));
    }
}

fn what_two_have_challenged_each_other_to_is_closed(server: &TestServer) {
    let (player, blocked) = (server.register("player"), server.register("blocked"));
    let made = to(&player, &blocked).ok(201);
    let received = to(&blocked, &player).ok(201);
    let others = open(&blocked);
    let mut told = EventStream::open(&blocked, "/v1/me/events", None);
    block(&player, &blocked.name).ok(204);
    for event in told.events(2) {
        assert_eq!(event.name, "challenge.closed");
    }
    let status = |challenge: &Value| {
        let path = format!("/v1/challenges/{}", text(&challenge["id"]));
        blocked.get(&path).ok(200)["status"].clone()
    };
    assert_eq!(status(&made), "withdrawn");
    assert_eq!(status(&received), "declined");
    assert_eq!(status(&others), "open");
}

fn a_blocked_player_offers_nothing_and_plays_on(server: &TestServer) {
    let mut game = EVEN.begin(server);
    block(&game.blue, &game.red.name).ok(204);
    let offers = game.path("/offers");
    let offer = |player: &Client| player.post(&offers, &json!({"kind": "draw"}));
    assert_problem(&offer(&game.red), 403, "forbidden");
    let third = server.register("third");
    assert_problem(&offer(&third), 403, "forbidden");
    let made = offer(&game.blue).ok(201);
    let path = format!("/offers/{}/decline", text(&made["id"]));
    game.red.post(&game.path(&path), &json!({})).ok(200);
    game.line("a4-a5");
    unblock(&game.blue, &game.red.name).ok(204);
    offer(&game.red).ok(201);
    game.resign(Side::Red).ok(200);
    block(&game.blue, &game.red.name).ok(204);
    let rematch = |player: &Client| player.post(&game.path("/rematch"), &json!({}));
    assert_problem(&rematch(&game.red), 403, "forbidden");
    rematch(&game.blue).ok(201);
}

fn blocks_are_listed_for_their_player_alone(server: &TestServer) {
    let player = server.register("player");
    let others: Vec<Client> = (0..3).map(|_| server.register("other")).collect();
    for other in &others {
        block(&player, &other.name).ok(204);
    }
    let first = player.get("/v1/me/blocks?limit=2").ok(200);
    let next = text(&first["next"]);
    let rest = player
        .get(&format!("/v1/me/blocks?limit=2&after={next}"))
        .ok(200);
    let mut names: Vec<String> = [&first, &rest]
        .iter()
        .flat_map(|page| page["items"].as_array().unwrap())
        .map(|item| text(&item["player"]["username"]))
        .collect();
    names.sort();
    let mut expected: Vec<String> = others.iter().map(|other| other.name.clone()).collect();
    expected.sort();
    assert_eq!((names, &rest["next"]), (expected, &Value::Null));
    assert_eq!(others[0].get("/v1/me/blocks").ok(200)["items"], json!([]));
    assert_problem(
        &server.client().get("/v1/me/blocks"),
        401,
        "unauthenticated",
    );
    assert_problem(
        &player.get("/v1/me/blocks?after=x"),
        400,
        "malformed_request",
    );
    // Who leaves is blocked no longer, whoever gets his name.
    others[0].delete("/v1/me").ok(204);
    let left = player.get("/v1/me/blocks").ok(200);
    assert_eq!(left["items"].as_array().unwrap().len(), 2, "{left}");
}

fn who_can_be_blocked(server: &TestServer) {
    let player = server.register("player");
    assert_problem(&block(&player, "nobody_at_all"), 404, "not_found");
    assert_problem(&unblock(&player, "nobody_at_all"), 404, "not_found");
    assert_problem(&block(&player, "a%00b"), 404, "not_found");
    assert_problem(&block(&player, &player.name), 403, "forbidden");
    assert_problem(
        &block(&server.client(), &player.name),
        401,
        "unauthenticated",
    );
}

fn who_may_challenge_is_the_players_preference(server: &TestServer) {
    let game = EVEN.begin(server);
    let (player, opponent) = (game.red.clone(), game.blue.clone());
    let stranger = server.register("stranger");
    let preferences = player.get("/v1/me").ok(200)["preferences"].clone();
    assert_eq!(preferences["challenges"], "anyone");
    to(&stranger, &player).ok(201);
    let changed = prefer(&player, &json!("opponents")).ok(200);
    assert_eq!(changed["preferences"]["challenges"], "opponents");
    to(&opponent, &player).ok(201);
    assert_problem(&to(&stranger, &player), 403, "forbidden");
    prefer(&player, &json!("nobody")).ok(200);
    assert_problem(&to(&opponent, &player), 403, "forbidden");
    // His own are his to make.
    accept(&stranger, &open(&player)).ok(201);
    // A change of something else leaves it.
    let language = json!({"preferences": {"language": "fr"}});
    let kept = player.patch("/v1/me", &language).ok(200);
    assert_eq!(kept["preferences"]["challenges"], "nobody");
    prefer(&player, &Value::Null).ok(200);
    to(&stranger, &player).ok(201);
    for wrong in [json!("everyone"), json!(7), json!(["anyone"])] {
        assert_problem(&prefer(&player, &wrong), 400, "malformed_request");
    }
    let body = json!({
        "ruleset": "barrage", "opponent": "nobody_at_all",
        "time_control": {"kind": "per_move", "per_move": "P3D"},
    });
    assert_invalid(&player.post("/v1/challenges", &body), "opponent");
}

on_both! {
    a_challenge_that_races_a_block_does_not_stand,
    a_blocked_player_makes_and_accepts_no_challenges,
    what_two_have_challenged_each_other_to_is_closed,
    a_blocked_player_offers_nothing_and_plays_on,
    blocks_are_listed_for_their_player_alone,
    who_can_be_blocked,
    who_may_challenge_is_the_players_preference,
}
