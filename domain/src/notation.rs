//! Games as text (`rules.md` 1): `e4-e5`, `e4xe5`, `a9-a10=8@c2`, and whole recorded games.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::color::ByColor;
use crate::moves::Move;
use crate::rank::Rank;
use crate::rescue::Rescue;
use crate::ruleset::{Options, Ruleset, TwoSquares};
use crate::setup::Setup;

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

/// A game as it is written down: `key: value` lines, the two setups, then one move a line with its
/// ply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// The options; those that are the ruleset's own are not written.
    pub options: Options,
    /// The players' names.
    pub players: ByColor<String>,
    /// `red`, `blue` or `draw`, if there is a result.
    pub result: Option<String>,
    /// Why the game ended, by its `snake_case` name.
    pub reason: Option<String>,
    /// The day, `2026-11-29`.
    pub date: Option<String>,
    /// Both armies.
    pub setups: ByColor<Setup>,
    /// The moves, from ply 0.
    pub moves: Vec<NotedMove>,
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
    #[error("expected `key: value` with ruleset, options, red, blue, result, reason or date")]
    Header,
    /// The ruleset is missing or unknown.
    #[error("expected `ruleset:` with original, duel, classic, original_forfeit or barrage")]
    Ruleset,
    /// An option that is not known, or out of its range.
    #[error("expected options such as `silent_defense=true two_squares_limit=2`")]
    Options,
    /// The setup does not fit the army.
    #[error("expected a setup of 40 characters that fits the army of the ruleset")]
    Setup,
    /// Not the next ply.
    #[error("expected the next ply and a move")]
    Ply,
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

impl fmt::Display for RecordedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ruleset: {}", self.ruleset)?;
        let options = write_options(self.ruleset.default_options(), self.options)?;
        let headers = [
            ("options", (!options.is_empty()).then_some(options.as_str())),
            ("red", Some(self.players.red.as_str())),
            ("blue", Some(self.players.blue.as_str())),
            ("result", self.result.as_deref()),
            ("reason", self.reason.as_deref()),
            ("date", self.date.as_deref()),
        ];
        for (key, value) in headers {
            if let Some(value) = value {
                writeln!(f, "{key}: {}", one_line(value))?;
            }
        }
        writeln!(f, "\n{}\n{}\n", self.setups.red, self.setups.blue)?;
        for (ply, noted) in self.moves.iter().enumerate() {
            writeln!(f, "{ply} {noted}")?;
        }
        Ok(())
    }
}

/// A name with a line break in it would otherwise read back as something else.
fn one_line(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn write_options(default: Options, options: Options) -> Result<String, fmt::Error> {
    let mut text = String::new();
    let mut flag = |name: &str, default: bool, value: bool| {
        if default == value {
            Ok(())
        } else {
            write!(text, "{name}={value} ")
        }
    };
    flag(
        "aggressor_advantage",
        default.aggressor_advantage,
        options.aggressor_advantage,
    )?;
    flag(
        "silent_defense",
        default.silent_defense,
        options.silent_defense,
    )?;
    flag("rescue", default.rescue, options.rescue)?;
    flag("more_squares", default.more_squares, options.more_squares)?;
    if default.two_squares != options.two_squares {
        write!(text, "two_squares={} ", options.two_squares.name())?;
    }
    if default.two_squares_limit != options.two_squares_limit {
        write!(text, "two_squares_limit={} ", options.two_squares_limit)?;
    }
    if let Some(plies) = options.no_progress_plies {
        write!(text, "no_progress_plies={plies} ")?;
    }
    text.truncate(text.trim_end().len());
    Ok(text)
}

fn parse_options(default: Options, text: &str) -> Option<Options> {
    let mut options = default;
    for pair in text.split_whitespace() {
        let (name, value) = pair.split_once('=')?;
        match name {
            "aggressor_advantage" => options.aggressor_advantage = value.parse().ok()?,
            "silent_defense" => options.silent_defense = value.parse().ok()?,
            "rescue" => options.rescue = value.parse().ok()?,
            "more_squares" => options.more_squares = value.parse().ok()?,
            "two_squares" => options.two_squares = TwoSquares::from_name(value)?,
            "two_squares_limit" => options.two_squares_limit = value.parse().ok()?,
            "no_progress_plies" => options.no_progress_plies = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    options.validate().ok()
}

impl FromStr for RecordedGame {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut lines = (1..)
            .zip(text.trim_start_matches('\u{feff}').lines())
            .map(|(line, text)| (line, text.trim()))
            .filter(|(_, text)| !text.is_empty())
            .peekable();
        let mut headers = Headers::default();
        while let Some((line, text)) = lines.next_if(|(_, text)| text.contains(':')) {
            headers.take(line, text)?;
        }
        let (ruleset, options) = headers.terms()?;
        let mut last = headers.last;
        let mut setup = || {
            let (line, text) = lines.next().unwrap_or((last + 1, ""));
            last = line;
            Setup::parse(ruleset, text).map_err(|_| NotationError {
                line,
                fault: NotationFault::Setup,
            })
        };
        let setups = ByColor {
            red: setup()?,
            blue: setup()?,
        };
        let mut moves = Vec::new();
        for (line, text) in lines {
            moves.push(numbered_move(moves.len(), line, text)?);
        }
        Ok(Self {
            ruleset,
            options,
            players: ByColor {
                red: headers.red.unwrap_or_default(),
                blue: headers.blue.unwrap_or_default(),
            },
            result: headers.result,
            reason: headers.reason,
            date: headers.date,
            setups,
            moves,
        })
    }
}

fn numbered_move(next: usize, line: usize, text: &str) -> Result<NotedMove, NotationError> {
    let error = |fault| NotationError { line, fault };
    let (ply, noted) = text
        .split_once(' ')
        .ok_or_else(|| error(NotationFault::Ply))?;
    if ply != next.to_string() {
        return Err(error(NotationFault::Ply));
    }
    parse_move(noted.trim()).ok_or_else(|| error(NotationFault::Move))
}

#[derive(Default)]
struct Headers {
    last: usize,
    ruleset: Option<(usize, String)>,
    options: Option<(usize, String)>,
    red: Option<String>,
    blue: Option<String>,
    result: Option<String>,
    reason: Option<String>,
    date: Option<String>,
}

impl Headers {
    fn take(&mut self, line: usize, text: &str) -> Result<(), NotationError> {
        let error = NotationError {
            line,
            fault: NotationFault::Header,
        };
        let (key, value) = text.split_once(':').ok_or_else(|| error.clone())?;
        let value = value.trim().to_owned();
        self.last = line;
        match key.trim_end() {
            "ruleset" => self.ruleset = Some((line, value)),
            "options" => self.options = Some((line, value)),
            "red" => self.red = Some(value),
            "blue" => self.blue = Some(value),
            "result" => self.result = Some(value),
            "reason" => self.reason = Some(value),
            "date" => self.date = Some(value),
            _ => return Err(error),
        }
        Ok(())
    }

    fn terms(&self) -> Result<(Ruleset, Options), NotationError> {
        let missing = (self.last + 1, String::new());
        let (line, name) = self.ruleset.as_ref().unwrap_or(&missing);
        let ruleset: Ruleset = name.parse().map_err(|_| NotationError {
            line: *line,
            fault: NotationFault::Ruleset,
        })?;
        let default = ruleset.default_options();
        let options = match &self.options {
            None => default,
            Some((line, text)) => parse_options(default, text).ok_or(NotationError {
                line: *line,
                fault: NotationFault::Options,
            })?,
        };
        Ok((ruleset, options))
    }
}
