use std::sync::Arc;

use domain::ByColor;
use storage::games::{Recorded, RecordedGame};

use super::names::Names;
use crate::clock::Clock;
use crate::recorded::{self, Code, Document, Recording, Rejection};
use crate::time;

/// A game that is ready to be stored, or why it is not.
pub(crate) type Prepared = Result<Ready, Rejection>;

/// A game that is ready to be stored, and where it was found.
pub(crate) struct Ready {
    pub(super) file: Arc<str>,
    pub(super) game: u32,
    pub(super) stored: RecordedGame,
}

/// What it takes to make games ready.
pub(crate) struct Preparation<'a> {
    pub(crate) names: &'a Names,
    pub(crate) clock: &'a dyn Clock,
}

impl Preparation<'_> {
    /// The games of a document: at least one result.
    pub(super) fn games(&self, document: &Document) -> Vec<Prepared> {
        let games = recorded::parse(document).into_iter();
        let ready = |read: Result<Recording, Rejection>| {
            let recording = read?;
            recording.check_played_by(time::to_domain(self.clock.now()))?;
            self.ready(recording)
        };
        games.map(ready).collect()
    }

    /// A recording, replayed; where no instant of it is known it counts as ended now.
    pub(crate) fn ready(&self, recording: Recording) -> Prepared {
        let now = time::to_domain(self.clock.now());
        let source = &recording.source;
        let digest = recording.digest(|name| self.names.stored(source, name));
        let other_digest = recording.digest(|name| self.names.other(source, name));
        let game = recorded::replay_or_at(&recording, now)?;
        let names = recording.players.as_ref();
        let names = names.map(|name| self.names.stored(source, name));
        let kept = Recorded {
            source,
            names: ByColor {
                red: &names.red,
                blue: &names.blue,
            },
            digest,
            other_digest,
            raw_ending: recording.raw_ending(),
            times: recording.move_times.as_deref(),
        };
        match RecordedGame::new(&recording.record, &game, &kept, now) {
            Ok(stored) => Ok(Ready {
                file: recording.file,
                game: recording.game,
                stored,
            }),
            Err(fault) => Err(Rejection {
                file: recording.file,
                game: recording.game,
                ply: None,
                code: Code::TooLarge,
                detail: format!("the game is longer than games are kept here: {fault}"),
            }),
        }
    }
}
