use domain::{ByColor, Color, Options, Record, Terms, Timestamp};

use super::column::Field;
use super::finished::Finished;

/// A game.
pub(super) struct Row {
    id: String,
    terms: Terms,
    source: String,
    players: ByColor<String>,
    ratings: ByColor<Option<f64>>,
    rated: bool,
    winner: Option<Color>,
    reason: Option<&'static str>,
    raw_ending: Option<u16>,
    plies: u32,
    started_at: Option<Timestamp>,
    finished_at: Option<Timestamp>,
    setups: ByColor<String>,
}

pub(super) const FIELDS: &[Field<Row>] = &[
    Field::text("game_id", "The game, as in the API.", |row| Some(&row.id)),
    Field::text(
        "ruleset",
        "original, duel, classic, original_forfeit or barrage.",
        |row| Some(row.terms.ruleset.id()),
    ),
    Field::boolean(
        "aggressor_advantage",
        "Option: of equal ranks the attacker wins.",
        |row| Some(row.options().aggressor_advantage),
    ),
    Field::boolean(
        "silent_defense",
        "Option: only the attacker's rank is declared.",
        |row| Some(row.options().silent_defense),
    ),
    Field::boolean(
        "rescue",
        "Option: whoever reaches the back row takes back a piece.",
        |row| Some(row.options().rescue),
    ),
    Field::boolean(
        "more_squares",
        "Option: a chase may not come back to an earlier placement.",
        |row| Some(row.options().more_squares),
    ),
    Field::text(
        "two_squares",
        "Option: what a breach is: illegal or forfeit_turn.",
        |row| Some(row.options().two_squares.name()),
    ),
    Field::int(
        "two_squares_limit",
        "Option: how many moves in a row may cross one border.",
        |row| Some(row.options().two_squares_limit.into()),
    ),
    Field::int(
        "no_progress_plies",
        "Option: so many without an attack are a draw; or never.",
        |row: &Row| row.options().no_progress_plies.map(u32::from),
    )
    .nullable(),
    Field::text(
        "source",
        "play for this server, else the kind of archive.",
        |row| Some(&row.source),
    ),
    Field::text("red_player", "Red's name.", |row| Some(&row.players.red)),
    Field::text("blue_player", "Blue's name.", |row| Some(&row.players.blue)),
    Field::double(
        "red_rating",
        "Red's rating before the game, if there was one.",
        |row: &Row| row.ratings.red,
    )
    .nullable(),
    Field::double(
        "blue_rating",
        "Blue's rating before the game, if there was one.",
        |row: &Row| row.ratings.blue,
    )
    .nullable(),
    Field::boolean("rated", "Whether the game counts for ratings.", |row| {
        Some(row.rated)
    }),
    Field::text("winner", "red or blue; null for a draw.", |row: &Row| {
        row.winner.map(Color::name)
    })
    .nullable(),
    Field::text(
        "reason",
        "Why it ended, for example flag_captured or no_progress.",
        |row| row.reason,
    ),
    Field::int(
        "raw_ending",
        "The code of its end in its archive.",
        |row: &Row| row.raw_ending.map(u32::from),
    )
    .nullable(),
    Field::int("plies", "How many moves were made, of both sides.", |row| {
        Some(row.plies)
    }),
    Field::instant(
        "started_at",
        "When both armies stood, where that was recorded.",
        |row: &Row| row.started_at,
    )
    .nullable(),
    Field::instant(
        "finished_at",
        "When the result was decided, where that was recorded.",
        |row: &Row| row.finished_at,
    )
    .nullable(),
    Field::text(
        "red_setup",
        "Red's deployment, 40 characters as Red sees it, front row first.",
        |row| Some(&row.setups.red),
    ),
    Field::text(
        "blue_setup",
        "Blue's deployment, 40 characters as Blue sees it, front row first.",
        |row| Some(&row.setups.blue),
    ),
];

impl Row {
    const fn options(&self) -> &Options {
        &self.terms.options
    }
}

pub(super) fn rows(game: &Finished<'_>) -> impl Iterator<Item = Row> + use<> {
    let about = game.about;
    let played = game.view.game();
    let outcome = played.outcome();
    let record = Record::of(&game.view);
    let setups = record.map(|record| record.setups.map(|setup| setup.to_string()));
    std::iter::once(Row {
        id: about.id.to_string(),
        terms: *played.terms(),
        source: about.source.to_owned(),
        players: about.players.map(str::to_owned),
        ratings: about.ratings,
        rated: about.rated,
        winner: outcome.and_then(|outcome| outcome.winner),
        reason: outcome.map(|outcome| outcome.reason.name()),
        raw_ending: about.raw_ending,
        plies: played.ply(),
        started_at: played.started_at(),
        finished_at: played.known_end(),
        setups: setups.unwrap_or_default(),
    })
}
