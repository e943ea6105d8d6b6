use std::time::Duration;

use crate::battle::BattleOutcome;
use crate::color::Color;
use crate::game::{Entry, Game};
use crate::knowledge::{Cause, Disclosure};
use crate::moves::Move;
use crate::piece::PieceId;
use crate::position::Position;
use crate::rank::Rank;
use crate::square::Square;
use crate::time::Timestamp;

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
    const fn owns(self, owner: Color) -> bool {
        matches!(
            (self, owner),
            (Self::Omniscient, _) | (Self::Red, Color::Red) | (Self::Blue, Color::Blue)
        )
    }
}

/// A game as a viewpoint knows it: the only way from a game to a rank.
#[derive(Debug, Clone, Copy)]
pub struct View<'g> {
    game: &'g Game,
    viewpoint: Viewpoint,
}

/// A piece on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceView {
    /// Its identity.
    pub id: PieceId,
    /// Where it stands.
    pub square: Square,
    /// Its rank, if the viewpoint knows it.
    pub rank: Option<Rank>,
    /// Whether it has left the square it appeared on.
    pub moved: bool,
    /// When the other side knew it, counted in moves made.
    pub revealed_ply: Option<u32>,
}

/// A piece that was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapturedView {
    /// Its identity.
    pub id: PieceId,
    /// Its rank, if the viewpoint knows it.
    pub rank: Option<Rank>,
    /// The number of moves after which it was gone.
    pub ply: u32,
}

/// A ply of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveView {
    /// The number of moves before it.
    pub ply: u32,
    /// Who moved.
    pub side: Color,
    /// From where to where; as attempted when the turn was forfeited.
    pub mv: Move,
    /// The piece that moved.
    pub piece: PieceId,
    /// Its rank, if the viewpoint knew it after the move.
    pub rank: Option<Rank>,
    /// How far it went.
    pub distance: u8,
    /// The attack that it was.
    pub attack: Option<AttackView>,
    /// The rescue that was taken up with it.
    pub rescue: Option<RescueView>,
    /// What it disclosed, of both sides.
    pub reveals: Vec<Reveal>,
    /// Whether it forfeited the turn.
    pub forfeited: bool,
    /// When it was made.
    pub played_at: Timestamp,
    /// How long its side thought.
    pub think_time: Duration,
}

/// An attack in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttackView {
    /// Always declared.
    pub attacker: Rank,
    /// If the viewpoint knew it after the battle.
    pub defender: Option<Rank>,
    /// Who was attacked.
    pub defender_id: PieceId,
    /// How it ended.
    pub outcome: BattleOutcome,
}

/// A rescue in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RescueView {
    /// The rank that came back, if the viewpoint knew it then.
    pub rank: Option<Rank>,
    /// Where it was put.
    pub square: Square,
    /// Its new identity.
    pub piece: PieceId,
}

/// A battle with its place and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BattleView {
    /// The number of moves after which it was fought.
    pub ply: u32,
    /// Where.
    pub square: Square,
    /// Who attacked.
    pub attacker_color: Color,
    /// The ranks and the outcome.
    pub attack: AttackView,
}

/// Who learnt a disclosed rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RevealedTo {
    /// The owner's opponent.
    Side(Color),
    /// Everyone, with the end of the game.
    Both,
}

/// A rank that became known (`knowledge.md` 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reveal {
    /// The number of moves after which it was known.
    pub ply: u32,
    /// The piece.
    pub piece: PieceId,
    /// Its rank.
    pub rank: Rank,
    /// Where it ended its move, or fell.
    pub square: Square,
    /// How it became known.
    pub cause: Cause,
    /// To whom.
    pub to: RevealedTo,
}

/// The board after a number of moves, as the viewpoint knew it then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The number of moves.
    pub ply: u32,
    /// The pieces on the board, in the order of identities.
    pub pieces: Vec<PieceView>,
}

impl Game {
    /// Whether the armies are disclosed: the game was played, and is over.
    pub fn is_open(&self) -> bool {
        self.status().is_over() && self.position.is_some()
    }

    /// The viewpoint that a caller gets who asks for none: everything once the game is over, else
    /// a player's own or what both know. A game that never started has nothing to disclose: an
    /// army that was placed for it stays its owner's.
    pub fn viewpoint_for(&self, player: Option<Color>) -> Viewpoint {
        if self.is_open() {
            Viewpoint::Omniscient
        } else {
            Viewpoint::of(player)
        }
    }

    /// Whether a caller may take a viewpoint: any once the game is over, else a player's own or
    /// what both know.
    pub fn may_view(&self, player: Option<Color>, viewpoint: Viewpoint) -> bool {
        self.is_open() || viewpoint == Viewpoint::Public || viewpoint == Viewpoint::of(player)
    }

