//! Games and what belongs to them.

use super::{ARMY, MAX, MIN, ZERO, bytes, id, row, text};
use storage::archive::{Row, Value};

pub(super) fn games() -> Vec<Row> {
    let (no, yes) = (Value::Bool(false), Value::Bool(true));
    let terms = [
        ("red_player", id(1)),
        ("blue_player", id(2)),
        ("ruleset", text("classic")),
        ("aggressor_advantage", yes.clone()),
        ("silent_defense", no.clone()),
        ("rescue", yes.clone()),
        ("more_squares", no.clone()),
        ("two_squares", text("illegal")),
        ("two_squares_limit", Value::Integer(5)),
        ("rated", yes.clone()),
        ("private", no.clone()),
        ("vacation", yes.clone()),
        ("weekends", no.clone()),
        ("created_at", MIN),
        ("updated_at", MAX),
        ("source", text("gravon")),
        ("raw_ending", Value::Integer(65_535)),
    ];
    let kinds: [&[(&str, Value)]; 3] = [
        &[
            ("id", id(1)),
            ("time_kind", text("unlimited")),
            ("status", text("setup")),
            ("ply", ZERO),
            ("version", ZERO),
            ("announced", ZERO),
            ("announced_to_all", ZERO),
            ("events_swept", no),
            ("lines_version", ZERO),
        ],
        &[
            ("id", id(2)),
            ("no_progress_plies", Value::Integer(1000)),
            ("time_kind", text("fischer")),
            ("time_initial", MAX),
            ("time_increment", ZERO),
            ("time_max", MAX),
            ("status", text("active")),
            ("ply", Value::Integer(i32::MAX.into())),
            ("version", MAX),
            ("turn", text("blue")),
            ("deadline", MAX),
            ("started_at", ZERO),
            ("announced", MAX),
            ("announced_to_all", MAX),
            ("events_swept", Value::Bool(false)),
            ("near_at", MIN),
            ("pause_kind", text("vacation")),
            ("pause_by", text("blue")),
            ("pause_since", ZERO),
            ("pause_until", MAX),
            ("lines_version", MAX),
        ],
        &[
            ("id", id(3)),
            ("time_kind", text("per_move")),
            ("time_initial", Value::Integer(1)),
            ("status", text("finished")),
            ("ply", Value::Integer(3)),
            ("version", Value::Integer(3)),
            ("winner", text("red")),
            ("reason", text("resignation")),
            ("started_at", ZERO),
            ("finished_at", Value::Integer(-1)),
            ("announced", Value::Integer(3)),
            ("announced_to_all", Value::Integer(2)),
            ("events_swept", yes),
            ("lines_version", ZERO),
            ("red_rating", ZERO),
            ("red_deviation", MAX),
            ("blue_rating", MAX),
            ("blue_deviation", ZERO),
            ("red_rating_change", MIN),
            ("blue_rating_change", MAX),
            ("annulled_at", MIN),
            ("annulled_because", text("€")),
        ],
    ];
    kinds
        .iter()
        .map(|kind| row("games", &[&terms[..], kind].concat()))
        .collect()
}

/// One that counts games, and a fresh one.
pub(super) fn a_rating(least: i64, games: i64) -> Row {
    let fresh = games == 1;
    row(
        "ratings",
        &[
            ("player_id", id(1)),
            ("ruleset", text(if fresh { "barrage" } else { "original" })),
            ("rating", Value::Integer(least)),
            ("deviation", Value::Integer(least)),
            ("volatility", Value::Integer(least)),
            ("games", Value::Integer(games)),
            ("changes", MAX),
            ("changed_at", if fresh { Value::Null } else { MIN }),
            ("rated_at", if fresh { Value::Null } else { MAX }),
        ],
    )
}

pub(super) fn a_change(number: i64, game: u8) -> Row {
    let least = Value::Integer(number);
    row(
        "rating_history",
        &[
            ("player_id", id(1)),
            ("ruleset", text("original")),
            ("number", least.clone()),
            ("game_id", id(game)),
            ("rating_before", least.clone()),
            ("deviation_before", least.clone()),
            ("volatility_before", least.clone()),
            ("rating", least.clone()),
            ("deviation", least.clone()),
            ("volatility", least),
            ("annulled", Value::Bool(number == 1)),
            ("at", if number == 1 { MIN } else { MAX }),
        ],
    )
}

pub(super) fn setups() -> Vec<Row> {
    let setup = |color, root, salts| {
        row(
            "setups",
            &[
                ("game_id", id(2)),
                ("color", text(color)),
                ("seq", MAX),
                ("setup", text(ARMY)),
                ("placed_at", ZERO),
                ("root", root),
                ("salts", salts),
            ],
        )
    };
    vec![
        setup("blue", bytes(255, 32), bytes(128, 1280)),
        setup("red", Value::Null, Value::Null),
    ]
}

