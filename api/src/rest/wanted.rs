//! Which games a query in an address is about.

use storage::games::GameFilter;

use crate::problem::ApiError;
use crate::usecase::selection::{Selection, check_name, rating, read_instant, read_source};

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
            pub(in crate::rest) ruleset: Option<crate::wire::names::Ruleset>,
            /// `play` for games that were played here, else the kind of the archive.
            pub(in crate::rest) source: Option<String>,
            /// Played by this player on either side: an account by username, a player of an archive as
            /// `source:name`.
            pub(in crate::rest) player: Option<String>,
            /// Ended then or later: an instant (RFC 3339) or a day.
            pub(in crate::rest) finished_from: Option<String>,
            /// Ended earlier than this instant or day.
            pub(in crate::rest) finished_to: Option<String>,
            /// With so many moves or more.
            pub(in crate::rest) min_plies: Option<u32>,
            /// With so many moves or fewer.
            pub(in crate::rest) max_plies: Option<u32>,
            /// That count, and before which both sides had this rating or more.
            pub(in crate::rest) min_rating: Option<f64>,
            /// That count, and before which both sides had this rating or less.
            pub(in crate::rest) max_rating: Option<f64>,
            /// Whether they count for ratings.
            pub(in crate::rest) rated: Option<bool>,
            /// Won by this side.
            pub(in crate::rest) winner: Option<crate::wire::names::Color>,
            /// Ended for this reason.
            pub(in crate::rest) reason: Option<crate::wire::names::EndReason>,
        }

        impl From<&$name> for crate::rest::wanted::Wanted {
            fn from(query: &$name) -> Self {
                Self {
                    ruleset: query.ruleset,
                    source: query.source.clone(),
                    player: query.player.clone(),
                    finished_from: query.finished_from.clone(),
                    finished_to: query.finished_to.clone(),
                    min_plies: query.min_plies,
                    max_plies: query.max_plies,
                    min_rating: query.min_rating,
                    max_rating: query.max_rating,
                    rated: query.rated,
                    winner: query.winner,
                    reason: query.reason,
                }
            }
        }
    };
}
pub(super) use wanted_query;

wanted_query! {
    /// What a query asks for that asks for games alone; what is left out is not asked for.
    pub(crate) struct Wanted {}
}

impl Wanted {
    /// The games, once all values are in range.
    ///
    /// # Errors
    /// 400 that names the value.
    pub(super) fn selection(self) -> Result<Selection, ApiError> {
        if let Some(name) = &self.player {
            check_name("player", name)?;
        }
        let source = read_with("source", self.source, read_source)?;
        let filter = GameFilter {
            rulesets: self.ruleset.map(|ruleset| vec![ruleset.into()]),
            sources: source.map(|source| vec![source]),
            finished_from: read_with("finished_from", self.finished_from, read_instant)?,
            finished_to: read_with("finished_to", self.finished_to, read_instant)?,
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

    /// The games in a few words: `barrage, rated, from 2026-11-01`.
    pub(super) fn words(&self) -> String {
        let ruleset = self.ruleset.map(domain::Ruleset::from);
        let ruleset = ruleset.map_or("all rulesets", domain::Ruleset::id);
        let mut words = vec![ruleset.to_owned()];
        let mut add = |text: Option<String>| words.extend(text);
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

/// Reads a text, if there is one.
fn read_with<T>(
    field: &str,
    text: Option<String>,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, ApiError> {
    let refused = |detail| ApiError::malformed_field(field, detail);
    text.map(|text| read(&text)).transpose().map_err(refused)
}
