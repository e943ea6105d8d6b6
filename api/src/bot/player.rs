use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use domain::{Color, Move, Rescue, Status};
use rand::RngExt;
use serde_json::{Value, json};
use ureq::http::Method;
use uuid::Uuid;

use super::agenda::{Agenda, Task};
use super::client::{Address, Client, Credential, Fault};
use super::events::Events;
use super::mind::{Choice, Level, Sight, choose, draw_is_welcome};
use super::reply::{Challenge, Game, LegalMoves, Made, Offer, Page, Setup, Summary, Who};
use super::voice::Voice;

/// How often is looked for what waits, though nothing was told.
const LOOK_AGAIN: Duration = Duration::from_mins(5);
/// How long is waited after a request that found no server: so long, twice as long each time, and never
/// longer than the last.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LAST_WAIT: Duration = Duration::from_mins(1);
/// Games that one opponent may have with the bot at once.
const GAMES_WITH_ONE: usize = 10;
/// The most games that can be asked for: a page of a list.
const PAGE: usize = 100;

/// How a bot plays.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How well.
    pub level: Level,
    /// Where.
    pub address: Address,
    /// Whether a token that is refused now gives way to one that may be taken.
    pub renews_token: bool,
    /// How many games at once; further challenges are declined.
    pub max_games: usize,
    /// Where it says what it does.
    pub voice: Voice,
}

/// Plays for one account.
pub struct Bot {
    client: Arc<Client>,
    agenda: Arc<Agenda>,
    settings: Settings,
    me: Who,
    /// Its own last moves in each game.
    recent: HashMap<Uuid, Vec<Move>>,
}

impl Bot {
    /// Asks the server whose token this is.
    ///
    /// # Errors
    /// The server is not reached, or does not take the token.
    pub fn enter(
        settings: Settings,
        credential: Box<dyn Credential>,
        agenda: Arc<Agenda>,
    ) -> Result<Self, Fault> {
        let client = Client::new(settings.address.clone(), credential);
        let me: Who = client.get("/v1/me")?;
        settings.voice.say(format_args!(
            "{} plays at {}, level {}",
            me.username,
            client.address(),
            settings.level
        ));
        Ok(Self {
            client: Arc::new(client),
            agenda,
            settings,
            me,
            recent: HashMap::new(),
        })
    }

    /// Plays until the agenda is stopped.
    ///
    /// # Errors
    /// The token is taken no more, and there is no other.
    pub fn play(mut self) -> Result<(), Fault> {
        let (client, agenda) = (Arc::clone(&self.client), Arc::clone(&self.agenda));
        let events = Events::new(client, agenda, self.settings.voice);
        // It ends by itself when its stream does, and does nothing once the agenda is stopped.
        thread::Builder::new()
            .name("bot-events".to_owned())
            .spawn(move || events.follow())?;
        let mut wait = FIRST_WAIT;
        while let Some(task) = self.agenda.next(LOOK_AGAIN) {
            match self.look(task) {
                Ok(()) => wait = FIRST_WAIT,
                Err(fault @ (Fault::Token { .. } | Fault::NoToken(_)))
                    if !self.settings.renews_token =>
                {
                    self.agenda.stop();
                    return Err(fault);
                }
                Err(Fault::Later { wait: asked, .. }) => {
                    self.agenda.add(task);
                    self.agenda.pause(asked);
                }
                Err(
                    fault @ (Fault::Unreachable { .. } | Fault::Token { .. } | Fault::NoToken(_)),
                ) => {
                    if !self.agenda.is_stopped() {
                        self.settings.voice.warn(format_args!("{fault}"));
                    }
                    self.agenda.add(task);
                    self.agenda.pause(wait);
                    wait = (wait * 2).min(LAST_WAIT);
                }
                // Somebody was faster, or the game went on: the next event tells.
                Err(fault) => self.settings.voice.mutter(format_args!("{fault}")),
            }
        }
        Ok(())
    }

    fn look(&mut self, task: Task) -> Result<(), Fault> {
        match task {
            Task::Everything => self.look_for_all(),
            Task::Game(id) => self.look_at_game(id),
            Task::Challenge(id) => self.look_at_challenge(id),
        }
    }

