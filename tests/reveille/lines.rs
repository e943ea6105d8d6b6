//! Short games that end in each way that the rules know, played to the end by tests of other areas.
//!
//! Six columns without a lake (a, b, e, f, i, j) carry one pair of pieces each, so that a line of a
//! dozen moves empties the board.

use serde_json::Value;
use tests::{Game, Side, TestServer, army};

/// A game from its setups to its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) ruleset: &'static str,
    pub(crate) red: &'static str,
    pub(crate) blue: &'static str,
    pub(crate) moves: &'static str,
    /// Who wins, `None` for a draw.
    pub(crate) winner: Option<Side>,
    pub(crate) reason: &'static str,
}

impl Line {
    /// Both setups in their written form.
    pub(crate) fn setups(&self) -> (String, String) {
        (army(Side::Red, self.red), army(Side::Blue, self.blue))
    }

    /// Two new players with both armies in place.
    pub(crate) fn begin(&self, server: &TestServer) -> Game {
        let (red, blue) = self.setups();
        Game::begin(server, self.ruleset, &red, &blue)
    }

    /// The whole game, played.
    pub(crate) fn play(&self, server: &TestServer) -> Game {
        let mut game = self.begin(server);
        game.line(self.moves);
        game
    }

    /// How many plies it has.
    pub(crate) fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The winner as the answers write it.
    pub(crate) fn winner_json(&self) -> Value {
        self.winner.map_or(Value::Null, |side| side.name().into())
    }
}

/// Equal armies face to face; nothing is decided before the first move.
pub(crate) const EVEN: Line = Line {
    ruleset: "barrage",
    red: "Ma4 9b4 3e4 Sf4 2i4 2j4 Fa1 Bb1",
    blue: "Ma7 9b7 3e7 Sf7 2i7 2j7 Fa10 Bb10",
    // Every pair meets and is removed: nobody can move any more.
    moves: "i4xi7 j7xj4 a4-a5 a7-a6 a5xa6 b7-b6 b4-b5 b6xb5 e4-e5 e7-e6 e5xe6 f7-f6 f4-f5 f6xf5",
    winner: None,
    reason: "both_immobile",
};

pub(crate) const RED_TAKES_THE_FLAG: Line = Line {
    ruleset: "barrage",
    red: "2e4 Ma4 9b4 3a3 2j4 Sb3 Fa1 Bb1",
    blue: "Fe7 Ma7 9b7 3i7 2j7 Si8 2a10 Bb10",
    moves: "a4-a5 a7-a8 e4xe7",
    winner: Some(Side::Red),
    reason: "flag_captured",
};

pub(crate) const BLUE_TAKES_THE_FLAG: Line = Line {
    ruleset: "barrage",
    red: "Fe4 Ma4 9b4 3i4 2j4 Si3 2a1 Bb1",
    blue: "2e7 Ma7 9b7 3a8 2j7 Sb8 Fa10 Bb10",
    moves: "a4-a5 e7xe4",
    winner: Some(Side::Blue),
    reason: "flag_captured",
};

pub(crate) const BLUE_HAS_NOTHING_LEFT_TO_MOVE: Line = Line {
    ruleset: "barrage",
    red: "Ma4 9b4 3e4 2f4 2i4 Sj4 Fa1 Bb1",
    blue: "9a7 3b7 2e7 Sf7 2i7 Mj7 Fa10 Bb10",
    moves: "a4-a5 a7-a6 a5xa6 b7-b6 b4-b5 b6xb5 e4-e5 e7-e6 e5xe6 i7xi4 f4xf7 j7-j6 b5-b6 j6-j5 j4xj5",
    winner: Some(Side::Red),
    reason: "no_mobile_pieces",
};

pub(crate) const RED_HAS_NOTHING_LEFT_TO_MOVE: Line = Line {
    ruleset: "barrage",
    red: "9a4 3b4 2e4 Sf4 2i4 Mj4 Fa1 Bb1",
    blue: "Ma7 9b7 3e7 2f7 2i7 Sj7 Fa10 Bb10",
    moves: "a4-a5 a7-a6 a5xa6 b7-b6 b4-b5 b6xb5 e4-e5 e7-e6 e5xe6 f7xf4 i4xi7 b5-b6 j4-j5 b6-b5 j5-j6 j7xj6",
    winner: Some(Side::Blue),
    reason: "no_mobile_pieces",
};

/// Blue's last miner stands walled in by its own bombs.
pub(crate) const BLUE_IS_WALLED_IN: Line = Line {
    ruleset: "duel",
    red: "Ma4 9b4 3e4 2f4 2i4 Sj4 3j1 Fa1 Ba2 Bb1",
    blue: "9a7 3b7 2e7 Sf7 2i7 Mj7 3a10 Ba9 Bb10 Fj10",
    moves: BLUE_HAS_NOTHING_LEFT_TO_MOVE.moves,
    winner: Some(Side::Red),
    reason: "no_legal_move",
};

pub(crate) const RED_IS_WALLED_IN: Line = Line {
    ruleset: "duel",
    red: "9a4 3b4 2e4 Sf4 2i4 Mj4 3j1 Bj2 Bi1 Fa1",
    blue: "Ma7 9b7 3e7 2f7 2i7 Sj7 3j10 Fa10 Ba9 Bb10",
    moves: RED_HAS_NOTHING_LEFT_TO_MOVE.moves,
    winner: Some(Side::Blue),
    reason: "no_legal_move",
};

/// Both sides keep a miner behind their own bombs.
pub(crate) const BOTH_ARE_WALLED_IN: Line = Line {
    ruleset: "duel",
    red: "Ma4 9b4 3e4 Sf4 2i4 2j4 3j1 Bj2 Bi1 Fa1",
    blue: "Ma7 9b7 3e7 Sf7 2i7 2j7 3a10 Ba9 Bb10 Fj10",
    moves: EVEN.moves,
    winner: None,
    reason: "both_immobile",
};

/// Red's spy takes Blue's last mobile piece on its back row, and brings a scout home with the same move:
/// played with `rescue`.
pub(crate) const RED_ENDS_IT_WITH_A_RESCUE: Line = Line {
    ruleset: "barrage",
    red: "Ma4 9b4 3e4 2f4 2i4 Sj4 Fa1 Bb1",
    blue: "9a7 3b7 2e7 Sf7 2i7 Mj10 Fa10 Bb10",
    moves: "a4-a5 a7-a6 a5xa6 b7-b6 b4-b5 b6xb5 e4-e5 e7-e6 e5xe6 i7xi4 f4xf7 j10-i10 j4-j5 i10-j10 j5-j6 \
        j10-i10 j6-j7 i10-h10 j7-j8 h10-i10 j8-j9 i10-j10 j9xj10=2@a2",
    winner: Some(Side::Red),
    reason: "no_mobile_pieces",
};

/// Every way in which the moves themselves end a game, for each side.
pub(crate) const ENDINGS: [Line; 8] = [
    RED_TAKES_THE_FLAG,
    BLUE_TAKES_THE_FLAG,
    BLUE_HAS_NOTHING_LEFT_TO_MOVE,
    RED_HAS_NOTHING_LEFT_TO_MOVE,
    BLUE_IS_WALLED_IN,
    RED_IS_WALLED_IN,
    BOTH_ARE_WALLED_IN,
    EVEN,
];
