//! Event streams and the GraphQL subscription: what is told, to whom, and that nothing is lost.

mod games;
mod lifecycle;
mod players;
mod resume;
mod roaming;
mod slow;
mod socket;
mod subscription;
mod tickets;

use tests::sse::Event;
use tests::{Client, EventStream, Game};

/// The stream of a game.
pub(crate) fn follow(game: &Game, viewer: &Client, after: Option<&str>) -> EventStream {
    EventStream::open(viewer, &game.path("/events"), after)
}

/// The stream of a player.
pub(crate) fn follow_me(player: &Client, after: Option<&str>) -> EventStream {
    EventStream::open(player, "/v1/me/events", after)
}

/// The numbers and the kinds of events.
pub(crate) fn kinds(events: &[Event]) -> Vec<(u64, &str)> {
    events
        .iter()
        .map(|event| (event.number(), event.name.as_str()))
        .collect()
}

/// The numbers of events must be these and those after it, without gaps.
#[track_caller]
pub(crate) fn assert_dense(events: &[Event], first: u64) {
    let numbers: Vec<u64> = events.iter().map(Event::number).collect();
    let expected: Vec<u64> = (first..).take(numbers.len()).collect();
    assert_eq!(numbers, expected);
}
