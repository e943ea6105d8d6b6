//! What browsers are told, and how much one caller may ask.

use serde_json::json;
use tests::client::PASSWORD;
use tests::{Backend, Client, Response, TestServer, assert_problem, on_both};

const ORIGIN: &str = "https://board.example";

fn with_cors(backend: Backend) -> TestServer {
    TestServer::start_with(backend, &[("REVEILLE_CORS_ORIGINS", ORIGIN)])
}

fn preflight(client: &Client, origin: &str, method: &str, path: &str, header: &str) -> Response {
    client
        .request("OPTIONS", path)
        .header("origin", origin)
        .header("access-control-request-method", method)
        .header("access-control-request-headers", header)
        .send()
}

#[track_caller]
fn assert_allowed(answer: &Response) {
    let allowed = answer.header("access-control-allow-origin");
    assert_eq!(
        allowed,
        Some(ORIGIN),
        "{} {}: {answer:?}",
        answer.asked.0,
        answer.asked.1
    );
}

/// A login as an account that is not there, as if it came through proxies. The account is another one
/// each time, so that only its address can be the reason to refuse it.
fn login(server: &TestServer, number: usize, forwarded: &str) -> Response {
    let client = server.client();
    let body = json!({"username": format!("nobody_{number}"), "password": PASSWORD});
    let request = client.request("POST", "/v1/auth/login").json(&body);
    request.header("x-forwarded-for", forwarded).send()
}

/// Sends until it is refused for its number, which the limits below make soon.
fn until_limited(mut send: impl FnMut(usize) -> Response) -> Response {
    for number in 0..100 {
        let answer = send(number);
        if answer.status == 429 {
            return answer;
        }
        assert!(answer.status < 500, "{answer:?}");
    }
    panic!("100 requests in a row were answered");
}

/// Limits that a test reaches at once, and that give nothing back while it runs.
fn limited(backend: Backend, proxies: &str) -> TestServer {
    let settings = [
        ("REVEILLE_RATE_LIMITS", "on"),
        ("REVEILLE_RATE_LIMIT_ADDRESS", "40/3600"),
        ("REVEILLE_RATE_LIMIT_CALLER", "30/3600"),
        ("REVEILLE_RATE_LIMIT_AUTH", "10/3600"),
        ("REVEILLE_RATE_LIMIT_ACCOUNT", "5/3600"),
        ("REVEILLE_CORS_ORIGINS", ORIGIN),
        ("REVEILLE_TRUSTED_PROXIES", proxies),
    ];
    TestServer::start_with(backend, &settings)
}

/// D10.
fn a_preflight_needs_no_token(backend: Backend) {
    let server = with_cors(backend);
    for (method, path, header) in [
        ("GET", "/v1/me", "authorization"),
        (
            "POST",
            "/v1/challenges",
            "authorization, content-type, idempotency-key",
        ),
        (
            "PUT",
            "/v1/games/0190f0a0-0000-7000-8000-000000000000/setup",
            "authorization, content-type",
        ),
        ("GET", "/v1/games", "if-none-match"),
        ("POST", "/graphql", "content-type"),
        ("DELETE", "/v1/me", "authorization"),
    ] {
        let answer = preflight(&server.client(), ORIGIN, method, path, header);
        assert!(
            matches!(answer.status, 200 | 204),
            "{method} {path}: {answer:?}"
        );
        assert_allowed(&answer);
        let methods = answer
            .header("access-control-allow-methods")
            .unwrap_or_default();
        assert!(methods.contains(method), "{methods}");
        let allowed = answer
            .header("access-control-allow-headers")
            .unwrap_or_default()
            .to_ascii_lowercase();
        for name in header.split(", ") {
            assert!(allowed.contains(name), "{name} is not in {allowed}");
        }
    }
}

/// D10: a browser must be able to read a refusal.
fn refusals_carry_the_cors_fields_too(backend: Backend) {
    let server = with_cors(backend);
    let client = server.client();
    let get = |path: &str, token: &str| {
        client
            .request("GET", path)
            .header("origin", ORIGIN)
            .header("authorization", token)
            .send()
    };
    let unauthenticated = get("/v1/me", "Bearer a.b.c");
    assert_problem(&unauthenticated, 401, "unauthenticated");
    assert_allowed(&unauthenticated);
    let not_found = client
        .request("GET", "/v1/nothing")
        .header("origin", ORIGIN)
        .send();
    assert_problem(&not_found, 404, "not_found");
    assert_allowed(&not_found);
    let post = |body: Vec<u8>| {
        let request = client
            .request("POST", "/v1/auth/login")
            .header("origin", ORIGIN);
        request
            .header("content-type", "application/json")
            .bytes(body)
            .send()
    };
    let malformed = post(b"{".to_vec());
    assert_problem(&malformed, 400, "malformed_request");
    assert_allowed(&malformed);
    let large = post(vec![b' '; 300 << 10]);
    assert_problem(&large, 413, "payload_too_large");
    assert_allowed(&large);
    let fine = client
        .request("GET", "/v1/rules")
        .header("origin", ORIGIN)
        .send();
    fine.ok(200);
    assert_allowed(&fine);
    let exposed = fine
        .header("access-control-expose-headers")
        .unwrap_or_default()
        .to_ascii_lowercase();
    for name in [
        "etag",
        "reveille-games-your-turn",
        "reveille-challenges-incoming",
    ] {
        assert!(exposed.contains(name), "{exposed}");
    }
}

