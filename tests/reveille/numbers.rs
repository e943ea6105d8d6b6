//! Whole numbers that are larger than 32 bits have room for, or 53: D22, D23.

use serde_json::{Value, json};
use tests::client::text;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::imports::import;
use tests::{Backend, TestServer, assert_problem, on_both};

use crate::lines::RED_TAKES_THE_FLAG;

/// Where an Int is taken, with the type of the variable.
const PLACES: [(&str, &str); 8] = [
    ("Int", "{ games(first: $n) { edges { cursor } } }"),
    ("Int", "{ games(last: $n) { edges { cursor } } }"),
    ("Int", "{ stats(filter: {minPlies: $n}) { games } }"),
    ("Int", "{ stats(filter: {maxPlies: $n}) { games } }"),
    ("Int!", "{ stats { survival(at: [$n]) { rank } } }"),
    ("Int", "{ stats { gameLength(buckets: $n) { count } } }"),
    ("Int", "{ stats { firstMoves(first: $n) { games } } }"),
    (
        "Int!",
        "{ game(id: \"GAME\") { replay { frame(ply: $n) { ply } } } }",
    ),
];

/// They are refused, written out or as a variable, and never taken for another number.
fn an_int_that_is_too_large_is_refused(server: &TestServer) {
    let game = RED_TAKES_THE_FLAG.play(server);
    let client = server.register("analyst");
    let huge = "1".repeat(400);
    for (kind, query) in PLACES {
        let query = query.replace("GAME", &game.id);
        for number in ["2147483648", "-2147483649", "9007199254740993", &huge] {
            let literal = client.graphql(&query.replace("$n", number), &json!({}));
            let refused = |answer: &Value| {
                assert!(answer["errors"].is_array(), "{query} {number}: {answer}");
            };
            refused(&literal.json());
            let Ok(number) = number.parse::<i64>() else {
                continue;
            };
            let asked = format!("query($n: {kind}) {query}");
            refused(&client.graphql(&asked, &json!({"n": number})).json());
        }
    }
    // The largest that there is is a number as any other.
    let most = i32::MAX;
    let query = "query($n: Int!) { stats { survival(at: [$n]) { points { ply alive pieces } } }
        none: stats(filter: {minPlies: $n}) { games } all: stats(filter: {maxPlies: $n}) { games } }";
    let seen = client.query(query, &json!({"n": most}));
    assert_eq!(
        (&seen["none"]["games"], &seen["all"]["games"]),
        (&json!(0), &json!(1))
    );
    let point = &seen["stats"]["survival"][0]["points"][0];
    assert_eq!(*point, json!({"ply": most, "alive": 1, "pieces": 2}));
    for (asked, status) in [
        ("min_plies=4294967295", 200),
        ("min_plies=4294967296", 400),
        ("max_plies=9007199254740993", 400),
        ("min_plies=-1", 400),
    ] {
        let answer = client.get(&format!("/v1/stats/battles.svg?{asked}"));
        assert_eq!(answer.status, status, "{asked}");
        if status == 400 {
            assert_problem(&answer, 400, "malformed_request");
        } else {
            assert!(answer.text().contains("(0 games"), "{asked}");
        }
    }
    assert_eq!(client.get("/healthz").status, 200);
}

/// What is counted without end is told to the last digit.
fn a_figure_beyond_53_bits_is_whole(server: &TestServer) {
    let client = server.register("ann");
    let game = GravonGame::random(&mut Dice::new(1), 20);
    let done = import(&client, "?filename=a.xml", game.xml());
    let id = text(&done["id"]);
    let key = match server.backend() {
        Backend::Sqlite => format!("X'{}'", id.replace('-', "")),
        Backend::Postgres => format!("'\\x{}'", id.replace('-', "")),
    };
    let many = format!(
        "UPDATE imports SET imported = 9007199254740993, duplicates = 2147483648 WHERE id = {key}"
    );
    server.database().run(&many);
    let seen = client.get(&format!("/v1/imports/{id}"));
    let counts = (
        seen.ok(200)["imported"].clone(),
        seen.ok(200)["duplicates"].clone(),
    );
    assert_eq!(
        counts,
        (json!(9_007_199_254_740_993_u64), json!(2_147_483_648_u64))
    );
    assert!(seen.text().contains("9007199254740993"), "{}", seen.text());
}

on_both! {
    an_int_that_is_too_large_is_refused,
    a_figure_beyond_53_bits_is_whole,
}
