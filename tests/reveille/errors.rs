//! Every refusal is a problem document that says what was expected and what came.

use serde_json::{Value, json};
use tests::problem::assert_invalid;
use tests::{Client, Game, Response, TestServer, assert_problem, on_both, raw};

use crate::lines::EVEN;

/// Sends a body as it stands, as JSON.
fn send(client: &Client, path: &str, body: &[u8]) -> Response {
    client
        .request("POST", path)
        .header("content-type", "application/json")
        .bytes(body)
        .send()
}

fn unknown_paths_are_not_found(server: &TestServer) {
    let client = server.client();
    for path in [
        "/v1",
        "/v1/nothing",
        "/v2/games",
        "/%00",
        "/v1/g%C3%A1mes",
        "/v1/%FF",
        "/..%2f..%2fetc/passwd",
    ] {
        for method in ["GET", "POST", "DELETE"] {
            assert_problem(&client.request(method, path).send(), 404, "not_found");
        }
    }
}

fn another_method_on_a_known_path_is_told_the_allowed_ones(server: &TestServer) {
    let client = server.client();
    for (method, path, allowed) in [
        ("PUT", "/v1/auth/register", "POST"),
        ("DELETE", "/v1/games", "GET"),
        ("POST", "/v1/rules", "GET"),
        ("PATCH", "/healthz", "GET"),
        ("GET", "/v1/setups/validate", "POST"),
    ] {
        let answer = client.request(method, path).send();
        assert_problem(&answer, 405, "method_not_allowed");
        let allow = answer.header("allow").expect("Allow");
        assert!(
            allow.split(',').any(|name| name.trim() == allowed),
            "{method} {path}: {allow}"
        );
    }
}

fn broken_json_is_malformed(server: &TestServer) {
    let client = server.client();
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let deep_field = format!("{{\"username\":{deep}}}");
    let bodies: [&[u8]; 14] = [
        b"",
        b" ",
        b"{",
        b"}",
        b"nonsense",
        b"null",
        b"[]",
        b"7",
        b"\"text\"",
        b"{\"username\":}",
        b"{\"username\":\"abc\",}",
        b"{\"username\":\"\xff\xfe\",\"password\":\"12345678\"}",
        deep.as_bytes(),
        deep_field.as_bytes(),
    ];
    for body in bodies {
        assert_problem(
            &send(&client, "/v1/auth/register", body),
            400,
            "malformed_request",
        );
    }
}

fn wrong_types_and_unknown_fields_are_named(server: &TestServer) {
    let client = server.client();
    for (body, field) in [
        (json!({"username": 7, "password": "12345678"}), "username"),
        (
            json!({"username": null, "password": "12345678"}),
            "username",
        ),
        (
            json!({"username": "abc", "password": ["12345678"]}),
            "password",
        ),
        (json!({"username": "abc"}), "password"),
        (
            json!({"username": "abc", "password": "12345678", "role": "admin"}),
            "role",
        ),
    ] {
        let problem = assert_problem(
            &client.post("/v1/auth/register", &body),
            400,
            "malformed_request",
        );
        assert!(
            problem.to_string().contains(field),
            "{field} is not named in {problem}"
        );
    }
}

fn a_body_that_is_no_json_is_unsupported(server: &TestServer) {
    let client = server.client();
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "nonsense",
    ] {
        let body = json!({"username": "abc", "password": "12345678"}).to_string();
        let request = client
            .request("POST", "/v1/auth/register")
            .header("content-type", content_type);
        assert_problem(&request.bytes(body).send(), 415, "unsupported_media_type");
    }
    let untyped = client
        .request("POST", "/v1/auth/register")
        .bytes("{}")
        .send();
    assert_problem(&untyped, 415, "unsupported_media_type");
}

fn an_answer_that_nobody_accepts_is_not_acceptable(server: &TestServer) {
    let client = server.client();
    for accept in ["text/html", "image/png, application/xml"] {
        let answer = client
            .request("GET", "/v1/rules")
            .header("accept", accept)
            .send();
        assert_problem(&answer, 406, "not_acceptable");
    }
    for accept in [
        "*/*",
        "application/*",
        "application/json",
        "text/html, application/json;q=0.5",
    ] {
        client
            .request("GET", "/v1/rules")
            .header("accept", accept)
            .send()
            .ok(200);
    }
}

/// D09.
fn bodies_are_limited_wherever_they_go(server: &TestServer) {
    let player = server.register("limit");
    let body = |length: usize| {
        let frame = json!({"username": "", "password": ""}).to_string().len();
        json!({"username": "a".repeat(length - frame), "password": ""}).to_string()
    };
    let most = 256 * 1024;
    for path in [
        "/v1/auth/register",
        "/v1/auth/login",
        "/v1/challenges",
        "/v1/setups/validate",
        "/graphql",
    ] {
        let at_limit = send(&player, path, body(most).as_bytes());
        assert_ne!(at_limit.status, 413, "{path} refuses {most} bytes");
        assert!(at_limit.status < 500, "{path}: {at_limit:?}");
        for length in [most + 1, 3 << 20] {
            assert_problem(
                &send(&player, path, body(length).as_bytes()),
                413,
                "payload_too_large",
            );
        }
    }
}

