//! A game that is over, played again.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tests::client::text;
use tests::game::accept;
use tests::{Backend, Client, Game, Response, Side, TestServer, Timed, assert_problem, on_both};

use crate::games::abort;
use crate::lines::EVEN;

pub(crate) fn rematch(game: &Game, side: Side) -> Response {
    game.player(side).post(&game.path("/rematch"), &json!({}))
}

/// A game on uncommon terms between new players, called off.
fn over(red: Client, blue: Client) -> (Game, Value) {
    let body = json!({
        "ruleset": "barrage", "color": "red", "opponent": blue.name, "rated": true, "private": true,
        "vacation": false, "weekends": true, "options": {"rescue": true, "no_progress_plies": 77},
        "time_control": {"kind": "fischer", "initial": "P7D", "increment": "P1D", "max": "P10D"},
    });
    let made = red.post("/v1/challenges", &body).ok(201);
    let id = text(&accept(&blue, &made).ok(201)["id"]);
    let game = Game {
        id,
        red,
        blue,
        ply: 0,
    };
    abort(&game, Side::Red).ok(200);
    (game, made)
}

fn new_over(server: &TestServer) -> (Game, Value) {
    over(server.register("red"), server.register("blue"))
}

pub(crate) fn listed(client: &Client, direction: &str) -> Vec<Value> {
    let page = client.get(&format!("/v1/challenges?direction={direction}"));
    page.ok(200)["items"].as_array().unwrap().clone()
}

pub(crate) fn games_of(client: &Client) -> Vec<Value> {
    let page = client
        .get(&format!("/v1/games?player={}", client.name))
        .ok(200);
    page["items"].as_array().unwrap().clone()
}

/// C10: the same terms, and the sides exchanged once, whoever asks.
fn a_rematch_is_the_same_game_with_the_sides_exchanged(server: &TestServer) {
    for side in [Side::Red, Side::Blue] {
        let (game, first) = new_over(server);
        let asked = rematch(&game, side);
        let challenge = asked.ok(201);
        assert_eq!(
            asked.header("location"),
            Some(&*format!("/v1/challenges/{}", text(&challenge["id"])))
        );
        for term in [
            "ruleset",
            "options",
            "time_control",
            "rated",
            "private",
            "vacation",
            "weekends",
        ] {
            assert_eq!(challenge[term], first[term], "{term}");
        }
        let (own, other) = match side {
            Side::Red => ("blue", &game.blue),
            Side::Blue => ("red", &game.red),
        };
        assert_eq!(
            (&challenge["color"], &challenge["status"]),
            (&json!(own), &json!("open"))
        );
        assert_eq!(challenge["opponent"]["id"], json!(other.id));
        assert_eq!(challenge["rematch_of"], json!(game.id));
        assert_eq!(listed(other, "incoming"), std::slice::from_ref(&challenge));
        let again = accept(other, &challenge).ok(201);
        assert_eq!(again["red"]["player"]["id"], json!(game.blue.id));
        assert_eq!(again["blue"]["player"]["id"], json!(game.red.id));
        assert_eq!(again["private"], json!(true));
        // And back again from there.
        let next = Game {
            id: text(&again["id"]),
            red: game.blue.clone(),
            blue: game.red.clone(),
            ply: 0,
        };
        abort(&next, Side::Blue).ok(200);
        let back = rematch(&next, Side::Red).ok(201);
        assert_eq!(
            (&back["color"], &back["rematch_of"]),
            (&json!("blue"), &json!(next.id))
        );
    }
}

/// Who asks for what the other has asked for agrees.
fn asking_for_what_was_asked_for_agrees(server: &TestServer) {
    let (game, _) = new_over(server);
    let asked = rematch(&game, Side::Red).ok(201);
    // Again is the same.
    assert_eq!(rematch(&game, Side::Red).ok(200), asked);
    assert_eq!(listed(&game.blue, "incoming").len(), 1);
    let agreed = rematch(&game, Side::Blue);
    let challenge = agreed.ok(201);
    assert_eq!(
        (&challenge["id"], &challenge["status"]),
        (&asked["id"], &json!("accepted"))
    );
    let location = agreed.header("location").unwrap().to_owned();
    assert_eq!(
        location,
        format!("/v1/games/{}", text(&challenge["game_id"]))
    );
    let next = game.red.get(&location).ok(200);
    assert_eq!(next["red"]["player"]["id"], json!(game.blue.id));
    // From here on both are led to it.
    for side in [Side::Red, Side::Blue] {
        let late = rematch(&game, side);
        assert_eq!(late.ok(200)["game_id"], challenge["game_id"]);
        assert_eq!(late.header("location"), Some(&*location));
    }
    assert_eq!(games_of(&game.red).len(), 2);
    assert!(listed(&game.blue, "incoming").is_empty());
}

