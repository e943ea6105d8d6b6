//! What each side can know, told by the armies and the log alone, and worked out anew for each ply.

use std::collections::BTreeMap;

use domain::BattleOutcome::{AttackerWins, BothRemoved, DefenderWins, FlagCaptured};
use domain::{
    ByColor, Cause, Color, Event, Frame, MoveView, Options, PieceId, PieceView, Rank, Reveal,
    RevealedTo, Ruleset, Setup, Square, View, Viewpoint,
};

use crate::oracle::{EVERY, Mask, bit, mask, matched, only};
use crate::slow::{battle, moves_at_all};
use crate::support::Table;

/// The armies of a game.
pub(crate) fn placed(table: &Table) -> ByColor<Setup> {
    ByColor::from_fn(|side| {
        let of_side = |event: &Event| match event {
            Event::SetupPlaced { by, setup, .. } if *by == side => Some(*setup),
            _ => None,
        };
        table.events.iter().find_map(of_side).expect("placed")
    })
}

/// A set for each piece; empty for one that does not exist.
pub(crate) type Sets = [Mask; PieceId::COUNT];

/// What really stood where, and who could know it.
pub(crate) struct Truth {
    ruleset: Ruleset,
    options: Options,
    ranks: BTreeMap<PieceId, Rank>,
    log: Vec<MoveView>,
    /// What each piece could be after 0, 1, … plies.
    known: Vec<Sets>,
    disclosed: BTreeMap<PieceId, (u32, Cause, Square)>,
    over: bool,
}

impl Truth {
    pub(crate) fn of(table: &Table) -> Self {
        let public = table
            .game
            .view(None, Viewpoint::Public)
            .expect("open to all");
        let mut truth = Self {
            ruleset: table.game.terms().ruleset,
            options: table.game.terms().options,
            ranks: deployed(table),
            log: public.moves_from(0).collect(),
            known: Vec::new(),
            disclosed: BTreeMap::new(),
            over: table.game.is_open(),
        };
        let requests = table.events.iter().filter_map(|event| match event {
            Event::Moved { rescue, .. } => Some(*rescue),
            _ => None,
        });
        for (seen, request) in truth.log.iter().zip(requests) {
            if let Some(back) = seen.rescue {
                let rescue = request.expect("it was asked for");
                truth.ranks.insert(back.piece, rescue.rank);
            }
        }
        for ply in 0..=truth.log.len() {
            truth.learn(ply);
        }
        truth
    }

    /// Works out what was known after so many plies.
    fn learn(&mut self, ply: usize) {
        let facts = self.facts(ply);
        let same = ply > 0 && facts == self.facts(ply - 1);
        let mut known = facts;
        for owner in Color::ALL {
            let deployed = self.deployed(owner);
            let sets: Vec<Mask> = deployed.iter().map(|piece| facts[piece.index()]).collect();
            let left = if same {
                let before = &self.known[ply - 1];
                deployed.iter().map(|piece| before[piece.index()]).collect()
            } else {
                matched(&sets, self.ruleset.army())
            };
            for (piece, left) in deployed.iter().zip(left) {
                known[piece.index()] = left;
            }
        }
        for (piece, came) in self.returned(ply) {
            // What it could be when it came is what those that had been removed could be then.
            let then = self.known.get(came).unwrap_or(&known);
            let kept = self.removed(came, piece.owner());
            let kept = kept.iter().fold(0, |kept, one| kept | then[one.index()]);
            known[piece.index()] = facts[piece.index()] & kept & !bit(Rank::Bomb);
        }
        let pinned = |piece: &&PieceId| only(known[piece.index()]).is_some();
        let new = |piece: &&PieceId| !self.disclosed.contains_key(piece);
        // What came back unseen is not concluded, whatever it can be.
        let told = |piece: &&PieceId| piece.home().is_some() || self.told(ply, **piece).is_some();
        let news: Vec<PieceId> = self
            .ranks
            .keys()
            .filter(pinned)
            .filter(new)
            .filter(told)
            .copied()
            .collect();
        for piece in news {
            let cause = self.told(ply, piece).unwrap_or(Cause::Deduced);
            let since = u32::try_from(ply).expect("small");
            let square = self.squares(ply)[&piece];
            self.disclosed.insert(piece, (since, cause, square));
        }
        self.known.push(known);
    }

