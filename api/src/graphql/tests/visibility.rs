use domain::{Color, Command, Viewpoint};
use serde_json::{Value, json};

use super::world::{LIMITS, World};
use crate::config::GraphqlLimits;

/// Everything of a game that a rank could hide in.
const WHOLE: &str = "uuid status plies
    moves(first: 100) { edges { node { ply color from to pieceId rank distance rescue forfeited
        battle { ply square attacker defender attackerColor outcome } } } }
    replay { viewpoint reveals { ply pieceId owner rank square cause to }
        battles { ply square attacker defender attackerColor outcome }
        frames(first: 100) { edges { node { ply pieces { pieceId owner square rank moved revealedPly } } } } }";

fn whole(id: storage::GameId) -> String {
    format!("{{ game(id: \"{id}\") {{ {WHOLE} }} }}")
}

/// What a frame must show of a piece: its rank as the domain's own view has it.
fn ranks_of(
    world: &World,
    id: storage::GameId,
    side: Option<Color>,
    viewpoint: Viewpoint,
) -> Value {
    let game = world.load(id).game;
    let view = game.view(side, viewpoint).unwrap();
    let frames = view.frames(0, 100).into_iter();
    let rank = |piece: domain::PieceView| piece.rank.map(|rank| rank.name().to_uppercase());
    frames
        .map(|frame| frame.pieces.into_iter().map(rank).collect::<Vec<_>>())
        .collect::<Vec<_>>()
        .into()
}

fn ranks_in(frames: &Value) -> Value {
    let edges = frames["edges"].as_array().unwrap();
    edges
        .iter()
        .map(|edge| {
            let pieces = edge["node"]["pieces"].as_array().unwrap();
            pieces
                .iter()
                .map(|piece| piece["rank"].clone())
                .collect::<Vec<_>>()
        })
        .collect::<Vec<_>>()
        .into()
}

#[tokio::test]
async fn each_viewer_sees_a_running_game_through_his_own_eyes() {
    let mut world = World::new();
    let (red, blue, other) = (
        world.player("red"),
        world.player("blue"),
        world.player("other"),
    );
    let id = world.running(red, blue, 30);
    assert_eq!(
        world.load(id).game.turn(),
        Some(Color::Red),
        "the game still runs"
    );
    let mut answers = Vec::new();
    for (viewer, side, name) in [
        (Some(red), Some(Color::Red), "RED"),
        (Some(blue), Some(Color::Blue), "BLUE"),
        (Some(other), None, "PUBLIC"),
        (None, None, "PUBLIC"),
    ] {
        let game = world.data(viewer, &whole(id)).await["game"].take();
        assert_eq!(game["replay"]["viewpoint"], name);
        let viewpoint = Viewpoint::of(side);
        let ranks = ranks_in(&game["replay"]["frames"]);
        assert_eq!(ranks, ranks_of(&world, id, side, viewpoint), "{name}");
        answers.push(game);
    }
    assert_ne!(answers[0], answers[1]);
    assert_eq!(
        answers[2], answers[3],
        "being somebody tells no more than being nobody"
    );
    for moved in answers[2]["moves"]["edges"].as_array().unwrap() {
        let node = &moved["node"];
        let disclosed = node["battle"]["attacker"].is_string() || node["distance"] != 1;
        if node["rank"].is_string() && !disclosed {
            let piece = &node["pieceId"];
            let known = answers[2]["replay"]["reveals"].as_array().unwrap();
            assert!(
                known.iter().any(|reveal| reveal["pieceId"] == *piece),
                "{node}"
            );
        }
    }
}

#[tokio::test]
async fn a_viewpoint_that_is_not_the_viewers_is_closed_while_the_game_runs() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.running(red, blue, 4);
    let ask = |viewpoint: &str| {
        format!(
            "{{ game(id: \"{id}\") {{ replay(viewpoint: {viewpoint}) {{ frame(ply: 0) {{ pieces {{ rank }} }} }} }} }}"
        )
    };
    for (viewer, open, closed) in [
        (Some(red), vec!["RED", "PUBLIC"], vec!["BLUE", "OMNISCIENT"]),
        (
            Some(blue),
            vec!["BLUE", "PUBLIC"],
            vec!["RED", "OMNISCIENT"],
        ),
        (None, vec!["PUBLIC"], vec!["RED", "BLUE", "OMNISCIENT"]),
    ] {
        for viewpoint in open {
            world.data(viewer, &ask(viewpoint)).await;
        }
        for viewpoint in closed {
            let answer = world.ask(viewer, &ask(viewpoint)).await;
            assert_eq!(
                answer["errors"][0]["extensions"]["code"], "forbidden",
                "{answer}"
            );
            assert_eq!(answer["data"]["game"], Value::Null);
        }
    }
    world.act(id, Color::Red, &Command::Resign);
    for viewpoint in ["RED", "BLUE", "PUBLIC", "OMNISCIENT"] {
        world.data(None, &ask(viewpoint)).await;
    }
}

#[tokio::test]
async fn a_finished_game_is_open_whole_and_each_viewpoint_still_knows_its_own() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.finished(red, blue, 20);
    let game = world.data(None, &whole(id)).await["game"].take();
    assert_eq!(game["replay"]["viewpoint"], "OMNISCIENT");
    let ranks = ranks_in(&game["replay"]["frames"]);
    assert_eq!(ranks, ranks_of(&world, id, None, Viewpoint::Omniscient));
    for viewpoint in Viewpoint::ALL {
        let query = whole(id).replace(
            "replay {",
            &format!("replay(viewpoint: {}) {{", viewpoint.name().to_uppercase()),
        );
        let game = world.data(Some(blue), &query).await["game"].take();
        let ranks = ranks_in(&game["replay"]["frames"]);
        assert_eq!(ranks, ranks_of(&world, id, Some(Color::Blue), viewpoint));
    }
}

