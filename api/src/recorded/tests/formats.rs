use domain::{ByColor, Color, EndReason, Game, Record, Terms, Timestamp};
use proptest::prelude::*;

use super::{document, made, one};
use crate::recorded::{ExportFault, Exported, GameFormat, Recording, parse, replay};

pub(super) fn exported<'a>(game: &'a Game, names: ByColor<&'a str>) -> Exported<'a> {
    Exported {
        id: "01a2b3c4-0000-7000-8000-000000000001",
        source: "play",
        view: game.view_for(None),
        players: names,
        ratings: ByColor {
            red: Some(1512.25),
            blue: None,
        },
        started_at: game.started_at(),
        finished_at: game.finished_at(),
        raw_ending: None,
    }
}

pub(super) const NAMES: ByColor<&str> = ByColor {
    red: "Jörg <&> \"x\"",
    blue: "a/b?c#d%",
};

fn times(game: &Game) -> Vec<Timestamp> {
    let moves = game.view_for(None).moves_from(0);
    moves.filter_map(|made| made.played_at).collect()
}

fn back(format: GameFormat, game: &Exported<'_>) -> Recording {
    let text = format.write(game).unwrap();
    one(&format.file_name(game), text).unwrap()
}

/// What comes back by JSON and by text is what went out, to the microsecond.
fn comes_back_whole(game: &Game, names: ByColor<&str>) {
    let exported = exported(game, names);
    let record = Record::of(&exported.view).unwrap();
    for format in [GameFormat::Json, GameFormat::Text] {
        let again = back(format, &exported);
        assert_eq!(again.record, record, "{format:?}");
        assert_eq!(again.source, "reveille");
        assert_eq!(again.players.as_ref().map(String::as_str), names);
        assert_eq!(again.started_at, game.started_at());
        assert_eq!(again.finished_at, game.finished_at());
        assert_eq!(again.move_times.clone().unwrap_or_default(), times(game));
        let replayed = replay(&again).unwrap();
        assert_eq!(Record::of(&replayed.view_for(None)), Some(record.clone()));
        assert_eq!(times(&replayed), times(game));
        assert_eq!(replayed.outcome(), game.outcome());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_game_of_any_options_comes_back(seed: u64, red in "[^\\pC\\pZ]{1,20}") {
        // A name comes back composed.
        let red: String = unicode_normalization::UnicodeNormalization::nfc(red.chars()).collect();
        let names = ByColor { red: red.as_str(), blue: "Ben" };
        comes_back_whole(&made::game(seed, true), names);
    }

    #[test]
    fn a_game_comes_back_by_xml(seed: u64) {
        let game = made::game(seed, false);
        let exported = exported(&game, NAMES);
        if domain::gravon::kind_of_ruleset(game.terms().ruleset).is_none() {
            let fault = GameFormat::Xml.write(&exported).unwrap_err();
            prop_assert_eq!(fault, ExportFault::Ruleset(game.terms().ruleset));
            return Ok(());
        }
        let again = back(GameFormat::Xml, &exported);
        let record = Record::of(&exported.view).unwrap();
        prop_assert_eq!(&again.record.moves, &record.moves);
        prop_assert_eq!(again.record.setups, record.setups);
        prop_assert_eq!(again.players.as_ref().map(String::as_str), NAMES);
        prop_assert_eq!(again.source.as_str(), "gravon");
        prop_assert_eq!(replay(&again).unwrap().outcome(), game.outcome());
    }

    #[test]
    fn no_bytes_bring_a_reader_down(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert_eq!(parse(&document("x", bytes)).len(), 1);
    }
}

/// The made-up games have in them what is to come back.
#[test]
fn rescues_and_forfeits_come_back() {
    let (mut rescues, mut forfeits, mut silent) = (0, 0, 0);
    for seed in 0..150 {
        let game = made::game(seed, true);
        let moves: Vec<_> = game.view_for(None).moves_from(0).collect();
        rescues += moves.iter().filter(|made| made.rescue.is_some()).count();
        forfeits += moves.iter().filter(|made| made.forfeited).count();
        silent += usize::from(game.terms().options.silent_defense);
        comes_back_whole(&game, NAMES);
    }
    assert!(
        rescues > 5 && forfeits > 5 && silent > 5,
        "{rescues} {forfeits} {silent}"
    );
}

/// A game of the archive stays one: with its code, its source and its day.
#[test]
fn what_was_imported_goes_out_as_it_came() {
    let label = "barrage.2003.06.07.9.gsn";
    for (code, reason) in [
        (3, EndReason::Resignation),
        (7, EndReason::Other),
        (12, EndReason::Other),
    ] {
        let gsn = super::gsn(1).replace("result 3", &format!("result {code}"));
        let first = one(label, gsn).unwrap();
        let game = replay(&first).unwrap();
        assert_eq!(game.outcome().unwrap().reason, reason);
        let exported = Exported {
            id: "9",
            source: &first.source,
            started_at: None,
            finished_at: first.finished_at,
            raw_ending: first.raw_ending(),
            ..exported(&game, first.players.as_ref().map(String::as_str))
        };
        for format in GameFormat::ALL {
            let again = back(format, &exported);
            assert_eq!(again.record, first.record);
            assert_eq!(again.raw_ending(), Some(code));
            assert_eq!(again.finished_at, first.finished_at);
            assert_eq!(again.move_times, None);
            // G10: it is the same game, by whatever way it came.
            let name = str::to_owned;
            assert_eq!(again.digest(name), first.digest(name), "{format:?}");
        }
        assert_eq!(
            GameFormat::Xml.file_name(&exported),
            "barrage.2003.06.07.9.xml"
        );
    }
}

#[test]
fn xml_has_no_room_for_options() {
    let mut refused = 0;
    for seed in 0..20 {
        let game = made::game(seed, true);
        let Terms {
            ruleset, options, ..
        } = *game.terms();
        let fault = GameFormat::Xml.write(&exported(&game, NAMES)).unwrap_err();
        if let ExportFault::Options(others) = &fault {
            assert_eq!(ruleset.options_with(others), Some(options));
            assert!(fault.to_string().ends_with(others), "{fault}");
            refused += 1;
        } else {
            assert_eq!(fault, ExportFault::Ruleset(ruleset));
        }
    }
    assert!(refused > 0);
}

/// A reason comes back by XML, or has no code there.
#[test]
fn reasons_come_back_by_xml_or_are_refused() {
    let (red, nobody) = (Some(Color::Red), None);
    for (reason, winner, has_code) in [
        // The board does not say which of the two it was.
        (EndReason::NoMobilePieces, red, false),
        (EndReason::NoLegalMove, red, true),
        (EndReason::Resignation, red, true),
        (EndReason::Timeout, red, true),
        (EndReason::DrawAgreed, nobody, true),
        (EndReason::BothImmobile, nobody, true),
        (EndReason::NoProgress, nobody, false),
        (EndReason::Other, nobody, false),
        (EndReason::Other, red, false),
    ] {
        let recording = one("x.json", made::ended(reason, winner)).unwrap();
        let replayed = replay(&recording).unwrap();
        let exported = exported(&replayed, NAMES);
        if has_code {
            let again = replay(&back(GameFormat::Xml, &exported)).unwrap();
            assert_eq!(again.outcome(), replayed.outcome());
        } else {
            let fault = GameFormat::Xml.write(&exported).unwrap_err();
            assert_eq!(fault, ExportFault::Ending(reason.name()));
        }
    }
}
