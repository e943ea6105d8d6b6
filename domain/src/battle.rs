use crate::rank::Rank;

/// How an attack ended (`rules.md` 4); always public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BattleOutcome {
    /// The defender is removed and the attacker takes its square.
    AttackerWins,
    /// The attacker is removed and the defender stays.
    DefenderWins,
    /// Equal ranks: both are removed.
    BothRemoved,
    /// The defender was the flag: the game ends.
    FlagCaptured,
}

impl BattleOutcome {
    /// Every outcome.
    pub const ALL: [Self; 4] = [
        Self::AttackerWins,
        Self::DefenderWins,
        Self::BothRemoved,
        Self::FlagCaptured,
    ];

    /// How an attack ends between two ranks.
    pub fn of(attacker: Rank, defender: Rank, aggressor_advantage: bool) -> Self {
        resolve(attacker, defender, aggressor_advantage)
    }

    /// Whether the attacker takes the square.
    pub const fn attacker_stands(self) -> bool {
        matches!(self, Self::AttackerWins | Self::FlagCaptured)
    }

    /// Whether the defender is removed.
    pub const fn defender_falls(self) -> bool {
        !matches!(self, Self::DefenderWins)
    }

    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AttackerWins => "attacker_wins",
            Self::DefenderWins => "defender_wins",
            Self::BothRemoved => "both_removed",
            Self::FlagCaptured => "flag_captured",
        }
    }

    /// The outcome of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

/// Resolves an attack by the ranks alone (`rules.md` 4).
pub(crate) fn resolve(attacker: Rank, defender: Rank, aggressor_advantage: bool) -> BattleOutcome {
    use BattleOutcome::{AttackerWins, BothRemoved, DefenderWins, FlagCaptured};
    match (attacker, defender) {
        (_, Rank::Flag) => FlagCaptured,
        (Rank::Miner, Rank::Bomb) | (Rank::Spy, Rank::Marshal) => AttackerWins,
        (_, Rank::Bomb) => DefenderWins,
        (attacker, defender) if attacker == defender => {
            if aggressor_advantage {
                AttackerWins
            } else {
                BothRemoved
            }
        }
        (attacker, defender) if attacker > defender => AttackerWins,
        _ => DefenderWins,
    }
}
