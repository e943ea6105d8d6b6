//! Pages as Relay has them.

use async_graphql::{OutputType, SimpleObject};

use super::cursor::Cursor;
use super::frame::Frame;
use super::game::GameNode;
use super::list::{Item, List};
use super::moves::Move;
use super::player::PlayerNode;
use super::rating::Rating;

/// A part of a list.
#[derive(Debug, SimpleObject)]
#[graphql(
    concrete(name = "GameConnection", params(GameNode)),
    concrete(name = "PlayerConnection", params(PlayerNode)),
    concrete(name = "RatingConnection", params(Rating)),
    concrete(name = "MoveConnection", params(Move)),
    concrete(name = "FrameConnection", params(Frame))
)]
pub(super) struct Connection<T: OutputType>
where
    Edge<T>: Item,
{
    /// The items, each with its place, in the order of the list.
    edges: List<Edge<T>>,
    /// How the list goes on.
    page_info: PageInfo,
}

/// An item and its place in the list.
#[derive(Debug, SimpleObject)]
#[graphql(
    concrete(name = "GameEdge", params(GameNode)),
    concrete(name = "PlayerEdge", params(PlayerNode)),
    concrete(name = "RatingEdge", params(Rating)),
    concrete(name = "MoveEdge", params(Move)),
    concrete(name = "FrameEdge", params(Frame))
)]
pub(super) struct Edge<T: OutputType> {
    /// The place, for `after` and `before`.
    cursor: String,
    /// The item.
    node: T,
}

/// How a list goes on from a part of it.
#[derive(Debug, SimpleObject)]
pub(super) struct PageInfo {
    /// Whether something follows.
    has_next_page: bool,
    /// Whether something went before.
    has_previous_page: bool,
    /// The place of the first item here.
    start_cursor: Option<String>,
    /// The place of the last item here.
    end_cursor: Option<String>,
}

impl<T: OutputType> Connection<T>
where
    Edge<T>: Item,
{
    /// A page of these edges.
    pub(super) fn new(edges: Vec<Edge<T>>, has_next_page: bool, has_previous_page: bool) -> Self {
        let page_info = PageInfo {
            has_next_page,
            has_previous_page,
            start_cursor: edges.first().map(|edge| edge.cursor.clone()),
            end_cursor: edges.last().map(|edge| edge.cursor.clone()),
        };
        Self {
            edges: edges.into(),
            page_info,
        }
    }
}

impl<T: OutputType> Edge<T> {
    /// An item at its place.
    pub(super) fn new(place: &impl Cursor, node: T) -> Self {
        Self {
            cursor: place.encode(),
            node,
        }
    }
}

impl Item for Edge<Move> {
    const AT_HAND: bool = true;
}

impl Item for Edge<GameNode> {
    const AT_HAND: bool = false;
}

impl Item for Edge<PlayerNode> {
    const AT_HAND: bool = false;
}

impl Item for Edge<Rating> {
    const AT_HAND: bool = false;
}

impl Item for Edge<Frame> {
    const AT_HAND: bool = false;
}
