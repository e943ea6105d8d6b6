//! Web Push: what browsers are told, in messages that they alone can read.

use std::time::Duration;

use aes_gcm::aead::{Aead, KeyInit, Nonce};
use aes_gcm::{Aes128Gcm, Key};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode};
use p256::{PublicKey, SecretKey};
use serde_json::{Value, json};
use sha2::Sha256;
use tests::client::text;
use tests::game::challenge;
use tests::{
    Backend, Client, Game, Received, Receiver, Reply, Side, TestServer, Timed, assert_problem,
    on_both,
};

use crate::webhooks::{LOCAL, begin, place, wait_until};

const AUTH: [u8; 16] = [7; 16];
const PATH: &str = "/v1/me/push-subscriptions";

/// A browser: its key, and the push service that takes messages for it.
struct Browser {
    key: SecretKey,
    service: Receiver,
}

impl Browser {
    fn new() -> Self {
        Self {
            key: SecretKey::from_slice(&[3; 32]).unwrap(),
            service: Receiver::start(),
        }
    }

    /// The subscription as a browser gives it.
    fn subscription(&self) -> Value {
        json!({
            "endpoint": self.service.url("/send/abc"),
            "expirationTime": null,
            "keys": {
                "p256dh": BASE64_URL_SAFE_NO_PAD.encode(self.public_key()),
                "auth": BASE64_URL_SAFE_NO_PAD.encode(AUTH),
            },
        })
    }

    fn public_key(&self) -> Box<[u8]> {
        self.key.public_key().to_sec1_bytes()
    }

    fn subscribe(&self, player: &Client) {
        player.post(PATH, &self.subscription()).ok(201);
    }

    /// The next message, by RFC 8291.
    fn read(&self) -> (Received, Value) {
        let received = self.service.next();
        let message = &received.body;
        let (salt, rest) = message.split_at(16);
        let (sender, sealed) = rest[5..].split_at(65);
        let shared = self
            .key
            .diffie_hellman(&PublicKey::from_sec1_bytes(sender).unwrap());
        let derive = |salt: &[u8], input: &[u8], info: &[&[u8]], length: usize| {
            let mut output = vec![0; length];
            let derived = Hkdf::<Sha256>::new(Some(salt), input);
            derived.expand_multi_info(info, &mut output).unwrap();
            output
        };
        let info = [b"WebPush: info\0".as_slice(), &self.public_key(), sender];
        let input = derive(&AUTH, shared.raw_secret_bytes(), &info, 32);
        let key = derive(salt, &input, &[b"Content-Encoding: aes128gcm\0"], 16);
        let nonce = derive(salt, &input, &[b"Content-Encoding: nonce\0"], 12);
        let key: [u8; 16] = key.try_into().unwrap();
        let nonce: [u8; 12] = nonce.try_into().unwrap();
        let content = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key))
            .decrypt(&Nonce::<Aes128Gcm>::from(nonce), sealed)
            .unwrap();
        let end = content.iter().rposition(|byte| *byte != 0).unwrap();
        assert_eq!(content[end], 2);
        let content = serde_json::from_slice(&content[..end]).unwrap();
        (received, content)
    }

    /// The titles of the next messages.
    fn titles(&self, count: usize) -> Vec<String> {
        let read = (0..count).map(|_| text(&self.read().1["title"]));
        read.collect()
    }
}

fn start(backend: Backend) -> Timed {
    let contact = ("REVEILLE_VAPID_CONTACT", "mailto:admin@example.org");
    Timed::start_with(backend, &[LOCAL, contact])
}