pub(super) fn a_move(ply: i64) -> Row {
    let rescue = |value| if ply == 1 { value } else { Value::Null };
    row(
        "moves",
        &[
            ("game_id", id(2)),
            ("ply", Value::Integer(ply)),
            ("seq", Value::Integer(ply)),
            ("from_square", Value::Integer(99)),
            ("to_square", ZERO),
            ("rescue_rank", rescue(text("8"))),
            ("rescue_square", rescue(ZERO)),
            ("played_at", MAX),
        ],
    )
}

pub(super) fn conditional_moves() -> Vec<Row> {
    let lines = |color, lines| {
        row(
            "conditional_moves",
            &[
                ("game_id", id(2)),
                ("color", text(color)),
                ("since_ply", Value::Integer(i32::MAX.into())),
                ("lines", text(lines)),
            ],
        )
    };
    vec![
        lines("blue", "0 e4-e5=both_removed e7-e6+M@c9\n1 e5-e6 a7-a6\n"),
        lines("red", &"0 e7-e6 e4-e5\n".repeat(500)),
    ]
}

pub(super) fn offers() -> Vec<Row> {
    let offer = |number, closing, closed| {
        row(
            "offers",
            &[
                ("game_id", id(2)),
                ("id", id(number)),
                ("kind", text("draw")),
                ("color", text("red")),
                ("made_seq", ZERO),
                ("made_at", MIN),
                ("closing", closing),
                ("closed_seq", Value::clone(&closed)),
                ("closed_at", closed),
            ],
        )
    };
    vec![
        offer(1, text("lapsed"), MAX),
        offer(2, Value::Null, Value::Null),
    ]
}

pub(super) fn events() -> Vec<Row> {
    let event = |number, public, color, offer| {
        row(
            "events",
            &[
                ("game_id", id(2)),
                ("number", Value::Integer(number)),
                ("public_number", public),
                (
                    "kind",
                    text(if offer == Value::Null {
                        "setup_placed"
                    } else {
                        "offer"
                    }),
                ),
                ("color", color),
                ("offer_id", offer),
                ("happened_at", MAX),
            ],
        )
    };
    vec![
        event(1, Value::Integer(1), text("red"), Value::Null),
        row(
            "events",
            &[
                ("game_id", id(2)),
                ("number", Value::Integer(2)),
                ("kind", text("near")),
                ("happened_at", MIN),
                ("until_at", MAX),
            ],
        ),
        event(i64::MAX, Value::Null, Value::Null, id(1)),
    ]
}

pub(super) fn clock_entries() -> Vec<Row> {
    let entry = |seq, kind, more: &[(&str, Value)]| {
        let set = [
            ("game_id", id(2)),
            ("seq", Value::Integer(seq)),
            ("kind", text(kind)),
            ("happened_at", ZERO),
        ];
        row("clock_entries", &[&set[..], more].concat())
    };
    vec![
        entry(0, "left", &[("color", text("red")), ("until_at", MAX)]),
        entry(i64::MAX, "credited", &[("span", MAX)]),
    ]
}

pub(super) fn recorded_game() -> Row {
    row(
        "recorded_games",
        &[
            ("game_id", id(3)),
            ("digest", bytes(0, 32)),
            ("log", bytes(255, 3)),
        ],
    )
}

pub(super) fn facts() -> Row {
    let counts = || bytes(1, 2);
    row(
        "game_facts",
        &[
            ("game_id", id(3)),
            ("ruleset", text("classic")),
            ("source", text("gravon")),
            ("winner", text("red")),
            ("reason", text("resignation")),
            ("rated", Value::Bool(true)),
            ("red_rating", ZERO),
            ("blue_rating", MAX),
            ("plies", Value::Integer(i32::MAX.into())),
            ("finished_at", MIN),
            ("results", counts()),
            ("lengths", counts()),
            ("openings", counts()),
            ("bluffs", counts()),
            ("battles", counts()),
            ("survival", counts()),
            ("armies", text(&".".repeat(80))),
        ],
    )
}

pub(super) fn course() -> Row {
    row(
        "game_courses",
        &[
            ("game_id", id(3)),
            ("reveals", bytes(0, 0)),
            ("information", bytes(255, 70_000)),
            ("think_times", Value::Null),
        ],
    )
}

pub(super) fn rollup() -> Row {
    row(
        "rollups",
        &[
            ("section", text("battles")),
            ("month", Value::Integer(i32::MAX.into())),
            ("ruleset", text("classic")),
            ("source", text("gravon")),
            ("low_band", Value::Integer(-1)),
            ("high_band", Value::Integer(i32::MAX.into())),
            ("counts", bytes(255, 70_000)),
        ],
    )
}
