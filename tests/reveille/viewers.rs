//! What each of those who look at one thing is told of it: its owner, the other side, everybody else.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tests::client::text;
use tests::game::{challenge, move_body, piece};
use tests::leak::Secrets;
use tests::setup::ORIGINAL;
use tests::{Client, Game, Response, Side, TestServer, army, assert_problem, on_both};

use crate::lines::EVEN;

/// What an answer tells: all of it but its instant and its own identifier.
fn told(answer: &Response) -> (u16, Vec<u8>, Vec<String>) {
    let headers = ["etag", "content-length", "content-type", "last-modified"];
    let headers = headers.map(|name| answer.header(name).unwrap_or_default().to_owned());
    (answer.status, answer.body.clone(), headers.to_vec())
}

/// B07: an unknown piece shows what was seen of it and nothing else, so that two of which the same was
/// seen differ in their squares alone.
fn pieces_of_which_the_same_was_seen_are_shown_alike(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 a7-a6 b4-b5 b7-b6 a4-a5");
    let (of_red, anyone) = (game.view(&game.red), game.view(&server.client()));
    for view in [&of_red, &anyone] {
        let mut kinds: BTreeMap<(String, bool), Vec<Value>> = BTreeMap::new();
        for piece in view["pieces"].as_array().unwrap() {
            if piece["piece"] != "?" {
                continue;
            }
            let mut shown = piece.clone();
            let fields = shown.as_object_mut().unwrap();
            let names: Vec<&String> = fields.keys().collect();
            let open = [
                "id",
                "moved",
                "owner",
                "piece",
                "possible",
                "possible_exact",
                "revealed_ply",
                "square",
            ];
            assert!(
                names.iter().all(|name| open.contains(&name.as_str())),
                "{names:?}"
            );
            let (id, square) = (
                fields.remove("id").unwrap(),
                fields.remove("square").unwrap(),
            );
            assert!(id.is_string() && square.is_string());
            let kind = (text(&shown["owner"]), shown["moved"] == true);
            kinds.entry(kind).or_default().push(shown);
        }
        assert!(kinds.contains_key(&("blue".to_owned(), true)), "{kinds:?}");
        for ((owner, moved), alike) in kinds {
            assert!(alike.len() > 1, "{owner} {moved}");
            assert!(alike.iter().all(|one| *one == alike[0]), "{alike:?}");
        }
    }
}

/// B10, B11: while the armies are placed, all that others learn is that one stands; not which, and not
/// that its owner thought again.
fn a_draft_is_its_owners_alone(server: &TestServer) {
    let (red_setup, blue_setup) = EVEN.setups();
    let game = Game::in_setup(server, "barrage", &Value::Null);
    let (third, anonymous) = (server.register("third"), server.client());
    game.place(Side::Blue, &blue_setup).ok(200);
    let look = |viewer: &Client| -> Vec<_> {
        let of_game = [
            "",
            "/moves",
            "/replay",
            "/board.svg",
            "/timeline.svg",
            "/proofs",
        ];
        let paths = of_game.iter().map(|rest| game.path(rest)).chain([
            game.path("/pieces/blue:a7/why"),
            format!("/v1/games?player={}", game.blue.name),
            format!("/v1/players/{}", game.blue.name),
        ]);
        paths
            .map(|path| {
                let answer = viewer.get(&path);
                Secrets::of(Side::Blue, &blue_setup).assert_kept(&answer);
                let stable = answer.code().is_none();
                (path, answer.status, stable.then(|| told(&answer)))
            })
            .collect()
    };
    let viewers = [&game.red, &third, &anonymous];
    let before = viewers.map(look);
    let own = told(&game.blue.get(&game.path("")));
    let again = army(Side::Blue, "Fi10 Bj10 Ma9 9b9 3e9 Sf9 2i9 2j9");
    game.place(Side::Blue, &again).ok(200);
    assert_eq!(viewers.map(look), before);
    assert_ne!(told(&game.blue.get(&game.path(""))), own);
    assert_eq!(look(&third), look(&anonymous));
    game.place(Side::Red, &red_setup).ok(200);
    Secrets::of(Side::Blue, &again).assert_kept(&game.red.get(&game.path("")));
}

