//! Games that a viewer cannot tell apart: the same public history over other armies.
//!
//! What a viewer observed is told here from the armies and the moves, by the rules of disclosure
//! alone. The product's own views are asked for nothing that depends on a rank: a view that tells too
//! much must not decide which worlds it is tried on.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    BattleOutcome, ByColor, Color, Command, Event, Game, MoveRequest, Options, PieceId, PlayError,
    Rank, Rescue, Setup, Square, Status, Terms, Timestamp, Viewpoint,
};

use crate::dice::Dice;

/// How many permutations are tried, and how many are made at the most.
const TRIES: usize = 80;

/// What was decided in secret: the armies, and which rank each rescue asked for, by ply.
#[derive(Clone, PartialEq, Eq)]
pub struct World {
    /// Both armies.
    pub setups: ByColor<Setup>,
    /// The rank that the rescue sent with the move of a ply asked for.
    pub rescues: BTreeMap<u32, Rank>,
}

impl World {
    /// What stood on each home square of a side, and where that is.
    fn army(&self, side: Color) -> Vec<(PieceId, Rank)> {
        let text = self.setups[side].to_string();
        let cells = (0..).zip(text.chars());
        cells
            .filter_map(|(cell, ch)| Some((deployed_on(side, cell)?, Rank::from_char(ch)?)))
            .collect()
    }

    /// The pieces of a side that are of another rank in another world.
    pub fn differing(&self, other: &Self, side: Color) -> BTreeSet<PieceId> {
        let pairs = self.army(side).into_iter().zip(other.army(side));
        pairs
            .filter(|(one, two)| one.1 != two.1)
            .map(|(one, _)| one.0)
            .collect()
    }

    /// The rank of a piece that was deployed.
    pub fn rank(&self, piece: PieceId) -> Option<Rank> {
        let army = self.army(piece.owner());
        army.into_iter()
            .find(|(id, _)| *id == piece)
            .map(|(_, rank)| rank)
    }
}

/// The piece that a character of a setup stands for.
fn deployed_on(side: Color, cell: u8) -> Option<PieceId> {
    let (row, column) = (cell / 10, cell % 10);
    let index = match side {
        Color::Red => (3 - row) * 10 + column,
        Color::Blue => (6 + row) * 10 + 9 - column,
    };
    Square::new(index).and_then(PieceId::deployed_on)
}

/// What all who watch a game have seen of it.
#[derive(PartialEq, Eq)]
pub struct Story {
    /// A line for each move: squares, piece, outcome, and each rank that the rules made its owner
    /// declare; last how the game stands.
    lines: Vec<String>,
    /// The pieces whose ranks were declared.
    pub declared: BTreeSet<PieceId>,
    /// Those that were removed.
    pub fallen: BTreeSet<PieceId>,
    /// How many pieces came back.
    pub rescued: usize,
}

/// A game that is played, and what it was made of.
#[derive(Clone)]
pub struct Played {
    terms: Terms,
    moves: Vec<Event>,
    world: World,
    game: Game,
}

const AT: Timestamp = Timestamp::from_micros(1_774_605_600_000_000);

impl Played {
    /// A game in which both armies stand and nobody has moved.
    pub fn begin(terms: Terms, setups: ByColor<Setup>) -> Self {
        let rescues = BTreeMap::new();
        let world = World { setups, rescues };
        let game = started(terms, &world).expect("armies that fit");
        Self {
            terms,
            moves: Vec::new(),
            world,
            game,
        }
    }

    /// The game itself.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// What was decided in secret.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The game with one more move.
    ///
    /// # Errors
    /// Why the rules refuse it.
    pub fn after(&self, by: Color, request: &MoveRequest) -> Result<Self, PlayError> {
        let mut next = self.clone();
        for event in self.game.play(by, &Command::Move(*request), AT)? {
            if let Event::Moved { rescue, .. } = event {
                let ply = self.game.ply();
                let asked = rescue.map(|rescue| (ply, rescue.rank));
                next.world.rescues.extend(asked);
            }
            next.game.apply(&event).expect("it follows");
            next.moves.push(event);
        }
        Ok(next)
    }

    /// The same moves in another world, if they are a game there too.
    pub fn within(&self, world: &World) -> Option<Self> {
        let mut game = started(self.terms, world)?;
        let mut moves = Vec::with_capacity(self.moves.len());
        for event in &self.moves {
            let event = match *event {
                Event::Moved { mv, rescue, at } => {
                    let rank = world.rescues.get(&game.ply());
                    let rescue = rescue.zip(rank).map(|(rescue, rank)| Rescue {
                        rank: *rank,
                        ..rescue
                    });
                    Event::Moved { mv, rescue, at }
                }
                other => other,
            };
            game.apply(&event).ok()?;
            moves.push(event);
        }
        let world = world.clone();
        Some(Self {
            terms: self.terms,
            moves,
            world,
            game,
        })
    }

