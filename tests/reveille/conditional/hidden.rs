//! B11: what is prepared shows to nobody, in no list and no overview.

use serde_json::{Value, json};
use tests::{Client, Game, Response, TestServer, on_both};

use super::{line, prepare};
use crate::lines::EVEN;

/// What a client reads of a game, its lists and its players.
fn read(game: &Game, viewer: &Client) -> Vec<(Vec<(String, String)>, Value)> {
    let kept = |answer: Response| {
        let mut headers = answer.headers.clone();
        headers.retain(|(name, _)| name != "date" && name != "x-request-id");
        headers.sort_unstable();
        (headers, answer.json())
    };
    let query = "query($id: UUID!) { game(id: $id) { id updatedAt
        red { player { games(first: 5) { edges { node { uuid updatedAt } } } } } } }";
    [
        viewer.get(&game.path("")),
        viewer.get(&game.path("/moves")),
        viewer.get(&game.path("/replay?viewpoint=public")),
        viewer.get(&format!("/v1/games?player={}&sort=updated", game.blue.name)),
        viewer.graphql(query, &json!({"id": game.id})),
    ]
    .into_iter()
    .map(kept)
    .collect()
}

fn stored_lines_change_nothing_that_others_see(server: &TestServer) {
    let game = EVEN.begin(server);
    let third = server.register("third");
    let viewers = [&game.red, &third, &server.client()];
    let before: Vec<_> = viewers.iter().map(|viewer| read(&game, viewer)).collect();
    // Nor what their owner sees of the game.
    let own = read(&game, &game.blue);
    let lines = [
        [line("a4-a5", "a7-a6", &[])].to_vec(),
        [line("a4-a5", "a7-a1", &[]), line("b4-b5", "b7-b6", &[])].to_vec(),
        Vec::new(),
    ];
    for lines in lines {
        prepare(&game, &game.blue, &lines).ok(200);
        for (viewer, before) in viewers.iter().zip(&before) {
            assert_eq!(&read(&game, viewer), before);
        }
        assert_eq!(read(&game, &game.blue), own);
    }
}

on_both! { stored_lines_change_nothing_that_others_see }
