//! The harness itself, as far as it can be wrong without anybody noticing.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use serde_json::{Value, json};
use tests::database::replace_database;
use tests::game::move_body;
use tests::leak::{Secrets, assert_unknown_pieces_alike};
use tests::problem::assert_problem;
use tests::schema::faults;
use tests::walkthrough::{matches, missing, steps};
use tests::{Client, Response, Side, army};

/// Answers one request with `answer` and gives what was asked.
fn answer_once(answer: &'static str) -> (String, thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let asked = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut asked = Vec::new();
        let mut byte = [0];
        while !asked.ends_with(b"}") && stream.read(&mut byte).unwrap() == 1 {
            asked.push(byte[0]);
        }
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(asked).unwrap()
    });
    (base, asked)
}

#[test]
fn the_client_sends_json_with_its_token_and_takes_any_status() {
    let (base, asked) = answer_once(
        "HTTP/1.1 418 I'm a teapot\r\ncontent-length: 14\r\nx-kind: one\r\n\r\n{\"code\":\"tea\"}",
    );
    let client = Client::new(&base).with_token(Some("abc"));
    let answer = client.post("/v1/pots?size=2", &json!({"milk": true}));
    let asked = asked.join().unwrap().to_ascii_lowercase();
    assert!(
        asked.starts_with("post /v1/pots?size=2 http/1.1\r\n"),
        "{asked}"
    );
    assert!(asked.contains("authorization: bearer abc\r\n"), "{asked}");
    assert!(
        asked.contains("content-type: application/json\r\n"),
        "{asked}"
    );
    assert!(asked.ends_with("{\"milk\":true}"), "{asked}");
    assert_eq!(answer.status, 418);
    assert_eq!(answer.header("x-kind"), Some("one"));
    assert_eq!(answer.code().as_deref(), Some("tea"));
    assert_eq!(answer.path(), "/v1/pots");
}

fn response(status: u16, content_type: &str, body: &Value) -> Response {
    Response {
        asked: ("GET".to_owned(), "/v1/games/1?a=b".to_owned()),
        status,
        headers: vec![("content-type".to_owned(), content_type.to_owned())],
        body: body.to_string().into_bytes(),
    }
}

fn not_found() -> Value {
    json!({"type": "/problems/not-found", "title": "Not found", "status": 404, "code": "not_found",
           "detail": "no such game", "instance": "/v1/games/1", "request_id": "7"})
}

#[test]
fn a_whole_problem_is_one() {
    assert_problem(
        &response(404, "application/problem+json", &not_found()),
        404,
        "not_found",
    );
}

#[test]
#[should_panic(expected = "came as \"application/json\"")]
fn a_problem_of_another_type_is_none() {
    assert_problem(
        &response(404, "application/json", &not_found()),
        404,
        "not_found",
    );
}

#[test]
#[should_panic(expected = "nobody's business")]
fn a_problem_that_tells_of_the_inside_is_none() {
    let mut body = not_found();
    body["detail"] = json!("diesel said no");
    assert_problem(
        &response(404, "application/problem+json", &body),
        404,
        "not_found",
    );
}

#[test]
#[should_panic(expected = "tells a hidden rank")]
fn a_hidden_rank_is_found_wherever_it_stands() {
    let secrets = Secrets::of(Side::Blue, &army(Side::Blue, "Fa10 Mj7"));
    let body = json!({"data": [{"deep": {"defender_id": "blue:j7", "defender": "M"}}]});
    secrets.assert_kept(&response(200, "application/json", &body));
}

#[test]
fn what_was_disclosed_is_no_secret() {
    let setup = army(Side::Blue, "Fa10 Mj7");
    let body = json!([{"id": "blue:j7", "piece": "M"}, {"id": "blue:a10", "piece": "?"}]);
    let secrets = Secrets::of(Side::Blue, &setup).without("blue:j7");
    secrets.assert_kept(&response(200, "application/json", &body));
}

#[test]
#[should_panic(expected = "differ in their fields")]
fn unknown_pieces_that_differ_are_found() {
    assert_unknown_pieces_alike(
        &json!([{"piece": "?", "moved": true}, {"piece": "?", "range": 9}]),
    );
}

#[test]
fn the_corners_of_both_sides() {
    assert_eq!(Side::Red.square(0), "a4");
    assert_eq!(Side::Red.square(39), "j1");
    assert_eq!(Side::Blue.square(0), "j7");
    assert_eq!(Side::Blue.square(39), "a10");
    assert_eq!(army(Side::Red, "Fa4 Mj1"), format!("F{}M", ".".repeat(38)));
}

#[test]
fn moves_in_text() {
    assert_eq!(
        move_body(3, "e4xe5"),
        json!({"ply": 3, "from": "e4", "to": "e5"})
    );
    let rescue =
        json!({"ply": 0, "from": "a9", "to": "a10", "rescue": {"piece": "8", "square": "c2"}});
    assert_eq!(move_body(0, "a9-a10=8@c2"), rescue);
}

#[test]
fn another_database_on_the_same_server() {
    assert_eq!(
        replace_database("postgres://me@host:5432/postgres", "x"),
        "postgres://me@host:5432/x"
    );
    assert_eq!(
        replace_database("postgres:///postgres?host=/tmp/a", "x"),
        "postgres:///x?host=/tmp/a"
    );
    assert_eq!(
        replace_database("postgres://me@%2Ftmp%2Fa/p", "x"),
        "postgres://me@%2Ftmp%2Fa/x"
    );
}

#[test]
fn the_walk_through_of_a_readme() {
    let readme = "# A\n```sh\nnot this\n```\n```sh walkthrough\necho 1\necho 2\n```\nsays\n```text\n1\n…2\n```\n";
    let steps = steps(readme);
    assert_eq!(steps.len(), 1);
    assert_eq!(
        (steps[0].line, steps[0].commands.as_str()),
        (6, "echo 1\necho 2")
    );
    assert_eq!(missing(&steps[0].expected, "0\n1\nxx2\n"), None);
    assert_eq!(missing(&steps[0].expected, "xx2\n1\n"), Some("…2"));
    assert!(matches(
        "{\"id\":\"…\",\"ply\":1…}",
        "{\"id\":\"7\",\"ply\":12}"
    ));
    assert!(!matches(
        "{\"id\":\"…\",\"ply\":1}",
        "{\"id\":\"7\",\"ply\":12}"
    ));
}

#[test]
fn the_schema_check_finds_what_does_not_fit() {
    let document = json!({"components": {"schemas": {
        "Side": {"type": "string", "enum": ["red", "blue"]},
        "Seat": {"type": "object", "required": ["side"], "properties": {
            "side": {"$ref": "#/components/schemas/Side"},
            "ply": {"type": ["integer", "null"], "minimum": 0}}},
    }}});
    let schema = json!({"$ref": "#/components/schemas/Seat"});
    let faults = |value: Value| faults(&document, &schema, &value);
    assert!(faults(json!({"side": "red", "ply": null})).is_empty());
    assert_eq!(faults(json!({"ply": 1})), ["/: \"side\" is missing"]);
    assert_eq!(faults(json!({"side": "green"})).len(), 1);
    assert_eq!(
        faults(json!({"side": "red", "ply": -1})),
        ["/ply: -1 is beyond minimum 0"]
    );
    assert_eq!(
        faults(json!({"side": "red", "rank": "M"})),
        ["/: \"rank\" is not documented"]
    );
    let either = json!({"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Side"}]});
    assert!(tests::schema::faults(&document, &either, &Value::Null).is_empty());
    assert_eq!(
        tests::schema::faults(&document, &either, &json!(7)).len(),
        1
    );
}
