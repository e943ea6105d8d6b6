//! Statistics against a plain reading of the replays, with each filter alone and in pairs.

mod filters;
mod plain;
mod played;

use serde_json::{Value, json};
use tests::{Client, TestServer, on_both};

use filters::Filter;
use plain::Told;

/// Every figure there is.
const EVERYTHING: &str = "
    games excluded { aborted unfinished }
    results { redWins blueWins draws byReason { reason games redWins blueWins draws } }
    gameLength(buckets: 4) { count mean p10 p50 p90 buckets { from to count share } }
    thinkTime { count mean p10 p50 p90 buckets { count } }
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
    months: byPeriod(unit: MONTH, tz: \"Asia/Tokyo\") { games redWins blueWins draws }
    playerSummary(username: \"$PLAYER\") { games wins draws losses winRate scoreRate }
";

/// The figures of the games of a filter.
fn statistics(client: &Client, filter: &Value, player: &str) -> Value {
    let figures = EVERYTHING.replace("$PLAYER", player);
    let query = format!("query($filter: GameFilter) {{ stats(filter: $filter) {{ {figures} }} }}");
    let answer = client.graphql(&query, &json!({"filter": filter})).json();
    assert_eq!(answer.get("errors"), None, "{filter}: {answer}");
    answer["data"]["stats"].clone()
}

fn every_figure_is_what_the_replays_come_to(server: &TestServer) {
    let world = played::world(server);
    let client = server.register("analyst");
    let games: Vec<Told> = world.games.iter().map(|id| Told::of(&client, id)).collect();
    let cases = filters::cases(&games, &world);
    let mut met = 0;
    for (place, one) in cases.iter().enumerate() {
        for other in &cases[place..] {
            let Some(both) = Filter::both(one, other) else {
                continue;
            };
            let kept: Vec<&Told> = games.iter().filter(|game| both.keeps(game)).collect();
            met += usize::from(kept.len() > 1);
            let expected = plain::statistics(&kept, &world.red);
            let found = statistics(&client, &both.json, &world.red);
            let place = format!("{} and {}", one.name, other.name);
            same(&found, &expected, &place);
        }
    }
    assert!(met > 40, "{met} pairs with games");
}

/// Whether two values are the same but for the last digits of numbers. What the second has not is not
/// looked at.
#[track_caller]
fn same(found: &Value, expected: &Value, place: &str) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            for (key, value) in expected {
                let other = found
                    .get(key)
                    .unwrap_or_else(|| panic!("{place}: no {key}"));
                same(other, value, &format!("{place}.{key}"));
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

/// Each picture by each filter: drawn, the same when it is asked for again, and about finished games alone.
fn pictures_are_drawn_by_every_filter(server: &TestServer) {
    played::world(server);
    let client = server.client();
    let filters = [
        "",
        "ruleset=barrage",
        "source=play",
        "source=gravon",
        "player=nobody",
        "player=gravon:nobody",
        "finished_from=2020-01-01",
        "finished_to=2020-01-01T00:00:00Z",
        "min_plies=10",
        "max_plies=10",
        "min_rating=1400",
        "max_rating=1450.5",
        "rated=true",
        "winner=red",
        "reason=resignation",
    ];
    for name in [
        "battles.svg?",
        "reveals.svg?",
        "information.svg?",
        "deployment.svg?rank=F&",
    ] {
        for filter in filters {
            let path = format!("/v1/stats/{name}{filter}");
            let path = path.trim_end_matches(['?', '&']);
            let first = client.get(path);
            assert_eq!(
                (first.status, first.header("content-type")),
                (200, Some("image/svg+xml")),
                "{path}"
            );
            let tag = first.header("etag").unwrap().to_owned();
            let again = client
                .request("GET", path)
                .header("if-none-match", &tag)
                .send();
            assert_eq!(again.status, 304, "{path}");
        }
    }
    let folded = client.get("/v1/stats/deployment.svg?rank=scout&normalise=true");
    assert_eq!(folded.status, 200);
    for wrong in [
        "/v1/stats/deployment.svg",
        "/v1/stats/deployment.svg?rank=general2",
        "/v1/stats/battles.svg?rank=F",
        "/v1/stats/battles.svg?finished_from=yesterday",
        "/v1/stats/battles.svg?min_rating=-1",
        "/v1/stats/battles.svg?min_rating=NaN",
        "/v1/stats/battles.svg?ruleset=chess",
    ] {
        tests::assert_problem(&client.get(wrong), 400, "malformed_request");
    }
}

on_both! {
    pictures_are_drawn_by_every_filter,
    every_figure_is_what_the_replays_come_to,
    analysts_may_ask_for_more_than_others,
}
