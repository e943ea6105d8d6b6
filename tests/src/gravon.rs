//! Files in the shape of the Gravon archive, made up: barrage by a small generator of moves of its own, which
//! shares nothing with the program under test.

use crate::dice::Dice;

/// The ranks in the order of the letters: `B` to `M` of Red, `N` to `Y` of Blue.
const RANKS: &[u8; 12] = b"BS23456789MF";

/// What each side has in barrage.
const ARMY: &[u8; 8] = b"FBS2239M";

/// The lakes, by square.
const LAKES: [usize; 8] = [42, 43, 46, 47, 52, 53, 56, 57];

/// A piece on the board: its side, 0 Red and 1 Blue, and its rank.
type Piece = (usize, u8);

/// A board of a hundred squares, row by row from Red's back row.
type Board = [Option<Piece>; 100];

/// A game of barrage.
#[derive(Clone, Debug)]
pub struct GravonGame {
    /// The hundred letters.
    pub field: String,
    /// From and to, by square.
    pub moves: Vec<(usize, usize)>,
    /// The board behind the last move.
    board: Board,
    /// The names of both.
    pub names: [String; 2],
    /// The code of the ending.
    pub ending: u16,
    /// As XML has it: 1 Red, 2 Blue, 3 nobody.
    pub winner: u16,
}

impl GravonGame {
    /// A game of at most so many moves.
    pub fn random(dice: &mut Dice, most: usize) -> Self {
        let mut board = [None; 100];
        for side in 0..2 {
            for rank in ARMY {
                let mut place = || dice.below(40) + 60 * side;
                let mut square = place();
                while board[square].is_some() {
                    square = place();
                }
                board[square] = Some((side, *rank));
            }
        }
        let field = field(&board);
        let mut game = Self {
            field,
            moves: Vec::new(),
            board,
            names: [0, 1].map(|side| format!("{}_{}", ["Anton", "Berta"][side], dice.below(50))),
            ending: 3,
            winner: 1,
        };
        for ply in 0..most {
            let side = ply % 2;
            let possible = possible_moves(&game.board, side);
            let other = 2 - u16::try_from(side).unwrap();
            if possible.is_empty() {
                (game.ending, game.winner) = (0, other);
                return game;
            }
            let (from, to) = *dice.pick(&possible);
            let has_flag = game.board[to].is_some_and(|(_, rank)| rank == b'F');
            play(&mut game.board, from, to);
            game.moves.push((from, to));
            if has_flag {
                (game.ending, game.winner) = (1, 3 - other);
                return game;
            }
        }
        (game.ending, game.winner) = *dice.pick(&[(3, 1), (3, 2), (4, 3), (11, 2), (10, 3)]);
        game
    }

    /// Whether its last move took a flag.
    pub fn has_taken_the_flag(&self) -> bool {
        self.ending == 1
    }

    /// The square of a piece of the side to move that does not move, and one beside it.
    pub fn immovable(&self) -> (usize, usize) {
        let side = self.moves.len() % 2;
        let is_bomb = |square: &usize| self.board[*square] == Some((side, b'B'));
        let square = (0..100).find(is_bomb).unwrap_or_else(|| {
            let is_flag = |square: &usize| self.board[*square] == Some((side, b'F'));
            (0..100).find(is_flag).expect("a flag stands")
        });
        (square, beside(square))
    }

    /// A square that is empty, and one beside it.
    pub fn empty(&self) -> (usize, usize) {
        let is_empty = |square: &usize| self.board[*square].is_none() && !LAKES.contains(square);
        let square = (0..100).find(is_empty).expect("a square is empty");
        (square, beside(square))
    }

    /// As the archive's XML.
    pub fn xml(&self) -> String {
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<stratego>\n<game type=\"barrage\">\n\
             <field content=\"{}\"/>\n",
            self.field
        );
        text.extend((1_u32..).zip(&self.moves).map(|(number, (from, to))| {
            let (from, to) = (square(*from), square(*to));
            format!("<move id=\"{number}\" source=\"{from}\" target=\"{to}\"/>\n")
        }));
        text.extend((1_u32..).zip(&self.names).map(|(number, name)| {
            let name = name.replace('&', "&amp;").replace('<', "&lt;");
            format!("<player id=\"{number}\">{name}</player>\n")
        }));
        let (ending, winner) = (self.ending, self.winner);
        text + &format!("<result type=\"{ending}\" winner=\"{winner}\"/>\n</game>\n</stratego>\n")
    }

    /// As its text, which counts winners from 0.
    pub fn gsn(&self) -> String {
        let mut text = format!("#38FA11 Stratego-Notation v1\ntype 1\n{}\n", self.field);
        let moves = self.moves.iter();
        text.extend(moves.map(|(from, to)| format!("{}-{}\n", square(*from), square(*to))));
        let ([red, blue], ending, winner) = (&self.names, self.ending, self.winner - 1);
        text + &format!("END\n{red} vs {blue} result {ending} winner {winner}\n")
    }
}

/// `A4`; the columns are `A` to `K` without `J`, and `:` is row 10.
fn square(index: usize) -> String {
    let column = char::from(b"ABCDEFGHIK"[index % 10]);
    let row = char::from(b"123456789:"[index / 10]);
    format!("{column}{row}")
}

fn beside(square: usize) -> usize {
    if square % 10 == 9 {
        square - 1
    } else {
        square + 1
    }
}

fn field(board: &Board) -> String {
    let letter = |(square, piece): (usize, &Option<Piece>)| match piece {
        None if LAKES.contains(&square) => '_',
        None => 'A',
        Some((side, rank)) => {
            let place = RANKS.iter().position(|other| other == rank);
            let place = place.expect("a rank") + 12 * side;
            char::from(b'B' + u8::try_from(place).unwrap())
        }
    };
    board.iter().enumerate().map(letter).collect()
}

fn possible_moves(board: &Board, side: usize) -> Vec<(usize, usize)> {
    let mut moves = Vec::new();
    for (from, piece) in board.iter().enumerate() {
        let Some((owner, rank)) = *piece else {
            continue;
        };
        if owner != side || rank == b'B' || rank == b'F' {
            continue;
        }
        for (across, up) in [(0_isize, 1_isize), (0, -1), (1, 0), (-1, 0)] {
            let reach = if rank == b'2' { 9 } else { 1 };
            for steps in 1..=reach {
                let column = isize::try_from(from % 10).unwrap() + across * steps;
                let row = isize::try_from(from / 10).unwrap() + up * steps;
                if !(0..10).contains(&column) || !(0..10).contains(&row) {
                    break;
                }
                let to = usize::try_from(row * 10 + column).unwrap();
                if LAKES.contains(&to) || board[to].is_some_and(|(owner, _)| owner == side) {
                    break;
                }
                moves.push((from, to));
                if board[to].is_some() {
                    break;
                }
            }
        }
    }
    moves
}

fn play(board: &mut Board, from: usize, to: usize) {
    let mover = board[from].take();
    let (Some((side, rank)), Some((other, target))) = (mover, board[to]) else {
        board[to] = mover;
        return;
    };
    let strength = |rank| RANKS.iter().position(|other| *other == rank);
    let wins = match (rank, target) {
        (_, b'F') | (b'S', b'M') | (b'3', b'B') => true,
        (_, b'B') => false,
        _ => strength(rank) > strength(target),
    };
    board[to] = match () {
        () if rank == target => None,
        () if wins => Some((side, rank)),
        () => Some((other, target)),
    };
}
