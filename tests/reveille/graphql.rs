//! Reading over GraphQL: what analysts ask, and how much of it.

use serde_json::{Value, json};
use tests::client::text;
use tests::{Game, Side, TestServer, on_both};

use crate::lines::{BLUE_TAKES_THE_FLAG, EVEN, RED_TAKES_THE_FLAG};

fn refused(server: &TestServer, query: &str) -> String {
    let answer = server.client().graphql(query, &json!({})).json();
    let errors = answer["errors"]
        .as_array()
        .unwrap_or_else(|| panic!("{query} was answered: {answer}"));
    assert!(answer["data"].is_null(), "{answer}");
    text(&errors[0]["message"])
}

fn a_whole_game_is_read_in_one_query(server: &TestServer) {
    let game = RED_TAKES_THE_FLAG.play(server);
    let query = "query($id: UUID!) { game(id: $id) {
        uuid ruleset status source plies startedAt finishedAt
        options { aggressorAdvantage silentDefense rescue moreSquares twoSquares twoSquaresLimit noProgressPlies }
        red { player { username uuid createdAt } } blue { player { username } }
        outcome { winner reason }
        moves(first: 10) { edges { cursor node { ply color from to pieceId rank distance forfeited playedAt thinkTime
            battle { ply square attacker defender attackerColor outcome } } } pageInfo { hasNextPage hasPreviousPage endCursor } }
        replay { viewpoint
            frame(ply: 3) { ply pieces { pieceId owner square rank moved revealedPly } }
            reveals { ply pieceId owner rank square cause to }
            battles { ply square attacker defender attackerColor outcome } } } }";
    let seen = &server.client().query(query, &json!({"id": game.id}))["game"];
    assert_eq!(
        (&seen["status"], &seen["source"], &seen["plies"]),
        (&json!("FINISHED"), &json!("play"), &json!(3))
    );
    assert_eq!(seen["red"]["player"]["username"], json!(game.red.name));
    assert_eq!(
        seen["outcome"],
        json!({"winner": "RED", "reason": "FLAG_CAPTURED"})
    );
    assert_eq!(seen["options"]["twoSquaresLimit"], 3);
    let moves = seen["moves"]["edges"].as_array().unwrap();
    assert_eq!(moves.len(), 3);
    let last = &moves[2]["node"];
    assert_eq!(
        (
            &last["ply"],
            &last["color"],
            &last["rank"],
            &last["distance"]
        ),
        (&json!(2), &json!("RED"), &json!("SCOUT"), &json!(3))
    );
    let battle = json!({"ply": 3, "square": "e7", "attacker": "SCOUT", "defender": "FLAG", "attackerColor": "RED", "outcome": "FLAG_CAPTURED"});
    assert_eq!(last["battle"], battle);
    assert_eq!(seen["replay"]["battles"], json!([battle]));
    assert_eq!(seen["replay"]["viewpoint"], "OMNISCIENT");
    assert_eq!(
        seen["replay"]["frame"]["pieces"].as_array().unwrap().len(),
        15
    );
    assert_eq!(seen["moves"]["pageInfo"]["hasNextPage"], false);
}

