use crate::color::{ByColor, Color};

/// The identity of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OfferId(pub u128);

/// What a player can offer the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OfferKind {
    /// To end the game, drawn.
    Draw,
    /// To stop the clocks until one of them wants to go on.
    Pause,
}

impl OfferKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Draw, Self::Pause];

    /// The `snake_case` name on the wire and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Pause => "pause",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// An open offer; there is at most one of a kind, for two that cross agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// Its identity.
    pub id: OfferId,
    /// What is offered.
    pub kind: OfferKind,
    /// Who made it.
    pub by: Color,
}

/// The offers at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offers {
    draw: Kept,
    pause: Kept,
}

/// The offers of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kept {
    open: Option<(OfferId, Color)>,
    /// At which ply a side's last one was answered: it makes a move before it asks again.
    answered: ByColor<Option<u32>>,
}

impl Offers {
    pub(crate) const fn new() -> Self {
        const NONE: Kept = Kept {
            open: None,
            answered: ByColor {
                red: None,
                blue: None,
            },
        };
        Self {
            draw: NONE,
            pause: NONE,
        }
    }

    const fn of(&self, kind: OfferKind) -> &Kept {
        match kind {
            OfferKind::Draw => &self.draw,
            OfferKind::Pause => &self.pause,
        }
    }

    const fn of_mut(&mut self, kind: OfferKind) -> &mut Kept {
        match kind {
            OfferKind::Draw => &mut self.draw,
            OfferKind::Pause => &mut self.pause,
        }
    }

    /// The open offer of a kind.
    pub(crate) fn open(&self, kind: OfferKind) -> Option<Offer> {
        let (id, by) = self.of(kind).open?;
        Some(Offer { id, kind, by })
    }

    /// The open offers.
    pub(crate) fn all(self) -> impl Iterator<Item = Offer> {
        OfferKind::ALL
            .into_iter()
            .filter_map(move |kind| self.open(kind))
    }

    /// Whether a side may make an offer of a kind: not again until it has moved since the last one was
    /// answered. So nobody is pestered, and offers stay as few as moves.
    pub(crate) fn may_make(&self, kind: OfferKind, by: Color, ply: u32) -> bool {
        self.of(kind).answered[by].is_none_or(|answered| {
            let red_is_next = answered.is_multiple_of(2);
            let until_own_move = if red_is_next == (by == Color::Red) {
                1
            } else {
                2
            };
            ply >= answered + until_own_move
        })
    }

    /// Takes an offer in; `None` when one of the kind is open.
    pub(crate) fn make(&mut self, offer: Offer) -> Option<()> {
        let kept = self.of_mut(offer.kind);
        if kept.open.is_some() {
            return None;
        }
        kept.open = Some((offer.id, offer.by));
        Some(())
    }

    /// Closes an offer at a ply; `None` when it is not open.
    pub(crate) fn close(&mut self, id: OfferId, ply: u32) -> Option<()> {
        let offer = self.all().find(|offer| offer.id == id)?;
        let kept = self.of_mut(offer.kind);
        kept.open = None;
        kept.answered[offer.by] = Some(ply);
        Some(())
    }
}
