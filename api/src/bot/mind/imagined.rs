use domain::{BattleOutcome, Color, Move, Options, Rank, RankSet, Ruleset, Square};

use super::distance::around;
use super::sight::{Fallen, Seen, Sight};

/// A game that might be: the position as the bot sees it, with a rank imagined for each piece that it does
/// not know, to be played on by both sides as each would see it. It knows how pieces move and fight;
/// repetition and rescue it leaves out.
#[derive(Debug, Clone)]
pub(super) struct Imagined {
    ruleset: Ruleset,
    options: Options,
    men: Vec<Man>,
    fallen: Vec<Fallen>,
    /// The index of the piece on each square.
    on: [Option<usize>; Square::COUNT],
    turn: Color,
    quiet: u32,
    recent: [Vec<Move>; 2],
    /// Who won, once it is over.
    pub(super) winner: Option<Color>,
}

/// A piece, or one that was removed, which stands nowhere.
#[derive(Debug, Clone, Copy)]
struct Man {
    rank: Rank,
    /// As the other side sees it.
    seen: Seen,
    stands: bool,
}

impl Imagined {
    /// A position with these ranks, one for each of its pieces.
    pub(super) fn new(sight: &Sight, ranks: &[Rank]) -> Self {
        let men: Vec<Man> = sight
            .pieces
            .iter()
            .zip(ranks)
            .map(|(piece, rank)| {
                let exposed = if piece.owner == sight.me {
                    piece.exposed
                } else {
                    piece.rank.is_some()
                };
                let possible = match (exposed, piece.owner == sight.me, piece.moved) {
                    (true, ..) => RankSet::of(*rank),
                    (false, false, _) => piece.possible,
                    (false, true, true) => RankSet::MOVABLE,
                    (false, true, false) => RankSet::ALL,
                };
                let seen = Seen {
                    exposed,
                    possible,
                    rank: exposed.then_some(*rank),
                    ..*piece
                };
                Man {
                    rank: *rank,
                    seen,
                    stands: true,
                }
            })
            .collect();
        let mut on = [None; Square::COUNT];
        for (index, man) in men.iter().enumerate() {
            on[usize::from(man.seen.square.index())] = Some(index);
        }
        let mut recent = [Vec::new(), Vec::new()];
        recent[sight.me as usize].clone_from(&sight.recent);
        Self {
            ruleset: sight.ruleset,
            options: sight.options,
            men,
            fallen: sight.fallen.clone(),
            on,
            turn: sight.me,
            quiet: sight.quiet,
            recent,
            winner: None,
        }
    }

    /// What the side to move sees.
    pub(super) fn sight(&self) -> Sight {
        let me = self.turn;
        let standing = self.men.iter().filter(|man| man.stands);
        let pieces = standing.map(|man| {
            if man.seen.owner == me {
                Seen {
                    rank: Some(man.rank),
                    possible: RankSet::of(man.rank),
                    ..man.seen
                }
            } else {
                man.seen
            }
        });
        Sight {
            me,
            ruleset: self.ruleset,
            options: self.options,
            quiet: self.quiet,
            pieces: pieces.collect(),
            fallen: self.fallen.clone(),
            legal: self.moves(),
            recent: self.recent[me as usize].clone(),
        }
    }

    /// Makes a move of the side to move.
    pub(super) fn play(&mut self, mv: Move) {
        let (from, to) = (usize::from(mv.from.index()), usize::from(mv.to.index()));
        let Some(mover) = self.on[from].take() else {
            return;
        };
        let side = self.turn;
        self.turn = !side;
        self.quiet += 1;
        let recent = &mut self.recent[side as usize];
        if recent.len() == Sight::RECENT {
            recent.remove(0);
        }
        recent.push(mv);
        let far = mv.from.distance(mv.to).is_some_and(|far| far > 1);
        let man = &mut self.men[mover];
        man.seen.moved = true;
        man.seen.square = mv.to;
        man.seen.possible = man.seen.possible & RankSet::MOVABLE;
        if far {
            man.expose();
        }
        let Some(target) = self.on[to] else {
            self.on[to] = Some(mover);
            return;
        };
        self.quiet = 0;
        let (attacker, defender) = (self.men[mover].rank, self.men[target].rank);
        self.men[mover].expose();
        self.men[target].expose();
        let advantage = self.options.aggressor_advantage;
        let outcome = BattleOutcome::of(attacker, defender, advantage);
        if outcome == BattleOutcome::FlagCaptured {
            self.winner = Some(side);
        }
        self.on[to] = outcome.attacker_stands().then_some(mover);
        if outcome.defender_falls() {
            self.fell(target);
        } else {
            self.on[to] = Some(target);
        }
        if !outcome.attacker_stands() {
            self.fell(mover);
        }
    }

    /// Ends the game: the side to move has no move.
    pub(super) fn give_up(&mut self) {
        self.winner = Some(!self.turn);
    }

    /// The pieces that stand, with their ranks.
    pub(super) fn standing(&self) -> impl Iterator<Item = (Color, Rank)> {
        let standing = self.men.iter().filter(|man| man.stands);
        standing.map(|man| (man.seen.owner, man.rank))
    }

    fn fell(&mut self, index: usize) {
        let man = &mut self.men[index];
        man.stands = false;
        self.fallen.push(Fallen {
            owner: man.seen.owner,
            rank: Some(man.rank),
            possible: RankSet::of(man.rank),
            rescued: man.seen.rescued,
        });
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        let movable =
            |man: &&Man| man.stands && man.seen.owner == self.turn && man.rank.is_movable();
        for man in self.men.iter().filter(movable) {
            let from = man.seen.square;
            if man.rank == Rank::Scout {
                for line in lines(from.index()) {
                    for to in line {
                        if !self.step(from, to, &mut moves) {
                            break;
                        }
                    }
                }
            } else {
                for to in around(from.index()).filter_map(Square::new) {
                    self.step(from, to, &mut moves);
                }
            }
        }
        moves
    }

    /// Notes a step if it is one, and says whether a scout may go on beyond it.
    fn step(&self, from: Square, to: Square, moves: &mut Vec<Move>) -> bool {
        if to.is_lake() {
            return false;
        }
        let there = self.on[usize::from(to.index())].map(|index| self.men[index].seen.owner);
        if there != Some(self.turn) {
            moves.push(Move { from, to });
        }
        there.is_none()
    }
}

impl Man {
    fn expose(&mut self) {
        self.seen.exposed = true;
        self.seen.rank = Some(self.rank);
        self.seen.possible = RankSet::of(self.rank);
    }
}

/// The squares on the four lines from one, the closest first.
fn lines(from: u8) -> [impl Iterator<Item = Square>; 4] {
    let (row, column) = (from / 10, from % 10);
    let line = move |steps: u8, offset: i8| {
        (1..=steps).filter_map(move |step| {
            let step = i8::try_from(step).ok()?;
            Square::new(from.checked_add_signed(offset * step)?)
        })
    };
    [
        line(row, -10),
        line(9 - row, 10),
        line(column, -1),
        line(9 - column, 1),
    ]
}