fn games_are_filtered_ordered_and_paged(server: &TestServer) {
    let first = RED_TAKES_THE_FLAG.play(server);
    let second = BLUE_TAKES_THE_FLAG.play(server);
    let running = Game::between(first.red.clone(), second.blue.clone(), "duel", &Value::Null);
    let ids = |arguments: &str| -> Vec<String> {
        let seen = server.client().query(
            &format!("{{ games({arguments}) {{ edges {{ node {{ uuid }} }} }} }}"),
            &json!({}),
        );
        seen["games"]["edges"]
            .as_array()
            .unwrap()
            .iter()
            .map(|edge| text(&edge["node"]["uuid"]))
            .collect()
    };
    assert_eq!(ids("filter: {winner: RED}, first: 10"), [&*first.id]);
    assert_eq!(
        ids("filter: {reasons: [FLAG_CAPTURED]}, orderBy: FINISHED_ASC, first: 10"),
        [&*first.id, &*second.id]
    );
    assert_eq!(
        ids("filter: {reasons: [FLAG_CAPTURED]}, orderBy: FINISHED_DESC, first: 10"),
        [&*second.id, &*first.id]
    );
    assert_eq!(ids("filter: {status: [SETUP]}, first: 10"), [&*running.id]);
    assert_eq!(
        ids("filter: {rulesets: [\"duel\"]}, first: 10"),
        [&*running.id]
    );
    assert_eq!(ids("filter: {minPlies: 3}, first: 10"), [&*first.id]);
    assert_eq!(
        ids(&format!(
            "filter: {{players: [\"{}\"]}}, orderBy: UPDATED_DESC, first: 10",
            first.red.name
        ))
        .len(),
        2
    );
    assert!(ids("filter: {rated: true}, first: 10").is_empty());

    let page = |arguments: &str| {
        let query = format!(
            "{{ games(orderBy: UPDATED_DESC, {arguments}) {{ edges {{ cursor node {{ uuid }} }}
            pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }}"
        );
        server.client().query(&query, &json!({}))["games"].clone()
    };
    let all = page("first: 10");
    assert_eq!(all["edges"].as_array().unwrap().len(), 3);
    let one = page("first: 2");
    assert_eq!(
        (&one["pageInfo"]["hasNextPage"], &one["edges"][1]),
        (&json!(true), &all["edges"][1])
    );
    let two = page(&format!(
        "first: 2, after: {}",
        one["pageInfo"]["endCursor"]
    ));
    assert_eq!(
        (
            &two["pageInfo"]["hasNextPage"],
            two["edges"].as_array().unwrap().len()
        ),
        (&json!(false), 1)
    );
    assert_eq!(two["edges"][0], all["edges"][2]);
    let back = page(&format!(
        "last: 2, before: {}",
        two["pageInfo"]["startCursor"]
    ));
    assert_eq!(back["edges"], one["edges"]);
}

fn players_are_found_by_name(server: &TestServer) {
    let game = EVEN.play(server);
    let query = "query($name: String!) { player(username: $name) { id uuid username games(first: 5) { edges { node { uuid } } } } }";
    let seen = server
        .client()
        .query(query, &json!({"name": game.red.name.to_uppercase()}));
    assert_eq!(seen["player"]["uuid"], json!(game.red.id));
    assert_eq!(
        seen["player"]["games"]["edges"],
        json!([{"node": {"uuid": game.id}}])
    );
    let nobody = server
        .client()
        .query(query, &json!({"name": "nobody_at_all"}));
    assert_eq!(nobody["player"], Value::Null);
    let search =
        "query($s: String!) { players(search: $s, first: 10) { edges { node { username } } } }";
    let found = server.client().query(search, &json!({"s": game.red.name}));
    assert_eq!(
        found["players"]["edges"],
        json!([{"node": {"username": game.red.name}}])
    );
    for wild in ["%", "_", "\\", "'", "\u{0}"] {
        let found = server.client().query(search, &json!({"s": wild}));
        let edges = found["players"]["edges"].as_array().unwrap();
        assert!(
            edges
                .iter()
                .all(|edge| text(&edge["node"]["username"]).contains(wild)),
            "{wild:?}: {found}"
        );
    }
}

fn a_node_is_found_by_its_global_id(server: &TestServer) {
    let game = EVEN.begin(server);
    let seen = server.client().query(
        "query($id: UUID!) { game(id: $id) { id } }",
        &json!({"id": game.id}),
    );
    let query = "query($id: ID!) { node(id: $id) { id ... on Game { uuid } } }";
    let node = server
        .client()
        .query(query, &json!({"id": seen["game"]["id"]}));
    assert_eq!(node["node"]["uuid"], json!(game.id));
    let nothing = server.client().graphql(query, &json!({"id": "nonsense"}));
    assert!(nothing.status < 500, "{nothing:?}");
}

fn a_running_game_is_read_from_ones_own_viewpoint(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 a7-a6");
    let query = "query($id: UUID!) { game(id: $id) { replay { viewpoint frame(ply: 2) { pieces { pieceId rank } } } } }";
    for (viewer, viewpoint, own, other) in [
        (&game.red, "RED", json!("MARSHAL"), json!(null)),
        (&game.blue, "BLUE", json!(null), json!("MARSHAL")),
        (&server.client(), "PUBLIC", json!(null), json!(null)),
    ] {
        let seen = viewer.query(query, &json!({"id": game.id}));
        let replay = &seen["game"]["replay"];
        assert_eq!(replay["viewpoint"], viewpoint);
        let rank = |id: &str| {
            let pieces = replay["frame"]["pieces"].as_array().unwrap();
            pieces.iter().find(|piece| piece["pieceId"] == id).unwrap()["rank"].clone()
        };
        assert_eq!(
            (rank("red:a4"), rank("blue:a7")),
            (own, other),
            "{viewpoint}"
        );
    }
    game.resign(Side::Red).ok(200);
    let seen = server.client().query(query, &json!({"id": game.id}));
    assert_eq!(seen["game"]["replay"]["viewpoint"], "OMNISCIENT");
}

