//! Days of zones behind UTC, and ranges that end today: F07.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tests::{Backend, Client, Timed, on_both};

use crate::lines::RED_TAKES_THE_FLAG;
use crate::ratings::rated;

/// Half an hour before midnight in New York, in winter; and in summer half an hour before and after.
const ENDS: [(&str, &str, &str); 3] = [
    ("2027-03-02T04:30:00Z", "2027-03-02", "2027-03-01"),
    ("2027-07-02T03:30:00Z", "2027-07-02", "2027-07-01"),
    ("2027-07-03T04:30:00Z", "2027-07-03", "2027-07-03"),
];

fn games(client: &Client, from: &str, to: &str) -> Value {
    let query = "query($filter: GameFilter) { stats(filter: $filter) { games } }";
    let filter = json!({"finishedFrom": from, "finishedTo": to});
    client.query(query, &json!({"filter": filter}))["stats"]["games"].clone()
}

/// Plays a game that ends at the present instant.
fn end_a_game(timed: &Timed) {
    let [red, blue] = ["red", "blue"].map(|name| timed.register(name));
    let game = &RED_TAKES_THE_FLAG;
    rated(&red, &blue, game, game.moves, &Value::Null);
}

fn a_game_is_of_the_day_of_the_zone_that_is_asked_for(backend: Backend) {
    let timed = Timed::start(backend);
    for (end, ..) in ENDS {
        timed.clock.set(end.parse::<DateTime<Utc>>().unwrap());
        end_a_game(&timed);
    }
    let client = Client::new(&timed.url());
    let query = "{ stats { utc: byPeriod(unit: DAY) { period games }
        york: byPeriod(unit: DAY, tz: \"America/New_York\") { period games }
        months: byPeriod(unit: MONTH, tz: \"America/New_York\") { period games redWins } } }";
    let day = |period: &str| json!({"period": period, "games": 1});
    let expected = json!({
        "utc": ENDS.map(|(_, utc, _)| day(utc)), "york": ENDS.map(|(_, _, york)| day(york)),
        "months": [{"period": "2027-03", "games": 1, "redWins": 1},
            {"period": "2027-07", "games": 2, "redWins": 2}],
    });
    assert_eq!(client.query(query, &Value::Null)["stats"], expected);
    for (from, to, count) in [
        // An end is in the range that begins with it, and not in the one that ends there.
        (ENDS[0].0, ENDS[1].0, 1),
        (ENDS[0].0, ENDS[2].0, 2),
        ("2027-03-02T04:29:59.999Z", "2027-03-02T04:30:00Z", 0),
        ("2027-03-02T04:30:00Z", "2027-03-02T04:30:00.001Z", 1),
        // Days there.
        ("2027-03-01T00:00:00-05:00", "2027-03-02T00:00:00-05:00", 1),
        ("2027-03-02T00:00:00-05:00", "2027-03-03T00:00:00-05:00", 0),
        ("2027-07-01T00:00:00-04:00", "2027-07-02T00:00:00-04:00", 1),
        ("2027-07-02T00:00:00-04:00", "2027-07-03T00:00:00-04:00", 0),
        // Today, which is not over.
        ("2027-07-03T00:00:00-04:00", "2027-07-04T00:00:00-04:00", 1),
        ("2027-07-03T00:00:00Z", "2027-07-04T00:00:00Z", 1),
    ] {
        assert_eq!(games(&client, from, to), count, "{from} to {to}");
    }
    // What ends while a range is asked for that includes today is in it at once.
    timed.clock.advance(Duration::from_mins(5));
    end_a_game(&timed);
    let today = games(
        &client,
        "2027-07-03T00:00:00-04:00",
        "2027-07-04T00:00:00-04:00",
    );
    assert_eq!(today, 2);
    timed.sweep();
    let today = games(
        &client,
        "2027-07-03T00:00:00-04:00",
        "2027-07-04T00:00:00-04:00",
    );
    assert_eq!(today, 2);
}

on_both! { a_game_is_of_the_day_of_the_zone_that_is_asked_for }
