//! Statistics over many finished games (`graphql.md`, Meaning).

mod period;
mod sections;
mod shapes;
mod think;

use std::time::Instant;

use async_graphql::{Context, Object, Result};
use domain::facts::{Facts, histogram};
use storage::Connection;
use storage::facts::{self, StatisticsFilter};

use super::context::{RequestContext, Viewer};
use super::filter::GameFilter;
use super::names::{Color, PeriodUnit, Rank};
use super::scalars::DateTime;
use crate::problem::ApiError;
use crate::usecase::selection::{check_name, find_player};
use shapes::{
    BattleCell, BluffStats, ExchangeCell, Exclusions, FirstMoveStat, Histogram, InformationCurve,
    PeriodStat, PlayerSummary, Results, RevealStat, SquareStat, SurvivalCurve,
};

/// How many buckets a histogram has when nothing is said, and at most.
const BUCKETS: i32 = 20;
const MOST_BUCKETS: i32 = 100;
/// How many first moves there are when nothing is said, and at most.
const FIRST_MOVES: i32 = 20;
const MOST_FIRST_MOVES: i32 = 100;
/// How many plies survival is asked for at most, and after which of them when nothing is said.
const MOST_PLIES: usize = 100;
const PLIES: [u32; 11] = [0, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500];

/// Statistics over the games of a filter.
pub(super) struct Stats {
    filter: StatisticsFilter,
    facts: Facts,
    as_of: DateTime,
    until: Instant,
}

impl Stats {
    /// Statistics over the games of a filter; what is asked of them is read at once.
    ///
    /// # Errors
    /// 400 that names a value; [`QueryTooSlow`](crate::problem::Code::QueryTooSlow).
    pub(super) async fn of(context: &Context<'_>, filter: Option<GameFilter>) -> Result<Self> {
        let request = RequestContext::of(context)?;
        // It does not matter who asks: private games are in nobody's statistics.
        let checked = filter.unwrap_or_default().check(Viewer(None), None)?;
        let wanted = sections::wanted(context);
        let until = request.until;
        let as_of = request.now();
        let read = move |conn: &mut Connection| {
            let filter = StatisticsFilter::new(checked.resolve(conn)?);
            let facts = facts::read(conn, &filter, &wanted, until)?;
            Ok((filter, facts))
        };
        let (filter, facts) = request.statistics.read(read).await?;
        Ok(Self {
            filter,
            facts,
            as_of: as_of.into(),
            until,
        })
    }

    /// Reads what no section has.
    async fn read<T: Send + 'static, E: Into<ApiError>>(
        &self,
        context: &Context<'_>,
        read: impl FnOnce(&mut Connection, &StatisticsFilter, Instant) -> Result<T, E> + Send + 'static,
    ) -> Result<T> {
        let (filter, until) = (self.filter.clone(), self.until);
        let read = move |conn: &mut Connection| read(conn, &filter, until).map_err(Into::into);
        Ok(RequestContext::of(context)?.statistics.read(read).await?)
    }
}

/// Statistics over finished games. Private games and aborted ones are in none.
#[expect(
    clippy::unused_async,
    reason = "what needs no reading; the macro asks for it"
)]
#[Object]
impl Stats {
    /// How many games.
    async fn games(&self) -> Result<i32> {
        Ok(shapes::int(self.facts.results().games)?)
    }

    /// Games that match the filter and are not finished.
    async fn excluded(&self, context: &Context<'_>) -> Result<Exclusions> {
        let read =
            |conn: &mut Connection, filter: &StatisticsFilter, _| facts::excluded(conn, filter);
        let excluded = self.read(context, read).await?;
        Ok(Exclusions::try_from(excluded)?)
    }

    /// When this was so.
    async fn as_of(&self) -> DateTime {
        self.as_of
    }

    /// Who won, and why.
    async fn results(&self) -> Result<Results> {
        Ok(Results::try_from(&self.facts)?)
    }

    /// How many plies the games had.
    async fn game_length(
        &self,
        #[graphql(desc = "How many ranges of equal width, 1 to 100; 20 when nothing is said.")]
        buckets: Option<i32>,
    ) -> Result<Histogram> {
        let buckets = within("buckets", buckets.unwrap_or(BUCKETS), MOST_BUCKETS)?;
        let lengths = histogram(self.facts.lengths().into_iter(), buckets);
        Ok(Histogram::of(lengths, 1.0)?)
    }

