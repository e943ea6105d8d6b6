//! Facts and roll-ups, against a recomputation from the logs.

mod filters;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use domain::facts::{Facts, Section};
use domain::{
    ByColor, Color, Command, MoveBuffer, MoveRequest, OfferId, Ruleset, Setup, Status, Style,
};
use storage::facts::{self, StatisticsFilter};
use storage::games::{self, GameFilter, NewGame, StoredGame};
use storage::{GameId, PlayerId, StorageError, players, ratings};

use crate::recorded;
use crate::support::{TestDatabase, add, at, new_game, on_both};

on_both!(
    statistics_are_complete_before_and_after_they_are_folded,
    facts_that_are_worked_out_anew_are_the_same,
    facts_that_are_missing_are_worked_out,
    a_game_that_does_not_fold_keeps_no_other_back,
    an_annulled_game_moves_to_those_that_do_not_count,
    what_is_private_or_was_aborted_is_left_out,
    games_that_end_while_others_are_folded_in_are_all_counted,
    games_annulled_while_facts_are_worked_out_count_as_they_are,
    a_query_has_an_end,
    a_player_without_games_has_no_results,
);

/// Seconds of about a month.
const MONTH: i64 = 30 * 24 * 3_600;

fn soon() -> Instant {
    Instant::now() + Duration::from_mins(1)
}

/// How a game is to end that the rules do not end before.
#[derive(Debug, Clone, Copy)]
enum End {
    Resigned,
    Drawn,
}

/// A fixed sequence of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

/// A game of so many plies at most, played at random in one write.
fn played(db: &TestDatabase, new: &NewGame, seed: u64, plies: u32, end: End) -> StoredGame {
    let mut dice = Dice(seed);
    let before = db.write(|conn| games::create(conn, new));
    let (mut after, mut events) = (before.game.clone(), Vec::new());
    let mut now = new.created_at;
    let mut command = |after: &mut domain::Game, by: Color, command: Command| {
        now = now + Duration::from_millis(1_234);
        for event in after.play(by, &command, now).unwrap() {
            after.apply(&event).unwrap();
            events.push(event);
        }
    };
    for side in Color::ALL {
        let army = Setup::random(new.terms.ruleset, Style::Uniform, |n| dice.below(n));
        command(&mut after, side, Command::PlaceSetup(army));
    }
    let mut moves = MoveBuffer::new();
    while let (Some(by), true) = (after.turn(), after.ply() < plies) {
        after.legal_moves(&mut moves);
        // Battles are what statistics are about.
        let attacks: Vec<_> = moves
            .iter()
            .filter(|mv| after.is_attack(**mv))
            .copied()
            .collect();
        let among = if attacks.is_empty() {
            &moves
        } else {
            attacks.as_slice()
        };
        let mv = among[dice.below(among.len())];
        let request = MoveRequest {
            ply: after.ply(),
            from: Some(mv.from),
            to: Some(mv.to),
            rescue: None,
        };
        command(&mut after, by, Command::Move(request));
    }
    if let Some(by) = after.turn() {
        match end {
            End::Resigned => command(&mut after, by, Command::Resign),
            End::Drawn => {
                command(&mut after, by, Command::OfferDraw(OfferId(1)));
                command(&mut after, !by, Command::AcceptOffer(OfferId(1)));
            }
        }
    }
    db.write(|conn| games::append(conn, &before, after.clone(), &events, None))
}

fn between(players: ByColor<PlayerId>, ruleset: Ruleset, second: i64) -> NewGame {
    let mut new = new_game(players);
    new.id = GameId::generate(at(second));
    new.terms.ruleset = ruleset;
    new.terms.options = ruleset.default_options();
    new.created_at = at(second);
    new
}

