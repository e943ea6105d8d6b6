//! Nobody learns what he may not know, in whatever way he asks.
//!
//! Of a running game everything is asked that can be asked: every route that the server's document
//! lists, every field that its GraphQL schema has, every stream of events, requests that are refused and
//! moves that are taken.
//! Then the stored army of one side is exchanged, in place, for another that fits all that was seen of
//! it so far, and everything is asked again. Identifiers and instants are the same by construction, so
//! each pair of answers must be equal byte for byte: status, headers, tags, lengths, bodies; and so
//! must what the process logged meanwhile, and what it counted.
//!
//! B03, B04, B05, B07, B10, B13, B14, B15, B18 and B20 are special cases of this.
//!
//! `REVEILLE_GAMES` and `REVEILLE_SEED` name how many games are played and the seed of the first.

mod ask;
mod counts;
pub(crate) mod graphql;
mod lab;
mod moves;
mod plan;
mod players;
mod prepared;
mod routes;
mod streams;
mod table;
mod words;

use domain::Ruleset;
use tests::dice::Dice;
use tests::{Backend, on_both, rounds};

use lab::Lab;
use plan::Plan;
use table::{Table, thought};

/// The seed of the first game of a short round. What is rare comes up in a few of the next: rescues under
/// silent defence, losses that stay hidden, attacks that a rescue could probe with.
const SEED: u64 = 143;

fn a_viewer_cannot_tell_two_worlds_apart(backend: Backend) {
    let games = rounds::games(match backend {
        Backend::Sqlite => 5,
        Backend::Postgres => 3,
    });
    let mut lab = Lab::start(backend);
    for nth in 0..games {
        let seed = rounds::first_seed(SEED) + nth as u64;
        println!("seed {seed}");
        let ruleset = Ruleset::ALL[nth % Ruleset::ALL.len()];
        play(&mut lab, ruleset, seed);
    }
    lab.counts.assert_enough(games);
}

/// Plays a game and compares its worlds while the armies are placed, in every other game under way,
/// where a rescue could probe, and at the end. What is asked is drawn apart from what is played: the
/// game of a seed stays what it is when there is more to ask.
fn play(lab: &mut Lab, ruleset: Ruleset, seed: u64) {
    let (mut draws, mut asks) = (Dice::new(seed), Dice::new(!seed));
    let plan = Plan::draw(ruleset, &mut draws);
    let mut table = Table::agree(&lab.timed, &plan, &mut asks);
    table.place(table.secret);
    lab.compare(&table, false, &mut asks);
    lab.compare_placing(&table, &mut asks);
    table.place(table.viewer());
    table.begun = true;
    let stop = asks.below(2 * plan.plies);
    let mut probed = false;
    for ply in 0..plan.plies {
        let could = moves::probes(&table.played, table.viewer());
        let probe = !probed && !could.is_empty();
        if ply == stop || probe {
            lab.compare(&table, false, &mut asks);
        }
        probed |= probe;
        lab.timed.clock.advance(thought(&mut asks));
        if !table.play_on(&mut draws) {
            break;
        }
    }
    lab.compare(&table, true, &mut asks);
}

on_both! { a_viewer_cannot_tell_two_worlds_apart }
