use std::fmt;
use std::str::FromStr;

use domain::{Move, Rescue};

use super::judge::Judge;
use super::rescue::rescue;
use super::rollout::rollout;
use super::sight::Sight;
use super::simple::simple;

/// How well a bot plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// At random, with a liking for captures that are known to be won.
    Simple,
    /// By what each move is likely to win and lose.
    Sensible,
    /// As that, and looks ahead in armies that fit what was seen.
    Strong,
}

impl Level {
    /// Every level, the weakest first.
    pub const ALL: [Self; 3] = [Self::Simple, Self::Sensible, Self::Strong];

    /// 1 to 3.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// The text names no level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a level is 1, 2 or 3")]
pub struct ParseLevelError;

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Self, ParseLevelError> {
        Self::ALL
            .into_iter()
            .find(|level| level.to_string() == text)
            .ok_or(ParseLevelError)
    }
}

/// A move, and the rescue that is asked for with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// One of the legal moves.
    pub mv: Move,
    /// A rescue that the rules take, as far as a view tells: that the same piece has rescued before is
    /// for the game to say. Whoever is refused plays the move without it.
    pub rescue: Option<Rescue>,
}

/// Chooses a move; `None` when there is none. `below(n)` gives a number from 0 to `n - 1`, each equally
/// likely.
pub fn choose(
    level: Level,
    sight: &Sight,
    mut below: impl FnMut(usize) -> usize,
) -> Option<Choice> {
    let mv = match level {
        Level::Simple => {
            let seen = |square| sight.on(square).map(|piece| (piece.owner, piece.rank));
            let advantage = sight.options.aggressor_advantage;
            simple(&sight.legal, advantage, seen, &mut below)?
        }
        Level::Sensible => Judge::new(sight).best(&mut below)?,
        Level::Strong => rollout(sight, &mut below)?,
    };
    Some(Choice {
        mv,
        rescue: rescue(sight, mv),
    })
}
