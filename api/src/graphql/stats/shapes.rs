//! What statistics look like in answers.

use async_graphql::SimpleObject;
use domain::EndReason as Reason;
use domain::facts::{self, Facts, rate, wilson};
use storage::facts::{Excluded, PlayerResults};

use super::period::Period;
use crate::graphql::names::{Cause, EndReason, Rank};
use crate::graphql::scalars::Square;
use crate::problem::ApiError;
use crate::wire::bits::Bits;

/// A count as GraphQL has whole numbers.
///
/// # Errors
/// When it is more than that.
pub(super) fn int(count: u64) -> Result<i32, ApiError> {
    i32::try_from(count).map_err(|fault| ApiError::internal(&fault))
}

/// Games that statistics leave out.
#[derive(Debug, SimpleObject)]
pub(super) struct Exclusions {
    /// Those that were aborted.
    aborted: i32,
    /// Those that have not ended.
    unfinished: i32,
}

impl TryFrom<Excluded> for Exclusions {
    type Error = ApiError;

    fn try_from(excluded: Excluded) -> Result<Self, ApiError> {
        Ok(Self {
            aborted: int(excluded.aborted)?,
            unfinished: int(excluded.unfinished)?,
        })
    }
}

/// How games ended.
#[derive(Debug, SimpleObject)]
pub(super) struct Results {
    red_wins: i32,
    blue_wins: i32,
    draws: i32,
    /// The reasons for which any ended.
    by_reason: Vec<ReasonCount>,
}

/// How games ended that ended for a reason.
#[derive(Debug, SimpleObject)]
pub(super) struct ReasonCount {
    reason: EndReason,
    games: i32,
    red_wins: i32,
    blue_wins: i32,
    draws: i32,
}

impl TryFrom<&Facts> for Results {
    type Error = ApiError;

    fn try_from(facts: &Facts) -> Result<Self, ApiError> {
        let mut by_reason = Vec::new();
        for reason in Reason::ALL {
            let these = facts.results_by(reason);
            if these.games > 0 {
                by_reason.push(ReasonCount {
                    reason: reason.into(),
                    games: int(these.games)?,
                    red_wins: int(these.red_wins)?,
                    blue_wins: int(these.blue_wins)?,
                    draws: int(these.draws)?,
                });
            }
        }
        let all = facts.results();
        Ok(Self {
            red_wins: int(all.red_wins)?,
            blue_wins: int(all.blue_wins)?,
            draws: int(all.draws)?,
            by_reason,
        })
    }
}

/// A range of values: from its beginning to below its end, in the last one to its end.
#[derive(Debug, SimpleObject)]
pub(super) struct Bucket {
    from: f64,
    to: f64,
    count: i32,
    /// Of all values.
    share: Option<f64>,
}

/// Values in ranges of equal width from the least to the greatest.
#[derive(Debug, SimpleObject)]
pub(super) struct Histogram {
    /// How many values.
    count: i32,
    mean: Option<f64>,
    /// Percentiles are values that came, of the nearest rank.
    p10: Option<f64>,
    p50: Option<f64>,
    p90: Option<f64>,
    buckets: Vec<Bucket>,
}

impl Histogram {
    /// A histogram whose values are counted in so many parts of a unit.
    ///
    /// # Errors
    /// When there are more values than a whole number says.
    pub(super) fn of(histogram: facts::Histogram, parts: f64) -> Result<Self, ApiError> {
        let figures = Spread::of(histogram.spread, parts);
        let count = histogram.spread.count;
        let bucket = |bucket: facts::Bucket| {
            Ok(Bucket {
                from: bucket.from / parts,
                to: bucket.to / parts,
                count: int(bucket.count)?,
                share: rate(bucket.count, count),
            })
        };
        let buckets = histogram.buckets.into_iter().map(bucket);
        Ok(Self {
            count: int(count)?,
            mean: figures.mean,
            p10: figures.p10,
            p50: figures.p50,
            p90: figures.p90,
            buckets: buckets.collect::<Result<_, ApiError>>()?,
        })
    }
}

/// A mean and percentiles of the nearest rank; null where there are no values.
#[derive(Debug, SimpleObject)]
pub(super) struct Spread {
    mean: Option<f64>,
    p10: Option<f64>,
    p50: Option<f64>,
    p90: Option<f64>,
}

impl Spread {
    #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
    fn of(spread: facts::Spread, parts: f64) -> Self {
        let unit = |value: Option<u64>| value.map(|value| value as f64 / parts);
        Self {
            mean: spread.mean.map(|mean| mean / parts),
            p10: unit(spread.p10),
            p50: unit(spread.p50),
            p90: unit(spread.p90),
        }
    }
}

