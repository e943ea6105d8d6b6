//! The words that pictures share.

use domain::{
    BattleOutcome, ByColor, Color, EndReason, MoveView, Outcome, PieceId, Rank, View, Viewpoint,
};

/// What fits on a line.
const LONGEST_NAME: usize = 24;

/// A side at the head of a sentence.
pub(super) const fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Blue => "Blue",
    }
}

/// Both players with their sides.
pub(super) fn players(names: ByColor<&str>) -> String {
    format!("{} (Red) and {} (Blue)", names.red, names.blue)
}

/// A name as it fits on a line; usernames do, those of erased accounts do not.
pub(super) fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

/// Whose eyes.
pub(super) const fn eyes(viewpoint: Viewpoint) -> &'static str {
    match viewpoint {
        Viewpoint::Red => "as Red knows it",
        Viewpoint::Blue => "as Blue knows it",
        Viewpoint::Public => "as everyone knows it",
        Viewpoint::Omniscient => "with everything shown",
    }
}

/// How far the game was after so many plies, or is: whose turn it was, or how it ended.
pub(super) fn standing(view: &View<'_>, ply: Option<u32>, last_move: Option<&MoveView>) -> String {
    let game = view.game();
    match game.outcome() {
        Some(outcome) if ply.is_none_or(|ply| ply == game.ply()) => result(outcome),
        _ if !game.has_begun() => "The armies are being placed.".to_owned(),
        _ => {
            let turn = last_move.map_or(Color::Red, |step| !step.side);
            format!("{} is to move.", side(turn))
        }
    }
}

/// How a game ended.
fn result(Outcome { winner, reason }: Outcome) -> String {
    let Some(winner) = winner else {
        return match reason {
            EndReason::DrawAgreed => "A draw: both agreed.",
            EndReason::BothImmobile => "A draw: neither side could move.",
            EndReason::NoProgress => "A draw: too long without an attack.",
            EndReason::SetupTimeout => "Called off: an army was not placed in time.",
            EndReason::Timeout => "Called off: time was up before both had moved.",
            EndReason::Resignation | EndReason::Aborted => "Called off before both had moved.",
            _ => "A draw.",
        }
        .to_owned();
    };
    let (winner, loser) = (side(winner), side(!winner));
    match reason {
        EndReason::FlagCaptured => format!("{winner} won and took the flag."),
        EndReason::NoMobilePieces => format!("{winner} won: {loser} had nothing left to move."),
        EndReason::NoLegalMove => format!("{winner} won: {loser} had no legal move."),
        EndReason::Resignation => format!("{winner} won: {loser} resigned."),
        EndReason::Timeout => format!("{winner} won: {loser}'s time was up."),
        _ => format!("{winner} won."),
    }
}

/// A number of things: `1 ply`, `2 plies`.
pub(super) fn count(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// A number of plies.
pub(super) fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

/// A rank by name and character.
pub(super) fn rank(rank: Option<Rank>) -> String {
    rank.map_or_else(
        || "unknown".to_owned(),
        |rank| format!("{rank} ({})", rank.to_char()),
    )
}

/// A piece with its rank.
pub(super) fn piece(id: PieceId, known: Option<Rank>) -> String {
    format!("{id}, {}", rank(known))
}

/// How an attack ended.
pub(super) const fn outcome(outcome: BattleOutcome) -> &'static str {
    match outcome {
        BattleOutcome::AttackerWins => "the attacker won",
        BattleOutcome::DefenderWins => "the defender won",
        BattleOutcome::BothRemoved => "both were removed",
        BattleOutcome::FlagCaptured => "the flag was taken",
    }
}
