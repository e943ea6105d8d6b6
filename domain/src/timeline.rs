use crate::color::{ByColor, Color};
use crate::disclosure::Cause;
use crate::game::{Entry, Game};
use crate::piece::PieceId;
use crate::seen::Reveal;
use crate::view::View;

/// What was hidden after a number of moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InformationPoint {
    /// The number of moves.
    pub ply: u32,
    /// The [bits](crate::HiddenArmy::bits) that each side hid from the other.
    pub hidden_bits: ByColor<f64>,
}

/// A reveal with its weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeighedReveal {
    /// The reveal.
    pub reveal: Reveal,
    /// The fall in its side's hidden bits with that ply, if the piece itself moved or fought on it;
    /// else 0 (`knowledge.md` 3).
    pub bits: f64,
}

/// How a game gave up its secrets (`knowledge.md` 3 and 4).
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// Every reveal, in the order of plies.
    pub reveals: Vec<WeighedReveal>,
    /// A point for each ply, 0 included; the last is what was hidden before the end disclosed it.
    pub information: Vec<InformationPoint>,
}

impl View<'_> {
    /// The reveals and the hidden bits of both sides, which are the same for every viewpoint; of a
    /// game that has not begun, none.
    pub fn timeline(&self) -> Timeline {
        let information = information(self.game());
        let bits_at = |ply: u32, owner: Color| {
            let place = usize::try_from(ply).ok()?;
            Some(information.get(place)?.hidden_bits[owner])
        };
        let fall = |reveal: &Reveal| {
            let before = bits_at(reveal.ply.checked_sub(1)?, reveal.piece.owner())?;
            Some(before - bits_at(reveal.ply, reveal.piece.owner())?)
        };
        let weigh = |reveal: Reveal| {
            let told = reveal.cause != Cause::GameOver;
            let bits = if told && self.took_part(reveal.piece, reveal.ply) {
                fall(&reveal)
            } else {
                None
            };
            WeighedReveal {
                reveal,
                bits: bits.unwrap_or(0.0),
            }
        };
        Timeline {
            reveals: self.reveals().into_iter().map(weigh).collect(),
            information,
        }
    }

    /// Whether a piece moved, attacked or was attacked with the ply after which `ply` moves were
    /// made.
    fn took_part(&self, piece: PieceId, ply: u32) -> bool {
        let entry = usize::try_from(ply).ok().and_then(|ply| ply.checked_sub(1));
        let entry = entry.and_then(|entry| self.game().log.get(entry));
        entry.is_some_and(|Entry { turn, .. }| {
            let attacked = turn.battle.is_some_and(|battle| battle.defender == piece);
            turn.piece == piece || attacked
        })
    }
}

fn information(game: &Game) -> Vec<InformationPoint> {
    let Some(mut knowledge) = game.knowledge_at(0) else {
        return Vec::new();
    };
    let mut hidden_bits = ByColor::from_fn(|owner| knowledge.hidden(owner).bits());
    let mut information = Vec::with_capacity(game.log.len() + 1);
    information.push(InformationPoint {
        ply: 0,
        hidden_bits,
    });
    for (ply, entry) in (1..).zip(game.log.iter()) {
        let news = knowledge.observe(ply, &entry.turn, &game.terms().options);
        for owner in Color::ALL {
            if news[owner] {
                hidden_bits[owner] = knowledge.hidden(owner).bits();
            }
        }
        information.push(InformationPoint { ply, hidden_bits });
    }
    information
}
