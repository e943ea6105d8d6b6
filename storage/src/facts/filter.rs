//! Which games statistics are about, and whether roll-ups know.

use diesel::dsl::{IntoBoxed, LeftJoin};
use diesel::prelude::*;
use domain::Status;

use super::band::Bands;
use crate::either::MultiBackend;
use crate::games::GameFilter;
use crate::ids::GameId;
use crate::ratings::to_millionths;
use crate::schema::{game_courses, game_facts, games, rollups};
use crate::time::{ALL_MONTHS, micros, month_beginning};

/// Which games statistics are about. Finished ones, and none that is private, whoever asks.
#[derive(Debug, Clone, Default)]
pub struct StatisticsFilter {
    /// Whatever their state.
    games: GameFilter,
    /// Whether no finished game can match.
    empty: bool,
}

/// What is told ply by ply costs nothing where it is not selected: both databases leave the join out then.
type FactsAndCourses = LeftJoin<game_facts::table, game_courses::table>;
pub(super) type FactsQuery<'a> = IntoBoxed<'a, FactsAndCourses, MultiBackend>;
pub(super) type RollupsQuery<'a> = rollups::BoxedQuery<'a, MultiBackend>;

impl StatisticsFilter {
    /// From a filter of games; it does not matter whose.
    pub fn new(mut filter: GameFilter) -> Self {
        filter.viewer = None;
        let statuses = filter.statuses.take();
        Self {
            games: filter,
            empty: statuses.is_some_and(|statuses| !statuses.contains(&Status::Finished)),
        }
    }

    /// The filter of games.
    pub(super) const fn games(&self) -> &GameFilter {
        &self.games
    }

    /// Whether no finished game can match.
    pub(super) const fn is_empty(&self) -> bool {
        self.empty
    }

    /// The facts of the games behind one, up to another.
    pub(super) fn facts(&self, after: GameId, until: GameId) -> FactsQuery<'static> {
        let filter = &self.games;
        let mut query = game_facts::table
            .left_join(game_courses::table)
            .filter(game_facts::game_id.gt(after))
            .filter(game_facts::game_id.le(until))
            .into_boxed();
        if let Some(rulesets) = &filter.rulesets {
            let ids: Vec<_> = rulesets.iter().map(|ruleset| ruleset.id()).collect();
            query = query.filter(game_facts::ruleset.eq_any(ids));
        }
        if let Some(sources) = &filter.sources {
            query = query.filter(game_facts::source.eq_any(sources.clone()));
        }
        if let Some(reasons) = &filter.reasons {
            let names: Vec<_> = reasons.iter().map(|reason| reason.name()).collect();
            query = query.filter(game_facts::reason.eq_any(names));
        }
        if let Some(winner) = filter.winner {
            query = query.filter(game_facts::winner.eq(winner.name()));
        }
        if let Some(rated) = filter.rated {
            query = query.filter(game_facts::rated.eq(rated));
        }
        if let Some(from) = filter.finished_from {
            query = query.filter(game_facts::finished_at.ge(micros(from)));
        }
        if let Some(to) = filter.finished_to {
            query = query.filter(game_facts::finished_at.lt(micros(to)));
        }
        if let Some(plies) = filter.min_plies {
            query = query.filter(game_facts::plies.ge(i32::try_from(plies).unwrap_or(i32::MAX)));
        }
        if let Some(plies) = filter.max_plies {
            query = query.filter(game_facts::plies.le(i32::try_from(plies).unwrap_or(i32::MAX)));
        }
        self.by_ratings(self.by_players(query, after, until))
    }

    fn by_players(
        &self,
        mut query: FactsQuery<'static>,
        after: GameId,
        until: GameId,
    ) -> FactsQuery<'static> {
        let one = self.games.player.map(|player| vec![player]);
        let asked = [one, self.games.players.clone()];
        for players in asked.into_iter().flatten() {
            let red = games::red_player.eq_any(players.clone());
            let played = games::table
                .filter(games::id.gt(after).and(games::id.le(until)))
                .filter(red.or(games::blue_player.eq_any(players)))
                .select(games::id);
            query = query.filter(game_facts::game_id.eq_any(played));
        }
        query
    }

    /// Games that do not count have no rating here.
    fn by_ratings<'a>(&self, mut query: FactsQuery<'a>) -> FactsQuery<'a> {
        if let Some(rating) = self.games.min_rating.map(to_millionths) {
            query = query
                .filter(game_facts::red_rating.ge(rating))
                .filter(game_facts::blue_rating.ge(rating));
        }
        if let Some(rating) = self.games.max_rating.map(to_millionths) {
            query = query
                .filter(game_facts::red_rating.le(rating))
                .filter(game_facts::blue_rating.le(rating));
        }
        query
    }

    /// The roll-ups that are of these games and no others, if there are such.
    pub(super) fn rollups(&self) -> Option<RollupsQuery<'static>> {
        let filter = &self.games;
        let asks_for_more = filter.player.is_some()
            || filter.players.is_some()
            || filter.reasons.is_some()
            || filter.winner.is_some()
            || filter.min_plies.is_some()
            || filter.max_plies.is_some();
        if asks_for_more {
            return None;
        }
        let edge = |rating: f64| Bands::edge(to_millionths(rating));
        let mut query = rollups::table.into_boxed();
        query = match (filter.finished_from, filter.finished_to) {
            (None, None) => query.filter(rollups::month.eq(ALL_MONTHS)),
            (from, to) => {
                let first = from.map_or(Some(ALL_MONTHS + 1), month_beginning)?;
                let end = to.map_or(Some(i32::MAX), month_beginning)?;
                query.filter(rollups::month.ge(first).and(rollups::month.lt(end)))
            }
        };
        if let Some(rulesets) = &filter.rulesets {
            let ids: Vec<_> = rulesets.iter().map(|ruleset| ruleset.id()).collect();
            query = query.filter(rollups::ruleset.eq_any(ids));
        }
        if let Some(sources) = &filter.sources {
            query = query.filter(rollups::source.eq_any(sources.clone()));
        }
        let unrated = Bands::UNRATED.low;
        if let Some(rated) = filter.rated {
            query = if rated {
                query.filter(rollups::low_band.ne(unrated))
            } else {
                query.filter(rollups::low_band.eq(unrated))
            };
        }
        if let Some(rating) = filter.min_rating {
            query = query.filter(rollups::low_band.ge(edge(rating)?));
        }
        if let Some(rating) = filter.max_rating {
            query = query
                .filter(rollups::high_band.le(edge(rating)?))
                .filter(rollups::high_band.ne(unrated));
        }
        Some(query)
    }
}
