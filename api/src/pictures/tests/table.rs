//! Games to be drawn.

use domain::{
    Color, Command, Game, MoveBuffer, MoveRequest, NotedMove, Options, Ruleset, Setup, Style,
    Terms, TimeControl, Timestamp, View, Viewpoint,
};

const START: Timestamp = Timestamp::from_micros(1_774_605_600_000_000);

/// A game that is played move by move, by whoever has the turn.
pub(super) struct Table {
    pub(super) game: Game,
}

impl Table {
    pub(super) fn empty(ruleset: Ruleset, options: Options) -> Self {
        let terms = Terms {
            ruleset,
            options,
            time_control: TimeControl::Unlimited,
            vacation: true,
            weekends: false,
        };
        Self {
            game: Game::new(terms, START),
        }
    }

    pub(super) fn new(ruleset: Ruleset, options: Options, red: Setup, blue: Setup) -> Self {
        let mut table = Self::empty(ruleset, options);
        table.does(Color::Red, Command::PlaceSetup(red));
        table.does(Color::Blue, Command::PlaceSetup(blue));
        table
    }

    /// Eight pieces a side, face to face where there is no lake.
    pub(super) fn small(change: impl FnOnce(&mut Options)) -> Self {
        let ruleset = Ruleset::Barrage;
        let mut options = ruleset.default_options();
        change(&mut options);
        let setup = |text| Setup::parse(ruleset, text).unwrap();
        let red = setup("M9..3S..22 .......... .......... FB........");
        let blue = setup("22..S3..9M .......... .......... ........BF");
        Self::new(ruleset, options, red, blue)
    }

    /// Full armies.
    pub(super) fn large(change: impl FnOnce(&mut Options)) -> Self {
        let ruleset = Ruleset::Original;
        let mut options = ruleset.default_options();
        change(&mut options);
        let mut dice = dice();
        let mut setup = || Setup::random(ruleset, Style::Advised, &mut dice);
        let (red, blue) = (setup(), setup());
        Self::new(ruleset, options, red, blue)
    }

    pub(super) fn does(&mut self, by: Color, command: Command) {
        for event in self.game.play(by, &command, START).unwrap() {
            self.game.apply(&event).unwrap();
        }
    }

    /// Plays moves in text.
    pub(super) fn line(&mut self, moves: &str) -> &mut Self {
        for text in moves.split_whitespace() {
            let noted: NotedMove = text.parse().unwrap();
            self.moves(noted.mv);
        }
        self
    }

    pub(super) fn moves(&mut self, mv: domain::Move) {
        let request = MoveRequest {
            ply: self.game.ply(),
            from: Some(mv.from),
            to: Some(mv.to),
            rescue: None,
        };
        let by = self.game.turn().unwrap();
        self.does(by, Command::Move(request));
    }

    /// Plays so many plies, or up to the end, an attack only now and then, so that it lasts.
    pub(super) fn wander(&mut self, plies: u32) -> &mut Self {
        let mut dice = dice();
        let mut legal = MoveBuffer::new();
        while self.game.ply() < plies && self.game.turn().is_some() {
            self.game.legal_moves(&mut legal);
            let attacks = dice(40) == 0;
            let wanted = legal
                .iter()
                .filter(|mv| self.game.is_attack(**mv) == attacks);
            let wanted: Vec<_> = wanted.copied().collect();
            let from = if wanted.is_empty() {
                &legal[..]
            } else {
                &wanted
            };
            self.moves(from[dice(from.len())]);
        }
        self
    }

    pub(super) fn resign(&mut self) -> &mut Self {
        let by = self.game.turn().unwrap();
        self.does(by, Command::Resign);
        self
    }

    /// As a viewpoint that is open to Red's player.
    pub(super) fn view(&self, viewpoint: Viewpoint) -> View<'_> {
        let player = (viewpoint == Viewpoint::Blue)
            .then_some(Color::Blue)
            .or(Some(Color::Red));
        self.game.view(player, viewpoint).unwrap()
    }
}

/// Numbers below one that is given, the same in every run.
pub(super) fn dice() -> impl FnMut(usize) -> usize {
    let mut state = 1_u64;
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    }
}
