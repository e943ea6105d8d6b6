//! Registering, logging in, refreshing, leaving.

use std::thread;

use serde_json::{Value, json};
use tests::client::{PASSWORD, text};
use tests::problem::assert_invalid;
use tests::{Backend, Client, Game, Response, Side, TestServer, assert_problem, on_both};

use crate::lines::EVEN;

fn register(client: &Client, username: &str, password: &str) -> Response {
    client.post(
        "/v1/auth/register",
        &json!({"username": username, "password": password}),
    )
}

fn login(client: &Client, username: &str, password: &str) -> Response {
    client.post(
        "/v1/auth/login",
        &json!({"username": username, "password": password}),
    )
}

fn refresh(client: &Client, token: &str) -> Response {
    client.post("/v1/auth/refresh", &json!({"refresh_token": token}))
}

fn assert_tokens(tokens: &Value) {
    assert_eq!(tokens["token_type"], "Bearer", "{tokens}");
    assert!(
        tokens["expires_in"]
            .as_u64()
            .is_some_and(|seconds| (1..=900).contains(&seconds)),
        "{tokens}"
    );
    assert_eq!(
        text(&tokens["access_token"]).split('.').count(),
        3,
        "{tokens}"
    );
    assert!(text(&tokens["refresh_token"]).len() >= 22, "{tokens}");
}

fn registering_gives_a_player_and_tokens(server: &TestServer) {
    let client = server.client();
    let body =
        json!({"username": "Marshal_1-x", "password": PASSWORD, "email": "marshal@example.org"});
    let answer = client.post("/v1/auth/register", &body);
    let account = answer.ok(201);
    assert_eq!(account["player"]["username"], "Marshal_1-x");
    assert_eq!(
        text(&account["player"]["id"]).as_bytes()[14],
        b'7',
        "a UUIDv7"
    );
    let created = text(&account["player"]["created_at"]);
    assert!(created.len() == 24 && created.ends_with('Z'), "{created}");
    assert_tokens(&account["tokens"]);
    assert!(
        !answer.text().contains("example.org"),
        "an email is its owner's business"
    );
    let me = client
        .with_token(account["tokens"]["access_token"].as_str())
        .get("/v1/me")
        .ok(200);
    assert!(me.to_string().contains("marshal@example.org"), "{me}");
    assert!(!me.to_string().contains("argon2"), "{me}");
    let public = client.get("/v1/players/Marshal_1-x").ok(200);
    assert_eq!(public["id"], account["player"]["id"]);
    assert!(!public.to_string().contains("example.org"), "{public}");
}

fn names_and_passwords_have_bounds(server: &TestServer) {
    let client = server.client();
    for name in [
        "ab",
        "",
        &"a".repeat(21),
        "has space",
        "tab\t",
        "dot.dot",
        "Мarshal",
        "ﬁle",
        "a/b",
        "<b>",
        "émile",
        " abc",
    ] {
        assert_invalid(&register(&client, name, PASSWORD), "username");
    }
    for password in ["", "1234567", &"x".repeat(257)] {
        assert_invalid(&register(&client, "fine", password), "password");
    }
    let both = register(&client, "a", "b");
    assert_invalid(&both, "username");
    assert_invalid(&both, "password");
    let body = json!({"username": "fine", "password": PASSWORD, "email": "no address"});
    assert_invalid(&client.post("/v1/auth/register", &body), "email");
    // The bounds themselves are inside, and characters are counted, not bytes.
    for (name, password) in [("abc", "12345678"), (&*"a".repeat(20), &*"ß".repeat(256))] {
        register(&client, name, password).ok(201);
        login(&client, name, password).ok(200);
    }
}

fn a_name_is_one_whatever_its_case(server: &TestServer) {
    let client = server.client();
    register(&client, "Marshal", PASSWORD).ok(201);
    for name in ["Marshal", "marshal", "MARSHAL"] {
        assert_problem(&register(&client, name, PASSWORD), 409, "username_taken");
    }
    let found = client.get("/v1/players/marshal").ok(200);
    assert_eq!(found["username"], "Marshal");
}

