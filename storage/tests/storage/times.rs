//! D07: an instant is the same to the microsecond, wherever server and session think they are.

use std::process::Command;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use domain::{TimeControl, Timestamp};
use storage::{Connection, StorageError, games};

use crate::support::{TestDatabase, new_game, on_both};

on_both!(an_instant_and_a_span_are_kept_to_the_microsecond);

/// Has a session of PostgreSQL think that it is elsewhere; SQLite goes by the zone of the process.
fn in_kolkata(conn: &mut Connection) -> Result<(), StorageError> {
    if let Connection::Postgres(session) = conn {
        session.batch_execute("SET LOCAL TIME ZONE 'Asia/Kolkata'")?;
    }
    Ok(())
}

fn an_instant_and_a_span_are_kept_to_the_microsecond(db: &TestDatabase) {
    let mut new = new_game(db.pair());
    // An hour that a clock change repeats, and a figure that no float holds.
    new.created_at = Timestamp::from_micros(1_792_918_923_456_789);
    new.terms.time_control = TimeControl::Fischer {
        initial: Duration::from_micros(604_800_000_001),
        increment: Duration::from_micros(1),
        max: TimeControl::LONGEST,
    };
    let created = db.write(|conn| {
        in_kolkata(conn)?;
        games::create(conn, &new)
    });
    let created = created.summary;
    let loaded = db.read(|conn| games::load(conn, new.id)).summary;
    assert_eq!(loaded, created);
    assert_eq!(loaded.created_at, new.created_at);
    assert_eq!(loaded.updated_at.as_micros(), 1_792_918_923_456_789);
    assert_eq!(loaded.terms, new.terms);
    assert_eq!(
        loaded.deadline.map(Timestamp::as_micros),
        Some(1_793_523_723_456_790)
    );
}

/// The zone of a process is set before it starts.
#[test]
fn no_time_zone_shifts_an_instant() {
    let test = "an_instant_and_a_span_are_kept_to_the_microsecond";
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            &format!("times::sqlite::{test}"),
            &format!("times::postgres::{test}"),
        ])
        .env("TZ", "America/New_York")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("2 passed"),
        "{said}"
    );
}
