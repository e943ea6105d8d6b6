//! What players do in games and with challenges, one after the other, twice, and at once.

use std::time::Duration;

use serde_json::{Value, json};
use tests::client::text;
use tests::game::{accept, challenge, move_body};
use tests::{Client, Game, Response, Side, assert_problem};

use super::Story;
use crate::clock::advance;
use crate::games::abort;
use crate::lines::EVEN;
use crate::offers::offer;
use crate::pauses::{begin, in_setup};
use crate::races::{at_once, post, with_status};
use crate::ratings::{history, near, rated, ratings};
use crate::rematches::{games_of, listed, rematch};

/// A request that waits to be sent with others.
type Request<'a> = Box<dyn Fn() -> Response + Sync + 'a>;

fn pair(story: &Story) -> (Client, Client) {
    let timed = story.timed();
    (timed.register("red"), timed.register("blue"))
}

fn decline(player: &Client, challenge: &Value) {
    let path = format!("/v1/challenges/{}/decline", text(&challenge["id"]));
    player.post(&path, &json!({})).ok(204);
}

/// The game that came of a rematch: its Red was Blue.
fn next_of(game: &Game, id: &Value) -> Game {
    Game {
        id: text(id),
        red: game.blue.clone(),
        blue: game.red.clone(),
        ply: 0,
    }
}

/// C08: what somebody who leaves had open vanishes, his running game is given up, and his name goes.
pub(super) fn a_player_leaves(story: &mut Story) {
    let (gone, other) = pair(story);
    let finished = rated(&gone, &other, &EVEN, "a4-a5 a7-a6", &Value::Null);
    finished.resign(Side::Blue).ok(200);
    let running = rated(&gone, &other, &EVEN, "a4-a5 a7-a6", &Value::Null);
    let waiting = [
        challenge(&gone, None, "duel", &Value::Null).ok(201),
        challenge(&gone, Some(&other), "duel", &Value::Null).ok(201),
        rematch(&finished, Side::Red).ok(201),
    ];
    challenge(&other, Some(&gone), "duel", &Value::Null).ok(201);
    gone.delete("/v1/me").ok(204);
    for made in &waiting {
        assert_problem(&accept(&other, made), 409, "challenge_closed");
    }
    for direction in ["open", "incoming", "outgoing"] {
        assert_eq!(
            listed(&other, direction),
            Vec::<Value>::new(),
            "{direction}"
        );
    }
    let outcome = json!({"winner": "blue", "reason": "resignation"});
    assert_eq!(running.view(&other)["outcome"], outcome);
    for game in [&finished, &running] {
        assert_problem(&rematch(game, Side::Blue), 410, "gone");
        let name = text(&game.view(&other)["red"]["player"]["username"]);
        assert!(name.starts_with("deleted-"), "{name}");
    }
    assert_eq!(games_of(&other).len(), 2);
    assert_eq!(history(&other, &other).len(), 2);
}

/// C10: what was declined leaves nothing behind, sides are exchanged once, and of two who ask at once each
/// is in the same game.
pub(super) fn once_more(story: &mut Story) {
    let (red, blue) = pair(story);
    let game = rated(&red, &blue, &EVEN, "a4-a5 a7-a6", &Value::Null);
    game.resign(Side::Red).ok(200);
    let other_terms = challenge(&red, Some(&blue), "duel", &Value::Null).ok(201);
    decline(&blue, &other_terms);
    decline(&blue, &rematch(&game, Side::Red).ok(201));
    let plain = rematch(&game, Side::Blue).ok(201);
    let begun = accept(&red, &plain).ok(201);
    assert_eq!(
        (&begun["ruleset"], &begun["rated"]),
        (&json!("barrage"), &json!(true))
    );
    assert_eq!(begun["red"]["player"]["id"], json!(blue.id));
    assert_eq!(games_of(&red).len(), 2);
    let second = next_of(&game, &begun["id"]);
    abort(&second, Side::Red).ok(200);
    let press = [Side::Red, Side::Blue].map(|side| {
        let second = &second;
        move || rematch(second, side)
    });
    let answers = at_once(&press);
    // One asks, the other agrees.
    assert_eq!(with_status(&answers, 201).len(), 2, "{answers:?}");
    let begun = games_of(&red);
    assert_eq!(begun.len(), 3, "{begun:?}");
    let running: Vec<_> = begun
        .iter()
        .filter(|game| game["status"] == "setup")
        .collect();
    assert_eq!(running.len(), 1);
    assert_eq!(
        running[0]["red"]["player"]["id"],
        json!(red.id),
        "back again"
    );
}

