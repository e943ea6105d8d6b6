use super::*;
use crate::gravon::parse_gsn;
use crate::moves::{Irregular, MoveBuffer};
use crate::outcome::EndReason;
use crate::position::Position;
use crate::square::Square;

const FIELD: &str = "MBAAAAAAAKLAAACAAAAAEAADADAAAAAAAAAAAAAAAA__AA__AAAA__AA__AAAAWAAAAAAQAAAAAXAAAAAAAPAAAPANAAAAAAAAOY";

fn record(moves: &str, end: &str) -> Record {
    let moves = moves.replace(' ', "\n");
    let text = format!("# Stratego-Notation v1\ntype 1\n{FIELD}\n{moves}\nEND\nr vs b {end}\n");
    parse_gsn(&text).unwrap().into()
}

fn replay(moves: &str, end: &str) -> Result<Game, RecordFault> {
    record(moves, end).replay(Timestamp::from_micros(1))
}

#[test]
fn a_game_is_replayed_to_its_end() {
    let game = replay("A3-A4 F8-F7 A4-A5", "result 3 winner 1").unwrap();
    assert_eq!(game.ply(), 3);
    let outcome = Outcome::win(Color::Blue, EndReason::Resignation);
    assert_eq!(game.outcome(), Some(outcome));
    assert!(game.log.iter().all(|entry| entry.turn.irregular.is_none()));
}

/// What only repetition forbids was allowed there: it is played, and says so.
#[test]
fn repetition_bars_nothing_that_was_played() {
    let shuffle = "A3-A4 F8-F7 A4-A3 F7-F8 ".repeat(4);
    let game = replay(shuffle.trim(), "result 4 winner 2").unwrap();
    assert_eq!(game.ply(), 16);
    let marks: Vec<_> = game.log.iter().map(|entry| entry.turn.irregular).collect();
    assert_eq!(marks[..6], [None; 6]);
    assert_eq!(marks[6], Some(Irregular::TwoSquares));
    let again = Game::fold(*game.terms(), Timestamp::from_micros(1), []).unwrap();
    assert_eq!(again.ply(), 0);
    // Each position on the way is the one that was played.
    let last = game.position_at(15).unwrap();
    assert_eq!(last.ply(), 15);
}

#[test]
fn what_no_rule_allows_is_refused_with_its_ply() {
    for (moves, ply, kind) in [
        ("A3-A4 J:-J9", 1, IllegalMove::Immovable),
        ("A3-A4 I:-K:", 1, IllegalMove::OccupiedByOwn),
        ("B1-B2", 0, IllegalMove::Immovable),
        ("A3-A4 F8-F7 C1-C2", 2, IllegalMove::EmptySquare),
        ("A3-A5", 0, IllegalMove::TooFar),
        ("F8-F7", 0, IllegalMove::NotYourPiece),
    ] {
        let fault = replay(moves, "result 3 winner 0").unwrap_err();
        let kind = RecordFaultKind::Move(kind);
        assert_eq!(fault, RecordFault { ply, kind }, "{moves}");
    }
}

/// A scout on j3 takes the flag on j7: its side has won, whatever else is recorded.
#[test]
fn the_captor_of_the_flag_has_won() {
    const FLAG_ON_J7: &str = "MBAAAAAAAKLAAACAAAAAEAADAAAAADAAAAAAAAAAAA__AA__AAAA__AA__AAAAWAAAAAAYAAAAAXAAAAAAAPAAAPANAAAAAAAAOQ";
    let text = |end: &str| {
        format!("# Stratego-Notation v1\ntype 1\n{FLAG_ON_J7}\nK3-K7\nEND\nr vs b {end}\n")
    };
    let replay = |end: &str| {
        let record: Record = parse_gsn(&text(end)).unwrap().into();
        record.replay(Timestamp::from_micros(1))
    };
    let game = replay("result 1 winner 0").unwrap();
    let outcome = Outcome::win(Color::Red, EndReason::FlagCaptured);
    assert_eq!(game.outcome(), Some(outcome));
    // The words of the record are kept.
    let outcome = replay("result 3 winner 0").unwrap().outcome();
    assert_eq!(
        outcome,
        Some(Outcome::win(Color::Red, EndReason::Resignation))
    );
    for end in ["result 1 winner 1", "result 4 winner 2"] {
        let kind = RecordFaultKind::Contradicted;
        assert_eq!(replay(end).unwrap_err(), RecordFault { ply: 0, kind });
    }
}

/// Of an archive the last move may be missing; who writes this project's words has all of them.
#[test]
fn a_flag_is_captured_on_the_board() {
    let mut game = record("A3-A4 F8-F7", "result 1 winner 0");
    let replayed = game.replay(Timestamp::from_micros(1)).unwrap();
    assert_eq!(game.check_result(&replayed), Ok(()));
    game.end = RecordEnd::Outcome(Outcome::win(Color::Red, EndReason::FlagCaptured));
    // As it is stored it replays.
    let replayed = game.replay(Timestamp::from_micros(1)).unwrap();
    let kind = RecordFaultKind::NotCaptured;
    let fault = RecordFault { ply: 1, kind };
    assert_eq!(game.check_result(&replayed), Err(fault));
}

