//! Every field of the query in GraphQL with all that is below it, and every order and filter of games.
//! One that this does not know fails the test.

use serde_json::{Value, json};
use tests::Client;
use tests::client::text;
use tests::dice::Dice;

use super::{Reader, Story};
use crate::noninterference::graphql::{Choice, Schema, VIEWPOINTS};

const ORDERS_AND_FILTERS: &str = "{
    orders: __type(name: \"GameOrder\") { enumValues { name } }
    filters: __type(name: \"GameFilter\") { inputFields { name } } }";
/// What tells games apart, with everything that may be null.
const NODE: &str = "uuid ruleset source status plies startedAt finishedAt
    outcome { winner reason } red { player { username } } blue { player { username } }";

pub(super) fn read(reader: &mut Reader, story: &Story) {
    everything(reader, story);
    for who in [&story.readers[0], &story.readers[2]] {
        lists_of_games(reader, who);
    }
    for who in &story.readers {
        for search in ["", "b", "B", "cY", "deleted", "_", "%"] {
            pages(
                reader,
                who,
                "players",
                &format!("search: \"{search}\""),
                "username",
                false,
            );
        }
    }
}

/// All that the schema has below each field of the query.
fn everything(reader: &mut Reader, story: &Story) {
    let schema = Schema::read(&story.readers[0]);
    let mut dice = Dice::new(1);
    for (nth, game) in story.games.iter().enumerate() {
        for viewpoint in [None, VIEWPOINTS[nth % VIEWPOINTS.len()]] {
            let choice = Choice {
                game: game.clone(),
                node: node(&story.readers[0], game),
                username: "dan".to_owned(),
                viewpoint,
                ply: 1,
                first: 20,
                rounds: 1,
            };
            for root in schema.roots() {
                let query = schema.query(&root, &choice, &mut dice);
                for who in &story.readers {
                    let found = whole(reader, who, &query);
                    // One fault below it would leave nothing to compare.
                    assert!(root != "stats" || found["stats"].is_object(), "{query}");
                }
            }
        }
    }
}

/// Asks for much at once and gives what was found. Where it meets several errors, which one is told first
/// is chance.
fn whole(reader: &mut Reader, who: &Client, query: &str) -> Value {
    let mut answer = who.graphql(query, &json!({})).ok(200);
    for error in answer["errors"].as_array_mut().into_iter().flatten() {
        *error = error["message"].take();
    }
    reader.keep(&format!("{} {query}", who.name), 200, &answer.to_string());
    answer["data"].take()
}

/// The opaque identifier of a game, if it is seen.
fn node(who: &Client, game: &str) -> String {
    let query = format!("{{ game(id: \"{game}\") {{ id }} }}");
    let found = who.query(&query, &json!({}));
    found["game"]["id"].as_str().unwrap_or("x").to_owned()
}

/// Every filter in every order, from both ends.
fn lists_of_games(reader: &mut Reader, who: &Client) {
    let known = who.query(ORDERS_AND_FILTERS, &json!({}));
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list");
        list.iter().map(|one| text(&one["name"])).collect()
    };
    let filters: Vec<String> = names(&known["filters"]["inputFields"])
        .iter()
        .flat_map(|name| {
            values(name)
                .iter()
                .map(move |value| format!("{name}: {value}"))
        })
        .collect();
    let all = [String::new(), "status: [FINISHED], winner: RED".to_owned()];
    for order in names(&known["orders"]["enumValues"]) {
        for filter in filters.iter().chain(&all) {
            let arguments = format!("orderBy: {order}, filter: {{{filter}}}");
            for backwards in [false, true] {
                pages(reader, who, "games", &arguments, NODE, backwards);
            }
        }
    }
}

/// What a filter may ask for.
fn values(name: &str) -> &'static [&'static str] {
    match name {
        "rulesets" => &["[\"barrage\"]", "[\"duel\", \"original\"]", "[]"],
        "sources" => &["[\"play\"]", "[\"elsewhere\"]"],
        "players" => &["[\"ann_a\"]", "[\"BOB-B\", \"cyd\"]", "[\"nobody_here\"]"],
        "status" => &["[SETUP]", "[ACTIVE]", "[FINISHED]", "[ABORTED, FINISHED]"],
        "reasons" => &["[FLAG_CAPTURED]", "[TIMEOUT, RESIGNATION]", "[ABORTED]"],
        "winner" => &["RED", "BLUE"],
        "rated" => &["true", "false"],
        "finishedFrom" | "finishedTo" => &["\"2026-11-29T21:02:30Z\"", "\"2020-01-01T00:00:00Z\""],
        "minPlies" | "maxPlies" => &["0", "3"],
        "minRating" | "maxRating" => &["1400", "1600"],
        _ => panic!("say what {name} may be"),
    }
}

/// A list page by page, from its beginning or its end.
fn pages(
    reader: &mut Reader,
    who: &Client,
    list: &str,
    arguments: &str,
    node: &str,
    backwards: bool,
) {
    let (many, place, info) = if backwards {
        ("last", "before", ["hasPreviousPage", "startCursor"])
    } else {
        ("first", "after", ["hasNextPage", "endCursor"])
    };
    let mut beyond = String::new();
    loop {
        let query = format!(
            "{{ {list}({arguments}, {many}: 5{beyond}) {{ edges {{ cursor node {{ {node} }} }}
                pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }}"
        );
        let answer = ask(reader, who, &query);
        let page = &answer["data"][list]["pageInfo"];
        if page[info[0]] != json!(true) {
            return;
        }
        beyond = format!(", {place}: {}", page[info[1]]);
    }
}

fn ask(reader: &mut Reader, who: &Client, query: &str) -> Value {
    let answer = who.graphql(query, &json!({}));
    let asked = format!("{} {query}", who.name);
    reader.keep(&asked, answer.status, answer.text());
    answer.json()
}