/// Signed for the push service by the key that the server shows.
fn assert_authorized(timed: &Timed, received: &Received, origin: &str) {
    let shown = Client::new(&timed.url()).get("/v1/push/vapid-key").ok(200);
    let header = received.header("authorization");
    let (token, key) = header
        .strip_prefix("vapid t=")
        .and_then(|rest| rest.split_once(", k="))
        .unwrap();
    assert_eq!(shown["key"], key);
    let point = BASE64_URL_SAFE_NO_PAD.decode(key).unwrap();
    let mut validation = Validation::new(Algorithm::ES256);
    validation.validate_exp = false;
    validation.set_audience(&[origin]);
    let claims = decode::<Value>(token, &DecodingKey::from_ec_der(&point), &validation).unwrap();
    assert_eq!(claims.claims["sub"], "mailto:admin@example.org");
}

/// What a player has to know, and nothing that he did himself; what it is and where, and no rank.
fn a_browser_is_told_what_its_player_has_to_know(backend: Backend) {
    let timed = start(backend);
    let (red, blue) = (timed.register("red"), timed.register("blue"));
    let (of_red, of_blue) = (Browser::new(), Browser::new());
    of_red.subscribe(&red);
    of_blue.subscribe(&blue);
    let mut game = Game::between(red, blue, "barrage", &Value::Null);
    // At one instant a stream has no order of what is of different things.
    timed.clock.advance(Duration::from_secs(1));
    place(&game);
    game.line("i4xi7");
    assert_eq!(of_red.titles(2), ["challenge_accepted", "game_started"]);
    let titles = of_blue.titles(2);
    assert_eq!(titles, ["challenge_created", "game_started"]);
    let (received, content) = of_blue.read();
    let expected = json!({
        "kind": "game.move", "title": "your_turn", "game_id": game.id, "ply": 1,
    });
    assert_eq!(content, expected);
    assert_eq!(received.path, "/send/abc");
    assert_eq!(received.header("content-encoding"), "aes128gcm");
    assert_eq!(received.header("ttl"), "86400");
    assert_eq!(received.header("urgency"), "normal");
    assert_eq!(received.header("topic"), game.id.replace('-', ""));
    let origin = of_blue.service.url("");
    assert_authorized(&timed, &received, &origin);
    crate::offers::offer(&game, Side::Red).ok(201);
    let (offered, content) = of_blue.read();
    assert_eq!(content["title"], "game_offer");
    // As long as any other.
    assert_eq!(offered.body.len(), received.body.len());
    game.line("a7-a6");
    assert_eq!(of_red.titles(1), ["your_turn"]);
    game.resign(Side::Red).ok(200);
    assert_eq!(of_blue.titles(1), ["game_finished"]);
    assert_eq!(of_red.titles(1), ["game_finished"]);
    for browser in [&of_red, &of_blue] {
        assert!(browser.service.is_quiet(Duration::from_millis(300)));
    }
}

/// A turn that has passed on by the time is not told, and kinds that are not wanted never are.
fn what_is_no_longer_so_is_not_told(backend: Backend) {
    let timed = start(backend);
    let browser = Browser::new();
    let mut game = begin(&timed.url());
    let mut wanted = browser.subscription();
    wanted["kinds"] = json!(["game.move", "challenge.created"]);
    browser
        .service
        .reply(&[Reply::Status(503)], Reply::Status(201));
    game.blue.post(PATH, &wanted).ok(201);
    game.line("a4-a5");
    browser.service.next();
    wait_until(&game.blue, PATH, |found| {
        found["items"][0]["last_error"] == "status_503"
    });
    game.line("a7-a6 b4-b5 b7-b6 e4-e5");
    game.resign(Side::Red).ok(200);
    challenge(&game.red, Some(&game.blue), "barrage", &Value::Null).ok(201);
    timed.clock.advance(Duration::from_secs(10));
    assert_eq!(browser.titles(1), ["challenge_created"]);
    assert!(browser.service.is_quiet(Duration::from_millis(300)));
}

