use std::time::Duration;

use serde_json::json;

use super::client::{Answer, PASSWORD, TestServer};

fn refresh(server: &TestServer, token: &str) -> Answer {
    server.post("/v1/auth/refresh", &[], &json!({"refresh_token": token}))
}

fn login(server: &TestServer, username: &str) -> Answer {
    server.post(
        "/v1/auth/login",
        &[],
        &json!({"username": username, "password": PASSWORD}),
    )
}

#[test]
fn a_token_spent_a_moment_ago_does_not_end_the_login() {
    let server = TestServer::start(&[]);
    let (_, first) = server.register("Marshal");
    let (_, second) = refresh(&server, &first).tokens();
    server.clock.advance(Duration::from_secs(10));
    refresh(&server, &first).assert_problem(401, "token_reused");
    let (_, third) = refresh(&server, &second).tokens();
    // Later the same is a theft.
    server.clock.advance(Duration::from_secs(11));
    refresh(&server, &second).assert_problem(401, "token_reused");
    refresh(&server, &third).assert_problem(401, "unauthenticated");
}

#[test]
fn of_parallel_refreshes_one_wins_and_the_login_lives_on() {
    let server = TestServer::start(&[]);
    let (_, token) = server.register("Marshal");
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| refresh(&server, &token)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(won.len(), 1);
    for answer in lost {
        answer.assert_problem(401, "token_reused");
        assert!(
            answer
                .header("www-authenticate")
                .unwrap()
                .contains("invalid_token")
        );
    }
    assert_eq!(refresh(&server, &won[0].tokens().1).status, 200);
}

#[test]
fn a_login_ends_after_a_month_of_silence() {
    let server = TestServer::start(&[]);
    let (_, first) = server.register("Marshal");
    server.clock.advance(Duration::from_hours(30 * 24 - 1));
    let (_, second) = refresh(&server, &first).tokens();
    server.clock.advance(Duration::from_hours(30 * 24));
    refresh(&server, &second).assert_problem(401, "unauthenticated");
}

#[test]
fn logging_out_takes_a_token_of_the_login_and_never_fails() {
    let server = TestServer::start(&[]);
    let (_, token) = server.register("Marshal");
    let (_, other) = login(&server, "marshal").tokens();
    let logout =
        |token: &str| server.post("/v1/auth/logout", &[], &json!({"refresh_token": token}));
    // The identifier of the login with another secret is not enough.
    let forged = format!("{}{}", &token[..22], &other[22..]);
    assert_eq!(logout("nonsense").status, 204);
    assert_eq!(logout(&other).status, 204);
    refresh(&server, &other).assert_problem(401, "unauthenticated");
    let (_, token) = refresh(&server, &token).tokens();
    assert_eq!(logout(&token).status, 204);
    assert_eq!(logout(&token).status, 204);
    refresh(&server, &token).assert_problem(401, "unauthenticated");
    refresh(&server, &forged).assert_problem(401, "unauthenticated");
}

#[test]
fn one_name_can_be_guessed_at_so_often_whether_it_exists_or_not() {
    let settings = [("rate_limits", "on"), ("rate_limit_account", "2/3600")];
    let server = TestServer::start(&settings);
    server.register("Marshal");
    for (name, first) in [("Marshal", 200), ("nobody", 401)] {
        for _ in 0..2 {
            assert_eq!(login(&server, name).status, first);
        }
        let refused = login(&server, &name.to_uppercase());
        refused.assert_problem(429, "rate_limited");
        assert_eq!(
            refused.header("ratelimit-policy"),
            Some("\"account\";q=2;w=3600")
        );
    }
}

