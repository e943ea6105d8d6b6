//! Cursors and identifiers: texts that mean something to this server alone.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use storage::games::{GameCursor, GameOrder};
use storage::players::PlayerCursor;
use storage::{GameId, PlayerId};

/// A place in a list.
pub(super) trait Cursor: Sized {
    /// What it says, before it is made opaque.
    fn write(&self) -> String;

    /// What was written, read back.
    fn read(text: &str) -> Option<Self>;

    /// The cursor as a client gets it.
    fn encode(&self) -> String {
        seal(&self.write())
    }

    /// A cursor that a client sends; `None` for what this server did not give for such a list.
    fn decode(sealed: &str) -> Option<Self> {
        Self::read(&open(sealed)?)
    }
}

fn seal(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

fn open(sealed: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(sealed).ok()?).ok()
}

/// A number of moves: the place of a move in its game, and of a frame in a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlyCursor(pub(super) u32);

impl Cursor for PlyCursor {
    fn write(&self) -> String {
        format!("ply:{}", self.0)
    }

    fn read(text: &str) -> Option<Self> {
        text.strip_prefix("ply:")?.parse().ok().map(Self)
    }
}

/// The place of a game in a list of one order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OrderedGameCursor {
    pub(super) order: GameOrder,
    pub(super) place: GameCursor,
}

const fn order_name(order: GameOrder) -> &'static str {
    match order {
        GameOrder::UpdatedDescending => "updated",
        GameOrder::DeadlineAscending => "deadline",
        GameOrder::FinishedDescending => "finished",
        GameOrder::FinishedAscending => "finished-first",
        GameOrder::PliesDescending => "plies",
    }
}

const ORDERS: [GameOrder; 5] = [
    GameOrder::UpdatedDescending,
    GameOrder::DeadlineAscending,
    GameOrder::FinishedDescending,
    GameOrder::FinishedAscending,
    GameOrder::PliesDescending,
];

impl Cursor for OrderedGameCursor {
    fn write(&self) -> String {
        let GameCursor { key, id } = self.place;
        format!("games:{}:{key}:{id}", order_name(self.order))
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("games:")?.splitn(3, ':');
        let (name, key, id) = (parts.next()?, parts.next()?, parts.next()?);
        let order = ORDERS
            .into_iter()
            .find(|order| order_name(*order) == name)?;
        let place = GameCursor {
            key: key.parse().ok()?,
            id: id.parse().ok()?,
        };
        Some(Self { order, place })
    }
}

impl Cursor for PlayerCursor {
    fn write(&self) -> String {
        format!("players:{}", self.0)
    }

    fn read(text: &str) -> Option<Self> {
        text.strip_prefix("players:")
            .map(|key| Self(key.to_owned()))
    }
}

/// What a node's identifier stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeId {
    Game(GameId),
    Player(PlayerId),
}

impl Cursor for NodeId {
    fn write(&self) -> String {
        match self {
            Self::Game(id) => format!("game:{id}"),
            Self::Player(id) => format!("player:{id}"),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let (kind, id) = text.split_once(':')?;
        match kind {
            "game" => id.parse().ok().map(Self::Game),
            "player" => id.parse().ok().map(Self::Player),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;

    use super::*;

    #[test]
    fn every_cursor_reads_back() {
        let now = Timestamp::from_micros(1_774_605_600_000_000);
        for order in ORDERS {
            for key in [i64::MIN, -1, 0, i64::MAX] {
                let place = GameCursor {
                    key,
                    id: GameId::generate(now),
                };
                let cursor = OrderedGameCursor { order, place };
                assert_eq!(OrderedGameCursor::decode(&cursor.encode()), Some(cursor));
            }
        }
        for key in ["", "marshal", "a:b", "émile"] {
            let cursor = PlayerCursor(key.to_owned());
            assert_eq!(PlayerCursor::decode(&cursor.encode()), Some(cursor));
        }
        for ply in [0, 1, u32::MAX] {
            assert_eq!(
                PlyCursor::decode(&PlyCursor(ply).encode()),
                Some(PlyCursor(ply))
            );
        }
        let (game, player) = (GameId::generate(now), PlayerId::generate(now));
        for id in [NodeId::Game(game), NodeId::Player(player)] {
            assert_eq!(NodeId::decode(&id.encode()), Some(id));
        }
    }

    #[test]
    fn what_was_not_given_is_not_taken() {
        for text in [
            "",
            "ply",
            "ply:",
            "ply:-1",
            "ply:4294967296",
            "plies:1",
            "games:plies:1",
        ] {
            assert_eq!(PlyCursor::read(text), None, "{text}");
            assert_eq!(OrderedGameCursor::read(text), None, "{text}");
            assert_eq!(PlayerCursor::read(text), None, "{text}");
            assert_eq!(NodeId::read(text), None, "{text}");
        }
        for sealed in ["", "?", "a", "cGx5OjE=", "_w", &"A".repeat(10_000)] {
            assert_eq!(PlyCursor::decode(sealed), None, "{sealed}");
        }
        assert_eq!(NodeId::read("game:1"), None);
        assert_eq!(
            NodeId::read("challenge:01920000-0000-7000-8000-000000000000"),
            None
        );
    }
}
