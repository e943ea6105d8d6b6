//! The 12 x 12 table, each pair fought on the board.

use domain::{
    BattleOutcome, ByColor, Color, IllegalMove, PlayError, Rank, Ruleset, Setup, Viewpoint,
};

use crate::support::Table;

const TABLE: &str = include_str!("../data/battles.txt");
/// A sergeant on the first square: it waits.
const ARMY: &str = "4627M3538B36228B74462B245622795FB53S3B2B";

/// The army with a rank on the `cell`th square of the front row.
fn army(rank: Rank, cell: usize) -> Setup {
    let mut cells: Vec<char> = ARMY.chars().collect();
    let there = cells[1..]
        .iter()
        .position(|ch| *ch == rank.to_char())
        .expect("one beside the first square")
        + 1;
    cells.swap(cell, there);
    let text: String = cells.into_iter().collect();
    Setup::parse(Ruleset::Original, &text).expect("the same army")
}

/// Red's `a` on b4 and Blue's `b` on b7; Blue waits with the sergeant on j7.
fn before_the_attack(a: Rank, b: Rank, aggressor_advantage: bool) -> Table {
    let mut options = Ruleset::Original.default_options();
    options.aggressor_advantage = aggressor_advantage;
    let setups = ByColor {
        red: army(a, 1),
        blue: army(b, 8),
    };
    Table::new(Ruleset::Original, options, setups)
}

fn expected() -> Vec<(Rank, Rank, char)> {
    let rank = |text: &str| text.chars().next().and_then(Rank::from_char).expect("rank");
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| {
            let mut fields = line.split_whitespace();
            let attacker = rank(fields.next().expect("the attacker"));
            let cells: Vec<&str> = fields.collect();
            assert_eq!(cells.len(), 12, "{line}");
            Rank::ALL
                .into_iter()
                .zip(cells)
                .map(move |(defender, cell)| (attacker, defender, cell.chars().next().expect("it")))
        })
        .collect()
}

fn fight(attacker: Rank, defender: Rank, aggressor_advantage: bool) -> BattleOutcome {
    let mut table = before_the_attack(attacker, defender, aggressor_advantage);
    table.play("b4-b5 j7-j6 b5-b6 j6-j7 b6xb7");
    let view = table
        .game
        .view(None, Viewpoint::Public)
        .expect("open to all");
    let [battle] = view.battles()[..] else {
        panic!("one battle");
    };
    assert_eq!(battle.attack.attacker, attacker);
    assert_eq!(battle.attack.defender, Some(defender));
    assert_eq!(
        (battle.ply, battle.attacker_color, battle.square.to_string()),
        (5, Color::Red, "b7".to_owned())
    );
    let on = |square: &str| {
        let pieces = view.pieces();
        let piece = pieces.iter().find(|one| one.square.to_string() == square);
        piece.map(|piece| (piece.id.owner(), piece.rank))
    };
    let stands = match battle.attack.outcome {
        BattleOutcome::AttackerWins | BattleOutcome::FlagCaptured => {
            Some((Color::Red, Some(attacker)))
        }
        BattleOutcome::DefenderWins => Some((Color::Blue, Some(defender))),
        BattleOutcome::BothRemoved => None,
    };
    assert_eq!(on("b7"), stands, "{attacker} x {defender}");
    assert_eq!(on("b6"), None);
    let fell = view.captured().len();
    let both = battle.attack.outcome == BattleOutcome::BothRemoved;
    assert_eq!(fell, if both { 2 } else { 1 });
    battle.attack.outcome
}

#[test]
fn every_pair_fights_as_the_table_says() {
    let pairs = expected();
    assert_eq!(pairs.len(), 144);
    for (attacker, defender, cell) in pairs {
        for advantage in [false, true] {
            let outcome = match cell {
                'A' => BattleOutcome::AttackerWins,
                'D' => BattleOutcome::DefenderWins,
                '=' if advantage => BattleOutcome::AttackerWins,
                '=' => BattleOutcome::BothRemoved,
                'F' => BattleOutcome::FlagCaptured,
                '.' => {
                    let table = before_the_attack(attacker, defender, advantage);
                    let immovable = PlayError::IllegalMove(IllegalMove::Immovable);
                    assert_eq!(table.refusal("b4-b5"), immovable);
                    assert!(!table.legal().iter().any(|mv| mv.starts_with("b4")));
                    continue;
                }
                other => panic!("{other} in the table"),
            };
            let fought = fight(attacker, defender, advantage);
            assert_eq!(fought, outcome, "{attacker} x {defender}");
        }
    }
}
