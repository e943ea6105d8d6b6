use std::sync::LazyLock;

use domain::{Color, PieceId, RevealedTo, Square};

/// A square by its name.
pub(super) fn square(square: Square) -> &'static str {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| Square::all().map(|square| square.to_string()).collect());
    &NAMES[usize::from(square.index())]
}

/// A square as its owner sees it, by the name that it has for Red: the board is turned about for Blue.
pub(super) fn own_square(owner: Color, on: Square) -> &'static str {
    let index = match owner {
        Color::Red => on.index(),
        Color::Blue => 99 - on.index(),
    };
    Square::new(index).map_or("", square)
}

/// A piece by its identity.
pub(super) fn piece(piece: PieceId) -> &'static str {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| PieceId::all().map(|piece| piece.to_string()).collect());
    &NAMES[piece.index()]
}

/// Whom a rank was told.
pub(super) const fn revealed_to(to: RevealedTo) -> &'static str {
    match to {
        RevealedTo::Side(side) => side.name(),
        RevealedTo::Both => "both",
    }
}
