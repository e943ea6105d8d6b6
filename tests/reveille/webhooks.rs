//! Webhooks: a player's events, sent by the server itself to receivers that fail, hang and lie.

mod addresses;
mod failures;
mod nodes;
mod owners;
mod places;

use std::time::{Duration, Instant};

use api::deliveries::signature;
use serde_json::{Value, json};
use tests::client::text;
use tests::game::challenge;
use tests::sse::{Event, PATIENCE};
use tests::{Client, Game, Received, Receiver, Side, TestServer, Timed};

use crate::events::follow_me;
use crate::lines::EVEN;

pub(crate) const SECRET: &str = "correct horse battery staple";

/// Lets the server send to where tests listen.
pub(crate) const LOCAL: (&str, &str) = ("REVEILLE_WEBHOOK_NETWORKS", "127.0.0.0/8");

/// Makes a webhook of a player; gives its path.
pub(crate) fn webhook(player: &Client, url: &str, kinds: &Value) -> String {
    let mut body = json!({"url": url, "secret": SECRET});
    if !kinds.is_null() {
        body["kinds"] = kinds.clone();
    }
    let made = player.post("/v1/me/webhooks", &body).ok(201);
    format!("/v1/me/webhooks/{}", text(&made["id"]))
}

/// A game whose armies stand, between new players of a server at `url`.
pub(crate) fn begin(url: &str) -> Game {
    let (red, blue) = (Client::register(url, "red"), Client::register(url, "blue"));
    let game = Game::between(red, blue, "barrage", &Value::Null);
    place(&game);
    game
}

pub(crate) fn place(game: &Game) {
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
}

/// Looks at something until it is as wanted.
#[track_caller]
pub(crate) fn wait_until(player: &Client, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        let found = player.get(path).ok(200);
        if wanted(&found) {
            return found;
        }
        assert!(Instant::now() < end, "{path} stays {found}");
    }
}

/// Looks at a webhook until it fails, or failed in that way.
#[track_caller]
fn wait_for_failure(player: &Client, path: &str, how: &str) -> Value {
    wait_until(player, path, |found| found["last_error"] == how)
}

fn start(backend: tests::Backend) -> Timed {
    Timed::start_with(backend, &[LOCAL])
}

/// The requests are these events, as the stream gives them, signed.
#[track_caller]
fn assert_told(received: &[Received], events: &[Event]) {
    assert_eq!(received.len(), events.len());
    for (one, event) in received.iter().zip(events) {
        let body = one.json();
        assert_eq!(body["id"], event.number());
        assert_eq!(body["kind"], event.name);
        assert_eq!(one.header("reveille-event-id"), event.number().to_string());
        assert_eq!(one.header("reveille-event-kind"), event.name);
        assert_eq!(one.header("content-type"), "application/json");
        // Byte for byte: what the stream does not say, the webhook does not.
        let sent = String::from_utf8(one.body.clone()).unwrap();
        let rest = sent.split_once(",\"data\":").unwrap().1;
        assert_eq!(rest, format!("{}}}", event.data));
        let members: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(members, ["created_at", "data", "id", "kind"]);
        assert_signed(one);
    }
}

#[track_caller]
fn assert_signed(one: &Received) {
    let header = one.header("reveille-signature");
    let (time, mac) = header.split_once(",v1=").unwrap();
    let seconds = time.strip_prefix("t=").unwrap().parse().unwrap();
    assert_eq!(mac, signature(SECRET.as_bytes(), seconds, &one.body));
    assert_ne!(mac, signature(b"another secret", seconds, &one.body));
    assert_ne!(mac, signature(SECRET.as_bytes(), seconds + 1, &one.body));
}

/// All of a player's events from when the webhook was made, in order and with the data of his stream; of
/// others' games nothing.
fn a_webhook_gets_what_the_stream_gives(backend: tests::Backend) {
    let timed = start(backend);
    let receiver = Receiver::start();
    let mut game = begin(&timed.url());
    let path = webhook(&game.blue, &receiver.url("/hook?a=b"), &Value::Null);
    let mut others = begin(&timed.url());
    others.line("a4-a5");
    game.line(EVEN.moves);
    challenge(&game.red, Some(&game.blue), "barrage", &Value::Null).ok(201);
    // A challenge made and taken, two armies, the start; then the moves, the end, a challenge.
    let (before, all) = (5, EVEN.plies() + 2);
    let told = receiver.take(all);
    let events = follow_me(&game.blue, Some("0")).events(before + all);
    assert_told(&told, &events[before..]);
    assert!(told.iter().all(|one| one.path == "/hook?a=b"));
    let id = path.rsplit('/').next().unwrap();
    assert!(
        told.iter()
            .all(|one| one.header("reveille-webhook-id") == id)
    );
    assert!(receiver.is_quiet(Duration::from_millis(300)));
    let shown = wait_until(&game.blue, &path, |found| !found["delivered_at"].is_null());
    assert_eq!(shown["last_error"], Value::Null);
}

/// Kinds that were not asked for are passed over, and the numbers show it.
fn a_webhook_gets_the_kinds_that_it_asked_for(backend: tests::Backend) {
    let timed = start(backend);
    let (some, none) = (Receiver::start(), Receiver::start());
    let mut game = begin(&timed.url());
    let wanted = json!(["game.finished", "game.offer", "game.offer"]);
    let path = webhook(&game.red, &some.url("/"), &wanted);
    webhook(&game.red, &none.url("/"), &json!(["challenge.created"]));
    let shown = game.red.get(&path).ok(200);
    assert_eq!(shown["kinds"], json!(["game.offer", "game.finished"]));
    game.line("a4-a5 a7-a6");
    crate::offers::offer(&game, Side::Red).ok(201);
    game.line("b4-b5");
    game.resign(Side::Blue).ok(200);
    let kinds: Vec<String> = some
        .take(3)
        .iter()
        .map(|one| text(&one.json()["kind"]))
        .collect();
    // Made, closed by the end, and the end.
    assert_eq!(kinds, ["game.offer", "game.offer", "game.finished"]);
    assert!(none.is_quiet(Duration::from_millis(300)));
    assert!(some.is_quiet(Duration::from_millis(1)));
}

/// A program that was ended and started again goes on where it was.
fn what_was_not_told_is_told_after_a_restart(backend: tests::Backend) {
    let mut server = TestServer::start_with(backend, &[LOCAL]);
    let receiver = Receiver::start();
    let mut game = begin(server.url());
    let path = webhook(&game.red, &receiver.url("/"), &Value::Null);
    game.line("a4-a5 a7-a6");
    receiver.take(2);
    receiver.reply(&[], tests::Reply::Status(503));
    game.line("a5xa6");
    let failed = receiver.next();
    wait_for_failure(&game.red, &path, "status_503");
    game.line("b7-b6");
    server.kill();
    receiver.reply(&[], tests::Reply::Status(200));
    server.restart();
    game.red = game.red.at(server.url());
    game.blue = game.blue.at(server.url());
    game.line("b4-b5");
    let told = receiver.take(3);
    let numbers: Vec<u64> = told.iter().map(Received::number).collect();
    assert_eq!(numbers[0], failed.number());
    assert_eq!(told[0].body, failed.body);
    assert_eq!(numbers, [numbers[0], numbers[0] + 1, numbers[0] + 2]);
}

tests::on_both! {
    a_webhook_gets_what_the_stream_gives,
    a_webhook_gets_the_kinds_that_it_asked_for,
    what_was_not_told_is_told_after_a_restart,
}
