//! Ratings: what the end of a game makes of them, and what an annulment does.

mod annulments;
mod pages;

use std::sync::mpsc;
use std::time::Duration;

use domain::{ByColor, Color, Command, Rating, Ruleset, Status};
use storage::games::{self, NewGame, StoredGame};
use storage::ratings::{self, RatingChange, Standing};
use storage::{Connection, GameId, PageRequest, PlayerId, StorageError};

use crate::support::{TestDatabase, at, move_request, new_game, on_both, setup};

on_both!(
    a_rated_game_changes_both_ratings_once,
    what_does_not_count_changes_nothing,
    each_rule_sheet_has_a_pool_of_its_own,
    idleness_counts_once_and_reading_writes_nothing,
    a_game_keeps_the_ratings_it_began_with,
    games_that_end_at_once_lose_nothing,
    one_game_that_ends_many_times_is_rated_once,
    an_end_that_is_kept_late_comes_after_what_was_kept_before,
);

/// A game between players, in which each has made a move, at that second.
fn begun(db: &TestDatabase, new: &NewGame, second: i64) -> StoredGame {
    let new = NewGame {
        created_at: at(second),
        ..*new
    };
    let mut game = db.write(|conn| games::create(conn, &new));
    for color in Color::ALL {
        let army = if new.terms.ruleset == Ruleset::Original {
            setup()
        } else {
            domain::Setup::random(new.terms.ruleset, domain::Style::Advised, |below| below / 2)
        };
        game = db.play(&game, color, &Command::PlaceSetup(army), at(second));
    }
    for color in Color::ALL {
        let mut moves = domain::MoveBuffer::new();
        game.game.legal_moves(&mut moves);
        let (from, to) = (moves[0].from.to_string(), moves[0].to.to_string());
        let command = move_request(game.game.ply(), &from, &to);
        game = db.play(&game, color, &command, at(second));
    }
    game
}

fn between(players: ByColor<PlayerId>) -> NewGame {
    let mut new = new_game(players);
    new.terms.time_control = domain::TimeControl::Unlimited;
    new
}

/// A rated game that `loser` gives up at that second.
fn lost(db: &TestDatabase, players: ByColor<PlayerId>, loser: Color, second: i64) -> StoredGame {
    let game = begun(db, &between(players), second);
    db.play(&game, loser, &Command::Resign, at(second))
}

/// Gives a game up as the program has it done, which is not the transaction of other writes.
fn resign(
    db: &TestDatabase,
    game: &StoredGame,
    by: Color,
    second: i64,
) -> Result<StoredGame, StorageError> {
    let (done, outcome) = mpsc::channel();
    let events = game.game.play(by, &Command::Resign, at(second)).unwrap();
    let before = game.clone();
    let append = move |conn: &mut Connection| {
        let mut after = before.game.clone();
        for event in &events {
            after.apply(event)?;
        }
        conn.atomically(|conn| games::append(conn, &before, after, &events, None))
    };
    db.database
        .guarded(append, move |outcome| done.send(outcome).unwrap());
    outcome.recv().unwrap()
}

fn standings(db: &TestDatabase, player: PlayerId) -> Vec<Standing> {
    let found = db.read(|conn| ratings::of_players(conn, &[player]));
    found.into_iter().map(|(_, standing)| standing).collect()
}

fn rating(db: &TestDatabase, player: PlayerId) -> Rating {
    standings(db, player)[0].rating
}

fn history(db: &TestDatabase, player: PlayerId) -> Vec<RatingChange> {
    let page = PageRequest::<ratings::HistoryCursor>::first(1000);
    db.read(|conn| ratings::history(conn, player, None, None, &page))
        .items
}

fn reload(db: &TestDatabase, id: GameId) -> StoredGame {
    db.read(|conn| games::load(conn, id))
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!(
        (value - expected).abs() <= 0.005,
        "{value} is not {expected}"
    );
}

