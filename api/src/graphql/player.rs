use async_graphql::{Context, ID, Object, Result};
use storage::PlayerId;
use storage::players::Player;
use uuid::Uuid;

use super::connection::Connection;
use super::context::RequestContext;
use super::cursor::{Cursor, NodeId};
use super::filter::GameFilter;
use super::game::{GameNode, list_games};
use super::names::GameOrder;
use super::page::PageArguments;
use super::rating::Rating;
use super::scalars::DateTime;

/// A player, as anyone may see him.
#[derive(Debug)]
pub(super) struct PlayerNode(pub(super) Player);

impl PlayerNode {
    const fn player_id(&self) -> PlayerId {
        self.0.id
    }
}

/// A player, as anyone may see him.
#[Object(name = "Player")]
impl PlayerNode {
    /// The identifier for `node`, opaque.
    pub(super) async fn id(&self) -> ID {
        NodeId::Player(self.player_id()).encode().into()
    }

    /// The identifier that REST uses.
    async fn uuid(&self) -> Uuid {
        self.player_id().as_uuid()
    }

    /// The name, `deleted-…` for an erased account; of a player of an archive, as it was recorded there.
    async fn username(&self) -> &str {
        &self.0.username
    }

    /// When the account was made; null of a player of an archive, who has none.
    async fn created_at(&self) -> Option<DateTime> {
        let has_account = self.0.source.is_none();
        has_account.then(|| self.0.created_at.into())
    }

    /// The ratings, one for each rule sheet that the player has a rated game in; none of an erased
    /// account.
    async fn ratings(&self, context: &Context<'_>) -> Result<Vec<Rating>> {
        if self.0.erased_at.is_some() {
            return Ok(Vec::new());
        }
        let request = RequestContext::of(context)?;
        let standings = request.ratings_of(self.player_id()).await?;
        let rating = |standing| Rating::of(self.0.clone(), standing);
        Ok(standings.iter().map(rating).collect())
    }

    /// The games of this player that the caller may know of, the last to end first.
    async fn games(
        &self,
        context: &Context<'_>,
        filter: Option<GameFilter>,
        #[graphql(desc = "How many, at most 100.")] first: Option<i32>,
        #[graphql(desc = "Those after this cursor.")] after: Option<String>,
    ) -> Result<Connection<GameNode>> {
        let page = PageArguments::forward(first, after);
        let order = GameOrder::FinishedDesc;
        list_games(
            RequestContext::of(context)?,
            filter,
            Some(self.player_id()),
            order,
            &page,
        )
        .await
    }
}
