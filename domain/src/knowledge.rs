mod clue;

use crate::color::{ByColor, Color};
use crate::hidden::HiddenArmy;
use crate::piece::PieceId;
use crate::position::{Position, Turn};
use crate::rank::{ByRank, Rank};
use crate::rank_set::RankSet;
use crate::ruleset::{Options, Ruleset};

pub(crate) use clue::{Clue, clues};

/// What each side has learnt of the other's pieces, exactly (`knowledge.md` 2): it follows a game
/// ply by ply and looks at nothing but what the other side is told.
///
/// Every opponent's knowledge is public as well: whatever an opponent learns is announced.
#[derive(Clone)]
pub(crate) struct Knowledge {
    /// After how many moves each piece was known, or `UNKNOWN`. How, and where it stood, is in the
    /// log (`disclosure.rs`).
    since: [u32; PieceId::COUNT],
    /// What each piece can still be; of a piece that there is not, nothing.
    possible: [RankSet; PieceId::COUNT],
    /// One bit a piece: it was removed.
    fallen: u128,
    /// The ranks of the deployed pieces that are not known.
    unknown: ByColor<ByRank<u8>>,
    /// A piece came back unseen; the sets of its side may be wider than they could be.
    returned: ByColor<bool>,
}

const UNKNOWN: u32 = u32::MAX;

impl Knowledge {
    /// Before the armies stand.
    pub(crate) const fn new() -> Self {
        Self {
            since: [UNKNOWN; PieceId::COUNT],
            possible: [RankSet::EMPTY; PieceId::COUNT],
            fallen: 0,
            unknown: ByColor {
                red: ByRank::new([0; 12]),
                blue: ByRank::new([0; 12]),
            },
            returned: ByColor {
                red: false,
                blue: false,
            },
        }
    }

    /// At the start: the squares of the pieces and the list of the army are public.
    pub(crate) fn at_start(ruleset: Ruleset, position: &Position) -> Self {
        let mut knowledge = Self::new();
        let army = ruleset.army();
        let ranks = army.iter().filter(|(_, count)| **count > 0);
        let possible = ranks.map(|(rank, _)| rank).collect();
        knowledge.unknown = ByColor::from_fn(|_| army);
        for (piece, _) in position.standing() {
            knowledge.possible[piece.index()] = possible;
        }
        for owner in Color::ALL {
            knowledge.deduce(owner, 0);
        }
        knowledge
    }

    /// The number of moves after which a piece was known to the other side, if it is.
    pub(crate) fn since(&self, piece: PieceId) -> Option<u32> {
        Some(self.since[piece.index()]).filter(|ply| *ply != UNKNOWN)
    }

    /// What a piece can still be; its rank alone once it is known.
    pub(crate) const fn possible(&self, piece: PieceId) -> RankSet {
        self.possible[piece.index()]
    }

    /// Whether no smaller sets than [`possible`](Self::possible) follow from what was seen of a
    /// side.
    pub(crate) fn is_exact(&self, owner: Color) -> bool {
        !self.returned[owner]
    }

    /// The pieces that became known with the ply after which `ply` moves were made.
    pub(crate) fn told_at(&self, ply: u32) -> impl Iterator<Item = PieceId> {
        PieceId::all().filter(move |piece| self.since(*piece) == Some(ply))
    }

    /// What is not known of a side's deployed pieces. A piece that came back unseen is left out
    /// (`knowledge.md` 2): as the one that fell, it is counted already.
    pub(crate) fn hidden(&self, owner: Color) -> HiddenArmy {
        let sets = self.unknown_pieces(owner).map(|piece| self.possible(piece));
        HiddenArmy::new(sets, self.unknown[owner])
    }

    /// Takes in what a ply tells, and says of which sides it told something new.
    pub(crate) fn observe(&mut self, ply: u32, turn: &Turn, options: &Options) -> ByColor<bool> {
        self.bury(turn);
        let mut news = ByColor {
            red: false,
            blue: false,
        };
        clues(turn, options, |piece, clue| {
            news[piece.owner()] |= self.take(ply, piece, clue, options);
        });
        for owner in Color::ALL {
            if news[owner] {
                self.deduce(owner, ply);
            }
        }
        if let Some(rescued) = turn.rescue
            && options.silent_defense
        {
            self.take_return(rescued.piece);
            news[turn.side] = true;
        }
        news
    }

    fn bury(&mut self, turn: &Turn) {
        if let Some(battle) = turn.battle {
            if !battle.outcome.attacker_stands() {
                self.fallen |= 1 << turn.piece.index();
            }
            if battle.outcome.defender_falls() {
                self.fallen |= 1 << battle.defender.index();
            }
        }
    }

    /// Whether the clue is news.
    fn take(&mut self, ply: u32, piece: PieceId, clue: Clue, options: &Options) -> bool {
        if self.since(piece).is_some() {
            return false;
        }
        if let Some((rank, _)) = clue.disclosed() {
            self.disclose(piece, rank, ply);
            return true;
        }
        let before = self.possible(piece);
        self.possible[piece.index()] = before & clue.leaves(options);
        self.possible(piece) != before
    }

    /// Under silent defence the piece may be any of those in its owner's keeping, but for bombs. It
    /// is not concluded what it is, even when one rank is left: only its own moves and battles
    /// disclose it.
    fn take_return(&mut self, piece: PieceId) {
        let owner = piece.owner();
        let kept = PieceId::all()
            .filter(|kept| kept.owner() == owner && self.fallen >> kept.index() & 1 == 1)
            .fold(RankSet::EMPTY, |ranks, kept| ranks | self.possible(kept));
        self.possible[piece.index()] = kept & RankSet::MOVABLE;
        self.returned[owner] = true;
    }

    /// Elimination in full: of each piece of a side stays what some assignment of the army to all
    /// of them allows; one for which a single rank is left is known from here on.
    fn deduce(&mut self, owner: Color, ply: u32) {
        let hidden = self.hidden(owner);
        let closed = hidden.closed_sets();
        for piece in PieceId::deployed(owner) {
            if self.since(piece).is_some() || self.possible(piece).is_empty() {
                continue;
            }
            let possible = closed.possible(self.possible(piece));
            self.possible[piece.index()] = possible;
            if let Some(rank) = possible.only() {
                self.disclose(piece, rank, ply);
            }
        }
    }

    fn disclose(&mut self, piece: PieceId, rank: Rank, ply: u32) {
        if self.since(piece).is_some() {
            return;
        }
        self.since[piece.index()] = ply;
        self.possible[piece.index()] = RankSet::of(rank);
        if piece.home().is_some() {
            self.unknown[piece.owner()][rank] -= 1;
        }
    }

    fn unknown_pieces(&self, owner: Color) -> impl Iterator<Item = PieceId> {
        PieceId::deployed(owner)
            .filter(|piece| self.since(*piece).is_none() && !self.possible(*piece).is_empty())
    }
}
