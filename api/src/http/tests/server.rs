use std::io::{Read, Write};
use std::net::TcpStream;

use super::client::TestServer;

#[test]
fn the_document_and_its_pages_are_served_without_any_other_host() {
    let server = TestServer::start(&[]);
    let document = server.send("GET", "/openapi.json", &[]);
    assert_eq!(document.json()["openapi"], "3.1.0");
    let moved = server.send("GET", "/docs", &[]);
    assert_eq!(
        (moved.status, moved.header("location")),
        (308, Some("/docs/"))
    );
    let page = server.send("GET", "/docs/", &[]);
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-type")
            .unwrap()
            .starts_with("text/html")
    );
    for source in page
        .body
        .split("src=\"")
        .chain(page.body.split("href=\""))
        .skip(1)
    {
        assert!(
            !source.starts_with("http") && !source.starts_with("//"),
            "{source}"
        );
    }
}

#[test]
fn keys_are_published_as_a_key_set() {
    let server = TestServer::start(&[]);
    let keys = server.send("GET", "/.well-known/jwks.json", &[]).json();
    let key = &keys["keys"][0];
    for (member, value) in [
        ("kty", "OKP"),
        ("crv", "Ed25519"),
        ("alg", "EdDSA"),
        ("use", "sig"),
    ] {
        assert_eq!(key[member], value);
    }
    assert!(key["d"].is_null(), "the private part stays here");
    assert_eq!(keys["keys"].as_array().unwrap().len(), 1);
}

#[test]
fn metrics_have_a_listener_of_their_own() {
    let server = TestServer::start(&[("metrics_listen", "127.0.0.1:0")]);
    server.send("GET", "/problems/gone", &[]);
    server.send("GET", "/somewhere/private", &[]);
    server
        .send("GET", "/metrics", &[])
        .assert_problem(404, "not_found");
    let mut stream = TcpStream::connect(server.server.metrics_address().unwrap()).unwrap();
    stream
        .write_all(b"GET /metrics HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    for line in [
        r#"reveille_http_requests_total{method="GET",route="/problems/{code}",status="200"} 1"#,
        r#"reveille_http_requests_total{method="GET",route="none",status="404"} 2"#,
        "reveille_http_requests_in_flight 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
    assert!(!text.contains("somewhere"));
}

#[test]
fn a_stopping_server_lets_go_of_idle_connections() {
    let server = TestServer::start(&[("shutdown_timeout", "3600")]);
    let mut idle = TcpStream::connect(server.address()).unwrap();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n")
        .unwrap();
    let mut answer = [0; 16];
    idle.read_exact(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200"));
    // Ends long before the hour that was granted, or the test would not.
    server.server.stop().unwrap();
}
