use domain::{Color, Viewpoint};
use serde_json::{Value, json};

use super::world::World;

/// Everything that is known of the pieces of a board.
const BOARD: &str = "ply redHiddenBits blueHiddenBits
    pieces { pieceId rank revealedPly possibleExact
        possible { rank probability } why { ply kind text leaves } }";

fn close(found: &Value, expected: f64) -> bool {
    found
        .as_f64()
        .is_some_and(|found| (found - expected).abs() < 1e-4)
}

#[tokio::test]
async fn a_board_tells_what_can_be_known_then_and_why() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.running(red, blue, 60);
    let stored = world.load(id);
    for (player, side, viewpoint) in [
        (Some(red), Some(Color::Red), Viewpoint::Red),
        (Some(red), Some(Color::Red), Viewpoint::Public),
        (None, None, Viewpoint::Public),
    ] {
        let view = stored.game.view(side, viewpoint).unwrap();
        let chronicle = view.chronicle();
        let mut unknown = 0;
        for ply in [0, 31, 60] {
            let name = viewpoint.name().to_uppercase();
            let query = format!(
                "{{ game(id: \"{id}\") {{ replay(viewpoint: {name}) {{ frame(ply: {ply}) {{ {BOARD} }} }} }} }}"
            );
            let data = world.data(player, &query).await;
            let told = &data["game"]["replay"]["frame"];
            let frame = view.frame(ply).unwrap();
            assert!(close(&told["redHiddenBits"], frame.hidden.red.bits()));
            assert!(close(&told["blueHiddenBits"], frame.hidden.blue.bits()));
            for (told, piece) in told["pieces"].as_array().unwrap().iter().zip(&frame.pieces) {
                let possible = told["possible"].as_array().unwrap();
                assert_eq!(told["rank"].is_null(), !possible.is_empty());
                let odds = frame.odds(piece);
                assert_eq!(possible.len(), odds.len());
                for (told, (rank, odds)) in possible.iter().zip(&odds) {
                    assert_eq!(told["rank"], rank.name().to_uppercase());
                    assert!(close(&told["probability"], *odds));
                }
                if !odds.is_empty() {
                    unknown += 1;
                    assert_eq!(told["possibleExact"], true);
                    assert!((odds.iter().map(|(_, odds)| odds).sum::<f64>() - 1.0).abs() < 1e-9);
                }
                let why = view.why(&chronicle, piece.id, ply).unwrap();
                let told = told["why"].as_array().unwrap();
                assert_eq!(told.len(), why.len());
                for (told, seen) in told.iter().zip(why) {
                    assert_eq!(told["ply"], seen.ply);
                    assert_eq!(told["kind"], seen.evidence.name());
                    let leaves = seen.leaves.iter();
                    let leaves: Vec<_> = leaves.map(|rank| rank.name().to_uppercase()).collect();
                    assert_eq!(told["leaves"], json!(leaves));
                }
            }
        }
        assert!(unknown > 0);
    }
}

#[tokio::test]
async fn the_information_and_the_bits_of_reveals_are_those_of_the_timeline() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let id = world.finished(red, blue, 60);
    let stored = world.load(id);
    let view = stored.game.view(None, Viewpoint::Omniscient).unwrap();
    let timeline = view.timeline();
    let query = format!(
        "{{ game(id: \"{id}\") {{ replay {{ information {{ ply redHiddenBits blueHiddenBits }}
            reveals {{ pieceId bits }} battles {{ attackerKnown defenderKnown }} }} }} }}"
    );
    let data = world.data(None, &query).await["game"]["replay"].take();
    let points = data["information"].as_array().unwrap();
    assert_eq!(points.len(), timeline.information.len());
    for (told, point) in points.iter().zip(&timeline.information) {
        assert_eq!(told["ply"], point.ply);
        assert!(close(&told["redHiddenBits"], point.hidden_bits.red));
        assert!(close(&told["blueHiddenBits"], point.hidden_bits.blue));
    }
    let reveals = data["reveals"].as_array().unwrap();
    assert_eq!(reveals.len(), timeline.reveals.len());
    for (told, weighed) in reveals.iter().zip(&timeline.reveals) {
        assert_eq!(told["pieceId"], weighed.reveal.piece.to_string());
        assert!(close(&told["bits"], weighed.bits));
    }
    assert!(timeline.reveals.iter().any(|weighed| weighed.bits > 1.0));
    let battles = view.battles();
    let told = data["battles"].as_array().unwrap();
    assert_eq!(told.len(), battles.len());
    for (told, battle) in told.iter().zip(battles) {
        assert_eq!(told["attackerKnown"], battle.attack.attacker_known);
        assert_eq!(told["defenderKnown"], battle.attack.defender_known);
    }
}
