use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::rank::{ByRank, Rank};

/// What happens to a move that breaches the two squares rule (`rules.md` 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TwoSquares {
    /// It is refused.
    Illegal,
    /// It is taken as a forfeit: the piece stays and the turn passes (the Greek sheet).
    ForfeitTurn,
}

impl TwoSquares {
    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Illegal => "illegal",
            Self::ForfeitTurn => "forfeit_turn",
        }
    }

    /// The value of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Illegal, Self::ForfeitTurn]
            .into_iter()
            .find(|value| value.name() == name)
    }
}

/// The options of a game (`rules.md` 2): a ruleset's defaults, or what its challenge said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
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
    /// How many moves in a row may cross one border: 2 to 5.
    pub two_squares_limit: u8,
    /// That many plies in a row without an attack are a draw: 50 to 1000, or never.
    pub no_progress_plies: Option<u16>,
}

/// An option is out of its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// The limit is not one of 2, 3, 4, 5.
    #[error("must be 2 to 5, not {0}")]
    TwoSquaresLimit(u8),
    /// The count is not one of 50 to 1000.
    #[error("must be null or 50 to 1000, not {0}")]
    NoProgressPlies(u16),
}

impl Options {
    /// What `two_squares_limit` may be.
    pub const TWO_SQUARES_LIMIT: RangeInclusive<u8> = 2..=5;
    /// What `no_progress_plies` may be, if it is there.
    pub const NO_PROGRESS_PLIES: RangeInclusive<u16> = 50..=1000;

    /// The limits of the two numbers.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn validate(self) -> Result<Self, OptionsError> {
        if !Self::TWO_SQUARES_LIMIT.contains(&self.two_squares_limit) {
            return Err(OptionsError::TwoSquaresLimit(self.two_squares_limit));
        }
        match self.no_progress_plies {
            Some(plies) if !Self::NO_PROGRESS_PLIES.contains(&plies) => {
                Err(OptionsError::NoProgressPlies(plies))
            }
            _ => Ok(self),
        }
    }
}

/// A rule sheet as data: the army it prints and its options (`rules.md` 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ruleset {
    /// The Travel leaflet's "Stratego Original".
    Original,
    /// The Travel leaflet's "Stratego Duel".
    Duel,
    /// The French, Spanish and Romanian sheets; the printed army has 39 pieces and is kept.
    Classic,
    /// The Greek sheet: a breach of two squares forfeits the turn.
    OriginalForfeit,
    /// Federation practice with eight pieces.
    Barrage,
}

const TRAVEL: Options = Options {
    aggressor_advantage: false,
    silent_defense: false,
    rescue: false,
    more_squares: true,
    two_squares: TwoSquares::Illegal,
    two_squares_limit: 3,
    no_progress_plies: None,
};

impl Ruleset {
    /// Every ruleset, in the order of the table.
    pub const ALL: [Self; 5] = [
        Self::Original,
        Self::Duel,
        Self::Classic,
        Self::OriginalForfeit,
        Self::Barrage,
    ];

    /// The identifier on the wire and in the database.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Duel => "duel",
            Self::Classic => "classic",
            Self::OriginalForfeit => "original_forfeit",
            Self::Barrage => "barrage",
        }
    }

    /// How many pieces of each rank a side has (`rules.md` 1).
    pub const fn army(self) -> ByRank<u8> {
        //                   F  B  S  2  3  4  5  6  7  8  9  M
        ByRank::new(match self {
            Self::Original | Self::OriginalForfeit => [1, 6, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1],
            Self::Duel => [1, 2, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1],
            Self::Classic => [1, 6, 1, 6, 5, 5, 4, 4, 3, 2, 1, 1],
            Self::Barrage => [1, 1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1],
        })
    }

    /// How many pieces a side has.
    pub fn army_size(self) -> u8 {
        let army = self.army();
        Rank::ALL.iter().map(|rank| army[*rank]).sum()
    }

    /// The options that hold when a challenge names none.
    pub const fn default_options(self) -> Options {
        match self {
            Self::Original | Self::Duel | Self::Barrage => TRAVEL,
            Self::Classic => Options {
                two_squares_limit: 2,
                more_squares: false,
                ..TRAVEL
            },
            Self::OriginalForfeit => Options {
                two_squares: TwoSquares::ForfeitTurn,
                more_squares: false,
                ..TRAVEL
            },
        }
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The text names no ruleset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a ruleset is one of original, duel, classic, original_forfeit, barrage")]
pub struct ParseRulesetError;

impl FromStr for Ruleset {
    type Err = ParseRulesetError;

    fn from_str(text: &str) -> Result<Self, ParseRulesetError> {
        Self::ALL
            .into_iter()
            .find(|ruleset| ruleset.id() == text)
            .ok_or(ParseRulesetError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armies_have_the_printed_sizes() {
        let sizes = Ruleset::ALL.map(Ruleset::army_size);
        assert_eq!(sizes, [40, 10, 39, 40, 8]);
    }
}