    /// How long the sides thought over each move, in seconds; games without recorded times are not in it.
    /// At most 5,000,000 moves are looked at: ask for fewer games where there are more.
    async fn think_time(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "How many ranges of equal width, 1 to 100; 20 when nothing is said.")]
        buckets: Option<i32>,
    ) -> Result<Histogram> {
        let buckets = within("buckets", buckets.unwrap_or(BUCKETS), MOST_BUCKETS)?;
        let read = move |conn: &mut Connection, filter: &StatisticsFilter, until| {
            think::times(conn, filter, until, buckets)
        };
        Ok(Histogram::of(self.read(context, read).await?, 1e6)?)
    }

    /// What came of the attacks of each rank on each, those alone that were made.
    async fn battle_matrix(&self) -> Result<Vec<BattleCell>> {
        let cells = self.facts.battle_matrix().into_iter();
        Ok(cells.map(BattleCell::try_from).collect::<Result<_, _>>()?)
    }

    /// How the pieces of each rank became known.
    async fn reveals(
        &self,
        #[graphql(desc = "Whose pieces; of both sides when nothing is said.")] by: Option<Color>,
    ) -> Result<Vec<RevealStat>> {
        let ranks = self.facts.reveals(by.map(Into::into)).into_iter();
        Ok(ranks.map(RevealStat::try_from).collect::<Result<_, _>>()?)
    }

    /// How many pieces of each rank were on the board after so many plies; games that had ended count as
    /// they stood.
    async fn survival(
        &self,
        #[graphql(
            desc = "After how many plies, at most 100 numbers; each 50 up to 500 when nothing is said."
        )]
        at: Option<Vec<i32>>,
    ) -> Result<Vec<SurvivalCurve>> {
        let plies = at.map_or_else(|| Ok(PLIES.to_vec()), read_plies)?;
        let curve = |rank| SurvivalCurve::of(rank, self.facts.survival(rank, &plies));
        Ok(domain::Rank::ALL
            .into_iter()
            .map(curve)
            .collect::<Result<_, _>>()?)
    }

    /// What each rank took, and what it cost.
    async fn exchange(&self) -> Result<Vec<ExchangeCell>> {
        let ranks = self.facts.exchange().into_iter();
        Ok(ranks
            .map(ExchangeCell::try_from)
            .collect::<Result<_, _>>()?)
    }

    /// Where a rank stood at the start, by the squares of its side as Red names them; those alone where
    /// it ever did.
    async fn deployment(
        &self,
        rank: Rank,
        #[graphql(desc = "Folds the left half onto the right.")] normalise: Option<bool>,
    ) -> Result<Vec<SquareStat>> {
        let sides = self.facts.sides();
        let placed = self
            .facts
            .deployment(rank.into(), normalise.unwrap_or(false));
        let stat = |placed| SquareStat::of(placed, sides);
        Ok(placed.into_iter().map(stat).collect::<Result<_, _>>()?)
    }

    /// Red's first moves, the most frequent first.
    async fn first_moves(
        &self,
        #[graphql(desc = "How many, 1 to 100; 20 when nothing is said.")] first: Option<i32>,
    ) -> Result<Vec<FirstMoveStat>> {
        let first = within("first", first.unwrap_or(FIRST_MOVES), MOST_FIRST_MOVES)?;
        let openings = self.facts.openings();
        let games = openings.iter().map(|opening| opening.games).sum();
        let stat = |opening| FirstMoveStat::of(opening, games);
        Ok(openings
            .into_iter()
            .take(first)
            .map(stat)
            .collect::<Result<_, _>>()?)
    }

    /// What winners and losers hid from each other after each ply, on average over the games that somebody
    /// won and that lasted so long.
    async fn information(&self) -> Result<Vec<InformationCurve>> {
        let curve = self.facts.information().into_iter();
        Ok(curve
            .map(InformationCurve::try_from)
            .collect::<Result<_, _>>()?)
    }

    /// Pieces that made believe they were others.
    async fn bluffs(&self) -> Result<BluffStats> {
        Ok(BluffStats::try_from(self.facts.bluffs())?)
    }

    /// The games by the day or month in which they ended, those alone in which some did.
    async fn by_period(
        &self,
        context: &Context<'_>,
        unit: PeriodUnit,
        #[graphql(desc = "A time zone by its IANA name; UTC when nothing is said.")] tz: Option<
            String,
        >,
    ) -> Result<Vec<PeriodStat>> {
        let zone = period::zone(tz.as_deref())?;
        let read = move |conn: &mut Connection, filter: &StatisticsFilter, until| {
            period::count(conn, filter, unit, &zone, until)
        };
        let periods = self.read(context, read).await?;
        Ok(periods
            .into_iter()
            .map(PeriodStat::try_from)
            .collect::<Result<_, _>>()?)
    }

    /// How a player did in these games; null when there is no such player.
    async fn player_summary(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The name of an account, or `source:name`.")] username: String,
    ) -> Result<Option<PlayerSummary>> {
        check_name("username", &username)?;
        let read = move |conn: &mut Connection, filter: &StatisticsFilter, _| {
            let Some(player) = find_player(conn, &username)? else {
                return Ok(None);
            };
            Ok::<_, ApiError>(Some(facts::results_of(conn, filter, player)?))
        };
        let results = self.read(context, read).await?;
        Ok(results.map(PlayerSummary::try_from).transpose()?)
    }
}

/// A number from 1 to a greatest.
fn within(argument: &str, number: i32, most: i32) -> Result<usize, ApiError> {
    usize::try_from(number)
        .ok()
        .filter(|_| (1..=most).contains(&number))
        .ok_or_else(|| {
            let detail = format!("expected 1 to {most}, got {number}");
            ApiError::malformed_field(argument, detail)
        })
}

/// Plies in order, each once.
fn read_plies(at: Vec<i32>) -> Result<Vec<u32>, ApiError> {
    if at.len() > MOST_PLIES {
        let detail = format!("expected at most {MOST_PLIES} numbers, got {}", at.len());
        return Err(ApiError::malformed_field("at", detail));
    }
    let read = |ply: i32| {
        u32::try_from(ply)
            .map_err(|_| ApiError::malformed_field("at", format!("expected 0 or more, got {ply}")))
    };
    let mut plies: Vec<u32> = at.into_iter().map(read).collect::<Result<_, _>>()?;
    plies.sort_unstable();
    plies.dedup();
    Ok(plies)
}
