//! Exactly once: a move that is sent again (`http-api.md` 4).

use domain::{
    Color, Command, MoveRequest, PlayError, Rank, RescueRequest, Square, Standing, TwoSquares,
};

use crate::support::{DAY, T0, Table};

const RED: &str = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
const BLUE: &str = "Fa10 Bb9 Sb10 2c10 2j10 3f7 9i10 Me7";

fn again(table: &Table, by: Color, request: MoveRequest) -> Result<Standing, PlayError> {
    let standing = table.game.standing(by, &request);
    if standing == Ok(Standing::Repeated) {
        let events = table.game.play(by, &Command::Move(request), table.now);
        assert_eq!(events, Ok(Vec::new()), "nothing happens twice");
    }
    standing
}

fn square(name: &str) -> Option<Square> {
    name.parse().ok()
}

#[test]
fn the_same_move_at_its_ply_is_a_retry() {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    let red = table.request("e4-e5");
    assert_eq!(table.game.standing(Color::Red, &red), Ok(Standing::Next));
    table.play("e4-e5");
    let blue = table.request("e7-e8");
    table.play("e7-e8 e5-e6");
    let stale = Err(PlayError::StalePly { current: 3 });
    // After any number of further moves, to both sides.
    assert_eq!(again(&table, Color::Red, red), Ok(Standing::Repeated));
    assert_eq!(again(&table, Color::Blue, blue), Ok(Standing::Repeated));
    // Another's move, another move, another ply.
    assert_eq!(again(&table, Color::Blue, red), stale);
    for other in [
        MoveRequest {
            to: square("e6"),
            ..red
        },
        MoveRequest {
            from: square("d4"),
            ..red
        },
        MoveRequest { from: None, ..red },
        MoveRequest { ply: 2, ..red },
        MoveRequest { ply: 9, ..red },
        MoveRequest {
            ply: u32::MAX,
            ..red
        },
        MoveRequest {
            rescue: Some(RescueRequest {
                rank: Rank::Miner,
                square: square("a3"),
            }),
            ..red
        },
    ] {
        assert_eq!(again(&table, Color::Red, other), stale, "{other:?}");
    }
}

#[test]
fn a_retry_is_answered_when_the_game_is_over_or_late() {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    let red = table.request("e4-e5");
    table.play("e4-e5 e7-e8");
    table.now = T0 + 3 * DAY;
    assert_eq!(again(&table, Color::Red, red), Ok(Standing::Repeated));
    table.now = T0;
    table.does(Color::Blue, Command::Resign);
    assert_eq!(again(&table, Color::Red, red), Ok(Standing::Repeated));
    let other = MoveRequest { ply: 2, ..red };
    assert_eq!(again(&table, Color::Red, other), Err(PlayError::GameOver));
}

/// A rescue says the same when it is as it was sent, taken up or not.
#[test]
fn a_rescue_is_part_of_what_is_the_same() {
    for (bomb, taken_up) in [(false, true), (true, false)] {
        let red = "Fj1 Bi1 Sb1 2c1 2d1 3e4 9a4 Mi4";
        let (a10, elsewhere) = if bomb { ("B", "S") } else { ("S", "B") };
        let blue = format!("Fj10 {a10}a10 {elsewhere}i10 2c10 2d10 3e8 9f10 Mf7");
        let mut table = Table::barrage(red, &blue, |options| options.rescue = true);
        table.play("e4-e5 f7-f6 a4-a5 f6-f5 a5-a6 f5xe5 a6-a7 e8-e7 a7-a8 e7-e6 a8-a9 e6-e7");
        let request = table.request("a9xa10=3@a3");
        table.play("a9xa10=3@a3");
        let seen = table.seen_by(Color::Red).last_move().expect("it");
        assert_eq!(seen.rescue.is_some(), taken_up);
        assert_eq!(again(&table, Color::Red, request), Ok(Standing::Repeated));
        let rescue = request.rescue.expect("one");
        let stale = Err(PlayError::StalePly { current: 13 });
        for other in [
            None,
            Some(RescueRequest {
                rank: Rank::Scout,
                ..rescue
            }),
            Some(RescueRequest {
                square: square("a2"),
                ..rescue
            }),
            Some(RescueRequest {
                square: None,
                ..rescue
            }),
        ] {
            let other = MoveRequest {
                rescue: other,
                ..request
            };
            assert_eq!(again(&table, Color::Red, other), stale, "{other:?}");
        }
    }
}

#[test]
fn a_forfeited_ply_is_retried_like_any_other() {
    let mut table = Table::barrage(RED, BLUE, |options| {
        options.two_squares = TwoSquares::ForfeitTurn;
        options.rescue = true;
    });
    table.play("e4-e5 e7-e8 e5-e4 f7-f6 e4-e5 e8-e7");
    let mut request = table.request("e5-e4");
    // Whatever rescue comes with it is dropped, and still part of what was sent.
    request.rescue = Some(RescueRequest {
        rank: Rank::Bomb,
        square: square("e4"),
    });
    table.does(Color::Red, Command::Move(request));
    let seen = table.seen_by(Color::Red).last_move().expect("it");
    assert!(seen.forfeited && seen.rescue.is_none());
    assert_eq!(again(&table, Color::Red, request), Ok(Standing::Repeated));
    let without = MoveRequest {
        rescue: None,
        ..request
    };
    let stale = Err(PlayError::StalePly { current: 7 });
    assert_eq!(again(&table, Color::Red, without), stale);
    // So is a rescue on a square that is not on the board.
    table.play("f6-f7");
    let mut nowhere = table.request("e5-e4");
    nowhere.rescue = Some(RescueRequest {
        rank: Rank::Bomb,
        square: None,
    });
    table.does(Color::Red, Command::Move(nowhere));
    assert_eq!(again(&table, Color::Red, nowhere), Ok(Standing::Repeated));
}