/// D21: what one request costs is bounded before it runs, and the refusal names the limit.
fn each_limit_refuses_with_its_figure(server: &TestServer) {
    let down = "games(first: 1) { edges { node { red { player { ".repeat(4);
    let deep = format!("{{ {down} username {} }}", "} } } } } ".repeat(4));
    let message = refused(server, &deep).to_lowercase();
    assert!(
        message.contains("12") || message.contains("depth"),
        "{message}"
    );
    let wide =
        "{ games(first: 100) { edges { node { moves(first: 100) { edges { node { ply } } } } } } }";
    let message = refused(server, wide).to_lowercase();
    assert!(
        message.contains("2000") || message.contains("2,000") || message.contains("complex"),
        "{message}"
    );
    let many =
        |count: u32, field: fn(u32) -> String| (0..count).map(field).collect::<Vec<_>>().join(" ");
    let aliases = many(31, |number| format!("a{number}: __typename"));
    refused(server, &format!("{{ {aliases} }}"));
    let roots = many(16, |number| {
        format!("r{number}: player(username: \"abc\") {{ id }}")
    });
    refused(server, &format!("{{ {roots} }}"));
    refused(server, &format!("{{ __typename }} #{}", "x".repeat(11_000)));
    refused(server, "{ games(first: 101) { edges { cursor } } }");
    refused(
        server,
        "{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }",
    );
    let batch: Vec<Value> = (0..11)
        .map(|_| json!({"query": "{ __typename }"}))
        .collect();
    let answer = server.client().post("/graphql", &json!(batch));
    assert!((400..500).contains(&answer.status), "{answer:?}");
}

/// D23: nothing in a query brings the server down.
fn odd_queries_get_errors(server: &TestServer) {
    let long = format!(
        "{{ games(first: 1{}) {{ edges {{ cursor }} }} }}",
        "0".repeat(400)
    );
    for query in [
        &*long,
        "{",
        "",
        "mutation { resign }",
        "subscription { a }",
        "{ nothing }",
        "query($a: Int!) { __typename }",
        "{ games(first: -1) { edges { cursor } } }",
        "{ games(first: 1, after: \"nonsense\") { edges { cursor } } }",
        "{ game(id: \"nonsense\") { id } }",
    ] {
        let answer = server.client().graphql(query, &json!({}));
        assert!(answer.status < 500, "{answer:?}");
        assert!(
            answer.json()["errors"].is_array() || answer.code().is_some(),
            "{query}: {answer:?}"
        );
    }
    server.client().query("{ __typename }", &json!({}));
}

/// A GET reads as well; the browser gets a page whose files come from here.
fn queries_come_by_get_and_browsers_get_a_page(server: &TestServer) {
    let client = server.client();
    let answer = client.get("/graphql?query=%7B__typename%7D").ok(200);
    assert_eq!(answer, json!({"data": {"__typename": "Query"}}));
    let asked = client
        .request("POST", "/graphql")
        .header("accept", "application/graphql-response+json");
    let answer = asked.json(&json!({"query": "{ __typename }"})).send();
    assert!(
        answer
            .header("content-type")
            .unwrap()
            .starts_with("application/graphql-response+json"),
        "{answer:?}"
    );
    let page = client
        .request("GET", "/graphql")
        .header("accept", "text/html")
        .send();
    assert_eq!(page.status, 200);
    crate::openapi::assert_served_from_here(&page);
}

/// GraphiQL asks for the whole schema, which is deeper than any other query may be.
fn introspection_passes_the_limits(server: &TestServer) {
    let query = "{ __schema { types { name fields { name args { name type { ...T } } type { ...T } } } } }
        fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } }";
    let seen = server.client().query(query, &json!({}));
    assert!(seen["__schema"]["types"].as_array().unwrap().len() > 20);
}

on_both! {
    a_whole_game_is_read_in_one_query,
    games_are_filtered_ordered_and_paged,
    players_are_found_by_name,
    a_node_is_found_by_its_global_id,
    a_running_game_is_read_from_ones_own_viewpoint,
    each_limit_refuses_with_its_figure,
    odd_queries_get_errors,
    queries_come_by_get_and_browsers_get_a_page,
    introspection_passes_the_limits,
}