    /// Notes all that waits for the bot.
    fn look_for_all(&self) -> Result<(), Fault> {
        for game in self.all::<Made>("/v1/games?turn=mine&sort=deadline")? {
            self.agenda.add(Task::Game(game.id));
        }
        for game in self.games_as("setup", usize::MAX)? {
            let seats = [&game.red, &game.blue];
            if seats
                .iter()
                .any(|seat| seat.player.id == self.me.id && !seat.setup_placed)
            {
                self.agenda.add(Task::Game(game.id));
            }
        }
        for challenge in self.all::<Made>("/v1/challenges?direction=incoming")? {
            self.agenda.add(Task::Challenge(challenge.id));
        }
        Ok(())
    }

    fn all<T: serde::de::DeserializeOwned>(&self, list: &str) -> Result<Vec<T>, Fault> {
        self.some(list, usize::MAX)
    }

    /// The first items of a list, at the least so many if there are.
    fn some<T: serde::de::DeserializeOwned>(
        &self,
        list: &str,
        enough: usize,
    ) -> Result<Vec<T>, Fault> {
        let mut items = Vec::new();
        let mut after = String::new();
        while items.len() < enough {
            let page: Page<T> = self.client.get(&format!("{list}&limit={PAGE}{after}"))?;
            items.extend(page.items);
            match page.next {
                Some(next) => after = format!("&after={next}"),
                None => break,
            }
        }
        Ok(items)
    }

    fn games_as(&self, status: &str, enough: usize) -> Result<Vec<Summary>, Fault> {
        let list = format!("/v1/games?player={}&status={status}", self.me.username);
        self.some(&list, enough)
    }

    fn look_at_challenge(&self, id: Uuid) -> Result<(), Fault> {
        let challenge: Challenge = self.client.get(&format!("/v1/challenges/{id}"))?;
        let to_me = challenge
            .opponent
            .as_ref()
            .is_some_and(|opponent| opponent.id == self.me.id);
        if !to_me || challenge.status != "open" {
            return Ok(());
        }
        let by = &challenge.challenger.username;
        let voice = self.settings.voice;
        if let Some(reason) = self.is_busy(&challenge)? {
            voice.say(format_args!("challenge by {by}: declined, {reason}"));
            let path = format!("/v1/challenges/{id}/decline");
            return self
                .client
                .tell(&Method::POST, &path, &json!({"reason": reason}));
        }
        let path = format!("/v1/challenges/{}/accept", challenge.id);
        let game: Made = self
            .client
            .post_once(&path, &json!({}), &challenge.id.to_string())?;
        voice.say(format_args!(
            "challenge by {by}: accepted, {} as game {}",
            challenge.ruleset, game.id
        ));
        self.agenda.add(Task::Game(game.id));
        Ok(())
    }

