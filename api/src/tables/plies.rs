use domain::{ByColor, Color, Irregular, MoveView, Rank};

use super::column::Field;
use super::finished::Finished;
use super::names;
use crate::wire::bits::Bits;

/// A move, and what was hidden after it.
pub(super) struct Row {
    game: String,
    made: MoveView,
    hidden: Option<ByColor<f64>>,
}

pub(super) const FIELDS: &[Field<Row>] = &[
    Field::text("game_id", "The game.", |row| Some(&row.game)),
    Field::int(
        "ply",
        "Which move, from 1, in every table; the API counts them from 0.",
        |row| Some(row.made.ply + 1),
    ),
    Field::text("color", "Who moved: red or blue.", |row| {
        Some(row.made.side.name())
    }),
    Field::text("from", "Where the piece stood.", |row| {
        Some(names::square(row.made.mv.from))
    }),
    Field::text(
        "to",
        "Where it went; as attempted when the turn was forfeited.",
        |row| Some(names::square(row.made.mv.to)),
    ),
    Field::text(
        "piece_id",
        "The piece: its owner and home, or which rescue it was.",
        |row| Some(names::piece(row.made.piece)),
    ),
    Field::text("rank", "Its rank, known to the other side or not.", |row| {
        row.made.rank.map(Rank::name)
    }),
    Field::int("distance", "How many squares it went.", |row| {
        Some(row.made.distance.into())
    }),
    Field::boolean("attack", "Whether it was an attack.", |row| {
        Some(row.made.attack.is_some())
    }),
    Field::boolean(
        "forfeited",
        "Whether it forfeited the turn: the piece stayed.",
        |row| Some(row.made.forfeited),
    ),
    Field::text(
        "irregular",
        "What it breaches, in a game of an archive: two_squares or more_squares.",
        |row: &Row| row.made.irregular.map(Irregular::name),
    )
    .nullable(),
    Field::text(
        "rescue_rank",
        "The rank that came back with it.",
        |row: &Row| {
            row.made
                .rescue
                .and_then(|rescue| rescue.rank)
                .map(Rank::name)
        },
    )
    .nullable(),
    Field::text("rescue_square", "Where that was put.", |row: &Row| {
        row.made.rescue.map(|rescue| names::square(rescue.square))
    })
    .nullable(),
    Field::instant(
        "played_at",
        "When it was made, where that was recorded.",
        |row: &Row| row.made.played_at,
    )
    .nullable(),
    Field::long(
        "think_time_us",
        "How long its side thought, in microseconds, where that was recorded.",
        |row: &Row| {
            let span = row.made.think_time?;
            i64::try_from(span.as_micros()).ok()
        },
    )
    .nullable(),
    Field::double(
        "red_hidden_bits",
        "What Red hid from Blue after the move, in bits.",
        |row| row.hidden(Color::Red),
    ),
    Field::double(
        "blue_hidden_bits",
        "What Blue hid from Red after the move, in bits.",
        |row| row.hidden(Color::Blue),
    ),
];

impl Row {
    fn hidden(&self, owner: Color) -> Option<f64> {
        self.hidden.map(|hidden| Bits(hidden[owner]).rounded())
    }
}

pub(super) fn rows(game: &Finished<'_>) -> impl Iterator<Item = Row> {
    let id = game.about.id.to_string();
    // The first point is the deployment.
    let after = game.timeline().information.iter().skip(1);
    let hidden = after.map(|point| Some(point.hidden_bits));
    game.moves()
        .iter()
        .zip(hidden.chain(std::iter::repeat(None)))
        .map(move |(made, hidden)| Row {
            game: id.clone(),
            made: made.clone(),
            hidden,
        })
}
