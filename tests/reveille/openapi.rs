//! The document of the interface: served, kept and generated are one, and the server does what it says.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tests::client::text;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::imports::{send, until};
use tests::schema::faults;
use tests::{Backend, Client, EventStream, Game, Response, TestServer, on_both};

use crate::lines::{EVEN, RED_TAKES_THE_FLAG};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn kept(name: &str) -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../openapi")
        .join(name);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn printed(server: &TestServer, command: &str) -> String {
    let output = server.command(&[command]).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn document(server: &TestServer) -> Value {
    server.client().get("/openapi.json").ok(200)
}

/// A page that a browser shows without asking anybody else.
#[track_caller]
pub(crate) fn assert_served_from_here(page: &Response) {
    assert!(
        page.header("content-type")
            .unwrap_or_default()
            .starts_with("text/html"),
        "{page:?}"
    );
    for attribute in ["src=", "href="] {
        for part in page.text().split(attribute).skip(1) {
            let target = part.trim_start_matches(['"', '\'']);
            let foreign = target.starts_with("http:")
                || target.starts_with("https:")
                || target.starts_with("//");
            assert!(
                !foreign,
                "{} is not ours",
                target.split(['"', '\'']).next().unwrap_or_default()
            );
        }
    }
}

/// A path template whose parameters have lost their names: `/v1/games/{}/moves`.
fn shape(template: &str) -> String {
    let parts = template
        .split('/')
        .map(|part| if part.starts_with('{') { "{}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// What the document says of a path, whatever it calls its parameters.
fn item<'a>(document: &'a Value, template: &str) -> Option<&'a Value> {
    let paths = document["paths"].as_object().expect("paths");
    paths
        .iter()
        .find(|(path, _)| shape(path) == shape(template))
        .map(|(_, item)| item)
}

/// Path parameters filled with what exists nowhere.
fn filled(path: &str) -> String {
    let parts = path.split('/').map(|part| match part.strip_prefix('{') {
        Some("username}") => "nobody_at_all",
        Some("ruleset}") => "original",
        Some("piece_id}") => "red:a4",
        Some("code}" | "problem}") => "not-found",
        Some(_) => "0190f0a0-0000-7000-8000-000000000000",
        None => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// Says the first line that differs: the documents are long.
#[track_caller]
fn assert_same(kept: &str, generated: &str, command: &str) {
    let differing = kept
        .lines()
        .zip(generated.lines())
        .enumerate()
        .find(|(_, (one, other))| one != other);
    if let Some((index, (one, other))) = differing {
        panic!(
            "line {}: kept {one:?}, generated {other:?}; run: {command}",
            index + 1
        );
    }
    assert_eq!(
        kept.len(),
        generated.len(),
        "one goes on where the other ends; run: {command}"
    );
}

#[test]
fn the_kept_document_is_the_generated_one() {
    let server = TestServer::prepare(Backend::Sqlite, &[]);
    let command = "cargo run -- openapi > openapi/openapi.json";
    assert_same(&kept("openapi.json"), &printed(&server, "openapi"), command);
}

#[test]
fn the_kept_schema_is_the_generated_one() {
    let server = TestServer::prepare(Backend::Sqlite, &[]);
    let command = "cargo run -- graphql-schema > openapi/schema.graphql";
    assert_same(
        &kept("schema.graphql"),
        &printed(&server, "graphql-schema"),
        command,
    );
}

#[test]
fn the_served_document_is_the_generated_one() {
    let server = TestServer::start(Backend::Sqlite);
    let generated: Value = serde_json::from_str(&printed(&server, "openapi")).unwrap();
    assert!(
        document(&server) == generated,
        "what is served is not what is printed"
    );
}

#[test]
fn the_document_is_whole() {
    let document: Value = serde_json::from_str(&kept("openapi.json")).unwrap();
    assert!(
        document["openapi"].as_str().unwrap().starts_with("3.1"),
        "{}",
        document["openapi"]
    );
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| METHODS.contains(&&***name))
        {
            let name = operation["operationId"]
                .as_str()
                .unwrap_or_else(|| panic!("{method} {path} has no name"));
            assert!(!operations.contains(&name), "{name} is there twice");
            operations.push(name);
            for (status, response) in operation["responses"].as_object().unwrap() {
                let text = response["description"].as_str().unwrap_or_default();
                assert!(
                    response.get("$ref").is_some() || !text.is_empty(),
                    "{method} {path} {status} says nothing"
                );
            }
            assert!(
                !operation["summary"].is_null() || !operation["description"].is_null(),
                "{method} {path} says nothing"
            );
        }
    }
    for path in [
        "/v1/auth/register",
        "/v1/auth/login",
        "/v1/auth/refresh",
        "/v1/auth/logout",
        "/v1/me",
        "/v1/me/password",
        "/v1/me/tokens",
        "/v1/me/tokens/{id}",
        "/v1/me/sessions",
        "/v1/me/sessions/{id}",
        "/v1/me/blocks",
        "/v1/me/blocks/{username}",
        "/v1/me/export",
        "/v1/admin/audit",
        "/v1/admin/games/{id}/annul",
        "/v1/admin/players/{username}/suspend",
        "/v1/admin/players/{username}/unsuspend",
        "/v1/admin/players/{username}/reset-password",
        "/.well-known/jwks.json",
        "/v1/challenges",
        "/v1/challenges/{id}/accept",
        "/v1/games",
        "/v1/games/{id}",
        "/v1/games/{id}/setup",
        "/v1/games/{id}/legal-moves",
        "/v1/games/{id}/moves",
        "/v1/games/{id}/resign",
        "/v1/games/{id}/abort",
        "/v1/games/{id}/offers",
        "/v1/games/{id}/rematch",
        "/v1/games/{id}/notes",
        "/v1/games/{id}/replay",
        "/v1/games/{id}/proofs",
        "/v1/games/{id}/board.svg",
        "/v1/games/{id}/timeline.svg",
        "/v1/rules",
        "/v1/setups/validate",
        "/v1/setups/random",
        "/v1/me/setups",
        "/v1/me/webhooks",
        "/v1/me/push-subscriptions",
        "/graphql",
        "/healthz",
        "/readyz",
    ] {
        assert!(item(&document, path).is_some(), "{path} is not documented");
    }
    assert_references_resolve(&document, &document);
}

fn assert_references_resolve(document: &Value, value: &Value) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                let pointer = reference.trim_start_matches('#');
                assert!(
                    document.pointer(pointer).is_some(),
                    "{reference} leads nowhere"
                );
            }
            fields
                .values()
                .for_each(|field| assert_references_resolve(document, field));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| assert_references_resolve(document, item)),
        _ => {}
    }
}

