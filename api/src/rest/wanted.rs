//! Which games a query in an address is about.

use domain::Timestamp;
use storage::games::GameFilter;

use crate::problem::ApiError;
use crate::usecase::selection::{self, Selection, check_name, rating, storable};
use crate::wire::names::{Color, EndReason, Ruleset};

/// What a query asks for; what is left out is not asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub(super) ruleset: Option<Ruleset>,
    pub(super) source: Option<String>,
    pub(super) player: Option<String>,
    pub(super) finished_from: Option<String>,
    pub(super) finished_to: Option<String>,
    pub(super) min_plies: Option<u32>,
    pub(super) max_plies: Option<u32>,
    pub(super) min_rating: Option<f64>,
    pub(super) max_rating: Option<f64>,
    pub(super) rated: Option<bool>,
    pub(super) winner: Option<Color>,
    pub(super) reason: Option<EndReason>,
}

/// Makes a query that asks for games, and for what is its own. (With a flattened one unknown fields would
/// not be refused.)
macro_rules! wanted_query {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident { $($own:tt)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Deserialize, utoipa::IntoParams)]
        #[serde(deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        $visibility struct $name {
            $($own)*
            /// Played by this rule sheet.
            ruleset: Option<crate::wire::names::Ruleset>,
            /// `play` for games that were played here, else the kind of the archive.
            source: Option<String>,
            /// Played by this player on either side: an account by username, a player of an archive as
            /// `source:name`.
            player: Option<String>,
            /// Ended then or later: an instant (RFC 3339) or a day.
            finished_from: Option<String>,
            /// Ended earlier than this instant or day.
            finished_to: Option<String>,
            /// With so many moves or more.
            min_plies: Option<u32>,
            /// With so many moves or fewer.
            max_plies: Option<u32>,
            /// That count, and before which both sides had this rating or more.
            min_rating: Option<f64>,
            /// That count, and before which both sides had this rating or less.
            max_rating: Option<f64>,
            /// Whether they count for ratings.
            rated: Option<bool>,
            /// Won by this side.
            winner: Option<crate::wire::names::Color>,
            /// Ended for this reason.
            reason: Option<crate::wire::names::EndReason>,
        }

        impl $name {
            /// Which games it asks for.
            fn wanted(&self) -> crate::rest::wanted::Wanted {
                crate::rest::wanted::Wanted {
                    ruleset: self.ruleset,
                    source: self.source.clone(),
                    player: self.player.clone(),
                    finished_from: self.finished_from.clone(),
                    finished_to: self.finished_to.clone(),
                    min_plies: self.min_plies,
                    max_plies: self.max_plies,
                    min_rating: self.min_rating,
                    max_rating: self.max_rating,
                    rated: self.rated,
                    winner: self.winner,
                    reason: self.reason,
                }
            }
        }
    };
}
pub(super) use wanted_query;

impl Wanted {
    /// The games, once all values are in range.
    ///
    /// # Errors
    /// 400 that names the value.
    pub(super) fn selection(self) -> Result<Selection, ApiError> {
        for (field, name) in [("player", &self.player), ("source", &self.source)] {
            name.iter().try_for_each(|name| check_name(field, name))?;
        }
        let filter = GameFilter {
            rulesets: self.ruleset.map(|ruleset| vec![ruleset.into()]),
            sources: self.source.map(|source| storable(vec![source])),
            finished_from: read_instant("finished_from", self.finished_from)?,
            finished_to: read_instant("finished_to", self.finished_to)?,
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            min_rating: rating("min_rating", self.min_rating)?,
            max_rating: rating("max_rating", self.max_rating)?,
            rated: self.rated,
            winner: self.winner.map(Into::into),
            reasons: self.reason.map(|reason| vec![reason.into()]),
            ..GameFilter::default()
        };
        Ok(Selection {
            filter,
            players: self.player.map(|player| vec![player]),
        })
    }

    /// The games in a few words: `barrage, rated, from 2026-11-01`; nothing for all.
    pub(super) fn words(&self) -> String {
        let mut words = Vec::new();
        let mut add = |text: Option<String>| words.extend(text);
        add(self
            .ruleset
            .map(|ruleset| domain::Ruleset::from(ruleset).id().to_owned()));
        add(self
            .source
            .as_ref()
            .map(|source| format!("source {source}")));
        add(self.player.as_ref().map(|player| format!("of {player}")));
        add(self
            .rated
            .map(|rated| if rated { "rated" } else { "unrated" }.to_owned()));
        add(self
            .winner
            .map(|winner| format!("won by {}", domain::Color::from(winner))));
        add(self
            .reason
            .map(|reason| format!("by {}", domain::EndReason::from(reason).name())));
        add(self.min_plies.map(|plies| format!("{plies} plies or more")));
        add(self
            .max_plies
            .map(|plies| format!("{plies} plies or fewer")));
        add(self
            .min_rating
            .map(|rating| format!("rated {rating} or more")));
        add(self
            .max_rating
            .map(|rating| format!("rated {rating} or less")));
        add(self
            .finished_from
            .as_ref()
            .map(|from| format!("from {from}")));
        add(self.finished_to.as_ref().map(|to| format!("before {to}")));
        words.join(", ")
    }
}

fn read_instant(field: &str, text: Option<String>) -> Result<Option<Timestamp>, ApiError> {
    let read = |text: String| selection::read_instant(&text);
    let refused = |detail| ApiError::malformed_field(field, detail);
    text.map(read).transpose().map_err(refused)
}
