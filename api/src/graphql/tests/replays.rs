use domain::{Color, Viewpoint};
use serde_json::Value;

use super::world::World;

#[tokio::test]
async fn frames_are_the_positions_after_so_many_moves() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.finished(red, blue, 9);
    let plies = world.load(id).game.ply();
    let frame = |ply: i64| {
        format!(
            "{{ game(id: \"{id}\") {{ replay {{ frame(ply: {ply}) {{ ply pieces {{ pieceId square moved }} }} }} }} }}"
        )
    };
    let view = world.load(id).game;
    let view = view.view(None, Viewpoint::Omniscient).unwrap();
    for ply in 0..=plies {
        let data = world.data(None, &frame(ply.into())).await;
        let shown = &data["game"]["replay"]["frame"];
        assert_eq!(shown["ply"], ply);
        let expected = view.frame(ply).unwrap().pieces;
        let pieces = shown["pieces"].as_array().unwrap();
        assert_eq!(pieces.len(), expected.len());
        for (shown, expected) in pieces.iter().zip(expected) {
            assert_eq!(shown["pieceId"], expected.id.to_string());
            assert_eq!(shown["square"], expected.square.to_string());
            assert_eq!(shown["moved"], expected.moved);
        }
    }
    for outside in [-1, i64::from(plies) + 1, i64::from(i32::MAX)] {
        let answer = world.ask(None, &frame(outside)).await;
        let error = &answer["errors"][0];
        assert_eq!(
            error["extensions"]["code"], "malformed_request",
            "{outside}"
        );
        assert_eq!(error["extensions"]["field"], "ply");
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains(&format!("0 to {plies}"))
        );
    }
}

#[tokio::test]
async fn moves_and_frames_come_in_pages_without_gap() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.finished(red, blue, 11);
    let plies = u64::from(world.load(id).game.ply());
    for (list, within, count) in [("moves", "", plies), ("frames", "replay", plies + 1)] {
        let (mut seen, mut after) = (Vec::new(), Value::Null);
        loop {
            let page = format!(
                "{list}(first: 4, after: {after}) {{ edges {{ node {{ ply }} }} pageInfo {{ hasNextPage hasPreviousPage endCursor }} }}"
            );
            let page = if within.is_empty() {
                page
            } else {
                format!("{within} {{ {page} }}")
            };
            let data = world
                .data(None, &format!("{{ game(id: \"{id}\") {{ {page} }} }}"))
                .await;
            let game = &data["game"];
            let page = if within.is_empty() {
                &game[list]
            } else {
                &game[within][list]
            };
            for edge in page["edges"].as_array().unwrap() {
                seen.push(edge["node"]["ply"].as_u64().unwrap());
            }
            assert_eq!(page["pageInfo"]["hasPreviousPage"], !after.is_null());
            after = page["pageInfo"]["endCursor"].clone();
            if page["pageInfo"]["hasNextPage"] == false {
                break;
            }
        }
        assert_eq!(seen, (0..count).collect::<Vec<_>>(), "{list}");
        let after = format!(
            "{{ game(id: \"{id}\") {{ moves(after: {after}) {{ edges {{ cursor }} pageInfo {{ hasNextPage endCursor }} }} }} }}"
        );
        let beyond = world.data(None, &after).await["game"]["moves"].take();
        assert_eq!(beyond["edges"], serde_json::json!([]));
        assert_eq!(beyond["pageInfo"]["hasNextPage"], false);
    }
}

