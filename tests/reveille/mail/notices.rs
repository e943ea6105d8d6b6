//! Players are told of their turns and of deadlines.

use std::time::Duration;

use serde_json::json;
use tests::game::challenge;
use tests::{Backend, on_both};

use super::{HOUR, MINUTE, Post, game, per_move, unlimited};

fn a_burst_of_turns_is_one_mail(backend: Backend) {
    let post = Post::open(backend);
    let (mut told, address) = post.receiver("told", &["your_turn"]);
    let mut other = post.timed.register("other");
    let mut third = post.timed.register("third");
    let mut games = [
        game(&other, &told, &unlimited()),
        game(&third, &told, &unlimited()),
    ];
    post.timed.send_mail();
    for game in &mut games {
        game.line("a4-a5");
        post.later([&mut told, &mut other, &mut third], 2 * MINUTE);
    }
    assert!(post.mailbox.take().is_empty(), "it waits for more");
    post.later([&mut told, &mut other, &mut third], 2 * MINUTE);
    let mail = post.mailbox.only();
    assert_eq!(mail.to, address);
    assert_eq!(mail.subject(), "Your turn in 2 games");
    let plain = mail.plain();
    for (game, name) in games.iter().zip([&other.name, &third.name]) {
        assert!(plain.contains(&format!("https://reveille.example/v1/games/{}", game.id)));
        assert!(plain.contains(name.as_str()), "{plain}");
    }
    // No rank: neither his own nor what he knows.
    for word in ["marshal", "flag", "spy", "bomb"] {
        assert!(!mail.text.to_lowercase().contains(word), "{plain}");
    }

    // He moves, the other moves: not within the hour.
    games[0].blue.token.clone_from(&told.token);
    games[0].red.token.clone_from(&other.token);
    games[0].line("a7-a6 b4-b5");
    post.later([&mut told, &mut other], 30 * MINUTE);
    assert!(post.mailbox.take().is_empty());
    post.later([&mut told, &mut other], 31 * MINUTE);
    assert_eq!(post.mailbox.only().subject(), "Your turn in 2 games");
    // And told once.
    for _ in 0..4 {
        post.later([&mut told], HOUR);
    }
    assert!(post.mailbox.take().is_empty());
}

fn an_army_is_to_be_placed(backend: Backend) {
    let post = Post::open(backend);
    let (told, _) = post.receiver("told", &["your_turn"]);
    let mut other = post.timed.register("other");
    let made = challenge(&told, Some(&other), "barrage", &json!(null)).ok(201);
    tests::game::accept(&other, &made).ok(201);
    post.later([&mut other], 6 * MINUTE);
    let mail = post.mailbox.only();
    assert_eq!(mail.subject(), format!("Your turn against {}", other.name));
    assert!(
        mail.plain().contains("place your army, until "),
        "{}",
        mail.plain()
    );
}

fn a_near_deadline_is_told_once(backend: Backend) {
    let post = Post::open(backend);
    let (mut told, _) = post.receiver("told", &["deadline_near"]);
    let mut other = post.timed.register("other");
    let mut first = game(&told, &other, &per_move("PT10H"));
    post.later([&mut told, &mut other], Duration::from_mins(8 * 60 - 1));
    assert!(post.mailbox.take().is_empty());
    post.later([&mut told, &mut other], MINUTE);
    let mail = post.mailbox.only();
    assert_eq!(
        mail.subject(),
        format!("Little time left against {}", other.name)
    );
    assert!(
        mail.plain().contains("Mon 30 Nov 2026, 07:00 UTC"),
        "{}",
        mail.plain()
    );
    post.later([&mut told, &mut other], HOUR);
    assert!(post.mailbox.take().is_empty());
    // The next turn of the same game is another one.
    first.red.token.clone_from(&told.token);
    first.blue.token.clone_from(&other.token);
    first.line("a4-a5 a7-a6");
    post.later([&mut told, &mut other], 9 * HOUR);
    assert_eq!(post.mailbox.take().len(), 1);
}

