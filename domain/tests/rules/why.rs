//! How what is known was come to (`knowledge.md` 2).

use domain::{
    Chronicle, Color, Command, Evidence, Observation, PieceId, Rank, RankSet, View, Viewpoint,
};

use crate::disclosure::rescue_game;
use crate::knowledge::{a_spy_falls, two_withstand};
use crate::oracle::{Mask, bit, mask};
use crate::players::Players;
use crate::support::{Dice, Table, long_rounds};
use crate::truth::Truth;

fn view(table: &Table, viewpoint: Viewpoint) -> Option<View<'_>> {
    let player = match viewpoint {
        Viewpoint::Red => Some(Color::Red),
        Viewpoint::Blue => Some(Color::Blue),
        Viewpoint::Public | Viewpoint::Omniscient => None,
    };
    table.game.view(player, viewpoint)
}

/// What holds of every chain; `known` is what the piece could be for the viewpoint.
fn assert_proves(chain: &[Observation], known: Mask, ply: u32) {
    assert!(chain.is_sorted_by_key(|step| step.ply));
    let sets: Vec<Mask> = chain.iter().map(|step| mask(step.leaves)).collect();
    for pair in sets.windows(2) {
        let fewer = pair[0] != pair[1] && pair[1] & !pair[0] == 0;
        assert!(fewer, "{chain:?}");
    }
    assert_eq!(sets.last(), Some(&known), "{chain:?} after {ply}");
    for (at, step) in chain.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| sets[at]);
        let left = mask(step.leaves);
        let shows = match step.evidence {
            Evidence::Own | Evidence::Rescued | Evidence::Returned => at == 0,
            Evidence::Army => at == 0 && step.ply == 0,
            Evidence::ScoutMove => left == bit(Rank::Scout),
            Evidence::Moved => left & (bit(Rank::Flag) | bit(Rank::Bomb)) == 0,
            Evidence::Rescuer => left & bit(Rank::Scout) == 0,
            Evidence::Attacked | Evidence::WasAttacked => left.is_power_of_two(),
            Evidence::Withstood(by) | Evidence::FellTo(by) => by != Rank::Scout,
            Evidence::Elimination(gone) => {
                before == Some(left | mask(gone)) && left & mask(gone) == 0
            }
            Evidence::GameOver => at + 1 == chain.len(),
        };
        assert!(shows, "{chain:?}");
    }
}

#[test]
fn every_chain_proves_what_is_known() {
    let (mut chains, mut eliminations, mut ended) = (0, 0, 0);
    for seed in 0..if long_rounds() { 2_000 } else { 200 } {
        let mut players = Players::any(seed);
        players.play(250);
        let table = &players.table;
        let truth = Truth::of(table);
        let end = table.game.ply();
        let below = usize::try_from(end).expect("small") + 1;
        let mut dice = Dice::new(seed);
        let past = [(); 3].map(|()| u32::try_from(dice.below(below)).expect("small"));
        for view in Viewpoint::ALL
            .iter()
            .filter_map(|viewpoint| view(table, *viewpoint))
        {
            let chronicle = view.chronicle();
            let open = view.viewpoint() == Viewpoint::Omniscient;
            for ply in past.into_iter().chain([0, end]) {
                for piece in PieceId::all() {
                    let chain = view.why(&chronicle, piece, ply);
                    let known = truth.possible(piece, view.viewpoint(), ply);
                    let Some(chain) = chain else {
                        assert_eq!(known, 0, "{piece} after {ply}");
                        continue;
                    };
                    assert_ne!(known, 0, "{piece} after {ply}");
                    assert_proves(&chain, known, ply);
                    let last = chain[chain.len() - 1];
                    let own = Viewpoint::of(Some(piece.owner())) == view.viewpoint();
                    let says_own = chain.iter().any(|step| step.evidence == Evidence::Own);
                    assert_eq!((own, own && chain.len() == 1), (says_own, own));
                    assert!(last.ply <= ply || open && last.evidence == Evidence::GameOver);
                    chains += 1;
                    ended += u32::from(last.evidence == Evidence::GameOver);
                    let by_others =
                        |step: &&Observation| matches!(step.evidence, Evidence::Elimination(_));
                    eliminations += chain.iter().filter(by_others).count();
                }
            }
        }
    }
    println!("{chains} chains, {eliminations} eliminations, {ended} that the end closed");
    assert!(chains > 50_000 && eliminations > 5_000 && ended > 1_000);
}

