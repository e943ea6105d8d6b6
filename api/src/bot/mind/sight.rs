use domain::{Color, Move, MoveBuffer, Options, Rank, RankSet, Ruleset, Square, View, Viewpoint};

/// A piece on the board, as the bot's side knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Whose it is.
    pub owner: Color,
    /// Where it stands.
    pub square: Square,
    /// Its rank, if it is known: always of an own piece.
    pub rank: Option<Rank>,
    /// What it can be.
    pub possible: RankSet,
    /// Whether it has left the square it appeared on.
    pub moved: bool,
    /// Whether the other side knows it.
    pub exposed: bool,
    /// Whether a rescue brought it back.
    pub rescued: bool,
}

/// A piece that was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fallen {
    /// Whose it was.
    pub owner: Color,
    /// Its rank, if it is known.
    pub rank: Option<Rank>,
    /// What it can have been.
    pub possible: RankSet,
    /// Whether a rescue had brought it back before.
    pub rescued: bool,
}

/// A position as the side to move may know it: all that a bot goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The side to move, which is the bot's.
    pub me: Color,
    /// The rule sheet, for the army.
    pub ruleset: Ruleset,
    /// The options.
    pub options: Options,
    /// Plies in a row without an attack.
    pub quiet: u32,
    /// The pieces on the board.
    pub pieces: Vec<Seen>,
    /// The pieces that were removed, rescued ones too.
    pub fallen: Vec<Fallen>,
    /// The moves that the side may make.
    pub legal: Vec<Move>,
    /// The side's own last moves, the newest last; some or none.
    pub recent: Vec<Move>,
}

impl Sight {
    /// How many own moves are looked at, lest the bot goes back and forth.
    pub const RECENT: usize = 6;

    /// What the side to move sees of a game; `None` when nobody is to move or the view is not his.
    pub fn of(view: &View<'_>) -> Option<Self> {
        let game = view.game();
        let me = game.turn()?;
        if view.viewpoint() != Viewpoint::of(Some(me)) {
            return None;
        }
        let mut legal = MoveBuffer::new();
        game.legal_moves(&mut legal);
        let pieces = view.pieces().into_iter().map(|piece| Seen {
            owner: piece.id.owner(),
            square: piece.square,
            rank: piece.rank,
            possible: ranks(piece.rank, piece.possible.map(|possible| possible.ranks)),
            moved: piece.moved,
            exposed: piece.revealed_ply.is_some(),
            rescued: piece.id.home().is_none(),
        });
        let captured = view.captured();
        let last_battle = captured.last().map_or(0, |fallen| fallen.ply);
        let fallen = captured.into_iter().map(|fallen| Fallen {
            owner: fallen.id.owner(),
            rank: fallen.rank,
            possible: ranks(fallen.rank, fallen.possible.map(|possible| possible.ranks)),
            rescued: fallen.id.home().is_none(),
        });
        let looked_at = 2 * u32::try_from(Self::RECENT).unwrap_or(u32::MAX);
        let lately = view.moves_from(game.ply().saturating_sub(looked_at));
        Some(Self {
            me,
            ruleset: game.terms().ruleset,
            options: game.terms().options,
            quiet: game.ply() - last_battle,
            pieces: pieces.collect(),
            fallen: fallen.collect(),
            legal: legal.to_vec(),
            recent: lately
                .filter(|past| past.side == me)
                .map(|past| past.mv)
                .collect(),
        })
    }

    /// What stands on a square.
    pub fn on(&self, square: Square) -> Option<&Seen> {
        self.pieces.iter().find(|piece| piece.square == square)
    }
}

/// What a piece can be: its rank, or those that are said, or anything.
pub(crate) fn ranks(rank: Option<Rank>, possible: Option<RankSet>) -> RankSet {
    rank.map_or(possible.unwrap_or(RankSet::ALL), RankSet::of)
}
