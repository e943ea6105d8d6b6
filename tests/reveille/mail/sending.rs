//! The server of mail may be gone, and nothing secret is in a log.

use std::time::{Duration, Instant};

use serde_json::json;
use tests::{Backend, Client, Mailbox, TestServer, on_both};

use super::{FROM, HOUR, MINUTE, PUBLIC, Post, game, unlimited};

fn a_server_that_is_gone_holds_up_nothing(backend: Backend) {
    let post = Post::open(backend);
    let (mut told, _) = post.receiver("told", &["your_turn"]);
    let (mut new, _) = post.register("new");
    let mut other = post.timed.register("other");
    post.mailbox.close(true);
    new.post("/v1/me/email/verify", &json!({})).ok(202);
    assert_eq!(post.timed.send_mail(), 0);
    game(&told, &other, &unlimited());
    // It rests for a minute, then for two, four, …: what was not tried is not lost.
    for _ in 0..10 {
        post.later([&mut told, &mut new, &mut other], 10 * MINUTE);
    }
    assert!(post.mailbox.take().is_empty());
    post.mailbox.close(false);
    post.later([&mut told, &mut new, &mut other], HOUR);
    post.later([&mut told, &mut new, &mut other], HOUR);
    let mails = post.mailbox.take();
    let verification = mails
        .iter()
        .find(|mail| mail.subject() == "Confirm your address")
        .unwrap_or_else(|| panic!("{mails:?}"));
    let token = verification.token("/mail/verify");
    new.post("/v1/me/email/verify", &json!({"token": token}))
        .ok(204);
    assert!(
        mails
            .iter()
            .any(|mail| mail.subject().starts_with("Your turn")),
        "{mails:?}"
    );
    assert_eq!(mails.len(), 2, "{mails:?}");
}

/// The thread of the real program sends what is asked for at once, and its log holds no secret.
fn no_token_and_no_address_is_in_the_log(backend: Backend) {
    let mailbox = Mailbox::open();
    let settings = [
        ("REVEILLE_SMTP_URL", &*mailbox.url()),
        FROM,
        PUBLIC,
        ("REVEILLE_LOG", "trace"),
    ];
    let server = TestServer::start_with(backend, &settings);
    let player = Client::register(server.url(), "secretive");
    player
        .patch("/v1/me", &json!({"email": "hidden.name@example.org"}))
        .ok(200);
    player.post("/v1/me/email/verify", &json!({})).ok(202);
    let mail = wait_for_mail(&mailbox);
    let verify = mail.token("/mail/verify");
    let page = player
        .with_token(None)
        .request("POST", &mail.link("/mail/verify"))
        .send();
    assert!(page.text().contains("confirmed"), "{}", page.text());
    let asked = json!({"email": "hidden.name@example.org"});
    player.post("/v1/auth/password-reset", &asked).ok(202);
    let reset = wait_for_mail(&mailbox).token("/mail/reset");
    let body = json!({"token": reset, "new_password": "a password of mine"});
    player
        .post("/v1/auth/password-reset/confirm", &body)
        .ok(204);
    wait_for_mail(&mailbox);
    let log = server.stderr();
    for secret in [
        &*verify,
        &reset,
        "hidden.name",
        "smtp-secret",
        "a password of mine",
    ] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret}: {line:?}");
    }
}

fn wait_for_mail(mailbox: &Mailbox) -> tests::Mail {
    let end = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(mail) = mailbox.take().pop() {
            return mail;
        }
        assert!(Instant::now() < end, "no mail came");
        std::thread::yield_now();
    }
}

on_both! {
    a_server_that_is_gone_holds_up_nothing,
    no_token_and_no_address_is_in_the_log,
}
