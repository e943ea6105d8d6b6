use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::time::Duration;

use domain::Color;
use serde::Deserialize;
use uuid::Uuid;

use super::agenda::{Agenda, Task};
use super::client::{Client, Fault};
use super::reply::maybe_named;
use super::voice::Voice;

/// Where a player's own events are told.
const PATH: &str = "/v1/me/events";
/// The longest line that is read: a challenge or a move is a few thousand bytes.
const LONGEST_LINE: u64 = 1 << 20;
/// How long is waited before a stream is asked for again: so long, twice as long each time it fails, and
/// never longer than the last.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LAST_WAIT: Duration = Duration::from_mins(1);

/// What concerns a bot of the data of an event; the same for all kinds, those of later servers too.
#[derive(Debug, Default, Deserialize)]
struct Told {
    game_id: Option<Uuid>,
    challenge_id: Option<Uuid>,
    r#move: Option<Moved>,
}

#[derive(Debug, Deserialize)]
struct Moved {
    #[serde(default, deserialize_with = "maybe_named")]
    side: Option<Color>,
}

/// An event as it comes in.
#[derive(Debug, Default, PartialEq, Eq)]
struct Event {
    id: Option<String>,
    kind: String,
    data: String,
}

/// Follows the bot's events until it is to stop: notes what is to be looked at, asks again where the
/// stream broke off, and for everything where nothing can be said to be missed.
pub(super) struct Events {
    client: Arc<Client>,
    agenda: Arc<Agenda>,
    voice: Voice,
    last: Option<String>,
}

impl Events {
    pub(super) const fn new(client: Arc<Client>, agenda: Arc<Agenda>, voice: Voice) -> Self {
        Self {
            client,
            agenda,
            voice,
            last: None,
        }
    }

    pub(super) fn follow(mut self) {
        let mut wait = FIRST_WAIT;
        while !self.agenda.is_stopped() {
            match self.read() {
                // It was there, and may be again at once.
                Ok(()) => wait = FIRST_WAIT,
                Err(Fault::Later { wait: asked, .. }) => wait = wait.max(asked),
                Err(fault) => {
                    if matches!(fault, Fault::Token { .. }) {
                        // Whoever looks at something finds out whether to go on.
                        self.agenda.add(Task::Everything);
                    }
                    if !self.agenda.is_stopped() {
                        self.voice
                            .warn(format_args!("the events broke off: {fault}"));
                    }
                }
            }
            self.agenda.pause(wait);
            // Until one is read.
            wait = (wait * 2).min(LAST_WAIT);
        }
    }

    /// Reads one stream to its end.
    fn read(&mut self) -> Result<(), Fault> {
        let stream = self.client.follow(PATH, self.last.as_deref())?;
        if self.last.is_none() {
            // What happens from now on is told; what waits already is to be found.
            self.agenda.add(Task::Everything);
        }
        let mut lines = BufReader::new(stream);
        while let Some(event) = next(&mut lines) {
            if self.agenda.is_stopped() {
                break;
            }
            self.hear(event);
        }
        Ok(())
    }

    fn hear(&mut self, event: Event) {
        if event.kind == "resync" {
            self.agenda.add(Task::Everything);
        }
        if event.id.is_some() {
            self.last = event.id;
        }
        let Ok(told) = serde_json::from_str::<Told>(&event.data) else {
            return;
        };
        if let Some(challenge) = told.challenge_id {
            if event.kind == "challenge.created" {
                self.agenda.add(Task::Challenge(challenge));
            }
        } else if let Some(game) = told.game_id {
            let mover = told.r#move.and_then(|played| played.side);
            if mover.is_none() || mover != self.agenda.side_in(game) {
                self.agenda.add(Task::Game(game));
            }
        }
    }
}

/// The next event of a stream; `None` at its end, however it came.
fn next(lines: &mut impl BufRead) -> Option<Event> {
    let mut event = Event::default();
    loop {
        let mut line = String::new();
        let read = lines.by_ref().take(LONGEST_LINE).read_line(&mut line);
        if !matches!(read, Ok(1..)) || !line.ends_with('\n') {
            return None;
        }
        let line = line.trim_end_matches(['\r', '\n']);
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" if line.is_empty() && !event.kind.is_empty() => return Some(event),
            "" if line.is_empty() => event = Event::default(),
            "id" => event.id = Some(value.to_owned()),
            "event" => value.clone_into(&mut event.kind),
            "data" => event.data.push_str(value),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_event_by_event() {
        let text = "retry: 3000\n\n:\n\nid: 7\nevent: game.move\ndata: {\"a\":1}\n\n\
            event: closing\r\ndata: {}\r\n\r\nid: 8\nevent: game.move\n";
        let mut lines = text.as_bytes();
        let event = next(&mut lines).unwrap();
        assert_eq!(
            (event.id.as_deref(), &*event.kind, &*event.data),
            (Some("7"), "game.move", "{\"a\":1}")
        );
        assert_eq!(next(&mut lines).unwrap().kind, "closing");
        // Half an event is none.
        assert_eq!(next(&mut lines), None);
    }
}
