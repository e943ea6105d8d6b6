use domain::{ByColor, Viewpoint};
use storage::games::{GameSummary, SeatRating, StoredGame};

use crate::recorded::Exported;
use crate::tables::About;

/// A stored game with all that a file says of it; `None` of one that was not played to an end. `id` is its
/// identifier as a text.
pub fn exported<'a>(stored: &'a StoredGame, id: &'a str) -> Option<Exported<'a>> {
    let summary = &stored.summary;
    let view = stored.game.view(None, Viewpoint::Omniscient)?;
    Some(Exported {
        id,
        source: &summary.source,
        view,
        players: names(summary),
        ratings: ratings(summary),
        started_at: summary.started_at,
        finished_at: stored.game.known_end(),
        raw_ending: summary.raw_ending,
    })
}

/// What the tables say of a stored game beside how it was played.
pub(super) fn about(summary: &GameSummary) -> About<'_> {
    About {
        id: summary.id.as_uuid(),
        source: &summary.source,
        players: names(summary),
        ratings: ratings(summary),
        rated: summary.rated,
        raw_ending: summary.raw_ending,
    }
}

fn names(summary: &GameSummary) -> ByColor<&str> {
    let players = summary.players.as_ref();
    players.map(|player| player.username.as_str())
}

fn ratings(summary: &GameSummary) -> ByColor<Option<f64>> {
    let points = |seat: Option<SeatRating>| seat.map(|seat| seat.rating);
    summary.ratings.map(points)
}
