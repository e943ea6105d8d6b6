//! Games that are played to be counted, and some of an archive.

use std::time::Duration;

use domain::{ByColor, Move, MoveBuffer, Options, Position, Ruleset, Setup, Style};
use serde_json::{Value, json};
use tests::client::text;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::imports::import;
use tests::setup::ORIGINAL;
use tests::{Client, Game, Side, Timed, army};

use crate::lines::EVEN;

/// Who played, and the games that everybody may see.
pub(super) struct World {
    pub(super) red: String,
    pub(super) blue: String,
    /// Who played games of the archive, as filters name him: as the account `red` is called.
    pub(super) archived: String,
    pub(super) finished: Vec<String>,
    /// Aborted, and running.
    pub(super) left: [String; 2],
}

/// What a game is played with: the ruleset, the options that are on, at most so many plies, whether it
/// counts.
type Plan = (Ruleset, &'static [&'static str], u32, bool);

const PLANS: [Plan; 23] = {
    use Ruleset::{Barrage, Duel, Original};
    const SILENT: &[&str] = &["silent_defense"];
    const BOLD: &[&str] = &["aggressor_advantage"];
    [
        (Barrage, &[], 60, true),
        (Barrage, SILENT, 60, false),
        (Duel, &[], 12, true),
        (Duel, BOLD, 60, false),
        (Original, &[], 24, true),
        (Original, SILENT, 40, false),
        (Barrage, &[], 80, true),
        (Barrage, &[], 2, false),
        (Barrage, BOLD, 60, true),
        (Duel, SILENT, 70, false),
        (Barrage, &[], 60, false),
        (Barrage, &[], 13, true),
        (Duel, &[], 60, true),
        (Barrage, SILENT, 41, true),
        (Original, &[], 56, false),
        (Barrage, &[], 60, true),
        (Duel, &[], 5, false),
        (Barrage, &[], 60, true),
        (Barrage, SILENT, 60, true),
        (Duel, &["silent_defense", "aggressor_advantage"], 60, true),
        (Barrage, &[], 60, false),
        (Barrage, &[], 90, true),
        (Original, BOLD, 70, true),
    ]
};

/// More than two days, so that games end at all hours of the day.
const BETWEEN_GAMES: Duration = Duration::from_hours(61);

/// Plays games between three players, brings some in from an archive, and leaves some that do not count.
pub(super) fn world(timed: &Timed) -> World {
    let mut players = ["ann", "bob", "cyn"].map(|name| Client::register_as(&timed.url(), name));
    let mut finished = Vec::new();
    for (plan, nth) in PLANS.iter().zip(0_usize..) {
        timed.advance(&mut players, BETWEEN_GAMES);
        let pair = [&players[nth % 3], &players[(nth + 1 + nth / 3 % 2) % 3]];
        finished.push(play(timed, pair, *plan, u64::try_from(nth).unwrap()));
    }
    timed.advance(&mut players, BETWEEN_GAMES);
    let [ann, bob, cyn] = &players;
    finished.push(with_a_rescue(timed, bob, ann));
    finished.push(with_forfeits(timed, cyn, ann));
    finished.extend(from_an_archive(ann));
    // Aborted, running, and private.
    let aborted = begun(ann, bob, &terms(PLANS[0], &json!({})), 1).0;
    aborted.resign(Side::Blue).ok(200);
    let running = begun(ann, bob, &terms(PLANS[0], &json!({})), 2).0;
    let mut private = begun(ann, bob, &terms(PLANS[1], &json!({"private": true})), 3);
    random(timed, &mut private, 6, 3);
    private.0.resign(Side::Red).ok(200);
    World {
        red: ann.name.clone(),
        blue: bob.name.clone(),
        archived: format!("gravon:{}", ann.name),
        finished,
        left: [aborted.id, running.id],
    }
}

/// A scout comes back by a rescue, is known at once, and falls again.
fn with_a_rescue(timed: &Timed, red: &Client, blue: &Client) -> String {
    let options = json!({"ruleset": "barrage", "options": {"rescue": true}});
    let armies = [
        army(Side::Red, EVEN.red),
        army(Side::Blue, "Bi7 Mb7 9b8 3f7 2j7 2f8 Se8 Fe10"),
    ];
    let moves = "i4xi7 f7-f6 a4-a5 b7-b6 a5-a6 f6-f7 a6-a7 b6-b7 a7-a8 f7-f6 a8-a9 b7-b6
        a9-a10=2@a5 f6-f7 a5-a6 b6xa6";
    told(timed, [red, blue], &options, &armies, moves)
}

/// Both sides forfeit turns: by a single step, by a long one that gives a scout away, and by one that comes
/// before the first battle of a scout that never made a step otherwise.
fn with_forfeits(timed: &Timed, red: &Client, blue: &Client) -> String {
    let options = json!({"ruleset": "original_forfeit"});
    let armies = [ORIGINAL, ORIGINAL].map(str::to_owned);
    let moves = "a4-a5 j7-j6 a5-a4 j6-j7 a4-a5 j7-j6 a5-a4 j6-j7
        b4-b6 i7-i6 b6-b4 i6-i7 b4-b6 i7-i6 b6-b4 i6-i7
        e4-e5 j6-j5 e5-e4 j5-j6 e4-e5 f7-f6 e5-e4 f6-f5 e5-e6 j6-j7 e6xe7";
    told(timed, [red, blue], &options, &armies, moves)
}

