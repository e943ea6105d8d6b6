//! Clocks that stand still, warnings, and games that end by themselves: the server runs in this process,
//! on a clock that the test moves, and keeps time when the test says so.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tests::client::text;
use tests::duration::seconds;
use tests::game::accept;
use tests::{Backend, Client, Game, Side, Timed, assert_problem, on_both};

use crate::lines::EVEN;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

fn advance(timed: &Timed, game: &mut Game, by: Duration) {
    timed.advance([&mut game.red, &mut game.blue], by);
}

/// A game of the even armies after a move of each side, a day a move, with more terms.
pub(crate) fn begin(timed: &Timed, terms: &Value) -> Game {
    let mut game = in_setup(timed, terms);
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    game.line("a4-a5 a7-a6");
    game
}

pub(crate) fn in_setup(timed: &Timed, terms: &Value) -> Game {
    let (red, blue) = (timed.register("red"), timed.register("blue"));
    let mut body = json!({"ruleset": "barrage", "color": "red", "rated": true,
        "time_control": {"kind": "per_move", "per_move": "P1D"}});
    body.as_object_mut()
        .unwrap()
        .extend(terms.as_object().unwrap().clone());
    let challenge = red.post("/v1/challenges", &body).ok(201);
    Game {
        id: text(&accept(&blue, &challenge).ok(201)["id"]),
        red,
        blue,
        ply: 0,
    }
}

pub(crate) fn instant(value: &Value) -> DateTime<Utc> {
    text(value).parse().unwrap()
}

fn offer_pause(game: &Game, side: Side) -> tests::Response {
    game.player(side)
        .post(&game.path("/offers"), &json!({"kind": "pause"}))
}

/// The kinds of a player's own events so far.
pub(crate) fn told(client: &Client, path: &str) -> Vec<(String, Value)> {
    let mut stream = tests::EventStream::open(client, path, Some("0"));
    let mark = client.post(
        "/v1/challenges",
        &json!({"ruleset": "duel", "time_control": {"kind": "unlimited"}}),
    );
    let mark = mark.ok(201)["id"].clone();
    let mut told = Vec::new();
    loop {
        let event = stream.event();
        let data = event.json();
        if data["challenge_id"] == mark {
            client
                .delete(&format!("/v1/challenges/{}", text(&mark)))
                .ok(204);
            return told;
        }
        told.push((event.name.clone(), data));
    }
}

/// C01: nobody calls, and the game ends at its deadline all the same, once.
fn a_game_that_is_left_alone_ends_at_its_deadline(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed, &json!({}));
    let deadline = game.view(&game.red)["deadline"].clone();
    timed.clock.advance(DAY + HOUR);
    timed.keep_time();
    timed.keep_time();
    advance(&timed, &mut game, HOUR);
    let list = format!("/v1/games?player={}&status=finished", game.red.name);
    let listed = game.red.get(&list).ok(200)["items"][0].clone();
    let outcome = json!({"winner": "blue", "reason": "timeout"});
    assert_eq!(
        (&listed["outcome"], &listed["finished_at"]),
        (&outcome, &deadline)
    );
    let view = game.view(&game.blue);
    assert_eq!(
        (&view["outcome"], &view["deadline"]),
        (&outcome, &Value::Null)
    );
    assert_eq!(seconds(&view["red"]["time_left"]), 0);
    assert_eq!(
        seconds(&view["blue"]["time_left"]),
        86_400,
        "C14: untouched"
    );
    let told = told(&game.red, "/v1/me/events");
    let finished = told.iter().filter(|(kind, _)| kind == "game.finished");
    assert_eq!(finished.count(), 1);
}

/// C07: a game that is not set up, or not begun, is called off in its own time.
fn a_game_that_is_never_set_up_is_called_off(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = in_setup(
        &timed,
        &json!({"time_control": {"kind": "per_move", "per_move": "P7D"}}),
    );
    // C18: a deadline from the first moment.
    assert!(game.view(&game.red)["deadline"].is_string());
    timed.clock.advance(Duration::from_hours(7 * 24 - 1));
    timed.keep_time();
    advance(&timed, &mut game, Duration::ZERO);
    assert_eq!(game.view(&game.red)["status"], "setup");
    timed.clock.advance(HOUR);
    timed.keep_time();
    let view = game.view(&game.red.with_token(None));
    assert_eq!(view["status"], "aborted");
    assert_eq!(
        view["outcome"],
        json!({"winner": null, "reason": "setup_timeout"})
    );
}

