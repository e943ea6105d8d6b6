use async_graphql::{Context, ID, Object, Result};
use storage::players::{self, FoundPlayer, Player, PlayerCursor};
use storage::ratings::{self, Leader, RankCursor};
use storage::{GameId, Page, StorageError, games};
use uuid::Uuid;

use super::connection::{Connection, Edge};
use super::context::RequestContext;
use super::cursor::{Cursor, NodeId};
use super::filter::{GameFilter, read_ruleset};
use super::game::{GameNode, list_games};
use super::names::GameOrder;
use super::node::Node;
use super::page::PageArguments;
use super::player::PlayerNode;
use super::rating::Rating;
use super::stats::Stats;
use crate::problem::ApiError;
use crate::usecase::selection::check_name;
use crate::usecase::usernames::username_key;

/// Everything that can be asked for.
pub(super) struct Query;

/// Everything that can be asked for.
#[Object]
impl Query {
    /// A game; null when there is none that the caller may know of.
    async fn game(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The identifier that REST uses.")] id: Uuid,
    ) -> Result<Option<GameNode>> {
        find_game(RequestContext::of(context)?, GameId::from_uuid(id)).await
    }

    /// The games that the caller may know of.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of a page, as Relay has them"
    )]
    async fn games(
        &self,
        context: &Context<'_>,
        filter: Option<GameFilter>,
        #[graphql(desc = "FINISHED_DESC when nothing is said.")] order_by: Option<GameOrder>,
        #[graphql(desc = "How many from the beginning, at most 100.")] first: Option<i32>,
        #[graphql(desc = "Those after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, at most 100.")] last: Option<i32>,
        #[graphql(desc = "Those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<GameNode>> {
        let page = PageArguments {
            first,
            after,
            last,
            before,
        };
        let order = order_by.unwrap_or(GameOrder::FinishedDesc);
        list_games(RequestContext::of(context)?, filter, None, order, &page).await
    }

    /// A player by name, in any case; null when there is none.
    async fn player(&self, context: &Context<'_>, username: String) -> Result<Option<PlayerNode>> {
        check_name("username", &username)?;
        let key = username_key(&username);
        let found = move |connection: &mut storage::Connection| {
            found(players::by_username_key(connection, &key))
        };
        let player = RequestContext::of(context)?.reader.read(found).await?;
        Ok(player.map(PlayerNode))
    }

    /// The players whose names begin so, in the order of names.
    async fn players(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "What the names begin with.")] search: Option<String>,
        #[graphql(desc = "How many, at most 100.")] first: Option<i32>,
        #[graphql(desc = "Those after this cursor.")] after: Option<String>,
    ) -> Result<Connection<PlayerNode>> {
        let prefix = search.unwrap_or_default();
        check_name("search", &prefix)?;
        let prefix = username_key(&prefix);
        let page = PageArguments::forward(first, after).check::<PlayerCursor>()?;
        let behind = page.from.is_some();
        let search = move |connection: &mut storage::Connection| {
            Ok(players::search(connection, &prefix, &page)?)
        };
        let Page { items, has_more } = RequestContext::of(context)?.reader.read(search).await?;
        let edge = |FoundPlayer { player, cursor }| Edge::new(&cursor, PlayerNode(player));
        let edges = items.into_iter().map(edge).collect();
        Ok(Connection::new(edges, has_more, behind))
    }

    /// The players whose rating by a rule sheet is established, the highest first.
    async fn leaderboard(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The rule sheet.")] ruleset: String,
        #[graphql(desc = "How many, at most 100.")] first: Option<i32>,
        #[graphql(desc = "Those after this cursor.")] after: Option<String>,
    ) -> Result<Connection<Rating>> {
        let ruleset = read_ruleset("ruleset", &ruleset)?;
        let page = PageArguments::forward(first, after).check::<RankCursor>()?;
        let behind = page.from.is_some();
        let read = move |connection: &mut storage::Connection| {
            Ok(ratings::leaderboard(connection, ruleset, &page)?)
        };
        let Page { items, has_more } = RequestContext::of(context)?.reader.read(read).await?;
        let edge = |leader: Leader| {
            let rating = Rating::of(leader.player, &leader.standing);
            Edge::new(&leader.cursor, rating)
        };
        let edges = items.into_iter().map(edge).collect();
        Ok(Connection::new(edges, has_more, behind))
    }

    /// Statistics over the finished games of a filter. They are nobody's in particular: private games
    /// are left out, whoever asks.
    async fn stats(&self, context: &Context<'_>, filter: Option<GameFilter>) -> Result<Stats> {
        Stats::of(context, filter).await
    }

    /// Anything by its opaque identifier; null when there is no such thing that the caller may know
    /// of.
    async fn node(&self, context: &Context<'_>, id: ID) -> Result<Option<Node>> {
        let request = RequestContext::of(context)?;
        match NodeId::decode(&id) {
            None => {
                let detail = "expected an identifier as a node of this server gave it";
                Err(ApiError::malformed_field("id", detail).into())
            }
            Some(NodeId::Game(id)) => Ok(find_game(request, id)
                .await?
                .map(|game| Node::Game(Box::new(game)))),
            Some(NodeId::Player(id)) => {
                let found = move |connection: &mut storage::Connection| {
                    found(players::by_id(connection, id))
                };
                let player = request.reader.read(found).await?;
                Ok(player.map(|player: Player| Node::Player(PlayerNode(player))))
            }
        }
    }
}

async fn find_game(request: &RequestContext, id: GameId) -> Result<Option<GameNode>> {
    let summary = move |connection: &mut storage::Connection| found(games::summary(connection, id));
    let summary = request.reader.read(summary).await?;
    Ok(summary.and_then(|summary| GameNode::visible(summary, request.viewer)))
}

fn found<T>(looked_up: Result<T, StorageError>) -> Result<Option<T>, ApiError> {
    match looked_up {
        Ok(found) => Ok(Some(found)),
        Err(StorageError::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
