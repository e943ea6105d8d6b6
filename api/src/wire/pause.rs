//! Clocks that stand still, and vacations.

use std::fmt;

use chrono::{DateTime, Utc};
use domain::Vacation;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::names::Color;
use crate::time::Timestamp;

/// Why a clock stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseKind {
    /// Both players agreed; either may end it, and a move does.
    Mutual,
    /// The player whose time would run is away.
    Vacation,
    /// It is Saturday or Sunday (UTC).
    Weekend,
}

impl From<domain::PauseKind> for PauseKind {
    fn from(kind: domain::PauseKind) -> Self {
        match kind {
            domain::PauseKind::Mutual => Self::Mutual,
            domain::PauseKind::Vacation => Self::Vacation,
            domain::PauseKind::Weekend => Self::Weekend,
        }
    }
}

/// That the clock of a game stands still; meanwhile `deadline` is `null`, and `time_left` stands.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct PauseResponse {
    /// Why.
    pub kind: PauseKind,
    /// Who proposed it, or is away; `null` for a weekend.
    pub by: Option<Color>,
    /// Since when.
    pub since: Timestamp,
    /// When it ends by itself; `null` when it does not.
    pub until: Option<Timestamp>,
}

impl From<domain::Pause> for PauseResponse {
    fn from(pause: domain::Pause) -> Self {
        Self {
            kind: pause.kind.into(),
            by: pause.by.map(Into::into),
            since: pause.since.into(),
            until: pause.until.map(Into::into),
        }
    }
}

/// A vacation to take.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VacationRequest {
    /// When it begins, at most 365 days ahead; at once when nothing is said, and when that is past.
    #[serde(default, deserialize_with = "instant")]
    #[schema(value_type = Option<Timestamp>)]
    pub from: Option<DateTime<Utc>>,
    /// When it ends, unless it is used up before; when it is used up when nothing is said.
    #[serde(default, deserialize_with = "instant")]
    #[schema(value_type = Option<Timestamp>)]
    pub until: Option<DateTime<Utc>>,
}

/// One's vacation.
#[derive(Debug, Serialize, ToSchema)]
pub struct VacationResponse {
    /// When the vacation that is planned, or runs, begins.
    pub from: Option<Timestamp>,
    /// When it ends by itself.
    pub until: Option<Timestamp>,
    /// Whether it runs: whether one's clocks stand still.
    pub active: bool,
    /// How many days are left to take, of 24 hours each. It grows by 30 in 365 days, up to 30, and not
    /// while the vacation runs.
    #[schema(minimum = 0, maximum = 30)]
    pub days_left: f64,
}

impl VacationResponse {
    /// The vacation as it stands at an instant.
    pub fn of(vacation: &Vacation, now: domain::Timestamp) -> Self {
        const DAY: f64 = 86_400.0;
        // To a thousandth: a minute and a half.
        let days = (vacation.left_at(now).as_secs_f64() / DAY * 1_000.0).floor() / 1_000.0;
        Self {
            from: vacation.span.map(|(from, _)| from.into()),
            until: vacation.span.map(|(_, until)| until.into()),
            active: vacation.active,
            days_left: days,
        }
    }
}

/// Reads an instant of RFC 3339, or `null`.
fn instant<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    struct Instant;
    impl<'de> Visitor<'de> for Instant {
        type Value = Option<DateTime<Utc>>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an instant such as \"2026-11-29T21:00:00.000Z\", or null")
        }

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_some<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
            reader.deserialize_str(self)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            let instant = DateTime::parse_from_rfc3339(text);
            instant
                .map(|instant| Some(instant.to_utc()))
                .map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
        }
    }
    reader.deserialize_option(Instant)
}