/// A game of some moves that Red gives up in the end.
fn told(
    timed: &Timed,
    [red, blue]: [&Client; 2],
    more: &Value,
    armies: &[String; 2],
    moves: &str,
) -> String {
    let mut game = accepted(red, blue, &terms((Ruleset::Barrage, &[], 0, false), more));
    game.place(Side::Red, &armies[0]).ok(200);
    game.place(Side::Blue, &armies[1]).ok(200);
    for notation in moves.split_whitespace() {
        timed.clock.advance(Duration::from_millis(2_718));
        game.line(notation);
    }
    game.resign(Side::Red).ok(200);
    game.id
}

/// Games of nobody here, one of whom is called as `who` is.
fn from_an_archive(who: &Client) -> Vec<String> {
    for (file, nth) in ["2006.3-1", "2006.3-2", "2007.0-3", "2007.1-4", "2007.1-5"]
        .into_iter()
        .zip(1_usize..)
    {
        let seed = u64::try_from(nth).unwrap();
        let mut game = GravonGame::random(&mut Dice::new(seed), 9 * nth);
        game.names = [who.name.clone(), format!("Other_{}", nth % 2)];
        if nth % 2 == 0 {
            game.names.reverse();
        }
        let done = import(who, &format!("?filename=barrage-{file}.xml"), game.xml());
        assert_eq!(done["imported"], 1, "{done}");
    }
    let query =
        "{ games(filter: {sources: [\"gravon\"]}, first: 100) { edges { node { uuid } } } }";
    let listed = who.query(query, &Value::Null);
    let edges = listed["games"]["edges"].as_array().unwrap().iter();
    edges.map(|edge| text(&edge["node"]["uuid"])).collect()
}

/// A game on the server, and the position that it stands at.
type Begun = (Game, Position);

fn terms((ruleset, on, _, rated): Plan, more: &Value) -> Value {
    let mut terms = json!({
        "ruleset": ruleset.id(), "color": "red", "rated": rated, "options": {},
        "time_control": {"kind": "per_move", "per_move": "P3D"},
    });
    for option in on {
        terms["options"][*option] = json!(true);
    }
    for (key, value) in more.as_object().unwrap() {
        terms[key] = value.clone();
    }
    terms
}

fn accepted(red: &Client, blue: &Client, terms: &Value) -> Game {
    let mut challenge = terms.clone();
    challenge["opponent"] = json!(blue.name);
    let challenge = red.post("/v1/challenges", &challenge).ok(201);
    let accepted = tests::game::accept(blue, &challenge).ok(201);
    Game {
        id: text(&accepted["id"]),
        red: red.clone(),
        blue: blue.clone(),
        ply: 0,
    }
}

fn begun(red: &Client, blue: &Client, terms: &Value, seed: u64) -> Begun {
    let game = accepted(red, blue, terms);
    let ruleset: Ruleset = terms["ruleset"].as_str().unwrap().parse().unwrap();
    let mut dice = Dice::new(seed);
    let setups = ByColor::from_fn(|_| Setup::random(ruleset, Style::Uniform, |n| dice.below(n)));
    game.place(Side::Red, &setups.red.to_string()).ok(200);
    game.place(Side::Blue, &setups.blue.to_string()).ok(200);
    let options = Options {
        silent_defense: terms["options"]["silent_defense"] == true,
        aggressor_advantage: terms["options"]["aggressor_advantage"] == true,
        ..ruleset.default_options()
    };
    (game, Position::new(options, &setups))
}

/// Plays at random, with a leaning to attack and to come near.
fn random(timed: &Timed, (game, position): &mut Begun, plies: u32, seed: u64) {
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
        let thought = 301 + dice.below(9_000);
        timed
            .clock
            .advance(Duration::from_millis(thought.try_into().unwrap()));
        game.attempt(&mv.to_string()).ok(201);
        game.ply += 1;
        position.play_unchecked(mv, None);
    }
}

/// Plays a game and ends it; gives its identifier.
fn play(timed: &Timed, [red, blue]: [&Client; 2], plan: Plan, seed: u64) -> String {
    let mut begun = begun(red, blue, &terms(plan, &json!({})), seed);
    random(timed, &mut begun, plan.2, seed);
    let (game, position) = begun;
    if position.outcome().is_none() {
        match seed % 6 {
            1 => {
                let offer = json!({"kind": "draw"});
                let offer = red.post(&game.path("/offers"), &offer).ok(201);
                let accept = game.path(&format!("/offers/{}/accept", text(&offer["id"])));
                blue.post(&accept, &json!({})).ok(200);
            }
            3 => {
                timed.clock.advance(Duration::from_hours(73));
                timed.keep_time();
            }
            even if even.is_multiple_of(2) => drop(game.resign(Side::Red).ok(200)),
            _ => drop(game.resign(Side::Blue).ok(200)),
        }
    }
    game.id
}