/// D09: without a Content-Length the limit holds as well.
fn chunked_bodies_are_limited(server: &TestServer) {
    let mut request =
        b"POST /v1/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
        transfer-encoding: chunked\r\nconnection: close\r\n\r\n"
            .to_vec();
    let chunk = vec![b' '; 0x8000];
    for _ in 0..12 {
        request.extend_from_slice(b"8000\r\n");
        request.extend_from_slice(&chunk);
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"0\r\n\r\n");
    let answer = raw::exchange(server.address(), &request);
    assert_eq!(raw::status(&answer), Some(413), "{answer}");
    assert!(answer.contains("application/problem+json"), "{answer}");
}

fn broken_http_leaves_the_server_serving(server: &TestServer) {
    let long_header = format!(
        "GET /healthz HTTP/1.1\r\nx: {}\r\n\r\n",
        "y".repeat(1 << 20)
    );
    let long_path = format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "y".repeat(1 << 20));
    let requests: [&[u8]; 8] = [
        b"\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\n\r\n",
        b"POST /v1/auth/login HTTP/1.1\r\nhost: a\r\ncontent-length: -5\r\n\r\n",
        b"POST /v1/auth/login HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcde",
        long_header.as_bytes(),
        long_path.as_bytes(),
    ];
    for request in requests {
        let answer = raw::exchange(server.address(), request);
        if let Some(status) = raw::status(&answer) {
            assert!((400..500).contains(&status) || status == 505, "{answer}");
        }
        server.client().get("/healthz").ok(200);
    }
}

fn bad_identifiers_and_query_values_are_named(server: &TestServer) {
    let player = server.register("query");
    for path in [
        "/v1/games/7",
        "/v1/games/not-a-uuid",
        "/v1/games/not-a-uuid/moves",
        "/v1/games/%00/replay",
    ] {
        assert_problem(&player.get(path), 400, "malformed_request");
    }
    for (path, name) in [
        ("/v1/games?limit=0", "limit"),
        ("/v1/games?limit=101", "limit"),
        ("/v1/games?limit=-1", "limit"),
        ("/v1/games?limit=many", "limit"),
        ("/v1/games?limit=99999999999999999999", "limit"),
        ("/v1/games?after=nonsense", "after"),
        ("/v1/games?status=sleeping", "status"),
        ("/v1/games?sort=rank", "sort"),
        ("/v1/challenges?direction=sideways", "direction"),
    ] {
        let problem = assert_problem(&player.get(path), 400, "malformed_request");
        assert!(
            problem["detail"].as_str().unwrap().contains(name),
            "{path}: {problem}"
        );
    }
}

fn a_game_that_is_not_there_is_not_found(server: &TestServer) {
    let player = server.register("lost");
    let id = "0190f0a0-0000-7000-8000-000000000000";
    for rest in ["", "/moves", "/replay", "/legal-moves"] {
        assert_problem(
            &player.get(&format!("/v1/games/{id}{rest}")),
            404,
            "not_found",
        );
    }
    // 404 comes before 400: what is not there has no body to be judged.
    for (rest, body) in [
        ("/moves", json!({"ply": 0, "from": "a4", "to": "a5"})),
        ("/resign", json!({})),
    ] {
        assert_problem(
            &player.post(&format!("/v1/games/{id}{rest}"), &body),
            404,
            "not_found",
        );
    }
    assert_problem(&player.get("/v1/players/nobody_at_all"), 404, "not_found");
    assert_problem(&player.get("/v1/rules/chess"), 404, "not_found");
}

fn without_a_token_the_answer_says_how_to_get_in(server: &TestServer) {
    let client = server.client();
    let id = "0190f0a0-0000-7000-8000-000000000000";
    for (method, path) in [
        ("GET", "/v1/me".to_owned()),
        ("POST", "/v1/challenges".to_owned()),
        // 401 comes before everything else.
        ("POST", format!("/v1/games/{id}/moves")),
        ("PUT", format!("/v1/games/{id}/setup")),
    ] {
        let answer = client
            .request(method, &path)
            .json(&json!({"nonsense": 1}))
            .send();
        assert_problem(&answer, 401, "unauthenticated");
        let scheme = answer.header("www-authenticate").expect("WWW-Authenticate");
        assert!(scheme.starts_with("Bearer"), "{scheme}");
    }
}

