use async_graphql::SimpleObject;
use storage::players::Player;
use storage::ratings::{RankCursor, Standing};

use super::cursor::Cursor;
use super::player::PlayerNode;

/// How a player stands by a rule sheet, as his last rated game left him.
#[derive(Debug, SimpleObject)]
#[expect(clippy::struct_field_names, reason = "the names of the schema")]
pub(super) struct Rating {
    /// Who.
    player: PlayerNode,
    /// The rule sheet: each has a pool of its own.
    ruleset: &'static str,
    /// In points; newcomers begin with 1500.
    rating: f64,
    /// How far off the rating may be (one standard deviation), in points.
    deviation: f64,
    /// How much the strength is taken to vary.
    volatility: f64,
    /// How many games count.
    games: u64,
    /// Whether too little is known for a place on the leaderboard: the deviation is 110 or more.
    provisional: bool,
}

impl Rating {
    pub(super) fn of(player: Player, standing: &Standing) -> Self {
        let rating = standing.rating;
        Self {
            player: PlayerNode(player),
            ruleset: standing.ruleset.id(),
            rating: rating.rating,
            deviation: rating.deviation,
            volatility: rating.volatility,
            games: standing.games,
            provisional: rating.is_provisional(),
        }
    }
}

impl Cursor for RankCursor {
    fn write(&self) -> String {
        format!("rank:{}:{}", self.rating, self.player)
    }

    fn read(text: &str) -> Option<Self> {
        let (rating, player) = text.strip_prefix("rank:")?.split_once(':')?;
        Some(Self {
            rating: rating.parse().ok()?,
            player: player.parse().ok()?,
        })
    }
}
