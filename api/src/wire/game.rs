//! A game as a viewer may see it.
//!
//! A piece is made from what a view tells, and from nothing else: its fields are closed to the rest of
//! the program.
//!
//! ```compile_fail,E0451
//! use api::wire::game::CapturedResponse;
//! use api::wire::names::Piece;
//!
//! fn tell(seen: CapturedResponse) -> CapturedResponse {
//!     CapturedResponse { piece: Piece(Some(domain::Rank::Marshal)), ..seen }
//! }
//! ```

use domain::{CapturedView, Game, PieceView, View};
use serde::Serialize;
use storage::games::{GameSummary, PLAYED_HERE, StoredGame};
use utoipa::ToSchema;
use uuid::Uuid;

use super::moves::MoveResponse;
use super::names::{
    Color, EndReason, Piece, PieceName, RankChar, RankList, Ruleset, SquareName, Status, Viewpoint,
};
use super::pause::PauseResponse;
use super::player::PlayerResponse;
use super::proofs::HexValue;
use super::rating::{AnnulmentResponse, SeatRatingResponse};
use super::terms::{OptionsResponse, TimeControl};
use crate::duration::IsoDuration;
use crate::time::Timestamp;

/// A game as the caller may see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameResponse {
    /// Its identifier.
    pub id: Uuid,
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// The options it is played with.
    pub options: OptionsResponse,
    /// The time.
    pub time_control: TimeControl,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Why and since when it counts no more, if it was annulled.
    pub annulled: Option<AnnulmentResponse>,
    /// How far it is.
    pub status: Status,
    /// Red's side of the table.
    pub red: SeatResponse,
    /// Blue's side of the table.
    pub blue: SeatResponse,
    /// The side to move.
    pub turn: Option<Color>,
    /// The number of moves made.
    pub ply: u32,
    /// When the running turn, or the time to place the armies, is over; `null` while the clock stands
    /// still, and without a limit.
    pub deadline: Option<Timestamp>,
    /// Why the clock stands still.
    pub paused: Option<PauseResponse>,
    /// Whose eyes this is seen with.
    pub viewpoint: Viewpoint,
    /// The pieces on the board.
    pub pieces: Vec<PieceResponse>,
    /// Every piece ever removed, rescued ones too, in the order of their fall.
    pub captured: Vec<CapturedResponse>,
    /// The last move.
    pub last_move: Option<MoveResponse>,
    /// Open offers; the players' alone to see.
    pub offers: Vec<OfferResponse>,
    /// The result.
    pub outcome: Option<OutcomeResponse>,
    /// The kind of the archive that it comes from; absent for a game that was played here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether only its players may know of it.
    pub private: bool,
    /// Whether a player's vacation stops his clock.
    pub vacation: bool,
    /// Whether Saturday and Sunday (UTC) pause it.
    pub weekends: bool,
    /// When it was agreed on.
    pub created_at: Timestamp,
    /// When both armies stood.
    pub started_at: Option<Timestamp>,
    /// When the result was decided.
    pub finished_at: Option<Timestamp>,
    /// The last change that is public.
    pub updated_at: Timestamp,
}

/// One side of the table.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatResponse {
    /// Who plays it.
    pub player: PlayerResponse,
    /// The rating by the rules of the game that its player had when the game was made: what it becomes
    /// meanwhile does not show here. `null` of a game from before there were ratings.
    pub rating: Option<SeatRatingResponse>,
    /// The points that the end of the game gained; `null` until then, and when it does not count.
    pub rating_change: Option<f64>,
    /// Whether the army stands.
    pub setup_placed: bool,
    /// What binds the side to its army: the root of a salted tree, which `proofs` opens when the
    /// game is over. Its owner sees it once he has placed his army, everyone else once both armies
    /// stand, for that an army was replaced before is not public. `null` until then, and for an
    /// army that was placed before commitments were made.
    pub setup_commitment: Option<HexValue>,
    /// What the side had left when its time last began to run, or stopped; `deadline` says when it runs
    /// out. `null` without a limit.
    pub time_left: Option<IsoDuration>,
}

/// A piece on the board.
#[derive(Debug, Serialize, ToSchema)]
pub struct PieceResponse {
    /// Its identity.
    id: PieceName,
    /// Whose it is.
    owner: Color,
    /// Where it stands.
    square: SquareName,
    /// Its rank, or `?`.
    piece: Piece,
    /// Whether it has left the square it appeared on.
    moved: bool,
    /// When the other side knew it, counted in moves made.
    revealed_ply: Option<u32>,
    /// Of a piece that is not known: the ranks that it can still be.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<Vec<RankChar>>)]
    possible: Option<RankList>,
    /// Of a piece that is not known: whether each of these ranks fits all that was seen. Once its
    /// side rescued a piece under silent defence, there may be more than do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    possible_exact: Option<bool>,
}