/// B11: a saved setup is in no list and on no path of anybody but its author.
fn a_saved_setup_is_its_authors_alone(server: &TestServer) {
    let (author, other) = (server.register("author"), server.register("other"));
    let (setup, _) = EVEN.setups();
    let body = json!({"name": "first try", "ruleset": "barrage", "setup": setup});
    let id = text(&author.post("/v1/me/setups", &body).ok(201)["id"]);
    let path = format!("/v1/me/setups/{id}");
    assert_eq!(author.get(&path).ok(200)["setup"], json!(setup));
    assert_problem(&other.get(&path), 404, "not_found");
    assert_problem(&other.put(&path, &body), 404, "not_found");
    assert_problem(&other.delete(&path), 404, "not_found");
    assert_problem(&server.client().get(&path), 401, "unauthenticated");
    assert_eq!(other.get("/v1/me/setups").ok(200)["items"], json!([]));
    let query = "query($name: String!) { player(username: $name) { id uuid username createdAt games { edges { node { uuid } } } }
        players { edges { node { id username } } } games { edges { node { uuid } } } }";
    let found = other.graphql(query, &json!({"name": author.name}));
    for answer in [
        found,
        other.get(&format!("/v1/players/{}", author.name)),
        other.get("/v1/games"),
        other.get("/v1/challenges"),
    ] {
        assert_eq!(answer.status, 200);
        assert!(!answer.text().contains("first try"), "{answer:?}");
        assert!(!answer.text().contains(&setup), "{answer:?}");
    }
    assert_eq!(author.get(&path).ok(200)["setup"], json!(setup));
}

/// B13: under silent defence a sergeant falls to a captain, and the captain to a marshal: the captain
/// is its owner's to know, whatever the outcome, and stays so in the game as its opponent saw it.
fn a_defender_keeps_its_rank_whatever_becomes_of_it(server: &TestServer) {
    // A sergeant on a4 and the marshal behind it; a captain stands on a7.
    let red = "4256273926MS374524285B36B534822BFB2B673B";
    let options = json!({"silent_defense": true});
    let mut game = Game::begin_with(server, "original", &options, red, ORIGINAL);
    let own = game.view(&game.red);
    assert_eq!(piece(&own["pieces"], "red:a4")["piece"], "4");
    assert_eq!(piece(&own["pieces"], "red:a3")["piece"], "M");
    let lost = game.line("a4-a5 j7-j6 a5-a6 j6-j7 a6xa7");
    let attack = |attacker: &str, defender: &str, outcome: &str| json!({"attacker": attacker, "defender": defender, "defender_id": "blue:a7", "outcome": outcome});
    assert_eq!(lost["move"]["attack"], attack("4", "?", "defender_wins"));
    let seen = game.view(&game.red);
    let stayed = piece(&seen["pieces"], "blue:a7");
    assert_eq!(stayed["piece"], "?");
    // All that beats a sergeant.
    assert_eq!(
        stayed["possible"],
        json!(["B", "5", "6", "7", "8", "9", "M"])
    );
    assert_eq!(game.view(&game.blue)["captured"][0]["piece"], "4");
    let won = game.line("i7-i6 a3-a4 i6-i7 a4-a5 j7-j6 a5-a6 j6-j7 a6xa7");
    assert_eq!(won["move"]["attack"], attack("M", "?", "attacker_wins"));
    for (viewer, captain) in [(&game.red, "?"), (&game.blue, "6"), (&server.client(), "?")] {
        let view = game.view(viewer);
        assert_eq!(view["captured"][1]["id"], "blue:a7");
        assert_eq!(view["captured"][1]["piece"], captain);
        // Both attackers declared themselves.
        assert_eq!(view["captured"][0]["piece"], "4");
        assert_eq!(piece(&view["pieces"], "red:a3")["piece"], "M");
    }
    game.resign(Side::Red).ok(200);
    for (viewpoint, captain) in [
        ("red", "?"),
        ("blue", "6"),
        ("public", "?"),
        ("omniscient", "6"),
    ] {
        let replay = game.replay(&server.client(), &format!("?viewpoint={viewpoint}"));
        for ply in [4, 12] {
            let defender = &replay["moves"][ply]["attack"]["defender"];
            assert_eq!(defender, captain, "{viewpoint} {ply}");
        }
    }
}