/// D10.
fn another_origin_gets_no_leave(backend: Backend) {
    let server = with_cors(backend);
    for origin in [
        "https://evil.example",
        "null",
        "https://board.example.evil.example",
        "http://board.example",
    ] {
        let answer = preflight(
            &server.client(),
            origin,
            "GET",
            "/v1/rules",
            "authorization",
        );
        assert_eq!(
            answer.header("access-control-allow-origin"),
            None,
            "{origin}: {answer:?}"
        );
        let read = server
            .client()
            .request("GET", "/v1/rules")
            .header("origin", origin)
            .send();
        assert_eq!(
            read.header("access-control-allow-origin"),
            None,
            "{origin}: {read:?}"
        );
    }
}

/// D10, D19.
fn too_many_requests_are_told_when_to_come_back(backend: Backend) {
    let server = limited(backend, "");
    let client = server.client();
    let refused = until_limited(|_| {
        client
            .request("GET", "/v1/rules")
            .header("origin", ORIGIN)
            .send()
    });
    assert_problem(&refused, 429, "rate_limited");
    let wait: u64 = refused
        .header("retry-after")
        .expect("Retry-After")
        .parse()
        .unwrap();
    assert!(wait >= 1, "{wait}");
    assert!(refused.header("ratelimit").is_some(), "{refused:?}");
    assert!(refused.header("ratelimit-policy").is_some(), "{refused:?}");
    assert_allowed(&refused);
    // A preflight is not counted, and health is always answered.
    for _ in 0..20 {
        let answer = preflight(&client, ORIGIN, "GET", "/v1/rules", "authorization");
        assert!(matches!(answer.status, 200 | 204), "{answer:?}");
        client.get("/healthz").ok(200);
    }
}

fn an_answer_says_how_much_is_left(backend: Backend) {
    let server = limited(backend, "");
    let answer = server.client().get("/v1/rules");
    answer.ok(200);
    assert!(answer.header("ratelimit").is_some(), "{answer:?}");
    assert!(answer.header("ratelimit-policy").is_some(), "{answer:?}");
}

/// D19: what a client writes into a forwarding field counts for nothing.
fn a_forged_address_does_not_help(backend: Backend) {
    let server = limited(backend, "");
    until_limited(|number| login(&server, number, &format!("10.0.{number}.1")));
}

/// D19: behind a proxy that is trusted, each client has a limit of its own, and the right-most address
/// that no trusted proxy has is the client.
fn clients_behind_a_trusted_proxy_are_told_apart(backend: Backend) {
    let server = limited(backend, "127.0.0.1,192.0.2.7");
    until_limited(|number| login(&server, number, "198.51.100.1"));
    assert_eq!(login(&server, 200, "198.51.100.2").status, 401);
    // What stands left of it was written by the client.
    for number in 0..3 {
        let forged = format!("203.0.113.{number}, 198.51.100.1");
        assert_eq!(login(&server, 300 + number, &forged).status, 429);
        let two_proxies = format!("203.0.113.{number}, 198.51.100.1, 192.0.2.7");
        assert_eq!(login(&server, 400 + number, &two_proxies).status, 429);
    }
}

/// D19: one account's password cannot be tried from many addresses without end.
fn one_account_has_a_limit_whatever_the_address(backend: Backend) {
    let server = limited(backend, "127.0.0.1");
    let body = json!({"username": "victim_1", "password": PASSWORD});
    let client = server.client();
    let registered = client.request("POST", "/v1/auth/register").json(&body);
    registered
        .header("x-forwarded-for", "203.0.113.250")
        .send()
        .ok(201);
    let refused = until_limited(|number| {
        let wrong = json!({"username": "victim_1", "password": format!("wrong {number}")});
        let from = format!("10.0.{number}.1");
        client
            .request("POST", "/v1/auth/login")
            .header("x-forwarded-for", &from)
            .json(&wrong)
            .send()
    });
    assert_problem(&refused, 429, "rate_limited");
}

fn metrics_have_a_listener_of_their_own(server: &TestServer) {
    assert_problem(&server.client().get("/metrics"), 404, "not_found");
}

on_both! {
    a_preflight_needs_no_token,
    refusals_carry_the_cors_fields_too,
    another_origin_gets_no_leave,
    too_many_requests_are_told_when_to_come_back,
    an_answer_says_how_much_is_left,
    a_forged_address_does_not_help,
    clients_behind_a_trusted_proxy_are_told_apart,
    one_account_has_a_limit_whatever_the_address,
    metrics_have_a_listener_of_their_own,
}
