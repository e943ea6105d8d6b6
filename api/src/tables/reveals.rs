use domain::WeighedReveal;

use super::column::Field;
use super::finished::Finished;
use super::names;
use crate::wire::bits::Bits;

/// A rank that became known.
pub(super) struct Row {
    game: String,
    told: WeighedReveal,
}

pub(super) const FIELDS: &[Field<Row>] = &[
    Field::text("game_id", "The game.", |row| Some(&row.game)),
    Field::int(
        "ply",
        "The move after which it was known, from 1; 0 for the start.",
        |row| Some(row.told.reveal.ply),
    ),
    Field::text("piece_id", "The piece.", |row| {
        Some(names::piece(row.told.reveal.piece))
    }),
    Field::text("owner", "Whose it is: red or blue.", |row| {
        Some(row.told.reveal.piece.owner().name())
    }),
    Field::text("rank", "Its rank.", |row| Some(row.told.reveal.rank.name())),
    Field::text("square", "Where it ended its move, or fell.", |row| {
        Some(names::square(row.told.reveal.square))
    }),
    Field::text(
        "cause",
        "How, as in pieces; game_over for what was hidden to the end.",
        |row| Some(row.told.reveal.cause.name()),
    ),
    Field::text(
        "to",
        "Who learnt it: red, blue, or both with the end of the game.",
        |row| Some(names::revealed_to(row.told.reveal.to)),
    ),
    Field::double(
        "bits",
        "What its side hid less from then on, if it moved or fought; else 0.",
        |row| Some(Bits(row.told.bits).rounded()),
    ),
];

pub(super) fn rows(game: &Finished<'_>) -> impl Iterator<Item = Row> {
    let id = game.about.id.to_string();
    game.timeline().reveals.iter().map(move |told| Row {
        game: id.clone(),
        told: *told,
    })
}
