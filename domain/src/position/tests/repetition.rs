use super::{OPTIONS, Table};
use crate::color::Color;
use crate::moves::IllegalMove::{MoreSquares, TwoSquares as Breach};
use crate::moves::Verdict::{Forfeits, Played};
use crate::outcome::EndReason;
use crate::ruleset::{Options, TwoSquares};

/// Two squares alone, after so many moves.
fn limit(two_squares_limit: u8) -> Options {
    Options {
        two_squares_limit,
        more_squares: false,
        ..OPTIONS
    }
}

fn forfeiting(two_squares_limit: u8) -> Options {
    Options {
        two_squares: TwoSquares::ForfeitTurn,
        ..limit(two_squares_limit)
    }
}

const RED: &str = "6e4 2a3 3j1 Fa1";
/// Blue waits with two pieces in turn, so that it never breaches a rule itself.
const BLUE: &str = "6e9 3j10 3g10 Fa10";
const WAITS: [&str; 4] = ["j10-j9", "g10-g9", "j9-j10", "g9-g10"];

/// Plays Red's moves, with Blue waiting after each.
fn with_waits(table: &mut Table, reds: &[&str]) {
    let waits = WAITS.iter().cycle();
    // Blue goes on where it left off.
    let made = usize::try_from(table.0.ply() / 2).expect("small");
    for (red, blue) in reds.iter().zip(waits.skip(made)) {
        table.play(red).play(blue);
    }
}

/// A05: the move after `limit` shuttles over one border is the first to be refused.
#[test]
fn the_shuttle_is_barred_after_the_limit() {
    for n in 2..=5 {
        let shuttle = ["e4-e5", "e5-e4"].repeat(3);
        let (allowed, rest) = shuttle.split_at(usize::from(n));
        let mut table = Table::new(limit(n), RED, BLUE);
        with_waits(&mut table, allowed);
        assert_eq!(table.verdict(rest[0]), Err(Breach), "limit {n}");
        assert!(!table.legal().contains(&rest[0].to_owned()), "limit {n}");
        // Over another border the piece may go.
        let stands = &rest[0][..2];
        let aside = format!("{stands}-f{}", &stands[1..]);
        assert_eq!(table.verdict(&aside), Ok(Played), "limit {n}");
    }
}

#[test]
fn another_piece_ends_the_run() {
    let mut table = Table::new(limit(3), RED, BLUE);
    with_waits(&mut table, &["e4-e5", "e5-e4", "e4-e5"]);
    assert_eq!(table.verdict("e5-e4"), Err(Breach));
    with_waits(&mut table, &["j1-j2", "e5-e4", "e4-e5", "e5-e4"]);
    assert_eq!(table.verdict("e4-e5"), Err(Breach));
}

#[test]
fn another_border_ends_the_run() {
    let mut table = Table::new(limit(3), RED, BLUE);
    with_waits(
        &mut table,
        &["e4-e5", "e5-e4", "e4-e3", "e3-e4", "e4-e5", "e5-e4"],
    );
    assert_eq!(table.verdict("e4-e5"), Ok(Played));
    with_waits(&mut table, &["e4-e5"]);
    assert_eq!(table.verdict("e5-e4"), Err(Breach));
}

/// Every border on its way counts for a scout, not only the squares where it stops.
#[test]
fn a_scout_crosses_many_borders() {
    let mut table = Table::new(limit(3), "2e4 3j1 Fa1", "3j10 3g10 Fa10");
    with_waits(&mut table, &["e4-e9", "e9-e5", "e5-e7"]);
    // All three crossed the borders between e5, e6 and e7.
    for text in ["e7-e6", "e7-e5", "e7-e1"] {
        assert_eq!(table.verdict(text), Err(Breach), "{text}");
    }
    for text in ["e7-e8", "e7-e9", "e7-d7", "e7-a7"] {
        assert_eq!(table.verdict(text), Ok(Played), "{text}");
    }
    let barred = |name: &String| name.starts_with("e7-e") && name.as_str() < "e7-e7";
    assert_eq!(table.legal().iter().filter(|name| barred(name)).count(), 1);
    assert!(table.legal().contains(&"e7-e10".to_owned()));
}

