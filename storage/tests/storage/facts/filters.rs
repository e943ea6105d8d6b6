//! Each filter alone and in pairs, against a plain reading of it.

use domain::{Color, EndReason, Status};
use storage::PlayerId;
use storage::facts::{self, StatisticsFilter};
use storage::games::{GameFilter, StoredGame};

use super::{MONTH, recomputed, statistics};
use crate::support::{TestDatabase, at};

/// A filter, and whether a game passes it.
struct Case {
    name: &'static str,
    set: Box<dyn Fn(&mut GameFilter)>,
    keeps: Box<dyn Fn(&StoredGame) -> bool>,
}

fn case(
    name: &'static str,
    set: impl Fn(&mut GameFilter) + 'static,
    keeps: impl Fn(&StoredGame) -> bool + 'static,
) -> Case {
    Case {
        name,
        set: Box::new(set),
        keeps: Box::new(keeps),
    }
}

/// Both sides' ratings, of a game that counts.
fn ratings(game: &StoredGame) -> Option<(f64, f64)> {
    let ratings = game.summary.ratings.both().filter(|_| game.summary.rated)?;
    let (red, blue) = (ratings.red.rating, ratings.blue.rating);
    Some((red.min(blue), red.max(blue)))
}

/// The first of February 2027 in UTC, in seconds of the tests' time.
const FEBRUARY: i64 = 1_801_440_000 - 1_795_986_000;

#[expect(clippy::too_many_lines, reason = "one entry for each filter")]
fn cases(players: &[PlayerId]) -> Vec<Case> {
    use domain::Ruleset::{Barrage, Duel};
    let (ann, bob, other) = (players[0], players[1], players[3]);
    vec![
        case("nothing", |_| {}, |_| true),
        case(
            "rulesets",
            |filter| filter.rulesets = Some(vec![Barrage, Duel]),
            |game| [Barrage, Duel].contains(&game.summary.terms.ruleset),
        ),
        case(
            "sources",
            |filter| filter.sources = Some(vec!["play".to_owned()]),
            |game| game.summary.source == "play",
        ),
        case(
            "other sources",
            |filter| filter.sources = Some(vec!["gravon".to_owned(), "text".to_owned()]),
            |game| game.summary.source != "play",
        ),
        case(
            "players",
            move |filter| filter.players = Some(vec![ann, bob]),
            move |game| {
                let players = &game.summary.players;
                [ann, bob]
                    .iter()
                    .any(|id| players.red.id == *id || players.blue.id == *id)
            },
        ),
        case(
            "another ann",
            move |filter| filter.players = Some(vec![other]),
            move |game| game.side_of(other).is_some(),
        ),
        case(
            "nobody",
            |filter| filter.players = Some(Vec::new()),
            |_| false,
        ),
        case(
            "status",
            |filter| filter.statuses = Some(vec![Status::Finished, Status::Aborted]),
            |_| true,
        ),
        case(
            "another status",
            |filter| filter.statuses = Some(vec![Status::Active]),
            |_| false,
        ),
        case(
            "reasons",
            |filter| filter.reasons = Some(vec![EndReason::DrawAgreed, EndReason::FlagCaptured]),
            |game| {
                let outcome = game.summary.outcome.unwrap();
                [EndReason::DrawAgreed, EndReason::FlagCaptured].contains(&outcome.reason)
            },
        ),
        case(
            "winner",
            |filter| filter.winner = Some(Color::Blue),
            |game| game.summary.outcome.unwrap().winner == Some(Color::Blue),
        ),
        case(
            "rated",
            |filter| filter.rated = Some(true),
            |game| game.summary.rated,
        ),
        case(
            "unrated",
            |filter| filter.rated = Some(false),
            |game| !game.summary.rated,
        ),
        case(
            "from a month",
            |filter| filter.finished_from = Some(at(FEBRUARY)),
            |game| game.summary.finished_at >= Some(at(FEBRUARY)),
        ),
        case(
            "to within a month",
            |filter| filter.finished_to = Some(at(4 * MONTH)),
            |game| game.summary.finished_at < Some(at(4 * MONTH)),
        ),
        case(
            "to a month",
            |filter| filter.finished_to = Some(at(FEBRUARY)),
            |game| game.summary.finished_at < Some(at(FEBRUARY)),
        ),
        case(
            "plies or more",
            |filter| filter.min_plies = Some(30),
            |game| game.summary.ply >= 30,
        ),
        case(
            "plies or fewer",
            |filter| filter.max_plies = Some(60),
            |game| game.summary.ply <= 60,
        ),
        case(
            "ratings of a band",
            |filter| filter.min_rating = Some(1_400.0),
            |game| ratings(game).is_some_and(|(low, _)| low >= 1_400.0),
        ),
        case(
            "ratings of no band",
            |filter| filter.min_rating = Some(1_420.5),
            |game| ratings(game).is_some_and(|(low, _)| low >= 1_420.5),
        ),
        case(
            "ratings within a band",
            |filter| filter.max_rating = Some(1_650.5),
            |game| ratings(game).is_some_and(|(_, high)| high <= 1_650.5),
        ),
        case(
            "all ratings to a band",
            |filter| filter.max_rating = Some(1_800.0),
            |game| ratings(game).is_some_and(|(_, high)| high <= 1_800.0),
        ),
    ]
}

