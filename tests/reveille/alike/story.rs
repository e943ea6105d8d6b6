//! Games and challenges in every state that leaves something open: without a deadline, without an end,
//! without an outcome, without an opponent.

use std::time::Duration;

use serde_json::{Value, json};
use tests::client::text;
use tests::game::accept;
use tests::{Client, Game, Side, Timed};

use crate::lines::{BLUE_TAKES_THE_FLAG, EVEN, RED_TAKES_THE_FLAG};
use crate::offers::offer;

/// What there is to read.
pub(super) struct Story {
    /// Who reads: two who play, some games with each other, and nobody in particular.
    pub(super) readers: Vec<Client>,
    /// The usernames, one of them of nobody.
    pub(super) usernames: Vec<String>,
    pub(super) games: Vec<String>,
    pub(super) challenges: Vec<String>,
    pub(super) setups: Vec<String>,
    pub(super) webhooks: Vec<String>,
}

/// Those who play, and the clock, which moves a little before everything that is made, so that what is
/// ordered by time is ordered.
struct Stage<'t> {
    timed: &'t Timed,
    ann: Client,
    bob: Client,
    cyd: Client,
    told: Story,
}

impl Story {
    pub(super) fn tell(timed: &Timed) -> Self {
        let register = |name: &str| {
            timed.clock.advance(Duration::from_millis(1_001));
            Client::register_as(&timed.url(), name)
        };
        let mut stage = Stage {
            timed,
            ann: register("Ann_A"),
            bob: register("bob-b"),
            cyd: register("Cyd"),
            told: Self {
                readers: Vec::new(),
                usernames: vec!["nobody_here".to_owned()],
                games: Vec::new(),
                challenges: Vec::new(),
                setups: Vec::new(),
                webhooks: Vec::new(),
            },
        };
        let (gone, dan) = (register("gone"), register("Dan"));
        stage.games_of_dan(&dan);
        stage.games(&gone);
        stage.challenges();
        stage.setups();
        stage.webhooks();
        stage.tick();
        gone.delete("/v1/me").ok(204);
        stage.run_out();
        stage.told
    }
}