/// Games of all kinds over half a year between three players, and some of others from elsewhere; gives the
/// players, one of the others last.
fn archive(db: &TestDatabase) -> Vec<PlayerId> {
    let mut players: Vec<PlayerId> = ["ann", "bob", "cyn"]
        .map(|name| db.player(name).id)
        .to_vec();
    for nth in 0..36_u64 {
        let place = usize::try_from(nth).unwrap();
        let (red, blue) = (players[place % 3], players[(place + 1 + place / 3 % 2) % 3]);
        let ruleset = [Ruleset::Barrage, Ruleset::Duel, Ruleset::Original][place / 2 % 3];
        let second = i64::try_from(nth).unwrap() * MONTH / 6;
        let mut new = between(ByColor { red, blue }, ruleset, second);
        new.rated = nth % 3 != 0;
        new.private = nth % 11 == 10;
        let end = if nth % 4 == 3 {
            End::Drawn
        } else {
            End::Resigned
        };
        // A game that is given up at once is aborted.
        let plies = if nth % 9 == 8 { 0 } else { 20 + 15 * (nth % 5) };
        played(db, &new, nth, u32::try_from(plies).unwrap(), end);
    }
    let elsewhere = [("ann", 5), ("ben", 16), ("ann", 35), ("ben", 70)];
    let elsewhere = (0..).zip(elsewhere).map(|(digest, (red, plies))| {
        let (game, _) = recorded::ready(digest, [red, "cyd"], plies);
        game
    });
    recorded::import(db, &elsewhere.collect::<Vec<_>>());
    let other = db.read(|conn| players::recorded(conn, "gravon", "ann"));
    players.push(other.id);
    players
}

fn all_games(db: &TestDatabase) -> Vec<StoredGame> {
    let ids = db.read(|conn| {
        let page = storage::PageRequest::first(1000);
        let order = games::GameOrder::FinishedAscending;
        games::list(conn, &GameFilter::default(), order, &page)
    });
    let load = |id| db.read(|conn| games::load(conn, id));
    ids.items.into_iter().map(|game| load(game.id)).collect()
}

/// The facts of the games for which `keep` says so, worked out from their logs.
fn recomputed(games: &[StoredGame], keep: impl Fn(&StoredGame) -> bool) -> Facts {
    let mut sum = Facts::default();
    for game in games.iter().filter(|game| keep(game)) {
        if let Some(facts) = Facts::of(&game.game) {
            add(&mut sum, &facts);
        }
    }
    sum
}

fn statistics(db: &TestDatabase, filter: &GameFilter) -> Facts {
    let filter = StatisticsFilter::new(filter.clone());
    db.read(|conn| facts::read(conn, &filter, &Section::ALL, soon()))
}

fn fold_all(db: &TestDatabase) -> usize {
    let mut games = 0;
    loop {
        let folded = facts::fold(&db.database, 7).unwrap();
        games += folded.games;
        if !folded.more {
            return games;
        }
    }
}

fn statistics_are_complete_before_and_after_they_are_folded(db: &TestDatabase) {
    let players = archive(db);
    let games = all_games(db);
    let finished = games
        .iter()
        .filter(|game| game.summary.status == Status::Finished)
        .count();
    assert!(finished > 25, "{finished}");
    filters::compare(db, &games, &players);
    assert_eq!(facts::fold(&db.database, 5).unwrap().games, 5);
    filters::compare(db, &games, &players);
    assert_eq!(fold_all(db), finished - 5);
    assert_eq!(db.count("facts_to_fold"), 0);
    assert_eq!(fold_all(db), 0);
    filters::compare(db, &games, &players);
}

/// All that is stored of facts, as it stands in the tables.
fn stored(db: &TestDatabase) -> BTreeMap<&'static str, Vec<String>> {
    let mut tables = BTreeMap::new();
    storage::archive::read(&db.database, |conn| {
        for name in ["game_facts", "game_courses", "rollups"] {
            let table = storage::archive::TABLES
                .iter()
                .find(|table| table.name == name)
                .unwrap();
            let mut rows = Vec::new();
            storage::archive::for_each_row(conn, table, |row| {
                rows.push(format!("{row:?}"));
                Ok::<_, StorageError>(())
            })?;
            tables.insert(name, rows);
        }
        Ok::<_, StorageError>(())
    })
    .unwrap();
    tables
}