fn who_is_not_verified_or_does_not_want_mail_gets_none(backend: Backend) {
    let post = Post::open(backend);
    let (mut silent, _) = post.receiver("silent", &[]);
    let (mut unverified, _) = post.register("unverified");
    let (mut moved, _) = post.verified("moved");
    moved
        .patch("/v1/me", &json!({"email": "elsewhere@example.org"}))
        .ok(200);
    let mut other = post.timed.register("other");
    for player in [&silent, &unverified, &moved] {
        game(player, &other, &per_move("PT10H"));
    }
    for _ in 0..10 {
        let all = [&mut silent, &mut unverified, &mut moved, &mut other];
        post.later(all, Duration::from_mins(59));
    }
    assert!(post.mailbox.take().is_empty());
}

fn a_link_stops_its_kind_of_mail_and_no_other(backend: Backend) {
    let post = Post::open(backend);
    let (mut told, _) = post.receiver("told", &["your_turn", "deadline_near"]);
    let mut other = post.timed.register("other");
    game(&told, &other, &per_move("P1D"));
    post.later([&mut told, &mut other], 10 * MINUTE);
    let mail = post.mailbox.only();
    let url = mail.header("list-unsubscribe").unwrap();
    assert!(
        url.starts_with("<https://reveille.example/mail/unsubscribe?token="),
        "{url}"
    );
    assert_eq!(
        mail.header("list-unsubscribe-post").unwrap(),
        "List-Unsubscribe=One-Click"
    );
    let link = mail.link("/mail/unsubscribe");
    assert!(url.contains(&link), "{url}");
    let nobody = told.with_token(None);
    assert!(nobody.get(&link).text().contains("<form method=\"post\">"));
    let wanted =
        |client: &tests::Client| client.get("/v1/me").ok(200)["preferences"]["mail"].clone();
    assert_eq!(wanted(&told)["your_turn"], true, "to look changes nothing");
    let mut forged = link.clone();
    let last = forged.pop().unwrap();
    forged.push(if last == 'A' { 'Q' } else { 'A' });
    nobody.request("POST", &forged).send();
    assert_eq!(wanted(&told)["your_turn"], true);
    let one_click = nobody
        .request("POST", &link)
        .header("content-type", "application/x-www-form-urlencoded")
        .bytes("List-Unsubscribe=One-Click")
        .send();
    assert!(one_click.text().contains("Stopped"), "{}", one_click.text());
    assert_eq!(
        wanted(&told),
        json!({"your_turn": false, "deadline_near": true, "digest": false})
    );
    game(&told, &other, &unlimited());
    post.later([&mut told, &mut other], 2 * HOUR);
    assert!(post.mailbox.take().is_empty());
    post.later([&mut told, &mut other], 18 * HOUR);
    assert!(
        post.mailbox
            .only()
            .subject()
            .starts_with("Little time left")
    );
}

/// Of two nodes one sends.
fn two_nodes_send_one_mail(backend: Backend) {
    let post = Post::open(backend);
    let mut receivers: Vec<_> = (0..6)
        .map(|_| post.receiver("told", &["your_turn"]).0)
        .collect();
    let mut other = post.timed.register("other");
    let node = post.timed.another_node();
    for told in &receivers {
        game(told, &other, &unlimited());
    }
    post.timed
        .advance(receivers.iter_mut().chain([&mut other]), 6 * MINUTE);
    std::thread::scope(|scope| {
        scope.spawn(|| node.send_mail().unwrap());
        scope.spawn(|| post.timed.send_mail());
    });
    let mut to: Vec<String> = post
        .mailbox
        .take()
        .into_iter()
        .map(|mail| mail.to)
        .collect();
    to.sort();
    to.dedup();
    assert_eq!(to.len(), 6);
    assert_eq!(post.timed.send_mail() + node.send_mail().unwrap(), 0);
}

on_both! {
    a_burst_of_turns_is_one_mail,
    an_army_is_to_be_placed,
    a_near_deadline_is_told_once,
    who_is_not_verified_or_does_not_want_mail_gets_none,
    a_link_stops_its_kind_of_mail_and_no_other,
    two_nodes_send_one_mail,
}