/// A piece that was removed.
#[derive(Debug, Serialize, ToSchema)]
pub struct CapturedResponse {
    /// Its identity.
    id: PieceName,
    /// Whose it was.
    owner: Color,
    /// Its rank, or `?`.
    piece: Piece,
    /// The number of moves after which it was gone.
    ply: u32,
    /// Of a piece that is not known: the ranks that it can have been.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<Vec<RankChar>>)]
    possible: Option<RankList>,
    /// Of a piece that is not known: whether each of these ranks fits all that was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    possible_exact: Option<bool>,
}

/// An offer at the table.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferResponse {
    /// Its identifier.
    pub id: Uuid,
    /// What is offered.
    pub kind: OfferKind,
    /// Who offers it.
    pub by: Color,
    /// Whether it waits for an answer, or what became of it.
    pub status: OfferStatus,
}

/// How an offer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfferStatus {
    /// Its receiver can answer it.
    Open,
    /// It was accepted, or crossed with one of the same kind.
    Accepted,
    /// Its receiver said no.
    Declined,
    /// Its receiver moved.
    Lapsed,
    /// The game ended in another way.
    GameOver,
}

impl From<Option<domain::OfferClosing>> for OfferStatus {
    fn from(closing: Option<domain::OfferClosing>) -> Self {
        match closing {
            None => Self::Open,
            Some(domain::OfferClosing::Accepted) => Self::Accepted,
            Some(domain::OfferClosing::Declined) => Self::Declined,
            Some(domain::OfferClosing::Lapsed) => Self::Lapsed,
            Some(domain::OfferClosing::GameOver) => Self::GameOver,
        }
    }
}

/// What can be offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// To stop the clocks until one of the players wants to go on.
    Pause,
}

impl From<domain::OfferKind> for OfferKind {
    fn from(kind: domain::OfferKind) -> Self {
        match kind {
            domain::OfferKind::Draw => Self::Draw,
            domain::OfferKind::Pause => Self::Pause,
        }
    }
}

impl From<OfferKind> for domain::OfferKind {
    fn from(kind: OfferKind) -> Self {
        match kind {
            OfferKind::Draw => Self::Draw,
            OfferKind::Pause => Self::Pause,
        }
    }
}

/// The result of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutcomeResponse {
    /// `null` for a draw, and for a game that was aborted.
    pub winner: Option<Color>,
    /// Why it ended.
    pub reason: EndReason,
    /// The code of the ending in the archive that the game comes from, if it comes from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_ending: Option<u16>,
}

/// A game in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameSummaryResponse {
    /// Its identifier.
    pub id: Uuid,
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// The options it is played with.
    pub options: OptionsResponse,
    /// The time.
    pub time_control: TimeControl,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Why and since when it counts no more, if it was annulled.
    pub annulled: Option<AnnulmentResponse>,
    /// How far it is.
    pub status: Status,
    /// Red's side of the table.
    pub red: SummarySeatResponse,
    /// Blue's side of the table.
    pub blue: SummarySeatResponse,
    /// The side to move.
    pub turn: Option<Color>,
    /// The number of moves made.
    pub ply: u32,
    /// When the running turn, or the time to place the armies, is over; `null` while the clock stands
    /// still, and without a limit.
    pub deadline: Option<Timestamp>,
    /// Why the clock stands still.
    pub paused: Option<PauseResponse>,
    /// The result.
    pub outcome: Option<OutcomeResponse>,
    /// The kind of the archive that it comes from; absent for a game that was played here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether only its players may know of it.
    pub private: bool,
    /// When it was agreed on.
    pub created_at: Timestamp,
    /// When both armies stood.
    pub started_at: Option<Timestamp>,
    /// When the result was decided.
    pub finished_at: Option<Timestamp>,
    /// The last change that is public.
    pub updated_at: Timestamp,
}

/// One side of the table, in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummarySeatResponse {
    /// Who plays it.
    pub player: PlayerResponse,
    /// The rating that its player had when the game was made.
    pub rating: Option<SeatRatingResponse>,
    /// The points that the end of the game gained, if it counts.
    pub rating_change: Option<f64>,
    /// Whether the army stands.
    pub setup_placed: bool,
}

impl GameResponse {
    /// The game as the player of a colour, or anyone else, may see it at an instant.
    pub fn of(stored: &StoredGame, player: Option<domain::Color>, now: domain::Timestamp) -> Self {
        let game = &stored.game;
        let view = game.view_for(player);
        let terms = game.terms();
        let paused = stored.summary.pause_at(now);
        Self {
            id: stored.summary.id.as_uuid(),
            ruleset: terms.ruleset.into(),
            options: terms.options.into(),
            time_control: terms.time_control.into(),
            rated: stored.summary.rated,
            annulled: stored.summary.annulment.as_ref().map(Into::into),
            status: game.status().into(),
            red: SeatResponse::of(stored, domain::Color::Red, player),
            blue: SeatResponse::of(stored, domain::Color::Blue, player),
            turn: game.turn().map(Into::into),
            ply: game.ply(),
            deadline: running(game.deadline(), paused),
            paused: paused.map(Into::into),
            viewpoint: view.viewpoint().into(),
            pieces: view.pieces().into_iter().map(Into::into).collect(),
            captured: view.captured().into_iter().map(Into::into).collect(),
            last_move: view.last_move().map(Into::into),
            offers: offers(&view, player),
            outcome: OutcomeResponse::of(&stored.summary),
            source: source(&stored.summary),
            private: stored.summary.private,
            vacation: terms.vacation,
            weekends: terms.weekends,
            created_at: game.created_at().into(),
            started_at: game.started_at().map(Into::into),
            finished_at: game.finished_at().map(Into::into),
            updated_at: game.updated_at().into(),
        }
    }
}

