//! Challenges: an offer to play, to one player or to all.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use storage::GameId;
use storage::challenges::{Challenge, Closing};
use utoipa::ToSchema;
use uuid::Uuid;

use super::names::{Color, Ruleset};
use super::object::{object, word};
use super::player::PlayerResponse;
use super::terms::{OptionsRequest, OptionsResponse, TimeControl, out_of_range};
use crate::duration::IsoDuration;
use crate::problem::{ApiError, FieldFault};
use crate::time::Timestamp;

/// How long a challenge stands when nothing is said: two weeks.
pub const DEFAULT_EXPIRY: Duration = Duration::from_hours(14 * 24);
/// The longest that a challenge stands: four weeks.
const LONGEST_EXPIRY: Duration = Duration::from_hours(28 * 24);
/// The shortest that a challenge stands.
const SHORTEST_EXPIRY: Duration = Duration::from_secs(1);

/// A challenge to be made.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChallengeRequest {
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// Options that differ from the ruleset's own.
    #[serde(default, deserialize_with = "object")]
    pub options: OptionsRequest,
    /// The time.
    #[serde(deserialize_with = "object")]
    pub time_control: TimeControl,
    /// The challenger's side; `random` when nothing is said.
    #[serde(default, deserialize_with = "word")]
    pub color: ColorChoice,
    /// Whether the game counts for ratings; it does not when nothing is said.
    #[serde(default)]
    pub rated: bool,
    /// Whether only its players may know of the game.
    #[serde(default)]
    pub private: bool,
    /// Whether a player's vacation pauses the game; it does when nothing is said.
    #[serde(default = "yes")]
    pub vacation: bool,
    /// Whether Saturday and Sunday (UTC) pause the game.
    #[serde(default)]
    pub weekends: bool,
    /// The username of the one who may accept; anyone when nothing is said.
    pub opponent: Option<String>,
    /// How long the challenge stands, up to P28D; P14D when nothing is said.
    pub expires_in: Option<IsoDuration>,
}

const fn yes() -> bool {
    true
}

/// What a challenge agrees on, once its values are in range.
#[derive(Debug, Clone, Copy)]
pub struct ChallengeTerms {
    /// The terms of the game.
    pub terms: domain::Terms,
    /// How long the challenge stands.
    pub expires_in: Duration,
}

impl ChallengeRequest {
    /// Checks every value against its range.
    ///
    /// # Errors
    /// `validation_failed` with all that are not.
    pub fn validate(&self, shortest_time: Duration) -> Result<ChallengeTerms, ApiError> {
        let mut faults: Vec<FieldFault> = Vec::new();
        let ruleset = self.ruleset.into();
        let options = self
            .options
            .over(ruleset)
            .map_err(|fault| faults.push(fault));
        let time_control = self
            .time_control
            .validate(shortest_time)
            .map_err(|all| faults.extend(all));
        let expires_in = self.expires_in.map_or(DEFAULT_EXPIRY, |span| span.0);
        if !(SHORTEST_EXPIRY..=LONGEST_EXPIRY).contains(&expires_in) {
            let came = crate::duration::format(expires_in);
            faults.push(out_of_range(
                "expires_in",
                format!("must be PT1S to P28D, not {came}"),
            ));
        }
        match (options, time_control) {
            (Ok(options), Ok(time_control)) if faults.is_empty() => {
                let terms = domain::Terms {
                    ruleset,
                    options,
                    time_control,
                    vacation: self.vacation,
                    weekends: self.weekends,
                };
                Ok(ChallengeTerms { terms, expires_in })
            }
            _ => Err(ApiError::validation(faults)),
        }
    }
}

/// The side that a challenger wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ColorChoice {
    /// Red, who moves first.
    Red,
    /// Blue.
    Blue,
    /// Drawn when the challenge is accepted.
    #[default]
    Random,
}

impl ColorChoice {
    /// The side, unless it is to be drawn.
    pub const fn color(self) -> Option<domain::Color> {
        match self {
            Self::Red => Some(domain::Color::Red),
            Self::Blue => Some(domain::Color::Blue),
            Self::Random => None,
        }
    }
}

impl From<Option<domain::Color>> for ColorChoice {
    fn from(color: Option<domain::Color>) -> Self {
        color.map_or(Self::Random, |color| match Color::from(color) {
            Color::Red => Self::Red,
            Color::Blue => Self::Blue,
        })
    }
}

/// A challenge.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChallengeResponse {
    /// Its identifier.
    pub id: Uuid,
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// The options.
    pub options: OptionsResponse,
    /// The time.
    pub time_control: TimeControl,
    /// The challenger's side.
    pub color: ColorChoice,
    /// Whether the game counts for ratings.
    pub rated: bool,
    /// Whether only its players may know of the game.
    pub private: bool,
    /// Whether a player's vacation pauses the game.
    pub vacation: bool,
    /// Whether Saturday and Sunday (UTC) pause the game.
    pub weekends: bool,
    /// Who made it.
    pub challenger: PlayerResponse,
    /// Who may accept it; `null` for anyone.
    pub opponent: Option<PlayerResponse>,
    /// Whether it still stands, or what became of it.
    pub status: ChallengeStatus,
    /// What its receiver said when he declined.
    pub decline_reason: Option<String>,
    /// The game that came of it.
    pub game_id: Option<Uuid>,
    /// The game that it is to play again.
    pub rematch_of: Option<Uuid>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stands no longer.
    pub expires_at: Timestamp,
}

/// What became of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeStatus {
    /// It can be accepted.
    Open,
    /// A game came of it.
    Accepted,
    /// Its receiver said no.
    Declined,
    /// Its challenger took it back.
    Withdrawn,
    /// Nobody accepted it in time.
    Expired,
}

impl ChallengeResponse {
    /// The challenge as it stands at an instant.
    pub fn of(challenge: &Challenge, now: domain::Timestamp) -> Self {
        let (status, game_id) = match challenge.closed {
            None if challenge.expires_at <= now => (ChallengeStatus::Expired, None),
            None => (ChallengeStatus::Open, None),
            Some((Closing::Accepted(game), _)) => (ChallengeStatus::Accepted, Some(game.as_uuid())),
            Some((Closing::Declined, _)) => (ChallengeStatus::Declined, None),
            Some((Closing::Withdrawn, _)) => (ChallengeStatus::Withdrawn, None),
            Some((Closing::Expired, _)) => (ChallengeStatus::Expired, None),
        };
        Self {
            id: challenge.id.as_uuid(),
            ruleset: challenge.terms.ruleset.into(),
            options: challenge.terms.options.into(),
            time_control: challenge.terms.time_control.into(),
            color: challenge.color.into(),
            rated: challenge.rated,
            private: challenge.private,
            vacation: challenge.terms.vacation,
            weekends: challenge.terms.weekends,
            challenger: (&challenge.creator).into(),
            opponent: challenge.opponent.as_ref().map(Into::into),
            status,
            decline_reason: challenge.decline_reason.clone(),
            game_id,
            rematch_of: challenge.rematch_of.map(GameId::as_uuid),
            created_at: challenge.created_at.into(),
            expires_at: challenge.expires_at.into(),
        }
    }
}
