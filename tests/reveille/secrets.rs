//! What the other side may not learn, in whatever way it asks.

use serde_json::{Value, json};
use tests::game::piece;
use tests::leak::{Secrets, assert_unknown_pieces_alike};
use tests::{Client, Game, Response, Side, TestServer, army, assert_problem, on_both};

use crate::lines::EVEN;

/// Every way to read a running game over REST and GraphQL.
pub(crate) fn read_everything(game: &Game, viewer: &Client) -> Vec<Response> {
    let mut answers: Vec<Response> = [
        "",
        "/moves",
        "/replay",
        "/replay?viewpoint=public",
        "/replay?ply=0",
        "/legal-moves",
        "/conditional-moves",
        "/pieces/blue:a7/why",
        "/pieces/red:a4/why",
        "/board.svg",
        "/timeline.svg",
        "/proofs",
        "/notes",
    ]
    .iter()
    .map(|rest| viewer.get(&game.path(rest)))
    .collect();
    for path in [
        format!("/v1/games?player={}", game.red.name),
        format!("/v1/players/{}", game.blue.name),
        format!("/v1/players/{}/games", game.blue.name),
        format!("/v1/players/{}/ratings", game.blue.name),
        format!("/v1/players/{}/rating-history", game.blue.name),
        "/v1/leaderboards/barrage".to_owned(),
        "/v1/me/setups".to_owned(),
        "/v1/me".to_owned(),
        "/v1/me/export".to_owned(),
    ] {
        answers.push(viewer.get(&path));
    }
    let query = "query($id: UUID!) { game(id: $id) {
        moves(first: 50) { edges { node { pieceId rank battle { attacker defender } rescue } } }
        replay { frames(first: 50) { edges { node { pieces { pieceId rank moved } } } }
                 reveals { pieceId rank } battles { attacker defender } }
        red { player { games(first: 5) { edges { node { replay { frame(ply: 0) { pieces { pieceId rank } } } } } } } } } }";
    answers.push(viewer.graphql(query, &json!({"id": game.id})));
    answers
}

fn no_server_error(answers: &[Response]) {
    for answer in answers {
        assert!(answer.status < 500, "{answer:?}");
    }
}

/// B03, B05, B07: during setup and play, for the other player and for everybody else.
fn hidden_ranks_are_in_no_answer(server: &TestServer) {
    let (red_setup, blue_setup) = EVEN.setups();
    let mut game = Game::in_setup(server, "barrage", &Value::Null);
    let (third, anonymous) = (server.register("third"), server.client());
    game.place(Side::Blue, &blue_setup).ok(200);
    let of_blue = Secrets::of(Side::Blue, &blue_setup);
    for viewer in [&game.red, &third, &anonymous] {
        let answers = read_everything(&game, viewer);
        no_server_error(&answers);
        of_blue.assert_kept_in(&answers);
    }
    of_blue.assert_kept(&game.place(Side::Red, &red_setup));
    // Two scouts meet and are known; so is the scout that goes far.
    game.line("i4xi7 a7-a6 j4-j6");
    let of_blue = of_blue.without("blue:i7");
    let of_red = Secrets::of(Side::Red, &red_setup)
        .without("red:i4")
        .without("red:j4");
    for (viewer, secrets) in [
        (&game.red, vec![&of_blue]),
        (&game.blue, vec![&of_red]),
        (&third, vec![&of_red, &of_blue]),
        (&anonymous, vec![&of_red, &of_blue]),
    ] {
        let answers = read_everything(&game, viewer);
        no_server_error(&answers);
        for secrets in secrets {
            secrets.assert_kept_in(&answers);
        }
        assert_unknown_pieces_alike(&game.view(viewer)["pieces"]);
    }
    // Refusals tell no more than answers do.
    for notation in ["a6-a5", "j4-j6", "a4-a6"] {
        of_red.assert_kept(&game.attempt_as(Side::Blue, 3, notation));
    }
    of_blue.assert_kept(&game.attempt_as(Side::Red, 3, "b4-b5"));
}

