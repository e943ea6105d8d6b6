//! Mail: the server runs in this process on a clock that the test moves, and sends to a mailbox of the
//! test.

mod addresses;
mod digests;
mod notices;
mod passwords;
mod sending;

use std::time::Duration;

use serde_json::{Value, json};
use tests::client::text;
use tests::game::accept;
use tests::{Backend, Client, Game, Mailbox, Side, Timed};

use crate::lines::EVEN;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// What the settings of mail are, beside the server's URL.
const FROM: (&str, &str) = ("REVEILLE_MAIL_FROM", "Reveille <game@reveille.example>");
const PUBLIC: (&str, &str) = ("REVEILLE_PUBLIC_URL", "https://reveille.example/");

/// A server and where its mail goes.
pub(crate) struct Post {
    pub(crate) timed: Timed,
    pub(crate) mailbox: Mailbox,
}

impl Post {
    pub(crate) fn open(backend: Backend) -> Self {
        let mailbox = Mailbox::open();
        let settings = [("REVEILLE_SMTP_URL", &*mailbox.url()), FROM, PUBLIC];
        Self {
            timed: Timed::start_with(backend, &settings),
            mailbox,
        }
    }

    /// A new player who has given an address.
    fn register(&self, prefix: &str) -> (Client, String) {
        let player = self.timed.register(prefix);
        let address = format!("{}@Example.org", player.name);
        player.patch("/v1/me", &json!({"email": address})).ok(200);
        (player, address)
    }

    /// A new player whose address is verified.
    fn verified(&self, prefix: &str) -> (Client, String) {
        let (player, address) = self.register(prefix);
        player.post("/v1/me/email/verify", &json!({})).ok(202);
        self.timed.send_mail();
        let token = self.mailbox.only().token("/mail/verify");
        player
            .post("/v1/me/email/verify", &json!({"token": token}))
            .ok(204);
        // What happens from now on is told.
        self.timed.clock.advance(Duration::from_secs(1));
        (player, address)
    }

    /// A new player who gets mails of these kinds.
    pub(crate) fn receiver(&self, prefix: &str, kinds: &[&str]) -> (Client, String) {
        let (player, address) = self.verified(prefix);
        let mail = json!({
            "your_turn": kinds.contains(&"your_turn"),
            "deadline_near": kinds.contains(&"deadline_near"),
            "digest": kinds.contains(&"digest"),
        });
        let change = json!({"preferences": {"mail": mail}});
        player.patch("/v1/me", &change).ok(200);
        (player, address)
    }

    /// Lets time go by, and sends what is due then.
    fn later<'c>(&self, players: impl IntoIterator<Item = &'c mut Client>, by: Duration) -> usize {
        self.timed.advance(players, by);
        self.timed.send_mail()
    }
}

/// A game of the even armies between two players, Red to move.
pub(crate) fn game(red: &Client, blue: &Client, control: &Value) -> Game {
    let body = json!({
        "ruleset": "barrage", "color": "red", "rated": false, "opponent": blue.name,
        "time_control": control,
    });
    let challenge = red.post("/v1/challenges", &body).ok(201);
    let game = Game {
        id: text(&accept(blue, &challenge).ok(201)["id"]),
        red: red.clone(),
        blue: blue.clone(),
        ply: 0,
    };
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    game
}

pub(crate) fn unlimited() -> Value {
    json!({"kind": "unlimited"})
}

fn per_move(span: &str) -> Value {
    json!({"kind": "per_move", "per_move": span})
}