    /// The pieces of a side that stood at the start.
    pub(crate) fn deployed(&self, owner: Color) -> Vec<PieceId> {
        let own = self.ranks.keys().filter(|piece| piece.owner() == owner);
        own.filter(|piece| piece.home().is_some())
            .copied()
            .collect()
    }

    /// What was seen of each piece itself in the first so many plies, and nothing concluded from
    /// one piece to another; of one that came back unseen, what was seen since.
    pub(crate) fn facts(&self, plies: usize) -> Sets {
        let mut facts = [0; PieceId::COUNT];
        let army = self.ruleset.army();
        let listed = Rank::ALL.into_iter().filter(|rank| army[*rank] > 0);
        let listed = listed.map(bit).sum();
        for piece in self.ranks.keys().filter(|piece| piece.home().is_some()) {
            facts[piece.index()] = listed;
        }
        for seen in &self.log[..plies] {
            let mut tell = |piece: PieceId, left: Mask| facts[piece.index()] &= left;
            if seen.distance > 1 {
                tell(seen.piece, bit(Rank::Scout));
            }
            if seen.forfeited {
                continue;
            }
            tell(seen.piece, all_that(moves_at_all));
            if let Some(attack) = seen.attack {
                let attacker = self.ranks[&seen.piece];
                tell(seen.piece, bit(attacker));
                if self.declares(seen) {
                    tell(attack.defender_id, bit(self.ranks[&attack.defender_id]));
                } else {
                    let end = (
                        attack.outcome == AttackerWins,
                        attack.outcome == DefenderWins,
                    );
                    let advantage = self.options.aggressor_advantage;
                    let fits =
                        |rank| rank != Rank::Flag && battle(attacker, rank, advantage) == end;
                    tell(attack.defender_id, all_that(fits));
                }
            }
            if let Some(back) = seen.rescue {
                tell(seen.piece, all_that(|rank| rank != Rank::Scout));
                let open = !self.options.silent_defense;
                facts[back.piece.index()] = if open {
                    bit(self.ranks[&back.piece])
                } else {
                    EVERY
                };
            }
        }
        facts
    }

    /// Whether the defender's rank is told.
    fn declares(&self, seen: &MoveView) -> bool {
        let outcome = seen.attack.map(|attack| attack.outcome);
        !self.options.silent_defense
            || self.ranks[&seen.piece] == Rank::Scout
            || matches!(outcome, Some(BothRemoved | FlagCaptured))
    }

    /// How the last of so many plies told a piece's rank outright.
    fn told(&self, plies: usize, piece: PieceId) -> Option<Cause> {
        let seen = &self.log[plies.checked_sub(1)?];
        let defends = |attack: domain::AttackView| attack.defender_id == piece;
        if seen.piece == piece && seen.attack.is_some() {
            Some(Cause::Attacked)
        } else if seen.piece == piece && seen.distance > 1 {
            Some(Cause::ScoutMove)
        } else if seen.attack.is_some_and(defends) && self.declares(seen) {
            Some(Cause::WasAttacked)
        } else if seen.rescue.is_some_and(|back| back.piece == piece) {
            (!self.options.silent_defense).then_some(Cause::Rescue)
        } else {
            None
        }
    }

    /// The pieces that came back unseen in the first so many plies, and after how many.
    fn returned(&self, plies: usize) -> Vec<(PieceId, usize)> {
        let silent = self.options.silent_defense;
        let log = (1..).zip(&self.log[..plies]).filter(|_| silent);
        log.filter_map(|(ply, seen)| Some((seen.rescue?.piece, ply)))
            .collect()
    }

