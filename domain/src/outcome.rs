use crate::color::Color;

/// Why a game ended (`rules.md` 7 and 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The flag was taken.
    FlagCaptured,
    /// A side has no movable piece left.
    NoMobilePieces,
    /// The side to move is boxed in, or has only moves barred by repetition.
    NoLegalMove,
    /// A player gave up.
    Resignation,
    /// The side to move let its deadline pass.
    Timeout,
    /// An army was not placed in time.
    SetupTimeout,
    /// Both players agreed.
    DrawAgreed,
    /// Neither side can move.
    BothImmobile,
    /// Too many plies in a row without an attack (`no_progress_plies`).
    NoProgress,
    /// Called off while a side had made no move.
    Aborted,
    /// An imported game with another ending.
    Other,
}

impl EndReason {
    /// Every reason.
    pub const ALL: [Self; 11] = [
        Self::FlagCaptured,
        Self::NoMobilePieces,
        Self::NoLegalMove,
        Self::Resignation,
        Self::Timeout,
        Self::SetupTimeout,
        Self::DrawAgreed,
        Self::BothImmobile,
        Self::NoProgress,
        Self::Aborted,
        Self::Other,
    ];

    /// The `snake_case` name on the wire and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FlagCaptured => "flag_captured",
            Self::NoMobilePieces => "no_mobile_pieces",
            Self::NoLegalMove => "no_legal_move",
            Self::Resignation => "resignation",
            Self::Timeout => "timeout",
            Self::SetupTimeout => "setup_timeout",
            Self::DrawAgreed => "draw_agreed",
            Self::BothImmobile => "both_immobile",
            Self::NoProgress => "no_progress",
            Self::Aborted => "aborted",
            Self::Other => "other",
        }
    }

    /// The reason of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// The result of a game: decided once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// `None` for a draw and for a game that was aborted.
    pub winner: Option<Color>,
    /// Why.
    pub reason: EndReason,
}

impl Outcome {
    /// A win of `winner`.
    pub const fn win(winner: Color, reason: EndReason) -> Self {
        Self {
            winner: Some(winner),
            reason,
        }
    }

    /// Nobody won.
    pub const fn no_winner(reason: EndReason) -> Self {
        Self {
            winner: None,
            reason,
        }
    }
}
