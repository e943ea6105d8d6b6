//! Draw offers: made, answered, lapsed, crossed, sent again.

use serde_json::{Value, json};
use tests::client::text;
use tests::{Game, Response, Side, TestServer, assert_problem, on_both};

use crate::events::follow;
use crate::lines::EVEN;

pub(crate) fn offer(game: &Game, side: Side) -> Response {
    game.player(side)
        .post(&game.path("/offers"), &json!({"kind": "draw"}))
}

fn answer_offer(game: &Game, side: Side, offer: &Value, answer: &str) -> Response {
    let id = text(&offer["id"]);
    game.player(side)
        .post(&game.path(&format!("/offers/{id}/{answer}")), &json!({}))
}

/// The newest open offer of a game, as it shows in the game.
fn open_offer(game: &Game) -> Value {
    game.view(&game.red)["offers"][0].clone()
}

fn a_draw_is_offered_and_accepted(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6");
    offer(&game, Side::Blue).ok(201);
    let open = open_offer(&game);
    assert_eq!(
        (&open["kind"], &open["by"]),
        (&json!("draw"), &json!("blue")),
        "{open}"
    );
    // A second one is the first.
    offer(&game, Side::Blue).ok(200);
    assert_eq!(game.view(&game.red)["offers"].as_array().unwrap().len(), 1);
    assert_problem(
        &answer_offer(&game, Side::Blue, &open, "accept"),
        409,
        "own_offer",
    );
    let ended = answer_offer(&game, Side::Red, &open, "accept").ok(200);
    assert_eq!(
        ended["outcome"],
        json!({"winner": null, "reason": "draw_agreed"})
    );
    assert_eq!(ended["status"], "finished");
    // F09: who offered it is told in the log of events, and nobody else is.
    let events = follow(&game, &game.red, Some("0")).events(8);
    let told = |place: usize| {
        let offer = events[place].json()["offer"].clone();
        [&offer["id"], &offer["by"], &offer["kind"], &offer["status"]].map(Clone::clone)
    };
    let offer = |status: &str| {
        [
            open["id"].clone(),
            json!("blue"),
            json!("draw"),
            json!(status),
        ]
    };
    assert_eq!(told(5), offer("open"));
    assert_eq!(told(6), offer("accepted"));
    for outcome in [
        &events[7].json()["outcome"],
        &game.replay(&server.client(), "")["game"]["outcome"],
    ] {
        assert_eq!(*outcome, ended["outcome"]);
    }
}

fn an_offer_lapses_or_is_declined(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6");
    offer(&game, Side::Blue).ok(201);
    let first = open_offer(&game);
    // The receiver moves: that is an answer.
    game.line("b4-b5");
    assert_eq!(game.view(&game.red)["offers"], json!([]));
    assert_problem(
        &answer_offer(&game, Side::Red, &first, "accept"),
        409,
        "offer_closed",
    );
    offer(&game, Side::Red).ok(201);
    let second = open_offer(&game);
    answer_offer(&game, Side::Blue, &second, "decline").ok(200);
    assert_problem(
        &answer_offer(&game, Side::Blue, &second, "accept"),
        409,
        "offer_closed",
    );
    assert_eq!(game.view(&game.red)["status"], "active");
    let third = server.register("third");
    let stranger = third.post(&game.path("/offers"), &json!({"kind": "draw"}));
    assert_problem(&stranger, 403, "forbidden");
}

fn an_offer_sent_again_with_its_key_is_the_same_offer(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5");
    let keyed = |game: &Game, key: &str| {
        let call = game.red.request("POST", &game.path("/offers"));
        call.header("Idempotency-Key", key)
            .json(&json!({"kind": "draw"}))
            .send()
    };
    let first = keyed(&game, "o1").ok(201);
    assert_eq!(first["status"], json!("open"));
    assert_eq!(keyed(&game, "o1").ok(201), first);
    // Its receiver moves: a retry that comes late must not offer anew.
    game.line("a7-a6");
    let late = keyed(&game, "o1").ok(201);
    assert_eq!(
        (&late["id"], &late["status"]),
        (&first["id"], &json!("lapsed"))
    );
    assert_eq!(game.view(&game.red)["offers"], json!([]));
    assert_problem(&keyed(&game, "no such key"), 400, "malformed_request");
}

fn crossing_offers_agree(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6");
    offer(&game, Side::Blue).ok(201);
    offer(&game, Side::Red);
    assert_eq!(
        game.view(&game.red)["outcome"],
        json!({"winner": null, "reason": "draw_agreed"})
    );
}

on_both! {
    a_draw_is_offered_and_accepted,
    an_offer_lapses_or_is_declined,
    an_offer_sent_again_with_its_key_is_the_same_offer,
    crossing_offers_agree,
}
