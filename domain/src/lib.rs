//! The rules of Stratego and what each side knows of the other.
//!
//! Pure: no input or output, no clock, no randomness, no serialisation. Time comes in as a value
//! ([`Timestamp`]); chance comes in as a function. The way through the crate:
//!
//! - vocabulary: [`Color`], [`Rank`], [`Square`], [`PieceId`], [`Move`];
//! - a [`Ruleset`] is data: an army and its default [`Options`];
//! - a [`Setup`] is one side's validated arrangement;
//! - a [`Position`] knows the rules of moving, repetition, battle and rescue, and is compact;
//! - a [`Game`] is the fold of [`Event`]s that answers a [`Command`] with further events;
//! - [`Lines`] are moves that a player has prepared for what his opponent may do;
//! - a [`Commitment`] binds a side to its [`Setup`] before the first move, a [`SetupProof`] opens it;
//! - a [`View`] is the only way from a game to a rank;
//! - a [`Rating`] says how well a player plays, and [`rate`] what a result makes of it.
#![deny(missing_docs)]

mod arrange;
mod battle;
mod bitboard;
mod calendar;
mod clock;
mod color;
mod command;
mod commitment;
mod countdown;
mod disclosure;
mod event;
mod game;
pub mod gravon;
mod hex;
mod hidden;
mod knowledge;
mod lines;
mod moves;
mod notation;
mod offer;
mod outcome;
mod pause;
mod piece;
mod position;
mod proof;
mod rank;
mod rank_set;
mod rating;
mod recorded;
mod repetition;
mod rescue;
mod ruleset;
mod seen;
mod setup;
mod square;
mod time;
mod timeline;
mod vacation;
mod view;
mod viewpoint;
mod why;

pub use arrange::Style;
pub use battle::BattleOutcome;
pub use clock::TimeControl;
pub use color::{ByColor, Color};
pub use command::{Command, MoveRequest, PlayError, RescueRequest, Standing};
pub use commitment::{Commitment, Node, Salt, Salts};
pub use disclosure::Cause;
pub use event::{CorruptLog, Event, OfferClosing};
pub use game::{Game, Status, Terms};
pub use hex::ParseHexError;
pub use hidden::HiddenArmy;
pub use lines::{DroppedReply, Line, Lines, LinesError, LinesFault, Reply, Trigger};
pub use moves::{IllegalMove, Irregular, Move, MoveBuffer, Verdict};
pub use notation::{NotationError, NotationFault, NotedMove, RecordedGame};
pub use offer::{Offer, OfferId, OfferKind};
pub use outcome::{EndReason, Outcome};
pub use pause::{Absence, Pause, PauseKind};
pub use piece::PieceId;
pub use position::{Position, Turn};
pub use proof::{Leaf, ProofErrors, ProofFault, SetupProof};
pub use rank::{ByRank, Rank};
pub use rank_set::RankSet;
pub use rating::{Rated, Rating, rate};
pub use recorded::{Instants, Record, RecordEnd, RecordFault, RecordFaultKind};
pub use rescue::{IllegalRescue, Rescue};
pub use ruleset::{Options, OptionsError, Ruleset, TwoSquares};
pub use seen::{
    AttackView, BattleView, CapturedView, Frame, MoveView, PieceView, Possible, RescueView, Reveal,
    RevealedTo,
};
pub use setup::{Setup, SetupErrors, SetupFault};
pub use square::{Column, Row, Square};
pub use time::Timestamp;
pub use timeline::{InformationPoint, Timeline, WeighedReveal};
pub use vacation::{Vacation, VacationError};
pub use view::View;
pub use viewpoint::Viewpoint;
pub use why::{Chronicle, Evidence, Observation};
