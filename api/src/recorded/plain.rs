//! A game in the text notation (`rules.md` 1).

use domain::{Color, NotedMove, Record, RecordedGame, Timestamp};

use super::exported::Sheet;
use super::instant;
use super::recording::Recording;
use super::rejection::{Code, Fault, shown};
use super::result::Written;

/// Where a game was recorded that does not say so.
const SOURCE: &str = "text";

/// What stands in place of a winner.
const DRAW: &str = "draw";

/// Writes a game.
pub(super) fn write(sheet: &Sheet<'_>) -> String {
    let game = sheet.game;
    let winner = sheet.outcome.winner.map_or(DRAW, Color::name);
    let finished = game.finished_at.map(instant::write);
    let date = game.finished_at.map(instant::day);
    // Of an archive the day is known, and no more.
    let is_day = date.as_deref().and_then(instant::of_day) == game.finished_at;
    let text = RecordedGame {
        ruleset: sheet.ruleset,
        options: sheet.options,
        source: Some(sheet.source.to_owned()),
        players: game.players.map(str::to_owned),
        result: Some(winner.to_owned()),
        reason: Some(sheet.outcome.reason.name().to_owned()),
        ending: game.raw_ending,
        date,
        started: game.started_at.map(instant::write),
        finished: finished.filter(|_| !is_day),
        setups: sheet.record.setups,
        moves: sheet.moves.clone(),
        played_at: sheet
            .played_at
            .iter()
            .flatten()
            .copied()
            .map(instant::write)
            .collect(),
    };
    text.to_string()
}

/// Reads a game.
pub(super) fn read(text: &str) -> Result<Recording, Fault> {
    let game: RecordedGame = text.parse()?;
    let record = Record {
        ruleset: game.ruleset,
        options: game.options,
        setups: game.setups,
        end: written(&game).read()?,
        moves: game
            .moves
            .into_iter()
            .map(|NotedMove { mv, rescue, .. }| (mv, rescue))
            .collect(),
    };
    let players = game.players.as_ref().map(String::as_str);
    let started = game.started.as_deref().map(read_instant).transpose()?;
    let finished = match (game.finished.as_deref(), game.date.as_deref()) {
        (Some(text), _) => Some(read_instant(text)?),
        (None, Some(text)) => {
            let day = instant::of_day(text)
                .ok_or_else(|| bad_instant("a day such as `2026-11-29`", text));
            Some(day?)
        }
        (None, None) => None,
    };
    let played_at: Vec<Timestamp> = (0..)
        .zip(&game.played_at)
        .map(|(ply, text)| read_instant(text).map_err(|fault| fault.at(Some(ply))))
        .collect::<Result<_, _>>()?;
    Recording::new(record, game.source.as_deref().unwrap_or(SOURCE), players)?.timed(
        started,
        finished,
        Some(played_at).filter(|times| !times.is_empty()),
    )
}

fn written(game: &RecordedGame) -> Written<'_> {
    let winner = game.result.as_deref().unwrap_or_default();
    Written {
        keys: ["result", "reason"],
        nobody: DRAW,
        winner: Some(winner).filter(|winner| *winner != DRAW),
        reason: game.reason.as_deref().unwrap_or_default(),
        code: game.ending,
    }
}

fn read_instant(text: &str) -> Result<Timestamp, Fault> {
    let expected = "an instant such as `2026-11-29T21:00:00.000000Z`";
    instant::read(text).ok_or_else(|| bad_instant(expected, text))
}

fn bad_instant(expected: &str, came: &str) -> Fault {
    let detail = format!("expected {expected}, got `{}`", shown(came));
    Fault::new(Code::BadInstant, detail)
}