#[tokio::test]
async fn a_private_game_is_nowhere_but_for_its_players() {
    let mut world = World::new();
    let (red, blue, other) = (
        world.player("red"),
        world.player("blue"),
        world.player("other"),
    );
    let hidden = world.game(red, blue, true);
    world.begin(hidden);
    let open = world.finished(red, blue, 6);
    let node = |world: Value| world["game"]["id"].as_str().unwrap().to_owned();
    let id = node(
        world
            .data(Some(red), &format!("{{ game(id: \"{hidden}\") {{ id }} }}"))
            .await,
    );
    let query = format!(
        "{{ game(id: \"{hidden}\") {{ uuid }} node(id: \"{id}\") {{ id }}
            games {{ edges {{ node {{ uuid }} }} }}
            player(username: \"red\") {{ games {{ edges {{ node {{ uuid }} }} }} }}
            named: games(filter: {{players: [\"red\"], status: [ACTIVE, FINISHED, ABORTED]}}) {{ edges {{ node {{ uuid }} }} }} }}"
    );
    let uuids = |list: &Value| -> Vec<String> {
        let edges = list["edges"].as_array().unwrap();
        edges
            .iter()
            .map(|edge| edge["node"]["uuid"].as_str().unwrap().to_owned())
            .collect()
    };
    for (viewer, sees) in [
        (Some(red), true),
        (Some(blue), true),
        (Some(other), false),
        (None, false),
    ] {
        for over in [false, true] {
            if over && world.load(hidden).game.turn().is_some() {
                world.advance(hidden, 4);
                world.act(hidden, Color::Red, &Command::Resign);
            }
            let data = world.data(viewer, &query).await;
            assert_eq!(data["game"].is_object(), sees);
            assert_eq!(data["node"].is_object(), sees);
            for list in [&data["games"], &data["player"]["games"], &data["named"]] {
                let uuids = uuids(list);
                assert_eq!(uuids.contains(&hidden.to_string()), sees, "{viewer:?}");
                assert!(uuids.contains(&open.to_string()));
            }
        }
    }
}

/// B18.
#[tokio::test]
async fn no_path_leads_to_a_rank_that_its_viewer_does_not_know() {
    let mut world = World::with_limits(GraphqlLimits {
        max_depth: 20,
        max_complexity: 1_000_000,
        max_complexity_analysis: 20_000,
        ..LIMITS
    });
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.running(red, blue, 12);
    let hidden = world.game(red, blue, true);
    world.begin(hidden);
    let direct = world.data(Some(red), &whole(id)).await["game"].take();
    let query = format!(
        "{{ player(username: \"red\") {{ games {{ edges {{ node {{ blue {{ player {{ games {{ edges {{ node {{ {WHOLE} }} }} }} }} }} }} }} }} }} }}"
    );
    for viewer in [Some(red), Some(blue), None] {
        let data = world.data(viewer, &query).await;
        let games =
            data["player"]["games"]["edges"][0]["node"]["blue"]["player"]["games"]["edges"].clone();
        let games = games.as_array().unwrap();
        let found = games
            .iter()
            .find(|edge| edge["node"]["uuid"] == id.to_string())
            .unwrap();
        let same = world.data(viewer, &whole(id)).await;
        assert_eq!(found["node"], same["game"]);
        assert_eq!(found["node"] == direct, viewer == Some(red));
        let private = games
            .iter()
            .any(|edge| edge["node"]["uuid"] == hidden.to_string());
        assert_eq!(private, viewer.is_some());
    }
}

#[tokio::test]
async fn a_setup_that_waits_is_nobodys_to_see() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.game(red, blue, false);
    let query = format!(
        "{{ game(id: \"{id}\") {{ status plies startedAt moves {{ edges {{ node {{ ply }} }} pageInfo {{ hasNextPage }} }}
            replay {{ viewpoint reveals {{ rank }} battles {{ ply }} frames {{ edges {{ node {{ ply }} }} pageInfo {{ hasNextPage }} }} }} }} }}"
    );
    let before = world.data(Some(blue), &query).await;
    world.place(id, Color::Red);
    for viewer in [Some(red), Some(blue), None] {
        let after = world.data(viewer, &query).await;
        assert_eq!(after["game"]["status"], "SETUP");
        assert_eq!(
            after["game"]["replay"]["frames"],
            json!({"edges": [], "pageInfo": {"hasNextPage": false}})
        );
        assert_eq!(after["game"]["replay"]["reveals"], json!([]));
    }
    assert_eq!(
        world.data(Some(blue), &query).await,
        before,
        "it is the same as before"
    );
    let frame = format!("{{ game(id: \"{id}\") {{ replay {{ frame(ply: 0) {{ ply }} }} }} }}");
    assert_eq!(world.code(Some(red), &frame).await, "game_not_active");
}

/// B18.
#[tokio::test]
async fn nothing_tells_an_address_a_hash_or_a_preference() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    world.finished(red, blue, 4);
    for query in [
        "{ player(username: \"red\") { email } }",
        "{ player(username: \"red\") { preferences } }",
        "{ player(username: \"red\") { passwordHash } }",
        "{ games { edges { node { setup } } } }",
    ] {
        assert_eq!(world.code(Some(red), query).await, "malformed_request");
    }
    let data = world
        .data(Some(red), "{ player(username: \"red\") { id uuid username createdAt } players { edges { node { id uuid username createdAt } } } }")
        .await;
    assert!(!data.to_string().contains("secret"), "{data}");
}