#[test]
fn a_view_of_everything_is_a_record_again() {
    let mut first = record("A3-A4 F8-F7 A4-A5", "result 3 winner 1");
    let instants = Instants {
        started: Some(Timestamp::from_micros(1)),
        moves: &[2, 3, 5].map(Timestamp::from_micros),
        finished: Some(Timestamp::from_micros(7)),
        otherwise: Timestamp::from_micros(9),
    };
    let game = first.replay_timed(instants).unwrap();
    let view = game.view_for(None);
    first.end = RecordEnd::Outcome(game.outcome().unwrap());
    assert_eq!(Record::of(&view), Some(first));
    let times: Vec<i64> = view
        .moves_from(0)
        .map(|made| made.played_at.unwrap().as_micros())
        .collect();
    assert_eq!(times, [2, 3, 5]);
    assert_eq!(game.finished_at(), instants.finished);
    // Other eyes see too little of it.
    let public = game.view(None, Viewpoint::Public).unwrap();
    assert_eq!(Record::of(&public), None);
}

/// What is not known is told as such, whatever counts in its place.
#[test]
fn instants_that_were_not_recorded_are_made_up_by_no_one() {
    let record = record("A3-A4 F8-F7", "result 3 winner 1");
    let at = |micros: &i64| Timestamp::from_micros(*micros);
    let made: [&[i64]; 2] = [&[], &[4, 6]];
    for (started, moves, finished, counts) in [
        (None, 0, None, 9),
        (Some(2), 0, None, 2),
        (None, 1, None, 6),
        (Some(2), 1, None, 6),
        (Some(2), 0, Some(8), 8),
        (None, 0, Some(8), 8),
    ] {
        let moves: Vec<_> = made[moves].iter().map(at).collect();
        let game = record.replay_timed(Instants {
            started: started.as_ref().map(at),
            moves: &moves,
            finished: finished.as_ref().map(at),
            otherwise: Timestamp::from_micros(9),
        });
        let game = game.unwrap();
        assert_eq!(game.started_at(), started.as_ref().map(at));
        assert_eq!(game.known_end(), finished.as_ref().map(at));
        assert_eq!(game.finished_at(), Some(at(&counts)));
        // Who does not know when it began does not know what the first move took.
        let thought = game.think_times().map(|times| times.len());
        let known = moves.len() - usize::from(started.is_none() && !moves.is_empty());
        assert_eq!(thought, (!moves.is_empty()).then_some(known));
        let told = game.view_for(None).moves_from(0);
        assert_eq!(told.filter(|made| made.think_time.is_some()).count(), known);
    }
}

/// What the rules end otherwise was played on elsewhere: only a captured flag ends a record.
#[test]
fn a_game_goes_on_past_ends_that_it_did_not_know() {
    let mut quiet = record("A3-A4 F8-F7 A4-A5 F7-F6", "result 3 winner 0");
    quiet.options.no_progress_plies = Some(2);
    let game = quiet.replay(Timestamp::from_micros(1)).unwrap();
    assert_eq!(game.ply(), 4);
    let outcome = Outcome::win(Color::Red, EndReason::Resignation);
    assert_eq!(game.outcome(), Some(outcome));
    assert_eq!(game.position_at(3).unwrap().ply(), 3);

    let (mut spent, on) = without_movable_pieces();
    spent.moves.push((on, None));
    let game = spent.replay(Timestamp::from_micros(1)).unwrap();
    assert_eq!(usize::try_from(game.ply()), Ok(spent.moves.len()));
}

#[test]
fn no_move_follows_the_capture_of_a_flag() {
    const FLAG_ON_J7: &str = "MBAAAAAAAKLAAACAAAAAEAADAAAAADAAAAAAAAAAAA__AA__AAAA__AA__AAAAWAAAAAAYAAAAAXAAAAAAAPAAAPANAAAAAAAAOQ";
    let text = format!(
        "# Stratego-Notation v1\ntype 1\n{FLAG_ON_J7}\nK3-K7\nF8-F7\nEND\nr vs b result 1 winner 0\n"
    );
    let record: Record = parse_gsn(&text).unwrap().into();
    let kind = RecordFaultKind::Over;
    let fault = record.replay(Timestamp::from_micros(1)).unwrap_err();
    assert_eq!(fault, RecordFault { ply: 1, kind });
}

/// A game in which a side has just lost its last piece that moves, by attacking, and a move of the other side.
fn without_movable_pieces() -> (Record, Move) {
    let first = record("A3-A4", "result 0 winner 0");
    let mut seed = 1_u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap() % n
    };
    loop {
        let mut position = Position::recorded(first.options, &first.setups);
        let mut moves = Vec::new();
        let mut legal = MoveBuffer::new();
        while position.outcome().is_none() && moves.len() < 2_000 {
            position.legal_moves(&mut legal);
            let mv = legal[below(legal.len())];
            position.play_unchecked(mv, None).unwrap();
            moves.push((mv, None));
        }
        let Some(end) = position.outcome() else {
            continue;
        };
        let winner = position.turn();
        if end != Outcome::win(winner, EndReason::NoMobilePieces) {
            continue;
        }
        let squares = || (0..100).filter_map(Square::new);
        let pairs = squares().flat_map(|from| squares().map(move |to| (from, to)));
        let mut possible =
            pairs.filter(|(from, to)| position.check(Some(*from), Some(*to)).is_ok());
        let (from, to) = possible.next().unwrap();
        let end = RecordEnd::Outcome(end);
        let options = first.options;
        let (ruleset, setups) = (first.ruleset, first.setups);
        let spent = Record {
            ruleset,
            options,
            setups,
            moves,
            end,
        };
        return (spent, Move { from, to });
    }
}
