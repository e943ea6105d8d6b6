use std::time::Duration;

use domain::{Game, Record, Timestamp, Viewpoint};

use super::{START, Simulation};
use crate::recorded::Recording;

/// Where simulated games come from.
pub const SOURCE: &str = "simulated";

/// How far the ends of two games in a row are apart, so that there are days and months to compare.
const APART: Duration = Duration::from_hours(1);

/// How many games in a row end one after another, before they begin anew at the first day: none ends in a year
/// that is yet to come.
const IN_A_ROW: u32 = 200_000;

/// When a game counts as ended: as many hours after [`START`] as it has a number. That is made up, as no
/// simulated game has instants of its own.
pub fn finished_at(nth: u32) -> Timestamp {
    START + APART * (nth % IN_A_ROW)
}

impl Simulation {
    /// A game that was played, as it is kept: between players who are called by their levels, and without
    /// the instants of its moves. `None` of a game that is not over.
    ///
    /// The same simulation gives the same recordings, by which a server knows that it has them already.
    pub fn recording(&self, nth: u32, game: &Game) -> Option<Recording> {
        let view = game.view(None, Viewpoint::Omniscient)?;
        let players = self.levels.map(|level| format!("level-{level}"));
        Some(Recording {
            file: "".into(),
            game: nth.saturating_add(1),
            record: Record::of(&view)?,
            source: SOURCE.to_owned(),
            players,
            started_at: None,
            finished_at: Some(finished_at(nth)),
            move_times: None,
        })
    }
}
