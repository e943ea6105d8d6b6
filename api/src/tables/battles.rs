use domain::{BattleView, PieceId, Rank};

use super::column::Field;
use super::finished::Finished;
use super::names;

/// An attack.
pub(super) struct Row {
    game: String,
    attacker: PieceId,
    battle: BattleView,
}

pub(super) const FIELDS: &[Field<Row>] = &[
    Field::text("game_id", "The game.", |row| Some(&row.game)),
    Field::int("ply", "The move that it was, from 1.", |row| {
        Some(row.battle.ply)
    }),
    Field::text("square", "Where it was fought.", |row| {
        Some(names::square(row.battle.square))
    }),
    Field::text("attacker_color", "Who attacked: red or blue.", |row| {
        Some(row.battle.attacker_color.name())
    }),
    Field::text("attacker", "The attacker's rank.", |row| {
        Some(row.battle.attack.attacker.name())
    }),
    Field::text("defender", "The defender's rank, declared or not.", |row| {
        row.battle.attack.defender.map(Rank::name)
    }),
    Field::text(
        "outcome",
        "attacker_wins, defender_wins, both_removed or flag_captured.",
        |row| Some(row.battle.attack.outcome.name()),
    ),
    Field::boolean(
        "attacker_known",
        "Whether the defender's side knew the attacker before.",
        |row| Some(row.battle.attack.attacker_known),
    ),
    Field::boolean(
        "defender_known",
        "Whether the attacker's side knew the defender before.",
        |row| Some(row.battle.attack.defender_known),
    ),
    Field::text("attacker_piece", "The piece that attacked.", |row| {
        Some(names::piece(row.attacker))
    }),
    Field::text("defender_piece", "The piece that was attacked.", |row| {
        Some(names::piece(row.battle.attack.defender_id))
    }),
];

pub(super) fn rows(game: &Finished<'_>) -> impl Iterator<Item = Row> {
    let id = game.about.id.to_string();
    game.moves().iter().filter_map(move |made| {
        Some(Row {
            game: id.clone(),
            attacker: made.piece,
            battle: made.battle()?,
        })
    })
}
