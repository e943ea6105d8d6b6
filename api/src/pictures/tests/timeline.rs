use std::collections::BTreeSet;

use domain::{Cause, Ruleset, Viewpoint};

use super::table::Table;
use super::{CAPTION, checked, child_text, of_class, words};
use crate::pictures::timeline;

fn drawn(table: &Table, viewpoint: Viewpoint) -> String {
    let picture = timeline(&table.view(viewpoint), &CAPTION);
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
        reveals[1].starts_with("Ply 1: red:j4, scout (2), moved as only a scout may, on j6; "),
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
fn marks_of_both_sides_on_one_point_are_both_seen() {
    let mut table = Table::small(|_| {});
    table.line("i4xi7");
    let picture = drawn(&table, Viewpoint::Public);
    let document = checked(&picture);
    let marks = of_class(&document, "reveal").into_iter();
    let marks: Vec<_> = marks
        .filter(|mark| !child_text(*mark, "title").is_empty())
        .collect();
    assert_eq!(marks.len(), 2);
    assert_eq!(
        marks[0].attribute("transform"),
        marks[1].attribute("transform")
    );
    let number = |mark: roxmltree::Node<'_, '_>, name: &str| {
        let sizes = mark.children().filter_map(|child| child.attribute(name));
        sizes.map(|size| size.parse::<f64>().unwrap()).next()
    };
    // The square lies below, and the circle, with its border, well within it.
    let (side, radius) = (number(marks[0], "width"), number(marks[1], "r"));
    assert!(side.unwrap() > 2.0 * radius.unwrap() + 1.6, "{picture}");
}

#[test]
fn the_legend_has_what_is_in_the_picture() {
    let mut table = Table::small(|_| {});
    let said = |table: &Table| {
        let picture = drawn(table, Viewpoint::Public);
        let document = checked(&picture);
        let words = of_class(&document, "word").into_iter().map(words);
        words.skip(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(said(&table).is_empty());
    table.line("i4xi7 a7-a6 a4-a5");
    let told = "disclosed (Red, Blue)";
    assert_eq!(said(&table), [told, "battle"]);
    table.resign();
    assert_eq!(said(&table), [told, "battle", "end of the game"]);
}

#[test]
fn a_game_that_has_not_begun_has_none() {
    let ruleset = Ruleset::Barrage;
    let table = Table::empty(ruleset, ruleset.default_options());
    assert!(timeline(&table.view(Viewpoint::Red), &CAPTION).is_none());
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