fn a_rated_game_changes_both_ratings_once(db: &TestDatabase) {
    let players = db.pair();
    assert_eq!(standings(db, players.red), []);
    let before = begun(db, &between(players), 20);
    let after = db.play(&before, Color::Blue, &Command::Resign, at(30));
    assert_eq!(reload(db, after.summary.id).summary, after.summary);
    for (side, points) in [(Color::Red, 162.31), (Color::Blue, -162.31)] {
        let standing = standings(db, players[side])[0];
        near(standing.rating.rating, 1500.0 + points);
        near(standing.rating.deviation, 290.32);
        assert_eq!((standing.ruleset, standing.games), (Ruleset::Original, 1));
        near(after.summary.rating_changes[side].unwrap(), points);
        let rows = history(db, players[side]);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].rating, standing.rating);
        assert_eq!((rows[0].game, rows[0].at), (after.summary.id, at(30)));
    }
    // Somebody who saw the game before it ended ends it again.
    let again = db.try_play(&before, Color::Red, &Command::Resign, at(31));
    assert!(matches!(again, Err(StorageError::Conflict)));
    assert_eq!(db.count("rating_history"), 2);
    near(rating(db, players.red).rating, 1662.31);
}

fn what_does_not_count_changes_nothing(db: &TestDatabase) {
    let players = db.pair();
    let mut unrated = between(players);
    unrated.rated = false;
    let game = begun(db, &unrated, 20);
    let game = db.play(&game, Color::Red, &Command::Resign, at(30));
    assert_eq!(game.summary.status, Status::Finished);
    assert_eq!(game.summary.rating_changes, ByColor::default());
    // E06: neither does what ends before both have moved.
    let mut game = db.write(|conn| games::create(conn, &between(players)));
    for color in Color::ALL {
        game = db.play(&game, color, &Command::PlaceSetup(setup()), at(20));
    }
    let mut moves = domain::MoveBuffer::new();
    game.game.legal_moves(&mut moves);
    let (from, to) = (moves[0].from.to_string(), moves[0].to.to_string());
    let one_ply = db.play(&game, Color::Red, &move_request(0, &from, &to), at(21));
    let game = db.play(&one_ply, Color::Blue, &Command::Resign, at(22));
    assert_eq!(game.summary.status, Status::Aborted);
    assert_eq!(game.summary.rating_changes, ByColor::default());
    for table in ["ratings", "rating_history"] {
        assert_eq!(db.count(table), 0);
    }
}

/// E09.
fn each_rule_sheet_has_a_pool_of_its_own(db: &TestDatabase) {
    let players = db.pair();
    lost(db, players, Color::Blue, 20);
    let mut barrage = between(players);
    barrage.terms.ruleset = Ruleset::Barrage;
    barrage.terms.options = Ruleset::Barrage.default_options();
    let game = begun(db, &barrage, 30);
    near(game.summary.ratings.red.unwrap().rating, 1500.0);
    db.play(&game, Color::Red, &Command::Resign, at(31));
    let red = standings(db, players.red);
    let pools: Vec<_> = red.iter().map(|one| (one.ruleset, one.games)).collect();
    assert_eq!(pools, [(Ruleset::Original, 1), (Ruleset::Barrage, 1)]);
    near(red[0].rating.rating, 1662.31);
    near(red[1].rating.rating, 1337.69);
    let rows = history(db, players.red);
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1].rating, red[1].rating);
}

/// E02.
fn idleness_counts_once_and_reading_writes_nothing(db: &TestDatabase) {
    let players = db.pair();
    lost(db, players, Color::Blue, 20);
    let known = "UPDATE ratings SET rating = 1500000000, deviation = 50000000, \
         volatility = 60000000 WHERE deviation > 0";
    db.execute(known).unwrap();
    let year = i64::try_from(12 * Rating::IDLE_PERIOD.as_secs()).unwrap();
    for _ in 0..3 {
        near(rating(db, players.red).deviation, 50.0);
    }
    lost(db, players, Color::Blue, 20 + year);
    let before =
        "rating_history WHERE number = 2 AND deviation_before BETWEEN 61670000 AND 61680000";
    assert_eq!(db.count(before), 2);
    lost(db, players, Color::Blue, 30 + year);
    let grown = "rating_history AS later INNER JOIN rating_history AS earlier
         ON earlier.player_id = later.player_id AND earlier.number = 2
         WHERE later.number = 3 AND later.deviation_before <> earlier.deviation";
    assert_eq!(db.count(grown), 0);
}

