//! The kinds of mail that a player can stop.

use crate::wire::account::Preferences;

/// A kind of mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// It is the player's turn.
    YourTurn,
    /// Little time is left.
    DeadlineNear,
    /// What there is, once a day.
    Digest,
}

impl MailKind {
    const ALL: [Self; 3] = [Self::YourTurn, Self::DeadlineNear, Self::Digest];

    /// Its number in links that stop it. Links are kept in mails for years: a number stays what it is.
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::YourTurn => 1,
            Self::DeadlineNear => 2,
            Self::Digest => 3,
        }
    }

    pub(super) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number() == number)
    }

    /// What it is called.
    pub const fn title(self) -> &'static str {
        match self {
            Self::YourTurn => "mails that it is your turn",
            Self::DeadlineNear => "mails that little time is left",
            Self::Digest => "the daily digest",
        }
    }

    /// Whether a player wants it.
    pub const fn is_wanted(self, preferences: &Preferences) -> bool {
        let mail = &preferences.mail;
        match self {
            Self::YourTurn => mail.your_turn,
            Self::DeadlineNear => mail.deadline_near,
            Self::Digest => mail.digest,
        }
    }

    /// The preferences without it.
    #[must_use]
    pub const fn stopped(self, mut preferences: Preferences) -> Preferences {
        match self {
            Self::YourTurn => preferences.mail.your_turn = false,
            Self::DeadlineNear => preferences.mail.deadline_near = false,
            Self::Digest => preferences.mail.digest = false,
        }
        preferences
    }
}
