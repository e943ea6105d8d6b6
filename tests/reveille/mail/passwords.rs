//! A forgotten password is set anew by the mail that goes to the verified address.

use serde_json::json;
use tests::client::PASSWORD;
use tests::{Backend, Client, Response, assert_problem, on_both};

use super::{HOUR, Post};

const NEW: &str = "another correct horse";

fn ask(post: &Post, address: &str) {
    let nobody = Client::new(&post.timed.url());
    let answer = nobody.post("/v1/auth/password-reset", &json!({"email": address}));
    answer.ok(202);
    post.timed.send_mail();
}

fn confirm(post: &Post, token: &str, password: &str) -> Response {
    let body = json!({"token": token, "new_password": password});
    Client::new(&post.timed.url()).post("/v1/auth/password-reset/confirm", &body)
}

fn login(player: &Client, password: &str) -> Response {
    let body = json!({"username": player.name, "password": password});
    player.with_token(None).post("/v1/auth/login", &body)
}

fn a_forgotten_password_is_set_anew_and_every_login_ends(backend: Backend) {
    let post = Post::open(backend);
    let (player, address) = post.verified("owner");
    ask(&post, &address.to_uppercase());
    let mail = post.mailbox.only();
    assert_eq!(mail.to, address, "as it was given to the account");
    assert_eq!(mail.subject(), "Set a new password");
    let first = mail.token("/mail/reset");
    ask(&post, &address);
    let second = post.mailbox.only().token("/mail/reset");
    assert_ne!(first, second);

    assert_problem(&confirm(&post, &second, "short"), 422, "validation_failed");
    confirm(&post, &second, NEW).ok(204);
    for token in [&second, &first] {
        assert_problem(&confirm(&post, token, NEW), 401, "unauthenticated");
    }
    assert_problem(&login(&player, PASSWORD), 401, "invalid_credentials");
    login(&player, NEW).ok(200);
    let refresh = json!({"refresh_token": player.refresh_token});
    let refreshed = player.with_token(None).post("/v1/auth/refresh", &refresh);
    assert_eq!(refreshed.status, 401);
    post.timed.send_mail();
    let notice = post.mailbox.only();
    assert_eq!(notice.subject(), "Your password was changed");
    assert!(!notice.text.contains(NEW));
}

/// A mail that is under way sets no password any more once its owner has changed it by himself.
fn a_changed_password_is_told_and_ends_what_mails_allow(backend: Backend) {
    let post = Post::open(backend);
    let (player, address) = post.verified("owner");
    ask(&post, &address);
    let token = post.mailbox.only().token("/mail/reset");
    let change = json!({"current_password": PASSWORD, "new_password": NEW});
    player.post("/v1/me/password", &change).ok(204);
    post.timed.send_mail();
    let notice = post.mailbox.only();
    assert_eq!(notice.subject(), "Your password was changed");
    let stolen = confirm(&post, &token, "a password of somebody else");
    assert_problem(&stolen, 401, "unauthenticated");
    login(&player, NEW).ok(200);
}

fn the_page_sets_it_too(backend: Backend) {
    let post = Post::open(backend);
    let (player, address) = post.verified("owner");
    ask(&post, &address);
    let link = post.mailbox.only().link("/mail/reset");
    let nobody = player.with_token(None);
    assert!(nobody.get(&link).text().contains("type=\"password\""));
    let send = |body: &str| {
        nobody
            .request("POST", &link)
            .header("content-type", "application/x-www-form-urlencoded")
            .bytes(body)
            .send()
    };
    assert!(send("new_password=short").text().contains("no password"));
    let set = send("new_password=another+correct+horse");
    assert!(set.text().contains("The password is set"), "{}", set.text());
    login(&player, NEW).ok(200);
    assert!(
        send("new_password=another+correct+horse")
            .text()
            .contains("does not hold")
    );
}

fn nobody_learns_whether_an_address_is_known(backend: Backend) {
    let post = Post::open(backend);
    let (known, address) = post.verified("known");
    let (_unverified, other) = post.register("unverified");
    let nobody = known.with_token(None);
    let answers: Vec<Response> = [&*address, &other, "nobody@example.org", "no address", ""]
        .iter()
        .map(|email| nobody.post("/v1/auth/password-reset", &json!({"email": email})))
        .collect();
    for answer in &answers {
        assert_eq!((answer.status, answer.body.len()), (202, 0));
        let names = |answer: &Response| -> Vec<String> {
            answer
                .headers
                .iter()
                .map(|(name, _)| name.clone())
                .collect()
        };
        assert_eq!(names(answer), names(&answers[0]));
    }
    post.timed.send_mail();
    assert_eq!(
        post.mailbox.only().to,
        address,
        "mail goes to verified addresses only"
    );
}

/// Two accounts may have one address: its owner chooses.
fn each_account_of_an_address_gets_its_own_mail(backend: Backend) {
    let post = Post::open(backend);
    let (one, address) = post.verified("one");
    let two = post.timed.register("two");
    two.patch("/v1/me", &json!({"email": address})).ok(200);
    two.post("/v1/me/email/verify", &json!({})).ok(202);
    post.timed.send_mail();
    let token = post.mailbox.only().token("/mail/verify");
    two.post("/v1/me/email/verify", &json!({"token": token}))
        .ok(204);
    ask(&post, &address);
    let mails = post.mailbox.take();
    let names = [&one.name, &two.name];
    assert_eq!(mails.len(), 2);
    for (mail, name) in mails.iter().zip(names) {
        assert!(mail.plain().contains(name.as_str()), "{}", mail.plain());
    }
    confirm(&post, &mails[1].token("/mail/reset"), NEW).ok(204);
    login(&one, PASSWORD).ok(200);
    login(&two, NEW).ok(200);
}

fn a_token_holds_for_an_hour_and_for_its_address(backend: Backend) {
    let post = Post::open(backend);
    let (mut player, address) = post.verified("owner");
    ask(&post, &address);
    let late = post.mailbox.only().token("/mail/reset");
    post.timed.advance([&mut player], HOUR);
    assert_problem(&confirm(&post, &late, NEW), 401, "unauthenticated");
    ask(&post, &address);
    let token = post.mailbox.only().token("/mail/reset");
    player
        .patch("/v1/me", &json!({"email": "moved@example.org"}))
        .ok(200);
    assert_problem(&confirm(&post, &token, NEW), 401, "unauthenticated");
    for nonsense in ["", "x", &"A".repeat(64), &token[1..]] {
        assert_problem(&confirm(&post, nonsense, NEW), 401, "unauthenticated");
    }
    login(&player, PASSWORD).ok(200);
}

fn five_mails_a_day_are_enough(backend: Backend) {
    let post = Post::open(backend);
    let (_player, address) = post.verified("owner");
    for _ in 0..8 {
        ask(&post, &address);
    }
    assert_eq!(post.mailbox.take().len(), 5);
}

on_both! {
    a_forgotten_password_is_set_anew_and_every_login_ends,
    a_changed_password_is_told_and_ends_what_mails_allow,
    the_page_sets_it_too,
    nobody_learns_whether_an_address_is_known,
    each_account_of_an_address_gets_its_own_mail,
    a_token_holds_for_an_hour_and_for_its_address,
    five_mails_a_day_are_enough,
}
