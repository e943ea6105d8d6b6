//! What depends on time: the server runs in this process, on a clock that the test moves.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tests::client::text;
use tests::duration::seconds;
use tests::game::accept;
use tests::{Backend, Client, Game, Side, Timed, assert_problem, on_both};

use crate::lines::EVEN;

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// Moves the clock and gives both players new tokens.
pub(crate) fn advance(timed: &Timed, game: &mut Game, by: Duration) {
    timed.advance([&mut game.red, &mut game.blue], by);
}

/// A game of the even armies under a time control.
fn begin(timed: &Timed, control: &Value) -> Game {
    let game = in_setup(timed, control);
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    game
}

fn in_setup(timed: &Timed, control: &Value) -> Game {
    let (red, blue) = (timed.register("red"), timed.register("blue"));
    let body = json!({"ruleset": "barrage", "color": "red", "time_control": control});
    let challenge = red.post("/v1/challenges", &body).ok(201);
    Game {
        id: text(&accept(&blue, &challenge).ok(201)["id"]),
        red,
        blue,
        ply: 0,
    }
}

pub(crate) fn per_move(span: &str) -> Value {
    json!({"kind": "per_move", "per_move": span})
}

fn instant(value: &Value) -> DateTime<Utc> {
    text(value).parse().unwrap()
}

/// C14: whoever let his time run out has lost, whatever stands on the board.
fn the_side_to_move_loses_when_its_time_is_up(backend: Backend) {
    let timed = Timed::start(backend);
    for (moves, notation, winner) in [
        ("i4xi7 a7-a6", "a4-a5", "blue"),
        ("i4xi7 a7-a6 b4-b5", "b7-b6", "red"),
    ] {
        let mut game = begin(&timed, &per_move("PT1H"));
        game.line(moves);
        advance(&timed, &mut game, HOUR);
        assert_problem(&game.attempt(notation), 409, "game_over");
        let view = game.view(&game.red);
        assert_eq!(view["status"], "finished");
        assert_eq!(
            view["outcome"],
            json!({"winner": winner, "reason": "timeout"})
        );
        assert_eq!(view["ply"], json!(game.ply));
        let page = game
            .red
            .get(&format!("/v1/games?player={}", game.red.name))
            .ok(200);
        assert_eq!(page["items"][0]["outcome"], view["outcome"]);
    }
}

/// C14, C17: the deadline itself is too late; a millisecond before it is not.
fn a_move_counts_when_it_comes_before_its_deadline(backend: Backend) {
    let timed = Timed::start(backend);
    for (passed, status) in [(Duration::from_millis(3_599_999), 201), (HOUR, 409)] {
        let mut game = begin(&timed, &per_move("PT1H"));
        game.line("a4-a5 a7-a6");
        advance(&timed, &mut game, passed);
        assert_eq!(game.attempt("b4-b5").status, status);
    }
}

/// C14, C17: a resignation after the other side's time was up comes too late.
fn time_that_is_up_decides_before_anything_else(backend: Backend) {
    let timed = Timed::start(backend);
    for (path, body) in [("/resign", json!({})), ("/offers", json!({"kind": "draw"}))] {
        let mut game = begin(&timed, &per_move("PT1H"));
        game.line("a4-a5 a7-a6 b4-b5");
        advance(&timed, &mut game, HOUR);
        assert_problem(&game.red.post(&game.path(path), &body), 409, "game_over");
        let outcome = game.view(&game.red)["outcome"].clone();
        assert_eq!(
            outcome,
            json!({"winner": "red", "reason": "timeout"}),
            "{path}"
        );
    }
}

/// Before both have moved nobody has lost anything.
fn time_that_is_up_before_both_moved_aborts_the_game(backend: Backend) {
    let timed = Timed::start(backend);
    for (moves, notation) in [("", "a4-a5"), ("a4-a5", "a7-a6")] {
        let mut game = begin(&timed, &per_move("PT1H"));
        game.line(moves);
        advance(&timed, &mut game, HOUR);
        assert_problem(&game.attempt(notation), 409, "game_over");
        let view = game.view(&game.red);
        assert_eq!(view["status"], "aborted");
        assert_eq!(
            view["outcome"],
            json!({"winner": null, "reason": "timeout"})
        );
    }
}

/// A deadline in setup is as long as one for a move, and past it there is no game.
fn an_army_must_be_placed_in_time(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = in_setup(&timed, &per_move("P1D"));
    let view = game.view(&game.red);
    assert_eq!(
        instant(&view["deadline"]) - instant(&view["created_at"]),
        chrono::TimeDelta::days(1)
    );
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    advance(&timed, &mut game, DAY);
    assert_problem(&game.place(Side::Blue, &blue), 409, "game_over");
    let view = game.view(&game.blue);
    assert_eq!(view["status"], "aborted");
    assert_eq!(
        view["outcome"],
        json!({"winner": null, "reason": "setup_timeout"})
    );
}

