//! The names of those who played elsewhere, which are personal data.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use tests::client::text as text_of;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::{Client, TestServer, assert_problem, on_both};

use super::{import, text};
use crate::simulations::said;

fn usernames(client: &Client, id: &str) -> [String; 2] {
    let game = client.get(&format!("/v1/games/{id}")).ok(200);
    ["red", "blue"].map(|side| text_of(&game[side]["player"]["username"]))
}

/// Pseudonyms are the same for the same name, and hide it; a game is the same game with and without them.
fn names_are_replaced_on_request(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let games: Vec<_> = (0..4)
        .map(|seed| GravonGame::random(&mut Dice::new(seed), 20))
        .collect();
    for (number, game) in games.iter().enumerate() {
        let mut game = game.clone();
        game.names = ["J\u{f6}rg <b>", "Berta"].map(str::to_owned);
        fs::write(folder.path().join(format!("{number}.xml")), game.xml()).unwrap();
    }
    let first = folder.path().join("0.xml");
    let plain = import(server, &[text(&first)]);
    let client = server.client();
    assert_eq!(
        usernames(&client, plain.ids()[0]),
        ["J\u{f6}rg <b>", "Berta"]
    );
    let hidden = import(server, &["--pseudonymise", text(folder.path())]);
    assert_eq!(hidden.totals, [3, 1, 0]);
    let names: BTreeSet<_> = hidden
        .ids()
        .iter()
        .map(|id| usernames(&client, id))
        .collect();
    assert_eq!(names.len(), 1, "{names:?}");
    for name in names.iter().flatten() {
        let digits = name.strip_prefix("player-").unwrap();
        assert_eq!(digits.len(), 16, "{name}");
        assert!(
            digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{name}"
        );
    }
    assert_eq!(import(server, &[text(folder.path())]).totals, [0, 4, 0]);
}

/// G13: whatever is in a name, it is shown as it is, and is no part of any path.
fn names_are_shown_as_they_are(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let mut game = GravonGame::random(&mut Dice::new(1), 20);
    let strange = "a/b?c#d%&<\">'\u{1f642}\u{200f}x";
    let long = "\u{1f642}".repeat(200);
    game.names = [strange.to_owned(), long.clone()];
    let file = folder.path().join("0.xml");
    fs::write(&file, game.xml()).unwrap();
    let report = import(server, &[text(&file)]);
    let client = server.client();
    assert_eq!(
        usernames(&client, report.ids()[0]),
        [strange.to_owned(), long]
    );
}

/// A name is found however its letters are put together.
fn names_are_found_composed_or_not(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let mut game = GravonGame::random(&mut Dice::new(3), 20);
    "Jo\u{308}rg".clone_into(&mut game.names[0]);
    let file = folder.path().join("0.xml");
    fs::write(&file, game.xml()).unwrap();
    import(server, &[text(&file)]);
    for name in ["J\u{f6}rg", "Jo\u{308}rg"] {
        let player = format!("gravon:{name}");
        let arguments = ["export", "--format", "ndjson", "--player", &player, "-"];
        assert_eq!(said(server, &arguments).lines().count(), 1, "{name:?}");
    }
}

/// All bytes as an address has them.
fn encoded(text: &str) -> String {
    let bytes = text.bytes();
    bytes.fold(String::new(), |encoded, byte| {
        encoded + &format!("%{byte:02X}")
    })
}

/// How many games of a player each way to ask finds, and the games themselves.
fn found(client: &Client, name: &str) -> (BTreeSet<String>, Value) {
    let query = "query($name: String!) {
        games(filter: {players: [$name]}, first: 50) { edges { node { uuid } } }
        stats(filter: {players: [$name]}) { games }
        all: stats { playerSummary(username: $name) { games wins losses } } }";
    let seen = client.query(query, &json!({"name": name}));
    let edges = seen["games"]["edges"].as_array().unwrap().iter();
    let ids: Vec<String> = edges.map(|edge| text_of(&edge["node"]["uuid"])).collect();
    let listed: BTreeSet<String> = ids.iter().cloned().collect();
    assert_eq!(seen["stats"]["games"], ids.len(), "{name}");
    let path = format!("/v1/exports?format=ndjson&player={}", encoded(name));
    let exported = client.get(&path);
    assert_eq!(exported.status, 200, "{name}: {}", exported.text());
    let exported: BTreeSet<String> = exported
        .text()
        .lines()
        .map(|line| text_of(&serde_json::from_str::<Value>(line).unwrap()["id"]))
        .collect();
    assert_eq!(exported, listed, "{name}");
    let page = client.get(&format!("/v1/games?limit=50&player={}", encoded(name)));
    let items = page.ok(200)["items"].clone();
    let items = items.as_array().unwrap().iter();
    let page: BTreeSet<String> = items.map(|game| text_of(&game["id"])).collect();
    assert_eq!(page, listed, "{name}");
    let path = format!("/v1/stats/battles.svg?player={}", encoded(name));
    let picture = client.get(&path);
    assert_eq!(picture.status, 200, "{name}");
    let noun = if ids.len() == 1 { "game" } else { "games" };
    let words = format!("({} {noun}: all rulesets, of ", ids.len());
    assert!(picture.text().contains(&words), "{name}");
    (listed, seen["all"]["playerSummary"].clone())
}