/// What came of the attacks of one rank on another.
#[derive(Debug, SimpleObject)]
pub(super) struct BattleCell {
    attacker: Rank,
    defender: Rank,
    fought: i32,
    /// The defender alone was removed; a captured flag is one too.
    attacker_wins: i32,
    /// The attacker alone was removed.
    defender_wins: i32,
    both_removed: i32,
}

impl TryFrom<facts::BattleCell> for BattleCell {
    type Error = ApiError;

    fn try_from(cell: facts::BattleCell) -> Result<Self, ApiError> {
        Ok(Self {
            attacker: cell.attacker.into(),
            defender: cell.defender.into(),
            fought: int(cell.fought())?,
            attacker_wins: int(cell.attacker_wins)?,
            defender_wins: int(cell.defender_wins)?,
            both_removed: int(cell.both_removed)?,
        })
    }
}

/// How many pieces became known by a cause.
#[derive(Debug, SimpleObject)]
pub(super) struct CauseCount {
    cause: Cause,
    count: i32,
}

/// How the pieces of a rank became known.
#[derive(Debug, SimpleObject)]
pub(super) struct RevealStat {
    rank: Rank,
    /// How many there were; one that a rescue brought back is another one.
    pieces: i32,
    /// How many became known before the end.
    revealed: i32,
    /// How many by each cause, those too that the end disclosed.
    by_cause: Vec<CauseCount>,
    /// After how many plies they became known before the end.
    plies: Spread,
    /// How many bits that took from what was hidden, on average.
    bits: Option<f64>,
}

impl TryFrom<facts::RevealCounts> for RevealStat {
    type Error = ApiError;

    fn try_from(counts: facts::RevealCounts) -> Result<Self, ApiError> {
        let by_cause = counts.by_cause.into_iter().map(|(cause, count)| {
            Ok(CauseCount {
                cause: cause.into(),
                count: int(count)?,
            })
        });
        Ok(Self {
            rank: counts.rank.into(),
            pieces: int(counts.pieces)?,
            revealed: int(counts.revealed)?,
            by_cause: by_cause.collect::<Result<_, ApiError>>()?,
            plies: Spread::of(counts.plies, 1.0),
            bits: counts.bits.map(|bits| Bits(bits).rounded()),
        })
    }
}

/// How many pieces were on the board after so many plies.
#[derive(Debug, SimpleObject)]
pub(super) struct SurvivalPoint {
    ply: u32,
    /// How many were deployed.
    pieces: i32,
    /// How many were on the board, those too that a rescue had brought back.
    alive: i32,
    share: Option<f64>,
}

/// How long the pieces of a rank stay.
#[derive(Debug, SimpleObject)]
pub(super) struct SurvivalCurve {
    rank: Rank,
    /// In the order of plies.
    points: Vec<SurvivalPoint>,
}

impl SurvivalCurve {
    pub(super) fn of(rank: domain::Rank, points: Vec<facts::Alive>) -> Result<Self, ApiError> {
        let point = |alive: facts::Alive| {
            Ok(SurvivalPoint {
                ply: alive.ply,
                pieces: int(alive.pieces)?,
                alive: int(alive.alive)?,
                share: rate(alive.alive, alive.pieces),
            })
        };
        Ok(Self {
            rank: rank.into(),
            points: points
                .into_iter()
                .map(point)
                .collect::<Result<_, ApiError>>()?,
        })
    }
}

/// What a rank took, and what it cost.
#[derive(Debug, SimpleObject)]
pub(super) struct ExchangeCell {
    rank: Rank,
    /// How many enemies its pieces removed, those too that fell with them.
    captured: i32,
    /// How many of its pieces were removed.
    lost: i32,
    /// How many of those when they attacked a piece whose rank they did not know.
    scouting_deaths: i32,
}

impl TryFrom<facts::Exchange> for ExchangeCell {
    type Error = ApiError;

    fn try_from(exchange: facts::Exchange) -> Result<Self, ApiError> {
        Ok(Self {
            rank: exchange.rank.into(),
            captured: int(exchange.captured)?,
            lost: int(exchange.lost)?,
            scouting_deaths: int(exchange.scouting_deaths)?,
        })
    }
}

/// The interval in which a rate lies with 95 % (Wilson).
#[derive(Debug, SimpleObject)]
pub(super) struct Interval {
    low: f64,
    high: f64,
}

impl From<facts::Interval> for Interval {
    fn from(interval: facts::Interval) -> Self {
        Self {
            low: interval.low,
            high: interval.high,
        }
    }
}

/// How often a rank stood on a square at the start.
#[derive(Debug, SimpleObject)]
pub(super) struct SquareStat {
    /// As Red names it: Blue's squares by half a turn of the board.
    square: Square,
    /// How many sides had one there.
    games: i32,
    /// Of all sides.
    share: Option<f64>,
    /// How many of those won.
    win_rate: Option<f64>,
    ci95: Option<Interval>,
}

