//! Pictures of statistics: about the games that statistics count, and the same on both databases.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::{Backend, Client, Timed, assert_problem};

use super::played;

/// A query, and the filter that asks for the same games.
fn filters() -> Vec<(&'static str, Value)> {
    vec![
        ("", json!({})),
        ("ruleset=barrage", json!({"rulesets": ["barrage"]})),
        ("source=play", json!({"sources": ["play"]})),
        ("source=gravon", json!({"sources": ["gravon"]})),
        ("player=ann", json!({"players": ["ann"]})),
        ("player=nobody", json!({"players": ["nobody"]})),
        ("player=gravon:ann", json!({"players": ["gravon:ann"]})),
        (
            "player=gravon:nobody",
            json!({"players": ["gravon:nobody"]}),
        ),
        (
            "finished_from=2026-12-20",
            json!({"finishedFrom": "2026-12-20T00:00:00Z"}),
        ),
        (
            "finished_to=2026-12-20T00:00:00Z",
            json!({"finishedTo": "2026-12-20T00:00:00Z"}),
        ),
        ("min_plies=20", json!({"minPlies": 20})),
        ("max_plies=20", json!({"maxPlies": 20})),
        ("min_rating=1400", json!({"minRating": 1_400})),
        ("max_rating=1590.5", json!({"maxRating": 1_590.5})),
        ("rated=true", json!({"rated": true})),
        ("rated=false", json!({"rated": false})),
        ("winner=red", json!({"winner": "RED"})),
        ("reason=timeout", json!({"reasons": ["TIMEOUT"]})),
    ]
}

const PICTURES: [&str; 5] = [
    "battles.svg?",
    "reveals.svg?",
    "information.svg?",
    "deployment.svg?rank=F&",
    "deployment.svg?rank=scout&normalise=true&",
];

/// How many games a picture is of, as its title says: `Who attacks whom (12 games: barrage, rated)`. By which rules
/// is always said.
fn games(picture: &str) -> u64 {
    let (_, rest) = picture.split_once("<title").unwrap();
    let (title, _) = rest.split_once("</title>").unwrap();
    let (_, games) = title.rsplit_once(" (").unwrap();
    let (number, words) = games.split_once(' ').unwrap();
    let (noun, which) = words.split_once(": ").unwrap();
    assert!(["game", "games"].contains(&noun), "{title}");
    let which = which.trim_end_matches(')').split(", ").next();
    assert!(matches!(which, Some("all rulesets" | "barrage")), "{title}");
    number.parse().unwrap()
}

/// Draws each picture by each filter.
fn drawn(client: &Client) -> Vec<(String, String)> {
    let query = "query($filter: GameFilter) { stats(filter: $filter) { games } }";
    let mut drawn = Vec::new();
    let mut numbers = BTreeSet::new();
    for (asked, filter) in filters() {
        let counted = client.query(query, &json!({"filter": filter}))["stats"]["games"].as_u64();
        numbers.insert(counted);
        for name in PICTURES {
            let path = format!("/v1/stats/{name}{asked}");
            let path = path.trim_end_matches(['?', '&']);
            let first = client.get(path);
            let kind = first.header("content-type");
            assert_eq!((first.status, kind), (200, Some("image/svg+xml")), "{path}");
            assert_eq!(Some(games(first.text())), counted, "{path}");
            let tag = first.header("etag").unwrap();
            let again = client.request("GET", path).header("if-none-match", tag);
            assert_eq!(again.send().status, 304, "{path}");
            drawn.push((path.to_owned(), first.text().to_owned()));
        }
    }
    assert!(numbers.len() > 10, "{numbers:?}");
    drawn
}

fn assert_refusals(client: &Client) {
    for wrong in [
        "/v1/stats/deployment.svg",
        "/v1/stats/deployment.svg?rank=general2",
        "/v1/stats/battles.svg?rank=F",
        "/v1/stats/battles.svg?finished_from=yesterday",
        "/v1/stats/battles.svg?min_rating=-1",
        "/v1/stats/battles.svg?min_rating=NaN",
        "/v1/stats/battles.svg?ruleset=chess",
        "/v1/stats/battles.svg?source=",
        "/v1/stats/deployment.svg?rank=F&source=gravon,simulated",
    ] {
        assert_problem(&client.get(wrong), 400, "malformed_request");
    }
}

#[test]
fn pictures_are_of_the_games_that_are_counted_and_alike_on_both_databases() {
    let [sqlite, postgres] = std::thread::scope(|scope| {
        let both = Backend::ALL.map(|backend| {
            scope.spawn(move || {
                let timed = Timed::start(backend);
                played::world(&timed);
                let client = Client::new(&timed.url());
                assert_refusals(&client);
                drawn(&client)
            })
        });
        both.map(|one| one.join().unwrap())
    });
    for (one, other) in sqlite.iter().zip(&postgres) {
        assert_eq!(one, other);
    }
    assert_eq!(sqlite.len(), postgres.len());
}