/// C11: a move that is sent twice, at once or the day after, is made once; so is a challenge with a key.
pub(super) fn sent_twice(story: &mut Story) {
    let mut game = begin(story.timed(), &json!({}));
    let path = game.path("/moves");
    let body = move_body(2, "b4-b5");
    let answers = at_once(&[post(&game.red, &path, &body), post(&game.red, &path, &body)]);
    let made = with_status(&answers, 201)[0].json()["move"].clone();
    assert_eq!(with_status(&answers, 200)[0].json()["move"], made);
    assert_eq!(game.view(&game.red)["ply"], 3);
    game.ply = 3;
    game.line("b7-b6");
    let bodies = ["e4-e5", "f4-f5", "i4-i5"].map(|notation| move_body(4, notation));
    let answers = at_once(&bodies.each_ref().map(|body| post(&game.red, &path, body)));
    assert_eq!(with_status(&answers, 201).len(), 1, "{answers:?}");
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        assert_problem(refused, 409, "stale_ply");
    }
    // Nor two in a row.
    assert_problem(
        &game.red.post(&path, &move_body(5, "j4-j5")),
        409,
        "not_your_turn",
    );
    assert_eq!(game.view(&game.red)["ply"], 5);
    let keyed = |red: &Client| {
        let body = json!({"ruleset": "duel", "time_control": {"kind": "unlimited"}});
        let request = red.request("POST", "/v1/challenges");
        request
            .header("idempotency-key", "c11")
            .json(&body)
            .send()
            .ok(201)["id"]
            .clone()
    };
    let challenge = keyed(&game.red);
    advance(story.timed(), &mut game, Duration::from_mins(24 * 60 - 1));
    assert_eq!(keyed(&game.red), challenge);
    assert_eq!(listed(&game.red, "outgoing").len(), 1);
    assert_eq!(game.red.post(&path, &body).ok(200)["move"], made);
}

/// C12: of two acts on the same state one is done, and the other is told.
pub(super) fn two_tabs(story: &mut Story) {
    let mut game = begin(story.timed(), &json!({}));
    let (moves, resign) = (game.path("/moves"), game.path("/resign"));
    let old = game.red.get(&game.path(""));
    let old = old.header("etag").expect("a tag");
    game.line("b4-b5 b7-b6");
    assert_problem(&game.attempt_as(Side::Red, 2, "e4-e5"), 409, "stale_ply");
    let guarded = game.red.request("POST", &moves).header("if-match", old);
    let refused = guarded.json(&move_body(4, "e4-e5")).send();
    assert_problem(&refused, 412, "precondition_failed");
    let without = json!({"from": "e4", "to": "e5"});
    assert_problem(&game.red.post(&moves, &without), 400, "malformed_request");
    assert_eq!(game.view(&game.red)["ply"], 4);

    let (next, empty) = (move_body(4, "e4-e5"), json!({}));
    let tabs: [Request; 2] = [
        Box::new(post(&game.red, &moves, &next)),
        Box::new(post(&game.red, &resign, &empty)),
    ];
    let answers = at_once(&tabs);
    assert_eq!(answers[1].ok(200)["outcome"]["reason"], "resignation");
    let made = answers[0].status == 201;
    assert!(
        made || answers[0].code().as_deref() == Some("game_over"),
        "{answers:?}"
    );
    assert_eq!(game.view(&game.red)["ply"], if made { 5 } else { 4 });
    ends_at_once(story);
}

/// C12: both resign; a draw is accepted and declined; a game is called off and begun; a vacation is begun
/// twice.
fn ends_at_once(story: &Story) {
    let empty = json!({});
    let game = begin(story.timed(), &json!({}));
    let path = game.path("/resign");
    let answers = at_once(&[&game.red, &game.blue].map(|player| post(player, &path, &empty)));
    assert_one(&answers, 200, "game_over");
    assert_eq!(history(&game.red, &game.red).len(), 1, "rated once");

    let game = begin(story.timed(), &json!({}));
    let made = text(&offer(&game, Side::Blue).ok(201)["id"]);
    let paths = ["accept", "decline"].map(|answer| game.path(&format!("/offers/{made}/{answer}")));
    let answers = at_once(&paths.each_ref().map(|path| post(&game.red, path, &empty)));
    assert_eq!(with_status(&answers, 200).len(), 1, "{answers:?}");
    let is_drawn = game.view(&game.red)["outcome"]["reason"] == "draw_agreed";
    assert_eq!(is_drawn, answers[0].status == 200);

    let (red, blue) = pair(story);
    let game = rated(&red, &blue, &EVEN, "a4-a5", &Value::Null);
    let (moves, abort, body) = (
        game.path("/moves"),
        game.path("/abort"),
        move_body(1, "a7-a6"),
    );
    let tabs: [Request; 2] = [
        Box::new(post(&blue, &moves, &body)),
        Box::new(post(&blue, &abort, &empty)),
    ];
    let answers = at_once(&tabs);
    let is_begun = answers[0].status == 201;
    assert_one(&answers[..1], 201, "game_over");
    assert_one(&answers[1..], 200, "game_not_active");
    assert_ne!(is_begun, answers[1].status == 200, "{answers:?}");
    let status = if is_begun { "active" } else { "aborted" };
    assert_eq!(game.view(&red)["status"], status);

    let away = || red.put("/v1/me/vacation", &empty);
    let answers = at_once(&[away, away]);
    assert_eq!(answers[0].ok(200), answers[1].ok(200));
}

