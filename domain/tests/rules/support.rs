//! Armies, games and commands in few words.

use std::time::Duration;

use domain::{
    ByColor, Color, Command, Event, Game, Move, MoveBuffer, MoveRequest, NotedMove, Options,
    PlayError, Position, Rank, Rescue, RescueRequest, Ruleset, Setup, Style, Terms, TimeControl,
    Timestamp, View, Viewpoint,
};

pub(crate) const T0: Timestamp = Timestamp::from_micros(1_774_605_600_000_000);
pub(crate) const DAY: Duration = Duration::from_hours(24);
pub(crate) const MINUTE: Duration = Duration::from_mins(1);

/// An army from a list such as `Ma4 9b4 Fa1`: each piece with its square.
pub(crate) fn army(ruleset: Ruleset, owner: Color, pieces: &str) -> Setup {
    let mut cells = ['.'; 40];
    for piece in pieces.split_whitespace() {
        let (rank, square) = piece.split_at(1);
        let square: domain::Square = square.parse().expect(piece);
        let (row, column) = (square.row().index(), square.column().index());
        let cell = match owner {
            Color::Red => (3 - row) * 10 + column,
            Color::Blue => (row - 6) * 10 + (9 - column),
        };
        assert_eq!(cells[usize::from(cell)], '.', "{piece} is not alone");
        cells[usize::from(cell)] = rank.chars().next().expect("a rank");
    }
    let text: String = cells.iter().collect();
    Setup::parse(ruleset, &text).unwrap_or_else(|faults| panic!("{pieces}: {faults}"))
}

pub(crate) fn armies(ruleset: Ruleset, red: &str, blue: &str) -> ByColor<Setup> {
    ByColor {
        red: army(ruleset, Color::Red, red),
        blue: army(ruleset, Color::Blue, blue),
    }
}

pub(crate) fn noted(text: &str) -> NotedMove {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A game on the table: moves in text go to the side to move.
pub(crate) struct Table {
    pub(crate) game: Game,
    pub(crate) events: Vec<Event>,
    pub(crate) now: Timestamp,
}

impl Table {
    pub(crate) fn terms(ruleset: Ruleset, options: Options) -> Terms {
        Terms {
            ruleset,
            options,
            time_control: TimeControl::PerMove(DAY),
            vacation: true,
            weekends: false,
        }
    }

    pub(crate) fn agreed(terms: Terms) -> Self {
        Self {
            game: Game::new(terms, T0),
            events: Vec::new(),
            now: T0,
        }
    }

    pub(crate) fn new(ruleset: Ruleset, options: Options, setups: ByColor<Setup>) -> Self {
        Self::with_terms(Self::terms(ruleset, options), setups)
    }

    pub(crate) fn with_terms(terms: Terms, setups: ByColor<Setup>) -> Self {
        let mut table = Self::agreed(terms);
        for side in Color::ALL {
            table.does(side, Command::PlaceSetup(setups[side]));
        }
        table
    }

    /// A game of barrage with the ruleset's options but for what `change` does.
    pub(crate) fn barrage(red: &str, blue: &str, change: impl FnOnce(&mut Options)) -> Self {
        let ruleset = Ruleset::Barrage;
        let mut options = ruleset.default_options();
        change(&mut options);
        Self::new(ruleset, options, armies(ruleset, red, blue))
    }

    pub(crate) fn command(&mut self, by: Color, command: Command) -> Result<Vec<Event>, PlayError> {
        let events = self.game.play(by, &command, self.now)?;
        for event in &events {
            self.game.apply(event).expect("it follows");
        }
        self.events.extend_from_slice(&events);
        Ok(events)
    }

    pub(crate) fn does(&mut self, by: Color, command: Command) -> Vec<Event> {
        self.command(by, command)
            .unwrap_or_else(|error| panic!("{command:?}: {error}"))
    }

    pub(crate) fn side(&self) -> Color {
        self.game.turn().expect("the game is played")
    }

    pub(crate) fn request(&self, text: &str) -> MoveRequest {
        let noted = noted(text);
        MoveRequest {
            ply: self.game.ply(),
            from: Some(noted.mv.from),
            to: Some(noted.mv.to),
            rescue: noted.rescue.map(|Rescue { rank, square }| RescueRequest {
                rank,
                square: Some(square),
            }),
        }
    }

    /// Plays moves, one after the other, each by the side to move; `x` must be an attack.
    pub(crate) fn play(&mut self, moves: &str) -> &mut Self {
        for text in moves.split_whitespace() {
            let noted = noted(text);
            let attack = self.game.is_attack(noted.mv);
            assert_eq!(attack, noted.attack, "{text} at ply {}", self.game.ply());
            let request = self.request(text);
            let by = self.side();
            if let Err(error) = self.command(by, Command::Move(request)) {
                panic!("{text} at ply {}: {error}", self.game.ply());
            }
        }
        self
    }

    /// Why the side to move may not make a move.
    pub(crate) fn refusal(&self, text: &str) -> PlayError {
        let request = self.request(text);
        let by = self.side();
        match self.game.play(by, &Command::Move(request), self.now) {
            Err(error) => error,
            Ok(_) => panic!("{text} at ply {} is accepted", self.game.ply()),
        }
    }

    pub(crate) fn legal(&self) -> Vec<String> {
        let mut moves = MoveBuffer::new();
        self.game.legal_moves(&mut moves);
        let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn seen_by(&self, side: Color) -> View<'_> {
        self.game.view_for(Some(side))
    }

    /// What stands on a square, as a viewer knows it.
    pub(crate) fn rank_on(&self, viewer: Color, square: &str) -> Option<Rank> {
        let view = self.view(viewer);
        let pieces = view.pieces();
        let piece = pieces.iter().find(|p| p.square.to_string() == square);
        piece.unwrap_or_else(|| panic!("nothing on {square}")).rank
    }

    /// As the player himself knows it, in a finished game too.
    fn view(&self, viewer: Color) -> View<'_> {
        self.game
            .view(Some(viewer), Viewpoint::of(Some(viewer)))
            .expect("his own")
    }
}

/// A fixed sequence of numbers: the tests need variety, not quality.
#[derive(Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let word = (z ^ z >> 31) >> 32;
        usize::try_from(word).expect("32 bits") % n
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    pub(crate) fn setups(&mut self, ruleset: Ruleset) -> ByColor<Setup> {
        let style = if self.flip() {
            Style::Advised
        } else {
            Style::Uniform
        };
        ByColor::from_fn(|_| Setup::random(ruleset, style, |n| self.below(n)))
    }

    pub(crate) fn options(&mut self) -> Options {
        use domain::TwoSquares::{ForfeitTurn, Illegal};
        Options {
            aggressor_advantage: self.below(3) == 0,
            silent_defense: self.flip(),
            rescue: self.flip(),
            more_squares: self.below(3) > 0,
            two_squares: if self.flip() { Illegal } else { ForfeitTurn },
            two_squares_limit: u8::try_from(2 + self.below(4)).expect("small"),
            no_progress_plies: (self.below(3) == 0).then_some(50),
        }
    }
}

pub(crate) fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = MoveBuffer::new();
    position.legal_moves(&mut moves);
    moves.to_vec()
}

/// Whether there is time for more.
pub(crate) fn long_rounds() -> bool {
    std::env::var_os("REVEILLE_LONG").is_some()
}

/// A file of the data that lies beside the project, if it is at hand; says so if not.
pub(crate) fn fixture(name: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("REVEILLE_FIXTURES") else {
        println!("REVEILLE_FIXTURES is not set: {name} is not read");
        return None;
    };
    let path = std::path::Path::new(&folder).join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(text)
}
