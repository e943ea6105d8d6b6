use std::collections::BTreeMap;

use domain::{ByColor, Color, Command, Rating};
use storage::games;
use storage::ratings::{self, Annulled};
use storage::{GameId, PlayerId, StorageError};

use super::{begun, between, history, lost, rating, reload, resign, standings};
use crate::support::{TestDatabase, at, on_both};

on_both!(
    a_pool_without_a_game_is_as_if_it_had_not_been,
    an_annulled_game_says_so_and_stays_in_the_history,
    only_what_is_over_is_annulled,
    games_that_end_meanwhile_are_rated_right,
);

fn annul(db: &TestDatabase, game: GameId) -> Annulled {
    db.write(|conn| ratings::annul(conn, game, "played by a program", at(9_000_000)))
}

const DAY: i64 = 24 * 3600;

/// A season between five players, but for some of its games; gives the games.
fn season(db: &TestDatabase, but: &[usize]) -> Vec<(usize, GameId)> {
    let names = ["ann", "bob", "cid", "dan", "eve"];
    let players: Vec<PlayerId> = names.map(|name| db.player(name).id).into();
    let mut played = Vec::new();
    for number in 0..24 {
        let (one, other) = (number % 5, (number * 2 + 1 + number / 5) % 5);
        if one == other || but.contains(&number) {
            continue;
        }
        let sides = ByColor {
            red: players[one],
            blue: players[other],
        };
        let loser = Color::ALL[number * 7 / 3 % 2];
        // Long enough for some to be idle in between.
        let second = 20 + 40 * DAY * i64::try_from(number).unwrap();
        played.push((number, lost(db, sides, loser, second).summary.id));
    }
    played
}

/// How everybody stands, by name.
fn table(db: &TestDatabase) -> BTreeMap<String, (Rating, u64)> {
    let mut table = BTreeMap::new();
    for name in ["ann", "bob", "cid", "dan", "eve"] {
        let player = db.read(|conn| storage::players::by_username_key(conn, name));
        let standing = standings(db, player.id)[0];
        let rows = history(db, player.id);
        assert_eq!(rows.last().unwrap().rating, standing.rating, "{name}");
        let counted = rows.iter().filter(|row| !row.annulled).count();
        assert_eq!(u64::try_from(counted).unwrap(), standing.games, "{name}");
        table.insert(name.to_owned(), (standing.rating, standing.games));
    }
    table
}

/// E08.
fn a_pool_without_a_game_is_as_if_it_had_not_been(db: &TestDatabase) {
    let played = season(db, &[]);
    let with_all = table(db);
    // In the middle, before it, and the last.
    let annulled = [played[9].0, played[3].0, played[played.len() - 1].0];
    for (count, number) in (1..).zip(annulled) {
        let (_, id) = played.iter().find(|(one, _)| *one == number).unwrap();
        assert!(matches!(annul(db, *id), Annulled::Now { .. }));
        let other = TestDatabase::sqlite();
        season(&other, &annulled[..count]);
        assert_eq!(table(db), table(&other));
        assert_eq!(annul(db, *id), Annulled::Before);
        assert_eq!(table(db), table(&other));
    }
    assert_ne!(table(db), with_all);
    assert_eq!(
        db.count("rating_history"),
        2 * i64::try_from(played.len()).unwrap()
    );
    // What the games gained adds up to where everybody stands.
    let mut points: BTreeMap<PlayerId, f64> = BTreeMap::new();
    for (_, id) in &played {
        let summary = reload(db, *id).summary;
        for side in Color::ALL {
            let gained = summary.rating_changes[side].unwrap_or_default();
            *points.entry(summary.players[side].id).or_default() += gained;
        }
    }
    for (player, points) in points {
        let off = rating(db, player).rating - 1500.0 - points;
        assert!(off.abs() < 1e-6, "{off}");
    }
}

fn an_annulled_game_says_so_and_stays_in_the_history(db: &TestDatabase) {
    let players = db.pair();
    let game = lost(db, players, Color::Blue, 20);
    let stamp = db.read(|conn| games::stamp(conn, game.summary.id));
    assert_eq!(annul(db, game.summary.id), Annulled::Now { rated_anew: 0 });
    let summary = reload(db, game.summary.id).summary;
    assert!(!summary.rated);
    assert_eq!(summary.annulment.unwrap().reason, "played by a program");
    assert_eq!(summary.rating_changes, ByColor::default());
    assert_eq!(summary.outcome, game.summary.outcome);
    assert_ne!(db.read(|conn| games::stamp(conn, game.summary.id)), stamp);
    for player in [players.red, players.blue] {
        let standing = standings(db, player)[0];
        assert_eq!((standing.rating, standing.games), (Rating::START, 0));
        let rows = history(db, player);
        assert_eq!(rows.len(), 1);
        assert!(rows[0].annulled);
        assert_eq!(rows[0].rating, Rating::START);
    }
    // An unrated game can be annulled as well: it says so, and nothing is computed.
    let mut unrated = between(players);
    unrated.rated = false;
    let game = begun(db, &unrated, 30);
    let game = db.play(&game, Color::Red, &Command::Resign, at(31));
    assert_eq!(annul(db, game.summary.id), Annulled::Now { rated_anew: 0 });
}

fn only_what_is_over_is_annulled(db: &TestDatabase) {
    let players = db.pair();
    let running = begun(db, &between(players), 20);
    let annulled = |id| {
        db.database
            .write(|conn| ratings::annul(conn, id, "why", at(40)))
    };
    let refused = annulled(running.summary.id);
    assert!(matches!(refused, Err(StorageError::Conflict)));
    let unknown = annulled(GameId::generate(at(0)));
    assert!(matches!(unknown, Err(StorageError::NotFound)));
    assert_eq!(reload(db, running.summary.id).summary, running.summary);
}

/// Two games are annulled while others of the same players end.
fn games_that_end_meanwhile_are_rated_right(db: &TestDatabase) {
    let players = db.pair();
    let third = db.player("third").id;
    let ended: Vec<GameId> = (0..6)
        .map(|number| lost(db, players, Color::ALL[number % 2], 20).summary.id)
        .collect();
    let mut running = Vec::new();
    for number in 0..6 {
        let blue = if number % 2 == 0 { players.blue } else { third };
        let red = players.red;
        running.push(begun(db, &between(ByColor { red, blue }), 30));
    }
    let start = std::sync::Barrier::new(running.len() + 2);
    std::thread::scope(|scope| {
        for game in &running {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                resign(db, game, Color::Blue, 40).unwrap();
            });
        }
        for id in [ended[1], ended[3]] {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                assert!(matches!(annul(db, id), Annulled::Now { .. }));
            });
        }
    });
    assert_eq!(standings(db, players.red)[0].games, 10);
    for player in [players.red, players.blue, third] {
        let rows = history(db, player);
        assert_eq!(rows.last().unwrap().rating, rating(db, player));
    }
    let broken = "rating_history AS later INNER JOIN rating_history AS earlier
         ON earlier.player_id = later.player_id AND earlier.number = later.number - 1
         WHERE later.rating_before <> earlier.rating
         OR later.deviation_before <> earlier.deviation";
    assert_eq!(db.count(broken), 0);
    let of_annulled = "rating_history WHERE annulled AND (rating <> rating_before
         OR deviation <> deviation_before OR volatility <> volatility_before)";
    assert_eq!(db.count(of_annulled), 0);
    assert_eq!(db.count("rating_history WHERE annulled"), 4);
}
