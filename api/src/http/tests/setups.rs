use serde_json::{Value, json};

use super::client::{Answer, TestServer};

const BARRAGE: &str = "29...M..3....................F...B2.S...";

/// A server and the access token of one of its players.
struct Player<'a> {
    server: &'a TestServer,
    token: String,
}

impl<'a> Player<'a> {
    fn register(server: &'a TestServer, username: &str) -> Self {
        let body = json!({"username": username, "password": "correct horse"});
        let registered = post(server, "/v1/auth/register", &body, &[]).json();
        let token = registered["tokens"]["access_token"]
            .as_str()
            .unwrap()
            .to_owned();
        Self { server, token }
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        extra: &[(&str, &str)],
    ) -> Answer {
        let authorization = format!("Bearer {}", self.token);
        let mut headers = vec![("Authorization", &*authorization)];
        headers.extend_from_slice(extra);
        send(self.server, method, path, body, &headers)
    }

    fn save(&self, name: &str) -> Answer {
        self.send("POST", "/v1/me/setups", Some(&barrage(name)), &[])
    }
}

fn send(
    server: &TestServer,
    method: &str,
    path: &str,
    body: Option<&Value>,
    headers: &[(&str, &str)],
) -> Answer {
    let Some(body) = body else {
        return server.send(method, path, headers);
    };
    let mut all = vec![("Content-Type", "application/json")];
    all.extend_from_slice(headers);
    server.send_body(method, path, &all, Some(body.to_string().as_bytes()))
}

fn post(server: &TestServer, path: &str, body: &Value, headers: &[(&str, &str)]) -> Answer {
    send(server, "POST", path, Some(body), headers)
}

fn barrage(name: &str) -> Value {
    json!({"name": name, "ruleset": "barrage", "setup": BARRAGE})
}

fn location(created: &Answer) -> String {
    assert_eq!(created.status, 201, "{created:?}");
    created.header("location").unwrap().to_owned()
}