#[tokio::test]
async fn moves_battles_and_reveals_are_those_of_the_view() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.finished(red, blue, 40);
    let game = world.load(id).game;
    let view = game.view(None, Viewpoint::Omniscient).unwrap();
    let query = format!(
        "{{ game(id: \"{id}\") {{
            moves(first: 100) {{ edges {{ node {{ ply color from to pieceId rank distance playedAt thinkTime battle {{ ply square attacker defender attackerColor outcome }} }} }} }}
            replay {{ battles {{ ply square attacker defender attackerColor outcome }}
                reveals {{ ply pieceId owner rank square cause to }}
                toRed: reveals(to: RED) {{ owner to }}
                atTheEnd: reveals(causes: [GAME_OVER]) {{ ply cause to }}
                none: reveals(causes: []) {{ ply }} }} }} }}"
    );
    let data = world.data(None, &query).await["game"].take();
    let edges = data["moves"]["edges"].as_array().unwrap();
    let moves: Vec<_> = view.moves_from(0).collect();
    assert_eq!(edges.len(), moves.len());
    for (edge, expected) in edges.iter().zip(&moves) {
        let node = &edge["node"];
        assert_eq!(node["ply"], expected.ply);
        assert_eq!(node["color"], expected.side.name().to_uppercase());
        assert_eq!(node["from"], expected.mv.from.to_string());
        assert_eq!(node["to"], expected.mv.to.to_string());
        assert_eq!(node["pieceId"], expected.piece.to_string());
        assert_eq!(node["distance"], expected.distance);
        assert_eq!(node["rank"], expected.rank.unwrap().name().to_uppercase());
        assert_eq!(node["battle"].is_object(), expected.attack.is_some());
        assert_eq!(
            node["playedAt"].as_str().unwrap().len(),
            "2026-11-29T21:00:00.000Z".len()
        );
        assert!(node["thinkTime"].as_str().unwrap().starts_with("PT"));
        if expected.attack.is_some() {
            assert_eq!(node["battle"]["ply"], expected.ply + 1);
            assert_eq!(node["battle"]["square"], node["to"]);
            assert_eq!(node["battle"]["attackerColor"], node["color"]);
        }
    }
    let fought: Vec<_> = edges
        .iter()
        .map(|edge| &edge["node"]["battle"])
        .filter(|battle| battle.is_object())
        .collect();
    let battles: Vec<_> = data["replay"]["battles"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    assert!(!battles.is_empty(), "a game without battles proves nothing");
    assert_eq!(battles, fought);
    let reveals = data["replay"]["reveals"].as_array().unwrap();
    let expected = view.reveals();
    assert_eq!(reveals.len(), expected.len());
    for (shown, expected) in reveals.iter().zip(&expected) {
        assert_eq!(shown["ply"], expected.ply);
        assert_eq!(shown["pieceId"], expected.piece.to_string());
        assert_eq!(shown["rank"], expected.rank.name().to_uppercase());
        assert_eq!(shown["cause"], expected.cause.name().to_uppercase());
        assert_eq!(shown["square"], expected.square.to_string());
    }
    for reveal in data["replay"]["toRed"].as_array().unwrap() {
        let to_red = reveal["to"] == "RED" && reveal["owner"] == "BLUE";
        assert!(to_red || reveal["to"].is_null(), "{reveal}");
    }
    let at_the_end = data["replay"]["atTheEnd"].as_array().unwrap();
    assert!(!at_the_end.is_empty());
    for reveal in at_the_end {
        assert_eq!(reveal["cause"], "GAME_OVER");
        assert_eq!(reveal["ply"], game.ply());
        assert!(reveal["to"].is_null());
    }
    assert_eq!(data["replay"]["none"], serde_json::json!([]));
}

#[tokio::test]
async fn a_game_says_how_it_stands_and_ended() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let ask = |id| {
        format!("{{ game(id: \"{id}\") {{ uuid ruleset source status plies startedAt finishedAt
        options {{ aggressorAdvantage silentDefense rescue moreSquares twoSquares twoSquaresLimit noProgressPlies }}
        outcome {{ winner reason }} red {{ player {{ username }} }} blue {{ player {{ username }} }} }} }}")
    };
    let running = world.running(red, blue, 3);
    let game = world.data(None, &ask(running)).await["game"].take();
    for (field, expected) in [
        ("ruleset", "duel"),
        ("source", "play"),
        ("status", "ACTIVE"),
    ] {
        assert_eq!(game[field], expected);
    }
    assert_eq!(game["plies"], 3);
    assert!(game["outcome"].is_null() && game["finishedAt"].is_null());
    assert_eq!(game["red"]["player"]["username"], "red");
    assert_eq!(game["blue"]["player"]["username"], "blue");
    let options = domain::Ruleset::Duel.default_options();
    assert_eq!(game["options"]["moreSquares"], options.more_squares);
    assert_eq!(game["options"]["twoSquares"], options.two_squares.name());
    assert_eq!(
        game["options"]["twoSquaresLimit"],
        options.two_squares_limit
    );
    world.act(running, Color::Red, &domain::Command::Resign);
    let game = world.data(None, &ask(running)).await["game"].take();
    assert_eq!(game["status"], "FINISHED");
    assert_eq!(game["outcome"]["winner"], "BLUE");
    assert_eq!(game["outcome"]["reason"], "RESIGNATION");
    let aborted = world.game(red, blue, false);
    world.begin(aborted);
    world.act(aborted, Color::Red, &domain::Command::Abort);
    let game = world.data(None, &ask(aborted)).await["game"].take();
    assert_eq!(game["status"], "ABORTED");
    assert_eq!(game["outcome"]["winner"], Value::Null);
    assert_eq!(game["outcome"]["reason"], "ABORTED");
}
