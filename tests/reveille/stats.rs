//! Statistics against a plain reading of the replays, with each filter alone and in pairs.

mod days;
mod filters;
mod held;
mod pictures;
mod plain;
mod played;

use std::collections::BTreeSet;

use api::clock::Clock;
use chrono::SecondsFormat;
use serde_json::{Map, Value, json};
use tests::{Backend, Client, TestServer, Timed, on_both};

use filters::Filter;
use plain::Told;

/// Every figure there is.
const EVERYTHING: &str = "
    games asOf excluded { aborted unfinished }
    results { redWins blueWins draws byReason { reason games redWins blueWins draws } }
    gameLength(buckets: 4) { count mean p10 p50 p90 buckets { from to count share } }
    thinkTime(buckets: 3) { count mean p10 p50 p90 buckets { from to count share } }
    battleMatrix { attacker defender fought attackerWins defenderWins bothRemoved }
    reveals { rank pieces revealed byCause { cause count } plies { mean p10 p50 p90 } bits }
    blue: reveals(by: BLUE) { rank pieces revealed byCause { cause count } plies { mean p10 p50 p90 } bits }
    survival(at: [0, 3, 20, 21, 1000]) { rank points { ply pieces alive share } }
    exchange { rank captured lost scoutingDeaths }
    flags: deployment(rank: FLAG) { square games share winRate ci95 { low high } }
    scouts: deployment(rank: SCOUT, normalise: true) { square games share winRate ci95 { low high } }
    firstMoves(first: 100) { move games share winRate ci95 { low high } }
    information { ply games winners losers }
    bluffs { bluffs called believed ignored disguisedScouts bombMimicry }
    days: byPeriod(unit: DAY) { period games redWins blueWins draws }
    months: byPeriod(unit: MONTH, tz: \"Asia/Tokyo\") { period games redWins blueWins draws }
    behind: byPeriod(unit: DAY, tz: \"America/New_York\") { period games redWins blueWins draws }
    playerSummary(username: \"$PLAYER\") { games wins draws losses winRate scoreRate }
    archived: playerSummary(username: \"$ARCHIVED\") { games wins draws losses winRate scoreRate }
";

/// The figures of the games of a filter.
fn statistics(client: &Client, filter: &Value, [player, archived]: [&str; 2]) -> Value {
    let figures = EVERYTHING.replace("$PLAYER", player);
    let figures = figures.replace("$ARCHIVED", archived);
    let query = format!("query($filter: GameFilter) {{ stats(filter: $filter) {{ {figures} }} }}");
    let answer = client.graphql(&query, &json!({"filter": filter})).json();
    assert_eq!(answer.get("errors"), None, "{filter}: {answer}");
    answer["data"]["stats"].clone()
}

/// Some games are folded and some are not, and then all are: F08, F07.
fn every_figure_is_what_the_replays_come_to(backend: Backend) {
    let timed = Timed::start(backend);
    let world = played::world(&timed);
    let client = timed.register("analyst");
    let told = |ids: &[String]| -> Vec<Told> {
        let ids = ids.iter();
        ids.map(|id| Told::of(&client, id)).collect()
    };
    let (games, left) = (told(&world.finished), told(&world.left));
    let reveals = games.iter().flat_map(Told::causes);
    assert!(reveals.clone().any(|cause| cause == "rescue"));
    let mut moves = games.iter().flat_map(|game| &game.moves);
    assert!(moves.any(|step| step["forfeited"] == true));
    let names = [&*world.red, &world.archived];
    let cases = filters::cases(&games, &world);
    let now = timed
        .clock
        .now()
        .to_rfc3339_opts(SecondsFormat::Millis, true);
    for _ in 0..2 {
        let mut met = 0;
        for (place, one) in cases.iter().enumerate() {
            for other in &cases[place..] {
                let Some(both) = Filter::both(one, other) else {
                    continue;
                };
                let [kept, left] = [&games, &left].map(|all| {
                    all.iter()
                        .filter(|game| both.keeps(game))
                        .collect::<Vec<_>>()
                });
                met += usize::from(kept.len() > 1);
                let mut expected = plain::statistics(&kept, &left, names);
                expected["asOf"] = json!(now);
                let found = statistics(&client, &both.json, names);
                same(
                    &found,
                    &expected,
                    &format!("{} and {}", one.name, other.name),
                );
            }
        }
        assert!(met > 100, "{met} pairs with games");
        timed.sweep();
    }
}

/// Whether two values are the same but for the last digits of numbers.
#[track_caller]
fn same(found: &Value, expected: &Value, place: &str) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let keys = |map: &Map<String, Value>| map.keys().cloned().collect::<BTreeSet<_>>();
            assert_eq!(keys(found), keys(expected), "{place}");
            for (key, value) in expected {
                same(&found[key], value, &format!("{place}.{key}"));
            }
        }
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(
                found.len(),
                expected.len(),
                "{place}: {found:?} for {expected:?}"
            );
            for (nth, (found, expected)) in found.iter().zip(expected).enumerate() {
                same(found, expected, &format!("{place}[{nth}]"));
            }
        }
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            let near = if place.contains("thinkTime") {
                2e-3
            } else {
                2e-4
            };
            assert!((one - other).abs() < near, "{place}: {one} for {other}");
        }
        _ => assert_eq!(found, expected, "{place}"),
    }
}

/// D21, Cost: who may ask for much is told by the token, and each limit by its refusal.
fn analysts_may_ask_for_more_than_others(server: &TestServer) {
    let games = "games(first: 100) { edges { node { uuid red { player { username } } } } }";
    let query: Vec<String> = (0..15).map(|nth| format!("g{nth}: {games}")).collect();
    let query = format!("{{ {} }}", query.join(" "));
    let refused = server.client().graphql(&query, &json!({})).json();
    let extensions = &refused["errors"][0]["extensions"];
    assert_eq!(
        (
            &extensions["code"],
            &extensions["limit"],
            &extensions["maximum"]
        ),
        (
            &json!("limit_exceeded"),
            &json!("complexity"),
            &json!(2_000)
        )
    );
    let analyst = server.register("analyst");
    let answered = analyst.graphql(&query, &json!({})).json();
    assert_eq!(answered.get("errors"), None, "{answered}");
    let tokens = [(json!(["read"]), false), (json!(["analysis"]), true)];
    for (scopes, may) in tokens {
        let made = analyst.post("/v1/me/tokens", &json!({"name": "t", "scopes": scopes}));
        let token = tests::client::text(&made.ok(201)["token"]);
        let answer = server
            .client()
            .with_token(Some(&token))
            .graphql(&query, &json!({}));
        assert_eq!(answer.json().get("errors").is_none(), may, "{scopes}");
    }
}

on_both! {
    every_figure_is_what_the_replays_come_to,
    analysts_may_ask_for_more_than_others,
}
