//! A year of games in a few seconds: players who move, stay away, pause, go on vacation and let their time
//! run out, against clocks that are told hour by hour (`model`) and ratings that are kept game by game
//! (`ratings`).

mod cases;
mod model;
mod ratings;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use tests::client::{PASSWORD, text};
use tests::dice::Dice;
use tests::game::accept;
use tests::{Backend, Client, Side, Timed, on_both, rounds};

use self::model::{Clocks, Control};
use self::ratings::Pools;
use crate::lines::EVEN;

const HOURS: u64 = 365 * 24;
const HOUR: Duration = Duration::from_hours(1);
const PLAYERS: usize = 6;
const GAMES: usize = 5;

struct Played {
    id: String,
    ruleset: &'static str,
    players: [usize; 2],
    clocks: Clocks,
    /// Nobody places his army, or moves, any more.
    abandoned: bool,
}

struct Year {
    timed: Timed,
    dice: Dice,
    start: DateTime<Utc>,
    hour: u64,
    players: Vec<Client>,
    /// Until when each is away.
    away: Vec<Option<u64>>,
    games: Vec<Played>,
    pools: Pools,
    ended: Ended,
}

#[derive(Debug, Default)]
struct Ended {
    lost_on_time: usize,
    called_off: usize,
    on_the_board: usize,
    agreed: usize,
    resigned: usize,
    outages: usize,
    pauses: usize,
    vacations: usize,
}

impl Year {
    fn at(&self, hour: u64) -> DateTime<Utc> {
        self.start + TimeDelta::hours(i64::try_from(hour).unwrap())
    }

    /// A clock of which every hour is kept, and tokens that last.
    fn pass(&mut self, hours: u64) {
        for _ in 0..hours {
            for index in 0..self.games.len() {
                let away = self.away_of(index);
                self.games[index].clocks.pass(self.hour, away);
            }
            self.hour += 1;
            self.timed.clock.advance(HOUR);
            self.timed.keep_time();
            self.come_back();
        }
    }

    /// Whoever has used up his days.
    fn come_back(&mut self) {
        for until in &mut self.away {
            *until = until.filter(|until| *until > self.hour);
        }
    }

    fn away_of(&self, index: usize) -> [bool; 2] {
        self.games[index]
            .players
            .map(|player| self.away[player].is_some())
    }

    /// New tokens: those of an hour ago have run out.
    fn player(&mut self, player: usize) -> &Client {
        let client = &mut self.players[player];
        let anyone = client.with_token(None);
        let body = json!({"refresh_token": client.refresh_token});
        let mut answer = anyone.post("/v1/auth/refresh", &body);
        if answer.status == 401 {
            // He was away for longer than a login lasts.
            let body = json!({"username": client.name, "password": PASSWORD});
            answer = anyone.post("/v1/auth/login", &body);
        }
        let tokens = answer.ok(200);
        client.token = Some(text(&tokens["tokens"]["access_token"]));
        client.refresh_token = text(&tokens["tokens"]["refresh_token"]);
        client
    }

    fn begin(&mut self) {
        let red = self.dice.below(PLAYERS);
        let blue = (red + 1 + self.dice.below(PLAYERS - 1)) % PLAYERS;
        let control = *self.dice.pick(&[
            Control::PerMove(72),
            Control::PerMove(24),
            Control::Fischer {
                initial: 120,
                increment: 12,
                max: 144,
            },
            Control::Unlimited,
        ]);
        let (weekends, vacation) = (self.dice.one_in(3), !self.dice.one_in(3));
        let ruleset = *self.dice.pick(&["barrage", "duel"]);
        let body = json!({
            "ruleset": ruleset, "color": "red", "rated": true, "weekends": weekends,
            "vacation": vacation, "time_control": written(control),
        });
        let challenge = self.player(red).post("/v1/challenges", &body).ok(201);
        let game = accept(self.player(blue), &challenge).ok(201);
        let mut played = Played {
            id: text(&game["id"]),
            ruleset,
            players: [red, blue],
            clocks: Clocks::new(control, weekends, vacation),
            abandoned: self.dice.one_in(6),
        };
        if !played.abandoned {
            for (side, player) in [(0, red), (1, blue)] {
                let setup = setup(ruleset, side);
                let path = format!("/v1/games/{}/setup", played.id);
                let answer = self.player(player).put(&path, &json!({"setup": setup}));
                answer.ok(200);
                played.clocks.place(side);
            }
        }
        self.games.push(played);
    }

