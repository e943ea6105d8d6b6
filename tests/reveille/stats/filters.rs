//! Filters, and a plain reading of each.

use serde_json::{Value, json};

use super::plain::Told;
use super::played::World;

/// A filter, and which games pass it.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// The arguments that it sets.
    json: Value,
    keeps: Box<dyn Fn(&Told) -> bool>,
}

/// One or two of them.
pub(super) struct Filter<'a> {
    pub(super) json: Value,
    cases: [&'a Case; 2],
}

impl<'a> Filter<'a> {
    /// Both; `None` when they set the same argument to different values.
    pub(super) fn both(one: &'a Case, other: &'a Case) -> Option<Self> {
        let mut json = one.json.clone();
        for (key, value) in other.json.as_object().unwrap() {
            if json.get(key).is_some_and(|known| known != value) {
                return None;
            }
            json[key] = value.clone();
        }
        Some(Self {
            json,
            cases: [one, other],
        })
    }

    pub(super) fn keeps(&self, game: &Told) -> bool {
        self.cases.iter().all(|case| (case.keeps)(game))
    }
}

fn case(name: &'static str, json: Value, keeps: impl Fn(&Told) -> bool + 'static) -> Case {
    Case {
        name,
        json,
        keeps: Box::new(keeps),
    }
}

/// Each argument, and what contradicts it.
pub(super) fn cases(games: &[Told], world: &World) -> Vec<Case> {
    let (red, blue) = (world.red.clone(), world.blue.clone());
    let middle = games[games.len() / 2].finished_at.clone();
    let until = middle.clone();
    let lowest = games
        .iter()
        .filter_map(|game| game.ratings)
        .map(|pair| pair[0]);
    let lowest = lowest.fold(f64::INFINITY, f64::min).floor() + 60.0;
    vec![
        case("nothing", json!({}), |_| true),
        case(
            "rulesets",
            json!({"rulesets": ["barrage", "original"]}),
            |game| game.ruleset != "duel",
        ),
        case("sources", json!({"sources": ["play", "gravon"]}), |_| true),
        case("players", json!({"players": [red, "nobody"]}), {
            let red = world.red.clone();
            move |game| game.players.contains(&red)
        }),
        case(
            "a player of an archive",
            json!({"players": [format!("gravon:{blue}")]}),
            |_| false,
        ),
        case("status", json!({"status": ["FINISHED", "ACTIVE"]}), |_| {
            true
        }),
        case("another status", json!({"status": ["ABORTED"]}), |_| false),
        case(
            "reasons",
            json!({"reasons": ["DRAW_AGREED", "FLAG_CAPTURED"]}),
            |game| ["draw_agreed", "flag_captured"].contains(&game.reason.as_str()),
        ),
        case("winner", json!({"winner": "BLUE"}), |game| {
            game.winner.as_deref() == Some("blue")
        }),
        case("rated", json!({"rated": true}), |game| {
            game.ratings.is_some()
        }),
        case("unrated", json!({"rated": false}), |game| {
            game.ratings.is_none()
        }),
        case("finishedFrom", json!({"finishedFrom": middle}), {
            let from = until.clone();
            move |game| game.finished_at >= from
        }),
        case("finishedTo", json!({"finishedTo": until}), {
            let to = until.clone();
            move |game| game.finished_at < to
        }),
        case("plies", json!({"minPlies": 12, "maxPlies": 40}), |game| {
            (12..=40).contains(&game.moves.len())
        }),
        case(
            "ratings",
            json!({"minRating": lowest, "maxRating": 1600.0}),
            move |game| {
                game.ratings
                    .is_some_and(|[low, high]| low >= lowest && high <= 1600.0)
            },
        ),
        case(
            "a band of ratings",
            json!({"minRating": 1400.0, "maxRating": 2000.0}),
            |game| {
                game.ratings
                    .is_some_and(|[low, high]| low >= 1400.0 && high <= 2000.0)
            },
        ),
    ]
}