/// Statistics by each pair of filters (each with itself is each alone) are what the logs come to.
pub(super) fn compare(db: &TestDatabase, games: &[StoredGame], players: &[PlayerId]) {
    let cases = cases(players);
    let mut met = 0;
    for (place, one) in cases.iter().enumerate() {
        for other in &cases[place..] {
            let mut filter = GameFilter::default();
            (one.set)(&mut filter);
            (other.set)(&mut filter);
            // Of two values for one thing the second holds.
            if contradict(one.name, other.name) {
                continue;
            }
            let keep = |game: &StoredGame| (one.keeps)(game) && (other.keeps)(game);
            let expected = recomputed(games, keep);
            let found = statistics(db, &filter);
            assert_eq!(found, expected, "{} and {}", one.name, other.name);
            met += usize::from(expected.results().games > 0);
            results(db, &filter, players, games, &keep);
        }
    }
    assert!(met > 50, "{met} pairs with games");
}

/// Whether two filters set the same thing.
fn contradict(one: &str, other: &str) -> bool {
    let pairs = [
        ("sources", "other sources"),
        ("players", "another ann"),
        ("players", "nobody"),
        ("another ann", "nobody"),
        ("status", "another status"),
        ("rated", "unrated"),
        ("to within a month", "to a month"),
        ("ratings of a band", "ratings of no band"),
        ("ratings within a band", "all ratings to a band"),
    ];
    pairs.contains(&(one, other))
}

fn results(
    db: &TestDatabase,
    filter: &GameFilter,
    players: &[PlayerId],
    games: &[StoredGame],
    keep: &dyn Fn(&StoredGame) -> bool,
) {
    let filter = StatisticsFilter::new(filter.clone());
    let player = players[2];
    let found = db.read(|conn| facts::results_of(conn, &filter, player));
    let his: Vec<&StoredGame> = games
        .iter()
        .filter(|game| game.summary.status == Status::Finished && keep(game))
        .filter(|game| game.side_of(player).is_some())
        .collect();
    let winner = |game: &&&StoredGame| game.summary.outcome.unwrap().winner;
    assert_eq!(found.games, his.len() as u64);
    let wins = his
        .iter()
        .filter(|game| winner(game) == game.side_of(player));
    assert_eq!(found.wins, wins.count() as u64);
    let draws = his.iter().filter(|game| winner(game).is_none());
    assert_eq!(found.draws, draws.count() as u64);
}