fn of_registrations_that_race_for_a_name_one_wins(server: &TestServer) {
    let names = [
        "Racer", "racer", "RACER", "rAcEr", "Racer", "racer", "raceR", "RaceR",
    ];
    let answers = thread::scope(|scope| {
        let racing: Vec<_> = names
            .map(|name| scope.spawn(move || register(&server.client(), name, PASSWORD)))
            .into_iter()
            .collect();
        racing
            .into_iter()
            .map(|one| one.join().unwrap())
            .collect::<Vec<_>>()
    });
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert_eq!(won.len(), 1, "{answers:?}");
    for answer in lost {
        assert_problem(answer, 409, "username_taken");
    }
}

fn wrong_credentials_do_not_tell_which_part_is_wrong(server: &TestServer) {
    let player = server.register("login");
    let client = server.client();
    login(&client, &player.name, PASSWORD).ok(200);
    let tell = |answer: &Response| {
        let mut problem = assert_problem(answer, 401, "invalid_credentials");
        problem["request_id"] = Value::Null;
        problem
    };
    let wrong = tell(&login(&client, &player.name, "not the password"));
    let unknown = tell(&login(&client, "nobody_of_this_name", "not the password"));
    assert_eq!(wrong, unknown);
    // Nothing is cut off before it is compared.
    tell(&login(
        &client,
        &player.name,
        &format!("{PASSWORD}{}", "x".repeat(300)),
    ));
    tell(&login(&client, &player.name, &PASSWORD.to_uppercase()));
    tell(&login(&client, &player.name, &format!("{PASSWORD} ")));
}

fn a_refresh_token_serves_once(server: &TestServer) {
    let player = server.register("refresh");
    let first = player.refresh_token.clone();
    let answer = refresh(&player, &first).ok(200);
    assert_tokens(&answer["tokens"]);
    let second = text(&answer["tokens"]["refresh_token"]);
    assert_ne!(first, second);
    player
        .with_token(answer["tokens"]["access_token"].as_str())
        .get("/v1/me")
        .ok(200);
    let third = text(&refresh(&player, &second).ok(200)["tokens"]["refresh_token"]);
    // The first was spent two turns ago: somebody else holds it. The whole family ends.
    assert_problem(&refresh(&player, &first), 401, "token_reused");
    let ended = refresh(&player, &third);
    assert_eq!(ended.status, 401, "{}", ended.text());
    // Another login is another family.
    let other = login(&player, &player.name, PASSWORD).ok(200);
    refresh(&player, &text(&other["tokens"]["refresh_token"])).ok(200);
}

fn what_is_no_refresh_token_is_refused(server: &TestServer) {
    let player = server.register("refresh");
    let access = player.token.clone().unwrap();
    for token in [
        "",
        "nonsense",
        &access,
        &"A".repeat(43),
        &format!("{}x", player.refresh_token),
    ] {
        let answer = refresh(&player, token);
        assert!(
            matches!(answer.status, 401 | 422),
            "{token}: {}",
            answer.text()
        );
    }
    refresh(&player, &player.refresh_token).ok(200);
}

fn logging_out_ends_the_refresh_token(server: &TestServer) {
    let player = server.register("logout");
    let other = login(&player, &player.name, PASSWORD).ok(200);
    let body = json!({"refresh_token": player.refresh_token});
    assert_eq!(player.post("/v1/auth/logout", &body).status, 204);
    assert_eq!(refresh(&player, &player.refresh_token).status, 401);
    refresh(&player, &text(&other["tokens"]["refresh_token"])).ok(200);
}

fn the_published_keys_are_public_ones(server: &TestServer) {
    let player = server.register("keys");
    let keys = server.client().get("/.well-known/jwks.json").ok(200);
    let keys = keys["keys"].as_array().unwrap();
    assert!(!keys.is_empty());
    for key in keys {
        assert_eq!(
            (&key["kty"], &key["crv"]),
            (&json!("OKP"), &json!("Ed25519")),
            "{key}"
        );
        assert!(key["kid"].is_string() && key["x"].is_string(), "{key}");
        assert!(key.get("d").is_none(), "a private key is published");
    }
    assert!(player.get("/v1/me").status == 200);
}