/// Once, to both players and nobody else, when a fifth of the time is left.
fn players_are_told_when_time_is_nearly_up(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed, &json!({}));
    let deadline = game.view(&game.red)["deadline"].clone();
    timed.clock.advance(Duration::from_secs(4 * 86_400 / 5 - 1));
    timed.keep_time();
    timed.clock.advance(Duration::from_secs(1));
    timed.keep_time();
    timed.clock.advance(HOUR);
    timed.keep_time();
    advance(&timed, &mut game, Duration::ZERO);
    for player in [&game.red, &game.blue] {
        let told = told(player, "/v1/me/events");
        let near: Vec<&Value> = told
            .iter()
            .filter(|(kind, _)| kind == "deadline.near")
            .map(|(_, data)| data)
            .collect();
        let expected = json!({"game_id": game.id, "side": "red", "deadline": deadline});
        assert_eq!(near, [&expected]);
    }
    game.line("b4-b5");
}

fn a_pause_is_agreed_on_and_ended(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed, &json!({}));
    advance(&timed, &mut game, 5 * HOUR);
    let offer = offer_pause(&game, Side::Blue).ok(201);
    assert_eq!(
        (&offer["kind"], &offer["by"]),
        (&json!("pause"), &json!("blue"))
    );
    offer_pause(&game, Side::Blue).ok(200);
    let accept = game.path(&format!("/offers/{}/accept", text(&offer["id"])));
    assert_problem(&game.blue.post(&accept, &json!({})), 409, "own_offer");
    let paused = game.red.post(&accept, &json!({})).ok(200);
    assert_eq!(
        (&paused["paused"]["kind"], &paused["paused"]["by"]),
        (&json!("mutual"), &json!("blue"))
    );
    assert_eq!(
        (&paused["deadline"], &paused["paused"]["until"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(seconds(&paused["red"]["time_left"]), 19 * 3600);
    assert_problem(&offer_pause(&game, Side::Red), 409, "offer_closed");
    // Everyone sees why nothing happens, in lists too.
    let anyone = game.red.with_token(None);
    assert_eq!(game.view(&anyone)["paused"], paused["paused"]);
    let list = anyone
        .get(&format!("/v1/games?player={}", game.red.name))
        .ok(200);
    assert_eq!(list["items"][0]["paused"], paused["paused"]);
    advance(&timed, &mut game, 300 * DAY);
    timed.keep_time();
    let resume = game.path("/resume");
    let stranger = timed.register("third");
    assert_problem(&stranger.post(&resume, &json!({})), 403, "forbidden");
    let resumed = game.blue.post(&resume, &json!({})).ok(200);
    assert_eq!(resumed["paused"], Value::Null);
    let now = instant(&resumed["updated_at"]);
    assert_eq!(
        instant(&resumed["deadline"]) - now,
        chrono::TimeDelta::hours(19)
    );
    game.red.post(&resume, &json!({})).ok(200);
    let kinds: Vec<String> = told(&game.red, "/v1/me/events")
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
    let tail = &kinds[kinds.len() - 4..];
    assert_eq!(
        tail,
        ["game.offer", "game.offer", "game.paused", "game.resumed"]
    );
    game.line("b4-b5");
}

fn a_vacation_stops_ones_own_clocks(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed, &json!({}));
    let mut strict = Game::between(game.red.clone(), game.blue.clone(), "barrage", &Value::Null);
    strict.id = {
        let body = json!({"ruleset": "barrage", "color": "red", "vacation": false,
            "time_control": {"kind": "per_move", "per_move": "P1D"}});
        let challenge = game.red.post("/v1/challenges", &body).ok(201);
        text(&accept(&game.blue, &challenge).ok(201)["id"])
    };
    advance(&timed, &mut game, 6 * HOUR);
    let me = "/v1/me/vacation";
    let free = game.red.get(me).ok(200);
    assert_eq!(
        (&free["active"], &free["from"], &free["until"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    assert!(
        (free["days_left"].as_f64().unwrap() - 7.0).abs() < 0.1,
        "{free}"
    );
    let begun = game.red.put(me, &json!({})).ok(200);
    assert_eq!(begun["active"], true);
    let until = begun["until"].clone();
    // Twice is once.
    assert_eq!(
        game.red.put(me, &json!({"until": until})).ok(200)["from"],
        begun["from"]
    );
    let view = game.view(&game.blue);
    assert_eq!(
        view["paused"],
        json!({"kind": "vacation", "by": "red", "since": begun["from"], "until": until})
    );
    assert_eq!(
        (&view["deadline"], seconds(&view["red"]["time_left"])),
        (&Value::Null, 18 * 3600)
    );
    assert!(
        strict.view(&game.red)["deadline"].is_string(),
        "vacations were ruled out"
    );
    // A new game knows it from the start.
    let fresh = tests::game::new_game(&game.red, &game.blue, "barrage", &Value::Null);
    let fresh = game.blue.get(&format!("/v1/games/{fresh}")).ok(200);
    assert_eq!(fresh["paused"]["kind"], "vacation");
    // The other's clock is his own; and one who is away may move.
    advance(&timed, &mut game, DAY);
    game.line("b4-b5");
    assert!(game.view(&game.blue)["deadline"].is_string());
    game.line("b7-b6");
    assert_eq!(game.view(&game.blue)["deadline"], Value::Null);
    // It ends by itself when it is used up, exactly then, however late that is noticed.
    timed.clock.advance(7 * DAY);
    timed.keep_time();
    advance(&timed, &mut game, Duration::ZERO);
    let view = game.view(&game.red);
    assert_eq!(view["paused"], Value::Null);
    let after = game.red.get(me).ok(200);
    assert_eq!(after["active"], false);
    assert!(after["days_left"].as_f64().unwrap() < 0.2, "{after}");
    assert!(view["deadline"].is_string());
    let nothing_left = game.red.put(
        me,
        &json!({"from": "2027-01-01T00:00:00Z", "until": "2026-12-31T00:00:00Z"}),
    );
    assert_problem(&nothing_left, 422, "validation_failed");
    assert_problem(
        &game.red.put(me, &json!({"from": 7})),
        400,
        "malformed_request",
    );
}

/// Where its end was set, and where it is given up, the clock goes on from where it stood.
fn a_vacation_ends_where_it_was_said(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed, &json!({}));
    let me = "/v1/me/vacation";
    let started = instant(&game.view(&game.red)["updated_at"]);
    let at = |hours: i64| (started + chrono::TimeDelta::hours(hours)).to_rfc3339();
    let planned = game
        .red
        .put(me, &json!({"from": at(10), "until": at(58)}))
        .ok(200);
    assert_eq!(planned["active"], false);
    timed.clock.advance(11 * HOUR);
    timed.keep_time();
    advance(&timed, &mut game, Duration::ZERO);
    let view = game.view(&game.red);
    assert_eq!(
        seconds(&view["red"]["time_left"]),
        14 * 3600,
        "from the hour it was set to"
    );
    timed.clock.advance(47 * HOUR + Duration::from_secs(30));
    timed.keep_time();
    advance(&timed, &mut game, Duration::ZERO);
    let view = game.view(&game.red);
    assert_eq!(
        instant(&view["deadline"]),
        started + chrono::TimeDelta::hours(58 + 14)
    );
    // Given up before it ends, and given up before it begins.
    game.red.put(me, &json!({})).ok(200);
    advance(&timed, &mut game, 10 * HOUR);
    game.red.delete(me).ok(204);
    game.red.delete(me).ok(204);
    let view = game.view(&game.red);
    let left = instant(&view["deadline"]) - instant(&view["updated_at"]);
    assert_eq!(left, chrono::TimeDelta::seconds(14 * 3600 - 30));
    let soon = game.red.get("/v1/me").ok(200);
    assert!(soon.is_object());
    let later = (started + chrono::TimeDelta::days(40)).to_rfc3339();
    game.red.put(me, &json!({"from": later})).ok(200);
    game.red.delete(me).ok(204);
    assert_eq!(game.red.get(me).ok(200)["from"], Value::Null);
}

/// The test begins on a Sunday evening.
fn clocks_rest_at_weekends(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed, &json!({"weekends": true}));
    let view = game.view(&game.blue);
    let monday = "2026-11-30T00:00:00.000Z";
    assert_eq!(
        view["paused"],
        json!({"kind": "weekend", "by": null, "since": "2026-11-28T00:00:00.000Z", "until": monday})
    );
    assert_eq!(
        (&view["deadline"], seconds(&view["red"]["time_left"])),
        (&Value::Null, 86_400)
    );
    advance(&timed, &mut game, 3 * HOUR);
    let view = game.view(&game.blue);
    assert_eq!(
        (&view["paused"], &view["deadline"]),
        (&Value::Null, &json!("2026-12-01T00:00:00.000Z"))
    );
    timed.clock.advance(DAY);
    timed.keep_time();
    assert_eq!(
        game.view(&game.red.with_token(None))["outcome"]["reason"],
        "timeout"
    );
}

/// An outage is no one's time; a server that runs while its clock is set forward has none.
fn an_outage_is_given_back(backend: Backend) {
    let mut timed = Timed::start(backend);
    let mut game = begin(&timed, &json!({}));
    let setup = in_setup(&timed, &json!({}));
    let deadline = instant(&game.view(&game.red)["deadline"]);
    timed.restart_after(30 * DAY);
    let base = timed.url();
    (game.red, game.blue) = (game.red.at(&base), game.blue.at(&base));
    let anyone = game.red.with_token(None);
    let view = game.view(&anyone);
    assert_eq!(view["status"], "active");
    assert_eq!(
        instant(&view["deadline"]) - deadline,
        chrono::TimeDelta::days(30)
    );
    assert_eq!(setup.view(&anyone)["status"], "setup");
    // Short of a minute is none.
    timed.restart_after(Duration::from_mins(1));
    let anyone = anyone.at(&timed.url());
    assert_eq!(game.view(&anyone)["deadline"], view["deadline"]);
    timed.clock.advance(DAY);
    timed.keep_time();
    assert_eq!(game.view(&anyone)["outcome"]["winner"], "blue");
}

/// A vacation that ends while no node runs goes on until one does: nobody could play.
fn a_vacation_does_not_end_in_an_outage(backend: Backend) {
    // Up again 50 seconds after the end, when 40 were left; or soon down for another while.
    for outages in [&[130][..], &[130, 70], &[100, 130]] {
        a_vacation_ends_with(backend, outages);
    }
}

fn a_vacation_ends_with(backend: Backend, outages: &[u64]) {
    let mut timed = Timed::start(backend);
    let control = json!({"kind": "per_move", "per_move": "PT1M"});
    let game = begin(&timed, &json!({"time_control": control}));
    timed.clock.advance(Duration::from_secs(20));
    let until = instant(&game.view(&game.red)["updated_at"]) + chrono::TimeDelta::seconds(200);
    let body = json!({"until": until.to_rfc3339()});
    game.red.put("/v1/me/vacation", &body).ok(200);
    timed.clock.advance(Duration::from_secs(100));
    timed.keep_time();
    for outage in outages {
        timed.restart_after(Duration::from_secs(*outage));
    }
    timed.keep_time();
    let up = 120 + i64::try_from(outages.iter().sum::<u64>()).unwrap();
    let anyone = game.red.with_token(None).at(&timed.url());
    let view = game.view(&anyone);
    assert_eq!(
        (&view["status"], &view["paused"]),
        (&json!("active"), &Value::Null)
    );
    let left = instant(&view["deadline"]) - until;
    assert_eq!(left, chrono::TimeDelta::seconds(up - 200 + 40));
}

on_both! {
    a_game_that_is_left_alone_ends_at_its_deadline,
    a_game_that_is_never_set_up_is_called_off,
    players_are_told_when_time_is_nearly_up,
    a_pause_is_agreed_on_and_ended,
    a_vacation_stops_ones_own_clocks,
    a_vacation_ends_where_it_was_said,
    clocks_rest_at_weekends,
    an_outage_is_given_back,
    a_vacation_does_not_end_in_an_outage,
}
