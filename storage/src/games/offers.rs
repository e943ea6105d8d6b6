use diesel::prelude::*;
use domain::{Offer, OfferClosing, OfferId};

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{GameId, StoredOfferId};
use crate::schema::offers;
use crate::text;

/// An offer and what became of it; `None` while it is open.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound), for one as well that crossed with another: it was never open.
pub fn offer(
    conn: &mut Connection,
    game: GameId,
    id: OfferId,
) -> Result<(Offer, Option<OfferClosing>), StorageError> {
    let (kind, color, closing): (String, String, Option<String>) = offers::table
        .find((game, StoredOfferId::from(id)))
        .select((offers::kind, offers::color, offers::closing))
        .first(conn)?;
    let kind = text::offer_kind(&kind)?;
    let by = text::color(&color)?;
    let closing = closing.as_deref().map(text::offer_closing).transpose()?;
    Ok((Offer { id, kind, by }, closing))
}
