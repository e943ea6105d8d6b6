use domain::Color;
use storage::games;
use storage::{Connection, GameId, PlayerId, Topic, feeds};

use crate::problem::ApiError;

/// What a stream gives out: a game as a kind of viewer sees it, or what concerns a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// A game, as the player of a colour or as anyone else.
    Game {
        /// Which.
        id: GameId,
        /// The side that the reader plays.
        side: Option<Color>,
    },
    /// A player's own games and challenges.
    Player(PlayerId),
}

/// A place in a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// How many events of the topic lie before it, those included that the reader may not see.
    pub position: u64,
    /// The number of the last event before it, as the reader sees them.
    pub number: u64,
}

impl Channel {
    /// What its events are looked up by.
    pub const fn topic(self) -> Topic {
        match self {
            Self::Game { id, .. } => Topic::Game(id),
            Self::Player(player) => Topic::Player(player),
        }
    }

    /// The place after all that there is by now. What waits in a player's outbox is not counted: it
    /// is told next.
    ///
    /// # Errors
    /// When the database fails.
    pub fn end(self, connection: &mut Connection) -> Result<Place, ApiError> {
        Ok(match self {
            Self::Game { id, side } => {
                let announced = games::summary(connection, id)?.announced;
                Place {
                    position: announced.to_players,
                    number: if side.is_some() {
                        announced.to_players
                    } else {
                        announced.to_all
                    },
                }
            }
            Self::Player(player) => {
                let number = feeds::announced(connection, player)?;
                Place {
                    position: number,
                    number,
                }
            }
        })
    }

    /// The place after the event of a number, or `None` when there is no such event, or no longer.
    ///
    /// # Errors
    /// When the database fails.
    pub fn after(
        self,
        connection: &mut Connection,
        number: u64,
    ) -> Result<Option<Place>, ApiError> {
        let end = self.end(connection)?;
        if number >= end.number {
            return Ok((number == end.number).then_some(end));
        }
        let position = match self {
            Self::Game { id, side: None } if number > 0 => {
                games::number_of_public(connection, id, number)?
            }
            _ => Some(number),
        };
        let Some(position) = position else {
            return Ok(None);
        };
        // The event after it must be there: they are taken away oldest first.
        let kept = match self {
            Self::Game { id, .. } => {
                let next = games::events(connection, id, position, 1)?;
                next.first().map(|event| event.number)
            }
            Self::Player(player) => {
                let next = feeds::events(connection, player, position, 1)?;
                next.first().map(|event| event.number)
            }
        };
        Ok((kept == Some(position + 1)).then_some(Place { position, number }))
    }
}
