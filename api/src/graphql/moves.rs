use async_graphql::SimpleObject;

use super::list::Item;
use super::names::{BattleOutcome, Color, Rank};
use super::scalars::{DateTime, Duration, Square};

/// A move, as the viewer may see it.
#[derive(Debug, SimpleObject)]
pub(super) struct Move {
    /// The number of moves before it: 0 for Red's first.
    pub(super) ply: u32,
    /// Who moved.
    color: Color,
    /// Where the piece stood.
    from: Square,
    /// Where it went; as attempted when the turn was forfeited.
    to: Square,
    /// The piece.
    piece_id: String,
    /// What it is, if the viewer knew after the move.
    rank: Option<Rank>,
    /// How far it went.
    distance: u8,
    /// The battle that it led to.
    battle: Option<Battle>,
    /// The rank that came back with it, if the viewer knew.
    rescue: Option<Rank>,
    /// The repetition rule that it breaches: `two_squares` or `more_squares`, in a game that was played
    /// elsewhere by other rules.
    irregular: Option<&'static str>,
    /// When it was made; null where that was not recorded.
    played_at: Option<DateTime>,
    /// How long its side thought; null where that was not recorded.
    think_time: Option<Duration>,
    /// Whether it forfeited the turn: the piece stayed.
    forfeited: bool,
}

/// An attack and what came of it.
#[derive(Debug, SimpleObject)]
pub(super) struct Battle {
    /// The number of moves after which it was fought.
    ply: u32,
    /// Where.
    square: Square,
    /// What attacked: always declared.
    attacker: Rank,
    /// What was attacked, if the viewer knew after the battle.
    defender: Option<Rank>,
    /// Who attacked.
    attacker_color: Color,
    /// How it ended.
    outcome: BattleOutcome,
    /// Whether the other side knew the attacker before.
    attacker_known: bool,
    /// Whether the other side knew the defender before.
    defender_known: bool,
}

impl Item for Battle {
    const AT_HAND: bool = true;
}

impl From<domain::MoveView> for Move {
    fn from(view: domain::MoveView) -> Self {
        Self {
            ply: view.ply,
            color: view.side.into(),
            from: view.mv.from.into(),
            to: view.mv.to.into(),
            piece_id: view.piece.to_string(),
            rank: view.rank.map(Into::into),
            distance: view.distance,
            battle: view.battle().map(Into::into),
            rescue: view.rescue.and_then(|rescue| rescue.rank).map(Into::into),
            irregular: view.irregular.map(domain::Irregular::name),
            played_at: view.played_at.map(Into::into),
            think_time: view.think_time.map(Duration),
            forfeited: view.forfeited,
        }
    }
}

impl From<domain::BattleView> for Battle {
    fn from(battle: domain::BattleView) -> Self {
        let domain::AttackView {
            attacker,
            defender,
            outcome,
            attacker_known,
            defender_known,
            ..
        } = battle.attack;
        Self {
            ply: battle.ply,
            square: battle.square.into(),
            attacker: attacker.into(),
            defender: defender.map(Into::into),
            attacker_color: battle.attacker_color.into(),
            outcome: outcome.into(),
            attacker_known,
            defender_known,
        }
    }
}
