use std::collections::BTreeMap;

use domain::{Cause, Color, Game, Irregular, PieceId, RevealedTo, Setup, Square, View, Viewpoint};
use serde_json::{Value, json};
use uuid::Uuid;

use super::super::Table;
use crate::wire::bits::Bits;

/// The rows of a game by plain code over the view.
pub(super) fn expected(table: Table, nth: u128, game: &Game) -> Vec<Value> {
    let view = game.view(None, Viewpoint::Omniscient).expect("over");
    let id = Uuid::from_u128(nth).to_string();
    match table {
        Table::Games => games(nth, &id, game),
        Table::Plies => plies(&id, &view),
        Table::Pieces => pieces(&id, &view),
        Table::Battles => battles(&id, &view),
        Table::Reveals => reveals(&id, &view),
    }
}

fn rounded(bits: f64) -> f64 {
    Bits(bits).rounded()
}

fn games(nth: u128, id: &str, game: &Game) -> Vec<Value> {
    let options = game.terms().options;
    let outcome = game.outcome().expect("over");
    vec![json!({
        "game_id": id,
        "ruleset": game.terms().ruleset.id(),
        "aggressor_advantage": options.aggressor_advantage,
        "silent_defense": options.silent_defense,
        "rescue": options.rescue,
        "more_squares": options.more_squares,
        "two_squares": options.two_squares.name(),
        "two_squares_limit": options.two_squares_limit,
        "no_progress_plies": options.no_progress_plies,
        "source": "simulated",
        "red_player": "Ann",
        "blue_player": "Γιώργος",
        "red_rating": 1500.5,
        "blue_rating": null,
        "rated": nth.is_multiple_of(2),
        "winner": outcome.winner.map(Color::name),
        "reason": outcome.reason.name(),
        "raw_ending": nth.is_multiple_of(3).then_some(11),
        "plies": game.ply(),
        "started_at": game.started_at().expect("begun").as_micros(),
        "finished_at": game.finished_at().expect("over").as_micros(),
        "red_setup": setup(game, Color::Red),
        "blue_setup": setup(game, Color::Blue),
    })]
}

fn setup(game: &Game, owner: Color) -> String {
    let pieces = game.view_for(None).frame(0).expect("begun").pieces;
    let own = pieces.iter().filter(|piece| piece.id.owner() == owner);
    let placed: BTreeMap<u8, char> = own
        .map(|piece| {
            let rank = piece.rank.expect("known");
            (piece.square.index(), rank.to_char())
        })
        .collect();
    let squares: Vec<u8> = match owner {
        Color::Red => [30, 20, 10, 0]
            .into_iter()
            .flat_map(|row| row..row + 10)
            .collect(),
        Color::Blue => [60, 70, 80, 90]
            .into_iter()
            .flat_map(|row| (row..row + 10).rev())
            .collect(),
    };
    let cells = squares
        .iter()
        .map(|square| placed.get(square).copied().unwrap_or('.'));
    let text: String = cells.collect();
    assert!(Setup::parse(game.terms().ruleset, &text).is_ok(), "{text}");
    text
}

fn plies(id: &str, view: &View<'_>) -> Vec<Value> {
    let timeline = view.timeline();
    (1..)
        .zip(view.moves_from(0))
        .map(|(ply, made)| {
            let hidden = timeline.information[ply].hidden_bits;
            json!({
                "game_id": id,
                "ply": ply,
                "color": made.side.name(),
                "from": made.mv.from.to_string(),
                "to": made.mv.to.to_string(),
                "piece_id": made.piece.to_string(),
                "rank": made.rank.expect("known").name(),
                "distance": made.distance,
                "attack": made.attack.is_some(),
                "forfeited": made.forfeited,
                "irregular": made.irregular.map(Irregular::name),
                "rescue_rank": made.rescue.map(|it| it.rank.expect("known").name()),
                "rescue_square": made.rescue.map(|it| it.square.to_string()),
                "played_at": made.played_at.map(domain::Timestamp::as_micros),
                "think_time_us": made.think_time.map(|span| u64::try_from(span.as_micros()).expect("short")),
                "red_hidden_bits": rounded(hidden.red),
                "blue_hidden_bits": rounded(hidden.blue),
            })
        })
        .collect()
}

fn pieces(id: &str, view: &View<'_>) -> Vec<Value> {
    let timeline = view.timeline();
    PieceId::all()
        .filter_map(|piece| {
            let rank = view.rank_of(piece, view.game().ply())?;
            let told = timeline
                .reveals
                .iter()
                .find(|told| told.reveal.piece == piece && told.reveal.cause != Cause::GameOver);
            let own = piece.home().map(|home| match piece.owner() {
                Color::Red => home,
                Color::Blue => Square::new(99 - home.index()).expect("on the board"),
            });
            let first = view
                .moves_from(0)
                .find(|made| made.piece == piece && !made.forfeited);
            let captured = view.captured();
            let removed = captured.iter().find(|it| it.id == piece);
            Some(json!({
                "game_id": id,
                "piece_id": piece.to_string(),
                "color": piece.owner().name(),
                "rank": rank.name(),
                "home": piece.home().map(|home| home.to_string()),
                "own_home": own.map(|home| home.to_string()),
                "first_moved_ply": first.map(|made| made.ply + 1),
                "revealed_ply": told.map(|told| told.reveal.ply),
                "cause": told.map(|told| told.reveal.cause.name()),
                "bits": told.map(|told| rounded(told.bits)),
                "removed_ply": removed.map(|it| it.ply),
            }))
        })
        .collect()
}

fn battles(id: &str, view: &View<'_>) -> Vec<Value> {
    view.battles()
        .into_iter()
        .map(|battle| {
            let made = view.move_at(battle.ply - 1).expect("made");
            json!({
                "game_id": id,
                "ply": battle.ply,
                "square": battle.square.to_string(),
                "attacker_color": battle.attacker_color.name(),
                "attacker": battle.attack.attacker.name(),
                "defender": battle.attack.defender.expect("known").name(),
                "outcome": battle.attack.outcome.name(),
                "attacker_known": battle.attack.attacker_known,
                "defender_known": battle.attack.defender_known,
                "attacker_piece": made.piece.to_string(),
                "defender_piece": battle.attack.defender_id.to_string(),
            })
        })
        .collect()
}

fn reveals(id: &str, view: &View<'_>) -> Vec<Value> {
    view.timeline()
        .reveals
        .iter()
        .map(|told| {
            let reveal = told.reveal;
            json!({
                "game_id": id,
                "ply": reveal.ply,
                "piece_id": reveal.piece.to_string(),
                "owner": reveal.piece.owner().name(),
                "rank": reveal.rank.name(),
                "square": reveal.square.to_string(),
                "cause": reveal.cause.name(),
                "to": match reveal.to {
                    RevealedTo::Side(side) => side.name(),
                    RevealedTo::Both => "both",
                },
                "bits": rounded(told.bits),
            })
        })
        .collect()
}
