use crate::color::{ByColor, Color};
use crate::disclosure::{Cause, Disclosure};
use crate::game::{Entry, Game};
use crate::knowledge::Knowledge;
use crate::piece::PieceId;
use crate::position::Position;
use crate::rank::Rank;
use crate::seen::{
    AttackView, BattleView, CapturedView, Frame, MoveView, PieceView, Possible, RescueView, Reveal,
    RevealedTo,
};
use crate::square::Square;
use crate::viewpoint::Viewpoint;

/// A game as a viewpoint knows it: the only way from a game to a rank.
///
/// The compiler sees to it. A [`Position`] tells no rank:
///
/// ```compile_fail,E0624
/// fn peek(position: &domain::Position, piece: domain::PieceId) -> Option<domain::Rank> {
///     position.rank(piece)
/// }
/// ```
///
/// A [`Game`] hands out neither its position nor its armies:
///
/// ```compile_fail,E0616
/// fn peek(game: &domain::Game) -> Option<&domain::Position> {
///     game.position.as_ref()
/// }
/// ```
///
/// ```compile_fail,E0616
/// fn peek(game: &domain::Game) -> Option<domain::Setup> {
///     game.setups.blue
/// }
/// ```
///
/// What is known of a game cannot be named, let alone asked:
///
/// ```compile_fail,E0603
/// use domain::knowledge::Knowledge;
/// ```
///
/// Nobody makes himself a view; [`Game::view`] grants it, or not:
///
/// ```compile_fail,E0451
/// fn peek(game: &domain::Game) -> domain::View<'_> {
///     let viewpoint = domain::Viewpoint::Omniscient;
///     domain::View { game, viewpoint }
/// }
/// ```
///
/// And nobody but a view says what stands on a square:
///
/// ```compile_fail,E0639
/// fn make_up(id: domain::PieceId, square: domain::Square) -> domain::PieceView {
///     domain::PieceView {
///         id,
///         square,
///         rank: Some(domain::Rank::Marshal),
///         moved: false,
///         revealed_ply: None,
///         possible: None,
///     }
/// }
/// ```
///
/// What remains is to ask for a view:
///
/// ```
/// fn rank(game: &domain::Game, player: Option<domain::Color>) -> Option<domain::Rank> {
///     let viewpoint = domain::Viewpoint::of(player);
///     game.view(player, viewpoint)?.pieces().first()?.rank
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct View<'g> {
    game: &'g Game,
    viewpoint: Viewpoint,
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
            Some(position) => self.pieces_on(position, &self.game.knowledge),
            None => self.placed(),
        }
    }

    /// What stands on a square now, with its rank if the viewpoint knows it: for whoever asks for a few
    /// squares of many positions.
    pub fn piece_on(&self, square: Square) -> Option<(PieceId, Option<Rank>)> {
        let piece = self.game.position.as_ref()?.piece_on(square)?;
        Some((piece, self.rank_of(piece, self.end())))
    }

    /// The pieces that were removed, rescued ones too, in the order of their fall, of an equal
    /// battle the attacker first.
    pub fn captured(&self) -> Vec<CapturedView> {
        let mut captured = Vec::new();
        for (ply, entry) in (1..).zip(self.game.log.iter()) {
            let Some(battle) = entry.turn.battle else {
                continue;
            };
            let mut fall = |id| {
                let rank = self.rank_of(id, self.end());
                let possible = rank.is_none().then(|| possible(&self.game.knowledge, id));
                captured.push(CapturedView {
                    id,
                    rank,
                    ply,
                    possible,
                });
            };
            if !battle.outcome.attacker_stands() {
                fall(entry.turn.piece);
            }
            if battle.outcome.defender_falls() {
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
            .zip(self.game.log.iter())
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
        let knowledge = self.game.knowledge_at(ply)?;
        Some(Frame {
            ply,
            pieces: self.pieces_on(&position, &knowledge),
            hidden: ByColor::from_fn(|owner| knowledge.hidden(owner)),
        })
    }

    /// The boards after `first`, `first + 1`, … moves, at most `count` of them.
    pub fn frames(&self, first: u32, count: usize) -> Vec<Frame> {
        let past = (self.game.position_at(first), self.game.knowledge_at(first));
        let (Some(mut position), Some(mut knowledge)) = past else {
            return Vec::new();
        };
        let mut hidden = ByColor::from_fn(|owner| knowledge.hidden(owner));
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
                pieces: self.pieces_on(&position, &knowledge),
                hidden: hidden.clone(),
            });
            if let Some(entry) = entry {
                entry.replay(&mut position);
                ply += 1;
                let news = knowledge.observe(ply, &entry.turn, &self.game.terms().options);
                for owner in Color::ALL.into_iter().filter(|owner| news[*owner]) {
                    hidden[owner] = knowledge.hidden(owner);
                }
            }
        }
        frames
    }

    /// Every rank that became known, of both sides, in the order of plies; what was still hidden
    /// at the end of a game comes last.
    pub fn reveals(&self) -> Vec<Reveal> {
        let mut reveals: Vec<Reveal> = PieceId::all()
            .filter_map(|piece| self.reveal(piece))
            .collect();
        reveals.sort_by_key(in_order);
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
                    possible: None,
                })
            })
            .collect();
        pieces.sort_by_key(|piece| piece.id);
        pieces
    }

    fn pieces_on(&self, position: &Position, knowledge: &Knowledge) -> Vec<PieceView> {
        let ply = position.ply();
        let mut pieces = Vec::with_capacity(position.count());
        pieces.extend(position.standing().map(|(id, square)| {
            let rank = self.rank_of(id, ply);
            PieceView {
                id,
                square,
                rank,
                moved: position.has_moved(id),
                revealed_ply: self.known_since(id).filter(|since| *since <= ply),
                possible: rank.is_none().then(|| possible(knowledge, id)),
            }
        }));
        pieces
    }

    fn see_move(&self, ply: u32, entry: &Entry) -> MoveView {
        let Entry {
            turn, played_at, ..
        } = *entry;
        let is_timed = !self.game.unknown.moves;
        let after = ply + 1;
        let rescue = turn.rescue.map(|rescued| RescueView {
            rank: self.rank_of(rescued.piece, after),
            square: rescued.square,
            piece: rescued.piece,
        });
        let told = self.game.knowledge.told_at(after);
        let mut reveals: Vec<Reveal> = told.filter_map(|piece| self.reveal(piece)).collect();
        reveals.sort_by_key(in_order);
        MoveView {
            ply,
            side: turn.side,
            mv: turn.mv,
            piece: turn.piece,
            rank: self.rank_of(turn.piece, after),
            distance: turn.distance(),
            attack: self.see_attack(ply, entry),
            rescue,
            reveals,
            forfeited: turn.forfeited,
            irregular: turn.irregular,
            played_at: is_timed.then_some(played_at),
            think_time: self.game.known_think_time(ply, entry),
        }
    }

    fn see_attack(&self, ply: u32, entry: &Entry) -> Option<AttackView> {
        let battle = entry.turn.battle?;
        let known = |piece| self.known_since(piece).is_some_and(|since| since <= ply);
        Some(AttackView {
            // Declared in open play and under silent defence alike.
            attacker: entry.turn.rank,
            defender: self.rank_of(battle.defender, ply + 1),
            defender_id: battle.defender,
            outcome: battle.outcome,
            attacker_known: known(entry.turn.piece),
            defender_known: known(battle.defender),
        })
    }

    /// A piece's rank, if the viewpoint knew it after `ply` moves. Every rank passes here.
    pub fn rank_of(&self, piece: PieceId, ply: u32) -> Option<Rank> {
        let known = self.viewpoint.owns(piece.owner())
            || self.known_since(piece).is_some_and(|since| since <= ply);
        if known { self.true_rank(piece) } else { None }
    }

    fn known_since(&self, piece: PieceId) -> Option<u32> {
        self.game.knowledge.since(piece)
    }

    fn true_rank(&self, piece: PieceId) -> Option<Rank> {
        self.game.position.as_ref()?.rank(piece)
    }

    /// A disclosure is public: the owner knows the piece, his opponent learnt it, and so all know.
    fn reveal(&self, piece: PieceId) -> Option<Reveal> {
        let Disclosure { ply, cause, square } = self.game.disclosure(piece)?;
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
        let square = self.game.place_of(piece, self.end())?;
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

    fn end(&self) -> u32 {
        self.game.ply()
    }
}

fn possible(knowledge: &Knowledge, piece: PieceId) -> Possible {
    Possible {
        ranks: knowledge.possible(piece),
        exact: knowledge.is_exact(piece.owner()),
    }
}

/// By plies; of one ply, what was shown before what follows from it.
fn in_order(reveal: &Reveal) -> (u32, bool, PieceId) {
    (reveal.ply, reveal.cause == Cause::Deduced, reveal.piece)
}