/// The signing keys are kept: a restart logs nobody out.
fn tokens_outlive_a_restart(backend: Backend) {
    let mut server = TestServer::start(backend);
    let player = server.register("restart");
    let keys = player.get("/.well-known/jwks.json").ok(200);
    assert!(server.stop().success());
    server.restart();
    let again = Client::new(server.url()).with_token(player.token.as_deref());
    assert_eq!(again.get("/v1/me").ok(200)["id"], json!(player.id));
    assert_eq!(again.get("/.well-known/jwks.json").ok(200), keys);
    refresh(&again, &player.refresh_token).ok(200);
}

/// D04, D05: an erased account leaves its games, and its token and id serve nobody after it.
fn an_erased_account_leaves_its_games(server: &TestServer) {
    let game = EVEN.play(server);
    let running = Game::between(
        game.red.clone(),
        server.register("third"),
        "barrage",
        &Value::Null,
    );
    let (red, blue) = EVEN.setups();
    running.place(Side::Red, &red).ok(200);
    running.place(Side::Blue, &blue).ok(200);
    let mut running = running;
    running.line("a4-a5 a7-a6");
    assert_eq!(game.red.delete("/v1/me").status, 204);

    assert_eq!(game.red.get("/v1/me").status, 401);
    assert_problem(
        &login(&server.client(), &game.red.name, PASSWORD),
        401,
        "invalid_credentials",
    );
    assert_eq!(
        refresh(&server.client(), &game.red.refresh_token).status,
        401
    );
    let kept = game.view(&game.blue);
    let erased = text(&kept["red"]["player"]["username"]);
    assert!(erased.starts_with("deleted-"), "{erased}");
    assert!(!kept.to_string().contains(&game.red.name), "{kept}");
    assert_eq!(kept["outcome"]["reason"], "both_immobile");
    let resigned = running.view(&running.blue);
    assert_eq!(
        resigned["outcome"],
        json!({"winner": "blue", "reason": "resignation"})
    );

    // The name is free, but the one who takes it is somebody else.
    let next = server.register("next");
    assert_ne!(next.id, game.red.id);
    assert_eq!(game.red.get("/v1/me").status, 401);
    assert_eq!(
        game.view(&game.blue)["red"]["player"]["username"],
        json!(erased)
    );
}

fn access_is_by_bearer_token_alone(server: &TestServer) {
    let player = server.register("bearer");
    let token = player.token.clone().unwrap();
    let with = |value: &str| {
        player
            .request("GET", "/v1/me")
            .header("authorization", value)
            .send()
    };
    with(&format!("Bearer {token}")).ok(200);
    with(&format!("bearer {token}")).ok(200);
    for value in [
        "",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        &format!("Token {token}"),
        &token,
        &format!("Bearer {token}x"),
        &format!("Bearer {token} {token}"),
        "Bearer a.b.c",
    ] {
        assert_problem(&with(value), 401, "unauthenticated");
    }
    let in_query = player
        .with_token(None)
        .get(&format!("/v1/me?access_token={token}"));
    assert!(matches!(in_query.status, 400 | 401), "{}", in_query.text());
    // A token that is sent must be good, even where none is needed.
    let open = player.with_token(Some("a.b.c")).get("/v1/rules");
    assert_problem(&open, 401, "unauthenticated");
}

on_both! {
    registering_gives_a_player_and_tokens,
    names_and_passwords_have_bounds,
    a_name_is_one_whatever_its_case,
    of_registrations_that_race_for_a_name_one_wins,
    wrong_credentials_do_not_tell_which_part_is_wrong,
    a_refresh_token_serves_once,
    what_is_no_refresh_token_is_refused,
    logging_out_ends_the_refresh_token,
    the_published_keys_are_public_ones,
    tokens_outlive_a_restart,
    an_erased_account_leaves_its_games,
    access_is_by_bearer_token_alone,
}