impl SquareStat {
    pub(super) fn of(placed: facts::Placed, sides: u64) -> Result<Self, ApiError> {
        Ok(Self {
            square: placed.square.into(),
            games: int(placed.sides)?,
            share: rate(placed.sides, sides),
            win_rate: rate(placed.wins, placed.sides),
            ci95: wilson(placed.wins, placed.sides).map(Into::into),
        })
    }
}

/// A first move of Red, and what came of it.
#[derive(Debug, SimpleObject)]
pub(super) struct FirstMoveStat {
    /// As in `a4-a5`.
    r#move: String,
    games: i32,
    /// Of the games that had a first move.
    share: Option<f64>,
    /// In how many of those Red won.
    win_rate: Option<f64>,
    ci95: Option<Interval>,
}

impl FirstMoveStat {
    pub(super) fn of(opening: facts::Opening, games: u64) -> Result<Self, ApiError> {
        Ok(Self {
            r#move: opening.mv.to_string(),
            games: int(opening.games)?,
            share: rate(opening.games, games),
            win_rate: rate(opening.wins, opening.games),
            ci95: wilson(opening.wins, opening.games).map(Into::into),
        })
    }
}

/// What was hidden after a ply, on average over the games that somebody won and that lasted so long.
#[derive(Debug, SimpleObject)]
pub(super) struct InformationCurve {
    ply: u32,
    games: i32,
    /// What the losers did not know of the winners, in bits.
    winners: Option<f64>,
    /// What the winners did not know of the losers, in bits.
    losers: Option<f64>,
}

impl TryFrom<facts::MeanInformation> for InformationCurve {
    type Error = ApiError;

    fn try_from(mean: facts::MeanInformation) -> Result<Self, ApiError> {
        Ok(Self {
            ply: mean.ply,
            games: int(mean.games)?,
            winners: Some(Bits(mean.winners).rounded()),
            losers: Some(Bits(mean.losers).rounded()),
        })
    }
}

/// Pieces that made believe they were others.
#[derive(Debug, SimpleObject)]
pub(super) struct BluffStats {
    /// An unknown piece moved next to a known one that would beat it, and could not beat it itself;
    /// bombs are not approached.
    bluffs: i32,
    /// That one attacked it on the next turn.
    called: i32,
    /// That one moved away on the next turn.
    believed: i32,
    /// That one did neither.
    ignored: i32,
    /// Scouts that made single steps before their first long move or battle, if they had one.
    disguised_scouts: i32,
    /// Movable pieces that never moved in a game of 50 plies or more.
    bomb_mimicry: i32,
}

impl TryFrom<facts::Bluffs> for BluffStats {
    type Error = ApiError;

    fn try_from(bluffs: facts::Bluffs) -> Result<Self, ApiError> {
        Ok(Self {
            bluffs: int(bluffs.bluffs)?,
            called: int(bluffs.called)?,
            believed: int(bluffs.believed)?,
            ignored: int(bluffs.ignored)?,
            disguised_scouts: int(bluffs.disguised_scouts)?,
            bomb_mimicry: int(bluffs.bomb_mimicry)?,
        })
    }
}

/// The games that ended in a day or month.
#[derive(Debug, SimpleObject)]
pub(super) struct PeriodStat {
    /// `2026-11-30`, or `2026-11`.
    period: String,
    games: i32,
    red_wins: i32,
    blue_wins: i32,
    draws: i32,
}

impl TryFrom<Period> for PeriodStat {
    type Error = ApiError;

    fn try_from(period: Period) -> Result<Self, ApiError> {
        Ok(Self {
            draws: int(period.games - period.red_wins - period.blue_wins)?,
            games: int(period.games)?,
            red_wins: int(period.red_wins)?,
            blue_wins: int(period.blue_wins)?,
            period: period.name,
        })
    }
}

/// How a player did.
#[derive(Debug, SimpleObject)]
pub(super) struct PlayerSummary {
    games: i32,
    wins: i32,
    draws: i32,
    losses: i32,
    /// Wins of all games.
    win_rate: Option<f64>,
    /// Wins and half of the draws of all games.
    score_rate: Option<f64>,
}

impl TryFrom<PlayerResults> for PlayerSummary {
    type Error = ApiError;

    fn try_from(results: PlayerResults) -> Result<Self, ApiError> {
        let PlayerResults { games, wins, draws } = results;
        Ok(Self {
            games: int(games)?,
            wins: int(wins)?,
            draws: int(draws)?,
            losses: int(games.saturating_sub(wins + draws))?,
            win_rate: rate(wins, games),
            score_rate: rate(2 * wins + draws, 2 * games),
        })
    }
}