#[test]
fn along_another_line_nothing_is_shared() {
    let mut table = Table::new(limit(2), "2e4 3j1 Fa1", "3j10 3g10 Fa10");
    with_waits(&mut table, &["e4-e9", "e9-a9"]);
    assert_eq!(table.verdict("a9-e9"), Ok(Played));
    with_waits(&mut table, &["a9-d9"]);
    assert_eq!(table.verdict("d9-c9"), Err(Breach));
    assert_eq!(table.verdict("d9-e9"), Ok(Played));
}

#[test]
fn attacks_count() {
    let mut table = Table::new(limit(3), RED, "2e10 3j10 3g10 Fa10");
    with_waits(&mut table, &["e4-e5"]);
    table.play("e5-e4 e10-e5 e4xe5 g10-g9");
    assert_eq!(table.verdict("e5-e4"), Err(Breach));

    let mut table = Table::new(limit(3), RED, "2h4 3j10 3g10 Fa10");
    with_waits(&mut table, &["e4-e5", "e5-e4"]);
    table.play("e4-e5 h4-e4");
    assert_eq!(table.verdict("e5xe4"), Err(Breach));
    assert!(!table.legal().contains(&"e5-e4".to_owned()));
}

#[test]
fn the_opponents_moves_do_not_matter() {
    let mut table = Table::new(limit(3), RED, BLUE);
    table.play("e4-e5 e9-e8 e5-e4 e8-e9 e4-e5 e9-e8");
    assert_eq!(table.verdict("e5-e4"), Err(Breach));
    table.play("j1-j2");
    assert_eq!(table.verdict("e8-e9"), Err(Breach));
}

#[test]
fn a_forfeit_leaves_the_board_and_passes_the_turn() {
    let mut table = Table::new(forfeiting(3), RED, BLUE);
    with_waits(&mut table, &["e4-e5", "e5-e4", "e4-e5"]);
    assert_eq!(table.verdict("e5-e4"), Ok(Forfeits));
    assert!(!table.legal().contains(&"e5-e4".to_owned()));
    let before: Vec<_> = table.0.standing().collect();
    let turn = table.turn("e5-e4");
    assert!(turn.forfeited && !turn.is_attack());
    assert_eq!(table.0.standing().collect::<Vec<_>>(), before);
    assert_eq!((table.0.ply(), table.0.turn()), (7, Color::Blue));
    // It was no own move: the run is as long as it was.
    table.play("g9-g10");
    assert_eq!(table.verdict("e5-e4"), Ok(Forfeits));
    table.play("j1-j2 j10-j9");
    assert_eq!(table.verdict("e5-e4"), Ok(Played));
}

#[test]
fn an_attack_may_forfeit_too() {
    let mut table = Table::new(forfeiting(3), RED, "2h4 3j10 3g10 Fa10");
    with_waits(&mut table, &["e4-e5", "e5-e4"]);
    table.play("e4-e5 h4-e4");
    let turn = table.turn("e5xe4");
    assert!(turn.forfeited && turn.battle.is_none());
    assert_eq!(table.0.count(), 8);
}

#[test]
fn forfeits_count_as_no_progress() {
    let options = Options {
        no_progress_plies: Some(8),
        ..forfeiting(2)
    };
    let mut table = Table::new(options, RED, BLUE);
    with_waits(&mut table, &["e4-e5", "e5-e4", "e4-e5"]);
    assert!(table.turn("e4-e5").forfeited);
    assert_eq!(table.outcome(), None);
    table.play("g9-g10");
    assert_eq!(table.outcome(), Some((None, EndReason::NoProgress)));
}

