//! Many receivers that are slow: whom they hold up.

use std::thread;
use std::time::Duration;

use serde_json::Value;
use tests::game::challenge;
use tests::{Backend, Client, Receiver, Reply, Timed, on_both};

use super::{start, webhook};

/// An answer that takes longer is slow.
const LONG: Duration = Duration::from_millis(2_100);
/// How many of a server's places all share.
const PLACES: usize = 32;
/// How many are for those that fail or are slow.
const RETRIES: usize = 8;
/// How many places one player may hold.
const OF_A_PLAYER: usize = 4;

/// Tells each of two players something.
fn tell(red: &Client, blue: &Client) {
    challenge(red, Some(blue), "barrage", &Value::Null).ok(201);
}

/// A player with a receiver that answers, and somebody who tells him something.
fn other(timed: &Timed) -> (Receiver, Client, Client) {
    let (receiver, player) = (Receiver::start(), timed.register("other"));
    webhook(&player, &receiver.url("/"), &Value::Null);
    (receiver, player, timed.register("friend"))
}

/// Of one player's receivers few are told at once, whatever they do. The others wait, and are told.
fn a_player_with_many_receivers_holds_few_places(backend: Backend) {
    let timed = start(backend);
    let (fast, player, friend) = other(&timed);
    let (slow, many) = (Receiver::start(), timed.register("many"));
    slow.reply(&[], Reply::Hang);
    for number in 0..10 {
        webhook(&many, &slow.url(&format!("/{number}")), &Value::Null);
    }
    tell(&friend, &many);
    let mut paths: Vec<String> = Vec::new();
    paths.extend(slow.take(OF_A_PLAYER).into_iter().map(|one| one.path));
    tell(&friend, &player);
    fast.next();
    assert_eq!(slow.count(), 0);
    slow.reply(&[], Reply::Status(200));
    slow.let_go(200);
    paths.extend(slow.take(10 - OF_A_PLAYER).into_iter().map(|one| one.path));
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 10, "each once: {paths:?}");
    assert!(slow.is_quiet(Duration::from_millis(300)));
}

/// Receivers of many players take all places, and answer, slowly: they have to leave them to others.
fn who_is_slow_gives_way_to_others(backend: Backend) {
    let timed = start(backend);
    let (fast, player, friend) = other(&timed);
    let slow = Receiver::start();
    slow.reply(&[], Reply::Hang);
    let many = PLACES / OF_A_PLAYER;
    let many: Vec<Client> = (0..many).map(|_| timed.register("slow")).collect();
    for player in &many {
        for _ in 0..OF_A_PLAYER {
            webhook(player, &slow.url("/"), &Value::Null);
        }
    }
    for pair in many.chunks(2) {
        tell(&pair[0], &pair[1]);
        tell(&pair[1], &pair[0]);
    }
    slow.take(PLACES);
    tell(&friend, &player);
    thread::sleep(LONG);
    slow.let_go(200);
    fast.next();
    // They have more to hear, in the places of those that are slow alone.
    let again = slow.count();
    assert!(again <= RETRIES, "{again} are told");
    slow.reply(&[], Reply::Status(200));
    slow.let_go(200);
    slow.take(PLACES - again);
    assert!(slow.is_quiet(Duration::from_millis(300)));
}

on_both! {
    a_player_with_many_receivers_holds_few_places,
    who_is_slow_gives_way_to_others,
}
