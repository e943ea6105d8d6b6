use std::fmt;
use std::str::FromStr;

use super::{NotationError, NotationFault, NotedMove, options, parse_move};
use crate::color::ByColor;
use crate::ruleset::{Options, Ruleset};
use crate::setup::Setup;

/// A game as it is written down: `key: value` lines, the two setups, then one move a line with its
/// ply, and with the instant at which it was made if that is recorded. Instants are texts here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// The options; those that are the ruleset's own are not written.
    pub options: Options,
    /// Where it was recorded, if that is said.
    pub source: Option<String>,
    /// The players' names.
    pub players: ByColor<String>,
    /// `red`, `blue` or `draw`, if there is a result.
    pub result: Option<String>,
    /// Why the game ended, by its `snake_case` name.
    pub reason: Option<String>,
    /// The code that an archive gives the ending.
    pub ending: Option<u16>,
    /// The day, `2026-11-29`.
    pub date: Option<String>,
    /// When it began.
    pub started: Option<String>,
    /// When it ended.
    pub finished: Option<String>,
    /// Both armies.
    pub setups: ByColor<Setup>,
    /// The moves, from ply 0.
    pub moves: Vec<NotedMove>,
    /// When each move was made; empty if that is not recorded.
    pub played_at: Vec<String>,
}

impl fmt::Display for RecordedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ruleset: {}", self.ruleset)?;
        let options = self.ruleset.options_beyond(self.options);
        let ending = self.ending.map(|code| code.to_string());
        let headers = [
            ("options", (!options.is_empty()).then_some(options.as_str())),
            ("source", self.source.as_deref()),
            ("red", Some(self.players.red.as_str())),
            ("blue", Some(self.players.blue.as_str())),
            ("result", self.result.as_deref()),
            ("reason", self.reason.as_deref()),
            ("ending", ending.as_deref()),
            ("date", self.date.as_deref()),
            ("started", self.started.as_deref()),
            ("finished", self.finished.as_deref()),
        ];
        for (key, value) in headers {
            if let Some(value) = value {
                writeln!(f, "{key}: {}", one_line(value))?;
            }
        }
        writeln!(f, "\n{}\n{}\n", self.setups.red, self.setups.blue)?;
        let mut instants = self.played_at.iter();
        for (ply, noted) in self.moves.iter().enumerate() {
            match instants.next() {
                Some(instant) => writeln!(f, "{ply} {noted} {instant}")?,
                None => writeln!(f, "{ply} {noted}")?,
            }
        }
        Ok(())
    }
}

/// A name with a line break in it would otherwise read back as something else.
fn one_line(value: &str) -> String {
    let breaks = |ch: char| ch.is_control() || matches!(ch, '\u{2028}' | '\u{2029}');
    let parts = value.split(breaks).map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(" ")
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
        let (mut moves, mut played_at) = (Vec::new(), Vec::new());
        for (line, text) in lines {
            let (noted, instant) = numbered_move(moves.len(), line, text)?;
            if instant.is_some() != (played_at.len() == moves.len()) && !moves.is_empty() {
                let fault = NotationFault::Instants;
                return Err(NotationError { line, fault });
            }
            moves.push(noted);
            played_at.extend(instant.map(str::to_owned));
        }
        Ok(Self {
            ruleset,
            options,
            players: ByColor {
                red: headers.red.unwrap_or_default(),
                blue: headers.blue.unwrap_or_default(),
            },
            result: headers.result,
            source: headers.source,
            reason: headers.reason,
            ending: headers.ending,
            date: headers.date,
            started: headers.started,
            finished: headers.finished,
            setups,
            moves,
            played_at,
        })
    }
}

fn numbered_move(
    next: usize,
    line: usize,
    text: &str,
) -> Result<(NotedMove, Option<&str>), NotationError> {
    let error = |fault| NotationError { line, fault };
    let mut words = text.split_whitespace();
    let (Some(ply), Some(noted)) = (words.next(), words.next()) else {
        return Err(error(NotationFault::Ply));
    };
    let is_next = !ply.starts_with(['+', '0']) || ply == "0";
    if !is_next || ply.parse() != Ok(next) {
        return Err(error(NotationFault::Ply));
    }
    let noted = parse_move(noted).ok_or_else(|| error(NotationFault::Move))?;
    let instant = words.next();
    match words.next() {
        Some(_) => Err(error(NotationFault::Move)),
        None => Ok((noted, instant)),
    }
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
    source: Option<String>,
    ending: Option<u16>,
    date: Option<String>,
    started: Option<String>,
    finished: Option<String>,
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
            "source" => self.source = Some(value),
            "ending" => {
                let fault = NotationFault::Ending;
                let code = value.parse().map_err(|_| NotationError { line, fault })?;
                self.ending = Some(code);
            }
            "date" => self.date = Some(value),
            "started" => self.started = Some(value),
            "finished" => self.finished = Some(value),
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
            Some((line, text)) => options::parse(default, text).ok_or(NotationError {
                line: *line,
                fault: NotationFault::Options,
            })?,
        };
        Ok((ruleset, options))
    }
}