#[test]
fn a_side_that_could_only_forfeit_loses() {
    for options in [limit(2), forfeiting(2)] {
        let mut table = Table::new(options, "Ma1 Ba3 Bb1 Bb2 Fc1", "3j10 3g10 Fa10");
        with_waits(&mut table, &["a1-a2"]);
        table.play("a2-a1");
        assert_eq!(table.outcome(), None);
        table.play("g10-g9");
        let lost = (Some(Color::Blue), EndReason::NoLegalMove);
        assert_eq!(table.outcome(), Some(lost));
        assert!(table.legal().is_empty());
    }
}

const AROUND_THE_LAKE: [&str; 12] = [
    "b4", "c4", "d4", "e4", "e5", "e6", "e7", "d7", "c7", "b7", "b6", "b5",
];

fn leg(from: usize) -> String {
    let square = |n: usize| AROUND_THE_LAKE[n % 12];
    format!("{}-{}", square(from), square(from + 1))
}

/// A07: Red follows Blue round a lake.
fn chase(legs: usize) -> Table {
    let mut table = Table::new(OPTIONS, "6b4 3j1 Fa1", "4c4 3j10 Fa10").blue_to_move();
    for n in 0..legs {
        table.play(&leg(n + 1)).play(&leg(n));
    }
    table.play(&leg(legs + 1));
    table
}

#[test]
fn a_chase_may_not_come_back_to_its_beginning() {
    // The round that ends where the chase was not yet running is allowed, the next step is not.
    for legs in 0..12 {
        assert_eq!(chase(legs).verdict(&leg(legs)), Ok(Played), "leg {legs}");
    }
    let table = chase(12);
    assert_eq!(table.chases(), (24, 0));
    assert_eq!(table.verdict(&leg(12)), Err(MoreSquares));
    assert!(!table.legal().contains(&leg(12)));
    let copy = Table(table.0.clone());
    assert_eq!(copy.verdict(&leg(12)), Err(MoreSquares));
    // One ply less in the chase, and the placement lies before it.
    let mut shorter = chase(12);
    shorter.0.sides.red.chase.count = 23;
    assert_eq!(shorter.verdict(&leg(12)), Ok(Played));
    // Going round the other way threatens nothing.
    assert_eq!(table.verdict("b4-b5"), Ok(Played));
}

#[test]
fn the_evader_may_repeat() {
    // Blue's thirteenth leg makes the placement of its first.
    let mut table = chase(11);
    table.play(&leg(11));
    assert_eq!(table.verdict(&leg(13)), Ok(Played));
    // It would be free if it had chased as well: it threatens nobody with it.
    table.0.sides.blue.chase.count = 30;
    assert_eq!(table.verdict(&leg(13)), Ok(Played));
}

#[test]
fn without_the_rule_a_chase_goes_on() {
    let options = Options {
        more_squares: false,
        ..OPTIONS
    };
    let mut table = Table::new(options, "6b4 3j1 Fa1", "4c4 3j10 Fa10").blue_to_move();
    for n in 0..30 {
        table.play(&leg(n + 1)).play(&leg(n));
    }
    assert_eq!(table.outcome(), None);
}

#[test]
fn a_move_that_threatens_nothing_ends_the_chase() {
    let mut table = chase(6);
    table.play("j1-j2");
    assert_eq!(table.chases().0, 0);
    table.play("j10-j9 j2-j1 j9-j10");
    for n in 6..12 {
        table.play(&leg(n)).play(&leg(n + 2));
    }
    // Barred without the pause: it makes the placement after Red's first leg.
    assert_eq!(table.verdict(&leg(12)), Ok(Played));
}

#[test]
fn straight_back_is_exempt() {
    let options = Options {
        two_squares_limit: 5,
        ..OPTIONS
    };
    let mut table = Table::new(options, "6d8 3j1 Fa1", "4d9 3j10 Fa10").blue_to_move();
    table.play("d9-e9 d8-e8 e9-d9 e8-d8 d9-e9");
    assert_eq!(table.chases().0, 4);
    // It makes the placement that the chase began with.
    assert_eq!(table.verdict("d8-e8"), Ok(Played));
    table.play("d8-e8 e9-d9 e8-d8 d9-e9 d8-e8 j10-j9");
    // Two squares still holds, and is named first.
    assert_eq!(table.verdict("e8-d8"), Err(Breach));
}

