//! An address is a player's own once a mail that went there was answered.

use serde_json::{Value, json};
use tests::{Backend, Timed, assert_problem, on_both};

use super::{DAY, HOUR, Post};

fn is_verified(player: &tests::Client) -> bool {
    player.get("/v1/me").ok(200)["email_verified"] == Value::Bool(true)
}

fn an_address_is_verified_by_the_mail_that_goes_there(backend: Backend) {
    let post = Post::open(backend);
    let (player, address) = post.register("owner");
    assert!(!is_verified(&player));
    player.post("/v1/me/email/verify", &json!({})).ok(202);
    // Asked twice before it is sent, it is one mail.
    player.post("/v1/me/email/verify", &json!({})).ok(202);
    post.timed.send_mail();
    let mut mails = post.mailbox.take();
    let mail = mails.pop().unwrap();
    assert!(mails.len() < 2, "{mails:?}");
    assert_eq!(mail.to, address);
    assert_eq!(mail.subject(), "Confirm your address");
    assert_eq!(
        mail.header("from").unwrap(),
        "Reveille <game@reveille.example>"
    );
    assert!(
        mail.header("message-id")
            .unwrap()
            .ends_with("@reveille.example>")
    );
    assert!(
        mail.plain()
            .contains("https://reveille.example/mail/verify?token=")
    );
    assert!(
        mail.html()
            .contains("<a href=\"https://reveille.example/mail/verify?token=")
    );
    let token = mail.token("/mail/verify");

    let other = post.timed.register("other");
    let of_another = other.post("/v1/me/email/verify", &json!({"token": token}));
    assert_problem(&of_another, 422, "validation_failed");
    let confirm = || player.post("/v1/me/email/verify", &json!({"token": token}));
    confirm().ok(204);
    assert!(is_verified(&player));
    assert_problem(&confirm(), 422, "validation_failed");
    player.post("/v1/me/email/verify", &json!({})).ok(204);
    assert_eq!(post.timed.send_mail(), 0);

    // The same again changes nothing; another one begins anew.
    player.patch("/v1/me", &json!({"email": address})).ok(200);
    assert!(is_verified(&player));
    player
        .patch("/v1/me", &json!({"email": "new@example.org"}))
        .ok(200);
    assert!(!is_verified(&player));
}

fn a_link_asks_before_it_confirms(backend: Backend) {
    let post = Post::open(backend);
    let (player, _) = post.register("owner");
    player.post("/v1/me/email/verify", &json!({})).ok(202);
    post.timed.send_mail();
    let link = post.mailbox.only().link("/mail/verify");
    let nobody = player.with_token(None);
    let page = nobody.get(&link);
    assert_eq!(page.status, 200);
    assert!(
        page.text().contains("<form method=\"post\">"),
        "{}",
        page.text()
    );
    assert!(!is_verified(&player), "to look at a link changes nothing");
    let page = nobody.request("POST", &link).send();
    assert!(page.text().contains("Address confirmed"), "{}", page.text());
    assert!(is_verified(&player));
    let page = nobody.request("POST", &link).send();
    assert_eq!(page.status, 200);
    assert!(page.text().contains("does not hold"), "{}", page.text());
}

fn a_token_is_of_its_address_and_runs_out(backend: Backend) {
    let post = Post::open(backend);
    let (mut player, address) = post.register("owner");
    let ask = |player: &tests::Client| {
        player.post("/v1/me/email/verify", &json!({})).ok(202);
        post.timed.send_mail();
        post.mailbox.only().token("/mail/verify")
    };
    let token = ask(&player);
    player
        .patch("/v1/me", &json!({"email": "x@example.org"}))
        .ok(200);
    let refused = player.post("/v1/me/email/verify", &json!({"token": token}));
    assert_problem(&refused, 422, "validation_failed");
    player.patch("/v1/me", &json!({"email": address})).ok(200);
    let token = ask(&player);
    post.timed.advance([&mut player], DAY);
    let late = player.post("/v1/me/email/verify", &json!({"token": token}));
    assert_problem(&late, 422, "validation_failed");
    assert!(!is_verified(&player));
}

fn nobody_is_buried_in_mail(backend: Backend) {
    let post = Post::open(backend);
    let victim = json!({"email": "victim@example.org"});
    let mut sent = 0;
    let mut players = Vec::new();
    for number in 0..3 {
        let player = post.timed.register("sender");
        player.patch("/v1/me", &victim).ok(200);
        for _ in 0..5 {
            player.post("/v1/me/email/verify", &json!({})).ok(202);
            sent += post.timed.send_mail();
        }
        let sixth = player.post("/v1/me/email/verify", &json!({}));
        if number < 2 {
            assert_problem(&sixth, 429, "rate_limited");
        }
        players.push(player);
    }
    sent += post.timed.send_mail();
    let came = post.mailbox.take().len();
    assert_eq!(came, 10, "{sent} of them in runs of the test");
    // A day later there is room again.
    post.timed.advance(&mut players, DAY + HOUR);
    post.timed.sweep();
    players[0].post("/v1/me/email/verify", &json!({})).ok(202);
    post.timed.send_mail();
    assert_eq!(post.mailbox.take().len(), 1);
}

fn what_cannot_be_done_is_said(backend: Backend) {
    let timed = Timed::start(backend);
    let player = timed.register("owner");
    let ask = || player.post("/v1/me/email/verify", &json!({}));
    assert_problem(&ask(), 409, "email_missing");
    player
        .patch("/v1/me", &json!({"email": "a@example.org"}))
        .ok(200);
    assert_problem(&ask(), 409, "mail_off");
    let nobody = player.with_token(None);
    nobody
        .post(
            "/v1/auth/password-reset",
            &json!({"email": "a@example.org"}),
        )
        .ok(202);
    assert_eq!(timed.send_mail(), 0);
    let change = json!({"preferences": {"tz": "Nowhere/At_All"}});
    assert_problem(&player.patch("/v1/me", &change), 422, "validation_failed");
}

/// Erased, an account leaves nothing that mail could go by.
fn an_erased_account_leaves_no_address(backend: Backend) {
    let post = Post::open(backend);
    let (player, address) = post.verified("gone");
    let nobody = player.with_token(None);
    nobody
        .post("/v1/auth/password-reset", &json!({"email": address}))
        .ok(202);
    player.delete("/v1/me").ok(204);
    post.timed.send_mail();
    post.mailbox.take();
    // Each of these would break a constraint if there were a row.
    for statement in [
        "UPDATE mail_state SET version = -1",
        "UPDATE mail_tokens SET kind = 'none'",
        "UPDATE mail_outbox SET kind = 'none'",
        "UPDATE mail_near SET ply = -2",
        "UPDATE mail_reset_requests SET asked_at = NULL",
    ] {
        post.timed.database().run(statement);
    }
}

on_both! {
    an_address_is_verified_by_the_mail_that_goes_there,
    a_link_asks_before_it_confirms,
    a_token_is_of_its_address_and_runs_out,
    nobody_is_buried_in_mail,
    what_cannot_be_done_is_said,
    an_erased_account_leaves_no_address,
}