/// B02: nothing that a player does to the game goes through what that player sees of it.
fn what_one_side_does_leaves_the_other_sides_ranks_alone(server: &TestServer) {
    let mut game = Game::in_setup(server, "barrage", &Value::Null);
    let blue_army = |game: &Game| {
        let view = game.view(&game.blue);
        let own = view["pieces"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|piece| piece["owner"] == "blue");
        own.map(|piece| (piece["id"].clone(), piece["piece"].clone()))
            .collect::<Vec<_>>()
    };
    game.place(Side::Blue, &EVEN.setups().1).ok(200);
    let before = blue_army(&game);
    assert!(before.iter().all(|(_, rank)| rank != "?"), "{before:?}");
    game.place(
        Side::Red,
        &army(Side::Red, "Fa1 Bb1 Ma3 9b3 3e3 Sf3 2i3 2j3"),
    )
    .ok(200);
    assert_eq!(blue_army(&game), before);
    game.line("a3-a4 a7-a6");
    game.red
        .post(&game.path("/offers"), &json!({"kind": "draw"}))
        .ok(201);
    game.attempt("a4-a9");
    assert_eq!(blue_army(&game), before);
    game.resign(Side::Red).ok(200);
    assert_eq!(blue_army(&game), before);
}

/// B04: the same entries for everybody, without what is secret in them.
fn the_log_of_a_silent_battle_is_each_sides_own(server: &TestServer) {
    let red = army(Side::Red, "3e4 Ma4 9b4 2f4 2i4 Sj4 Fa1 Bb1");
    let blue = army(Side::Blue, "9e7 Ma7 3b7 2f7 2i7 Sj7 Fa10 Bb10");
    let mut game = Game::begin_with(
        server,
        "barrage",
        &json!({"silent_defense": true}),
        &red,
        &blue,
    );
    let answer = game.line("e4-e5 a7-a6 e5-e6 a6-a7 e6xe7");
    let attack = |defender: &str| json!({"attacker": "3", "defender": defender, "defender_id": "blue:e7", "outcome": "defender_wins"});
    assert_eq!(answer["move"]["attack"], attack("?"));
    for (viewer, defender) in [(&game.red, "?"), (&game.blue, "9"), (&server.client(), "?")] {
        let log = viewer.get(&game.path("/moves")).ok(200);
        assert_eq!(log["items"].as_array().unwrap().len(), 5);
        assert_eq!(log["items"][4]["attack"], attack(defender));
        assert_eq!(game.view(viewer)["last_move"]["attack"], attack(defender));
    }
    let secrets = Secrets::of(Side::Blue, &blue);
    for viewer in [&game.red, &server.client()] {
        secrets.assert_kept_in(&read_everything(&game, viewer));
    }
    // The attacker declared itself, to the defending side and to all.
    assert_eq!(game.view(&game.blue)["captured"][0]["piece"], "3");
}

/// B04: a rescue under silent defence is public, its piece is not.
fn what_comes_home_silently_is_its_owners_to_know(server: &TestServer) {
    let red = army(Side::Red, EVEN.red);
    let blue = army(Side::Blue, "Bi7 Mb7 9b8 3f7 2j7 2f8 Se8 Fe10");
    let options = json!({"silent_defense": true, "rescue": true});
    let mut game = Game::begin_with(server, "barrage", &options, &red, &blue);
    game.line(
        "i4xi7 f7-f6 a4-a5 b7-b6 a5-a6 f6-f7 a6-a7 b6-b7 a7-a8 f7-f6 a8-a9 b7-b6 a9-a10=2@a5",
    );
    for (viewer, shown) in [(&game.red, "2"), (&game.blue, "?"), (&server.client(), "?")] {
        let view = game.view(viewer);
        assert_eq!(
            view["last_move"]["rescue"],
            json!({"piece": shown, "square": "a5", "piece_id": "red:rescue1"})
        );
        let back = piece(&view["pieces"], "red:rescue1");
        assert_eq!(back["piece"], shown);
        // Nothing else had fallen; still it is only said what it can be.
        let possible = (shown == "?").then(|| json!(["2"]));
        assert_eq!(back.get("possible"), possible.as_ref());
    }
}

