//! The terms of a game stand in two tables, under the same names: `games` and `challenges`.

use domain::{Options, Ruleset, TimeControl, TwoSquares};

use crate::error::{Corruption, StorageError};
use crate::time::{span, span_micros};

/// A time control as it is stored: its kind, and the spans that the kind has.
pub(crate) struct StoredTime {
    pub(crate) kind: String,
    pub(crate) initial: Option<i64>,
    pub(crate) increment: Option<i64>,
    pub(crate) max: Option<i64>,
}

impl From<TimeControl> for StoredTime {
    fn from(control: TimeControl) -> Self {
        let stored = |kind: &str, initial, increment, max| Self {
            kind: kind.to_owned(),
            initial,
            increment,
            max,
        };
        match control {
            TimeControl::PerMove(time) => stored("per_move", Some(span_micros(time)), None, None),
            TimeControl::Fischer {
                initial,
                increment,
                max,
            } => stored(
                "fischer",
                Some(span_micros(initial)),
                Some(span_micros(increment)),
                Some(span_micros(max)),
            ),
            TimeControl::Unlimited => stored("unlimited", None, None, None),
        }
    }
}

impl TryFrom<StoredTime> for TimeControl {
    type Error = StorageError;

    fn try_from(stored: StoredTime) -> Result<Self, StorageError> {
        let spans = [stored.initial, stored.increment, stored.max].map(|time| time.and_then(span));
        match (stored.kind.as_str(), spans) {
            ("per_move", [Some(time), None, None]) => Ok(Self::PerMove(time)),
            ("fischer", [Some(initial), Some(increment), Some(max)]) => Ok(Self::Fischer {
                initial,
                increment,
                max,
            }),
            ("unlimited", [None, None, None]) => Ok(Self::Unlimited),
            _ => Err(Corruption::Value {
                column: "time_kind",
            }
            .into()),
        }
    }
}

/// The options as they are stored.
pub(crate) struct StoredOptions {
    pub(crate) aggressor_advantage: bool,
    pub(crate) silent_defense: bool,
    pub(crate) rescue: bool,
    pub(crate) more_squares: bool,
    pub(crate) two_squares: String,
    pub(crate) two_squares_limit: i16,
    pub(crate) no_progress_plies: Option<i32>,
}

impl From<Options> for StoredOptions {
    fn from(options: Options) -> Self {
        Self {
            aggressor_advantage: options.aggressor_advantage,
            silent_defense: options.silent_defense,
            rescue: options.rescue,
            more_squares: options.more_squares,
            two_squares: options.two_squares.name().to_owned(),
            two_squares_limit: i16::from(options.two_squares_limit),
            no_progress_plies: options.no_progress_plies.map(i32::from),
        }
    }
}

impl TryFrom<StoredOptions> for Options {
    type Error = StorageError;

    fn try_from(stored: StoredOptions) -> Result<Self, StorageError> {
        let damaged = |column| StorageError::from(Corruption::Value { column });
        Ok(Self {
            aggressor_advantage: stored.aggressor_advantage,
            silent_defense: stored.silent_defense,
            rescue: stored.rescue,
            more_squares: stored.more_squares,
            two_squares: TwoSquares::from_name(&stored.two_squares)
                .ok_or_else(|| damaged("two_squares"))?,
            two_squares_limit: u8::try_from(stored.two_squares_limit)
                .map_err(|_| damaged("two_squares_limit"))?,
            no_progress_plies: stored
                .no_progress_plies
                .map(u16::try_from)
                .transpose()
                .map_err(|_| damaged("no_progress_plies"))?,
        })
    }
}

/// The identifier of a ruleset as it is stored.
pub(crate) fn ruleset_text(ruleset: Ruleset) -> String {
    ruleset.id().to_owned()
}

/// Defines `TermsRow`, the columns of the terms in a table.
macro_rules! terms_row {
    ($table:ident) => {
        #[derive(Clone, diesel::Queryable, diesel::Selectable, diesel::Insertable)]
        #[diesel(table_name = $table, treat_none_as_default_value = false)]
        pub(crate) struct TermsRow {
            ruleset: String,
            aggressor_advantage: bool,
            silent_defense: bool,
            rescue: bool,
            more_squares: bool,
            two_squares: String,
            two_squares_limit: i16,
            no_progress_plies: Option<i32>,
            time_kind: String,
            time_initial: Option<i64>,
            time_increment: Option<i64>,
            time_max: Option<i64>,
            vacation: bool,
            weekends: bool,
        }

        impl From<domain::Terms> for TermsRow {
            fn from(terms: domain::Terms) -> Self {
                let options = $crate::terms::StoredOptions::from(terms.options);
                let time = $crate::terms::StoredTime::from(terms.time_control);
                Self {
                    ruleset: $crate::terms::ruleset_text(terms.ruleset),
                    aggressor_advantage: options.aggressor_advantage,
                    silent_defense: options.silent_defense,
                    rescue: options.rescue,
                    more_squares: options.more_squares,
                    two_squares: options.two_squares,
                    two_squares_limit: options.two_squares_limit,
                    no_progress_plies: options.no_progress_plies,
                    time_kind: time.kind,
                    time_initial: time.initial,
                    time_increment: time.increment,
                    time_max: time.max,
                    vacation: terms.vacation,
                    weekends: terms.weekends,
                }
            }
        }

        impl TryFrom<TermsRow> for domain::Terms {
            type Error = $crate::error::StorageError;

            fn try_from(row: TermsRow) -> Result<Self, Self::Error> {
                Ok(Self {
                    ruleset: $crate::text::ruleset(&row.ruleset)?,
                    options: $crate::terms::StoredOptions {
                        aggressor_advantage: row.aggressor_advantage,
                        silent_defense: row.silent_defense,
                        rescue: row.rescue,
                        more_squares: row.more_squares,
                        two_squares: row.two_squares,
                        two_squares_limit: row.two_squares_limit,
                        no_progress_plies: row.no_progress_plies,
                    }
                    .try_into()?,
                    time_control: $crate::terms::StoredTime {
                        kind: row.time_kind,
                        initial: row.time_initial,
                        increment: row.time_increment,
                        max: row.time_max,
                    }
                    .try_into()?,
                    vacation: row.vacation,
                    weekends: row.weekends,
                })
            }
        }
    };
}
pub(crate) use terms_row;