/// B18: no path leads past what its viewer knows, and none to what is nobody else's business.
fn nested_paths_tell_no_more_than_straight_ones(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 a7-a6");
    let pieces = "replay { viewpoint frame(ply: 2) { pieces { pieceId rank possible { rank } } } }";
    let straight = format!("query($id: UUID!) {{ game(id: $id) {{ uuid {pieces} }} }}");
    let around = format!(
        "query($id: UUID!) {{ game(id: $id) {{ blue {{ player {{ games(first: 1) {{ edges {{ node {{ uuid {pieces} }} }} }} }} }} }} }}"
    );
    let listed = format!(
        "query($name: String!) {{ player(username: $name) {{ games(first: 1) {{ edges {{ node {{ uuid {pieces} }} }} }} }} }}"
    );
    let node = "query($id: UUID!) { game(id: $id) { id blue { player { id } } } }";
    for viewer in [&game.red, &game.blue, &server.client()] {
        let straight = &viewer.query(&straight, &json!({"id": game.id}))["game"];
        let around = viewer.query(&around, &json!({"id": game.id}));
        let nested = &around["game"]["blue"]["player"]["games"]["edges"][0]["node"];
        assert_eq!(nested, straight);
        let listed = viewer.query(&listed, &json!({"name": game.red.name}));
        assert_eq!(&listed["player"]["games"]["edges"][0]["node"], straight);
        let ids = &viewer.query(node, &json!({"id": game.id}))["game"];
        let by_node = format!(
            "{{ node(id: {}) {{ ... on Game {{ uuid {pieces} }} }} }}",
            ids["id"]
        );
        assert_eq!(&viewer.query(&by_node, &json!({}))["node"], straight);
        let own = text(&straight["replay"]["viewpoint"]);
        let hidden = straight["replay"]["frame"]["pieces"].as_array().unwrap();
        let hidden = hidden
            .iter()
            .filter(|piece| piece["rank"].is_null())
            .count();
        assert_eq!(hidden, if own == "PUBLIC" { 14 } else { 7 }, "{own}");
        for field in ["email", "preferences", "setups", "sessions", "tokens"] {
            let id = &ids["blue"]["player"]["id"];
            let query = format!("{{ node(id: {id}) {{ ... on Player {{ {field} }} }} }}");
            let refused = viewer.graphql(&query, &json!({})).json();
            assert!(
                refused["errors"].is_array() && refused["data"].is_null(),
                "{refused}"
            );
        }
    }
}

/// B19: a seat is an account's. No code or identifier opens it, and it is taken once.
fn a_seat_is_taken_by_an_account_and_by_nothing_else(server: &TestServer) {
    let (red, blue, third) = (
        server.register("red"),
        server.register("blue"),
        server.register("third"),
    );
    let made = challenge(&red, None, "barrage", &Value::Null).ok(201);
    let path = format!("/v1/challenges/{}", text(&made["id"]));
    let accept = |client: &Client| client.post(&format!("{path}/accept"), &json!({}));
    assert_problem(&accept(&server.client()), 401, "unauthenticated");
    // The whole identifier counts: its beginning names nothing.
    let short = format!("/v1/challenges/{}/accept", &text(&made["id"])[..8]);
    assert!(matches!(third.post(&short, &json!({})).status, 400 | 404));
    let game = accept(&blue).ok(201);
    assert_problem(&accept(&third), 409, "challenge_closed");
    let of_game = |rest: &str| format!("/v1/games/{}{rest}", text(&game["id"]));
    let (red_setup, blue_setup) = EVEN.setups();
    for (player, setup) in [(&red, &red_setup), (&blue, &blue_setup)] {
        let body = json!({"setup": setup});
        let (put, path) = ("PUT", of_game("/setup"));
        let send = |client: &Client| client.request(put, &path).json(&body).send();
        assert_problem(&send(&third), 403, "forbidden");
        assert_problem(&send(&server.client()), 401, "unauthenticated");
        send(player).ok(200);
    }
    let body = move_body(0, "a4-a5");
    let moves = of_game("/moves");
    assert_problem(&third.post(&moves, &body), 403, "forbidden");
    assert_problem(&server.client().post(&moves, &body), 401, "unauthenticated");
    // An identifier is no credential, neither the player's nor the game's.
    for id in [&red.id, &text(&game["id"])] {
        let refused = server.client().with_token(Some(id)).post(&moves, &body);
        assert_problem(&refused, 401, "unauthenticated");
    }
    red.post(&moves, &body).ok(201);
}

on_both! {
    pieces_of_which_the_same_was_seen_are_shown_alike,
    a_draft_is_its_owners_alone,
    a_saved_setup_is_its_authors_alone,
    a_defender_keeps_its_rank_whatever_becomes_of_it,
    nested_paths_tell_no_more_than_straight_ones,
    a_seat_is_taken_by_an_account_and_by_nothing_else,
}