    /// Something that a player does in a game, or nothing.
    fn act(&mut self, index: usize) {
        let played = &self.games[index];
        let Some(turn) = played.clocks.turn.filter(|_| !played.abandoned) else {
            return;
        };
        let (id, players) = (played.id.clone(), played.players);
        let path = |rest: &str| format!("/v1/games/{id}{rest}");
        let (mover, other) = (players[turn], players[1 - turn]);
        match self.dice.below(150) {
            0 => self.games[index].abandoned = true,
            1 => {
                self.player(other)
                    .post(&path("/resign"), &json!({}))
                    .ok(200);
                self.ended.resigned += 1;
                self.end(index, self.hour, Some(turn));
            }
            2 | 3 if !played.clocks.agreed_pause => {
                let offer = json!({"kind": if self.dice.one_in(3) { "draw" } else { "pause" }});
                let made = self.player(other).post(&path("/offers"), &offer);
                if made.status == 409 {
                    return;
                }
                let answer = path(&format!("/offers/{}/accept", text(&made.json()["id"])));
                let answered = self.player(mover).post(&answer, &json!({})).ok(200);
                if answered["status"] == "active" {
                    self.games[index].clocks.agreed_pause = true;
                    self.ended.pauses += 1;
                } else {
                    self.ended.agreed += 1;
                    self.end(index, self.hour, None);
                }
            }
            4..15 if played.clocks.agreed_pause => {
                self.player(other)
                    .post(&path("/resume"), &json!({}))
                    .ok(200);
                self.games[index].clocks.agreed_pause = false;
            }
            15..125 => self.make_a_move(index, mover),
            _ => {}
        }
    }

    fn make_a_move(&mut self, index: usize, mover: usize) {
        let (id, ply) = (self.games[index].id.clone(), self.games[index].clocks.plies);
        let legal = self
            .player(mover)
            .get(&format!("/v1/games/{id}/legal-moves"))
            .ok(200);
        let legal = legal["moves"].as_array().unwrap().clone();
        // Attacks and the way to them bring a game to its end.
        let row = |square: &Value| text(square)[1..].parse::<u32>().unwrap();
        let leads_on = |mv: &&Value| {
            let (from, to) = (row(&mv["from"]), row(&mv["to"]));
            mv["attack"] == true || (to != from && (to > from) == ply.is_multiple_of(2))
        };
        let liked: Vec<&Value> = legal.iter().filter(leads_on).collect();
        let mv = if liked.is_empty() || self.dice.one_in(4) {
            self.dice.pick(&legal).clone()
        } else {
            (*self.dice.pick(&liked)).clone()
        };
        let body = json!({"ply": ply, "from": mv["from"], "to": mv["to"]});
        let path = format!("/v1/games/{id}/moves");
        let made = self.players[mover].post(&path, &body).ok(201);
        self.games[index].clocks.play();
        if made["game"]["status"] != "active" {
            self.ended.on_the_board += 1;
            let winner = &made["game"]["outcome"]["winner"];
            let winner = ["red", "blue"].iter().position(|side| winner == side);
            self.end(index, self.hour, winner);
        }
    }

    /// Puts a game away that ended at an hour, and rates it if both sides have moved.
    fn end(&mut self, index: usize, hour: u64, winner: Option<usize>) {
        let played = self.games.remove(index);
        let gained = (played.clocks.plies >= 2).then(|| {
            self.pools
                .rate(played.ruleset, played.players, winner, hour)
        });
        let anyone = self.players[0].with_token(None);
        let view = anyone.get(&format!("/v1/games/{}", played.id)).ok(200);
        for (side, name) in ["red", "blue"].iter().enumerate() {
            let shown = view[name]["rating_change"].as_f64();
            ratings::assert_near(shown, gained.map(|gained| gained[side]), &view);
        }
    }