impl Stage<'_> {
    fn tick(&self) {
        self.timed.clock.advance(Duration::from_millis(1_001));
    }

    /// Makes a challenge.
    fn challenge(&mut self, by: &Client, body: &Value) -> Value {
        self.tick();
        let made = by.post("/v1/challenges", body).ok(201);
        self.told.challenges.push(text(&made["id"]));
        made
    }

    /// A game of these terms in setup, with `red` as Red.
    fn game(&mut self, red: &Client, blue: &Client, terms: &Value) -> Game {
        let mut body = terms.clone();
        body["color"] = json!("red");
        body["opponent"] = json!(blue.name);
        let challenge = self.challenge(red, &body);
        self.tick();
        let id = text(&accept(blue, &challenge).ok(201)["id"]);
        self.told.games.push(id.clone());
        Game {
            id,
            red: red.clone(),
            blue: blue.clone(),
            ply: 0,
        }
    }

    fn placed(&mut self, red: &Client, blue: &Client, terms: &Value, setups: [&str; 2]) -> Game {
        let game = self.game(red, blue, terms);
        for (side, setup) in [Side::Red, Side::Blue].into_iter().zip(setups) {
            self.tick();
            game.place(side, setup).ok(200);
        }
        game
    }

    fn line(&self, game: &mut Game, moves: &str) {
        for notation in moves.split_whitespace() {
            self.tick();
            game.line(notation);
        }
    }

    fn games(&mut self, gone: &Client) {
        let (ann, bob, cyd) = (self.ann.clone(), self.bob.clone(), self.cyd.clone());
        let days = json!({"ruleset": "barrage",
            "time_control": {"kind": "per_move", "per_move": "P3D"}});
        let endless = json!({"ruleset": "barrage", "time_control": {"kind": "unlimited"}});
        let (red, blue) = EVEN.setups();
        let even = [red.as_str(), &blue];

        // Nothing placed, and one army placed.
        self.game(&ann, &bob, &days);
        let rescue = json!({"ruleset": "barrage", "time_control": {"kind": "unlimited"},
            "options": {"rescue": true, "silent_defense": true}});
        let half = self.game(&bob, &ann, &rescue);
        half.place(Side::Red, &red).ok(200);
        // Running: with a deadline and without, with an offer and without, of few moves and of none.
        let mut running = self.placed(&ann, &bob, &days, even);
        self.line(&mut running, "i4xi7 j7xj4 a4-a5");
        let mut open = self.placed(&bob, &ann, &endless, even);
        self.line(&mut open, "a4-a5");
        offer(&open, Side::Blue).ok(201);
        let mut private = endless.clone();
        private["private"] = json!(true);
        let mut silent = rescue;
        silent["private"] = json!(true);
        let mut secret = self.placed(&ann, &cyd, &silent, even);
        self.line(&mut secret, "a4-a5 a7-a6 j4xj7");
        self.placed(&cyd, &bob, &endless, even);
        // Over: by a flag on both sides, by nobody left to move, by resigning, before it began.
        for line in [&RED_TAKES_THE_FLAG, &BLUE_TAKES_THE_FLAG, &EVEN] {
            let mut terms = days.clone();
            terms["ruleset"] = json!(line.ruleset);
            let (red, blue) = line.setups();
            let mut over = self.placed(&ann, &bob, &terms, [&red, &blue]);
            self.line(&mut over, line.moves);
        }
        let mut resigned = self.placed(&bob, &cyd, &private, even);
        self.line(&mut resigned, "a4-a5 a7-a6");
        resigned.resign(Side::Red).ok(200);
        let never = self.game(&cyd, &ann, &days);
        cyd.post(&never.path("/abort"), &json!({})).ok(200);
        // To be played again, with something noted on it.
        self.tick();
        let rematch = cyd.post(&never.path("/rematch"), &json!({})).ok(201);
        self.told.challenges.push(text(&rematch["id"]));
        self.tick();
        let note = json!({"text": "called off,\n\tand \"𝔘\" again"});
        ann.put(&never.path("/notes"), &note).ok(200);
        // Of an account that is erased later.
        let mut left = self.placed(&ann, gone, &endless, even);
        self.line(&mut left, "a4-a5 a7-a6");
        // Its clock runs out.
        let minute = json!({"ruleset": "barrage",
            "time_control": {"kind": "per_move", "per_move": "PT1M"}});
        let mut timed = self.placed(&cyd, &ann, &minute, even);
        self.line(&mut timed, "a4-a5 a7-a6");
    }

    /// Of Dan, whose games have all begun: what is asked of all games of his has an answer.
    fn games_of_dan(&mut self, dan: &Client) {
        let (ann, cyd) = (self.ann.clone(), self.cyd.clone());
        let terms = json!({"ruleset": "barrage", "time_control": {"kind": "unlimited"}});
        let (red, blue) = EVEN.setups();
        let mut running = self.placed(dan, &ann, &terms, [&red, &blue]);
        self.line(&mut running, "i4xi7 j7xj4 a4-a5");
        let (red, blue) = RED_TAKES_THE_FLAG.setups();
        let mut over = self.placed(&cyd, dan, &terms, [&red, &blue]);
        self.line(&mut over, RED_TAKES_THE_FLAG.moves);
    }

    fn challenges(&mut self) {
        let (ann, bob, cyd) = (self.ann.clone(), self.bob.clone(), self.cyd.clone());
        for ruleset in ["original", "duel"] {
            let open = json!({"ruleset": ruleset, "time_control": {"kind": "unlimited"}});
            self.challenge(&cyd, &open);
            self.challenge(&ann, &open);
        }
        let to_ann = json!({"ruleset": "classic", "opponent": ann.name,
            "time_control": {"kind": "per_move", "per_move": "P1D"}});
        self.challenge(&bob, &to_ann);
        let declined = self.challenge(&cyd, &to_ann);
        let path = format!("/v1/challenges/{}/decline", text(&declined["id"]));
        self.tick();
        ann.post(&path, &json!({})).ok(204);
        let taken_back = self.challenge(&bob, &to_ann);
        let path = format!("/v1/challenges/{}", text(&taken_back["id"]));
        self.tick();
        bob.delete(&path).ok(204);
    }

    fn setups(&mut self) {
        for name in ["Zwei", "eins", "Ωμέγα \"𝔘\""] {
            self.tick();
            let body = json!({"name": name, "ruleset": "barrage", "setup": EVEN.setups().0});
            let saved = self.ann.post("/v1/me/setups", &body).ok(201);
            self.told.setups.push(text(&saved["id"]));
        }
    }

    /// One that is told everything and one that is not, both disabled: nobody is there.
    fn webhooks(&mut self) {
        for kinds in [json!(["game.move"]), json!(["game.offer", "game.move"])] {
            self.tick();
            let body = json!({
                "url": "https://Receiver.example:443/a?b", "secret": "a secret of this test", "kinds": kinds,
            });
            let made = self.ann.post("/v1/me/webhooks", &body).ok(201);
            let id = text(&made["id"]);
            let path = format!("/v1/me/webhooks/{id}");
            self.ann.patch(&path, &json!({"enabled": false})).ok(200);
            self.told.webhooks.push(id);
        }
    }

    /// The clock of the last game runs out, and everybody gets a token that still holds.
    fn run_out(&mut self) {
        let minutes = Duration::from_mins(20);
        let players = [&mut self.ann, &mut self.bob, &mut self.cyd];
        self.timed.advance(players, minutes);
        let game = self.told.games.last().expect("games").clone();
        let late = json!({"ply": 2, "from": "b4", "to": "b5"});
        let refused = self.cyd.post(&format!("/v1/games/{game}/moves"), &late);
        assert_eq!(refused.status, 409, "{refused:?}");
        let everybody = [&self.ann, &self.bob, &self.cyd].map(Client::clone);
        let nobody = Client::new(&self.timed.url());
        let names = everybody.iter().map(|player| player.name.clone());
        self.told.usernames.extend(names);
        let [ann, _, cyd] = everybody;
        self.told.readers = vec![ann, cyd, nobody];
    }
}
