use std::time::Duration;

use domain::{
    ByColor, Color, Command, Event, Game, Move, MoveBuffer, MoveRequest, Options, Position, Rank,
    Ruleset, Setup, Square, Style, Terms, TimeControl, Timestamp, Viewpoint,
};

/// Random games that do not end by themselves are left at this ply.
const LONGEST: u32 = 5_000;

/// A fixed sequence of numbers (xorshift and multiply): the same games in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        usize::try_from((high * n as u64) >> 32).expect("below n")
    }
}

/// The options of a ruleset with no repetition rule to look after. No value that a game may have
/// switches two squares off, so this one lies beyond any run of moves that a random game makes.
pub(crate) fn without_repetition(ruleset: Ruleset) -> Options {
    Options {
        more_squares: false,
        two_squares_limit: u8::MAX,
        ..ruleset.default_options()
    }
}

pub(crate) fn advised(ruleset: Ruleset, seed: u64) -> ByColor<Setup> {
    let mut dice = Dice::new(seed);
    ByColor::from_fn(|_| Setup::random(ruleset, Style::Advised, |n| dice.below(n)))
}

/// Pairs of armies that people placed, if they are at hand.
pub(crate) fn placed_by_people(pairs: usize) -> Option<Vec<ByColor<Setup>>> {
    let folder = std::env::var_os("REVEILLE_FIXTURES")?;
    let path = std::path::Path::new(&folder).join("setups_original.txt");
    let text = std::fs::read_to_string(&path).expect("the folder holds setups_original.txt");
    let setups: Vec<Setup> = text
        .lines()
        .take(2 * pairs)
        .map(|line| Setup::parse(Ruleset::Original, line).expect("a valid setup"))
        .collect();
    let pair = |pair: &[Setup]| ByColor {
        red: pair[0],
        blue: pair[1],
    };
    Some(setups.chunks_exact(2).map(pair).collect())
}

/// Plays random legal moves to the end; says how many.
pub(crate) fn play_out(position: &mut Position, dice: &mut Dice) -> u32 {
    let mut moves = MoveBuffer::new();
    let first = position.ply();
    while position.outcome().is_none() && position.ply() < LONGEST {
        position.legal_moves(&mut moves);
        let mv = moves[dice.below(moves.len())];
        position.play_unchecked(mv, None);
    }
    position.ply() - first
}

/// A position of a random game after so many plies.
pub(crate) fn at_ply(ruleset: Ruleset, ply: u32) -> Position {
    let mut moves = MoveBuffer::new();
    (0..)
        .find_map(|seed| {
            let mut dice = Dice::new(seed);
            let mut position = Position::new(ruleset.default_options(), &advised(ruleset, seed));
            while position.outcome().is_none() && position.ply() < ply {
                position.legal_moves(&mut moves);
                position.play_unchecked(moves[dice.below(moves.len())], None);
            }
            position.outcome().is_none().then_some(position)
        })
        .expect("some game is as long")
}

/// A running game of `plies` random moves, with its events.
pub(crate) fn self_played(plies: u32) -> (Game, Vec<Event>) {
    let options = Ruleset::Original.default_options();
    (0..)
        .find_map(|seed| self_play(options, advised(Ruleset::Original, seed), plies, seed))
        .expect("some game is as long")
}

/// The same from given armies; `None` if it ends before.
pub(crate) fn self_play(
    options: Options,
    setups: ByColor<Setup>,
    plies: u32,
    seed: u64,
) -> Option<(Game, Vec<Event>)> {
    let any = |_: &Game, moves: &[Move], dice: &mut Dice| moves[dice.below(moves.len())];
    let played = play(options, setups, plies, seed, any);
    Some(played).filter(|(game, _)| game.turn().is_some())
}

/// What is hard under silent defence: Red storms with all but scouts, of Blue nobody attacks, and
/// so Blue has many pieces of which something else is known each. Of some games the one with the
/// most hidden losses, of at most `plies` moves.
pub(crate) fn stormed(plies: u32) -> (Game, Vec<Event>) {
    let options = Options {
        silent_defense: true,
        ..Ruleset::Original.default_options()
    };
    let hidden_losses = |(game, _): &(Game, Vec<Event>)| {
        let view = game.view(None, Viewpoint::Public).expect("open to all");
        let captured = view.captured();
        captured.iter().filter(|piece| piece.rank.is_none()).count()
    };
    (0..200)
        .map(|seed| {
            play(
                options,
                advised(Ruleset::Original, seed),
                plies,
                seed,
                storm,
            )
        })
        .max_by_key(hidden_losses)
        .expect("there are some")
}

fn storm(game: &Game, moves: &[Move], dice: &mut Dice) -> Move {
    let side = game.turn();
    let pieces = game.view_for(side).pieces();
    let scouts: Vec<Square> = pieces
        .iter()
        .filter(|piece| piece.rank == Some(Rank::Scout))
        .map(|piece| piece.square)
        .collect();
    let red = side == Some(Color::Red);
    let attacks = |mv: &Move| game.is_attack(*mv) == red && !(red && scouts.contains(&mv.from));
    let advances = |mv: &Move| red && mv.to.row() > mv.from.row() && !scouts.contains(&mv.from);
    let liked = |likes: &dyn Fn(&Move) -> bool| -> Vec<Move> {
        moves.iter().copied().filter(likes).collect()
    };
    let wishes = [liked(&attacks), liked(&advances), moves.to_vec()];
    let among = wishes.iter().find(|wish| !wish.is_empty());
    let among = among.expect("there is a move");
    among[dice.below(among.len())]
}

/// A game to its end, or of so many plies.
fn play(
    options: Options,
    setups: ByColor<Setup>,
    plies: u32,
    seed: u64,
    choose: impl Fn(&Game, &[Move], &mut Dice) -> Move,
) -> (Game, Vec<Event>) {
    let terms = Terms {
        ruleset: Ruleset::Original,
        options,
        time_control: TimeControl::PerMove(Duration::from_hours(72)),
        vacation: true,
        weekends: false,
    };
    let now = Timestamp::from_micros(1_774_605_600_000_000);
    let mut game = Game::new(terms, now);
    let mut events = Vec::new();
    let mut take = |game: &mut Game, by, command| {
        for event in game.play(by, &command, now).expect("a legal command") {
            game.apply(&event).expect("it follows");
            events.push(event);
        }
    };
    for side in Color::ALL {
        take(&mut game, side, Command::PlaceSetup(setups[side]));
    }
    let mut dice = Dice::new(seed);
    let mut moves = MoveBuffer::new();
    while let Some(by) = game.turn().filter(|_| game.ply() < plies) {
        game.legal_moves(&mut moves);
        let mv = choose(&game, &moves, &mut dice);
        let request = MoveRequest {
            ply: game.ply(),
            from: Some(mv.from),
            to: Some(mv.to),
            rescue: None,
        };
        take(&mut game, by, Command::Move(request));
    }
    (game, events)
}