    fn go_on_vacation(&mut self) {
        let player = self.dice.below(PLAYERS);
        if self.away[player].is_some() {
            if self.dice.one_in(2) {
                self.player(player).delete("/v1/me/vacation").ok(204);
                self.away[player] = None;
            }
            return;
        }
        let days = self.player(player).get("/v1/me/vacation").ok(200)["days_left"].clone();
        // A whole number of hours, so that the model can tell it.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 720"
        )]
        let left = (days.as_f64().unwrap() * 24.0) as u64;
        if left < 2 {
            return;
        }
        let until = self.hour + 1 + self.dice.below(usize::try_from(left).unwrap()) as u64;
        let body = json!({"until": self.at(until).to_rfc3339()});
        let taken = self.players[player].put("/v1/me/vacation", &body).ok(200);
        assert_eq!(taken["active"], true);
        self.away[player] = Some(until);
        self.ended.vacations += 1;
    }

    /// The server is down for a while: nobody's time passes.
    fn go_down(&mut self) {
        let hours = 1 + self.dice.below(100) as u64;
        self.timed
            .restart_after(HOUR * u32::try_from(hours).unwrap());
        self.timed.keep_time();
        self.hour += hours;
        self.come_back();
        let base = self.timed.url();
        for player in &mut self.players {
            *player = player.at(&base);
        }
        self.ended.outages += 1;
    }

    /// Every game is as the model has it; those that are over are put away.
    fn compare(&mut self) {
        self.end_lost();
        let anyone = self.players[0].with_token(None);
        for (index, played) in self.games.iter().enumerate() {
            let clocks = &played.clocks;
            let view = anyone.get(&format!("/v1/games/{}", played.id)).ok(200);
            let stands = clocks.stands(self.hour, self.away_of(index));
            let deadline = clocks.deadline(self.hour).filter(|_| !stands);
            let expected = deadline.map(|hour| self.at(hour));
            let shown = (!view["deadline"].is_null()).then(|| instant(&view["deadline"]));
            assert_eq!(shown, expected, "hour {}: {clocks:?} {view}", self.hour);
            assert_eq!(view["paused"].is_null(), !stands, "{view}");
            assert_eq!(view["ply"], clocks.plies);
        }
    }

    /// Those whose time ran out, in the order in which it did.
    fn end_lost(&mut self) {
        let lost = |played: &Played| Some((played.clocks.lost_at?, played.id.clone()));
        let mut all: Vec<(u64, String)> = self.games.iter().filter_map(lost).collect();
        all.sort();
        for (hour, id) in all {
            let index = self.games.iter().position(|played| played.id == id);
            let index = index.expect("it is there");
            let clocks = &self.games[index].clocks;
            let anyone = self.players[0].with_token(None);
            let view = anyone.get(&format!("/v1/games/{id}")).ok(200);
            assert_eq!(instant(&view["finished_at"]), self.at(hour), "{clocks:?}");
            assert_eq!(view["outcome"], outcome(clocks), "{clocks:?}");
            if clocks.plies < 2 {
                self.ended.called_off += 1;
            } else {
                self.ended.lost_on_time += 1;
            }
            let winner = clocks.turn.map(|turn| 1 - turn);
            self.end(index, hour, winner);
        }
    }
}

fn written(control: Control) -> Value {
    let hours = |hours| format!("PT{hours}H");
    match control {
        Control::PerMove(time) => json!({"kind": "per_move", "per_move": hours(time)}),
        Control::Fischer {
            initial,
            increment,
            max,
        } => json!({"kind": "fischer", "initial": hours(initial),
            "increment": hours(increment), "max": hours(max)}),
        Control::Unlimited => json!({"kind": "unlimited"}),
    }
}

fn setup(ruleset: &str, side: usize) -> String {
    let (red, blue) = if ruleset == "barrage" {
        EVEN.setups()
    } else {
        (
            tests::army(Side::Red, "Ma4 9b4 3e4 Sf4 2i4 2j4 3a3 Bb2 Bb1 Fa1"),
            tests::army(Side::Blue, "Ma7 9b7 3e7 Sf7 2i7 2j7 3a8 Bb9 Bb10 Fa10"),
        )
    };
    if side == 0 { red } else { blue }
}

fn instant(value: &Value) -> DateTime<Utc> {
    text(value).parse().unwrap()
}

fn outcome(clocks: &Clocks) -> Value {
    let Some(turn) = clocks.turn else {
        return json!({"winner": null, "reason": "setup_timeout"});
    };
    let winner = (clocks.plies >= 2).then_some(["blue", "red"][turn]);
    json!({"winner": winner, "reason": "timeout"})
}

fn a_year_of_games_is_as_the_clocks_tell(backend: Backend) {
    let timed = Timed::start(backend);
    let players = (0..PLAYERS).map(|_| timed.register("year")).collect();
    let seed = rounds::first_seed(365);
    println!("seed {seed}");
    let mut year = Year {
        start: "2026-11-29T21:00:00Z".parse().unwrap(),
        timed,
        dice: Dice::new(seed),
        hour: 0,
        players,
        away: vec![None; PLAYERS],
        games: Vec::new(),
        pools: Pools::default(),
        ended: Ended::default(),
    };
    while year.hour < HOURS {
        let hours = 1 + year.dice.below(18) as u64;
        year.pass(hours);
        year.compare();
        while year.games.len() < GAMES {
            year.begin();
        }
        for index in (0..year.games.len()).rev() {
            year.act(index);
        }
        if year.dice.one_in(20) {
            year.go_on_vacation();
        }
        if year.dice.one_in(100) {
            year.go_down();
        }
        year.compare();
    }
    year.pools.compare(&year.players);
    println!("{:?}", year.ended);
    let Ended {
        lost_on_time,
        called_off,
        on_the_board,
        agreed,
        resigned,
        outages,
        pauses,
        vacations,
    } = year.ended;
    for count in [
        lost_on_time,
        called_off,
        on_the_board,
        agreed,
        resigned,
        outages,
        pauses,
        vacations,
    ] {
        assert!(count > 0, "every way comes up");
    }
}

on_both! {
    a_year_of_games_is_as_the_clocks_tell,
}
