use std::sync::Arc;

use async_graphql::{Context, Object, Result, SimpleObject};

use super::context::RequestContext;
use super::names::{Color, Rank};
use super::observation::Observation;
use super::retelling::Retelling;
use super::scalars::Square;
use crate::wire::bits::Bits;

/// The board after a number of moves, as it was known then.
pub(super) struct Frame {
    retelling: Arc<Retelling>,
    frame: Arc<domain::Frame>,
}

impl Frame {
    pub(super) fn new(retelling: Arc<Retelling>, frame: domain::Frame) -> Self {
        let frame = Arc::new(frame);
        Self { retelling, frame }
    }
}

/// The board after a number of moves, as it was known then.
#[Object]
impl Frame {
    /// The number of moves: 0 is the deployment.
    pub(super) async fn ply(&self) -> u32 {
        self.frame.ply
    }

    /// The pieces on the board.
    async fn pieces(&self) -> Vec<PieceView> {
        let piece = |index| PieceView {
            retelling: Arc::clone(&self.retelling),
            frame: Arc::clone(&self.frame),
            index,
        };
        (0..self.frame.pieces.len()).map(piece).collect()
    }

    /// What Blue did not know of Red, in bits; a piece that came back unseen is left out.
    async fn red_hidden_bits(&self, context: &Context<'_>) -> Result<f64> {
        let counts = &RequestContext::of(context)?.counts;
        let bits = counts.bits(&self.frame.hidden.red).await?;
        Ok(Bits(bits).rounded())
    }

    /// What Red did not know of Blue, in bits; a piece that came back unseen is left out.
    async fn blue_hidden_bits(&self, context: &Context<'_>) -> Result<f64> {
        let counts = &RequestContext::of(context)?.counts;
        let bits = counts.bits(&self.frame.hidden.blue).await?;
        Ok(Bits(bits).rounded())
    }
}

/// A piece on the board.
struct PieceView {
    retelling: Arc<Retelling>,
    frame: Arc<domain::Frame>,
    index: usize,
}

impl PieceView {
    fn seen(&self) -> &domain::PieceView {
        &self.frame.pieces[self.index]
    }
}

/// A piece on the board.
#[Object]
#[expect(
    clippy::unused_async,
    reason = "the schema's fields are async, whether they wait or not"
)]
impl PieceView {
    /// Its identity: the owner and the square it was deployed on, or which rescue it was.
    async fn piece_id(&self) -> String {
        self.seen().id.to_string()
    }

    /// Whose it is.
    async fn owner(&self) -> Color {
        self.seen().id.owner().into()
    }

    /// Where it stands.
    async fn square(&self) -> Option<Square> {
        Some(self.seen().square.into())
    }

    /// What it is, if the viewpoint knows.
    async fn rank(&self) -> Option<Rank> {
        self.seen().rank.map(Into::into)
    }

    /// Whether it has left the square it appeared on.
    async fn moved(&self) -> bool {
        self.seen().moved
    }

    /// Since which ply the other side knows it.
    async fn revealed_ply(&self) -> Option<u32> {
        self.seen().revealed_ply
    }

    /// The observations that prove what the viewpoint knew of it, in order.
    async fn why(&self) -> Result<Vec<Observation>> {
        let chronicle = self.retelling.chronicle()?;
        let view = self.retelling.view()?;
        let seen = view.why(chronicle, self.seen().id, self.frame.ply);
        Ok(seen
            .unwrap_or_default()
            .into_iter()
            .map(Into::into)
            .collect())
    }

    /// Of a piece that the viewpoint did not know: the ranks that it could still be, each with its
    /// probability when all ways to give out the ranks are equally likely. They sum to 1.
    async fn possible(&self, context: &Context<'_>) -> Result<Vec<RankProbability>> {
        let counts = &RequestContext::of(context)?.counts;
        let seen = self.seen();
        let odds = match seen.possible {
            // One that came back unseen is not among those that are counted.
            Some(possible) if seen.id.home().is_some() => {
                let army = &self.frame.hidden[seen.id.owner()];
                counts.odds(army, possible.ranks).await?
            }
            _ => Arc::new(self.frame.odds(seen)),
        };
        Ok(odds.iter().map(|odds| (*odds).into()).collect())
    }

    /// Of a piece that the viewpoint did not know: whether each of these ranks fits all that was
    /// seen. Once its side rescued a piece under silent defence, there may be more than do.
    async fn possible_exact(&self) -> Option<bool> {
        self.seen().possible.map(|possible| possible.exact)
    }
}

/// A rank that a piece may have.
#[derive(Debug, SimpleObject)]
struct RankProbability {
    /// The rank.
    rank: Rank,
    /// How likely it is: above 0, at most 1.
    probability: f64,
}

impl From<(domain::Rank, f64)> for RankProbability {
    fn from((rank, probability): (domain::Rank, f64)) -> Self {
        Self {
            rank: rank.into(),
            probability,
        }
    }
}
