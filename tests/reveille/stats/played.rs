//! Games that are played to be counted.

use domain::{Move, MoveBuffer, Options, Position, Ruleset, Setup, Style};
use serde_json::{Value, json};
use tests::dice::Dice;
use tests::{Client, Game, Side, TestServer};

/// Who played, and the finished games that everybody may see.
pub(super) struct World {
    pub(super) red: String,
    pub(super) blue: String,
    pub(super) games: Vec<String>,
}

/// What a game is played with: the ruleset, silent defence, at most so many plies, whether it counts.
const PLAN: [(Ruleset, bool, u32, bool); 22] = {
    use Ruleset::{Barrage, Duel, Original};
    [
        (Barrage, false, 60, true),
        (Barrage, true, 60, false),
        (Duel, false, 12, true),
        (Duel, false, 60, false),
        (Original, false, 24, true),
        (Original, true, 40, false),
        (Barrage, false, 80, true),
        (Barrage, false, 2, false),
        (Barrage, false, 60, true),
        (Duel, true, 70, false),
        (Barrage, false, 60, false),
        (Barrage, false, 13, true),
        (Duel, false, 60, true),
        (Barrage, true, 41, true),
        (Original, false, 56, false),
        (Barrage, false, 60, true),
        (Duel, false, 5, false),
        (Barrage, false, 60, true),
        (Barrage, true, 60, true),
        (Duel, false, 60, true),
        (Barrage, false, 60, false),
        (Barrage, false, 90, true),
    ]
};

/// Plays all of them between three players, and some that do not count.
pub(super) fn world(server: &TestServer) -> World {
    let players = ["ann", "bob", "cyn"].map(|name| server.register(name));
    let games = PLAN.iter().zip(0_usize..).map(|(plan, nth)| {
        let pair = [&players[nth % 3], &players[(nth + 1 + nth / 3 % 2) % 3]];
        play(pair, *plan, u64::try_from(nth).unwrap())
    });
    let games: Vec<String> = games.collect();
    // Aborted, running, and private.
    let [ann, bob, _] = &players;
    let aborted = begun(ann, bob, &terms(PLAN[0], &json!({})), 1).0;
    aborted.resign(Side::Blue).ok(200);
    begun(ann, bob, &terms(PLAN[0], &json!({})), 2);
    let mut private = begun(ann, bob, &terms(PLAN[1], &json!({"private": true})), 3);
    random(&mut private, 6, 3);
    private.0.resign(Side::Red).ok(200);
    World {
        red: ann.name.clone(),
        blue: bob.name.clone(),
        games,
    }
}

/// A game on the server, and the position that it stands at.
type Begun = (Game, Position);

fn terms((ruleset, silent, _, rated): (Ruleset, bool, u32, bool), more: &Value) -> Value {
    let mut terms = json!({
        "ruleset": ruleset.id(), "color": "red", "rated": rated,
        "options": {"silent_defense": silent},
        "time_control": {"kind": "per_move", "per_move": "P3D"},
    });
    for (key, value) in more.as_object().unwrap() {
        terms[key] = value.clone();
    }
    terms
}

fn begun(red: &Client, blue: &Client, terms: &Value, seed: u64) -> Begun {
    let mut challenge = terms.clone();
    challenge["opponent"] = json!(blue.name);
    let challenge = red.post("/v1/challenges", &challenge).ok(201);
    let accepted = tests::game::accept(blue, &challenge).ok(201);
    let game = Game {
        id: tests::client::text(&accepted["id"]),
        red: red.clone(),
        blue: blue.clone(),
        ply: 0,
    };
    let ruleset: Ruleset = terms["ruleset"].as_str().unwrap().parse().unwrap();
    let mut dice = Dice::new(seed);
    let setups =
        domain::ByColor::from_fn(|_| Setup::random(ruleset, Style::Uniform, |n| dice.below(n)));
    game.place(Side::Red, &setups.red.to_string()).ok(200);
    game.place(Side::Blue, &setups.blue.to_string()).ok(200);
    let options = Options {
        silent_defense: terms["options"]["silent_defense"].as_bool().unwrap(),
        ..ruleset.default_options()
    };
    (game, Position::new(options, &setups))
}

/// Plays at random, with a leaning to attack and to come near.
fn random((game, position): &mut Begun, plies: u32, seed: u64) {
    let (mut dice, mut moves) = (Dice::new(seed), MoveBuffer::new());
    while position.outcome().is_none() && position.ply() < plies {
        position.legal_moves(&mut moves);
        let liked: Vec<Move> = match dice.below(3) {
            0 => moves
                .iter()
                .copied()
                .filter(|mv| position.piece_on(mv.to).is_some())
                .collect(),
            1 => moves
                .iter()
                .copied()
                .filter(|mv| mv.from.row() != mv.to.row())
                .collect(),
            _ => Vec::new(),
        };
        let among = if liked.is_empty() { &moves[..] } else { &liked };
        let mv = among[dice.below(among.len())];
        game.attempt(&mv.to_string()).ok(201);
        game.ply += 1;
        position.play_unchecked(mv, None);
    }
}

/// Plays a game and ends it; gives its identifier.
fn play([red, blue]: [&Client; 2], plan: (Ruleset, bool, u32, bool), seed: u64) -> String {
    let mut begun = begun(red, blue, &terms(plan, &json!({})), seed);
    random(&mut begun, plan.2, seed);
    let (game, position) = begun;
    if position.outcome().is_none() {
        if seed % 4 == 1 {
            let offer = red
                .post(&game.path("/offers"), &json!({"kind": "draw"}))
                .ok(201);
            let id = tests::client::text(&offer["id"]);
            let accept = game.path(&format!("/offers/{id}/accept"));
            blue.post(&accept, &json!({})).ok(200);
        } else {
            let side = if seed.is_multiple_of(2) {
                Side::Red
            } else {
                Side::Blue
            };
            game.resign(side).ok(200);
        }
    }
    game.id
}
