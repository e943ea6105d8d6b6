//! How much is hidden along whole games (`knowledge.md` 3 and 4).

use domain::{Cause, Color, Rank, Reveal, Ruleset, Timeline, Viewpoint, WeighedReveal};

use crate::knowledge::{near, public_frames, sets, timeline};
use crate::oracle::{only, ranks};
use crate::players::Players;
use crate::slow::moves_at_all;
use crate::truth::Truth;

/// Along whole games the bits only fall, each fall belongs to the piece that brought it about, and
/// nothing is lost on the way.
#[test]
fn the_falls_and_what_is_left_are_what_there_was() {
    let (mut weighed, mut others, mut unweighed) = (0, 0, 0);
    for (seed, ruleset) in (0..).zip(Ruleset::ALL.repeat(6)) {
        let mut options = ruleset.default_options();
        options.silent_defense = seed % 3 == 2;
        options.rescue = seed % 2 == 1;
        let mut players = Players::of(ruleset, options, seed);
        players.play(700);
        let Timeline {
            reveals,
            information,
        } = timeline(&players.table);
        let view = players.table.game.view(None, Viewpoint::Public);
        let view = view.expect("open to all");
        let told = view.reveals();
        let took_part = |reveal: &Reveal| {
            let mv = view.move_at(reveal.ply.saturating_sub(1)).expect("played");
            let attacked = mv.attack.map(|attack| attack.defender_id);
            mv.piece == reveal.piece || attacked == Some(reveal.piece)
        };
        assert!(reveals.iter().map(|one| one.reveal).eq(told));
        let frames = public_frames(&players.table);
        assert_eq!(frames.len(), information.len());
        for (frame, point) in frames.iter().zip(&information) {
            assert_eq!(frame.ply, point.ply);
            for owner in Color::ALL {
                let bits = frame.hidden[owner].bits();
                assert!(bits >= 0.0 && near(bits, point.hidden_bits[owner]));
            }
        }
        for owner in Color::ALL {
            let own = |one: &&WeighedReveal| one.reveal.piece.owner() == owner;
            let own: Vec<&WeighedReveal> = reveals.iter().filter(own).collect();
            let mut left = information[0].hidden_bits[owner];
            for pair in information.windows(2) {
                let fall = pair[0].hidden_bits[owner] - pair[1].hidden_bits[owner];
                assert!(fall > -1e-9, "it rises by {fall} at ply {}", pair[1].ply);
                let brought = |one: &&&WeighedReveal| {
                    one.reveal.ply == pair[1].ply
                        && one.reveal.cause != Cause::GameOver
                        && took_part(&one.reveal)
                };
                let brought: Vec<_> = own.iter().filter(brought).collect();
                assert!(brought.len() < 2);
                assert!(brought.iter().all(|one| near(one.bits, fall)));
                weighed += brought.len();
                unweighed += usize::from(brought.is_empty() && fall > 1e-9);
                left -= brought.first().map_or(fall, |one| one.bits);
            }
            assert!(near(
                left,
                information[information.len() - 1].hidden_bits[owner]
            ));
            let rest = own
                .iter()
                .filter(|one| one.reveal.cause == Cause::GameOver || !took_part(&one.reveal));
            others += rest.clone().count();
            assert!(
                rest.map(|one| one.bits.abs())
                    .all(|bits| bits < f64::EPSILON)
            );
        }
    }
    println!("{weighed} weighed reveals, {others} others, {unweighed} falls without a reveal");
    assert!(weighed > 300 && others > 300 && unweighed > 300);
}

fn factorial(n: u32) -> u128 {
    (1..=u128::from(n)).product()
}

/// The number of ways by the closed form of open play, with what is disclosed put aside and
/// nothing deduced.
fn closed_form(truth: &Truth, owner: Color, plies: usize) -> u128 {
    let mut left = Ruleset::Original.army();
    let (mut still, mut moved) = (0, 0);
    for set in sets(truth, owner, plies) {
        match only(set) {
            Some(rank) => left[rank] -= 1,
            None if ranks(set).all(moves_at_all) => moved += 1,
            None => still += 1,
        }
    }
    let (movable, immovable): (Vec<_>, Vec<_>) = left
        .iter()
        .map(|(rank, count)| (rank, u32::from(*count)))
        .partition(|(rank, _)| moves_at_all(*rank));
    let among = |ranks: &[(Rank, u32)]| {
        ranks
            .iter()
            .map(|(_, count)| factorial(*count))
            .product::<u128>()
    };
    let count = |ranks: &[(Rank, u32)]| ranks.iter().map(|(_, count)| count).sum::<u32>();
    assert_eq!(still + moved, count(&movable) + count(&immovable));
    let spared = still - count(&immovable);
    let placed: u128 = (u128::from(spared) + 1..=u128::from(still)).product();
    (placed / among(&immovable)) * (factorial(count(&movable)) / among(&movable))
}

#[test]
fn in_open_play_the_bits_have_a_closed_form() {
    let mut plies = 0;
    for seed in 0..6 {
        let options = Ruleset::Original.default_options();
        let mut players = Players::of(Ruleset::Original, options, seed);
        players.play(900);
        let truth = Truth::of(&players.table);
        let information = timeline(&players.table).information;
        for (ply, point) in information.iter().enumerate() {
            for owner in Color::ALL {
                let ways = closed_form(&truth, owner, ply);
                #[expect(clippy::cast_precision_loss, reason = "to 15 digits")]
                let bits = (ways as f64).log2();
                assert!(
                    near(bits, point.hidden_bits[owner]),
                    "{bits} at ply {ply}, {point:?}"
                );
            }
        }
        plies += information.len();
    }
    println!("{plies} plies");
    assert!(plies > 2_000);
}
