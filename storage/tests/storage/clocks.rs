//! What is due by the clock, time that is given back, and vacations.

use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::{Color, Command, PauseKind, Timestamp, Vacation};
use storage::games::{self, Due, StoredGame};
use storage::{GameId, generate_offer_id, heartbeat, vacations};

use crate::support::{DAY, TestDatabase, at, move_request, new_game, on_both};

fn load(db: &TestDatabase, id: GameId) -> StoredGame {
    db.read(|conn| games::load(conn, id))
}

fn due(db: &TestDatabase, what: Due, now: Timestamp) -> Vec<GameId> {
    db.write(|conn| games::due(conn, what, now, 100))
}

fn what_is_due_is_found_in_order(db: &TestDatabase) {
    let players = db.pair();
    let early = db.active_game(players);
    let late = db.active_game(players);
    let late = db.play(&late, Color::Red, &move_request(0, "a4", "a5"), at(500));
    let over = db.active_game(players);
    db.play(&over, Color::Red, &Command::Resign, at(600));
    let (early, late) = (early.summary, late.summary);
    let deadlines = [early.deadline.unwrap(), late.deadline.unwrap()];
    assert_eq!(due(db, Due::Deadline, at(1_000)), []);
    assert_eq!(due(db, Due::Deadline, deadlines[0]), [early.id]);
    assert_eq!(due(db, Due::Deadline, deadlines[1]), [early.id, late.id]);
    let near = at(10) + 12 * DAY / 5;
    assert_eq!(due(db, Due::Warning, near), [early.id]);
    let event = load(db, early.id).game.warn(near).unwrap();
    let warned = load(db, early.id);
    db.write(|conn| games::append_events(conn, &warned, &[event]));
    assert_eq!(due(db, Due::Warning, near), [], "once");
}

/// With 10 times as many games that are not due the plan is the same: a look into an index.
fn the_due_are_found_by_an_index(db: &TestDatabase) {
    db.active_game(db.pair());
    for query in [
        "SELECT id FROM games WHERE COALESCE(deadline, 9223372036854775807) <= 1 \
         ORDER BY COALESCE(deadline, 9223372036854775807), id LIMIT 100",
        "SELECT id FROM games WHERE near_at IS NOT NULL AND near_at <= 1 ORDER BY near_at LIMIT 100",
    ] {
        let plan = plan(db, query);
        let index = if query.contains("near_at") {
            "games_by_near"
        } else {
            "games_by_deadline"
        };
        assert!(plan.contains(index), "{plan}");
        assert!(
            !plan.to_lowercase().contains("sort") && !plan.contains("TEMP B-TREE"),
            "{plan}"
        );
    }
}

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

fn plan(db: &TestDatabase, query: &str) -> String {
    let steps: Vec<Step> = db.write(|conn| {
        if db.is_sqlite() {
            return Ok(diesel::sql_query(format!("EXPLAIN QUERY PLAN {query}")).load(conn)?);
        }
        // Of a few rows it would read them all.
        for other_way in ["enable_seqscan", "enable_bitmapscan"] {
            diesel::sql_query(format!("SET LOCAL {other_way} = off")).execute(conn)?;
        }
        diesel::sql_query(
            "CREATE OR REPLACE FUNCTION pg_temp.plan(query TEXT) RETURNS SETOF TEXT LANGUAGE plpgsql AS \
             'BEGIN RETURN QUERY EXECUTE ''EXPLAIN '' || query; END'",
        )
        .execute(conn)?;
        let steps = diesel::sql_query("SELECT step AS detail FROM pg_temp.plan($1) AS step");
        Ok(steps.bind::<Text, _>(query).load(conn)?)
    });
    steps.into_iter().map(|step| step.detail + "\n").collect()
}

fn an_outage_is_given_back_once_and_as_the_log_says(db: &TestDatabase) {
    let players = db.pair();
    let every_day = db.active_game(players);
    let resting = {
        let mut new = new_game(players);
        new.terms.weekends = true;
        let game = db.write(|conn| games::create(conn, &new));
        let game = db.play(
            &game,
            Color::Red,
            &Command::PlaceSetup(crate::support::setup()),
            at(10),
        );
        db.play(
            &game,
            Color::Blue,
            &Command::PlaceSetup(crate::support::setup()),
            at(10),
        )
    };
    let in_setup = db.game(players);
    let paused = db.active_game(players);
    let offer = generate_offer_id(at(11));
    let paused = db.play(&paused, Color::Red, &Command::OfferPause(offer), at(11));
    let paused = db.play(&paused, Color::Blue, &Command::AcceptOffer(offer), at(12));
    assert_eq!(db.write(|conn| heartbeat::beat(conn, at(100))), None);
    let ended = at(100) + 9 * DAY;
    let credited = db.write(|conn| {
        let before = heartbeat::beat(conn, ended)?.unwrap();
        assert_eq!(before, at(100));
        heartbeat::credit(conn, before, ended)
    });
    assert_eq!(credited, 3);
    for before in [&every_day, &resting, &in_setup] {
        let mut game = before.game.clone();
        let event = game.credit(at(100), ended).unwrap();
        game.apply(&event).unwrap();
        let after = load(db, before.summary.id);
        assert_eq!(after.game.deadline(), game.deadline());
        assert_eq!(after.summary.deadline, game.deadline());
        assert_eq!(after.game.near(), game.near());
        assert_eq!(after.summary.version, before.summary.version + 1);
    }
    assert_eq!(load(db, paused.summary.id).summary, paused.summary);
    // Whoever beats again sees that it was noted.
    assert_eq!(db.write(|conn| heartbeat::beat(conn, ended)), Some(ended));
    // And play goes on from there.
    let after = load(db, every_day.summary.id);
    db.play(
        &after,
        Color::Red,
        &move_request(0, "a4", "a5"),
        ended + DAY,
    );
}

