//! The rules on boards with a few pieces anywhere.

mod ends;
mod geometry;
mod repetition;
mod rescue;

use super::{Position, Turn};
use crate::color::{ByColor, Color};
use crate::moves::{IllegalMove, MoveBuffer, Verdict};
use crate::notation::NotedMove;
use crate::outcome::EndReason;
use crate::piece::PieceId;
use crate::rank::Rank;
use crate::repetition::Placements;
use crate::rescue::IllegalRescue;
use crate::ruleset::{Options, Ruleset};
use crate::setup::Setup;
use crate::square::Square;

const OPTIONS: Options = Ruleset::Original.default_options();

fn square(name: &str) -> Square {
    name.parse().expect(name)
}

fn noted(text: &str) -> NotedMove {
    text.parse().expect(text)
}

struct Table(Position);

impl Table {
    /// Pieces such as `Ma4 2e7`, wherever they are to stand; Red is to move.
    fn new(options: Options, red: &str, blue: &str) -> Self {
        let nobody = Setup::from_cells([None; 40]);
        let setups = ByColor {
            red: nobody,
            blue: nobody,
        };
        let mut position = Position::new(options, &setups);
        for (owner, pieces) in [(Color::Red, red), (Color::Blue, blue)] {
            let mut identities = PieceId::all().filter(|piece| piece.owner() == owner);
            for text in pieces.split_whitespace() {
                let piece = identities.next().expect("at most forty");
                let rank = text.chars().next().and_then(Rank::from_char).expect(text);
                position.ranks[piece.index()] = Some(rank);
                position.put(piece, rank, square(&text[1..]));
            }
        }
        position.placements = Placements::new(position.standing());
        Self(position)
    }

    fn blue_to_move(mut self) -> Self {
        self.0.turn = Color::Blue;
        self
    }

    fn verdict(&self, text: &str) -> Result<Verdict, IllegalMove> {
        let (from, to) = text.split_once(['-', 'x']).expect(text);
        self.0
            .check(from.parse().ok(), to.parse().ok())
            .map(|(_, verdict)| verdict)
    }

    fn rescue_verdict(&self, text: &str) -> Result<(), IllegalRescue> {
        let noted = noted(text);
        let rescue = noted.rescue.expect(text);
        self.0
            .check_rescue(noted.mv, rescue.rank, Some(rescue.square))
    }

    /// Plays one move, and the rescue with it, as a game does.
    fn turn(&mut self, text: &str) -> Turn {
        let noted = noted(text);
        let attack = self.0.piece_on(noted.mv.to).is_some();
        assert_eq!(attack, noted.attack, "{text}");
        let (mv, verdict) = self
            .0
            .check(Some(noted.mv.from), Some(noted.mv.to))
            .unwrap_or_else(|why| panic!("{text} at ply {}: {why}", self.0.ply()));
        let turn = match verdict {
            Verdict::Played | Verdict::Irregular(_) => self.0.play_unchecked(mv, noted.rescue),
            Verdict::Forfeits => self.0.forfeit(mv),
        };
        turn.expect("a piece stands there")
    }

    fn play(&mut self, moves: &str) -> &mut Self {
        for text in moves.split_whitespace() {
            self.turn(text);
        }
        self
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = MoveBuffer::new();
        self.0.legal_moves(&mut moves);
        let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
        names.sort_unstable();
        names
    }

    fn outcome(&self) -> Option<(Option<Color>, EndReason)> {
        self.0.outcome().map(|end| (end.winner, end.reason))
    }

    /// The chase counts, Red's first.
    fn chases(&self) -> (u32, u32) {
        let sides = &self.0.sides;
        (sides.red.chase.count, sides.blue.chase.count)
    }
}

#[test]
fn a_running_game_needs_little_memory() {
    let history = Placements::ROOM * size_of::<u64>();
    assert!(size_of::<crate::Game>() + history <= 2048);
}
