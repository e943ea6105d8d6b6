use domain::{Color, Move};
use uuid::Uuid;

use super::mind::{Fallen, Seen, Sight, ranks};
use super::reply::{Game, LegalMoves};

impl Game {
    /// Which side a player has.
    pub(super) fn side_of(&self, player: Uuid) -> Option<Color> {
        if self.red.player.id == player {
            Some(Color::Red)
        } else if self.blue.player.id == player {
            Some(Color::Blue)
        } else {
            None
        }
    }

    /// Whether a side's army stands.
    pub(super) const fn has_placed(&self, side: Color) -> bool {
        match side {
            Color::Red => self.red.setup_placed,
            Color::Blue => self.blue.setup_placed,
        }
    }

    /// The name of a side's opponent.
    pub(super) fn opponent_of(&self, side: Color) -> &str {
        match side {
            Color::Red => &self.blue.player.username,
            Color::Blue => &self.red.player.username,
        }
    }

    /// What the bot goes by, with the moves that it may make and its own last ones.
    pub(super) fn sight(&self, me: Color, legal: &LegalMoves, recent: &[Move]) -> Sight {
        let last_battle = self.captured.iter().map(|fallen| fallen.ply).max();
        let pieces = self.pieces.iter().map(|piece| Seen {
            owner: piece.id.owner(),
            square: piece.square,
            rank: piece.rank,
            possible: ranks(piece.rank, piece.possible),
            moved: piece.moved,
            exposed: piece.revealed_ply.is_some(),
            rescued: piece.id.home().is_none(),
        });
        let fallen = self.captured.iter().map(|fallen| Fallen {
            owner: fallen.id.owner(),
            rank: fallen.rank,
            possible: ranks(fallen.rank, fallen.possible),
            rescued: fallen.id.home().is_none(),
        });
        let moves = legal.moves.iter().map(|mv| Move {
            from: mv.from,
            to: mv.to,
        });
        Sight {
            me,
            ruleset: self.ruleset,
            options: self.options.options(),
            quiet: self.ply.saturating_sub(last_battle.unwrap_or(0)),
            pieces: pieces.collect(),
            fallen: fallen.collect(),
            legal: moves.collect(),
            recent: recent.to_vec(),
        }
    }
}
