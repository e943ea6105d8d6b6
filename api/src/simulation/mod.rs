//! Games between bots, without a server: nothing is read but the simulation itself, so that the same one
//! gives the same games on every machine, on however many threads.

mod crew;
mod deployments;
mod play;
mod recording;
#[cfg(test)]
mod tests;

use domain::{ByColor, Options, Ruleset, Terms, TimeControl, Timestamp};

use crate::bot::mind::Level;

pub use deployments::{Deployments, DeploymentsError};
pub use recording::{SOURCE, finished_at};

/// When every simulated game begins: 2000-01-01T00:00:00Z. Each ply takes a second of time that is made up.
pub const START: Timestamp = Timestamp::from_micros(946_684_800_000_000);

/// Plies in a row without an attack after which a simulated game is a draw, where its options do not say:
/// two bots would else play on for ever.
pub const NO_PROGRESS_PLIES: u16 = 200;

/// Plies after which both bots agree to a draw.
pub const LONGEST: u32 = 10_000;

/// A number of games between two bots.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// The options; without `no_progress_plies` it is [`NO_PROGRESS_PLIES`].
    pub options: Options,
    /// How many games.
    pub games: u32,
    /// What all chance comes from.
    pub seed: u64,
    /// How well each side plays.
    pub levels: ByColor<Level>,
    /// How each side deploys.
    pub setups: ByColor<Deployments>,
}

impl Simulation {
    /// What each of its games is played by.
    pub fn terms(&self) -> Terms {
        let no_progress_plies = self.options.no_progress_plies.or(Some(NO_PROGRESS_PLIES));
        Terms {
            ruleset: self.ruleset,
            options: Options {
                no_progress_plies,
                ..self.options
            },
            time_control: TimeControl::Unlimited,
            vacation: false,
            weekends: false,
        }
    }
}