/// What is offered at the table is no business of those who watch.
fn offers(view: &View<'_>, player: Option<domain::Color>) -> Vec<OfferResponse> {
    let open = view.game().offers().filter(|_| player.is_some());
    open.map(Into::into).collect()
}

/// The deadline, unless the clock stands still.
fn running(
    deadline: Option<domain::Timestamp>,
    paused: Option<domain::Pause>,
) -> Option<Timestamp> {
    deadline.filter(|_| paused.is_none()).map(Into::into)
}

impl SeatResponse {
    fn of(stored: &StoredGame, side: domain::Color, player: Option<domain::Color>) -> Self {
        let game: &Game = &stored.game;
        let is_bound = game.has_started() || player == Some(side);
        let commitment = stored.commitments[side].filter(|_| is_bound);
        Self {
            player: PlayerResponse::from(&stored.summary.players[side]),
            rating: stored.summary.ratings[side].map(Into::into),
            rating_change: stored.summary.rating_changes[side],
            setup_placed: game.has_placed(side),
            setup_commitment: commitment.map(Into::into),
            time_left: game.time_left(side).map(IsoDuration),
        }
    }
}

impl From<domain::Offer> for OfferResponse {
    fn from(offer: domain::Offer) -> Self {
        Self {
            id: Uuid::from_u128(offer.id.0),
            kind: offer.kind.into(),
            by: offer.by.into(),
            status: OfferStatus::Open,
        }
    }
}

impl From<PieceView> for PieceResponse {
    fn from(piece: PieceView) -> Self {
        Self {
            id: PieceName(piece.id),
            owner: piece.id.owner().into(),
            square: SquareName(piece.square),
            piece: Piece(piece.rank),
            moved: piece.moved,
            revealed_ply: piece.revealed_ply,
            possible: piece.possible.map(|possible| RankList(possible.ranks)),
            possible_exact: piece.possible.map(|possible| possible.exact),
        }
    }
}

impl From<CapturedView> for CapturedResponse {
    fn from(captured: CapturedView) -> Self {
        Self {
            id: PieceName(captured.id),
            owner: captured.id.owner().into(),
            piece: Piece(captured.rank),
            ply: captured.ply,
            possible: captured.possible.map(|possible| RankList(possible.ranks)),
            possible_exact: captured.possible.map(|possible| possible.exact),
        }
    }
}

impl OutcomeResponse {
    /// The result of a game, if it has one.
    pub fn of(summary: &GameSummary) -> Option<Self> {
        let outcome = summary.outcome?;
        Some(Self {
            winner: outcome.winner.map(Into::into),
            reason: outcome.reason.into(),
            raw_ending: summary.raw_ending,
        })
    }
}

/// Where a game comes from that was not played here.
fn source(summary: &GameSummary) -> Option<String> {
    let source = &summary.source;
    (source != PLAYED_HERE).then(|| source.clone())
}

impl SummarySeatResponse {
    fn of(summary: &GameSummary, side: domain::Color) -> Self {
        let player = PlayerResponse::from(&summary.players[side]);
        Self {
            player,
            rating: summary.ratings[side].map(Into::into),
            rating_change: summary.rating_changes[side],
            setup_placed: summary.setup_placed[side],
        }
    }
}

impl GameSummaryResponse {
    /// The game as it stands at an instant.
    pub fn of(summary: &GameSummary, now: domain::Timestamp) -> Self {
        let paused = summary.pause_at(now);
        Self {
            id: summary.id.as_uuid(),
            ruleset: summary.terms.ruleset.into(),
            options: summary.terms.options.into(),
            time_control: summary.terms.time_control.into(),
            rated: summary.rated,
            annulled: summary.annulment.as_ref().map(Into::into),
            status: summary.status.into(),
            red: SummarySeatResponse::of(summary, domain::Color::Red),
            blue: SummarySeatResponse::of(summary, domain::Color::Blue),
            turn: summary.turn.map(Into::into),
            ply: summary.ply,
            deadline: running(summary.deadline, paused),
            paused: paused.map(Into::into),
            outcome: OutcomeResponse::of(summary),
            source: source(summary),
            private: summary.private,
            created_at: summary.created_at.into(),
            started_at: summary.started_at.map(Into::into),
            finished_at: summary.finished_at.map(Into::into),
            updated_at: summary.updated_at.into(),
        }
    }
}