fn each_kind_of_problem_is_explained_where_its_type_points(server: &TestServer) {
    let client = server.client();
    for code in [
        "malformed_request",
        "unauthenticated",
        "token_expired",
        "invalid_credentials",
        "token_reused",
        "forbidden",
        "insufficient_scope",
        "not_found",
        "method_not_allowed",
        "not_acceptable",
        "payload_too_large",
        "unsupported_media_type",
        "stale_ply",
        "not_your_turn",
        "game_not_active",
        "game_over",
        "setup_already_placed",
        "username_taken",
        "challenge_closed",
        "offer_closed",
        "own_challenge",
        "own_offer",
        "idempotency_in_progress",
        "precondition_failed",
        "gone",
        "illegal_move",
        "illegal_setup",
        "illegal_rescue",
        "validation_failed",
        "idempotency_key_reused",
        "rate_limited",
        "unavailable",
    ] {
        let path = format!("/problems/{}", code.replace('_', "-"));
        let page = client.get(&path);
        assert_eq!(page.status, 200, "{path}");
        assert!(
            page.body.len() > 40,
            "{path} explains nothing: {}",
            page.text()
        );
    }
    assert_problem(&client.get("/problems/no-such-problem"), 404, "not_found");
}

fn each_request_has_an_id_of_its_own(server: &TestServer) {
    let client = server.client();
    let ids: Vec<Value> = (0..3)
        .map(|_| assert_problem(&client.get("/v1/nothing"), 404, "not_found")["request_id"].clone())
        .collect();
    assert!(
        ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2],
        "{ids:?}"
    );
}

/// PostgreSQL keeps no NUL in a text; both databases must refuse it alike.
fn nul_characters_are_refused_not_stored(server: &TestServer) {
    let player = server.register("nul");
    let body = json!({"username": "abc\u{0}def", "password": "12345678"});
    assert_invalid(&player.post("/v1/auth/register", &body), "username");
    let body = json!({"username": "abc\u{0}def", "password": "12345678"});
    assert_problem(
        &player.post("/v1/auth/login", &body),
        401,
        "invalid_credentials",
    );
    for path in ["/v1/games?player=a%00b", "/v1/players/a%00b"] {
        let answer = player.get(path);
        assert!(answer.status < 500, "{path}: {}", answer.text());
    }
}

/// A17.
fn numbers_beyond_any_range_are_malformed_and_change_nothing(server: &TestServer) {
    let game = EVEN.begin(server);
    let path = game.path("/moves");
    for ply in [
        "-1",
        "0.5",
        "1e400",
        "18446744073709551616",
        "99999999999999999999999",
        "\"0\"",
        "null",
        "true",
        "[0]",
    ] {
        let body = format!("{{\"ply\":{ply},\"from\":\"a4\",\"to\":\"a5\"}}");
        assert_problem(
            &send(&game.red, &path, body.as_bytes()),
            400,
            "malformed_request",
        );
    }
    for ply in ["1", "4294967295", "2147483648"] {
        let body = format!("{{\"ply\":{ply},\"from\":\"a4\",\"to\":\"a5\"}}");
        assert_problem(&send(&game.red, &path, body.as_bytes()), 409, "stale_ply");
    }
    for square in ["7", "null", "[0,0]", "{}", "true", "{\"row\":99}"] {
        let body = format!("{{\"ply\":0,\"from\":{square},\"to\":\"a5\"}}");
        assert_problem(
            &send(&game.red, &path, body.as_bytes()),
            400,
            "malformed_request",
        );
    }
    assert_eq!(game.view(&game.red)["ply"], 0);
}

fn what_is_refused_is_not_stored(server: &TestServer) {
    let game = Game::in_setup(server, "barrage", &Value::Null);
    let before = game.view(&game.red);
    for body in [
        json!({}),
        json!({"setup": 7}),
        json!({"setup": "F"}),
        json!({"setup": "?".repeat(40)}),
    ] {
        let answer = game.red.put(&game.path("/setup"), &body);
        assert!(matches!(answer.status, 400 | 422), "{}", answer.text());
    }
    assert_eq!(game.view(&game.red), before);
    let challenges = game.red.get("/v1/challenges?direction=outgoing").ok(200);
    let wrong =
        json!({"ruleset": "barrage", "time_control": {"kind": "per_move", "per_move": "PT0S"}});
    assert_invalid(
        &game.red.post("/v1/challenges", &wrong),
        "time_control.per_move",
    );
    assert_eq!(
        game.red.get("/v1/challenges?direction=outgoing").ok(200),
        challenges
    );
}

on_both! {
    unknown_paths_are_not_found,
    another_method_on_a_known_path_is_told_the_allowed_ones,
    broken_json_is_malformed,
    wrong_types_and_unknown_fields_are_named,
    a_body_that_is_no_json_is_unsupported,
    an_answer_that_nobody_accepts_is_not_acceptable,
    bodies_are_limited_wherever_they_go,
    chunked_bodies_are_limited,
    broken_http_leaves_the_server_serving,
    bad_identifiers_and_query_values_are_named,
    a_game_that_is_not_there_is_not_found,
    without_a_token_the_answer_says_how_to_get_in,
    each_kind_of_problem_is_explained_where_its_type_points,
    each_request_has_an_id_of_its_own,
    nul_characters_are_refused_not_stored,
    numbers_beyond_any_range_are_malformed_and_change_nothing,
    what_is_refused_is_not_stored,
}
