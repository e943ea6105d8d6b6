use domain::{BattleOutcome, ByRank, Color, Move, Rank, Square};

use super::distance::{FAR, Way, around, steps_to};
use super::odds::{Hidden, Odds};
use super::sight::{Seen, Sight};
use super::worth::Worth;

/// What a step further away takes of a target's pull.
const FADING: f32 = 0.86;
/// The share of its worth that a piece loses when the other side learns what it is.
const SECRECY: f32 = 0.12;
/// What learning a rank is worth, and the share of the piece's likely worth on top of it.
const NEWS: (f32, f32) = (4.0, 0.1);
/// What it costs to show that a piece can move.
const STIRRING: f32 = 1.0;
/// What a target near the own flag is worth on top, less with each step from it.
const ALARM: f32 = 200.0;
/// How close to the own flag an enemy must be to be feared, in steps.
const FLAG_ZONE: u8 = 4;
/// Quiet plies after which a bot begins to long for a fight, when the game has no limit of its own.
const PATIENCE: f32 = 120.0;

/// Judges the moves of a position by what each is likely to win and lose at once, and by how much closer
/// it comes to what can be won later.
pub(super) struct Judge<'s> {
    sight: &'s Sight,
    pub(super) hidden: Hidden,
    /// The index of the piece on each square.
    on: [Option<usize>; Square::COUNT],
    /// Of each side's pieces.
    mine: Worth,
    theirs: Worth,
    /// 0 after a fight, 1 when it is high time for one.
    impatience: f32,
    /// What a piece of each rank is drawn by on each square.
    pull: Vec<[f32; Square::COUNT]>,
}

impl<'s> Judge<'s> {
    pub(super) fn new(sight: &'s Sight) -> Self {
        let hidden = Hidden::of(sight);
        let mut on = [None; Square::COUNT];
        for (index, piece) in sight.pieces.iter().enumerate() {
            on[usize::from(piece.square.index())] = Some(index);
        }
        let (own, foe) = (left(sight, sight.me), left_of_foe(sight, &hidden));
        let limit = sight
            .options
            .no_progress_plies
            .map_or(PATIENCE, |plies| (f32::from(plies) * 0.6).min(PATIENCE));
        let quiet = f32::from(u16::try_from(sight.quiet).unwrap_or(u16::MAX));
        let mut judge = Self {
            sight,
            hidden,
            on,
            mine: Worth::new(&own, foe[Rank::Marshal] > 0),
            theirs: Worth::new(&foe, own[Rank::Marshal] > 0),
            impatience: (quiet / limit - 0.25).clamp(0.0, 1.0),
            pull: Vec::new(),
        };
        judge.pull = judge.pulls();
        judge
    }

