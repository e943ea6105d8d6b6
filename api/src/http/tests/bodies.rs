use serde_json::json;

use super::client::{Answer, TestServer};
use crate::http::extract::MAX_BODY_BYTES;

const JSON: (&str, &str) = ("Content-Type", "application/json");
const PATH: &str = "/v1/auth/login";

fn login(server: &TestServer, body: &[u8]) -> Answer {
    server.send_body("POST", PATH, &[JSON], Some(body))
}

#[test]
fn bodies_that_cannot_be_read_name_what_is_wrong() {
    let server = TestServer::start(&[]);
    let deep = format!(
        "{{\"username\":{}1{}}}",
        "[".repeat(50_000),
        "]".repeat(50_000)
    );
    for (body, said) in [
        (&b""[..], "EOF"),
        (b"{", "EOF"),
        (b"[]", "expected"),
        (b"null", "expected"),
        (b"{}", "missing field `username`"),
        (b"{\"username\":\"a\xff\",\"password\":\"b\"}", "UTF-8"),
        (b"{\"username\":\"a\",\"password\":1e999}", "password"),
        (
            b"{\"username\":\"a\",\"password\":18446744073709551616}",
            "password",
        ),
        (b"{\"username\":\"a\",\"password\":null}", "password"),
        (
            b"{\"username\":\"a\",\"password\":\"b\",\"admin\":true}",
            "admin",
        ),
        (
            b"{\"username\":\"a\",\"username\":\"a\",\"password\":\"b\"}",
            "username",
        ),
        (b"{\"username\":\"a\",\"password\":\"b\"}{}", "trailing"),
        (b"{\"username\":\"\\ud800\",\"password\":\"b\"}", "username"),
        (b"username=a&password=b", "expected"),
        (deep.as_bytes(), "username"),
    ] {
        let problem = login(&server, body).assert_problem(400, "malformed_request");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(said), "{said} in {detail}");
        assert!(detail.len() < 600, "{detail}");
        assert_eq!(problem["instance"], PATH);
    }
    let none = server
        .send("POST", PATH, &[])
        .assert_problem(400, "malformed_request");
    assert!(
        none["detail"]
            .as_str()
            .unwrap()
            .contains("expected a JSON body")
    );
}

#[test]
fn other_content_types_are_refused() {
    let server = TestServer::start(&[]);
    let body = br#"{"username":"abc","password":"12345678"}"#;
    for headers in [
        &[][..],
        &[("Content-Type", "text/plain")],
        &[("Content-Type", "application/x-www-form-urlencoded")],
        &[("Content-Type", "application/json; charset=utf-16")],
        &[("Content-Type", "nonsense")],
    ] {
        let answer = server.send_body("POST", PATH, headers, Some(body));
        answer.assert_problem(415, "unsupported_media_type");
    }
    let fine = [("Content-Type", "application/json; charset=utf-8")];
    let answer = server.send_body("POST", PATH, &fine, Some(body));
    answer.assert_problem(401, "invalid_credentials");
}

#[test]
fn the_size_limit_holds_declared_or_chunked() {
    let server = TestServer::start(&[]);
    let padded = |size: usize| {
        let mut body = br#"{"username":"abc","password":"12345678"}"#.to_vec();
        body.resize(size, b' ');
        body
    };
    login(&server, &padded(MAX_BODY_BYTES)).assert_problem(401, "invalid_credentials");
    login(&server, &padded(MAX_BODY_BYTES + 1)).assert_problem(413, "payload_too_large");

    let chunks = |size: usize| -> Answer {
        let body = padded(size);
        let chunks: Vec<_> = body.chunks(16_000).collect();
        server.send_chunked("POST", PATH, &[JSON], &chunks)
    };
    chunks(MAX_BODY_BYTES).assert_problem(401, "invalid_credentials");
    chunks(MAX_BODY_BYTES + 1).assert_problem(413, "payload_too_large");
    chunks(3_000_000).assert_problem(413, "payload_too_large");

    let declared = format!(
        "POST {PATH} HTTP/1.1\r\nHost: t\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: 99999999999\r\n\r\n{{"
    );
    server
        .send_raw(declared.as_bytes())
        .assert_problem(413, "payload_too_large");
}

#[test]
fn refusals_for_size_carry_cors_headers() {
    let server = TestServer::start(&[("cors_origins", "https://play.example")]);
    let headers = [JSON, ("Origin", "https://play.example")];
    let body = vec![b' '; MAX_BODY_BYTES + 1];
    let answer = server.send_body("POST", PATH, &headers, Some(&body));
    answer.assert_problem(413, "payload_too_large");
    assert_eq!(
        answer.header("access-control-allow-origin"),
        Some("https://play.example")
    );
}

#[test]
fn values_that_cannot_be_taken_are_all_named_and_nothing_is_stored() {
    let server = TestServer::start(&[]);
    let body = json!({"username": "a b", "password": "short", "email": "nobody"});
    let problem = server.post("/v1/auth/register", &[], &body);
    let problem = problem.assert_problem(422, "validation_failed");
    let named: Vec<_> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| &e["field"])
        .collect();
    assert_eq!(named, ["email", "password", "username"]);
    server
        .send("GET", "/v1/players/a%20b", &[])
        .assert_problem(404, "not_found");
    for nonsense in [
        "%00",
        "a%00b",
        "%F0%9F%99%82",
        "..%2f..%2fetc",
        &"x".repeat(5_000),
    ] {
        let answer = server.send("GET", &format!("/v1/players/{nonsense}"), &[]);
        answer.assert_problem(404, "not_found");
    }
}