    /// Why one more game would be too many, if it would.
    fn is_busy(&self, challenge: &Challenge) -> Result<Option<&'static str>, Fault> {
        let mut games = self.games_as("active", self.settings.max_games)?;
        games.extend(self.games_as("setup", self.settings.max_games)?);
        if games.len() >= self.settings.max_games {
            return Ok(Some("I play as many games as I can; try again later"));
        }
        let opponent = challenge.challenger.id;
        let with_him = games.iter().filter(|game| {
            [&game.red, &game.blue]
                .iter()
                .any(|seat| seat.player.id == opponent)
        });
        let too_many = with_him.count() >= GAMES_WITH_ONE;
        Ok(too_many.then_some("we have as many games with each other as I play with anyone"))
    }

    fn look_at_game(&mut self, id: Uuid) -> Result<(), Fault> {
        let game: Game = self.client.get(&format!("/v1/games/{id}"))?;
        let Some(side) = game.side_of(self.me.id) else {
            return Ok(());
        };
        match game.status {
            Status::Setup => {
                self.agenda.sit(id, side);
                self.place(id, &game, side)
            }
            Status::Active => {
                self.agenda.sit(id, side);
                self.answer_offers(id, &game, side)?;
                let waits = game
                    .paused
                    .as_ref()
                    .is_some_and(|pause| pause.kind == "mutual");
                if game.turn == Some(side) && !waits {
                    self.make_move(id, &game, side)?;
                }
                Ok(())
            }
            Status::Finished | Status::Aborted => {
                if self.agenda.side_in(id).is_some() {
                    self.tell_outcome(id, &game, side);
                }
                self.agenda.leave(id);
                self.recent.remove(&id);
                Ok(())
            }
        }
    }

    fn tell_outcome(&self, id: Uuid, game: &Game, side: Color) {
        let Some(outcome) = &game.outcome else {
            return;
        };
        let word = match outcome.winner {
            None => "no winner",
            Some(winner) if winner == side => "won",
            Some(_) => "lost",
        };
        self.settings.voice.say(format_args!(
            "game {id} against {}: {word}, {}, after {} moves",
            game.opponent_of(side),
            outcome.reason,
            game.ply
        ));
    }

    fn place(&self, id: Uuid, game: &Game, side: Color) -> Result<(), Fault> {
        if game.has_placed(side) {
            return Ok(());
        }
        let wanted = json!({"ruleset": game.ruleset.id(), "style": "advised"});
        let Setup { setup } = self.client.post("/v1/setups/random", &wanted)?;
        let path = format!("/v1/games/{id}/setup");
        self.client
            .tell(&Method::PUT, &path, &json!({"setup": setup}))?;
        self.settings.voice.say(format_args!(
            "game {id} against {}: the army stands",
            game.opponent_of(side)
        ));
        Ok(())
    }

    fn answer_offers(&self, id: Uuid, game: &Game, side: Color) -> Result<(), Fault> {
        let open = |offer: &&Offer| offer.status == "open" && offer.by != side;
        for offer in game.offers.iter().filter(open) {
            let takes = match &*offer.kind {
                "pause" => true,
                "draw" => {
                    let none = LegalMoves {
                        ply: game.ply,
                        moves: Vec::new(),
                    };
                    draw_is_welcome(&game.sight(side, &none, &[]))
                }
                _ => false,
            };
            let answer = if takes { "accept" } else { "decline" };
            let path = format!("/v1/games/{id}/offers/{}/{answer}", offer.id);
            self.settings.voice.say(format_args!(
                "game {id}: {answer} the {} offered",
                offer.kind
            ));
            match self.client.tell(&Method::POST, &path, &json!({})) {
                Err(fault) if fault.is("offer_closed") => {}
                answered => answered?,
            }
        }
        Ok(())
    }

    fn make_move(&mut self, id: Uuid, game: &Game, side: Color) -> Result<(), Fault> {
        let legal: LegalMoves = self.client.get(&format!("/v1/games/{id}/legal-moves"))?;
        if legal.ply != game.ply {
            // It went on between the two answers.
            self.agenda.add(Task::Game(id));
            return Ok(());
        }
        let recent = self.recent.get(&id).map_or(&[][..], Vec::as_slice);
        let sight = game.sight(side, &legal, recent);
        let mut dice = rand::rng();
        let chosen = choose(self.settings.level, &sight, |n| dice.random_range(0..n));
        let Some(Choice { mv, rescue }) = chosen else {
            return Ok(());
        };
        let path = format!("/v1/games/{id}/moves");
        let attempt = |rescue| {
            let body = move_body(game.ply, mv, rescue);
            self.client.tell(&Method::POST, &path, &body)
        };
        match attempt(rescue) {
            Err(fault) if fault.is("illegal_rescue") => attempt(None)?,
            sent => sent?,
        }
        self.settings
            .voice
            .mutter(format_args!("game {id}: {mv} at ply {}", game.ply));
        let recent = self.recent.entry(id).or_default();
        if recent.len() == Sight::RECENT {
            recent.remove(0);
        }
        recent.push(mv);
        Ok(())
    }
}

fn move_body(ply: u32, mv: Move, rescue: Option<Rescue>) -> Value {
    let mut body = json!({"ply": ply, "from": mv.from.to_string(), "to": mv.to.to_string()});
    if let Some(rescue) = rescue {
        let square = rescue.square.to_string();
        body["rescue"] = json!({"piece": rescue.rank.to_char(), "square": square});
    }
    body
}
