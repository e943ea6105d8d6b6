//! A game as JSON: one object, or one a line.

mod wire;

use domain::{ByColor, Color, Record, Ruleset, Setup};
use serde::Deserialize;

pub(crate) use self::wire::GameText;
use self::wire::{InstantText, MoveText, OptionsText, OutcomeText, PlayerText, SetupsText};
use super::exported::Sheet;
use super::recording::Recording;
use super::rejection::{Code, Fault};
use super::result::Written;

/// What an object says that it is.
const FORMAT: &str = "reveille-game";

/// The form, counted up when it changes.
const VERSION: u32 = 1;

/// Writes a game as one line.
pub(super) fn write(sheet: &Sheet<'_>) -> String {
    let game = sheet.game;
    let player = |side: Color| PlayerText {
        name: game.players[side].to_owned(),
        rating: game.ratings[side].filter(|rating| rating.is_finite()),
    };
    let times = |times: &Vec<domain::Timestamp>| times.iter().copied().map(InstantText).collect();
    let text = GameText {
        format: FORMAT.to_owned(),
        version: VERSION,
        id: Some(game.id.to_owned()),
        source: sheet.source.to_owned(),
        ruleset: sheet.ruleset.id().to_owned(),
        options: Some(OptionsText::of(sheet.options)),
        red: player(Color::Red),
        blue: player(Color::Blue),
        setups: SetupsText {
            red: sheet.record.setups.red.to_string(),
            blue: sheet.record.setups.blue.to_string(),
        },
        moves: sheet.moves.iter().copied().map(MoveText).collect(),
        played_at: sheet.played_at.as_ref().map(times),
        outcome: OutcomeText {
            winner: sheet.outcome.winner.map(|winner| winner.name().to_owned()),
            reason: sheet.outcome.reason.name().to_owned(),
            raw_ending: game.raw_ending,
        },
        started_at: game.started_at.map(InstantText),
        finished_at: game.finished_at.map(InstantText),
    };
    // No key or number in it is one that JSON has not.
    serde_json::to_string(&text).unwrap_or_default()
}

/// Reads a game.
pub(super) fn read(text: &str) -> Result<Recording, Fault> {
    let game: GameText = serde_json::from_str(text).map_err(|_| why(text))?;
    if game.format != FORMAT || game.version != VERSION {
        return Err(why(text));
    }
    let ruleset: Ruleset = game.ruleset.parse().map_err(|_| {
        let ids: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.id()).collect();
        let ids = ids.join(", ");
        Fault::expected(Code::UnsupportedKind, "ruleset", &ids, &game.ruleset)
    })?;
    let options = match game.options {
        Some(options) => options.read()?,
        None => ruleset.default_options(),
    };
    let setup = |side: Color, text: &str| {
        Setup::parse(ruleset, text).map_err(|errors| {
            let detail = format!("`setups.{}`: {errors}", side.name());
            Fault::new(Code::BadSetup, detail)
        })
    };
    let record = Record {
        ruleset,
        options,
        setups: ByColor {
            red: setup(Color::Red, &game.setups.red)?,
            blue: setup(Color::Blue, &game.setups.blue)?,
        },
        moves: game
            .moves
            .iter()
            .map(|noted| (noted.0.mv, noted.0.rescue))
            .collect(),
        end: written(&game.outcome).read()?,
    };
    let players = ByColor {
        red: game.red.name.as_str(),
        blue: game.blue.name.as_str(),
    };
    let instants = |times: Vec<InstantText>| times.into_iter().map(|at| at.0).collect();
    Recording::new(record, &game.source, players)?.timed(
        game.started_at.map(|at| at.0),
        game.finished_at.map(|at| at.0),
        game.played_at.map(instants),
    )
}

fn written(outcome: &OutcomeText) -> Written<'_> {
    Written {
        keys: ["outcome.winner", "outcome.reason"],
        nobody: "null",
        winner: outcome.winner.as_deref(),
        reason: outcome.reason.as_str(),
        code: outcome.raw_ending,
    }
}

/// As much as every version has.
#[derive(Deserialize)]
struct AnyGame {
    format: Option<String>,
    version: Option<u64>,
}

/// What is wrong with an object that is not of the form: it is read again to find out.
fn why(text: &str) -> Fault {
    if let Ok(any) = serde_json::from_str::<AnyGame>(text) {
        if any.format.as_deref() != Some(FORMAT) {
            let came = any.format.unwrap_or_default();
            return Fault::expected(Code::UnknownFormat, "format", FORMAT, &came);
        }
        if any.version != Some(VERSION.into()) {
            let came = any
                .version
                .map_or_else(String::new, |came| came.to_string());
            let version = VERSION.to_string();
            return Fault::expected(Code::UnsupportedVersion, "version", &version, &came);
        }
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let Err(error) = serde_path_to_error::deserialize::<_, GameText>(&mut reader) else {
        return Fault::new(Code::BadJson, "expected nothing behind the object");
    };
    if !error.inner().is_data() {
        return Fault::new(Code::BadJson, error.inner().to_string());
    }
    let path = error.path().to_string();
    let key = path.split(['.', '[']).next().unwrap_or_default();
    let code = match key {
        "moves" => Code::BadMove,
        "played_at" | "started_at" | "finished_at" => Code::BadInstant,
        "options" => Code::BadOptions,
        "outcome" => Code::BadResult,
        "setups" => Code::BadSetup,
        _ => Code::BadJson,
    };
    let ply = path
        .split_once('[')
        .and_then(|(_, rest)| rest.strip_suffix(']')?.parse().ok());
    let detail = format!("`{path}`: {}", error.inner());
    Fault::new(code, detail).at(ply)
}