/// A push service that no longer has the subscription, and one that fails for a day.
fn a_subscription_that_is_no_more_is_removed(backend: Backend) {
    let timed = start(backend);
    let mut game = begin(&timed.url());
    let browser = Browser::new();
    for status in [404, 410] {
        browser.service.reply(&[], Reply::Status(status));
        browser.subscribe(&game.blue);
        game.line(if status == 404 { "a4-a5" } else { "b4-b5" });
        browser.service.next();
        wait_until(&game.blue, PATH, |found| found["items"] == json!([]));
        game.line(if status == 404 { "a7-a6" } else { "b7-b6" });
    }
    browser.service.reply(&[], Reply::Status(429));
    browser.subscribe(&game.blue);
    game.line("e4-e5");
    browser.service.next();
    wait_until(&game.blue, PATH, |found| {
        found["items"][0]["last_error"] == "status_429"
    });
    timed.advance([&mut game.red, &mut game.blue], Duration::from_hours(24));
    browser.service.next();
    wait_until(&game.blue, PATH, |found| found["items"] == json!([]));
}

/// The same endpoint again is the same subscription; keys are never shown.
fn a_browser_subscribes_once(server: &TestServer) {
    let (player, other) = (server.register("player"), server.register("other"));
    let mut body = Browser::new().subscription();
    body["endpoint"] = json!("https://push.example.org/send/abc");
    let answer = player.post(PATH, &body);
    let made = answer.ok(201);
    body["kinds"] = json!(["game.finished"]);
    let again = player.post(PATH, &body).ok(200);
    assert_eq!(
        (&again["id"], &again["kinds"]),
        (&made["id"], &body["kinds"])
    );
    let listed = player.get(PATH).ok(200);
    assert_eq!(listed, json!({"items": [again], "next": null}));
    let secret = text(&body["keys"]["auth"]);
    assert!(!answer.text().contains(&secret) && !server.stderr().contains(&secret));
    assert_eq!(other.get(PATH).ok(200)["items"], json!([]));
    let path = format!("{PATH}/{}", text(&made["id"]));
    assert_problem(&other.delete(&path), 404, "not_found");
    player.delete(&path).ok(204);
    assert_problem(&player.delete(&path), 404, "not_found");
    for (change, field, code) in [
        (
            json!({"endpoint": "https://127.0.0.1/"}),
            "endpoint",
            "not_public",
        ),
        (
            json!({"keys": {"p256dh": "AAAA", "auth": secret}}),
            "keys.p256dh",
            "not_a_key",
        ),
        (
            json!({"keys": {"p256dh": body["keys"]["p256dh"], "auth": "AAAA"}}),
            "keys.auth",
            "not_a_secret",
        ),
        (json!({"kinds": []}), "kinds", "too_short"),
    ] {
        let mut wrong = body.clone();
        for (name, value) in change.as_object().unwrap() {
            wrong[name] = value.clone();
        }
        let refused = player.post(PATH, &wrong);
        assert_problem(&refused, 422, "validation_failed");
        let fault = &refused.json()["errors"][0];
        assert_eq!(
            (&fault["field"], &fault["code"]),
            (&json!(field), &json!(code))
        );
    }
}

/// The key is made once and stays; one that is configured is used in its place, or the server says why not.
fn the_key_stays(backend: Backend) {
    let mut server = TestServer::start(backend);
    let key = |server: &TestServer| server.client().get("/v1/push/vapid-key").ok(200);
    let first = key(&server);
    server.stop();
    server.restart();
    assert_eq!(key(&server), first);
    let file = server.data_folder().join("vapid-key.pem");
    let file = file.display().to_string();
    let other = TestServer::start_with(backend, &[("REVEILLE_VAPID_KEY", &file)]);
    assert_eq!(key(&other), first);
    let missing = TestServer::prepare(backend, &[("REVEILLE_VAPID_KEY", "/nowhere.pem")]);
    let output = missing.command(&["serve"]).output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("VAPID key file /nowhere.pem"), "{said}");
}

on_both! {
    a_browser_is_told_what_its_player_has_to_know,
    what_is_no_longer_so_is_not_told,
    a_subscription_that_is_no_more_is_removed,
    a_browser_subscribes_once,
    the_key_stays,
}
