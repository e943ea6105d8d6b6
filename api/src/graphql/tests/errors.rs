use serde_json::{Value, json};

use super::world::{LIMITS, World};
use crate::config::GraphqlLimits;

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one entry for each argument")]
async fn arguments_out_of_range_are_named() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.finished(red, blue, 2);
    let long = "x".repeat(301);
    let many = vec!["\"a\""; 51].join(", ");
    for (query, field) in [
        (
            "{ games(first: 101) { edges { cursor } } }".to_owned(),
            "first",
        ),
        (
            "{ games(first: -1) { edges { cursor } } }".to_owned(),
            "first",
        ),
        (
            "{ games(last: 101) { edges { cursor } } }".to_owned(),
            "last",
        ),
        (
            "{ games(first: 1, last: 1) { edges { cursor } } }".to_owned(),
            "first",
        ),
        (
            "{ games(after: \"nonsense\") { edges { cursor } } }".to_owned(),
            "after",
        ),
        (
            "{ games(before: \"nonsense\") { edges { cursor } } }".to_owned(),
            "before",
        ),
        (
            "{ games(filter: {rulesets: [\"chess\"]}) { edges { cursor } } }".to_owned(),
            "rulesets",
        ),
        (
            "{ games(filter: {minRating: -1.5}) { edges { cursor } } }".to_owned(),
            "minRating",
        ),
        (
            "{ stats(filter: {maxRating: 1e300}) { games } }".to_owned(),
            "maxRating",
        ),
        (
            "{ stats { gameLength(buckets: 0) { count } } }".to_owned(),
            "buckets",
        ),
        (
            "{ stats { thinkTime(buckets: 101) { count } } }".to_owned(),
            "buckets",
        ),
        (
            "{ stats { firstMoves(first: -1) { move } } }".to_owned(),
            "first",
        ),
        (
            "{ stats { survival(at: [0, -1]) { rank } } }".to_owned(),
            "at",
        ),
        (
            "{ stats { byPeriod(unit: DAY, tz: \"Mars\") { games } } }".to_owned(),
            "tz",
        ),
        (
            format!("{{ stats {{ playerSummary(username: {long:?}) {{ games }} }} }}"),
            "username",
        ),
        (
            "{ games(filter: {minPlies: -1}) { edges { cursor } } }".to_owned(),
            "minPlies",
        ),
        (
            "{ games(filter: {maxPlies: -1}) { edges { cursor } } }".to_owned(),
            "maxPlies",
        ),
        (
            format!("{{ games(filter: {{players: [{many}]}}) {{ edges {{ cursor }} }} }}"),
            "players",
        ),
        (
            format!("{{ games(filter: {{players: [\"{long}\"]}}) {{ edges {{ cursor }} }} }}"),
            "players",
        ),
        (
            format!("{{ games(filter: {{sources: [{many}]}}) {{ edges {{ cursor }} }} }}"),
            "sources",
        ),
        (
            "{ games(filter: {sources: [\"play\", \"\"]}) { edges { cursor } } }".to_owned(),
            "sources",
        ),
        (
            "{ stats(filter: {sources: [\"gravon,simulated\"]}) { games } }".to_owned(),
            "sources",
        ),
        (
            format!("{{ player(username: \"{long}\") {{ id }} }}"),
            "username",
        ),
        (
            format!("{{ players(search: \"{long}\") {{ edges {{ cursor }} }} }}"),
            "search",
        ),
        (
            "{ players(first: 101) { edges { cursor } } }".to_owned(),
            "first",
        ),
        ("{ node(id: \"nonsense\") { id } }".to_owned(), "id"),
        (
            format!("{{ game(id: \"{id}\") {{ moves(first: 101) {{ edges {{ cursor }} }} }} }}"),
            "first",
        ),
        (
            format!("{{ game(id: \"{id}\") {{ moves(after: \"\") {{ edges {{ cursor }} }} }} }}"),
            "after",
        ),
        (
            format!(
                "{{ game(id: \"{id}\") {{ replay {{ frames(first: 101) {{ edges {{ cursor }} }} }} }} }}"
            ),
            "first",
        ),
        (
            format!("{{ game(id: \"{id}\") {{ replay {{ frame(ply: -1) {{ ply }} }} }} }}"),
            "ply",
        ),
    ] {
        let answer = world.ask(None, &query).await;
        let error = &answer["errors"][0];
        assert_eq!(
            error["extensions"]["code"], "malformed_request",
            "{query}: {answer}"
        );
        assert_eq!(error["extensions"]["field"], field, "{query}");
        assert!(
            error["path"].is_array(),
            "it arose while the query was executed"
        );
    }
}

/// Whether an answer has no data, or nothing in it.
fn tells_nothing(answer: &Value) -> bool {
    let data = answer["data"].as_object();
    data.is_none_or(|data| data.values().all(Value::is_null))
}