/// Each move has the whole time again, and the other side's clock stands.
fn a_move_gives_its_whole_time_back(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed, &per_move("P1D"));
    game.line("a4-a5 a7-a6");
    advance(&timed, &mut game, Duration::from_mins(23 * 60 + 55));
    let moved = game.line("b4-b5")["game"].clone();
    assert_eq!(seconds(&moved["red"]["time_left"]), 86_400);
    let made = instant(&moved["last_move"]["played_at"]);
    assert_eq!(
        instant(&moved["deadline"]) - made,
        chrono::TimeDelta::days(1)
    );
    assert_eq!(seconds(&moved["last_move"]["think_time"]), 86_100);
    assert_eq!(game.view(&game.blue)["deadline"], moved["deadline"]);
    // Three days are 259,200 seconds, whatever clocks on walls do meanwhile.
    let long = begin(&timed, &per_move("P3D"));
    let view = long.view(&long.red);
    let whole = instant(&view["deadline"]) - instant(&view["started_at"]);
    assert_eq!(whole.num_milliseconds(), 259_200_000);
}

/// What is saved is kept, up to the most that was agreed, and what is used is gone.
fn a_fischer_clock_adds_after_each_move(backend: Backend) {
    let timed = Timed::start(backend);
    let control =
        json!({"kind": "fischer", "initial": "P2D", "increment": "PT12H", "max": "P2DT6H"});
    let mut game = begin(&timed, &control);
    game.line("a4-a5 a7-a6");
    advance(&timed, &mut game, DAY);
    let moved = game.line("b4-b5")["game"].clone();
    // 54 hours is the most; a day is used of it, and half a day comes back.
    assert_eq!(seconds(&moved["red"]["time_left"]), 42 * 3600);
    assert_eq!(seconds(&moved["blue"]["time_left"]), 54 * 3600);
    assert_eq!(
        (instant(&moved["deadline"]) - instant(&moved["last_move"]["played_at"])).num_hours(),
        54
    );
    advance(&timed, &mut game, 54 * HOUR);
    assert_problem(&game.attempt("b7-b6"), 409, "game_over");
    assert_eq!(
        game.view(&game.red)["outcome"],
        json!({"winner": "red", "reason": "timeout"})
    );
}

/// C06: the clocks of a finished game stand.
fn time_stands_still_after_the_end(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed, &per_move("PT1H"));
    game.line("a4-a5 a7-a6");
    advance(&timed, &mut game, 10 * SECOND);
    let ended = game.resign(Side::Red).ok(200);
    advance(&timed, &mut game, DAY);
    let later = game.view(&game.red);
    for field in [
        "red",
        "blue",
        "deadline",
        "outcome",
        "finished_at",
        "updated_at",
    ] {
        assert_eq!(later[field], ended[field], "{field}");
    }
}

/// D14: to the second, on the server's clock.
fn an_access_token_serves_fifteen_minutes(backend: Backend) {
    let timed = Timed::start(backend);
    let player = timed.register("token");
    timed.clock.advance(899 * SECOND);
    player.get("/v1/me").ok(200);
    timed.clock.advance(SECOND);
    assert_problem(&player.get("/v1/me"), 401, "token_expired");
    let body = json!({"refresh_token": player.refresh_token});
    let renewed = player
        .with_token(None)
        .post("/v1/auth/refresh", &body)
        .ok(200);
    player
        .with_token(renewed["tokens"]["access_token"].as_str())
        .get("/v1/me")
        .ok(200);
}

/// A spent refresh token that comes back later ends the whole family.
fn a_refresh_token_used_again_ends_its_family(backend: Backend) {
    let timed = Timed::start(backend);
    let player = timed.register("family");
    let refresh = |token: &str| {
        player
            .with_token(None)
            .post("/v1/auth/refresh", &json!({"refresh_token": token}))
    };
    let next = text(&refresh(&player.refresh_token).ok(200)["tokens"]["refresh_token"]);
    timed.clock.advance(HOUR);
    assert_problem(&refresh(&player.refresh_token), 401, "token_reused");
    assert_eq!(refresh(&next).status, 401);
}

fn an_idempotency_key_is_remembered_for_a_day(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = in_setup(&timed, &per_move("P3D"));
    let post = |client: &Client| {
        let body = json!({"ruleset": "barrage", "time_control": {"kind": "unlimited"}});
        let request = client
            .request("POST", "/v1/challenges")
            .header("idempotency-key", "one");
        text(&request.json(&body).send().ok(201)["id"])
    };
    let first = post(&game.red);
    advance(&timed, &mut game, Duration::from_secs(86_399));
    assert_eq!(post(&game.red), first);
    advance(&timed, &mut game, 2 * SECOND);
    assert_ne!(post(&game.red), first);
}

fn a_challenge_expires(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = in_setup(&timed, &per_move("P3D"));
    let body =
        json!({"ruleset": "barrage", "time_control": {"kind": "unlimited"}, "expires_in": "PT1H"});
    let challenge = game.red.post("/v1/challenges", &body).ok(201);
    advance(&timed, &mut game, HOUR);
    assert_problem(&accept(&game.blue, &challenge), 410, "gone");
    let open = game.blue.get("/v1/challenges?direction=open").ok(200);
    assert_eq!(open["items"], json!([]));
}

on_both! {
    the_side_to_move_loses_when_its_time_is_up,
    a_move_counts_when_it_comes_before_its_deadline,
    time_that_is_up_decides_before_anything_else,
    time_that_is_up_before_both_moved_aborts_the_game,
    an_army_must_be_placed_in_time,
    a_move_gives_its_whole_time_back,
    a_fischer_clock_adds_after_each_move,
    time_stands_still_after_the_end,
    an_access_token_serves_fifteen_minutes,
    a_refresh_token_used_again_ends_its_family,
    an_idempotency_key_is_remembered_for_a_day,
    a_challenge_expires,
}