    /// The pieces of a side that were removed in the first so many plies.
    pub(crate) fn removed(&self, plies: usize, owner: Color) -> Vec<PieceId> {
        let fights = self.log[..plies].iter();
        let fights = fights.filter_map(|seen| Some((seen.piece, seen.attack?)));
        let fell = fights.flat_map(|(attacker, attack)| {
            let defender = attack.defender_id;
            match attack.outcome {
                AttackerWins | FlagCaptured => vec![defender],
                DefenderWins => vec![attacker],
                BothRemoved => vec![attacker, defender],
            }
        });
        fell.filter(|piece| piece.owner() == owner).collect()
    }

    /// Where each piece was after so many plies, or had fallen.
    fn squares(&self, plies: usize) -> BTreeMap<PieceId, Square> {
        let homes = self
            .ranks
            .keys()
            .filter_map(|piece| Some((*piece, piece.home()?)));
        let mut squares: BTreeMap<PieceId, Square> = homes.collect();
        for seen in self.log[..plies].iter().filter(|seen| !seen.forfeited) {
            squares.insert(seen.piece, seen.mv.to);
            if let Some(back) = seen.rescue {
                squares.insert(back.piece, back.square);
            }
        }
        squares
    }

    /// Whether a side's sets are as small as they can be after so many plies.
    pub(crate) fn is_exact(&self, owner: Color, plies: usize) -> bool {
        let returned = self.returned(plies);
        returned.iter().all(|(piece, _)| piece.owner() != owner)
    }

    /// What a viewpoint can tell of a piece after so many plies.
    pub(crate) fn possible(&self, piece: PieceId, viewpoint: Viewpoint, ply: u32) -> Mask {
        let own = match viewpoint {
            Viewpoint::Red => piece.owner() == Color::Red,
            Viewpoint::Blue => piece.owner() == Color::Blue,
            Viewpoint::Public => false,
            Viewpoint::Omniscient => true,
        };
        let known = self.known[usize::try_from(ply).expect("small")][piece.index()];
        match self.ranks.get(&piece) {
            Some(rank) if own && known != 0 => bit(*rank),
            _ => known,
        }
    }

    fn rank(&self, piece: PieceId, viewpoint: Viewpoint, ply: u32) -> Option<Rank> {
        let rank = only(self.possible(piece, viewpoint, ply))?;
        assert_eq!(rank, self.ranks[&piece]);
        let own = [Viewpoint::of(Some(piece.owner())), Viewpoint::Omniscient];
        let known = own.contains(&viewpoint) || self.since(piece, ply).is_some();
        known.then_some(rank)
    }

    fn since(&self, piece: PieceId, ply: u32) -> Option<u32> {
        let since = self.disclosed.get(&piece)?.0;
        (since <= ply).then_some(since)
    }

    /// Compares all that a view tells, and the boards after some plies.
    pub(crate) fn compare(&self, view: &View<'_>, plies: &[u32]) {
        let (viewpoint, end) = (view.viewpoint(), view.game().ply());
        self.compare_pieces(&view.pieces(), viewpoint, end);
        for ply in plies {
            let Frame { pieces, .. } = view.frame(*ply).expect("played");
            self.compare_pieces(&pieces, viewpoint, *ply);
        }
        for piece in view.captured() {
            let rank = self.rank(piece.id, viewpoint, end);
            assert_eq!(piece.rank, rank, "{}", piece.id);
        }
        for seen in view.moves_from(0) {
            let after = seen.ply + 1;
            assert_eq!(seen.rank, self.rank(seen.piece, viewpoint, after));
            if let Some(attack) = seen.attack {
                assert_eq!(attack.attacker, self.ranks[&seen.piece]);
                let defender = self.rank(attack.defender_id, viewpoint, after);
                assert_eq!(attack.defender, defender);
            }
            if let Some(back) = seen.rescue {
                assert_eq!(back.rank, self.rank(back.piece, viewpoint, after));
            }
            let told = seen.reveals.iter();
            let told: Vec<_> = told
                .map(|one| (one.piece, (one.ply, one.cause, one.square)))
                .collect();
            let new = self.disclosed.iter().filter(|(_, known)| known.0 == after);
            let mut new: Vec<_> = new.map(|(piece, known)| (*piece, *known)).collect();
            new.sort_by_key(|(_, (_, cause, _))| *cause == Cause::Deduced);
            assert_eq!(told, new, "ply {}", seen.ply);
        }
        for fought in view.battles() {
            let seen = &self.log[usize::try_from(fought.ply).expect("small") - 1];
            let known = |piece| self.since(piece, seen.ply).is_some();
            assert_eq!(fought.attack.attacker_known, known(seen.piece));
            assert_eq!(
                fought.attack.defender_known,
                known(fought.attack.defender_id)
            );
            let defender = self.rank(fought.attack.defender_id, viewpoint, fought.ply);
            assert_eq!(fought.attack.defender, defender);
        }
        self.compare_reveals(view, end);
    }

