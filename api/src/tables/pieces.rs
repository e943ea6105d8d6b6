use domain::{Cause, PieceId, Rank, WeighedReveal};

use super::column::Field;
use super::finished::Finished;
use super::names;
use crate::wire::bits::Bits;

/// A piece, and what became of it.
pub(super) struct Row {
    game: String,
    piece: PieceId,
    rank: Option<Rank>,
    first_moved: Option<u32>,
    /// Before the end of the game.
    reveal: Option<WeighedReveal>,
    removed: Option<u32>,
}

pub(super) const FIELDS: &[Field<Row>] = &[
    Field::text("game_id", "The game.", |row| Some(&row.game)),
    Field::text(
        "piece_id",
        "The piece: its owner and home, or which rescue it was.",
        |row| Some(names::piece(row.piece)),
    ),
    Field::text("color", "Whose it is: red or blue.", |row| {
        Some(row.piece.owner().name())
    }),
    Field::text("rank", "Its rank.", |row| row.rank.map(Rank::name)),
    Field::text(
        "home",
        "Where it was deployed; null for one that a rescue brought back.",
        |row: &Row| row.piece.home().map(names::square),
    )
    .nullable(),
    Field::text(
        "own_home",
        "The same as its owner sees it: a4 to j4 are the front row of both.",
        |row: &Row| {
            row.piece
                .home()
                .map(|home| names::own_square(row.piece.owner(), home))
        },
    )
    .nullable(),
    Field::int(
        "first_moved_ply",
        "The ply of its first move; null when it never moved.",
        |row: &Row| row.first_moved,
    )
    .nullable(),
    Field::int(
        "revealed_ply",
        "After which ply the other side knew it; null when only the end told.",
        |row: &Row| row.reveal.map(|told| told.reveal.ply),
    )
    .nullable(),
    Field::text(
        "cause",
        "How: attacked, was_attacked, scout_move, deduced or rescue.",
        |row: &Row| row.reveal.map(|told| told.reveal.cause.name()),
    )
    .nullable(),
    Field::double(
        "bits",
        "What its side hid less from then on, if it moved or fought; else 0.",
        |row: &Row| row.reveal.map(|told| Bits(told.bits).rounded()),
    )
    .nullable(),
    Field::int(
        "removed_ply",
        "The ply with which it was removed; null when it stood at the end.",
        |row: &Row| row.removed,
    )
    .nullable(),
];

pub(super) fn rows(game: &Finished<'_>) -> impl Iterator<Item = Row> + use<> {
    let id = game.about.id.to_string();
    let mut of_piece: [Option<Row>; PieceId::COUNT] = [const { None }; PieceId::COUNT];
    let mut appear = |piece: PieceId, rank| {
        of_piece[piece.index()] = Some(Row {
            game: id.clone(),
            piece,
            rank,
            first_moved: None,
            reveal: None,
            removed: None,
        });
    };
    for piece in game
        .view
        .frame(0)
        .map_or_else(Vec::new, |frame| frame.pieces)
    {
        appear(piece.id, piece.rank);
    }
    for rescue in game.moves().iter().filter_map(|made| made.rescue) {
        appear(rescue.piece, rescue.rank);
    }
    for made in game.moves().iter().filter(|made| !made.forfeited) {
        if let Some(row) = &mut of_piece[made.piece.index()] {
            row.first_moved.get_or_insert(made.ply + 1);
        }
    }
    for told in &game.timeline().reveals {
        let row = &mut of_piece[told.reveal.piece.index()];
        if let (Some(row), true) = (row, told.reveal.cause != Cause::GameOver) {
            row.reveal = Some(*told);
        }
    }
    for captured in game.view.captured() {
        if let Some(row) = &mut of_piece[captured.id.index()] {
            row.removed = Some(captured.ply);
        }
    }
    of_piece.into_iter().flatten()
}
