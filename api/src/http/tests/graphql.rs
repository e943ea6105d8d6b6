//! GraphQL as HTTP carries it; what it answers is tested beside it.

use serde_json::{Value, json};

use super::client::{Answer, TestServer};

const JSON: &str = "application/json";
const GRAPHQL: &str = "application/graphql-response+json";

fn ask(server: &TestServer, accept: &str, query: &str) -> Answer {
    server.post("/graphql", &[("Accept", accept)], &json!({"query": query}))
}

#[test]
fn the_media_type_is_the_one_asked_for() {
    let server = TestServer::start(&[]);
    for (accept, expected) in [
        ("*/*", JSON),
        (JSON, JSON),
        (GRAPHQL, GRAPHQL),
        (
            "application/graphql-response+json, application/json;q=0.9",
            GRAPHQL,
        ),
        ("application/*", JSON),
    ] {
        let answer = ask(&server, accept, "{ __typename }");
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.header("content-type"), Some(expected), "{accept}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.json(), json!({"data": {"__typename": "Query"}}));
    }
    let refused = ask(&server, "text/html", "{ __typename }");
    refused.assert_problem(406, "not_acceptable");
    let plain = server.post("/graphql", &[], &json!({"query": "{ __typename }"}));
    assert_eq!(plain.header("content-type"), Some(JSON));
}

#[test]
fn the_status_tells_what_was_at_fault_when_the_media_type_can() {
    let server = TestServer::start(&[]);
    for (query, executed) in [
        ("{", false),
        ("{ nothing }", false),
        ("{ games(first: -1) { edges { cursor } } }", true),
        (
            "{ games(first: 100) { edges { node { moves(first: 100) { edges { node { ply } } } } } } }",
            false,
        ),
    ] {
        let answer = ask(&server, JSON, query);
        assert_eq!(answer.status, 200, "{query}");
        assert_eq!(answer.json().get("data").is_some(), executed, "{query}");
        let answer = ask(&server, GRAPHQL, query);
        assert_eq!(answer.status, if executed { 200 } else { 400 }, "{query}");
        assert_eq!(answer.header("content-type"), Some(GRAPHQL), "{query}");
        assert!(
            answer.json()["errors"][0]["extensions"]["code"].is_string(),
            "{answer:?}"
        );
    }
}

#[test]
fn a_body_that_is_no_query_is_a_problem() {
    let server = TestServer::start(&[]);
    let json = [("Content-Type", "application/json")];
    for body in [
        "",
        "{",
        "[]",
        "null",
        "1",
        "{}",
        r#"{"query":1}"#,
        r#"{"query":"{a}","x":1}"#,
    ] {
        let answer = server.send_body("POST", "/graphql", &json, Some(body.as_bytes()));
        answer.assert_problem(400, "malformed_request");
    }
    let deep = format!(r#"{{"query":"{{a}}","variables":{}}}"#, "[".repeat(5_000));
    let answer = server.send_body("POST", "/graphql", &json, Some(deep.as_bytes()));
    answer.assert_problem(400, "malformed_request");
    let graphql = [("Content-Type", "application/graphql")];
    let answer = server.send_body("POST", "/graphql", &graphql, Some(b"{ __typename }"));
    answer.assert_problem(415, "unsupported_media_type");
    let long = format!(r#"{{"query":"{}"}}"#, " ".repeat(300_000));
    let answer = server.send_body("POST", "/graphql", &json, Some(long.as_bytes()));
    answer.assert_problem(413, "payload_too_large");
    server
        .send("PUT", "/graphql", &[])
        .assert_problem(405, "method_not_allowed");
}

#[test]
fn a_batch_is_answered_in_its_order_and_has_its_limit() {
    let server = TestServer::start(&[]);
    let query = |query: &str| json!({"query": query});
    let batch = json!([
        query("{ a: __typename }"),
        query("{"),
        query("{ c: __typename }")
    ]);
    for accept in [JSON, GRAPHQL] {
        let answer = server.post("/graphql", &[("Accept", accept)], &batch);
        assert_eq!(answer.status, 200);
        let answers = answer.json();
        assert_eq!(answers[0], json!({"data": {"a": "Query"}}));
        assert!(answers[1]["errors"].is_array());
        assert_eq!(answers[2], json!({"data": {"c": "Query"}}));
    }
    let batch = |length: usize| Value::from(vec![query("{ __typename }"); length]);
    assert_eq!(server.post("/graphql", &[], &batch(10)).status, 200);
    for length in [11, 100, 2_000] {
        let answer = server.post("/graphql", &[], &batch(length));
        answer.assert_problem(400, "malformed_request");
    }
    let problem = server.post("/graphql", &[], &batch(11)).json();
    assert_eq!(
        (&problem["limit"], &problem["maximum"]),
        (&json!("batch"), &json!(10))
    );
}

#[test]
fn a_query_may_stand_in_the_address() {
    let server = TestServer::start(&[]);
    let get = |query: &str| server.send("GET", &format!("/graphql{query}"), &[]);
    assert_eq!(
        get("?query=%7B__typename%7D").json(),
        json!({"data": {"__typename": "Query"}})
    );
    let variables = "?query=query%20Q(%24n%3AInt)%7Bgames(first%3A%24n)%7Bedges%7Bcursor%7D%7D%7D";
    let answer = get(&format!(
        "{variables}&variables=%7B%22n%22%3A3%7D&operationName=Q"
    ));
    assert_eq!(answer.json(), json!({"data": {"games": {"edges": []}}}));
    for (query, field) in [
        ("", "query"),
        ("?variables=%7B%7D", "query"),
        ("?query=%7B__typename%7D&variables=x", "variables"),
        ("?query=%7B__typename%7D&variables=%5B%5D", "variables"),
        ("?query=%7B__typename%7D&nothing=1", "nothing"),
    ] {
        let problem = get(query).assert_problem(400, "malformed_request");
        assert_eq!(problem["field"], field, "{query}");
    }
}

#[test]
fn a_browser_gets_a_page_unless_it_is_off() {
    let browser = [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let server = TestServer::start(&[]);
    let page = server.send("GET", "/graphql", &browser);
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-type")
            .unwrap()
            .starts_with("text/html")
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    let asked = server.send("GET", "/graphql?query=%7B__typename%7D", &browser);
    assert_eq!(asked.json(), json!({"data": {"__typename": "Query"}}));
    let server = TestServer::start(&[("graphql_page", "off")]);
    let page = server.send("GET", "/graphql", &browser);
    page.assert_problem(400, "malformed_request");
}

#[test]
fn a_token_that_is_not_valid_is_refused_here_too() {
    let server = TestServer::start(&[]);
    let body = json!({"query": "{ __typename }"});
    let answer = server.post("/graphql", &[("Authorization", "Bearer nonsense")], &body);
    answer.assert_problem(401, "unauthenticated");
    let (token, _) = server.register("marshal");
    let bearer = format!("Bearer {token}");
    let answer = server.post("/graphql", &[("Authorization", &bearer)], &body);
    assert_eq!(answer.status, 200);
}

#[test]
fn a_query_that_would_end_the_program_does_not() {
    let server = TestServer::start(&[]);
    let nested = format!(
        "{{ games(filter: {}{}) {{ edges {{ cursor }} }} }}",
        "[".repeat(600),
        "]".repeat(600)
    );
    for _ in 0..2 {
        let answer = ask(&server, JSON, &nested);
        assert_eq!(answer.json()["errors"][0]["extensions"]["limit"], "nesting");
    }
    assert_eq!(ask(&server, JSON, "{ __typename }").status, 200);
}
