use std::path::PathBuf;

use domain::{Color, EndReason};

use super::read_all;
use crate::recorded::{Documents, instant, replay};

/// The samples that were given, by what their list says of them.
#[test]
fn the_samples_are_read() {
    let Some(fixtures) = std::env::var_os("REVEILLE_FIXTURES") else {
        println!("REVEILLE_FIXTURES is not set: the samples of Gravon are not read");
        return;
    };
    let folder = PathBuf::from(fixtures).join("gravon_samples");
    let read = read_all(Documents::of_paths([folder]));
    let (draw, resigned) = (EndReason::DrawAgreed, EndReason::Resignation);
    let expected = [
        (
            "barrage-2007.3-1.xml",
            30,
            Some(Color::Red),
            resigned,
            "2007-03-01",
        ),
        (
            "barrage-2007.3-2.xml",
            34,
            Some(Color::Red),
            resigned,
            "2007-03-01",
        ),
        (
            "barrage.2003.06.07.6.gsn",
            44,
            Some(Color::Blue),
            EndReason::Timeout,
            "2003-06-07",
        ),
        ("classic-2006.11-3.xml", 155, None, draw, "2006-11-01"),
        ("classic-2006.11-4.xml", 238, None, draw, "2006-11-01"),
        (
            "classic-2008.0-5.xml",
            592,
            Some(Color::Blue),
            EndReason::FlagCaptured,
            "2007-12-01",
        ),
        (
            "classic.2003.06.08.7.gsn",
            253,
            Some(Color::Red),
            resigned,
            "2003-06-08",
        ),
    ];
    assert_eq!(read.len(), expected.len());
    for (read, (name, plies, winner, reason, day)) in read.iter().zip(expected) {
        let recording = read.as_ref().unwrap();
        assert!(recording.file.ends_with(name), "{}", recording.file);
        let game = replay(recording).unwrap();
        let outcome = game.outcome().unwrap();
        assert_eq!(
            (game.ply(), outcome.winner, outcome.reason),
            (plies, winner, reason),
            "{name}"
        );
        assert_eq!(recording.finished_at, instant::of_day(day));
        let names = [&recording.players.red, &recording.players.blue];
        assert!(
            names.iter().all(|name| !name.contains('\u{fffd}')),
            "{names:?}"
        );
    }
}