/// Checks an answer against what the document says of the operation, and gives the answer.
#[track_caller]
fn assert_documented(document: &Value, path: &str, answer: &Response) {
    let method = answer.asked.0.to_lowercase();
    let operation = item(document, path).and_then(|item| item.get(&method));
    let operation = operation.unwrap_or_else(|| panic!("{method} {path} is not documented"));
    let status = answer.status.to_string();
    let response = operation["responses"].get(&status).or_else(|| {
        let class = format!("{}XX", &status[..1]);
        operation["responses"]
            .get(&class)
            .or_else(|| operation["responses"].get("default"))
    });
    let response = response.unwrap_or_else(|| {
        panic!(
            "{method} {path}: {status} is not documented: {}",
            answer.text()
        )
    });
    let response = match response["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => response,
    };
    if answer.body.is_empty() {
        assert!(
            response.get("content").is_none_or(Value::is_null),
            "{method} {path}: {status} has no body"
        );
        return;
    }
    let media = answer
        .header("content-type")
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default();
    let schema = response["content"]
        .get(media)
        .unwrap_or_else(|| panic!("{method} {path}: {status} as {media} is not documented"));
    if !media.ends_with("json") || media == "application/x-ndjson" {
        assert_eq!(schema["schema"]["type"], "string", "{method} {path}");
        return;
    }
    let mut faults = faults(document, &schema["schema"], &answer.json());
    if media == "application/problem+json" {
        // A problem may carry members that belong to its code (RFC 9457, 3.2).
        faults.retain(|fault| !fault.ends_with("is not documented"));
    }
    assert!(
        faults.is_empty(),
        "{method} {path} {status}: {faults:#?}\n{}",
        answer.text()
    );
}

/// Every operation of the document is there: what it answers is neither "unknown path" nor "wrong method".
fn every_documented_operation_is_served(server: &TestServer) {
    let document = document(server);
    let player = server.register("document");
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| METHODS.contains(&&***name))
        {
            // The account itself is needed by the calls that follow.
            if method == "delete" && path == "/v1/me" {
                continue;
            }
            let is_stream =
                item[method]["responses"]["200"]["content"]["text/event-stream"].is_object();
            if is_stream && method == "get" {
                // It has no end to be waited for.
                let stream = EventStream::send(&player, "GET", &filled(path), &[]);
                assert!(
                    [200, 404].contains(&stream.head.status),
                    "{path}: {:?}",
                    stream.head
                );
                continue;
            }
            let request = player.request(&method.to_uppercase(), &filled(path));
            let answer = if method == "get" || method == "delete" {
                request
            } else {
                request.json(&json!({}))
            }
            .send();
            assert_ne!(answer.status, 405, "{method} {path}");
            assert!(answer.status < 500, "{method} {path}: {answer:?}");
            if answer.status == 404 {
                let missing = server.client().get("/v1/nothing").json()["detail"].clone();
                assert_ne!(
                    answer.json()["detail"],
                    missing,
                    "{method} {path} is an unknown path"
                );
            }
            assert_documented(&document, path, &answer);
        }
    }
}

