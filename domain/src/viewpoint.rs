use crate::color::Color;

/// Whose eyes a game is seen with (`knowledge.md` 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewpoint {
    /// What Red knows.
    Red,
    /// What Blue knows.
    Blue,
    /// What both players know.
    Public,
    /// Everything: only once the game is over.
    Omniscient,
}

impl Viewpoint {
    /// Every viewpoint.
    pub const ALL: [Self; 4] = [Self::Red, Self::Blue, Self::Public, Self::Omniscient];

    /// The lower-case name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Public => "public",
            Self::Omniscient => "omniscient",
        }
    }

    /// The viewpoint of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|viewpoint| viewpoint.name() == name)
    }

    /// That of a player of the game, or of anyone else.
    pub const fn of(player: Option<Color>) -> Self {
        match player {
            Some(Color::Red) => Self::Red,
            Some(Color::Blue) => Self::Blue,
            None => Self::Public,
        }
    }

    /// Whether a side's own pieces are seen whole.
    pub(crate) const fn owns(self, owner: Color) -> bool {
        matches!(
            (self, owner),
            (Self::Omniscient, _) | (Self::Red, Color::Red) | (Self::Blue, Color::Blue)
        )
    }
}
