use crate::calendar;
use crate::color::Color;
use crate::time::Timestamp;

/// Why a clock stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PauseKind {
    /// Both players agreed; either may end it, and a move does.
    Mutual,
    /// The player whose time would run is away.
    Vacation,
    /// It is Saturday or Sunday in UTC, in a game whose clocks rest then.
    Weekend,
}

impl PauseKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Mutual, Self::Vacation, Self::Weekend];

    /// The `snake_case` name on the wire and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mutual => "mutual",
            Self::Vacation => "vacation",
            Self::Weekend => "weekend",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// That the clock of a running game stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pause {
    /// Why.
    pub kind: PauseKind,
    /// Who proposed it, or is away; nobody for a weekend.
    pub by: Option<Color>,
    /// Since when this clock stands still.
    pub since: Timestamp,
    /// When it ends by itself; `None` when it does not.
    pub until: Option<Timestamp>,
}

impl Pause {
    /// The weekend at an instant, if it is one.
    pub fn of_weekend(now: Timestamp) -> Option<Self> {
        let (since, until) = calendar::weekend_at(now)?;
        Some(Self {
            kind: PauseKind::Weekend,
            by: None,
            since,
            until: Some(until),
        })
    }
}

/// A pause that both agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Agreed {
    pub(crate) by: Color,
    pub(crate) since: Timestamp,
}

/// A player's vacation, as a game knows of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// Since when.
    pub since: Timestamp,
    /// When it ends by itself.
    pub until: Timestamp,
}