/// C10: both press at once, and more than once.
fn both_at_once_get_one_game(server: &TestServer) {
    let (mut red, mut blue) = (server.register("red"), server.register("blue"));
    for _ in 0..10 {
        let (game, _) = over(red, blue);
        let start = Barrier::new(6);
        let press = |side| {
            start.wait();
            rematch(&game, side)
        };
        let answers: Vec<Response> = thread::scope(|scope| {
            let sides = [Side::Red, Side::Blue].into_iter().cycle().take(6);
            let running: Vec<_> = sides.map(|side| scope.spawn(move || press(side))).collect();
            running.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let new = answers.iter().filter(|answer| answer.status == 201).count();
        let same = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!((new, same), (2, 4), "{answers:?}");
        let running = games_of(&game.red);
        let running: Vec<_> = running
            .iter()
            .filter(|game| game["status"] == "setup")
            .collect();
        assert_eq!(running.len(), 1, "{running:?}");
        let next = Game {
            id: text(&running[0]["id"]),
            red: game.blue.clone(),
            blue: game.red.clone(),
            ply: 0,
        };
        assert_eq!(running[0]["red"]["player"]["id"], json!(next.red.id));
        abort(&next, Side::Red).ok(200);
        (red, blue) = (game.red, game.blue);
    }
}

/// C10: nothing stays of a rematch that was declined or taken back.
fn a_declined_rematch_leaves_nothing_behind(server: &TestServer) {
    let (game, _) = new_over(server);
    let declined = rematch(&game, Side::Red).ok(201);
    let path = |challenge: &Value| format!("/v1/challenges/{}", text(&challenge["id"]));
    game.blue
        .post(&format!("{}/decline", path(&declined)), &json!({}))
        .ok(204);
    let withdrawn = rematch(&game, Side::Blue).ok(201);
    assert_ne!(withdrawn["id"], declined["id"]);
    assert_eq!(withdrawn["color"], "red");
    game.blue.delete(&path(&withdrawn)).ok(204);
    let third = rematch(&game, Side::Red).ok(201);
    assert_eq!(
        (&third["color"], &third["status"]),
        (&json!("blue"), &json!("open"))
    );
    assert_problem(&accept(&game.red, &third), 409, "own_challenge");
    let next = rematch(&game, Side::Blue).ok(201);
    let next = game
        .red
        .get(&format!("/v1/games/{}", text(&next["game_id"])))
        .ok(200);
    assert_eq!(next["blue"]["player"]["id"], json!(game.red.id));
    assert_eq!(games_of(&game.red).len(), 2);
}

/// C16: not before the end, and not by others.
fn only_its_players_ask_and_only_when_it_is_over(server: &TestServer) {
    let third = server.register("third");
    let in_setup = Game::in_setup(server, "barrage", &Value::Null);
    assert_problem(&rematch(&in_setup, Side::Red), 409, "game_not_active");
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6");
    for side in [Side::Red, Side::Blue] {
        assert_problem(&rematch(&game, side), 409, "game_not_active");
    }
    assert_problem(
        &third.post(&game.path("/rematch"), &json!({})),
        403,
        "forbidden",
    );
    assert_eq!(game.view(&game.red)["status"], "active");
    game.resign(Side::Red).ok(200);
    for body in [json!({"status": "finished"}), json!([])] {
        let refused = game.red.post(&game.path("/rematch"), &body);
        assert_problem(&refused, 400, "malformed_request");
        // What is wrong with the body is said last.
        assert_problem(&third.post(&game.path("/rematch"), &body), 403, "forbidden");
    }
    let anonymous = server.client().post(&game.path("/rematch"), &json!({}));
    assert_problem(&anonymous, 401, "unauthenticated");
    let (private, _) = new_over(server);
    assert_problem(
        &third.post(&private.path("/rematch"), &json!({})),
        404,
        "not_found",
    );
    // The game that is played again is its two players' to know of.
    let asked = rematch(&private, Side::Red).ok(201);
    let path = format!("/v1/challenges/{}", text(&asked["id"]));
    for client in [&third, &server.client()] {
        assert_problem(&client.get(&path), 404, "not_found");
        assert!(!client.get("/v1/challenges").text().contains(&private.id));
    }
    assert_eq!(
        private.blue.get(&path).ok(200)["rematch_of"],
        json!(private.id)
    );
}

fn a_rematch_sent_again_with_its_key_is_the_same_rematch(server: &TestServer) {
    let (game, _) = new_over(server);
    let keyed = |game: &Game, client: &Client, key: &str| {
        let call = client.request("POST", &game.path("/rematch"));
        call.header("idempotency-key", key).json(&json!({})).send()
    };
    let first = keyed(&game, &game.red, "r-1").ok(201);
    assert_eq!(keyed(&game, &game.red, "r-1").ok(201), first);
    let path = format!("/v1/challenges/{}/decline", text(&first["id"]));
    game.blue.post(&path, &json!({})).ok(204);
    // A retry that comes late asks for nothing anew.
    let late = keyed(&game, &game.red, "r-1").ok(201);
    assert_eq!(
        (&late["id"], &late["status"]),
        (&first["id"], &json!("declined"))
    );
    assert!(listed(&game.blue, "incoming").is_empty());
    let second = keyed(&game, &game.red, "r-2").ok(201);
    let agreed = keyed(&game, &game.blue, "r-1").ok(201);
    assert_eq!(
        (&agreed["id"], &agreed["status"]),
        (&second["id"], &json!("accepted"))
    );
    assert_eq!(keyed(&game, &game.blue, "r-1").ok(201), agreed);
    assert_eq!(games_of(&game.red).len(), 2);
}

/// C08: nobody waits for a player who has left.
fn nobody_asks_one_who_has_left(server: &TestServer) {
    let (game, _) = new_over(server);
    let asked = rematch(&game, Side::Blue).ok(201);
    game.blue.delete("/v1/me").ok(204);
    assert!(listed(&game.red, "incoming").is_empty());
    assert_problem(&accept(&game.red, &asked), 409, "challenge_closed");
    assert_problem(&rematch(&game, Side::Red), 410, "gone");
    assert_problem(&rematch(&game, Side::Blue), 401, "unauthenticated");
    assert!(listed(&game.red, "outgoing").is_empty());
}

/// B16: the finished game is open to all, and the next one begins as if it had not been.
fn a_rematch_begins_with_nothing_known(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 j7xj4 a4-a5 a7-a6");
    game.resign(Side::Red).ok(200);
    rematch(&game, Side::Red).ok(201);
    let next = rematch(&game, Side::Blue).ok(201);
    let mut next = Game {
        id: text(&next["game_id"]),
        red: game.blue.clone(),
        blue: game.red.clone(),
        ply: 0,
    };
    let view = next.view(&next.red);
    assert_eq!(
        (&view["pieces"], &view["captured"]),
        (&json!([]), &json!([]))
    );
    assert_eq!((&view["offers"], &view["ply"]), (&json!([]), &json!(0)));
    let (red, blue) = EVEN.setups();
    next.place(Side::Red, &red).ok(200);
    next.place(Side::Blue, &blue).ok(200);
    for viewer in [&next.red, &next.blue, &server.client()] {
        let view = next.view(viewer);
        for piece in view["pieces"].as_array().unwrap() {
            let own = piece["owner"] == view["viewpoint"];
            assert_eq!(piece["piece"] == "?", !own, "{piece}");
            assert_eq!(piece["revealed_ply"], Value::Null, "{piece}");
            assert!(
                own || piece["possible"].as_array().unwrap().len() > 2,
                "{piece}"
            );
        }
    }
    assert_eq!(next.replay(&next.red, "")["reveals"], json!([]));
    next.line("i4xi7");
}

/// One that nobody took in time can be asked for anew, by either, before it is swept too.
fn an_expired_rematch_can_be_asked_for_again(backend: Backend) {
    let timed = Timed::start(backend);
    let (mut game, _) = over(timed.register("red"), timed.register("blue"));
    let first = rematch(&game, Side::Red).ok(201);
    timed.advance(
        [&mut game.red, &mut game.blue],
        Duration::from_hours(14 * 24),
    );
    let second = rematch(&game, Side::Blue).ok(201);
    assert_ne!(first["id"], second["id"]);
    assert_eq!(
        (&second["color"], &second["status"]),
        (&json!("red"), &json!("open"))
    );
    let path = format!("/v1/challenges/{}", text(&first["id"]));
    assert_eq!(game.red.get(&path).ok(200)["status"], "expired");
    assert_eq!(rematch(&game, Side::Red).ok(201)["status"], "accepted");
}

on_both! {
    a_rematch_is_the_same_game_with_the_sides_exchanged,
    asking_for_what_was_asked_for_agrees,
    both_at_once_get_one_game,
    a_declined_rematch_leaves_nothing_behind,
    only_its_players_ask_and_only_when_it_is_over,
    a_rematch_sent_again_with_its_key_is_the_same_rematch,
    nobody_asks_one_who_has_left,
    a_rematch_begins_with_nothing_known,
    an_expired_rematch_can_be_asked_for_again,
}