/// G13: whoever played elsewhere is found by `source:name` in queries and bodies, whatever is in his name.
fn who_played_elsewhere_is_found_by_source_and_name(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let client = server.register("ann");
    let long = "\u{1f642}".repeat(200);
    let names = [
        "a/b?c#d%&<\">'\u{1f642}\u{200f}x",
        "a:b",
        &long,
        &client.name,
    ];
    for (number, name) in names.iter().enumerate() {
        let mut game = GravonGame::random(&mut Dice::new(1), 40 - number);
        game.names = [(*name).to_owned(), "Berta".to_owned()];
        (game.ending, game.winner) = (3, 1);
        let file = folder.path().join(format!("{number}.xml"));
        fs::write(file, game.xml()).unwrap();
    }
    let report = import(server, &[text(folder.path())]);
    assert_eq!(report.totals, [4, 0, 0], "{:?}", report.lines);
    let ids: Vec<String> = report.ids().into_iter().map(str::to_owned).collect();
    for (name, id) in names.iter().zip(&ids) {
        let (games, summary) = found(&client, &format!("gravon:{name}"));
        assert_eq!(games, BTreeSet::from([id.clone()]), "{name}");
        assert_eq!(summary, json!({"games": 1, "wins": 1, "losses": 0}));
        for other in [format!("text:{name}"), format!("gravon:{name}x")] {
            assert_eq!(found(&client, &other), (BTreeSet::new(), Value::Null));
        }
    }
    let (games, summary) = found(&client, "gravon:Berta");
    assert_eq!(games, ids.into_iter().collect());
    assert_eq!(summary, json!({"games": 4, "wins": 0, "losses": 4}));
    // An account of the same name is another.
    let (games, summary) = found(&client, &client.name);
    assert_eq!(games, BTreeSet::new());
    assert_eq!(summary, json!({"games": 0, "wins": 0, "losses": 0}));
    // What nobody can be called is refused everywhere.
    let longer = format!("gravon:{}", "x".repeat(300));
    for path in [
        "/v1/exports?format=ndjson&player=",
        "/v1/games?player=",
        "/v1/stats/battles.svg?player=",
    ] {
        let refused = client.get(&format!("{path}{longer}"));
        assert_problem(&refused, 400, "malformed_request");
    }
    for query in [
        "query($name: String!) { games(filter: {players: [$name]}) { edges { cursor } } }",
        "query($name: String!) { stats(filter: {players: [$name]}) { games } }",
        "query($name: String!) { stats { playerSummary(username: $name) { games } } }",
    ] {
        let refused = client.graphql(query, &json!({"name": longer})).json();
        let code = &refused["errors"][0]["extensions"]["code"];
        assert_eq!(code, "malformed_request", "{query}: {refused}");
    }
}

/// Two who have one name, or none, are two.
fn both_sides_may_have_one_name(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    for (number, name) in ["Anna", ""].into_iter().enumerate() {
        let mut game = GravonGame::random(&mut Dice::new(2), 20);
        game.names = [name.to_owned(), name.to_owned()];
        fs::write(folder.path().join(format!("{number}.xml")), game.xml()).unwrap();
    }
    let report = import(server, &[text(folder.path())]);
    let client = server.client();
    let [named, unnamed] = report.ids()[..] else {
        panic!("{:?}", report.lines);
    };
    assert_eq!(usernames(&client, named), ["Anna", "Anna"]);
    assert_eq!(usernames(&client, unnamed), ["?", "?"]);
    let game = client.get(&format!("/v1/games/{named}")).ok(200);
    assert_ne!(game["red"]["player"]["id"], game["blue"]["player"]["id"]);
}

on_both! {
    who_played_elsewhere_is_found_by_source_and_name,
    names_are_replaced_on_request,
    names_are_shown_as_they_are,
    names_are_found_composed_or_not,
    both_sides_may_have_one_name,
}
