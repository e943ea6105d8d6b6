//! Lists of games that ended at one instant: D27.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use tests::client::text as text_of;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::{Client, TestServer, on_both};

use super::{import, text};
use crate::lines::RED_TAKES_THE_FLAG;

const GAMES: usize = 23;

/// The games of the archive in an order, page by page from one end.
fn paged(client: &Client, order: &str, size: usize, backwards: bool) -> Vec<String> {
    let (many, place, more, at) = if backwards {
        ("last", "before", "hasPreviousPage", "startCursor")
    } else {
        ("first", "after", "hasNextPage", "endCursor")
    };
    let query = format!(
        "query($cursor: String) {{
            games(filter: {{sources: [\"gravon\"]}}, orderBy: {order}, {many}: {size}, {place}: $cursor) {{
                edges {{ node {{ uuid }} }} pageInfo {{ {more} {at} }} }} }}"
    );
    let (mut found, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let page = client.query(&query, &json!({"cursor": cursor}))["games"].take();
        let edges = page["edges"].as_array().unwrap().iter();
        let ids = edges.map(|edge| text_of(&edge["node"]["uuid"]));
        if backwards {
            found.extend(ids.rev());
        } else {
            found.extend(ids);
        }
        assert!(found.len() <= GAMES, "{order} by {size}: too many");
        if page["pageInfo"][more] == false {
            return found;
        }
        cursor = page["pageInfo"][at].clone();
    }
}

fn games_of_one_instant_are_each_on_one_page(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    for nth in 0..GAMES {
        // Some are as long as others.
        let seed = u64::try_from(nth).unwrap();
        let game = GravonGame::random(&mut Dice::new(seed), 5 + nth % 3);
        let file = format!("barrage-2006.3-{nth}.xml");
        fs::write(folder.path().join(file), game.xml()).unwrap();
    }
    let report = import(server, &[text(folder.path())]);
    assert_eq!(report.totals, [GAMES, 0, 0]);
    let ids: BTreeSet<String> = report.ids().into_iter().map(str::to_owned).collect();
    // Others stand before and behind them.
    for _ in 0..2 {
        RED_TAKES_THE_FLAG.play(server);
    }
    let client = server.client();
    for order in [
        "FINISHED_DESC",
        "FINISHED_ASC",
        "UPDATED_DESC",
        "PLIES_DESC",
    ] {
        for size in [1, 4, GAMES - 1, GAMES, 100] {
            let forward = paged(&client, order, size, false);
            assert_eq!(forward.len(), GAMES, "{order} by {size}");
            let found: BTreeSet<String> = forward.iter().cloned().collect();
            assert_eq!(found, ids, "{order} by {size}");
            let mut backward = paged(&client, order, size, true);
            backward.reverse();
            assert_eq!(forward, backward, "{order} by {size}");
        }
    }
}

on_both! { games_of_one_instant_are_each_on_one_page }