fn facts_that_are_worked_out_anew_are_the_same(db: &TestDatabase) {
    archive(db);
    fold_all(db);
    let before = stored(db);
    assert!(before["rollups"].len() > 100);
    let mut told = Vec::new();
    let games = facts::rebuild(&db.database, |games| told.push(games)).unwrap();
    assert_eq!(told, [games]);
    assert_eq!(stored(db), before);
    db.execute("DELETE FROM rollups WHERE low_band >= 0")
        .unwrap();
    db.execute("DELETE FROM game_facts WHERE rated").unwrap();
    db.execute("UPDATE game_facts SET battles = survival")
        .unwrap();
    facts::rebuild(&db.database, |_| {}).unwrap();
    assert_eq!(stored(db), before);
}

/// As after an upgrade: the migration notes what is to be folded in, and knows no facts.
fn facts_that_are_missing_are_worked_out(db: &TestDatabase) {
    archive(db);
    let before = statistics(db, &GameFilter::default());
    db.execute("DELETE FROM game_facts").unwrap();
    assert_eq!(statistics(db, &GameFilter::default()), Facts::default());
    // One that cannot have any is forgotten.
    let private = "SELECT id FROM games WHERE private";
    db.execute(&format!("INSERT INTO facts_to_fold {private}"))
        .unwrap();
    fold_all(db);
    assert_eq!(db.count("facts_to_fold"), 0);
    assert_eq!(statistics(db, &GameFilter::default()), before);
}

fn a_game_that_does_not_fold_keeps_no_other_back(db: &TestDatabase) {
    let players = archive(db);
    let games = all_games(db);
    let broken =
        "SELECT id FROM games WHERE status = 'finished' AND NOT private ORDER BY id LIMIT 1";
    db.execute(&format!(
        "UPDATE games SET ply = ply + 1 WHERE id = ({broken})"
    ))
    .unwrap();
    let public = games
        .iter()
        .filter(|game| game.summary.status == Status::Finished && !game.summary.private);
    let broken = public.map(|game| game.summary.id.as_uuid()).min();
    let rest: Vec<_> = games
        .into_iter()
        .filter(|game| Some(game.summary.id.as_uuid()) != broken)
        .collect();
    db.execute("DELETE FROM game_facts").unwrap();
    fold_all(db);
    assert_eq!(db.count("facts_to_fold"), 0);
    filters::compare(db, &rest, &players);
    facts::rebuild(&db.database, |_| {}).unwrap();
    filters::compare(db, &rest, &players);
}

/// The games that count.
fn rated(games: &[StoredGame]) -> Vec<GameId> {
    let rated = games
        .iter()
        .filter(|game| game.summary.rated && !game.summary.private);
    let finished = rated.filter(|game| game.summary.status == Status::Finished);
    finished.map(|game| game.summary.id).collect()
}

fn an_annulled_game_moves_to_those_that_do_not_count(db: &TestDatabase) {
    let players = archive(db);
    let annul = |id: GameId| {
        db.write(|conn| ratings::annul(conn, id, "for a test", at(0)));
    };
    let ids = rated(&all_games(db));
    annul(ids[0]);
    filters::compare(db, &all_games(db), &players);
    fold_all(db);
    annul(ids[1]);
    let games = all_games(db);
    assert_eq!(rated(&games).len(), ids.len() - 2);
    filters::compare(db, &games, &players);
    let before = stored(db);
    facts::rebuild(&db.database, |_| {}).unwrap();
    assert_eq!(stored(db)["game_facts"], before["game_facts"]);
    filters::compare(db, &games, &players);
}