/// The answers of whole games have the documented shapes, before, during and after.
fn answers_have_their_documented_shapes(server: &TestServer) {
    let document = document(server);
    let check = |client: &Client, template: &str, path: &str| {
        assert_documented(&document, template, &client.get(path));
    };
    let game = Game::in_setup(server, "barrage", &Value::Null);
    let reads = |game: &Game| {
        for viewer in [&game.red, &game.blue, &server.client()] {
            check(viewer, "/v1/games/{id}", &game.path(""));
            check(viewer, "/v1/games/{id}/moves", &game.path("/moves"));
            check(viewer, "/v1/games/{id}/replay", &game.path("/replay"));
            check(viewer, "/v1/games/{id}/replay", &game.path("/replay?ply=0"));
            check(viewer, "/v1/games/{id}/proofs", &game.path("/proofs"));
            check(
                viewer,
                "/v1/games/{id}/legal-moves",
                &game.path("/legal-moves"),
            );
            check(viewer, "/v1/games", "/v1/games?limit=3");
            check(viewer, "/v1/me", "/v1/me");
            check(viewer, "/v1/me/export", "/v1/me/export");
            check(viewer, "/v1/me/sessions", "/v1/me/sessions");
        }
    };
    reads(&game);
    let (red, blue) = EVEN.setups();
    for (player, setup) in [(&game.red, red), (&game.blue, blue)] {
        let answer = player.put(&game.path("/setup"), &json!({"setup": setup}));
        answer.ok(200);
        assert_documented(&document, "/v1/games/{id}/setup", &answer);
    }
    for notation in ["a4-a5", "a4-a5", "a4-a9"] {
        assert_documented(&document, "/v1/games/{id}/moves", &game.attempt(notation));
    }
    reads(&game);
    let offer = game
        .blue
        .post(&game.path("/offers"), &json!({"kind": "draw"}));
    offer.ok(201);
    assert_documented(&document, "/v1/games/{id}/offers", &offer);
    reads(&game);
    let resigned = game.resign(tests::Side::Red);
    resigned.ok(200);
    assert_documented(&document, "/v1/games/{id}/resign", &resigned);
    reads(&game);
    for player in [&game.red, &game.blue, &game.blue] {
        let asked = player.post(&game.path("/rematch"), &json!({}));
        assert_documented(&document, "/v1/games/{id}/rematch", &asked);
    }
    let noted = game.red.put(&game.path("/notes"), &json!({"text": "well"}));
    assert_documented(&document, "/v1/games/{id}/notes", &noted);
    check(&game.red, "/v1/games/{id}/notes", &game.path("/notes"));
    reads(&RED_TAKES_THE_FLAG.play(server));
    check(&game.red, "/v1/challenges", "/v1/challenges?direction=open");
    check(
        &game.red,
        "/v1/players/{username}",
        &format!("/v1/players/{}", game.red.name),
    );
    for rest in ["ratings", "rating-history"] {
        let path = format!("/v1/players/{}/{rest}", game.red.name);
        check(
            &game.red,
            &format!("/v1/players/{{username}}/{rest}"),
            &path,
        );
    }
    check(
        &game.red,
        "/v1/leaderboards/{ruleset}",
        "/v1/leaderboards/barrage",
    );
    check(&game.red, "/v1/rules", "/v1/rules");
    check(&game.red, "/v1/rules/{ruleset}", "/v1/rules/duel");
    check(
        &game.red,
        "/.well-known/jwks.json",
        "/.well-known/jwks.json",
    );
    check(&game.red, "/healthz", "/healthz");
    check(&game.red, "/readyz", "/readyz");
}

/// What came of an import, and a game as a file of each form, have the documented shapes.
fn what_comes_in_and_goes_out_has_its_documented_shape(server: &TestServer) {
    let document = document(server);
    let player = server.register("player");
    let mut bad = GravonGame::random(&mut Dice::new(1), 20);
    let good = bad.xml();
    bad.moves.push(bad.immovable());
    for (body, imported) in [(good, 1), (bad.xml(), 0)] {
        let sent = send(&player, "?filename=barrage-2006.3-9.xml", body);
        assert_documented(&document, "/v1/imports", &sent);
        let path = format!("/v1/imports/{}", text(&sent.ok(202)["id"]));
        let done = until(|| {
            let answer = player.get(&path);
            assert_documented(&document, "/v1/imports/{import_id}", &answer);
            Some(answer).filter(|answer| answer.ok(200)["status"] != "running")
        });
        let counts = (&done.json()["imported"], &done.json()["rejected_total"]);
        assert_eq!(counts, (&json!(imported), &json!(1 - imported)));
    }
    let game = RED_TAKES_THE_FLAG.play(server);
    for form in ["json", "ndjson", "text", "gravon"] {
        let answer = game.red.get(&game.path(&format!("/export?format={form}")));
        assert_eq!(answer.status, 200, "{form}");
        assert_documented(&document, "/v1/games/{game_id}/export", &answer);
    }
}

/// The pages of the document come from this server alone.
fn the_documentation_page_needs_nobody_else(server: &TestServer) {
    let client = server.client();
    let first = client.get("/docs");
    let page = match first.header("location") {
        Some(target) => client.get(target),
        None => first,
    };
    assert_eq!(page.status, 200, "{page:?}");
    assert_served_from_here(&page);
}

on_both! {
    every_documented_operation_is_served,
    answers_have_their_documented_shapes,
    what_comes_in_and_goes_out_has_its_documented_shape,
    the_documentation_page_needs_nobody_else,
}
