use std::sync::Arc;
use std::time::Duration;

use domain::{
    ByColor, Color, Command, Event, Game, Move, MoveBuffer, MoveRequest, Options, Ruleset, Setup,
    Style, Terms, TimeControl, Timestamp,
};
use serde_json::{Value, json};
use storage::games::{self, NewGame, StoredGame};
use storage::players::{self, NewPlayer};
use storage::{Database, GameId, PlayerId, PoolOptions};

use crate::blocking::Blocking;
use crate::clock::SystemClock;
use crate::config::GraphqlLimits;
use crate::graphql::context::{Reader, RequestContext, Viewer};
use crate::graphql::limits::Audience;
use crate::graphql::service::GraphqlService;
use crate::problem::ApiError;
use crate::usecase::usernames::username_key;

pub(super) const LIMITS: GraphqlLimits = GraphqlLimits {
    max_depth: 12,
    max_complexity: 2_000,
    max_complexity_analysis: 20_000,
    max_aliases: 30,
    max_root_fields: 15,
    max_query_bytes: 10_000,
    max_batch: 10,
    introspection: true,
    page: true,
};

const START: Timestamp = Timestamp::from_micros(1_774_605_600_000_000);

/// A database with players and games in it, and the service above it.
pub(super) struct World {
    pub(super) service: GraphqlService,
    database: Database,
    /// Seconds since the start, one for each thing that happens.
    seconds: u64,
    chance: u64,
    _folder: tempfile::TempDir,
}

impl World {
    pub(super) fn new() -> Self {
        Self::with_limits(LIMITS)
    }

    pub(super) fn with_limits(limits: GraphqlLimits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/reveille.db", folder.path().display());
        let database = Database::open(&url, &PoolOptions::default()).unwrap();
        database.migrate().unwrap();
        Self {
            service: GraphqlService::new(limits).unwrap(),
            database,
            seconds: 0,
            chance: 1,
            _folder: folder,
        }
    }

    pub(super) fn now(&mut self) -> Timestamp {
        self.seconds += 1;
        START + Duration::from_secs(self.seconds)
    }

