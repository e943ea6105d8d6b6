use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use serde_json::json;

use super::client::TestServer;

#[test]
fn an_access_token_serves_for_a_quarter_of_an_hour() {
    let server = TestServer::start(&[]);
    let (token, refresh_token) = server.register("Marshal");
    server.clock.advance(Duration::from_secs(899));
    assert_eq!(server.send_as(&token, "GET", "/v1/me").status, 200);
    server.clock.advance(Duration::from_secs(1));
    let refused = server.send_as(&token, "GET", "/v1/me");
    refused.assert_problem(401, "token_expired");
    let challenge = refused.header("www-authenticate").unwrap();
    assert!(
        challenge.starts_with("Bearer ") && challenge.contains("invalid_token"),
        "{challenge}"
    );

    let bearer = format!("Bearer {token}");
    let old = ("Authorization", bearer.as_str());
    server
        .send("GET", "/v1/players/Marshal", &[old])
        .assert_problem(401, "token_expired");
    let body = json!({"refresh_token": refresh_token});
    let renewed = server.post("/v1/auth/refresh", &[old], &body);
    assert_eq!(
        server.send_as(&renewed.tokens().0, "GET", "/v1/me").status,
        200
    );
    assert_eq!(server.send("GET", "/healthz", &[old]).status, 200);
}

#[test]
fn forged_tokens_are_refused_everywhere() {
    let server = TestServer::start(&[]);
    let (token, _) = server.register("Marshal");
    let parts: Vec<_> = token.split('.').collect();
    let claims = parts[1];
    let header =
        |algorithm: &str| BASE64.encode(json!({"alg": algorithm, "typ": "at+jwt"}).to_string());
    let other = TestServer::start(&[]);
    let (foreign, _) = other.register("Marshal");
    for forged in [
        format!("{}.{claims}.", header("none")),
        format!("{}.{claims}.{}", header("HS256"), parts[2]),
        format!("{}.{claims}.{}", header("RS256"), parts[2]),
        format!("{}.{claims}.", parts[0]),
        format!("{}.{}.{}", parts[0], BASE64.encode("{}"), parts[2]),
        foreign,
        "x".repeat(100_000),
    ] {
        let answer = server.send_as(&forged, "GET", "/v1/me");
        if answer.status == 431 {
            // More than the connection takes for a head: refused before there is a request.
            assert_eq!(forged.len(), 100_000);
            continue;
        }
        answer.assert_problem(401, "unauthenticated");
        server
            .send_as(&forged, "GET", "/v1/players/Marshal")
            .assert_problem(401, "unauthenticated");
    }
}

#[test]
fn only_one_bearer_header_is_taken() {
    let server = TestServer::start(&[]);
    let (token, _) = server.register("Marshal");
    let bearer = format!("Bearer {token}");
    let ask = |headers: &[(&str, &str)]| server.send("GET", "/v1/me", headers);
    assert_eq!(
        ask(&[("Authorization", &bearer.replace("Bearer", "bEARER"))]).status,
        200
    );
    for value in [
        "",
        "Bearer",
        "Basic YTpi",
        &token,
        &format!("Bearer {token} {token}"),
    ] {
        ask(&[("Authorization", value)]).assert_problem(401, "unauthenticated");
    }
    let twice = [("Authorization", &*bearer), ("Authorization", &*bearer)];
    ask(&twice).assert_problem(401, "unauthenticated");
    let missing = ask(&[]);
    missing.assert_problem(401, "unauthenticated");
    assert_eq!(
        missing.header("www-authenticate"),
        Some("Bearer realm=\"reveille\"")
    );
}

#[test]
fn callers_have_a_limit_of_their_own() {
    let settings = [("rate_limits", "on"), ("rate_limit_caller", "2/3600")];
    let server = TestServer::start(&settings);
    let ((one, _), (two, _)) = (server.register("Marshal"), server.register("General"));
    for _ in 0..2 {
        assert_eq!(server.send_as(&one, "GET", "/v1/me").status, 200);
    }
    let refused = server.send_as(&one, "GET", "/v1/me");
    refused.assert_problem(429, "rate_limited");
    assert_eq!(
        refused.header("ratelimit-policy"),
        Some("\"caller\";q=2;w=3600")
    );
    assert_eq!(server.send_as(&two, "GET", "/v1/me").status, 200);
}
