//! What streams and subscriptions tell of a game.
//!
//! They are read at a node of their own, which is started for it and ended afterwards: a node keeps the
//! last events of what is followed, and the stored armies are exchanged beneath it.

use serde_json::json;
use tests::dice::Dice;
use tests::sse::{Event, EventStream};
use tests::{Client, Socket};

use super::ask::Who;
use super::graphql::{Choice, Schema};
use super::table::Table;

/// What one caller hears in one way.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Followed {
    pub(super) who: Who,
    pub(super) what: String,
    /// What came, part by part.
    pub(super) told: Vec<String>,
}

/// Everything that can be followed of a game, by everyone who may not know the hidden army: from the first
/// event to the last. The same is asked of another world with the same dice.
pub(super) fn followed(
    table: &Table,
    schema: &Schema,
    choice: &Choice,
    node: &str,
    mut dice: Dice,
) -> Vec<Followed> {
    let mut all = Vec::new();
    for who in Who::ALL {
        let client = table.client(who).at(node);
        let last = last_event(&client, &table.path("/events"));
        all.push(stream(who, &client, &table.path("/events"), last));
        if who != Who::Nobody {
            let last = last_event(&client, "/v1/me/events");
            all.push(stream(who, &client, "/v1/me/events", last));
        }
        for root in schema.subscriptions() {
            let query = schema.subscription(&root, choice, &mut dice);
            all.push(subscription(who, &client, query, last));
        }
    }
    all
}

/// The number of the last event there is, if the caller may know: an event that is not there says so.
fn last_event(client: &Client, path: &str) -> Option<u64> {
    // A player's own events are numbered when somebody looks from now on.
    EventStream::send(client, "GET", path, &[]);
    let mut stream = EventStream::send(client, "GET", path, &[("Last-Event-ID", "none")]);
    (stream.head.status == 200).then(|| stream.event().number())
}

fn stream(who: Who, client: &Client, path: &str, last: Option<u64>) -> Followed {
    let mut stream = EventStream::send(client, "GET", path, &[("Last-Event-ID", "0")]);
    let mut told = vec![format!("status {}, last {last:?}", stream.head.status)];
    let mut headers = stream.head.headers.clone();
    headers.retain(|(name, _)| name != "date" && name != "x-request-id");
    headers.sort_unstable();
    told.extend(
        headers
            .into_iter()
            .map(|(name, value)| format!("{name}: {value}")),
    );
    if let Some(last) = last.filter(|last| *last > 0) {
        let line = |event: Event| format!("{:?} {} {}", event.id, event.name, event.data);
        told.extend(stream.up_to(last).into_iter().map(line));
    }
    Followed {
        who,
        what: format!("GET {path}"),
        told,
    }
}

fn subscription(who: Who, client: &Client, query: String, last: Option<u64>) -> Followed {
    let mut socket = Socket::open(client);
    socket.subscribe("1", &query, &json!({}));
    // Where there is nothing to be known, one refusal.
    let parts = last.unwrap_or(1);
    let told = (0..parts).map(|_| socket.message().to_string()).collect();
    Followed {
        who,
        what: query,
        told,
    }
}