/// B05, B20: a player who looks as the public does sees no more than the public, and nobody sees as the
/// other side, or everything, before the end.
fn a_viewpoint_is_never_more_than_ones_own(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6 i4xi7");
    let own = game.replay(&game.red, "?viewpoint=red");
    assert_eq!(piece(&own["initial"], "red:a4")["piece"], "M");
    assert_eq!(piece(&own["initial"], "blue:a7")["piece"], "?");
    let public = game.replay(&game.red, "?viewpoint=public");
    assert!(
        public["initial"]
            .as_array()
            .unwrap()
            .iter()
            .all(|piece| piece["piece"] == "?")
    );
    assert_eq!(public, game.replay(&server.client(), ""));
    let third = server.register("third");
    for (viewer, viewpoint) in [
        (&game.red, "blue"),
        (&game.red, "omniscient"),
        (&game.blue, "red"),
        (&third, "red"),
        (&third, "blue"),
        (&third, "omniscient"),
        (&server.client(), "omniscient"),
    ] {
        for ply in ["", "&ply=0"] {
            let refused = viewer.get(&game.path(&format!("/replay?viewpoint={viewpoint}{ply}")));
            assert!(
                matches!(refused.status, 401 | 403),
                "{viewpoint}: {}",
                refused.text()
            );
        }
    }
    let query = "query($id: UUID!) { game(id: $id) { replay(viewpoint: BLUE) { frame(ply: 0) { pieces { rank } } } } }";
    let refused = game.red.graphql(query, &json!({"id": game.id})).json();
    assert!(refused["errors"].is_array(), "{refused}");
}

/// B06.
fn a_finished_game_replays_from_each_viewpoint_as_it_was_seen(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 a7-a6 b4-b5");
    game.resign(Side::Red).ok(200);
    let client = server.client();
    for ply in 0..=3 {
        let board =
            |viewpoint: &str| game.replay(&client, &format!("?viewpoint={viewpoint}&ply={ply}"));
        let (red, blue, all) = (board("red"), board("blue"), board("omniscient"));
        assert_eq!(red["ply"], ply);
        assert_eq!(piece(&red["pieces"], "blue:a7")["piece"], "?");
        assert_eq!(piece(&red["pieces"], "red:a4")["piece"], "M");
        assert_eq!(piece(&blue["pieces"], "red:a4")["piece"], "?");
        assert_eq!(piece(&all["pieces"], "blue:a7")["piece"], "M");
    }
    for viewpoint in ["both", "RED", "", "spectator", "omniscient,red"] {
        assert_problem(
            &client.get(&game.path(&format!("/replay?viewpoint={viewpoint}"))),
            400,
            "malformed_request",
        );
    }
}