#[tokio::test]
async fn queries_that_are_none_tell_nothing() {
    let world = World::new();
    let endless = format!(
        "{{ games(first: 1{}) {{ edges {{ cursor }} }} }}",
        "0".repeat(400)
    );
    for query in [
        "",
        "{",
        "nonsense",
        "{ nothing }",
        "{ games }",
        "{ game { uuid } }",
        "{ game(id: \"not-a-uuid\") { uuid } }",
        "{ game(id: 1) { uuid } }",
        "{ games(first: \"x\") { edges { cursor } } }",
        "{ games(first: 1.5) { edges { cursor } } }",
        "{ games(first: 9007199254740993) { edges { cursor } } }",
        "{ games(orderBy: NONSENSE) { edges { cursor } } }",
        "{ games(filter: {nothing: 1}) { edges { cursor } } }",
        "{ games(filter: {finishedFrom: \"yesterday\"}) { edges { cursor } } }",
        "query A($x: Int!) { games(first: $x) { edges { cursor } } }",
        "query A { __typename } query B { __typename }",
        "mutation { move }",
        "subscription { gameEvents }",
        "{ ...F } fragment F on Query { ...F }",
        "{ ...Missing }",
        &endless,
    ] {
        let answer = world.ask(None, query).await;
        assert!(tells_nothing(&answer), "{query}: {answer}");
        for error in answer["errors"].as_array().unwrap() {
            assert_eq!(error["extensions"]["code"], "malformed_request", "{query}");
            let message = error["message"].as_str().unwrap();
            assert!(!message.is_empty() && message.len() < 1_000, "{message}");
        }
    }
}

#[tokio::test]
async fn a_refusal_says_which_limit_and_the_figure() {
    let world = World::with_limits(GraphqlLimits {
        max_depth: 5,
        max_aliases: 2,
        max_root_fields: 3,
        max_complexity: 100,
        max_complexity_analysis: 20_000,
        max_query_bytes: 300,
        ..LIMITS
    });
    let long = format!("{{ __typename }} # {}", "x".repeat(300));
    for (query, limit, maximum) in [
        (
            "{ games { edges { node { red { player { id } } } } } }",
            "depth",
            5,
        ),
        (
            "{ a: __typename b: __typename c: __typename }",
            "aliases",
            2,
        ),
        (
            "{ __typename __typename __typename __typename }",
            "root_fields",
            3,
        ),
        (
            "{ games(first: 100) { edges { node { id } } } }",
            "complexity",
            100,
        ),
        (&long, "query_bytes", 300),
        ("{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{", "nesting", 32),
    ] {
        let answer = world.ask(None, query).await;
        assert_eq!(answer.get("data"), None);
        let error = &answer["errors"][0];
        assert_eq!(
            error["extensions"],
            json!({"code": "limit_exceeded", "limit": limit, "maximum": maximum})
        );
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains(limit) && message.contains(&maximum.to_string()),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_fault_within_is_not_told() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.finished(red, blue, 2);
    world.break_down().unwrap();
    for query in [
        "{ games { edges { cursor } } }".to_owned(),
        "{ player(username: \"red\") { id } }".to_owned(),
        format!("{{ game(id: \"{id}\") {{ moves {{ edges {{ cursor }} }} }} }}"),
    ] {
        let answer = world.ask(None, &query).await;
        let error = &answer["errors"][0];
        assert_eq!(error["extensions"]["code"], "internal", "{answer}");
        let text = answer.to_string();
        for word in ["table", "SELECT", "sqlite", "games.", "/"] {
            assert!(!text.contains(word), "{text}");
        }
    }
}

#[tokio::test]
async fn without_introspection_nothing_is_told_or_suggested() {
    let world = World::with_limits(GraphqlLimits {
        introspection: false,
        ..LIMITS
    });
    for query in [
        "{ __schema { types { name } } }",
        "{ __type(name: \"Game\") { fields { name } } }",
    ] {
        let answer = world.ask(None, query).await;
        assert!(tells_nothing(&answer), "{answer}");
    }
    for query in [
        "{ gamess { edges { cursor } } }",
        "{ game(idd: 1) { uuid } }",
    ] {
        let text = world.ask(None, query).await.to_string();
        assert!(!text.contains("Did you mean"), "{text}");
    }
    let open = World::new();
    let schema = open.data(None, "{ __schema { queryType { name } } }").await;
    assert_eq!(schema["__schema"]["queryType"]["name"], "Query");
}

#[tokio::test]
async fn variables_fill_a_query() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.finished(red, blue, 2);
    let query = "query Q($id: UUID!, $first: Int = 1, $filter: GameFilter) {
        game(id: $id) { uuid } games(first: $first, filter: $filter) { edges { node { uuid } } } }";
    let variables = json!({"id": id.to_string(), "filter": {"status": ["FINISHED"]}});
    let answer = world.ask_with(None, query, variables).await;
    assert_eq!(answer.get("errors"), None, "{answer}");
    assert_eq!(answer["data"]["game"]["uuid"], id.to_string());
    for wrong in [
        json!({}),
        json!({"id": 1}),
        json!({"id": id.to_string(), "first": 1e300}),
        json!({"id": id.to_string(), "filter": {"minPlies": 1e300}}),
        json!({"id": id.to_string(), "first": "x"}),
    ] {
        let answer = world.ask_with(None, query, wrong.clone()).await;
        let named = answer["data"]["game"].is_null() || answer["data"]["games"].is_null();
        assert!(named, "{wrong}: {answer}");
        assert_eq!(
            answer["errors"][0]["extensions"]["code"], "malformed_request",
            "{answer}"
        );
    }
    let unknown: Value = world
        .data(
            None,
            "{ game(id: \"01920000-0000-7000-8000-000000000000\") { uuid } }",
        )
        .await;
    assert!(unknown["game"].is_null());
}
