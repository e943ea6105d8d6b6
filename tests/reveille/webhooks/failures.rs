//! Receivers that fail, hang, repeat, and are no more.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::{Backend, Received, Receiver, Reply, on_both};

use super::{begin, start, wait_for_failure, wait_until, webhook};

const MINUTE: Duration = Duration::from_mins(1);

/// What fails is sent again, the same with the same number, and what comes after waits for it.
fn what_fails_is_sent_again_in_order(backend: Backend) {
    let timed = start(backend);
    let receiver = Receiver::start();
    let mut game = begin(&timed.url());
    let path = webhook(&game.red, &receiver.url("/"), &Value::Null);
    let mut since = None;
    // It took the event and says that it did not; or says nothing.
    for (reply, how, pause) in [
        (Reply::Status(500), "status_500", Duration::from_secs(10)),
        (Reply::Close, "connection_failed", Duration::from_secs(20)),
        (Reply::Status(404), "status_404", Duration::from_secs(40)),
    ] {
        receiver.reply(&[], reply);
        if game.ply == 0 {
            game.line("a4-a5 a7-a6");
        }
        let failed = receiver.next();
        assert_eq!(failed.json()["data"]["move"]["ply"], 0, "{how}");
        let shown = wait_for_failure(&game.red, &path, how);
        // Since the first time.
        let began = since.get_or_insert(shown["failing_since"].clone());
        assert_eq!(shown["failing_since"], *began);
        assert_eq!(shown["enabled"], true);
        // Nothing is sent before its time.
        assert!(receiver.is_quiet(Duration::from_millis(100)));
        timed.clock.advance(pause);
    }
    receiver.reply(&[], Reply::Status(204));
    let again = receiver.take(2);
    let ply = |one: &Received| one.json()["data"]["move"]["ply"].clone();
    assert_eq!((ply(&again[0]), ply(&again[1])), (json!(0), json!(1)));
    let shown = wait_until(&game.red, &path, |found| found["last_error"].is_null());
    assert_eq!(shown["failing_since"], Value::Null);
    assert_ne!(shown["delivered_at"], Value::Null);
}

/// One that does not answer holds up nobody else, and counts as failed after 10 seconds.
fn who_hangs_holds_up_nobody_else(backend: Backend) {
    let timed = start(backend);
    let (hanging, other) = (Receiver::start(), Receiver::start());
    hanging.reply(&[], Reply::Hang);
    let mut game = begin(&timed.url());
    let path = webhook(&game.red, &hanging.url("/"), &Value::Null);
    webhook(&game.red, &other.url("/"), &Value::Null);
    webhook(&game.blue, &other.url("/"), &Value::Null);
    let began = Instant::now();
    game.line("a4-a5");
    hanging.next();
    other.take(2);
    game.line("a7-a6 b4-b5");
    other.take(4);
    assert!(began.elapsed() < Duration::from_secs(8));
    wait_for_failure(&game.red, &path, "timed_out");
    assert!(hanging.is_quiet(Duration::from_millis(1)));
}

/// A redirect is a failure, wherever it leads to.
fn a_redirect_is_not_followed(backend: Backend) {
    let timed = start(backend);
    let (receiver, elsewhere) = (Receiver::start(), Receiver::start());
    receiver.reply(&[], Reply::Redirect(elsewhere.url("/")));
    let mut game = begin(&timed.url());
    let path = webhook(&game.red, &receiver.url("/"), &Value::Null);
    game.line("a4-a5");
    receiver.next();
    wait_for_failure(&game.red, &path, "redirected");
    assert!(elsewhere.is_quiet(Duration::from_millis(200)));
}

