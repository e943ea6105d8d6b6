use storage::games::GameSummary;
use storage::{GameId, PlayerId};

/// What events are told of, and looked up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// A game.
    Game(GameId),
    /// The games and challenges of a player.
    Player(PlayerId),
}

impl Topic {
    /// Those that a change of a game touches.
    pub fn of_game(summary: &GameSummary) -> [Self; 3] {
        let players = summary.players.as_ref();
        [
            Self::Game(summary.id),
            Self::Player(players.red.id),
            Self::Player(players.blue.id),
        ]
    }
}
