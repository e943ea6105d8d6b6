//! Who may open an army, and when.

use domain::{Color, Command, Commitment, Options, Ruleset, Salts, Viewpoint};

use crate::support::{Table, armies};

const RED: &str = "Ma4 9b4 3e4 Sf4 2i4 2j4 Fa1 Bb1";
const BLUE: &str = "Ma7 9b7 3e7 Sf7 2i7 2j7 Fa10 Bb10";

fn options() -> Options {
    Ruleset::Barrage.default_options()
}

/// How many of all viewers and viewpoints open an army.
fn openings(table: &Table) -> usize {
    let salts = Salts::from_bytes([7; Salts::BYTES]);
    let viewers = [None, Some(Color::Red), Some(Color::Blue)];
    let asked = viewers.map(|viewer| {
        let chosen = Viewpoint::ALL
            .iter()
            .filter_map(move |viewpoint| table.game.view(viewer, *viewpoint));
        let views = chosen.chain([table.game.view_for(viewer)]);
        let opened = views.flat_map(|view| Color::ALL.map(|owner| view.setup_proof(owner, &salts)));
        opened.flatten().count()
    });
    asked.iter().sum()
}

#[test]
fn no_army_is_opened_before_the_game_is_over() {
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    let mut table = Table::agreed(Table::terms(Ruleset::Barrage, options()));
    assert_eq!(openings(&table), 0);
    table.does(Color::Red, Command::PlaceSetup(setups.red));
    assert_eq!(openings(&table), 0);
    table.does(Color::Blue, Command::PlaceSetup(setups.blue));
    assert_eq!(openings(&table), 0);
    table.does(Color::Red, Command::Resign);
    // Both armies, for each of three viewers: as he asks for nothing, and for everything.
    assert_eq!(openings(&table), 12);
}

#[test]
fn an_army_of_a_game_that_never_began_stays_closed() {
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    let mut table = Table::agreed(Table::terms(Ruleset::Barrage, options()));
    table.does(Color::Red, Command::PlaceSetup(setups.red));
    table.does(Color::Blue, Command::Abort);
    assert_eq!(openings(&table), 0);
}

#[test]
fn what_is_opened_is_the_army_that_was_placed_last() {
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    let other = armies(Ruleset::Barrage, "Ma1 9b4 3e4 Sf4 2i4 2j4 Fa4 Bb1", BLUE);
    let salts = Salts::from_bytes([7; Salts::BYTES]);
    let mut table = Table::agreed(Table::terms(Ruleset::Barrage, options()));
    table.does(Color::Red, Command::PlaceSetup(other.red));
    table.does(Color::Red, Command::PlaceSetup(setups.red));
    table.does(Color::Blue, Command::PlaceSetup(setups.blue));
    // Where a piece has gone since, or that it fell, changes nothing.
    table.play("i4xi7 b7-b6");
    table.does(Color::Red, Command::Resign);
    let view = table.game.view_for(None);
    for owner in Color::ALL {
        let proof = view.setup_proof(owner, &salts).expect("open");
        let commitment = Commitment::of(owner, &setups[owner], &salts);
        assert_eq!(proof.verify(commitment), Ok(setups[owner]));
    }
    let proof = view.setup_proof(Color::Red, &salts).expect("open");
    let first = Commitment::of(Color::Red, &other.red, &salts);
    assert!(proof.verify(first).is_err());
}
