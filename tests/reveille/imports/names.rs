//! The names of those who played elsewhere, which are personal data.

use std::collections::BTreeSet;
use std::fs;

use tests::client::text as text_of;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::{Client, TestServer, on_both};

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
    names_are_replaced_on_request,
    names_are_shown_as_they_are,
    names_are_found_composed_or_not,
    both_sides_may_have_one_name,
}