    /// The game as a caller knows it who asks for no viewpoint.
    pub fn view_for(&self, player: Option<Color>) -> View<'_> {
        View {
            game: self,
            viewpoint: self.viewpoint_for(player),
        }
    }

    /// The game as a caller may see it from a viewpoint; `None` when he
    /// [may not](Self::may_view).
    pub fn view(&self, player: Option<Color>, viewpoint: Viewpoint) -> Option<View<'_>> {
        self.may_view(player, viewpoint).then_some(View {
            game: self,
            viewpoint,
        })
    }
}

impl<'g> View<'g> {
    /// Whose eyes these are.
    pub const fn viewpoint(&self) -> Viewpoint {
        self.viewpoint
    }

    /// The game that is seen; it tells no rank but through a view.
    pub const fn game(&self) -> &'g Game {
        self.game
    }

    /// The pieces on the board now, in the order of identities. While the armies are being placed,
    /// a side sees its own alone.
    pub fn pieces(&self) -> Vec<PieceView> {
        match &self.game.position {
            Some(position) => self.pieces_on(position),
            None => self.placed(),
        }
    }

    /// The pieces that were removed, rescued ones too, in the order of their fall, of an equal
    /// battle the attacker first.
    pub fn captured(&self) -> Vec<CapturedView> {
        let mut captured = Vec::new();
        for (ply, entry) in (1..).zip(&self.game.log) {
            let Some(battle) = entry.turn.battle else {
                continue;
            };
            let mut fall = |id| {
                captured.push(CapturedView {
                    id,
                    rank: self.known_rank(id, self.end()),
                    ply,
                });
            };
            if !battle.outcome.attacker_stands() {
                fall(entry.turn.piece);
            }
            if battle.outcome != BattleOutcome::DefenderWins {
                fall(battle.defender);
            }
        }
        captured
    }

    /// The log from a ply on.
    pub fn moves_from(&self, ply: u32) -> impl Iterator<Item = MoveView> + use<'g> {
        let view = *self;
        let first = usize::try_from(ply).unwrap_or(usize::MAX);
        (ply..)
            .zip(view.game.log.iter().skip(first))
            .map(move |(ply, entry)| view.see_move(ply, entry))
    }

    /// One ply of the log.
    pub fn move_at(&self, ply: u32) -> Option<MoveView> {
        let entry = self.game.log.get(usize::try_from(ply).ok()?)?;
        Some(self.see_move(ply, entry))
    }

    /// The last ply of the log.
    pub fn last_move(&self) -> Option<MoveView> {
        self.game
            .ply()
            .checked_sub(1)
            .and_then(|ply| self.move_at(ply))
    }

    /// Every battle, in order.
    pub fn battles(&self) -> Vec<BattleView> {
        (0..)
            .zip(&self.game.log)
            .filter_map(|(ply, entry)| {
                Some(BattleView {
                    ply: ply + 1,
                    square: entry.turn.mv.to,
                    attacker_color: entry.turn.side,
                    attack: self.see_attack(ply, entry)?,
                })
            })
            .collect()
    }

    /// The board after `ply` moves, as it was known then and no later: at the last ply, what was
    /// known before the end disclosed the rest. `None` past the end, and before the start.
    pub fn frame(&self, ply: u32) -> Option<Frame> {
        let position = self.game.position_at(ply)?;
        Some(Frame {
            ply,
            pieces: self.pieces_on(&position),
        })
    }

    /// The boards after `first`, `first + 1`, … moves, at most `count` of them.
    pub fn frames(&self, first: u32, count: usize) -> Vec<Frame> {
        let Some(mut position) = self.game.position_at(first) else {
            return Vec::new();
        };
        let mut frames = Vec::with_capacity(count.min(self.game.log.len() + 1));
        let rest = self
            .game
            .log
            .iter()
            .skip(usize::try_from(first).unwrap_or(usize::MAX));
        let mut ply = first;
        for entry in rest.map(Some).chain([None]).take(count) {
            frames.push(Frame {
                ply,
                pieces: self.pieces_on(&position),
            });
            if let Some(entry) = entry {
                entry.replay(&mut position);
                ply += 1;
            }
        }
        frames
    }

    /// Every rank that became known, of both sides, in the order of plies; what was still hidden
    /// at the end of a game comes last.
    pub fn reveals(&self) -> Vec<Reveal> {
        let mut reveals: Vec<Reveal> = PieceId::all()
            .filter_map(|piece| self.reveal(piece, self.game.knowledge.of(piece)?))
            .collect();
        reveals.sort_by_key(|reveal| (reveal.ply, reveal.piece));
        if self.game.is_open() {
            reveals.extend(PieceId::all().filter_map(|piece| self.reveal_at_the_end(piece)));
        }
        reveals
    }

    fn placed(&self) -> Vec<PieceView> {
        let mut pieces: Vec<PieceView> = Color::ALL
            .into_iter()
            .filter(|owner| self.viewpoint.owns(*owner))
            .filter_map(|owner| Some((owner, self.game.setups[owner]?)))
            .flat_map(|(owner, setup)| setup.pieces(owner))
            .filter_map(|(square, rank)| {
                let id = PieceId::deployed_on(square)?;
                Some(PieceView {
                    id,
                    square,
                    rank: Some(rank),
                    moved: false,
                    revealed_ply: None,
                })
            })
            .collect();
        pieces.sort_by_key(|piece| piece.id);
        pieces
    }

    fn pieces_on(&self, position: &Position) -> Vec<PieceView> {
        let ply = position.ply();
        position
            .standing()
            .map(|(id, square)| PieceView {
                id,
                square,
                rank: self.known_rank(id, ply),
                moved: position.has_moved(id),
                revealed_ply: self.known_since(id).filter(|since| *since <= ply),
            })
            .collect()
    }

    fn see_move(&self, ply: u32, entry: &Entry) -> MoveView {
        let Entry {
            turn,
            played_at,
            think_time,
            ..
        } = *entry;
        let after = ply + 1;
        let rescue = turn.rescue.map(|rescued| RescueView {
            rank: self.known_rank(rescued.piece, after),
            square: rescued.square,
            piece: rescued.piece,
        });
        let reveals = self.game.knowledge.disclosed_at(after);
        MoveView {
            ply,
            side: turn.side,
            mv: turn.mv,
            piece: turn.piece,
            rank: self.known_rank(turn.piece, after),
            distance: turn.distance(),
            attack: self.see_attack(ply, entry),
            rescue,
            reveals: reveals
                .filter_map(|(piece, known)| self.reveal(piece, known))
                .collect(),
            forfeited: turn.forfeited,
            played_at,
            think_time,
        }
    }

    fn see_attack(&self, ply: u32, entry: &Entry) -> Option<AttackView> {
        let battle = entry.turn.battle?;
        Some(AttackView {
            // Declared in open play and under silent defence alike.
            attacker: entry.turn.rank,
            defender: self.known_rank(battle.defender, ply + 1),
            defender_id: battle.defender,
            outcome: battle.outcome,
        })
    }

    /// A piece's rank, if the viewpoint knew it after `ply` moves. Every rank passes here.
    fn known_rank(&self, piece: PieceId, ply: u32) -> Option<Rank> {
        let known = self.viewpoint.owns(piece.owner())
            || self.known_since(piece).is_some_and(|since| since <= ply);
        if known { self.true_rank(piece) } else { None }
    }

    fn known_since(&self, piece: PieceId) -> Option<u32> {
        self.game.knowledge.of(piece).map(|known| known.ply)
    }

    fn true_rank(&self, piece: PieceId) -> Option<Rank> {
        self.game.position.as_ref()?.rank(piece)
    }

    /// A disclosure is public: the owner knows the piece, his opponent learnt it, and so all know.
    fn reveal(&self, piece: PieceId, known: Disclosure) -> Option<Reveal> {
        let Disclosure { ply, cause, square } = known;
        let to = RevealedTo::Side(!piece.owner());
        Some(Reveal {
            ply,
            piece,
            rank: self.true_rank(piece)?,
            square,
            cause,
            to,
        })
    }

    fn reveal_at_the_end(&self, piece: PieceId) -> Option<Reveal> {
        if self.known_since(piece).is_some() {
            return None;
        }
        let rank = self.true_rank(piece)?;
        let standing = self
            .game
            .position
            .as_ref()
            .and_then(|position| position.square_of(piece));
        let square = standing.or_else(|| self.fell_on(piece))?;
        let (cause, to) = (Cause::GameOver, RevealedTo::Both);
        Some(Reveal {
            ply: self.end(),
            piece,
            rank,
            square,
            cause,
            to,
        })
    }

    fn fell_on(&self, piece: PieceId) -> Option<Square> {
        self.game
            .log
            .iter()
            .rev()
            .map(|entry| entry.turn)
            .find_map(|turn| {
                let battle = turn.battle?;
                (turn.piece == piece || battle.defender == piece).then_some(turn.mv.to)
            })
    }

    fn end(&self) -> u32 {
        self.game.ply()
    }
}