/// A chain in words: the ply, what was seen, what it left.
fn told(view: &View<'_>, chronicle: &Chronicle, piece: &str) -> Vec<String> {
    let piece = piece.parse().expect("a piece");
    let chain = view.why(chronicle, piece, view.game().ply());
    let text = |ranks: RankSet| ranks.iter().map(Rank::to_char).collect::<String>();
    let chain = chain.expect("it exists").into_iter();
    chain
        .map(
            |Observation {
                 ply,
                 evidence,
                 leaves,
             }| {
                let detail = match evidence {
                    Evidence::Withstood(by) | Evidence::FellTo(by) => format!(" {}", by.to_char()),
                    Evidence::Elimination(gone) => format!(" {}", text(gone)),
                    _ => String::new(),
                };
                format!("{ply} {}{detail}: {}", evidence.name(), text(leaves))
            },
        )
        .collect()
}

#[test]
fn a_spy_that_fell_unseen_is_proved_by_the_scouts() {
    let mut table = a_spy_falls();
    table.play("j10-j7");
    let red = view(&table, Viewpoint::Red).expect("his own");
    let spy = [
        "0 army: FBS239M",
        "2 moved: S239M",
        "3 fell_to 3: S2",
        "6 elimination 2: S",
    ];
    assert_eq!(told(&red, &red.chronicle(), "blue:e7"), spy);
    let scout = ["0 army: FBS239M", "6 scout_move: 2"];
    assert_eq!(told(&red, &red.chronicle(), "blue:j10"), scout);
    let blue = view(&table, Viewpoint::Blue).expect("his own");
    assert_eq!(told(&blue, &blue.chronicle(), "blue:e7"), ["0 own: S"]);
    // The scouts and the miner of the other side leave its still pieces the rest.
    let miner = ["0 army: FBS239M", "1 moved: S239M", "3 attacked: 3"];
    assert_eq!(told(&blue, &blue.chronicle(), "red:e4"), miner);
}

#[test]
fn two_that_withstood_prove_each_other() {
    let mut table = two_withstand();
    let public = view(&table, Viewpoint::Public).expect("to all");
    let marshal = ["0 army: FBS239M", "11 withstood 3: 9M"];
    assert_eq!(told(&public, &public.chronicle(), "blue:j7"), marshal);
    let still = ["0 army: FBS239M", "11 elimination 9M: FBS23"];
    assert_eq!(told(&public, &public.chronicle(), "blue:h10"), still);
    table.play("e6-e7 a1xa7");
    let public = view(&table, Viewpoint::Public).expect("to all");
    let general = ["0 army: FBS239M", "5 withstood 3: 9M", "13 was_attacked: 9"];
    assert_eq!(told(&public, &public.chronicle(), "blue:a7"), general);
    let marshal = [
        "0 army: FBS239M",
        "11 withstood 3: 9M",
        "13 elimination 9: M",
    ];
    assert_eq!(told(&public, &public.chronicle(), "blue:j7"), marshal);
}

#[test]
fn what_came_back_is_proved_by_what_was_kept() {
    let mut table = rescue_game(true);
    let blue = view(&table, Viewpoint::Blue).expect("his own");
    let back = ["13 returned: S239"];
    assert_eq!(told(&blue, &blue.chronicle(), "red:rescue1"), back);
    let rescuer = ["0 army: FBS239M", "3 moved: S239M", "13 rescuer: S39M"];
    assert_eq!(told(&blue, &blue.chronicle(), "red:a4"), rescuer);
    let red = view(&table, Viewpoint::Red).expect("his own");
    assert_eq!(told(&red, &red.chronicle(), "red:rescue1"), ["13 own: 3"]);
    table.does(Color::Blue, Command::Resign);
    let all = view(&table, Viewpoint::Omniscient).expect("it is over");
    let back = ["13 returned: S239", "13 game_over: 3"];
    assert_eq!(told(&all, &all.chronicle(), "red:rescue1"), back);

    let table = rescue_game(false);
    let blue = view(&table, Viewpoint::Blue).expect("his own");
    assert_eq!(
        told(&blue, &blue.chronicle(), "red:rescue1"),
        ["13 rescued: 3"]
    );
}
