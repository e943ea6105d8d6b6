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
    let middle = games[games.len() / 2].finished_at.clone();
    let mut cases = of_terms(world);
    cases.extend(of_ends(&middle));
    cases.extend(of_ratings(games));
    cases
}

fn of_terms(world: &World) -> Vec<Case> {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let players = |name, players: Vec<String>| {
        let json = json!({"players": players});
        let keeps = move |game: &Told| game.players.iter().any(|player| players.contains(player));
        case(name, json, keeps)
    };
    vec![
        case("nothing", json!({}), |_| true),
        case(
            "rulesets",
            json!({"rulesets": ["barrage", "original"]}),
            |game| ["barrage", "original"].contains(&&*game.ruleset),
        ),
        case("sources", json!({"sources": ["play", "text"]}), |game| {
            game.source == "play"
        }),
        case("other sources", json!({"sources": ["gravon"]}), |game| {
            game.source == "gravon"
        }),
        players("players", names(&[&world.red, "nobody"])),
        players("a player of an archive", names(&[&world.archived])),
        players("players of both", names(&[&world.blue, &world.archived])),
        players(
            "an account as if of an archive",
            vec![format!("gravon:{}", world.blue)],
        ),
    ]
}

fn of_ends(middle: &str) -> Vec<Case> {
    let (from, to) = (middle.to_owned(), middle.to_owned());
    vec![
        case("status", json!({"status": ["FINISHED", "ACTIVE"]}), |_| {
            true
        }),
        // Of what is left out it does not matter whether it was asked for.
        case("another status", json!({"status": ["ABORTED"]}), |game| {
            game.status != "finished"
        }),
        case(
            "reasons",
            json!({"reasons": ["DRAW_AGREED", "FLAG_CAPTURED", "TIMEOUT"]}),
            |game| ["draw_agreed", "flag_captured", "timeout"].contains(&&*game.reason),
        ),
        case("winner", json!({"winner": "BLUE"}), |game| {
            game.winner.as_deref() == Some("blue")
        }),
        case("finishedFrom", json!({"finishedFrom": from}), move |game| {
            game.finished_at >= from
        }),
        case("finishedTo", json!({"finishedTo": to}), move |game| {
            !game.finished_at.is_empty() && game.finished_at < to
        }),
        case("minPlies", json!({"minPlies": 12}), |game| {
            game.moves.len() >= 12
        }),
        case("maxPlies", json!({"maxPlies": 40}), |game| {
            game.moves.len() <= 40
        }),
    ]
}

fn of_ratings(games: &[Told]) -> Vec<Case> {
    let pairs = games.iter().filter_map(|game| game.ratings);
    let lowest = pairs.map(|[low, _]| low).fold(f64::INFINITY, f64::min);
    let least = |name, rating: f64| {
        case(name, json!({"minRating": rating}), move |game| {
            game.ratings.is_some_and(|[low, _]| low >= rating)
        })
    };
    let most = |name, rating: f64| {
        case(name, json!({"maxRating": rating}), move |game| {
            game.ratings.is_some_and(|[_, high]| high <= rating)
        })
    };
    vec![
        case("rated", json!({"rated": true}), |game| game.rated),
        case("unrated", json!({"rated": false}), |game| !game.rated),
        least("minRating", lowest.floor() + 60.0),
        // What is folded is apart by bands of 200.
        least("minRating of a band", 1_400.0),
        most("maxRating", 1_590.5),
        most("maxRating of a band", 1_600.0),
    ]
}
