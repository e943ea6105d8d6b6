//! Bots: the one that a server runs itself, and the program `reveille bot`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tests::client::text;
use tests::server::binary;
use tests::{Backend, Client, EventStream, TestServer, assert_problem, on_both};

const HOUSE_BOT: &str = "reveille-bot";

/// A program that plays; it ends with this value.
struct BotProcess {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl BotProcess {
    fn start(server: &TestServer, level: &str, token: &str) -> Self {
        let mut child = Command::new(binary())
            .args(["bot", "--level", level, "--url", server.url()])
            .env("REVEILLE_BOT_TOKEN", token)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Waits for a line that holds a text.
    #[track_caller]
    fn says(&mut self, wanted: &str) -> String {
        let mut lines = self.lines.by_ref().map(Result::unwrap);
        let found = lines.find(|line| line.contains(wanted));
        found.unwrap_or_else(|| panic!("the bot never said {wanted:?}"))
    }

    fn terminate(mut self) {
        let kill = format!("kill -TERM {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(sent.success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        let rest: Vec<String> = self.lines.by_ref().map(Result::unwrap).collect();
        assert!(rest.iter().any(|line| line == "stopping"), "{rest:?}");
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A human who plays against a bot, told by his events when it has answered.
struct Match {
    human: Client,
    stream: EventStream,
    game: String,
}

impl Match {
    /// Challenges a bot and waits until it has accepted.
    fn begin(human: Client, bot: &str, terms: &Value) -> Self {
        let mut stream = EventStream::open(&human, "/v1/me/events", None);
        let mut body = json!({
            "ruleset": "barrage", "color": "red", "opponent": bot,
            "time_control": {"kind": "unlimited"},
        });
        for (name, value) in terms.as_object().unwrap() {
            body[name] = value.clone();
        }
        human.post("/v1/challenges", &body).ok(201);
        let closed = loop {
            let event = stream.event();
            if event.name == "challenge.closed" {
                break event.json();
            }
        };
        assert_eq!(closed["challenge"]["status"], "accepted", "{closed}");
        let game = text(&closed["challenge"]["game_id"]);
        let mut table = Self {
            human,
            stream,
            game,
        };
        table.place();
        table
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/games/{}{rest}", self.game)
    }

    fn place(&mut self) {
        let game = self.human.get(&self.path("")).ok(200);
        let wanted = json!({"ruleset": game["ruleset"]});
        let made = self.human.post("/v1/setups/random", &wanted).ok(200);
        let setup = json!({"setup": made["setup"]});
        self.human.put(&self.path("/setup"), &setup).ok(200);
        self.wait_for("game.started");
    }

    #[track_caller]
    fn wait_for(&mut self, kind: &str) -> Value {
        loop {
            let event = self.stream.event();
            let told = event.json();
            let over = event.name == "game.finished";
            if event.name == kind && told["game_id"] == self.game.as_str() {
                return told;
            }
            assert!(!over, "the game ended before {kind}: {told}");
        }
    }

    /// Makes so many moves, each answered by the bot, or fewer if the game ends.
    fn play(&mut self, moves: u32) {
        for _ in 0..moves {
            let game = self.human.get(&self.path("")).ok(200);
            if game["status"] != "active" {
                return;
            }
            if game["turn"] != "red" {
                self.wait_for_the_bot();
                continue;
            }
            let legal = self.human.get(&self.path("/legal-moves")).ok(200);
            // No attack, so that the game goes on.
            let moves = legal["moves"].as_array().unwrap();
            let quiet = moves.iter().find(|mv| mv["attack"] == false);
            let chosen = quiet.unwrap_or(&moves[0]);
            let body = json!({
                "ply": legal["ply"], "from": chosen["from"], "to": chosen["to"],
            });
            self.human.post(&self.path("/moves"), &body).ok(201);
            self.wait_for_the_bot();
        }
    }

    /// Waits for a move of Blue's, or the end.
    fn wait_for_the_bot(&mut self) {
        loop {
            let event = self.stream.event();
            let told = event.json();
            if told["game_id"] != self.game.as_str() {
                continue;
            }
            let moved = event.name == "game.move" && told["move"]["side"] == "blue";
            if moved || event.name == "game.finished" {
                return;
            }
        }
    }
}

fn a_newcomer_challenges_the_house_bot_and_plays_at_once(backend: Backend) {
    let mut server = TestServer::start_with(backend, &[("REVEILLE_HOUSE_BOT", "1")]);
    let human = server.register("newcomer");
    let shown = human.get("/v1/players/reveille-bot").ok(200);
    assert_eq!(shown["title"], "BOT");
    let mut table = Match::begin(human, HOUSE_BOT, &json!({"rated": true}));
    table.play(6);
    let game = table.human.get(&table.path("")).ok(200);
    assert_eq!(game["blue"]["player"]["title"], "BOT");
    assert!(game["red"]["player"].get("title").is_none());
    assert!(server.stop().success());
    let log = server.stderr();
    assert!(log.contains("reveille-bot plays at"), "{log}");
    assert!(!log.contains("\"level\":\"ERROR\""), "{log}");
}

fn the_house_bot_plays_every_ruleset_and_option(backend: Backend) {
    let server = TestServer::start_with(backend, &[("REVEILLE_HOUSE_BOT", "2")]);
    let options = json!({
        "silent_defense": true, "rescue": true, "aggressor_advantage": true, "no_progress_plies": 50,
    });
    for ruleset in ["original", "duel", "classic", "original_forfeit", "barrage"] {
        let terms = json!({"ruleset": ruleset, "options": options, "private": true});
        let mut table = Match::begin(server.register("guest"), HOUSE_BOT, &terms);
        table.play(3);
    }
}

/// What the house bot has begun it goes on with after a restart.
fn the_house_bot_finds_what_waits_when_it_starts(backend: Backend) {
    let mut server = TestServer::start_with(backend, &[("REVEILLE_HOUSE_BOT", "1")]);
    let human = server.register("patient");
    let mut table = Match::begin(human, HOUSE_BOT, &json!({}));
    table.play(1);
    let Match { human, game, .. } = table;
    assert!(server.stop().success());
    server.restart();
    let human = human.at(server.url());
    let stream = EventStream::open(&human, "/v1/me/events", None);
    let mut table = Match {
        human,
        stream,
        game,
    };
    table.play(3);
}

fn without_a_house_bot_nobody_has_its_name(server: &TestServer) {
    let client = server.client();
    client.get("/v1/players/reveille-bot").ok(404);
    for name in [HOUSE_BOT, "Reveille-Bot"] {
        let body = json!({"username": name, "password": "correct horse"});
        let refused = client.post("/v1/auth/register", &body);
        assert_problem(&refused, 409, "username_taken");
    }
}

fn nobody_logs_in_as_the_house_bot(backend: Backend) {
    let server = TestServer::start_with(backend, &[("REVEILLE_HOUSE_BOT", "1")]);
    let body = json!({"username": HOUSE_BOT, "password": "correct horse"});
    let refused = server.client().post("/v1/auth/login", &body);
    assert_problem(&refused, 401, "invalid_credentials");
}

/// The name was a player's before it was the bot's.
fn a_player_of_that_name_keeps_it(backend: Backend) {
    let mut server = TestServer::start(backend);
    let player = server.register("before");
    server.database().run(&format!(
        "UPDATE players SET username = '{HOUSE_BOT}', username_key = '{HOUSE_BOT}' \
         WHERE username = '{}'",
        player.name
    ));
    let shown = player.get("/v1/players/reveille-bot").ok(200);
    assert!(shown.get("title").is_none());
    server.stop();
    let refused = server
        .command(&["serve", "--house-bot", "2"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("needs the username reveille-bot"), "{said}");
    server.restart();
}

/// Two programs for one account: each sees what the other does, and nothing is done twice.
fn bots_play_until_told_to_stop(server: &TestServer) {
    let account = server.register("robot");
    let token = account.token.clone().unwrap();
    let mut first = BotProcess::start(server, "2", &token);
    let mut second = BotProcess::start(server, "3", &token);
    for bot in [&mut first, &mut second] {
        bot.says(&format!("{} plays at {}", account.name, server.url()));
    }
    let human = server.register("human");
    let mut table = Match::begin(human, &account.name, &json!({"ruleset": "duel"}));
    table.play(4);
    let offered = table
        .human
        .post(&table.path("/offers"), &json!({"kind": "draw"}));
    if offered.status == 201 {
        // Before the bot answers, or after it.
        let closed = table.wait_for("game.offer");
        let status = text(&closed["offer"]["status"]);
        let status = match &*status {
            "open" => text(&table.wait_for("game.offer")["offer"]["status"]),
            _ => status,
        };
        assert_eq!(status, "declined");
    }
    first.terminate();
    second.terminate();
}

fn a_bot_says_why_it_does_not_play(server: &TestServer) {
    let run = |arguments: &[&str], token: Option<&str>| {
        let mut command = Command::new(binary());
        command.arg("bot").args(arguments);
        command.env_remove("REVEILLE_BOT_TOKEN");
        command.envs(token.map(|token| ("REVEILLE_BOT_TOKEN", token)));
        let ended = command.output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        (ended.status.code(), said)
    };
    let (code, said) = run(&["--url", server.url()], Some("nonsense"));
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.starts_with("error: the server refuses the token: "),
        "{said}"
    );
    // Nothing listens on the port that nobody can have.
    let (code, said) = run(&["--url", "http://127.0.0.1:1"], Some("token"));
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.starts_with("error: cannot reach http://127.0.0.1:1: "),
        "{said}"
    );
    for arguments in [
        &["--level", "4"][..],
        &["--url", "here"],
        &["--max-games", "0"],
    ] {
        let (code, said) = run(arguments, Some("token"));
        assert_eq!(code, Some(2), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    let (code, said) = run(&[], None);
    assert_eq!((code, said.contains("--token")), (Some(2), true), "{said}");
    let (code, said) = run(&["--help"], Some("not-to-be-shown"));
    assert_eq!((code, said.contains("not-to-be-shown")), (Some(0), false));
}

on_both! {
    a_newcomer_challenges_the_house_bot_and_plays_at_once,
    the_house_bot_plays_every_ruleset_and_option,
    the_house_bot_finds_what_waits_when_it_starts,
    without_a_house_bot_nobody_has_its_name,
    nobody_logs_in_as_the_house_bot,
    a_player_of_that_name_keeps_it,
    bots_play_until_told_to_stop,
    a_bot_says_why_it_does_not_play,
}
