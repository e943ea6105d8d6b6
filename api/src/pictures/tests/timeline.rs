use std::collections::BTreeSet;

use domain::{Cause, Ruleset, Viewpoint};

use super::table::Table;
use super::{NAMES, checked, child_text, of_class, words};
use crate::pictures::timeline;

fn drawn(table: &Table, viewpoint: Viewpoint) -> String {
    let picture = timeline(&table.view(viewpoint), NAMES);
    picture.expect("a game that began").to_string()
}

/// The titles of the marks of a class.
fn titles(picture: &str, class: &str) -> Vec<String> {
    let document = checked(picture);
    let marks = of_class(&document, class).into_iter();
    let titles = marks.map(|mark| child_text(mark, "title").to_owned());
    titles.filter(|title| !title.is_empty()).collect()
}

fn paths(picture: &str) -> Vec<String> {
    let document = checked(picture);
    let lines = of_class(&document, "line").into_iter();
    lines
        .filter_map(|line| line.attribute("d").map(str::to_owned))
        .collect()
}

#[test]
fn a_short_timeline() {
    let mut table = Table::small(|_| {});
    table.line("i4xi7 j7xj4 a4-a5 a7-a6").resign();
    insta::assert_snapshot!(drawn(&table, Viewpoint::Omniscient));
}

#[test]
fn marks_tell_what_happened() {
    let mut table = Table::small(|_| {});
    table.line("j4-j6 b7-b6 b4-b5 b6xb5").resign();
    let picture = drawn(&table, Viewpoint::Red);
    assert_eq!(
        titles(&picture, "battle"),
        ["Ply 4: Blue's general (9) attacked red:b4, general (9), on b5; both were removed."]
    );
    let reveals = titles(&picture, "reveal");
    assert_eq!(reveals.len(), 3, "{reveals:?}");
    assert!(
        reveals[0].starts_with("Ply 1: red:j4, scout (2), moved as only a scout may, on j6; "),
        "{reveals:?}"
    );
    assert_eq!(
        titles(&picture, "end"),
        ["Ply 4: the game ended and disclosed 6 ranks of Red and 7 ranks of Blue."]
    );
}

#[test]
fn a_defender_who_stayed_silent_is_not_named() {
    let mut table = Table::small(|options| options.silent_defense = true);
    table.line("b4-b5 e7-e6 b5-a5 e6-e7 a5-a6 e7-e6 a6xa7");
    let red = drawn(&table, Viewpoint::Red);
    assert_eq!(
        titles(&red, "battle"),
        ["Ply 7: Red's general (9) attacked blue:a7, unknown, on a7; the defender won."]
    );
    let reveals = titles(&red, "reveal");
    assert_eq!(reveals.len(), 1, "{reveals:?}");
    let own = titles(&drawn(&table, Viewpoint::Blue), "battle");
    assert!(own[0].contains("blue:a7, marshal (M), on a7"), "{own:?}");
}

#[test]
fn a_game_of_no_ply_and_of_one() {
    let mut table = Table::small(|_| {});
    let picture = drawn(&table, Viewpoint::Public);
    assert_eq!(paths(&picture).len(), 2);
    assert!(titles(&picture, "reveal").is_empty());
    assert!(titles(&picture, "end").is_empty());
    table.line("a4-a5");
    let picture = drawn(&table, Viewpoint::Public);
    let document = checked(&picture);
    let named: Vec<_> = of_class(&document, "wide").into_iter().map(words).collect();
    assert_eq!(named, ["0", "1", "plies"]);
    let description = child_text(document.root_element(), "desc");
    assert!(description.contains("after 1 ply."), "{description}");
    assert!(
        description.ends_with("0 ranks became known in play, in 0 battles."),
        "{description}"
    );
}

#[test]
fn a_game_that_has_not_begun_has_none() {
    let ruleset = Ruleset::Barrage;
    let table = Table::empty(ruleset, ruleset.default_options());
    assert!(timeline(&table.view(Viewpoint::Red), NAMES).is_none());
}

#[test]
fn nothing_of_a_long_game_is_left_out() {
    for silent in [false, true] {
        let mut table = Table::large(|options| options.silent_defense = silent);
        table.wander(2_000);
        assert_eq!(table.game.ply(), 2_000);
        let view = table.view(Viewpoint::Public);
        let picture = drawn(&table, Viewpoint::Public);
        assert!(picture.len() < 100_000, "{}", picture.len());
        let (told, battles) = (view.timeline(), view.battles());
        assert!(!battles.is_empty());
        assert_eq!(titles(&picture, "battle").len(), battles.len());
        let in_play = told.reveals.iter().map(|weighed| weighed.reveal);
        let marks: BTreeSet<_> = in_play
            .filter(|reveal| reveal.cause != Cause::GameOver)
            .map(|reveal| (reveal.ply, reveal.piece.owner()))
            .collect();
        assert_eq!(titles(&picture, "reveal").len(), marks.len());
        for (path, owner) in paths(&picture).iter().zip(domain::Color::ALL) {
            let bits = told
                .information
                .iter()
                .map(|point| point.hidden_bits[owner]);
            let bits: Vec<_> = bits.collect();
            let falls = bits.windows(2).filter(|two| two[0] - two[1] > 0.01);
            assert!(path.matches('V').count() >= falls.count(), "{owner}");
            assert!(path.ends_with("H344"), "{path}");
        }
    }
}