    fn compare_pieces(&self, pieces: &[PieceView], viewpoint: Viewpoint, ply: u32) {
        let plies = usize::try_from(ply).expect("small");
        for piece in pieces {
            let name = format!("{} after {ply}", piece.id);
            let rank = self.rank(piece.id, viewpoint, ply);
            assert_eq!(piece.rank, rank, "{name}");
            assert_eq!(piece.revealed_ply, self.since(piece.id, ply), "{name}");
            let told = piece
                .possible
                .map(|possible| (mask(possible.ranks), possible.exact));
            let possible = self.possible(piece.id, viewpoint, ply);
            let exact = self.is_exact(piece.id.owner(), plies);
            assert_eq!(told, rank.is_none().then_some((possible, exact)), "{name}");
            assert_ne!(
                possible & bit(self.ranks[&piece.id]),
                0,
                "{name} is what it is"
            );
        }
    }

    fn compare_reveals(&self, view: &View<'_>, end: u32) {
        let reveals = view.reveals();
        let at_the_end = |reveal: &&Reveal| reveal.cause == Cause::GameOver;
        let (last, ordinary): (Vec<Reveal>, Vec<Reveal>) = reveals.iter().partition(at_the_end);
        assert!(ordinary.is_sorted_by_key(|reveal| reveal.ply));
        let told: BTreeMap<_, _> = ordinary
            .iter()
            .map(|reveal| (reveal.piece, (reveal.ply, reveal.cause, reveal.square)))
            .collect();
        assert_eq!(told.len(), ordinary.len(), "each piece once");
        assert_eq!(told, self.disclosed);
        for reveal in &reveals {
            assert_eq!(reveal.rank, self.ranks[&reveal.piece]);
        }
        let opponents = ordinary
            .iter()
            .all(|reveal| reveal.to == RevealedTo::Side(!reveal.piece.owner()));
        assert!(opponents);
        if self.over {
            assert_eq!(reveals.len(), self.ranks.len(), "all is told at the end");
            let squares = self.squares(self.log.len());
            for reveal in &last {
                assert_eq!((reveal.ply, reveal.to), (end, RevealedTo::Both));
                assert_eq!(reveal.square, squares[&reveal.piece]);
            }
            assert_eq!(reveals[ordinary.len()..], last, "they come last");
        } else {
            assert!(last.is_empty());
        }
    }
}

fn all_that(fits: impl Fn(Rank) -> bool) -> Mask {
    let fitting = Rank::ALL.into_iter().filter(|rank| fits(*rank));
    fitting.map(bit).sum()
}

/// What stood on each square at the start.
fn deployed(table: &Table) -> BTreeMap<PieceId, Rank> {
    let mut ranks = BTreeMap::new();
    let setups = placed(table);
    for owner in Color::ALL {
        let text = setups[owner].to_string();
        for (cell, ch) in (0_u8..).zip(text.chars()) {
            let (row, column) = (cell / 10, cell % 10);
            let index = match owner {
                Color::Red => (3 - row) * 10 + column,
                Color::Blue => (6 + row) * 10 + 9 - column,
            };
            let piece = Square::new(index).and_then(PieceId::deployed_on);
            if let (Some(piece), Some(rank)) = (piece, Rank::from_char(ch)) {
                ranks.insert(piece, rank);
            }
        }
    }
    ranks
}