/// At most one was answered so, and the others were told why not.
fn assert_one(answers: &[Response], status: u16, code: &str) {
    assert!(with_status(answers, status).len() <= 1, "{answers:?}");
    for answer in answers.iter().filter(|answer| answer.status != status) {
        assert_problem(answer, 409, code);
    }
}

/// C13: one of those who take an open challenge gets a game, once, and nobody plays himself.
pub(super) fn two_take_one_challenge(story: &mut Story) {
    let (red, blue) = pair(story);
    let third = story.timed().register("third");
    let open = challenge(&red, None, "barrage", &Value::Null).ok(201);
    assert_problem(&accept(&red, &open), 409, "own_challenge");
    let takers = [&blue, &third, &blue, &third].map(|player| {
        let open = &open;
        move || accept(player, open)
    });
    let answers = at_once(&takers);
    assert_eq!(with_status(&answers, 201).len(), 1, "{answers:?}");
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        assert_problem(refused, 409, "challenge_closed");
    }
    let games = games_of(&red);
    assert_eq!(games.len(), 1);
    assert_eq!(games_of(&blue).len() + games_of(&third).len(), 1);
    assert_ne!(
        games[0]["red"]["player"]["id"],
        games[0]["blue"]["player"]["id"]
    );
}

/// C15: what a resignation made is kept when it is answered: another node, which shares nothing but the
/// database, says the same at once, and so does the server when it comes again.
pub(super) fn the_last_act(story: &mut Story) {
    let (red, blue) = pair(story);
    let mut game = rated(&red, &blue, &EVEN, "a4-a5 a7-a6 b4-b5", &Value::Null);
    let ended = game.resign(Side::Blue).ok(200);
    let node = story.timed().another_node();
    assert_all_agree(&game, &format!("http://{}", node.address()), &ended);
    drop(node);
    story.restart_after(Duration::ZERO);
    story.meet([&mut game.red, &mut game.blue]);
    assert_all_agree(&game, &story.timed().url(), &ended);
}

/// Game, moves, lists, ratings and GraphQL.
fn assert_all_agree(game: &Game, base: &str, ended: &Value) {
    let (red, blue) = (game.red.at(base), game.blue.at(base));
    let anyone = red.with_token(None);
    for (player, side, points) in [(&red, "red", 162.31), (&blue, "blue", -162.31)] {
        let view = player.get(&game.path("")).ok(200);
        for field in ["status", "outcome", "finished_at", "last_move"] {
            assert_eq!(view[field], ended[field], "{field}");
        }
        assert_eq!(view["last_move"]["to"], "b5");
        let log = player.get(&game.path("/moves")).ok(200)["items"].clone();
        assert_eq!(log[2], view["last_move"]);
        near(&view[side]["rating_change"], points);
        let list = games_of(player);
        assert_eq!((list.len(), &list[0]["outcome"]), (1, &ended["outcome"]));
        let running = format!("/v1/games?player={}&status=active", player.name);
        assert_eq!(anyone.get(&running).ok(200)["items"], json!([]));
        let standing = &ratings(player)[0];
        near(&standing["rating"], 1500.0 + points);
        assert_eq!(standing["games"], 1);
        assert_eq!(history(player, player)[0]["rating"], standing["rating"]);
        let query = "query($name: String!, $id: UUID!) { player(username: $name) { ratings { rating games } }
            game(id: $id) { status plies outcome { winner reason } } }";
        let seen = anyone.query(query, &json!({"name": player.name, "id": game.id}));
        let of_player = json!([{"rating": standing["rating"], "games": 1}]);
        assert_eq!(seen["player"]["ratings"], of_player);
        let outcome = json!({"winner": "RED", "reason": "RESIGNATION"});
        let of_game = json!({"status": "FINISHED", "plies": 3, "outcome": outcome});
        assert_eq!(seen["game"], of_game);
    }
}

/// C16: a game is played again when it is over, and called off before both have moved, by its players, and
/// nobody says himself how it stands.
pub(super) fn too_early(story: &mut Story) {
    let third = story.timed().register("third");
    let game = begin(story.timed(), &json!({}));
    for rest in ["/rematch", "/abort"] {
        let path = game.path(rest);
        assert_problem(&third.post(&path, &json!({})), 403, "forbidden");
        for player in [&game.red, &game.blue] {
            assert_problem(&player.post(&path, &json!({})), 409, "game_not_active");
            let said = json!({"status": "finished"});
            assert_problem(&player.post(&path, &said), 400, "malformed_request");
        }
    }
    assert_eq!(game.view(&game.red)["status"], "active");
    game.resign(Side::Red).ok(200);
    assert_problem(&abort(&game, Side::Red), 409, "game_over");
    rematch(&game, Side::Red).ok(201);
    let early = in_setup(story.timed(), &json!({}));
    assert_problem(&rematch(&early, Side::Red), 409, "game_not_active");
    assert_problem(
        &third.post(&early.path("/abort"), &json!({})),
        403,
        "forbidden",
    );
    let ended = abort(&early, Side::Blue).ok(200);
    assert_eq!(
        ended["outcome"],
        json!({"winner": null, "reason": "aborted"})
    );
}
