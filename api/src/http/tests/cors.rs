use super::client::{Answer, TestServer};

const ORIGIN: &str = "https://play.example";
const SETTINGS: &[(&str, &str)] = &[
    ("cors_origins", ORIGIN),
    ("rate_limits", "on"),
    ("rate_limit_address", "3/3600"),
];

fn allowed(answer: &Answer) -> Option<&str> {
    answer.header("access-control-allow-origin")
}

fn preflight(server: &TestServer, path: &str, origin: &str) -> Answer {
    server.send(
        "OPTIONS",
        path,
        &[
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            (
                "Access-Control-Request-Headers",
                "authorization, content-type, idempotency-key",
            ),
        ],
    )
}

#[test]
fn preflights_need_no_token_and_are_not_counted() {
    let server = TestServer::start(SETTINGS);
    for _ in 0..5 {
        let answer = preflight(&server, "/v1/me", ORIGIN);
        assert_eq!((answer.status, allowed(&answer)), (200, Some(ORIGIN)));
        assert!(
            answer
                .header("access-control-allow-headers")
                .unwrap()
                .contains("authorization")
        );
        assert!(
            answer
                .header("access-control-allow-methods")
                .unwrap()
                .contains("DELETE")
        );
        assert_eq!(answer.header("access-control-max-age"), Some("3600"));
    }
    assert_eq!(server.send("GET", "/openapi.json", &[]).status, 200);
}

#[test]
fn errors_and_limits_carry_the_headers_too() {
    let server = TestServer::start(SETTINGS);
    let origin = ("Origin", ORIGIN);
    let expired = ("Authorization", "Bearer not.a.token");
    for (status, answer) in [
        (404, server.send("GET", "/nowhere", &[origin])),
        (405, server.send("POST", "/healthz", &[origin])),
        (200, server.send("GET", "/openapi.json", &[origin, expired])),
        (404, server.send("GET", "/nowhere", &[origin, expired])),
        (429, server.send("GET", "/nowhere", &[origin])),
    ] {
        assert_eq!((answer.status, allowed(&answer)), (status, Some(ORIGIN)));
        let exposed = answer
            .header("access-control-expose-headers")
            .unwrap()
            .to_ascii_lowercase();
        for name in [
            "etag",
            "location",
            "retry-after",
            "ratelimit",
            "ratelimit-policy",
            "x-request-id",
        ] {
            assert!(
                exposed.split(", ").any(|header| header == name),
                "{name} in {exposed}"
            );
        }
    }
}

#[test]
fn other_origins_get_nothing() {
    let server = TestServer::start(&[("cors_origins", ORIGIN)]);
    for origin in [
        "https://evil.example",
        "null",
        "https://play.example.evil.example",
    ] {
        let answer = server.send("GET", "/healthz", &[("Origin", origin)]);
        assert_eq!((answer.status, allowed(&answer)), (200, None), "{origin}");
        let refused = preflight(&server, "/v1/me", origin);
        refused.assert_problem(400, "malformed_request");
        assert_eq!(allowed(&refused), None);
    }
    let closed = TestServer::start(&[]);
    assert_eq!(
        allowed(&closed.send("GET", "/healthz", &[("Origin", ORIGIN)])),
        None
    );
}

#[test]
fn any_origin_can_be_allowed() {
    let server = TestServer::start(&[("cors_origins", "*")]);
    let answer = server.send("GET", "/nowhere", &[("Origin", "https://any.example")]);
    assert_eq!(allowed(&answer), Some("*"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
}

/// Each worker keeps these lists in an order of its own.
#[test]
fn lists_are_written_in_the_order_of_names() {
    let server = TestServer::start(SETTINGS);
    let answer = server.send("GET", "/nowhere", &[("Origin", ORIGIN)]);
    assert_eq!(
        answer.header("access-control-expose-headers"),
        Some(
            "allow, etag, location, ratelimit, ratelimit-policy, retry-after, \
             reveille-challenges-incoming, reveille-games-running, reveille-games-your-turn, \
             x-request-id"
        )
    );
    let answer = preflight(&server, "/v1/me", ORIGIN);
    assert_eq!(
        answer.header("access-control-allow-methods"),
        Some("DELETE, GET, HEAD, PATCH, POST, PUT")
    );
    let headers = answer.header("access-control-allow-headers").unwrap();
    assert!(headers.split(", ").is_sorted(), "{headers}");
}