    /// The move that is judged best; of some that are as good any.
    pub(super) fn best(&self, below: &mut impl FnMut(usize) -> usize) -> Option<Move> {
        let mut best: Option<(f32, Move)> = None;
        for mv in &self.sight.legal {
            let noise = f32::from(u16::try_from(below(1000)).unwrap_or(0)) / 1000.0;
            let total = self.judge(*mv) + noise;
            if best.is_none_or(|(most, _)| total > most) {
                best = Some((total, *mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Judges a legal move: what it is likely to win and save, and how much closer it comes to what can be
    /// won later.
    pub(super) fn judge(&self, mv: Move) -> f32 {
        let Some((piece, rank)) = self.own(mv.from) else {
            return 0.0;
        };
        let (from, to) = (mv.from.index(), mv.to.index());
        let escaped = self.danger(from, rank, piece.exposed, None);
        if let Some(target) = self.on[usize::from(to)] {
            let odds = &self.hidden.odds[target];
            let risk = self.chance(rank, odds) * self.danger(to, rank, true, Some(target));
            let news = self.news(piece, rank, target);
            return self.battle(rank, odds) + news + self.relief(target) + escaped - risk;
        }
        let shows = rank == Rank::Scout && mv.from.distance(mv.to).is_some_and(|far| far > 1);
        let risk = self.danger(to, rank, piece.exposed || shows, None);
        let pull = &self.pull[rank as usize];
        let mut judged = pull[usize::from(to)] - pull[usize::from(from)] + escaped - risk;
        if shows && !piece.exposed {
            judged -= SECRECY * self.mine.of(rank);
        }
        if !piece.moved {
            judged -= STIRRING;
        }
        judged - self.staleness(mv)
    }

    /// What an attack is likely to win, less what it is likely to lose.
    fn battle(&self, rank: Rank, odds: &Odds) -> f32 {
        let losses = (1.0 - 2.0 * self.impatience).max(0.0);
        let mut sum = 0.0;
        for foe in Rank::ALL {
            let likely = odds[foe as usize];
            if likely <= 0.0 {
                continue;
            }
            let won = match foe {
                Rank::Flag => self.theirs.of(foe) * (1.0 + 2.0 * self.impatience),
                _ => self.theirs.of(foe),
            };
            sum += likely
                * match self.outcome(rank, foe) {
                    BattleOutcome::AttackerWins | BattleOutcome::FlagCaptured => won,
                    BattleOutcome::DefenderWins => -losses * self.mine.of(rank),
                    BattleOutcome::BothRemoved => won - losses * self.mine.of(rank),
                };
        }
        sum
    }

    /// How likely an attacker is to stand on the square of what it attacks.
    fn chance(&self, rank: Rank, odds: &Odds) -> f32 {
        let stands = |foe: &Rank| self.outcome(rank, *foe).attacker_stands();
        let won = Rank::ALL.into_iter().filter(stands);
        won.map(|foe| odds[foe as usize]).sum()
    }

    /// What an attack tells, less what it shows.
    fn news(&self, piece: Seen, rank: Rank, target: usize) -> f32 {
        let mut news = 0.0;
        if self.sight.pieces[target].rank.is_none() {
            let odds = &self.hidden.odds[target];
            let likely = |foe: Rank| odds[foe as usize] * self.theirs.of(foe).min(400.0);
            news += NEWS.0 + NEWS.1 * Rank::ALL.into_iter().map(likely).sum::<f32>();
        }
        if !piece.exposed {
            news -= SECRECY * self.mine.of(rank);
        }
        news
    }

    /// What a piece on a square is likely to lose to those next to it, but for one that is gone by then.
    fn danger(&self, square: u8, rank: Rank, exposed: bool, gone: Option<usize>) -> f32 {
        let mut worst = 0.0_f32;
        for there in around(square) {
            let Some(index) = self.on[usize::from(there)].filter(|index| Some(*index) != gone)
            else {
                continue;
            };
            let foe = &self.sight.pieces[index];
            if foe.owner == self.sight.me {
                continue;
            }
            let odds = &self.hidden.odds[index];
            let (mut beaten, mut traded) = (0.0, 0.0);
            for attacker in Rank::ALL.into_iter().filter(|rank| rank.is_movable()) {
                match self.outcome(attacker, rank) {
                    BattleOutcome::DefenderWins => {}
                    BattleOutcome::BothRemoved => traded += odds[attacker as usize],
                    _ => beaten += odds[attacker as usize],
                }
            }
            // Who does not know what he attacks, or is not known himself, comes less often.
            let bold = match (foe.rank.is_some(), exposed) {
                (true, true) => 0.95,
                (true, false) => 0.6,
                (false, true) => 0.65,
                (false, false) => 0.3,
            };
            worst = worst.max(bold * (beaten + 0.2 * traded) * self.mine.of(rank));
        }
        worst
    }

    /// What it saves to be rid of an enemy: those next to it, and the flag it comes close to.
    fn relief(&self, target: usize) -> f32 {
        let odds = &self.hidden.odds[target];
        let square = self.sight.pieces[target].square.index();
        let mut relief = 0.0_f32;
        for there in around(square) {
            let own = self.on[usize::from(there)].map(|index| &self.sight.pieces[index]);
            let Some((own, rank)) = own.and_then(|own| Some((own, own.rank?))) else {
                continue;
            };
            if own.owner != self.sight.me {
                continue;
            }
            let beats = |attacker: &Rank| {
                attacker.is_movable() && self.outcome(*attacker, rank).attacker_stands()
            };
            let beaten: f32 = Rank::ALL
                .into_iter()
                .filter(beats)
                .map(|attacker| odds[attacker as usize])
                .sum();
            let bold = if own.exposed || rank == Rank::Flag {
                0.5
            } else {
                0.2
            };
            relief = relief.max(bold * beaten * self.mine.of(rank));
        }
        relief
    }

    /// What a quiet move loses for going back to where the piece was a moment ago.
    fn staleness(&self, mv: Move) -> f32 {
        let recent = &self.sight.recent;
        let back = recent.iter().rev().take(4).filter(|past| {
            past.from == mv.to && (past.to == mv.from || self.on_path(mv.from, **past))
        });
        let again = f32::from(u8::try_from(back.count()).unwrap_or(u8::MAX));
        again * (3.0 + 12.0 * self.impatience)
    }

    /// Whether a piece that made a move may be the one that stands on a square now.
    fn on_path(&self, square: Square, past: Move) -> bool {
        let mut place = past.to;
        let later = self
            .sight
            .recent
            .iter()
            .skip_while(|mv| **mv != past)
            .skip(1);
        for mv in later {
            if mv.from == place {
                place = mv.to;
            }
        }
        place == square
    }

    /// For each rank that the side has, what draws it on each square: the best of what can be won,
    /// less with each step to it.
    fn pulls(&self) -> Vec<[f32; Square::COUNT]> {
        let mut pulls = vec![[0.0_f32; Square::COUNT]; Rank::ALL.len()];
        let ways = self.ways();
        let faded = faded();
        let near_flag = self.steps_to_flag();
        let ranks = self.movable_ranks();
        for (index, piece) in self.sight.pieces.iter().enumerate() {
            if piece.owner == self.sight.me {
                continue;
            }
            let square = piece.square.index();
            let steps = steps_to(square, &ways);
            let fading = steps.map(|step| faded[usize::from(step)]);
            let guarded = near_flag[usize::from(square)];
            for rank in &ranks {
                let gain = self.worth_going(*rank, index, guarded);
                if gain <= 0.0 {
                    continue;
                }
                for (pull, fading) in pulls[*rank as usize].iter_mut().zip(&fading) {
                    *pull = pull.max(gain * fading);
                }
            }
        }
        pulls
    }

    /// What a piece of a rank would win by an attack on an enemy, in the end.
    fn worth_going(&self, rank: Rank, target: usize, steps_to_flag: u8) -> f32 {
        let piece = &self.sight.pieces[target];
        let odds = &self.hidden.odds[target];
        let mut gain = self.battle(rank, odds);
        if piece.rank.is_none() {
            let likely = |foe: Rank| odds[foe as usize] * self.theirs.of(foe).min(400.0);
            gain += NEWS.0 + NEWS.1 * Rank::ALL.into_iter().map(likely).sum::<f32>();
        }
        if piece.moved && gain > 0.0 {
            // It can run away: the longer nothing happens, the less it is worth running after.
            gain *= 1.0 - 0.7 * self.impatience;
        }
        if steps_to_flag <= FLAG_ZONE && self.chance(rank, odds) > 0.5 {
            gain += ALARM * FADING.powi(i32::from(steps_to_flag));
        }
        gain
    }

    fn ways(&self) -> [Way; Square::COUNT] {
        let mut ways = [Way::Free; Square::COUNT];
        for square in Square::all().filter(|square| square.is_lake()) {
            ways[usize::from(square.index())] = Way::Blocked;
        }
        for piece in &self.sight.pieces {
            let steps_aside =
                piece.owner == self.sight.me && piece.rank.is_some_and(Rank::is_movable);
            if !steps_aside {
                ways[usize::from(piece.square.index())] = Way::Blocked;
            }
        }
        ways
    }

    /// How far each square is from the own flag, for whoever goes around bombs.
    fn steps_to_flag(&self) -> [u8; Square::COUNT] {
        let mut own = self.sight.pieces.iter();
        let flag = own.find(|piece| piece.owner == self.sight.me && piece.rank == Some(Rank::Flag));
        let Some(flag) = flag else {
            return [FAR; Square::COUNT];
        };
        let mut ways = [Way::Free; Square::COUNT];
        for square in Square::all().filter(|square| square.is_lake()) {
            ways[usize::from(square.index())] = Way::Blocked;
        }
        steps_to(flag.square.index(), &ways)
    }

    fn movable_ranks(&self) -> Vec<Rank> {
        let own = |rank: &Rank| {
            let mut pieces = self.sight.pieces.iter();
            rank.is_movable()
                && pieces.any(|piece| piece.owner == self.sight.me && piece.rank == Some(*rank))
        };
        Rank::ALL.into_iter().filter(own).collect()
    }

    fn outcome(&self, attacker: Rank, defender: Rank) -> BattleOutcome {
        BattleOutcome::of(attacker, defender, self.sight.options.aggressor_advantage)
    }

    /// The own piece on a square, with its rank.
    fn own(&self, square: Square) -> Option<(Seen, Rank)> {
        let piece = self.sight.pieces[self.on[usize::from(square.index())]?];
        Some((piece, piece.rank?))
    }

    pub(super) const fn worths(&self) -> (&Worth, &Worth) {
        (&self.mine, &self.theirs)
    }
}

/// What is left of a pull after so many steps; nothing of what cannot be reached.
fn faded() -> [f32; 256] {
    let mut faded = [0.0; 256];
    let mut left = 1.0;
    for step in faded.iter_mut().take(Square::COUNT) {
        *step = left;
        left *= FADING;
    }
    faded
}

/// How many pieces of each rank an own army has left.
fn left(sight: &Sight, owner: Color) -> ByRank<u8> {
    let mut left = ByRank::default();
    for piece in sight.pieces.iter().filter(|piece| piece.owner == owner) {
        if let Some(rank) = piece.rank {
            left[rank] += 1;
        }
    }
    left
}

/// How many pieces of each rank the other side can have left.
fn left_of_foe(sight: &Sight, hidden: &Hidden) -> ByRank<u8> {
    let mut left = left(sight, !sight.me);
    for rank in Rank::ALL {
        left[rank] += hidden.pool[rank];
    }
    left
}
