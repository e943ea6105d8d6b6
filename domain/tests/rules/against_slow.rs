//! The crate and the slow rules play the same games.

use std::collections::BTreeMap;

use domain::{
    BattleOutcome, Color, Command, IllegalMove, Move, MoveBuffer, MoveRequest, NotedMove,
    PlayError, Rank, Square,
};
use proptest::prelude::*;

use crate::players::Players;
use crate::properties::games;
use crate::slow::{At, Slow};
use crate::support::{T0, Table};
use crate::truth::placed;

fn at(square: Square) -> At {
    (
        usize::from(square.row().index()),
        usize::from(square.column().index()),
    )
}

fn written((from, to): (At, At)) -> String {
    let name = |(row, column): At| {
        let index = u8::try_from(row * 10 + column).expect("below 100");
        Square::new(index).expect("on the board").to_string()
    };
    format!("{}-{}", name(from), name(to))
}

fn same_board(table: &Table, slow: &Slow) {
    for owner in Color::ALL {
        let mut seen: Vec<(At, Rank)> = table
            .seen_by(owner)
            .pieces()
            .iter()
            .filter(|piece| piece.id.owner() == owner)
            .map(|piece| (at(piece.square), piece.rank.expect("his own")))
            .collect();
        seen.sort_unstable();
        let mut truth = Vec::new();
        for (row, squares) in slow.board().iter().enumerate() {
            for (column, piece) in squares.iter().enumerate() {
                if let Some(piece) = piece.filter(|piece| piece.owner == owner) {
                    truth.push(((row, column), piece.rank));
                }
            }
        }
        truth.sort_unstable();
        assert_eq!(seen, truth);
    }
}

/// One turn of both; the moves may forfeit.
fn same_turn(players: &mut Players, slow: &mut Slow) {
    let mut legal: Vec<String> = slow.legal().into_iter().map(written).collect();
    legal.sort_unstable();
    assert_eq!(players.table.legal(), legal);
    let forfeits = slow.forfeits();
    let tries_one = players.dice.below(3) == 0 && !forfeits.is_empty();
    let mv = if tries_one {
        let chosen = forfeits[players.dice.below(forfeits.len())];
        written(chosen).parse::<NotedMove>().expect("a move").mv
    } else {
        players.choose()
    };
    let mut request = players.request(mv);
    if let Some(rescue) = request.rescue {
        let allowed = rescue
            .square
            .is_some_and(|square| slow.may_rescue(at(mv.from), at(mv.to), rescue.rank, at(square)));
        let by = players.table.side();
        let answer = players.table.game.play(by, &Command::Move(request), T0);
        if !tries_one && !allowed {
            let refused = matches!(answer, Err(PlayError::IllegalRescue(_)));
            assert!(refused, "{rescue:?} with {mv}");
            request.rescue = None;
        } else {
            assert!(answer.is_ok(), "{rescue:?} with {mv}: {answer:?}");
        }
    }
    let rescue = request
        .rescue
        .and_then(|rescue| Some((rescue.rank, at(rescue.square?))));
    let side = players.table.side();
    players.table.does(side, Command::Move(request));
    let played = slow.play(at(mv.from), at(mv.to), rescue);
    let seen = players.table.seen_by(side).last_move().expect("it");
    assert_eq!(seen.forfeited, played.forfeited);
    assert_eq!(seen.rescue.is_some(), played.rescued);
    let battle = seen.attack.map(|attack| {
        use BattleOutcome::{AttackerWins, BothRemoved, DefenderWins, FlagCaptured};
        match attack.outcome {
            AttackerWins | FlagCaptured => (true, false),
            DefenderWins => (false, true),
            BothRemoved => (false, false),
        }
    });
    assert_eq!(battle, played.battle);
    let outcome = players.table.game.outcome();
    let ended = outcome.map(|end| (end.winner, end.reason));
    assert_eq!(ended, slow.outcome);
}

proptest! {
    #![proptest_config(games(64))]

    /// The crate and the slow rules agree on every move, battle, rescue, forfeit and end.
    #[test]
    fn the_slow_rules_say_the_same(seed: u64) {
        let mut players = Players::any(seed);
        let setups = placed(&players.table);
        let mut slow = Slow::new(players.table.game.terms().options, &setups);
        while players.runs() && players.table.game.ply() < 250 {
            same_turn(&mut players, &mut slow);
            same_board(&players.table, &slow);
        }
        prop_assert!(!players.runs() || slow.outcome.is_none());
    }
}

/// Rare rules do come up in what the properties above look at.
#[test]
fn random_games_are_about_something() {
    let (mut forfeited, mut rescued, mut refused_by_chase, mut ends) = (0, 0, 0, BTreeMap::new());
    for seed in 0..60 {
        let mut players = Players::any(seed);
        while players.runs() && players.table.game.ply() < 250 {
            refused_by_chase += u32::from(bars_by_chase(&players.table));
            players.turn();
        }
        let view = players.table.game.view_for(None);
        rescued += view.moves_from(0).filter(|mv| mv.rescue.is_some()).count();
        forfeited += view.moves_from(0).filter(|mv| mv.forfeited).count();
        if let Some(end) = players.table.game.outcome() {
            *ends.entry(end.reason.name()).or_insert(0) += 1;
        }
    }
    println!("{rescued} rescues, {refused_by_chase} barred by a chase, {ends:?}");
    assert_eq!(forfeited, 0, "legal moves do not forfeit");
    assert!(rescued > 5 && refused_by_chase > 5);
    assert!(ends.len() >= 3, "{ends:?}");
}

/// Whether a step of the side to move is refused for more squares.
fn bars_by_chase(table: &Table) -> bool {
    let by = table.side();
    let mut legal = MoveBuffer::new();
    table.game.legal_moves(&mut legal);
    let pieces = table.seen_by(by).pieces();
    let own = pieces.iter().filter(|piece| piece.id.owner() == by);
    own.map(|piece| piece.square).any(|from| {
        let near = Square::all().filter(|to| from.distance(*to) == Some(1));
        near.map(|to| Move { from, to })
            .filter(|mv| !legal.contains(mv))
            .any(|mv| {
                let request = MoveRequest {
                    ply: table.game.ply(),
                    from: Some(mv.from),
                    to: Some(mv.to),
                    rescue: None,
                };
                let answer = table.game.play(by, &Command::Move(request), T0);
                answer == Err(PlayError::IllegalMove(IllegalMove::MoreSquares))
            })
    })
}
