use uuid::Uuid;

use crate::games::GameSummary;
use crate::ids::{GameId, PlayerId};

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

    /// A word of 33 characters.
    pub(crate) fn to_word(self) -> String {
        match self {
            Self::Game(id) => format!("g{}", id.as_uuid().simple()),
            Self::Player(id) => format!("p{}", id.as_uuid().simple()),
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        let (kind, id) = word.split_at_checked(1)?;
        let id = Uuid::try_parse(id).ok()?;
        match kind {
            "g" => Some(Self::Game(GameId::from_uuid(id))),
            "p" => Some(Self::Player(PlayerId::from_uuid(id))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;

    use super::*;

    #[test]
    fn a_topic_reads_back() {
        let at = Timestamp::from_micros(1_774_605_600_000_000);
        for topic in [
            Topic::Game(GameId::generate(at)),
            Topic::Player(PlayerId::generate(at)),
        ] {
            assert_eq!(Topic::from_word(&topic.to_word()), Some(topic));
        }
        for word in ["", "g", "x00000000000000000000000000000000", "é"] {
            assert_eq!(Topic::from_word(word), None);
        }
    }
}