#[test]
fn setups_are_checked_for_anyone() {
    let server = TestServer::start(&[]);
    let check = |ruleset: &str, setup: &str| {
        post(
            &server,
            "/v1/setups/validate",
            &json!({"ruleset": ruleset, "setup": setup}),
            &[],
        )
    };
    let spaced = "29...M..3./..........\n........ .F / ...B2.S...";
    assert_eq!(
        check("barrage", spaced).json(),
        json!({"ruleset": "barrage", "setup": BARRAGE})
    );
    let two_miners = check("barrage", &BARRAGE.replacen('.', "3", 1));
    let problem = two_miners.assert_problem(422, "illegal_setup");
    assert_eq!(problem["reason"], "wrong_count");
    assert_eq!(problem["piece"], "3");
    assert_eq!(
        (&problem["expected"], &problem["found"]),
        (&json!(1), &json!(2))
    );
    let short = check("barrage", &BARRAGE[1..]).assert_problem(422, "illegal_setup");
    assert_eq!(short["reason"], "wrong_length");
    let codes: Vec<_> = short["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| &fault["code"])
        .collect();
    assert_eq!(codes, ["wrong_length", "wrong_count"]);
    check("chess", BARRAGE).assert_problem(400, "malformed_request");
}

#[test]
fn setups_are_made_up_in_either_style() {
    let server = TestServer::start(&[]);
    let draw = |body: Value| post(&server, "/v1/setups/random", &body, &[]);
    for (body, style) in [
        (json!({"ruleset": "original"}), "advised"),
        (
            json!({"ruleset": "original", "style": "uniform"}),
            "uniform",
        ),
    ] {
        let (first, second) = (draw(body.clone()).json(), draw(body).json());
        assert_eq!(first["style"], style);
        assert_ne!(
            first["setup"], second["setup"],
            "40 pieces fell twice into the same places"
        );
        let check = json!({"ruleset": "original", "setup": first["setup"]});
        assert_eq!(
            post(&server, "/v1/setups/validate", &check, &[]).status,
            200
        );
    }
    draw(json!({"ruleset": "duel", "style": "wild"})).assert_problem(400, "malformed_request");
}

#[test]
fn a_saved_setup_is_read_replaced_and_deleted_by_its_owner_alone() {
    let server = TestServer::start(&[]);
    let (owner, other) = (
        Player::register(&server, "owner"),
        Player::register(&server, "other"),
    );
    let created = owner.save("  Left flank ");
    let path = location(&created);
    assert_eq!(created.json()["name"], "Left flank");
    assert_eq!(owner.send("GET", &path, None, &[]).json(), created.json());

    let replacement =
        json!({"name": "Right", "ruleset": "barrage", "setup": BARRAGE.replacen("29", "92", 1)});
    for stranger in [
        other.send("GET", &path, None, &[]),
        other.send("PUT", &path, Some(&replacement), &[]),
        other.send("PUT", &path, Some(&json!({})), &[]),
        other.send("DELETE", &path, None, &[]),
    ] {
        stranger.assert_problem(404, "not_found");
    }
    server
        .send("GET", &path, &[])
        .assert_problem(401, "unauthenticated");
    assert_eq!(
        owner.send("GET", &path, None, &[]).json(),
        created.json(),
        "nothing has changed"
    );

    let replaced = owner.send("PUT", &path, Some(&replacement), &[]);
    assert_eq!(replaced.status, 200, "{replaced:?}");
    assert_eq!(replaced.json()["name"], "Right");
    assert_eq!(replaced.json()["id"], created.json()["id"]);
    assert_eq!(owner.send("GET", &path, None, &[]).json(), replaced.json());

    assert_eq!(owner.send("DELETE", &path, None, &[]).status, 204);
    for method in ["GET", "DELETE"] {
        owner
            .send(method, &path, None, &[])
            .assert_problem(404, "not_found");
    }
}

#[test]
fn what_cannot_be_saved_is_refused_and_not_stored() {
    let server = TestServer::start(&[]);
    let owner = Player::register(&server, "owner");
    let save = |body: Value| owner.send("POST", "/v1/me/setups", Some(&body), &[]);
    for name in ["", " \t", &"x".repeat(61), "a\u{7}b"] {
        let problem = save(barrage(name)).assert_problem(422, "validation_failed");
        assert_eq!(problem["errors"][0]["field"], "name");
    }
    let mut wrong_army = barrage("wrong");
    wrong_army["ruleset"] = json!("duel");
    save(wrong_army).assert_problem(422, "illegal_setup");
    let mut more = barrage("more");
    more["more"] = json!(1);
    save(more).assert_problem(400, "malformed_request");
    assert_eq!(
        owner.send("GET", "/v1/me/setups", None, &[]).json()["items"],
        json!([])
    );
}

#[test]
fn a_retry_with_the_same_key_saves_nothing_more() {
    let server = TestServer::start(&[]);
    let owner = Player::register(&server, "owner");
    let save = |name: &str| {
        let key = [("Idempotency-Key", "k1")];
        owner.send("POST", "/v1/me/setups", Some(&barrage(name)), &key)
    };
    let first = save("one");
    assert_eq!(location(&save("one")), location(&first));
    save("two").assert_problem(422, "idempotency_key_reused");
    let list = owner.send("GET", "/v1/me/setups", None, &[]).json();
    assert_eq!(list["items"], json!([first.json()]));
}

#[test]
fn pages_hold_each_of_the_hundred_setups_once_newest_first() {
    let server = TestServer::start(&[]);
    let owner = Player::register(&server, "owner");
    let mut expected: Vec<Value> = (0..100)
        .map(|number| {
            server.clock.advance(std::time::Duration::from_millis(1));
            let saved = owner.save(&number.to_string());
            assert_eq!(saved.status, 201, "{saved:?}");
            saved.json()
        })
        .collect();
    expected.reverse();
    let one_more = owner
        .save("one more")
        .assert_problem(422, "validation_failed");
    assert_eq!(one_more["errors"][0]["code"], "too_many");

    let (mut seen, mut next) = (Vec::new(), String::new());
    loop {
        let path = format!("/v1/me/setups?limit=40{next}");
        let page = owner.send("GET", &path, None, &[]).json();
        seen.extend_from_slice(page["items"].as_array().unwrap());
        let Some(cursor) = page["next"].as_str() else {
            break;
        };
        next = format!("&after={cursor}");
    }
    assert_eq!(seen, expected);
    for bad in ["limit=0", "limit=101", "after=x", "before=x"] {
        let path = format!("/v1/me/setups?{bad}");
        owner
            .send("GET", &path, None, &[])
            .assert_problem(400, "malformed_request");
    }
}

#[test]
fn the_token_of_an_erased_account_saves_and_shows_nothing() {
    let server = TestServer::start(&[]);
    let owner = Player::register(&server, "owner");
    let path = location(&owner.save("left"));
    let erased = owner.send("DELETE", "/v1/me", None, &[]);
    assert_eq!(erased.status, 204, "{erased:?}");
    for answer in [
        owner.save("right"),
        owner.send("GET", &path, None, &[]),
        owner.send("PUT", &path, Some(&barrage("right")), &[]),
        owner.send("DELETE", &path, None, &[]),
        owner.send("GET", "/v1/me/setups", None, &[]),
    ] {
        answer.assert_problem(401, "unauthenticated");
    }
}
