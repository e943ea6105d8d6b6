use crate::game::Game;
use crate::knowledge::{Clue, clues};
use crate::piece::PieceId;
use crate::rank::Rank;
use crate::rank_set::RankSet;
use crate::view::View;
use crate::viewpoint::Viewpoint;

/// Something that was seen of a piece and left fewer ranks for it (`knowledge.md` 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The viewer placed it himself.
    Own,
    /// The list of the army.
    Army,
    /// It moved.
    Moved,
    /// It moved, or tried to move, more than one square.
    ScoutMove,
    /// It attacked.
    Attacked,
    /// It was attacked, and declared itself or was found to be equal.
    WasAttacked,
    /// Under silent defence, it stayed when this rank attacked it.
    Withstood(Rank),
    /// Under silent defence, this rank removed it.
    FellTo(Rank),
    /// It rescued a piece, which scouts do not.
    Rescuer,
    /// It was rescued in open play.
    Rescued,
    /// It was rescued under silent defence: any that its owner kept, but for bombs.
    Returned,
    /// Other pieces account for every one of these ranks.
    Elimination(RankSet),
    /// The game ended.
    GameOver,
}

impl Evidence {
    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Army => "army",
            Self::Moved => "moved",
            Self::ScoutMove => "scout_move",
            Self::Attacked => "attacked",
            Self::WasAttacked => "was_attacked",
            Self::Withstood(_) => "withstood",
            Self::FellTo(_) => "fell_to",
            Self::Rescuer => "rescuer",
            Self::Rescued => "rescued",
            Self::Returned => "returned",
            Self::Elimination(_) => "elimination",
            Self::GameOver => "game_over",
        }
    }
}

impl From<Clue> for Evidence {
    fn from(clue: Clue) -> Self {
        match clue {
            Clue::Moved => Self::Moved,
            Clue::ScoutMove => Self::ScoutMove,
            Clue::Attacked(_) => Self::Attacked,
            Clue::WasAttacked(_) => Self::WasAttacked,
            Clue::Withstood(attacker) => Self::Withstood(attacker),
            Clue::FellTo(attacker) => Self::FellTo(attacker),
            Clue::Rescuer => Self::Rescuer,
            Clue::Rescued(_) => Self::Rescued,
        }
    }
}

/// A step of what is known of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation {
    /// The number of moves after which it was seen.
    pub ply: u32,
    /// What was seen.
    pub evidence: Evidence,
    /// What the piece could still be then.
    pub leaves: RankSet,
}

/// All that the other side has seen of each piece, in order.
#[derive(Debug, Clone)]
pub struct Chronicle(Vec<Vec<Observation>>);

impl Chronicle {
    fn of(game: &Game) -> Self {
        let mut chronicle = Self(vec![Vec::new(); PieceId::COUNT]);
        let Some(mut knowledge) = game.knowledge_at(0) else {
            return chronicle;
        };
        let options = &game.terms().options;
        let army = game.terms().ruleset.army();
        let army: RankSet = army
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(rank, _)| rank)
            .collect();
        let mut seen = [RankSet::EMPTY; PieceId::COUNT];
        for piece in PieceId::all().filter(|piece| !knowledge.possible(*piece).is_empty()) {
            chronicle.note(&mut seen, 0, piece, Evidence::Army, army);
        }
        chronicle.note_eliminations(&mut seen, 0, |piece| knowledge.possible(piece));
        for (ply, entry) in (1..).zip(game.log.iter()) {
            clues(&entry.turn, options, |piece, clue| {
                let before = seen[piece.index()];
                let leaves = match before {
                    RankSet::EMPTY => clue.leaves(options),
                    some => some & clue.leaves(options),
                };
                chronicle.note(&mut seen, ply, piece, clue.into(), leaves);
            });
            let news = knowledge.observe(ply, &entry.turn, options);
            if news.red || news.blue {
                chronicle.note_eliminations(&mut seen, ply, |piece| knowledge.possible(piece));
            }
        }
        chronicle
    }

    fn note(
        &mut self,
        seen: &mut [RankSet; PieceId::COUNT],
        ply: u32,
        piece: PieceId,
        evidence: Evidence,
        leaves: RankSet,
    ) {
        if seen[piece.index()] != leaves {
            seen[piece.index()] = leaves;
            self.0[piece.index()].push(Observation {
                ply,
                evidence,
                leaves,
            });
        }
    }

    /// What a piece lost beyond what was seen of itself, it lost to the others.
    fn note_eliminations(
        &mut self,
        seen: &mut [RankSet; PieceId::COUNT],
        ply: u32,
        possible: impl Fn(PieceId) -> RankSet,
    ) {
        for piece in PieceId::all() {
            let (before, leaves) = (seen[piece.index()], possible(piece));
            let evidence = if before.is_empty() {
                Evidence::Returned
            } else {
                Evidence::Elimination(before.without(leaves))
            };
            self.note(seen, ply, piece, evidence, leaves);
        }
    }
}

impl View<'_> {
    /// What was seen of every piece up to now; the same for every viewpoint.
    pub fn chronicle(&self) -> Chronicle {
        Chronicle::of(self.game())
    }

    /// The observations that prove what the viewpoint knew of a piece after `ply` moves, in order.
    /// `None` if there was no such piece then.
    pub fn why(&self, chronicle: &Chronicle, piece: PieceId, ply: u32) -> Option<Vec<Observation>> {
        let seen = chronicle.0[piece.index()].iter();
        let mut seen: Vec<Observation> = seen.filter(|seen| seen.ply <= ply).copied().collect();
        let first = seen.first()?.ply;
        let open = self.viewpoint() == Viewpoint::Omniscient;
        let known = self.rank_of(piece, ply).map(RankSet::of);
        match known {
            Some(leaves) if open && seen.last().is_some_and(|last| last.leaves != leaves) => {
                seen.push(Observation {
                    ply: self.game().ply(),
                    evidence: Evidence::GameOver,
                    leaves,
                });
            }
            Some(leaves) if !open && self.viewpoint().owns(piece.owner()) => {
                seen = vec![Observation {
                    ply: first,
                    evidence: Evidence::Own,
                    leaves,
                }];
            }
            _ => {}
        }
        Some(seen)
    }
}
