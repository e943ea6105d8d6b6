//! Games as text (`rules.md` 1): `e4-e5`, `e4xe5`, `a9-a10=8@c2`, and whole recorded games.

mod game;
mod options;

use std::fmt;
use std::str::FromStr;

pub use game::RecordedGame;

use crate::moves::Move;
use crate::rank::Rank;
use crate::rescue::Rescue;

/// A move as it is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NotedMove {
    /// From where to where.
    pub mv: Move,
    /// Written `x` instead of `-`.
    pub attack: bool,
    /// Written `=8@c2`: the rank that comes back, and where.
    pub rescue: Option<Rescue>,
}

/// What is wrong with a text, and on which line (from 1; a single move is line 1).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct NotationError {
    /// The line.
    pub line: usize,
    /// What was expected there.
    pub fault: NotationFault,
}

/// What was expected of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotationFault {
    /// No move.
    #[error("expected a move such as `e4-e5`, `e4xe5` or `a9-a10=8@c2`")]
    Move,
    /// No header, or one that is not known.
    #[error(
        "expected `key: value` with ruleset, options, source, red, blue, result, reason, ending, date, started or finished"
    )]
    Header,
    /// The ruleset is missing or unknown.
    #[error("expected `ruleset:` with original, duel, classic, original_forfeit or barrage")]
    Ruleset,
    /// An option that is not known, or out of its range.
    #[error("expected options such as `silent_defense=true two_squares_limit=2`")]
    Options,
    /// The code of the ending is no number.
    #[error("expected `ending:` with the number that an archive gives the ending")]
    Ending,
    /// The setup does not fit the army.
    #[error("expected a setup of 40 characters that fits the army of the ruleset")]
    Setup,
    /// Not the next ply.
    #[error("expected the next ply and a move")]
    Ply,
    /// Some moves say when they were made, and this one does otherwise.
    #[error("expected an instant behind each move, or behind none")]
    Instants,
}

impl fmt::Display for NotedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.attack { 'x' } else { '-' };
        write!(f, "{}{sign}{}", self.mv.from, self.mv.to)?;
        match self.rescue {
            Some(Rescue { rank, square }) => write!(f, "={}@{square}", rank.to_char()),
            None => Ok(()),
        }
    }
}

impl FromStr for NotedMove {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        parse_move(text).ok_or(NotationError {
            line: 1,
            fault: NotationFault::Move,
        })
    }
}

fn parse_move(text: &str) -> Option<NotedMove> {
    let (squares, rescue) = match text.split_once('=') {
        None => (text, None),
        Some((squares, rescue)) => {
            let (rank, square) = rescue.split_once('@')?;
            let mut rank = rank.chars();
            let (first, None) = (rank.next()?, rank.next()) else {
                return None;
            };
            let rescue = Rescue {
                rank: Rank::from_char(first)?,
                square: square.parse().ok()?,
            };
            (squares, Some(rescue))
        }
    };
    let sign = squares.find(['-', 'x'])?;
    let (from, to) = (squares.get(..sign)?, squares.get(sign + 1..)?);
    let attack = squares.as_bytes().get(sign) == Some(&b'x');
    let mv = Move {
        from: from.parse().ok()?,
        to: to.parse().ok()?,
    };
    Some(NotedMove { mv, attack, rescue })
}