/// After a day of failures nothing is sent any more; enabled again it goes on with what failed.
fn who_fails_for_a_day_is_disabled_and_may_be_enabled_again(backend: Backend) {
    let timed = start(backend);
    let receiver = Receiver::start();
    receiver.reply(&[], Reply::Status(503));
    let mut game = begin(&timed.url());
    let path = webhook(&game.red, &receiver.url("/"), &Value::Null);
    game.line("a4-a5");
    let first = receiver.next();
    wait_for_failure(&game.red, &path, "status_503");
    let mut hours = 0;
    let mut before = game.red.get(&path).ok(200);
    while hours < 24 {
        assert_eq!(before["enabled"], true, "after {hours} hours");
        hours += 6;
        timed.advance([&mut game.red, &mut game.blue], 360 * MINUTE);
        assert_eq!(receiver.next().number(), first.number());
        // It is noted when it has rested, or was given up.
        before = wait_until(&game.red, &path, |found| {
            (hours < 24) || found["enabled"] == false
        });
    }
    let shown = wait_until(&game.red, &path, |found| found["enabled"] == false);
    assert_ne!(shown["disabled_at"], Value::Null);
    assert_eq!(shown["last_error"], "status_503");
    game.line("a7-a6");
    timed.advance([&mut game.red, &mut game.blue], 60 * MINUTE);
    assert!(receiver.is_quiet(Duration::from_millis(1_500)));
    receiver.reply(&[], Reply::Status(200));
    let shown = game.red.patch(&path, &json!({"enabled": true})).ok(200);
    assert_eq!(shown["disabled_at"], Value::Null);
    assert_eq!(shown["failing_since"], Value::Null);
    let numbers: Vec<u64> = receiver.take(2).iter().map(Received::number).collect();
    assert_eq!(numbers, [first.number(), first.number() + 1]);
}

/// Who says that he is gone is believed at once.
fn who_is_gone_is_disabled_at_once(backend: Backend) {
    let timed = start(backend);
    let receiver = Receiver::start();
    receiver.reply(&[], Reply::Status(410));
    let mut game = begin(&timed.url());
    let path = webhook(&game.red, &receiver.url("/"), &Value::Null);
    game.line("a4-a5");
    receiver.next();
    let shown = wait_for_failure(&game.red, &path, "gone");
    assert_eq!(shown["enabled"], false);
    timed.clock.advance(MINUTE);
    assert!(receiver.is_quiet(Duration::from_millis(1_500)));
}

/// Another address, secret or kinds are used at once.
fn a_change_counts_at_once(backend: Backend) {
    let timed = start(backend);
    let (old, new) = (Receiver::start(), Receiver::start());
    old.reply(&[], Reply::Status(500));
    let mut game = begin(&timed.url());
    let path = webhook(&game.red, &old.url("/"), &Value::Null);
    game.line("a4-a5");
    let failed = old.next();
    wait_for_failure(&game.red, &path, "status_500");
    let secret = "another secret of this test";
    let change = json!({"url": new.url("/new"), "secret": secret});
    let shown = game.red.patch(&path, &change).ok(200);
    assert_eq!(shown["url"], new.url("/new"));
    let told = new.next();
    assert_eq!(told.number(), failed.number());
    let header = told.header("reveille-signature").to_owned();
    let (time, mac) = header.split_once(",v1=").unwrap();
    let seconds = time.strip_prefix("t=").unwrap().parse().unwrap();
    let expected = api::deliveries::signature(secret.as_bytes(), seconds, &told.body);
    assert_eq!(mac, expected);
    let change = json!({"kinds": ["game.finished"]});
    game.red.patch(&path, &change).ok(200);
    game.line("a7-a6");
    game.resign(tests::Side::Red).ok(200);
    assert_eq!(new.next().json()["kind"], "game.finished");
}

on_both! {
    what_fails_is_sent_again_in_order,
    who_hangs_holds_up_nobody_else,
    a_redirect_is_not_followed,
    who_fails_for_a_day_is_disabled_and_may_be_enabled_again,
    who_is_gone_is_disabled_at_once,
    a_change_counts_at_once,
}
