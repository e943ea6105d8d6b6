//! Games: their standing, their log, and the one way to change them.

mod append;
mod clock;
mod commitments;
mod create;
mod due;
mod events;
mod lines;
mod list;
mod load;
mod of_player;
mod offers;
mod recorded;
mod row;
mod running;
mod statements;
mod step;
mod sweep;

use domain::{ByColor, Color, Commitment, Game, Outcome, Pause, Rating, Status, Terms, Timestamp};

use crate::ids::GameId;
use crate::players::Player;

pub use append::{append, append_events};
pub use commitments::salts;
pub use create::{NewGame, create};
pub use due::{Due, due};
pub use events::{Announced, GameEvent, GameEventKind, events, number_of_public};
pub use lines::lines_of_player;
pub use lines::{StoredLines, lines, store_lines};
pub(crate) use list::select;
pub use list::{GameCursor, GameFilter, GameOrder, count_over, list, over};
pub use load::{Stamp, load, load_locked, load_many, paused_by_vacations, stamp, summary};
pub use of_player::{have_met, ids_of_player};
pub use offers::offer;
pub use recorded::{Import, Recorded, RecordedGame, import};
pub use running::{Running, count_running};
pub use step::Step;
pub(crate) use step::make;
pub use sweep::sweep_events;

/// The source of games that were played here.
pub const PLAYED_HERE: &str = "play";

/// What a game shows of a rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeatRating {
    /// In points.
    pub rating: f64,
    /// How far off that may be, in points.
    pub deviation: f64,
}

impl SeatRating {
    /// Whether too little was known of the player.
    pub fn is_provisional(self) -> bool {
        self.deviation >= Rating::PROVISIONAL_DEVIATION
    }
}

/// That a game counts no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annulment {
    /// Since when.
    pub at: Timestamp,
    /// Why, for everyone who sees the game.
    pub reason: String,
}

/// A game as lists show it: who plays what, and how it stands. Holds nothing secret, but for that a
/// private game is there at all.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSummary {
    /// Which.
    pub id: GameId,
    /// Who plays.
    pub players: ByColor<Player>,
    /// What is played.
    pub terms: Terms,
    /// Whether it counts.
    pub rated: bool,
    /// The ratings of its players by its rules when it was made, which stay as they were; `None` of a
    /// game from before there were ratings.
    pub ratings: ByColor<Option<SeatRating>>,
    /// The points that its end gained them; `None` until then, and when it does not count.
    pub rating_changes: ByColor<Option<f64>>,
    /// That it counts no more, if so.
    pub annulment: Option<Annulment>,
    /// Whether it is hidden from others.
    pub private: bool,
    /// Where it comes from: [`PLAYED_HERE`], or the kind of the archive.
    pub source: String,
    /// The code of its ending in the archive that it comes from.
    pub raw_ending: Option<u16>,
    /// Which armies stand.
    pub setup_placed: ByColor<bool>,
    /// Where it is in its life.
    pub status: Status,
    /// How many moves have been made.
    pub ply: u32,
    /// Who moves; `None` unless it is active.
    pub turn: Option<Color>,
    /// When time runs out.
    pub deadline: Option<Timestamp>,
    /// Why the clock stands still, but for a weekend.
    pub pause: Option<Pause>,
    /// The result.
    pub outcome: Option<Outcome>,
    /// How many entries its log has: changes with everything that happens, secret things too, so it
    /// is not to be shown.
    pub version: u64,
    /// How many events were announced of it.
    pub announced: Announced,
    /// When it was made.
    pub created_at: Timestamp,
    /// When both armies stood.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// When something that both players see last happened.
    pub updated_at: Timestamp,
}

/// A game, whole: what lists show of it, the fold of its log, and what binds its armies.
#[derive(Clone)]
pub struct StoredGame {
    /// What lists show.
    pub summary: GameSummary,
    /// The game.
    pub game: Game,
    /// What each side is committed to by the army it placed; `None` where it placed none, or
    /// without salts. Until both armies stand it is the owner's alone: that it changed tells that
    /// he thought again.
    pub commitments: ByColor<Option<Commitment>>,
    /// What the players have prepared, each for himself; `None` where it was not asked for, which only
    /// those do who make moves.
    pub lines: Option<StoredLines>,
}

impl StoredGame {
    /// The side that a player has in the game.
    pub fn side_of(&self, player: crate::PlayerId) -> Option<Color> {
        self.summary.side_of(player)
    }

    /// The game as it is after its log grew.
    fn then(
        &self,
        game: Game,
        version: u64,
        announced: Announced,
        commitments: ByColor<Option<Commitment>>,
    ) -> Self {
        let mut summary = self.summary.clone();
        summary.follow(&game, version, announced);
        Self {
            summary,
            game,
            commitments,
            lines: self.lines.clone(),
        }
    }
}

impl GameSummary {
    /// The side that a player has in the game.
    pub fn side_of(&self, player: crate::PlayerId) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|color| self.players[*color].id == player)
    }

    /// Why the clock stands still at an instant.
    pub fn pause_at(&self, now: Timestamp) -> Option<Pause> {
        if self.status.is_over() {
            return None;
        }
        self.terms.pause_at(self.pause, now)
    }

    /// Takes over how the game stands after its log grew.
    fn follow(&mut self, game: &Game, version: u64, announced: Announced) {
        self.setup_placed = ByColor::from_fn(|color| game.has_placed(color));
        self.status = game.status();
        self.ply = game.ply();
        self.turn = game.turn();
        self.deadline = game.deadline();
        self.pause = game.pause();
        self.outcome = game.outcome();
        self.started_at = game.started_at();
        self.finished_at = game.finished_at();
        self.updated_at = game.updated_at();
        self.version = version;
        self.announced = announced;
    }
}