#[test]
fn ones_own_account_is_shown_changed_and_seen_by_nobody_else() {
    let server = TestServer::start(&[]);
    let (token, _) = server.register("Marshal");
    let bearer = format!("Bearer {token}");
    let patch = |body| server.send_json("PATCH", "/v1/me", &[("Authorization", &bearer)], &body);
    let me = server.send_as(&token, "GET", "/v1/me").json();
    assert_eq!(me["username"], "Marshal");
    assert_eq!(me["created_at"], "2026-11-29T21:00:00.000Z");
    assert_eq!(
        (&me["email"], &me["preferences"]["language"]),
        (&json!(null), &json!(null))
    );

    let body = json!({"email": "m@example.org", "preferences": {"language": "fr"}});
    let changed = patch(body).json();
    assert_eq!(changed["email"], "m@example.org");
    assert_eq!(patch(json!({})).json(), changed, "what is absent stays");
    assert_eq!(server.send_as(&token, "GET", "/v1/me").json(), changed);
    let public = server.send("GET", "/v1/players/MARSHAL", &[]);
    assert_eq!(
        (public.status, public.body.contains("example.org")),
        (200, false)
    );
    assert_eq!(patch(json!({"email": null})).json()["email"], json!(null));
    assert_eq!(
        patch(json!({"preferences": {}})).json()["preferences"]["language"],
        "fr"
    );

    patch(json!({"email": "nobody"})).assert_problem(422, "validation_failed");
    let fault = patch(json!({"preferences": {"language": "xx"}}));
    assert_eq!(
        fault.assert_problem(400, "malformed_request")["field"],
        "preferences.language"
    );
    let fault = patch(json!({"username": "General"}));
    assert_eq!(
        fault.assert_problem(400, "malformed_request")["field"],
        "username"
    );
    server
        .send("GET", "/v1/me", &[])
        .assert_problem(401, "unauthenticated");
    server
        .send_json("PATCH", "/v1/me", &[], &json!([]))
        .assert_problem(401, "unauthenticated");
}

#[test]
fn an_erased_account_is_gone_and_its_tokens_with_it() {
    let server = TestServer::start(&[]);
    let (token, refresh_token) = server.register("Marshal");
    assert_eq!(server.send_as(&token, "DELETE", "/v1/me").status, 204);
    for method in ["GET", "DELETE"] {
        server
            .send_as(&token, method, "/v1/me")
            .assert_problem(401, "unauthenticated");
    }
    refresh(&server, &refresh_token).assert_problem(401, "unauthenticated");
    login(&server, "Marshal").assert_problem(401, "invalid_credentials");
    server
        .send("GET", "/v1/players/Marshal", &[])
        .assert_problem(404, "not_found");
    server.register("marshal");
    server
        .send_as(&token, "GET", "/v1/me")
        .assert_problem(401, "unauthenticated");
}

#[test]
fn registering_with_a_key_can_be_repeated_by_who_knows_the_password() {
    let server = TestServer::start(&[]);
    let register = |key: &str, username: &str, password: &str| {
        let body = json!({"username": username, "password": password});
        server.post("/v1/auth/register", &[("Idempotency-Key", key)], &body)
    };
    let first = register("k1", "Marshal", PASSWORD);
    let again = register("k1", "Marshal", PASSWORD);
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.json()["player"], again.json()["player"]);
    assert_eq!(again.header("location"), Some("/v1/players/Marshal"));
    assert_ne!(first.tokens().1, again.tokens().1, "a login of its own");
    refresh(&server, &first.tokens().1).tokens();
    refresh(&server, &again.tokens().1).tokens();

    register("k1", "Marshal", "another password").assert_problem(422, "idempotency_key_reused");
    register("k1", "General", PASSWORD).assert_problem(422, "idempotency_key_reused");
    server
        .send("GET", "/v1/players/General", &[])
        .assert_problem(404, "not_found");
    register("k2", "Marshal", PASSWORD).assert_problem(409, "username_taken");
    let fault = register("not ascii visible", "General", PASSWORD);
    assert_eq!(
        fault.assert_problem(400, "malformed_request")["field"],
        "Idempotency-Key"
    );

    server.clock.advance(Duration::from_hours(24));
    register("k1", "General", PASSWORD).tokens();
}

#[test]
fn a_registration_sent_many_times_at_once_makes_one_account() {
    let server = TestServer::start(&[]);
    let body = json!({"username": "Marshal", "password": PASSWORD});
    let register = || server.post("/v1/auth/register", &[("Idempotency-Key", "k")], &body);
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(register)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    for answer in &answers {
        assert_eq!(answer.status, 201, "{answer:?}");
        assert_eq!(
            answer.json()["player"]["id"],
            answers[0].json()["player"]["id"]
        );
    }
}

#[test]
fn names_of_erased_accounts_cannot_be_taken_beforehand() {
    let server = TestServer::start(&[]);
    let body = json!({"username": "Deleted-1", "password": PASSWORD});
    let problem = server.post("/v1/auth/register", &[], &body);
    let problem = problem.assert_problem(422, "validation_failed");
    assert_eq!(problem["errors"][0]["code"], "reserved");
}