fn what_is_private_or_was_aborted_is_left_out(db: &TestDatabase) {
    let players = db.pair();
    let mut new = between(players, Ruleset::Barrage, 10);
    played(db, &new, 1, 10, End::Resigned);
    (new.id, new.private) = (GameId::generate(at(11)), true);
    played(db, &new, 2, 10, End::Resigned);
    (new.id, new.private) = (GameId::generate(at(12)), false);
    played(db, &new, 3, 0, End::Resigned);
    new.id = GameId::generate(at(13));
    db.write(|conn| games::create(conn, &new));
    (new.id, new.private) = (GameId::generate(at(14)), true);
    db.write(|conn| games::create(conn, &new));
    let everything = GameFilter::default();
    assert_eq!(statistics(db, &everything).results().games, 1);
    let filter = StatisticsFilter::new(GameFilter {
        viewer: Some(players.red),
        ..everything
    });
    // They match but for their state, whichever is asked for.
    let finished = StatisticsFilter::new(GameFilter {
        statuses: Some(vec![Status::Finished]),
        ..GameFilter::default()
    });
    for filter in [&filter, &finished] {
        let excluded = db.read(|conn| facts::excluded(conn, filter));
        assert_eq!((excluded.aborted, excluded.unfinished), (1, 1));
    }
    let results = db.read(|conn| facts::results_of(conn, &filter, players.red));
    assert_eq!(results.games, 1);
}

fn games_that_end_while_others_are_folded_in_are_all_counted(db: &TestDatabase) {
    let players = db.pair();
    let (threads, games) = (4, 8);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                for nth in 0..games {
                    let mut new = between(players, Ruleset::Barrage, 10);
                    new.rated = false;
                    played(db, &new, thread * games + nth, 6, End::Resigned);
                }
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..20 {
                    // On PostgreSQL two of them may get into each other's way for good.
                    let _ = facts::fold(&db.database, 3);
                }
            });
        }
    });
    fold_all(db);
    let all = all_games(db);
    assert_eq!(all.len() as u64, threads * games);
    assert_eq!(
        statistics(db, &GameFilter::default()),
        recomputed(&all, |_| true)
    );
}

/// As after an upgrade, when nodes work out what is missing and an operator begins anew.
fn games_annulled_while_facts_are_worked_out_count_as_they_are(db: &TestDatabase) {
    archive(db);
    db.execute("DELETE FROM game_facts").unwrap();
    let ids = rated(&all_games(db));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for id in ids {
                db.write(|conn| ratings::annul(conn, id, "for a test", at(0)));
            }
        });
        scope.spawn(|| facts::rebuild(&db.database, |_| {}).unwrap());
        scope.spawn(|| {
            for _ in 0..20 {
                // One of two that fold has to give way, on PostgreSQL.
                let _ = facts::fold(&db.database, 3);
            }
        });
    });
    fold_all(db);
    let all = all_games(db);
    assert!(rated(&all).is_empty());
    let unrated = GameFilter {
        rated: Some(false),
        ..GameFilter::default()
    };
    for filter in [GameFilter::default(), unrated] {
        let public = recomputed(&all, |game| !game.summary.private);
        assert_eq!(statistics(db, &filter), public);
    }
}

fn a_query_has_an_end(db: &TestDatabase) {
    archive(db);
    let filter = StatisticsFilter::new(GameFilter {
        min_plies: Some(1),
        ..GameFilter::default()
    });
    let late = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
    let read = |conn: &mut storage::Connection| facts::read(conn, &filter, &Section::ALL, late);
    let error = db.database.read(read).unwrap_err();
    assert!(matches!(error, StorageError::TooSlow), "{error}");
}

fn a_player_without_games_has_no_results(db: &TestDatabase) {
    let player = db.player("lonely").id;
    let filter = StatisticsFilter::default();
    let results = db.read(|conn| facts::results_of(conn, &filter, player));
    assert_eq!(results, facts::PlayerResults::default());
    assert_eq!(statistics(db, &GameFilter::default()), Facts::default());
}