#[test]
fn the_same_placement_by_another_way_is_not_exempt() {
    // Both go round four squares; the placement after the first leg would come again.
    let round = ["d8-e8", "e8-e9", "e9-d9", "d9-d8"];
    let mut table = Table::new(OPTIONS, "6d8 3j1 Fa1", "4e8 Bc8 3j10 Fa10").blue_to_move();
    for n in 0..4 {
        table.play(round[(n + 1) % 4]).play(round[n]);
    }
    table.play(round[1]);
    assert_eq!(table.verdict(round[0]), Err(MoreSquares));
    // An attack is never barred.
    assert_eq!(table.verdict("d8-c8"), Ok(Played));
}

#[test]
fn the_counts_grow_and_fall_as_the_rule_says() {
    let mut table = Table::new(OPTIONS, "6d4 3j1 3i1 Fa1", "4d8 3j10 9a7 Fa10");
    for (text, chases) in [
        // Nobody is near.
        ("d4-e4", (0, 0)),
        ("d8-e8", (0, 0)),
        ("e4-e5", (0, 0)),
        ("e8-e7", (0, 0)),
        // Red threatens; Blue flees from next to where Red stopped, and threatens nobody.
        ("e5-e6", (1, 0)),
        ("e7-d7", (2, 0)),
        ("e6-e7", (3, 0)),
        // Blue leaves the piece where it is: the chase is over.
        ("j10-j9", (0, 0)),
        // Red moves on along the same enemy, whose last move ended elsewhere.
        ("e7-e8", (0, 0)),
        // Blue steps next to Red: now Blue threatens.
        ("d7-d8", (0, 1)),
        ("e8-e7", (0, 2)),
        // An attack sets both to nothing; the attacker that won stands next to nobody.
        ("d8-d7", (0, 3)),
        ("e7xd7", (0, 0)),
    ] {
        table.play(text);
        assert_eq!(table.chases(), chases, "after {text}");
    }
}

#[test]
fn after_an_attack_the_attacker_chases_if_an_enemy_is_near() {
    // Won: it stands next to the colonel.
    let mut table = Table::new(OPTIONS, "9d7 Fa1", "4d8 8e8 3j10 Fa10");
    table.0.sides.red.chase.count = 7;
    table.0.sides.blue.chase.count = 7;
    table.play("d7xd8");
    assert_eq!(table.chases(), (1, 0));
    // Lost: the defender itself is not next to its own square.
    let mut table = Table::new(OPTIONS, "4d7 3j1 Fa1", "9d8 3j10 Fa10");
    table.0.sides.red.chase.count = 7;
    table.play("d7xd8");
    assert_eq!(table.chases(), (0, 0));
}

#[test]
fn a_forfeit_leaves_the_chase_as_it_was() {
    let options = Options {
        two_squares: TwoSquares::ForfeitTurn,
        two_squares_limit: 2,
        ..OPTIONS
    };
    let mut table = Table::new(options, "6d8 3j1 Fa1", "4d9 3j10 Fa10").blue_to_move();
    table.play("d9-e9 d8-e8 e9-d9 e8-d8 d9-c9");
    assert_eq!(table.chases(), (4, 0));
    let last = table.0.sides.red.chase.last;
    assert!(table.turn("d8-e8").forfeited);
    assert_eq!(table.chases(), (4, 0));
    assert_eq!(table.0.sides.red.chase.last, last);
}

#[test]
fn a_chase_without_end_needs_no_more_room_than_it_looks_at() {
    let mut table = Table::new(OPTIONS, "6d4 3j1 Fa1", "4j9 3j10 Fa10");
    let room = table.0.placements.room();
    for _ in 0..100 {
        for text in [
            "d4-d3", "j9-i9", "d3-e3", "i9-i8", "e3-e4", "i8-j8", "e4-d4", "j8-j9",
        ] {
            table.play(text);
        }
    }
    assert_eq!(table.0.placements.room(), room);
}