    /// What all who watch it have seen of it.
    pub fn story(&self) -> Story {
        let army = |side| self.world.army(side);
        let mut ranks: BTreeMap<PieceId, Rank> = Color::ALL.into_iter().flat_map(army).collect();
        let mut story = Story {
            lines: Vec::new(),
            declared: BTreeSet::new(),
            fallen: BTreeSet::new(),
            rescued: 0,
        };
        let view = self.game.view(None, Viewpoint::Public).expect("for all");
        for seen in view.moves_from(0) {
            let mut line = vec![format!("{} {} {}", seen.mv, seen.piece, seen.forfeited)];
            let mut declare = |piece: PieceId| {
                story.declared.insert(piece);
                line.push(format!("{piece} is {}", ranks[&piece]));
            };
            if seen.distance > 1 {
                declare(seen.piece);
            }
            if let Some(attack) = seen.attack {
                let (outcome, defender) = (attack.outcome, attack.defender_id);
                declare(seen.piece);
                if defends_openly(self.terms.options, outcome, ranks[&seen.piece]) {
                    declare(defender);
                }
                line.push(outcome.name().to_owned());
                let falls = [
                    (seen.piece, !outcome.attacker_stands()),
                    (defender, outcome != BattleOutcome::DefenderWins),
                ];
                let fallen = falls.iter().filter(|(_, falls)| *falls);
                story.fallen.extend(fallen.map(|(piece, _)| *piece));
            }
            if let Some(back) = seen.rescue {
                let rank = self.world.rescues[&seen.ply];
                ranks.insert(back.piece, rank);
                story.rescued += 1;
                line.push(format!("{}@{}", back.piece, back.square));
                if !self.terms.options.silent_defense {
                    story.declared.insert(back.piece);
                    line.push(format!("is {rank}"));
                }
            }
            story.lines.push(line.join(" "));
        }
        let (status, turn) = (self.game.status(), self.game.turn());
        story.lines.push(format!("{status:?} {turn:?}"));
        story
    }

    /// Another world that whoever does not play `secret` cannot tell from this one; `None` when none
    /// is found.
    pub fn permuted(&self, secret: Color, dice: &mut Dice) -> Option<World> {
        let story = self.story();
        let wanted = *dice.pick(&[1, 2, 5, 40]);
        let (mut world, mut made) = (self.world.clone(), 0);
        for _ in 0..TRIES {
            let Some(candidate) = self.shuffled(&world, &story, secret, dice) else {
                continue;
            };
            let same =
                |other: &Self| other.game.status() == Status::Active && other.story() == story;
            if self.within(&candidate).as_ref().is_some_and(same) {
                (world, made) = (candidate, made + 1);
            }
            let differs = world.setups[secret] != self.world.setups[secret];
            if made >= wanted && differs {
                break;
            }
        }
        let differs = world.setups[secret] != self.world.setups[secret];
        differs.then_some(world)
    }

    /// A world in which two or three hidden pieces have changed places, and rescues asked for others.
    fn shuffled(
        &self,
        world: &World,
        story: &Story,
        secret: Color,
        dice: &mut Dice,
    ) -> Option<World> {
        let mut cells: Vec<char> = world.setups[secret].to_string().chars().collect();
        let hidden = (0..40_u8).filter(|cell| {
            let piece = deployed_on(secret, *cell);
            let declared = piece.is_none_or(|piece| story.declared.contains(&piece));
            cells[usize::from(*cell)] != '.' && !declared
        });
        let number = if dice.one_in(4) { 3 } else { 2 };
        let chosen = dice.some(hidden.map(usize::from).collect(), number);
        let before: Vec<char> = chosen.iter().map(|cell| cells[*cell]).collect();
        for (place, cell) in chosen.iter().enumerate() {
            cells[*cell] = before[(place + 1) % before.len()];
        }
        let text: String = cells.into_iter().collect();
        let setup = Setup::parse(self.terms.ruleset, &text).ok()?;
        let mut other = world.clone();
        other.setups[secret] = setup;
        for (ply, rank) in &mut other.rescues {
            let by = if ply.is_multiple_of(2) {
                Color::Red
            } else {
                Color::Blue
            };
            if by == secret && dice.one_in(2) {
                *rank = *dice.pick(&Rank::ALL);
            }
        }
        (other != *world).then_some(other)
    }
}

/// A game at ply 0 of a world.
fn started(terms: Terms, world: &World) -> Option<Game> {
    let place = |by| Event::SetupPlaced {
        by,
        setup: world.setups[by],
        at: AT,
    };
    let events = Color::ALL.map(place);
    let events = events.into_iter().chain([Event::Started { at: AT }]);
    Game::fold(terms, AT, events).ok()
}

/// Whether the defender of a battle must say what it is (`rules.md` 4).
fn defends_openly(options: Options, outcome: BattleOutcome, attacker: Rank) -> bool {
    let equal_or_flag = matches!(
        outcome,
        BattleOutcome::BothRemoved | BattleOutcome::FlagCaptured
    );
    !options.silent_defense || attacker == Rank::Scout || equal_or_flag
}