    /// A number below `n`, the same in each run.
    fn below(&mut self, n: usize) -> usize {
        self.chance = self
            .chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.chance >> 33).unwrap() % n
    }

    pub(super) fn player(&mut self, username: &str) -> PlayerId {
        let now = self.now();
        let new = NewPlayer {
            id: PlayerId::generate(now),
            username,
            username_key: &username_key(username),
            password_hash: "secret-hash",
            email: Some("secret@example.org"),
            preferences: "{\"secret\":true}",
            created_at: now,
        };
        let made = self
            .database
            .write(|connection| players::create(connection, &new));
        made.unwrap().id
    }

    /// A game that was agreed on, of pieces few enough to meet soon.
    pub(super) fn game(&mut self, red: PlayerId, blue: PlayerId, private: bool) -> GameId {
        self.game_of(red, blue, private, Ruleset::Duel.default_options())
    }

    pub(super) fn game_of(
        &mut self,
        red: PlayerId,
        blue: PlayerId,
        private: bool,
        options: Options,
    ) -> GameId {
        let now = self.now();
        let new = NewGame {
            id: GameId::generate(now),
            players: ByColor { red, blue },
            terms: Terms {
                ruleset: Ruleset::Duel,
                options,
                time_control: TimeControl::PerMove(Duration::from_hours(72)),
                vacation: true,
                weekends: false,
            },
            rated: false,
            private,
            created_at: now,
        };
        self.database
            .write(|connection| games::create(connection, &new))
            .unwrap();
        new.id
    }

    pub(super) fn load(&self, id: GameId) -> StoredGame {
        self.database
            .read(|connection| games::load(connection, id))
            .unwrap()
    }

    pub(super) fn act(&mut self, id: GameId, by: Color, command: &Command) {
        let now = self.now();
        let before = self.load(id);
        let events = before.game.play(by, command, now).unwrap();
        let mut after: Game = before.game.clone();
        for event in &events {
            after.apply(event).unwrap();
        }
        self.database
            .write(|connection| games::append(connection, &before, after.clone(), &events, None))
            .unwrap();
    }

    pub(super) fn place(&mut self, id: GameId, side: Color) {
        let setup = Setup::random(Ruleset::Duel, Style::Uniform, |n| self.below(n));
        self.act(id, side, &Command::PlaceSetup(setup));
    }

    /// A game that is being played, with so many moves made; attacks come first.
    pub(super) fn running(&mut self, red: PlayerId, blue: PlayerId, plies: u32) -> GameId {
        let id = self.game(red, blue, false);
        self.begin(id);
        self.advance(id, plies);
        id
    }

    pub(super) fn begin(&mut self, id: GameId) {
        self.place(id, Color::Red);
        self.place(id, Color::Blue);
    }

    pub(super) fn advance(&mut self, id: GameId, plies: u32) {
        for _ in 0..plies {
            let game = self.load(id).game;
            let Some(turn) = game.turn() else { return };
            let command = self.choose(&game, turn);
            self.act(id, turn, &command);
        }
    }

    /// A move after which the game goes on, an attack if there is one.
    fn choose(&mut self, game: &Game, turn: Color) -> Command {
        let mut moves = MoveBuffer::new();
        game.legal_moves(&mut moves);
        let command = |mv: &Move| {
            Command::Move(MoveRequest {
                ply: game.ply(),
                from: Some(mv.from),
                to: Some(mv.to),
                rescue: None,
            })
        };
        let goes_on = |mv: &&Move| {
            let now = START + Duration::from_secs(self.seconds);
            let events = game.play(turn, &command(mv), now).unwrap();
            !events
                .iter()
                .any(|event| matches!(event, Event::Ended { .. }))
        };
        let moves: Vec<_> = moves.iter().filter(goes_on).collect();
        let attack = moves.iter().find(|mv| game.is_attack(***mv));
        let quiet = self.below(moves.len());
        command(attack.copied().unwrap_or(moves[quiet]))
    }

    /// A game that was played and given up.
    pub(super) fn finished(&mut self, red: PlayerId, blue: PlayerId, plies: u32) -> GameId {
        let id = self.running(red, blue, plies);
        if self.load(id).game.turn().is_some() {
            self.act(id, Color::Blue, &Command::Resign);
        }
        id
    }

    /// The answer to a query, as JSON.
    pub(super) async fn ask(&self, viewer: Option<PlayerId>, query: &str) -> Value {
        self.ask_with(viewer, query, json!({})).await
    }

    pub(super) async fn ask_with(
        &self,
        viewer: Option<PlayerId>,
        query: &str,
        variables: Value,
    ) -> Value {
        let reader = Reader {
            database: self.database.clone(),
            work: Blocking::new(4, 64),
        };
        let statistics = reader.clone();
        let clock = Arc::new(SystemClock);
        let context =
            RequestContext::new(Viewer(viewer), Audience::Public, reader, statistics, clock);
        let context = Arc::new(context);
        let request = json!({"query": query, "variables": variables});
        let request = serde_json::from_value(request).unwrap();
        serde_json::to_value(self.service.answer(request, context).await).unwrap()
    }

    /// The data of an answer without errors.
    pub(super) async fn data(&self, viewer: Option<PlayerId>, query: &str) -> Value {
        let mut answer = self.ask(viewer, query).await;
        assert_eq!(answer.get("errors"), None, "{query}");
        answer["data"].take()
    }

    /// The code of the only error of an answer.
    pub(super) async fn code(&self, viewer: Option<PlayerId>, query: &str) -> String {
        let answer = self.ask(viewer, query).await;
        let errors = answer["errors"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        assert_eq!(errors.len(), 1, "{query}: {answer}");
        errors[0]["extensions"]["code"].as_str().unwrap().to_owned()
    }

    /// Loads and reads that fail because the database is no more.
    pub(super) fn break_down(&self) -> Result<(), ApiError> {
        Ok(self.database.revert_all()?)
    }
}
