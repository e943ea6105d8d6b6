//! Where the server does not go, however it is asked to.

use std::net::TcpListener;

use serde_json::{Value, json};
use tests::{Backend, Receiver, TestServer, Timed, assert_problem, on_both};

use super::{SECRET, begin, wait_for_failure, webhook};

/// Addresses that are not public are refused in every spelling, and so is what is no address to send to.
fn what_is_not_public_is_refused(server: &TestServer) {
    let player = server.register("player");
    for (url, code) in [
        ("http://example.org/", "not_encrypted"),
        ("https://127.0.0.1/", "not_public"),
        ("https://2130706433/", "not_public"),
        ("https://0x7f000001/", "not_public"),
        ("https://0177.1/", "not_public"),
        ("https://[::1]/", "not_public"),
        ("https://[::ffff:127.0.0.1]/", "not_public"),
        ("https://[::ffff:7f00:1]:8080/", "not_public"),
        ("https://[64:ff9b::a00:1]/", "not_public"),
        ("https://[2002:7f00:1::]/", "not_public"),
        ("https://[fe80::1]/", "not_public"),
        ("https://10.0.0.1/", "not_public"),
        ("https://169.254.169.254/latest/meta-data", "not_public"),
        ("https://100.64.0.1/", "not_public"),
        ("https://0.0.0.0/", "not_public"),
        ("https://user:pass@example.org/", "credentials"),
        ("https://example.org/#fragment", "fragment"),
        ("ftp://example.org/", "not_a_url"),
        ("file:///etc/passwd", "not_a_url"),
        ("", "not_a_url"),
    ] {
        let refused = player.post("/v1/me/webhooks", &json!({"url": url, "secret": SECRET}));
        assert_problem(&refused, 422, "validation_failed");
        let fault = &refused.json()["errors"][0];
        assert_eq!(
            (&fault["field"], &fault["code"]),
            (&json!("url"), &json!(code)),
            "{url}"
        );
    }
    assert_eq!(player.get("/v1/me/webhooks").ok(200)["items"], json!([]));
}

/// A name that stands for an address that is not public is found out when it is looked up.
fn a_name_of_a_private_address_is_not_gone_to(backend: Backend) {
    // Only what is not asked for here is listed, so that no TLS is needed to see that nobody comes.
    let timed = Timed::start_with(backend, &[("REVEILLE_WEBHOOK_NETWORKS", "10.99.0.0/16")]);
    let receiver = Receiver::start();
    let mut game = begin(&timed.url());
    let local = receiver.url("/").replace("127.0.0.1", "localhost");
    let plain = webhook(&game.red, &local, &Value::Null);
    let encrypted = local.replace("http://", "https://");
    let encrypted = webhook(&game.red, &encrypted, &Value::Null);
    game.line("a4-a5");
    for path in [plain, encrypted] {
        wait_for_failure(&game.red, &path, "address_not_allowed");
    }
    assert!(receiver.is_quiet(std::time::Duration::from_millis(100)));
}

/// A port that nobody listens on.
fn a_receiver_that_is_not_there_fails(backend: Backend) {
    let timed = super::start(backend);
    let mut game = begin(&timed.url());
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = closed.local_addr().unwrap();
    drop(closed);
    let path = webhook(&game.red, &format!("http://{address}/"), &Value::Null);
    game.line("a4-a5");
    wait_for_failure(&game.red, &path, "connection_failed");
}

on_both! {
    what_is_not_public_is_refused,
    a_name_of_a_private_address_is_not_gone_to,
    a_receiver_that_is_not_there_fails,
}
