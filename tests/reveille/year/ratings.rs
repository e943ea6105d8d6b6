//! The ratings of the players of a year, kept game by game.

use std::collections::HashMap;
use std::time::Duration;

use domain::{ByColor, Color, Rating, rate};
use serde_json::Value;
use tests::Client;

/// How far what is shown, in hundredths, may be off.
const WITHIN: f64 = 0.01;

/// How a player stands in a pool.
#[derive(Debug, Clone, Copy)]
struct Standing {
    rating: Rating,
    games: u64,
    /// The hour of the last game that counted.
    rated_at: u64,
}

/// The players' standings, by rule sheet.
#[derive(Debug, Default)]
pub(super) struct Pools(HashMap<(&'static str, usize), Standing>);

impl Pools {
    /// Rates a game that ended at an hour; how many points each side gained.
    pub(super) fn rate(
        &mut self,
        ruleset: &'static str,
        players: [usize; 2],
        winner: Option<usize>,
        hour: u64,
    ) -> [f64; 2] {
        let standings = players.map(|player| {
            let newcomer = Standing {
                rating: Rating::START,
                games: 0,
                rated_at: hour,
            };
            *self.0.get(&(ruleset, player)).unwrap_or(&newcomer)
        });
        let [red, blue] = standings.map(|standing| {
            let idle = Duration::from_hours(hour - standing.rated_at);
            standing.rating.after_idling(idle)
        });
        let before = ByColor { red, blue };
        let after = rate(before, winner.map(|side| Color::ALL[side]));
        for (side, color) in Color::ALL.into_iter().enumerate() {
            let standing = Standing {
                rating: after[color].rating,
                games: standings[side].games + 1,
                rated_at: hour,
            };
            self.0.insert((ruleset, players[side]), standing);
        }
        Color::ALL.map(|color| after[color].rating.rating - before[color].rating)
    }

    /// Every player is shown as he stands, and his history ends there.
    pub(super) fn compare(&self, players: &[Client]) {
        for (index, player) in players.iter().enumerate() {
            let anyone = player.with_token(None);
            let path = |rest: &str| format!("/v1/players/{}/{rest}", player.name);
            for shown in anyone.get(&path("ratings")).ok(200)["items"]
                .as_array()
                .expect("a list")
            {
                let ruleset = ["barrage", "duel"]
                    .iter()
                    .find(|one| shown["ruleset"] == **one);
                let ruleset = ruleset.expect("one that was played");
                let standing = &self.0[&(*ruleset, index)];
                let rating = standing.rating;
                assert_near(shown["rating"].as_f64(), Some(rating.rating), shown);
                assert_near(shown["deviation"].as_f64(), Some(rating.deviation), shown);
                assert_eq!(shown["games"], standing.games, "{shown}");
                let history = path(&format!("rating-history?ruleset={ruleset}&limit=100"));
                let history = anyone.get(&history).ok(200)["items"].clone();
                let history = history.as_array().expect("a list");
                assert_eq!(history.len() as u64, standing.games);
                let last = history.last().expect("a game");
                assert_near(last["rating"].as_f64(), Some(rating.rating), last);
            }
        }
    }
}

/// What is shown is what is expected, or both are nothing.
#[track_caller]
pub(super) fn assert_near(shown: Option<f64>, expected: Option<f64>, of: &Value) {
    let is_near = match (shown, expected) {
        (Some(shown), Some(expected)) => (shown - expected).abs() <= WITHIN,
        (shown, expected) => shown.is_none() && expected.is_none(),
    };
    assert!(is_near, "{shown:?} is not {expected:?}: {of}");
}
