//! The terms of a game: ruleset, options, time control.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::names::TwoSquares;
use super::patch::Patch;
use crate::duration::IsoDuration;
use crate::problem::FieldFault;

/// The options of a game.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct OptionsResponse {
    /// Of equal ranks the attacker wins.
    pub aggressor_advantage: bool,
    /// Only the attacker's rank is declared.
    pub silent_defense: bool,
    /// A piece that reaches the enemy's back row may take back a removed one.
    pub rescue: bool,
    /// A chase may not come back to an earlier placement.
    pub more_squares: bool,
    /// What a breach of the two squares rule does.
    pub two_squares: TwoSquares,
    /// How many moves in a row may cross one border.
    pub two_squares_limit: u8,
    /// That many plies in a row without an attack are a draw.
    pub no_progress_plies: Option<u16>,
}

impl From<domain::Options> for OptionsResponse {
    fn from(options: domain::Options) -> Self {
        Self {
            aggressor_advantage: options.aggressor_advantage,
            silent_defense: options.silent_defense,
            rescue: options.rescue,
            more_squares: options.more_squares,
            two_squares: options.two_squares.into(),
            two_squares_limit: options.two_squares_limit,
            no_progress_plies: options.no_progress_plies,
        }
    }
}

/// The options that a challenge names; the others are the ruleset's own.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionsRequest {
    aggressor_advantage: Option<bool>,
    silent_defense: Option<bool>,
    rescue: Option<bool>,
    more_squares: Option<bool>,
    two_squares: Option<TwoSquares>,
    /// 2 to 5.
    #[schema(minimum = 2, maximum = 5)]
    two_squares_limit: Option<u8>,
    /// `null` for never, or 50 to 1000.
    #[schema(minimum = 50, maximum = 1000, value_type = Option<u16>)]
    #[serde(default)]
    no_progress_plies: Patch<u16>,
}

impl OptionsRequest {
    /// The options of a game under `ruleset`.
    ///
    /// # Errors
    /// The number that is out of its range.
    pub fn over(self, ruleset: domain::Ruleset) -> Result<domain::Options, FieldFault> {
        let own = ruleset.default_options();
        let options = domain::Options {
            aggressor_advantage: self.aggressor_advantage.unwrap_or(own.aggressor_advantage),
            silent_defense: self.silent_defense.unwrap_or(own.silent_defense),
            rescue: self.rescue.unwrap_or(own.rescue),
            more_squares: self.more_squares.unwrap_or(own.more_squares),
            two_squares: self.two_squares.map_or(own.two_squares, Into::into),
            two_squares_limit: self.two_squares_limit.unwrap_or(own.two_squares_limit),
            no_progress_plies: self.no_progress_plies.apply(own.no_progress_plies),
        };
        options.validate().map_err(|fault| {
            let field = match fault {
                domain::OptionsError::TwoSquaresLimit(_) => "options.two_squares_limit",
                domain::OptionsError::NoProgressPlies(_) => "options.no_progress_plies",
            };
            out_of_range(field, fault.to_string())
        })
    }
}

/// How much time the players have.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeControl {
    /// So much for each move.
    PerMove {
        /// At least what the server is configured to, at most 28 days.
        per_move: IsoDuration,
    },
    /// A bank that grows with each move.
    Fischer {
        /// The bank at the start, no larger than `max`.
        initial: IsoDuration,
        /// What a move adds.
        increment: IsoDuration,
        /// The bank's bound.
        max: IsoDuration,
    },
    /// No deadline for a move.
    // With braces, so that fields which belong to another kind are refused.
    Unlimited {},
}

impl From<domain::TimeControl> for TimeControl {
    fn from(control: domain::TimeControl) -> Self {
        match control {
            domain::TimeControl::PerMove(span) => Self::PerMove {
                per_move: IsoDuration(span),
            },
            domain::TimeControl::Fischer {
                initial,
                increment,
                max,
            } => Self::Fischer {
                initial: IsoDuration(initial),
                increment: IsoDuration(increment),
                max: IsoDuration(max),
            },
            domain::TimeControl::Unlimited => Self::Unlimited {},
        }
    }
}

impl TimeControl {
    /// The control, when each span is at least `shortest` and at most 28 days; an increment may be
    /// nothing.
    ///
    /// # Errors
    /// Every span that is not.
    pub fn validate(self, shortest: Duration) -> Result<domain::TimeControl, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let mut within = |field: &str, span: IsoDuration, least: Duration| {
            if span.0 < least || span.0 > domain::TimeControl::LONGEST {
                let least = crate::duration::format(least);
                let came = crate::duration::format(span.0);
                let detail = format!("must be {least} to P28D, not {came}");
                faults.push(out_of_range(field, detail));
            }
            // What the database keeps is whole microseconds.
            Duration::from_micros(u64::try_from(span.0.as_micros()).unwrap_or(u64::MAX))
        };
        let control = match self {
            Self::PerMove { per_move } => {
                domain::TimeControl::PerMove(within("time_control.per_move", per_move, shortest))
            }
            Self::Fischer {
                initial,
                increment,
                max,
            } => domain::TimeControl::Fischer {
                initial: within("time_control.initial", initial, shortest),
                increment: within("time_control.increment", increment, Duration::ZERO),
                max: within("time_control.max", max, shortest),
            },
            Self::Unlimited {} => domain::TimeControl::Unlimited,
        };
        if let domain::TimeControl::Fischer { initial, max, .. } = control
            && initial > max
        {
            let detail = "must be no larger than `max`".to_owned();
            faults.push(out_of_range("time_control.initial", detail));
        }
        if faults.is_empty() {
            Ok(control)
        } else {
            Err(faults)
        }
    }
}

/// A value beyond its range, for a `validation_failed`.
pub fn out_of_range(field: &str, detail: String) -> FieldFault {
    FieldFault {
        field: field.to_owned(),
        code: "out_of_range".into(),
        detail,
    }
}
