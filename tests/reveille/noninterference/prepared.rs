//! What players have prepared: in one world the secret side has lines, in the other none.

use serde_json::{Value, json};
use tests::dice::Dice;

use super::players::legal;
use super::table::Table;

/// Lines of the secret side, in the words of the table, from which nothing is played.
pub(super) struct Prepared {
    pub(super) since: u32,
    pub(super) lines: String,
    /// Whether they have ended already with a reply that was not allowed.
    pub(super) is_dropped: bool,
}

/// The most lines that may be stored.
const MOST: usize = 100;
/// A reply that no rule ever allows.
const ILLEGAL: &str = "a1-a1";

/// Some that wait for every move that the viewer can make, with replies that the rules do not allow; some
/// that wait for what never happens; some that ended with his last move.
pub(super) fn unplayed(table: &Table) -> Prepared {
    let (game, ply) = (table.played.game(), table.ply());
    let nothing = Prepared {
        since: ply,
        lines: format!("0 {ILLEGAL} a1-a2\n1 a1-a2 a2-a3\n"),
        is_dropped: false,
    };
    if !table.begun {
        return nothing;
    }
    if game.turn() == Some(table.viewer()) {
        let moves = legal(&table.played).into_iter().take(MOST);
        let lines: Vec<String> = moves.map(|mv| format!("0 {mv} {ILLEGAL}\n")).collect();
        let lines = lines.concat();
        return match ply % 4 {
            0 | 1 => Prepared { lines, ..nothing },
            _ => nothing,
        };
    }
    let last = game.view_for(None).last_move();
    match last.filter(|last| !last.forfeited) {
        Some(last) => Prepared {
            since: last.ply,
            lines: format!("0 {} {ILLEGAL}\n", last.mv),
            is_dropped: true,
        },
        None => nothing,
    }
}

/// Lines that the viewer prepares for moves of any piece.
pub(super) fn any(dice: &mut Dice) -> Value {
    let square = |dice: &mut Dice| {
        let index = u8::try_from(dice.below(100)).expect("small");
        domain::Square::new(index)
            .expect("on the board")
            .to_string()
    };
    let mut line = |next: Value| {
        let step = json!({"from": square(dice), "to": square(dice)});
        let outcome = *dice.pick(&[None, Some("attacker_wins"), Some("both_removed")]);
        json!({
            "if": {"opponent": step, "attack_outcome": outcome},
            "then": {"from": square(dice), "to": square(dice)},
            "next": next,
        })
    };
    let deepest = line(json!([]));
    json!({"lines": [line(json!([deepest]))]})
}
