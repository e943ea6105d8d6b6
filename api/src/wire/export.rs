//! All that the server keeps of a player, as he gets it.

use serde::Serialize;
use storage::blocks::Blocked;
use storage::notes::Note;
use storage::{FamilyId, GameId};
use utoipa::ToSchema;
use uuid::Uuid;

use super::account::MeResponse;
use super::challenge::ChallengeResponse;
use super::credentials::{SessionResponse, TokenResponse};
use super::game::GameResponse;
use super::import::ImportResponse;
use super::lines::LinesResponse;
use super::moves::MoveResponse;
use super::pause::VacationResponse;
use super::player::PlayerResponse;
use super::push::PushSubscriptionResponse;
use super::rating::RatingResponse;
use super::setups::SavedSetupResponse;
use super::webhook::WebhookResponse;
use crate::problem::ApiError;
use crate::time::Timestamp;
use crate::usecase::export::{Kept, OwnGame};

/// A player whom the caller blocks.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlockedResponse {
    /// Who.
    pub player: PlayerResponse,
    /// Since when.
    pub since: Timestamp,
}

/// All that is kept of a player beside his games and notes.
#[derive(Serialize, ToSchema)]
pub struct ExportHead {
    /// When this was read.
    pub exported_at: Timestamp,
    /// The account and the preferences.
    pub account: MeResponse,
    /// The ratings.
    pub ratings: Vec<RatingResponse>,
    /// The vacation that is planned or runs, and what is left to take.
    pub vacation: VacationResponse,
    /// The logins that last.
    pub sessions: Vec<SessionResponse>,
    /// The personal tokens, without what opens them.
    pub tokens: Vec<TokenResponse>,
    /// Whom the player blocks.
    pub blocks: Vec<BlockedResponse>,
    /// The webhooks, without their secrets.
    pub webhooks: Vec<WebhookResponse>,
    /// The browsers that are told, without their keys.
    pub push_subscriptions: Vec<PushSubscriptionResponse>,
    /// The saved setups.
    pub setups: Vec<SavedSetupResponse>,
    /// The challenges that stand, by the player and to him.
    pub challenges: Vec<ChallengeResponse>,
    /// The imports of recorded games that the player asked for, of the last 30 days.
    pub imports: Vec<ImportResponse>,
}

/// A game of a player.
#[derive(Serialize, ToSchema)]
pub struct ExportedGame {
    /// The game as the player sees it.
    pub game: GameResponse,
    /// All its moves, as the player sees them.
    pub moves: Vec<MoveResponse>,
    /// What the player has prepared in it, as far as it waits; `null` where he prepared nothing.
    pub conditional_moves: Option<LinesResponse>,
}

/// What a player noted on a game, which may be of others.
#[derive(Serialize, ToSchema)]
pub struct ExportedNote {
    /// The game.
    pub game_id: Uuid,
    /// The text.
    pub text: String,
    /// When it was last written.
    pub updated_at: Timestamp,
}

/// All that is kept of a player.
#[derive(Serialize, ToSchema)]
pub struct ExportResponse {
    #[serde(flatten)]
    head: ExportHead,
    /// The games that he plays or has played, the oldest first.
    games: Vec<ExportedGame>,
    /// The notes on games.
    notes: Vec<ExportedNote>,
}

impl From<(GameId, Note)> for ExportedNote {
    fn from((game, note): (GameId, Note)) -> Self {
        Self {
            game_id: game.as_uuid(),
            text: note.text,
            updated_at: note.updated_at.into(),
        }
    }
}

impl From<Blocked> for BlockedResponse {
    fn from(blocked: Blocked) -> Self {
        Self {
            player: (&blocked.player).into(),
            since: blocked.since.into(),
        }
    }
}

impl ExportHead {
    /// What is kept, as the player sees it who asks with `current`.
    ///
    /// # Errors
    /// When the preferences, or what is told of an import, are not as this program keeps them.
    pub fn of(
        kept: Kept,
        current: Option<FamilyId>,
        now: domain::Timestamp,
    ) -> Result<Self, ApiError> {
        let session = |session| SessionResponse::of(session, current);
        let challenge = |challenge: &_| ChallengeResponse::of(challenge, now);
        Ok(Self {
            exported_at: now.into(),
            account: MeResponse::new(kept.account).map_err(|fault| ApiError::internal(&fault))?,
            ratings: kept.ratings.iter().map(Into::into).collect(),
            vacation: VacationResponse::of(&kept.vacation, now),
            sessions: kept.sessions.into_iter().map(session).collect(),
            tokens: kept.tokens.into_iter().map(Into::into).collect(),
            blocks: kept.blocks.into_iter().map(Into::into).collect(),
            webhooks: kept.webhooks.into_iter().map(Into::into).collect(),
            push_subscriptions: kept.browsers.into_iter().map(Into::into).collect(),
            setups: kept.setups.into_iter().map(Into::into).collect(),
            challenges: kept.challenges.iter().map(challenge).collect(),
            imports: kept
                .imports
                .into_iter()
                .map(ImportResponse::try_from)
                .collect::<Result<_, _>>()?,
        })
    }
}

impl ExportedGame {
    /// A game as the player of a colour sees it at an instant.
    pub fn of(own: &OwnGame, player: Option<domain::Color>, now: domain::Timestamp) -> Self {
        let (stored, lines) = own;
        let moves = stored.game.view_for(player).moves_from(0);
        let lines = lines.as_ref();
        Self {
            game: GameResponse::of(stored, player, now),
            moves: moves.map(Into::into).collect(),
            conditional_moves: lines.map(|lines| LinesResponse::of(Some(lines), &stored.game)),
        }
    }
}
