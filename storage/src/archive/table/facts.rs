//! The tables that statistics are read from.

use super::{Table, bool, bytes, integer, text};

pub(super) const GAME_FACTS: Table = Table {
    name: "game_facts",
    key: 1,
    columns: &[
        bytes("game_id"),
        text("ruleset"),
        text("source"),
        text("winner"),
        text("reason"),
        bool("rated"),
        integer("red_rating"),
        integer("blue_rating"),
        integer("plies"),
        integer("finished_at"),
        bytes("results"),
        bytes("lengths"),
        bytes("openings"),
        bytes("bluffs"),
        bytes("battles"),
        bytes("survival"),
        text("armies"),
    ],
};

pub(super) const GAME_COURSES: Table = Table {
    name: "game_courses",
    key: 1,
    columns: &[
        bytes("game_id"),
        bytes("reveals"),
        bytes("information"),
        bytes("think_times"),
    ],
};

pub(super) const FACTS_TO_FOLD: Table = Table {
    name: "facts_to_fold",
    key: 1,
    columns: &[bytes("game_id")],
};

pub(super) const ROLLUPS: Table = Table {
    name: "rollups",
    key: 6,
    columns: &[
        text("section"),
        integer("month"),
        text("ruleset"),
        text("source"),
        integer("low_band"),
        integer("high_band"),
        bytes("counts"),
    ],
};
