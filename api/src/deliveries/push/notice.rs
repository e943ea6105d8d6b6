//! What is worth telling a player who is elsewhere.

use serde_json::Value;
use storage::{Connection, GameId, PlayerId, StorageError, games};

use super::Content;
use crate::events::{Frame, Kind, Written};
use crate::problem::ApiError;

/// A short message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What the browser reads.
    pub content: Content,
    /// How much it matters.
    pub urgency: Urgency,
    /// Of several messages with the same that wait for a browser it gets the last.
    pub topic: Option<String>,
}

/// How much a message matters to a device that saves power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// Days are left.
    Normal,
    /// Time runs out.
    High,
}

impl Urgency {
    /// The name of the header's value.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::High => "high",
        }
    }
}

/// What a player is told of an event of his stream; `None` when it is nothing that he has to know: what
/// he did himself, and a turn that has passed on.
///
/// # Errors
/// When the database fails.
pub fn notice(
    connection: &mut Connection,
    player: PlayerId,
    frame: &Frame,
    written: &Written,
) -> Result<Option<Notice>, ApiError> {
    let data: Value =
        serde_json::from_str(written.data()).map_err(|fault| ApiError::internal(&fault))?;
    match frame.kind {
        Kind::ChallengeCreated | Kind::ChallengeClosed => {
            Ok(of_challenge(frame.kind, player, &data))
        }
        Kind::GameSetupPlaced => Ok(None),
        kind => of_game(connection, kind, player, &data),
    }
}

fn of_challenge(kind: Kind, player: PlayerId, data: &Value) -> Option<Notice> {
    let challenge = &data["challenge"];
    let is_own = challenge["challenger"]["id"] == player.to_string();
    let title = match (kind, is_own, challenge["status"].as_str()) {
        (Kind::ChallengeCreated, false, _) => "challenge_created",
        (Kind::ChallengeClosed, true, Some("accepted")) => "challenge_accepted",
        (Kind::ChallengeClosed, true, Some("declined")) => "challenge_declined",
        _ => return None,
    };
    let id = data["challenge_id"].as_str()?;
    let content = Content {
        kind: kind.name(),
        title: title.to_owned(),
        game_id: challenge["game_id"].as_str().map(str::to_owned),
        challenge_id: Some(id.to_owned()),
        ply: None,
    };
    Some(Notice {
        content,
        urgency: Urgency::Normal,
        topic: topic(id),
    })
}

fn of_game(
    connection: &mut Connection,
    kind: Kind,
    player: PlayerId,
    data: &Value,
) -> Result<Option<Notice>, ApiError> {
    let id: Option<GameId> = data["game_id"].as_str().and_then(|id| id.parse().ok());
    let Some(id) = id else { return Ok(None) };
    let game = match games::summary(connection, id) {
        Err(StorageError::NotFound) => return Ok(None),
        game => game?,
    };
    let Some(side) = game.side_of(player) else {
        return Ok(None);
    };
    let is_own = |by: &Value| *by == side.name();
    let wanted = match kind {
        Kind::GameMove => {
            let after = data["move"]["ply"].as_u64().map(|ply| ply + 1);
            game.turn == Some(side) && after == Some(game.ply.into())
        }
        Kind::GameOffer => data["offer"]["status"] == "open" && !is_own(&data["offer"]["by"]),
        // Whose clock it is, and who stopped it or let it go on.
        _ => (data["side"].is_null() || is_own(&data["side"])) && !is_own(&data["by"]),
    };
    if !wanted {
        return Ok(None);
    }
    let title = match kind {
        Kind::GameMove => "your_turn".to_owned(),
        _ => kind.name().replace('.', "_"),
    };
    let urgency = match kind {
        Kind::DeadlineNear => Urgency::High,
        _ => Urgency::Normal,
    };
    let content = Content {
        kind: kind.name(),
        title,
        game_id: Some(id.to_string()),
        challenge_id: None,
        ply: Some(game.ply),
    };
    Ok(Some(Notice {
        content,
        urgency,
        topic: topic(&id.to_string()),
    }))
}

/// An identifier without its dashes: at most 32 characters may stand there.
fn topic(id: &str) -> Option<String> {
    let topic = id.replace('-', "");
    (topic.len() <= 32).then_some(topic)
}
