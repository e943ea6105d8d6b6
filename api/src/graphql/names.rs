//! Enums of the schema, each checked by the compiler against the domain's own.

use async_graphql::Enum;

/// One of the two sides; Red moves first.
#[derive(Debug, Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(remote = "domain::Color")]
pub(super) enum Color {
    Red,
    Blue,
}

/// Whose eyes a game is seen with.
#[derive(Debug, Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(remote = "domain::Viewpoint")]
pub(super) enum Viewpoint {
    /// What Red knows.
    Red,
    /// What Blue knows.
    Blue,
    /// What both players know.
    Public,
    /// Everything: only once the game is over.
    Omniscient,
}

/// What a piece is.
#[derive(Debug, Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(remote = "domain::Rank")]
pub(super) enum Rank {
    Flag,
    Bomb,
    Spy,
    Scout,
    Miner,
    Sergeant,
    Lieutenant,
    Captain,
    Major,
    Colonel,
    General,
    Marshal,
}

/// How a piece became known to the other side.
#[derive(Debug, Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(remote = "domain::Cause")]
pub(super) enum Cause {
    /// It attacked.
    Attacked,
    /// It was attacked.
    WasAttacked,
    /// It moved, or tried to move, more than one square.
    ScoutMove,
    /// Nothing else was left for it to be.
    Deduced,
    /// It was rescued.
    Rescue,
    /// The game ended.
    GameOver,
}

/// How far a game is.
#[derive(Debug, Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(remote = "domain::Status")]
pub(super) enum GameStatus {
    /// The armies are being placed.
    Setup,
    /// It is being played.
    Active,
    /// It has a result.
    Finished,
    /// It ended before both sides had moved.
    Aborted,
}

/// Why a game ended.
#[derive(Debug, Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(remote = "domain::EndReason")]
pub(super) enum EndReason {
    FlagCaptured,
    NoMobilePieces,
    NoLegalMove,
    Resignation,
    Timeout,
    SetupTimeout,
    DrawAgreed,
    BothImmobile,
    NoProgress,
    Aborted,
    Other,
}

/// How an attack ended.
#[derive(Debug, Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(remote = "domain::BattleOutcome")]
pub(super) enum BattleOutcome {
    AttackerWins,
    DefenderWins,
    BothRemoved,
    FlagCaptured,
}

/// A stretch of time that games are counted by.
#[derive(Debug, Enum, Clone, Copy, PartialEq, Eq)]
pub(super) enum PeriodUnit {
    Day,
    Month,
}

/// The order of a list of games. Games that are not finished come last in the first two.
#[derive(Debug, Enum, Clone, Copy, PartialEq, Eq)]
pub(super) enum GameOrder {
    /// What ended last comes first.
    FinishedDesc,
    /// What ended first comes first.
    FinishedAsc,
    /// What changed last comes first.
    UpdatedDesc,
    /// The longest comes first.
    PliesDesc,
}

impl From<GameOrder> for storage::games::GameOrder {
    fn from(order: GameOrder) -> Self {
        match order {
            GameOrder::FinishedDesc => Self::FinishedDescending,
            GameOrder::FinishedAsc => Self::FinishedAscending,
            GameOrder::UpdatedDesc => Self::UpdatedDescending,
            GameOrder::PliesDesc => Self::PliesDescending,
        }
    }
}