fn a_game_keeps_the_ratings_it_began_with(db: &TestDatabase) {
    let players = db.pair();
    let running = begun(db, &between(players), 20);
    let stamp = db.read(|conn| games::stamp(conn, running.summary.id));
    lost(db, players, Color::Blue, 30);
    assert_eq!(reload(db, running.summary.id).summary, running.summary);
    assert_eq!(
        db.read(|conn| games::stamp(conn, running.summary.id)),
        stamp
    );
    let ended = db.play(&running, Color::Blue, &Command::Resign, at(40));
    assert_eq!(ended.summary.ratings, running.summary.ratings);
    near(ended.summary.ratings.red.unwrap().rating, 1500.0);
    // What it gained him counts from where he was by then.
    let gained = ended.summary.rating_changes.red.unwrap();
    near(rating(db, players.red).rating, 1662.31 + gained);
    let next = db.write(|conn| games::create(conn, &between(players)));
    let shown = next.summary.ratings.red.unwrap();
    near(shown.rating, rating(db, players.red).rating);
    assert!(shown.is_provisional());
}

/// Ten games of one player, and of two players with each other, all of which end at one moment.
fn games_that_end_at_once_lose_nothing(db: &TestDatabase) {
    let players = db.pair();
    let mut running = Vec::new();
    for number in 0..10 {
        let opponent = if number < 4 {
            players.blue
        } else {
            db.player(&format!("opponent{number}")).id
        };
        let (one, other) = (players.red, opponent);
        let sides = if number % 2 == 0 {
            (one, other)
        } else {
            (other, one)
        };
        let (red, blue) = sides;
        running.push(begun(db, &between(ByColor { red, blue }), 20));
    }
    let start = std::sync::Barrier::new(running.len());
    std::thread::scope(|scope| {
        for game in &running {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                resign(db, game, Color::Blue, 30).unwrap();
            });
        }
    });
    let red = standings(db, players.red)[0];
    assert_eq!(red.games, 10);
    let rows = history(db, players.red);
    assert_eq!(rows.last().unwrap().rating, red.rating);
    assert!(rows.windows(2).all(|pair| pair[0].at < pair[1].at));
    let broken = "rating_history AS later INNER JOIN rating_history AS earlier
         ON earlier.player_id = later.player_id AND earlier.number = later.number - 1
         WHERE later.rating_before <> earlier.rating
         OR later.deviation_before <> earlier.deviation";
    assert_eq!(db.count(broken), 0);
    assert_eq!(db.count("rating_history"), 20);
}

fn one_game_that_ends_many_times_is_rated_once(db: &TestDatabase) {
    let players = db.pair();
    let game = begun(db, &between(players), 20);
    let start = std::sync::Barrier::new(8);
    let ended = std::thread::scope(|scope| {
        let ends: Vec<_> = (0..8)
            .map(|number| {
                let (start, game) = (&start, &game);
                scope.spawn(move || {
                    start.wait();
                    resign(db, game, Color::ALL[number % 2], 30).is_ok()
                })
            })
            .collect();
        let ends = ends.into_iter().map(|end| end.join().unwrap());
        ends.filter(|ended| *ended).count()
    });
    assert_eq!(ended, 1);
    assert_eq!(db.count("rating_history"), 2);
    let sum = rating(db, players.red).rating + rating(db, players.blue).rating;
    near(sum, 3000.0);
}

/// A deadline that passed while nobody looked: the game ended before the other, and is rated after it.
fn an_end_that_is_kept_late_comes_after_what_was_kept_before(db: &TestDatabase) {
    let players = db.pair();
    let mut new = between(players);
    new.terms.time_control = domain::TimeControl::PerMove(Duration::from_secs(100));
    let forgotten = begun(db, &new, 20);
    lost(db, players, Color::Red, 500);
    let events = forgotten.game.expire(at(600)).unwrap();
    db.write(|conn| {
        let mut after = forgotten.game.clone();
        for event in &events {
            after.apply(event)?;
        }
        games::append(conn, &forgotten, after, &events, None)
    });
    let rows = history(db, players.red);
    assert_eq!(rows[0].at, at(500));
    assert_eq!(rows[1].at, at(500) + Duration::from_micros(1));
    assert_eq!(rows[1].game, forgotten.summary.id);
    assert_eq!(rows[1].rating, rating(db, players.red));
}
