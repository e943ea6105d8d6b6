//! C04: a digest comes once a day of its reader's, at eight, whatever the clocks do.

use chrono::{DateTime, Utc};
use serde_json::json;
use tests::{Backend, Client, on_both};

use super::{DAY, HOUR, Post, game, unlimited};

/// What passes while an address is verified.
const SECOND: chrono::TimeDelta = chrono::TimeDelta::seconds(1);

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn in_zone(player: &Client, zone: &str) {
    let change = json!({"preferences": {"tz": zone}});
    player.patch("/v1/me", &change).ok(200);
}

fn a_digest_comes_once_a_day_when_the_clocks_change(backend: Backend) {
    for (zone, from, expected) in [
        (
            "America/New_York",
            "2026-03-06T14:30:00Z",
            [
                "2026-03-07T13:00:00Z",
                "2026-03-08T12:00:00Z",
                "2026-03-09T12:00:00Z",
            ],
        ),
        (
            "Europe/Berlin",
            "2026-10-23T07:30:00Z",
            [
                "2026-10-24T06:00:00Z",
                "2026-10-25T07:00:00Z",
                "2026-10-26T07:00:00Z",
            ],
        ),
    ] {
        let post = Post::open(backend);
        post.timed.clock.set(at(from) - SECOND);
        let (reader, address) = post.receiver("reader", &["digest"]);
        in_zone(&reader, zone);
        let other = post.timed.register("other");
        game(&reader, &other, &unlimited());
        let mut came = Vec::new();
        // Every half hour for three days, on the hour too.
        for _ in 0..=(3 * 48) {
            post.timed.clock.advance(HOUR / 2);
            post.timed.send_mail();
            for mail in post.mailbox.take() {
                assert_eq!(
                    (mail.to.as_str(), &*mail.subject()),
                    (&*address, "Your games")
                );
                let date = mail.header("date").unwrap();
                let date = DateTime::parse_from_rfc2822(&date).unwrap();
                came.push(date.with_timezone(&Utc));
            }
        }
        assert_eq!(came, expected.map(at), "{zone}");
    }
}

fn a_day_without_anything_to_tell_has_no_digest(backend: Backend) {
    let post = Post::open(backend);
    let (mut reader, _) = post.receiver("reader", &["digest"]);
    let mut other = post.timed.register("other");
    post.later([&mut reader, &mut other], DAY);
    assert!(post.mailbox.take().is_empty());
    let game = game(&other, &reader, &unlimited());
    game.resign(tests::Side::Red).ok(200);
    tests::game::challenge(&other, Some(&reader), "duel", &json!(null)).ok(201);
    post.later([&mut reader, &mut other], DAY);
    let plain = post.mailbox.only().plain();
    assert!(plain.contains(&format!("{}: ", other.name)), "{plain}");
    assert!(
        plain.contains("(resignation)") || plain.contains("(aborted)"),
        "{plain}"
    );
    assert!(plain.contains("challenges you (duel)"), "{plain}");
    assert!(!plain.contains("wait for you"), "{plain}");
    post.later([&mut reader, &mut other], DAY);
    let plain = post.mailbox.take().pop().map(|mail| mail.plain());
    assert!(
        plain.is_none_or(|plain| !plain.contains("have ended")),
        "told once"
    );
}

/// Who is told by the digest is not told the same by another mail, and who moves to another zone gets no
/// second one on the day.
fn a_digest_stands_for_the_mail_about_turns(backend: Backend) {
    let post = Post::open(backend);
    post.timed.clock.set(at("2026-07-01T05:50:00Z") - SECOND);
    let (mut reader, _) = post.receiver("reader", &["digest", "your_turn"]);
    in_zone(&reader, "Europe/Berlin");
    let mut other = post.timed.register("other");
    game(&reader, &other, &unlimited());
    post.later([&mut reader, &mut other], 10 * super::MINUTE);
    assert_eq!(post.mailbox.only().subject(), "Your games");
    in_zone(&reader, "America/New_York");
    for _ in 0..20 {
        post.later([&mut reader], HOUR);
    }
    assert!(post.mailbox.take().is_empty());
}

on_both! {
    a_digest_comes_once_a_day_when_the_clocks_change,
    a_day_without_anything_to_tell_has_no_digest,
    a_digest_stands_for_the_mail_about_turns,
}