/// B14: a setup is nobody's but its owner's, and nobody moves before both stand.
fn nobody_moves_before_both_armies_stand(server: &TestServer) {
    let (red_setup, blue_setup) = EVEN.setups();
    let game = Game::in_setup(server, "barrage", &Value::Null);
    assert_problem(&game.attempt("a4-a5"), 409, "game_not_active");
    game.place(Side::Red, &red_setup).ok(200);
    assert_problem(&game.attempt("a4-a5"), 409, "game_not_active");
    let seen = game.view(&game.blue);
    assert_eq!(
        (&seen["red"]["setup_placed"], &seen["blue"]["setup_placed"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(seen["pieces"], json!([]));
    assert_eq!(game.view(&server.client())["pieces"], json!([]));
    assert_eq!(game.view(&game.red)["pieces"].as_array().unwrap().len(), 8);
    game.place(Side::Blue, &blue_setup).ok(200);
    game.attempt("a4-a5").ok(201);
}

/// B16: what was learned in one game is not known in the next.
fn a_new_game_between_the_same_two_begins_with_nothing_known(server: &TestServer) {
    let first = EVEN.play(server);
    let (red_setup, blue_setup) = EVEN.setups();
    let second = Game::between(
        first.red.clone(),
        first.blue.clone(),
        "barrage",
        &Value::Null,
    );
    second.place(Side::Red, &red_setup).ok(200);
    second.place(Side::Blue, &blue_setup).ok(200);
    let view = second.view(&second.red);
    for piece in view["pieces"].as_array().unwrap() {
        assert_eq!(piece["piece"] == "?", piece["owner"] == "blue", "{piece}");
        assert_eq!(piece["revealed_ply"], Value::Null);
    }
    assert_eq!(view["captured"], json!([]));
    let secrets = Secrets::of(Side::Blue, &blue_setup);
    for rest in ["", "/replay", "/moves"] {
        secrets.assert_kept(&second.red.get(&second.path(rest)));
    }
}

/// B17: a winner stays known, wherever it goes.
fn the_winner_of_a_battle_is_known_from_then_on(server: &TestServer) {
    let red = army(Side::Red, "9e4 Ma4 3b4 2f4 2i4 Sj4 Fa1 Bb1");
    let blue = army(Side::Blue, "3e7 Ma7 9b7 2f7 2i7 Sj7 Fa10 Bb10");
    let mut game = Game::begin(server, "barrage", &red, &blue);
    game.line("e4-e5 e7-e6 e5xe6");
    for moves in ["b7-b6", "e6-e5"] {
        game.line(moves);
        for viewer in [&game.red, &game.blue, &server.client()] {
            let view = game.view(viewer);
            let winner = piece(&view["pieces"], "red:e4");
            assert_eq!(
                (&winner["piece"], &winner["revealed_ply"]),
                (&json!("9"), &json!(3))
            );
            assert_eq!(
                view["captured"],
                json!([{"id": "blue:e7", "owner": "blue", "piece": "3", "ply": 3}])
            );
        }
    }
}

/// B15: the same address says something else to each viewer, and its tag is the viewer's own.
fn viewer_dependent_answers_are_not_for_shared_caches(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5");
    let tags: Vec<String> = [&game.red, &game.blue, &server.client()]
        .iter()
        .map(|viewer| {
            viewer
                .get(&game.path(""))
                .header("etag")
                .unwrap()
                .to_owned()
        })
        .collect();
    assert!(
        tags[0] != tags[1] && tags[0] != tags[2] && tags[1] != tags[2],
        "{tags:?}"
    );
    let as_red = game
        .blue
        .request("GET", &game.path(""))
        .header("if-none-match", &tags[0])
        .send();
    assert_eq!(as_red.ok(200)["viewpoint"], "blue");
    for rest in ["", "/moves", "/replay", "/legal-moves"] {
        let answer = game.blue.get(&game.path(rest));
        let vary = answer
            .header("vary")
            .unwrap_or_default()
            .to_ascii_lowercase();
        assert!(vary.contains("authorization"), "{rest}: {answer:?}");
        let cache = answer.header("cache-control").unwrap_or_default();
        assert!(
            cache.contains("private") || cache.contains("no-store"),
            "{rest}: {cache}"
        );
    }
}

on_both! {
    hidden_ranks_are_in_no_answer,
    what_one_side_does_leaves_the_other_sides_ranks_alone,
    the_log_of_a_silent_battle_is_each_sides_own,
    what_comes_home_silently_is_its_owners_to_know,
    a_viewpoint_is_never_more_than_ones_own,
    a_finished_game_replays_from_each_viewpoint_as_it_was_seen,
    nobody_moves_before_both_armies_stand,
    a_new_game_between_the_same_two_begins_with_nothing_known,
    the_winner_of_a_battle_is_known_from_then_on,
    viewer_dependent_answers_are_not_for_shared_caches,
}