/// A heartbeat of a clock that was set back takes nothing back.
fn a_heartbeat_does_not_go_back(db: &TestDatabase) {
    db.write(|conn| heartbeat::beat(conn, at(100)));
    assert_eq!(
        db.write(|conn| heartbeat::beat(conn, at(50))),
        Some(at(100))
    );
    assert_eq!(
        db.write(|conn| heartbeat::beat(conn, at(101))),
        Some(at(100))
    );
}

fn a_vacation_is_kept_and_found_when_it_is_due(db: &TestDatabase) {
    let player = db.player("lannes").id;
    let fresh = db.read(|conn| vacations::load(conn, player));
    assert_eq!(fresh.held, Vacation::AT_FIRST);
    let mut planned = db.write(|conn| vacations::lock(conn, player));
    planned.plan(at(100), at(100) + DAY, at(50)).unwrap();
    db.write(|conn| vacations::save(conn, player, &planned, Some(at(100))));
    assert_eq!(db.read(|conn| vacations::load(conn, player)), planned);
    assert_eq!(db.read(|conn| vacations::due(conn, at(99), 10)), []);
    assert_eq!(db.read(|conn| vacations::due(conn, at(100), 10)), [player]);
    assert!(db.read(|conn| vacations::is_due(conn, player, at(100))));
    db.write(|conn| vacations::save(conn, player, &planned, None));
    assert!(!db.read(|conn| vacations::is_due(conn, player, at(100))));
}

/// A game that is made while a player is away knows it from the start.
fn a_new_game_knows_who_is_away(db: &TestDatabase) {
    let players = db.pair();
    db.write(|conn| {
        let mut vacation = vacations::lock(conn, players.blue)?;
        vacation.plan(at(0), at(0) + DAY, at(0)).unwrap();
        assert!(vacation.begin(at(0)));
        vacations::save(conn, players.blue, &vacation, Some(at(0) + DAY))
    });
    let game = db.game(players);
    let pause = load(db, game.summary.id).summary.pause.unwrap();
    assert_eq!(
        (pause.kind, pause.by),
        (PauseKind::Vacation, Some(Color::Blue))
    );
    assert_eq!(game.game.deadline(), None);
    let found = db.read(|conn| games::paused_by_vacations(conn, players.blue));
    assert_eq!(found, [game.summary.id]);
    // Everything that clocks can do is in the log and comes back from it.
    let game = db.play(
        &game,
        Color::Red,
        &Command::PlaceSetup(crate::support::setup()),
        at(10),
    );
    let back = game.game.come_back(Color::Blue, at(20)).unwrap();
    let game = db.write(|conn| games::append_events(conn, &game, &[back]));
    let game = db.play(
        &game,
        Color::Blue,
        &Command::PlaceSetup(crate::support::setup()),
        at(30),
    );
    let offer = generate_offer_id(at(31));
    let game = db.play(&game, Color::Red, &Command::OfferPause(offer), at(31));
    let game = db.play(&game, Color::Blue, &Command::AcceptOffer(offer), at(32));
    assert_eq!(load(db, game.summary.id).summary, game.summary);
    let game = db.play(&game, Color::Blue, &Command::Resume, at(40));
    let game = db.play(&game, Color::Red, &move_request(0, "a4", "a5"), at(50));
    let loaded = load(db, game.summary.id);
    assert_eq!(loaded.summary, game.summary);
    assert_eq!(loaded.game.deadline(), Some(at(50) + 3 * DAY));
}

on_both! {
    what_is_due_is_found_in_order,
    the_due_are_found_by_an_index,
    an_outage_is_given_back_once_and_as_the_log_says,
    a_heartbeat_does_not_go_back,
    a_vacation_is_kept_and_found_when_it_is_due,
    a_new_game_knows_who_is_away,
}
