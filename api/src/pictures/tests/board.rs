use domain::{ByColor, Color, Command, Ruleset, Setup, TwoSquares, Viewpoint};

use super::table::Table;
use super::{NAMES, checked, child_text, of_class, texts, words};
use crate::pictures::board;

/// Two battles, after which all scouts are gone, and a move of each side.
const TOLD: &str = "i4xi7 j7xj4 a4-a5 a7-a6";

fn drawn(table: &Table, viewpoint: Viewpoint, ply: Option<u32>) -> String {
    let picture = board(&table.view(viewpoint), NAMES, ply);
    picture.expect("a ply of the game").to_string()
}

/// The title and the signs of a piece.
fn piece(picture: &str, id: &str) -> (String, Vec<String>) {
    let document = checked(picture);
    let pieces = of_class(&document, "piece");
    let found = pieces.into_iter().find(|piece| {
        let title = child_text(*piece, "title");
        title.starts_with(&format!("{id} on "))
    });
    let found = found.unwrap_or_else(|| panic!("{id} is not drawn"));
    let signs = texts(found).into_iter().map(str::to_owned).collect();
    (child_text(found, "title").to_owned(), signs)
}

fn description(picture: &str) -> String {
    child_text(checked(picture).root_element(), "desc").to_owned()
}

#[test]
fn a_small_board() {
    let mut table = Table::small(|_| {});
    table.line(TOLD);
    insta::assert_snapshot!(drawn(&table, Viewpoint::Red, None));
}

#[test]
fn an_unknown_piece_is_a_question_with_what_it_can_be() {
    let mut table = Table::small(|_| {});
    table.line(TOLD);
    let red = drawn(&table, Viewpoint::Red, None);
    let (title, signs) = piece(&red, "blue:a7");
    assert_eq!(title, "blue:a7 on a6: unknown, one of S, 3, 9, M; moved");
    assert_eq!(signs, ["?", "S39M"]);
    let (title, signs) = piece(&red, "blue:b7");
    let possible = "blue:b7 on b7: unknown, one of F, B, S, 3, 9, M; never moved";
    assert_eq!((title.as_str(), signs), (possible, vec!["?".to_owned()]));
    let (title, signs) = piece(&red, "red:a4");
    assert_eq!(title, "red:a4 on a5: marshal (M); moved");
    assert_eq!(signs, ["M"]);
    let public = drawn(&table, Viewpoint::Public, None);
    assert_eq!(piece(&public, "red:a4").1, ["?", "S39M"]);
}

#[test]
fn no_enemy_rank_is_drawn_that_was_not_disclosed() {
    let mut table = Table::small(|_| {});
    table.line(TOLD);
    for ply in [None, Some(0), Some(1), Some(4)] {
        let picture = drawn(&table, Viewpoint::Red, ply);
        let document = checked(&picture);
        let enemies: Vec<_> = of_class(&document, "blue")
            .into_iter()
            .filter(|piece| child_text(*piece, "title").starts_with("blue:"))
            .collect();
        assert!(!enemies.is_empty());
        for enemy in enemies {
            assert_eq!(texts(enemy)[0], "?", "{}", child_text(enemy, "title"));
        }
    }
}

#[test]
fn a_finished_game_is_shown_whole_and_as_a_side_knew_it() {
    let mut table = Table::small(|_| {});
    table.line("i4xi7 a7-a6").resign();
    let whole = drawn(&table, Viewpoint::Omniscient, None);
    assert_eq!(piece(&whole, "blue:b7").1, ["9"]);
    assert_eq!(
        description(&whole),
        "Red has 7 pieces on the board, none of them unknown. Blue has 7 pieces on the board, none \
         of them unknown. The last move: Blue moved blue:a7, marshal (M), from a7 to a6."
    );
    let red = drawn(&table, Viewpoint::Red, Some(2));
    assert_eq!(piece(&red, "blue:b7").1, ["?"]);
    assert!(description(&red).contains("Blue moved blue:a7, unknown, from a7 to a6."));
}

#[test]
fn a_disclosed_piece_says_since_when() {
    let mut table = Table::small(|_| {});
    table.line("j4-j6 b7-b6");
    let (title, signs) = piece(&drawn(&table, Viewpoint::Blue, None), "red:j4");
    assert_eq!(
        title,
        "red:j4 on j6: scout (2); moved; known to Blue since ply 1"
    );
    assert_eq!(signs, ["2"]);
}

#[test]
fn the_squares_and_the_loss_of_the_last_move_are_marked() {
    let mut table = Table::small(|_| {});
    table.line("i4xi7 a7-a6");
    for (ply, squares, battles) in [(0, 0, 0), (1, 1, 1), (2, 1, 0)] {
        let picture = drawn(&table, Viewpoint::Public, Some(ply));
        let document = checked(&picture);
        let titled = |class: &str| {
            let marks = of_class(&document, class);
            let titles = marks.into_iter().map(|mark| child_text(mark, "title"));
            titles.filter(|title| !title.is_empty()).count()
        };
        assert_eq!(
            (titled("last"), titled("battle")),
            (squares, battles),
            "{ply}"
        );
    }
    let after = description(&drawn(&table, Viewpoint::Public, Some(1)));
    let told = "The last move: Red attacked blue:i7, scout (2), on i7, from i4 with red:i4, scout \
                (2); both were removed.";
    assert!(after.ends_with(told), "{after}");
}

#[test]
fn a_forfeited_turn_is_told_as_one() {
    let mut table = Table::small(|options| options.two_squares = TwoSquares::ForfeitTurn);
    table.line("a4-a5 e7-e6 a5-a4 e6-e7 a4-a5 b7-b6 a5-a4");
    let told = description(&drawn(&table, Viewpoint::Blue, None));
    let end = "Red tried red:a4, unknown, from a5 to a4, and forfeited the turn.";
    assert!(told.ends_with(end), "{told}");
}

#[test]
fn before_the_start_there_is_the_own_army_alone() {
    let ruleset = Ruleset::Barrage;
    let mut table = Table::empty(ruleset, ruleset.default_options());
    let setup = Setup::parse(ruleset, "M9..3S..22 .......... .......... FB........");
    table.does(Color::Red, Command::PlaceSetup(setup.expect("an army")));
    let own = drawn(&table, Viewpoint::Red, None);
    assert_eq!(piece(&own, "red:a1").1, ["F"]);
    assert!(description(&own).starts_with("Red has 8 pieces on the board, none"));
    assert!(own.contains("Before the start, as Red knows it"));
    for other in [Viewpoint::Blue, Viewpoint::Public] {
        let picture = drawn(&table, other, None);
        let document = checked(&picture);
        let pieces = of_class(&document, "piece");
        let titled = pieces.into_iter().map(|piece| child_text(piece, "title"));
        assert_eq!(titled.filter(|title| !title.is_empty()).count(), 0);
    }
    assert!(board(&table.view(Viewpoint::Red), NAMES, Some(0)).is_none());
}

#[test]
fn there_is_no_board_past_the_end() {
    let mut table = Table::small(|_| {});
    table.line("a4-a5");
    assert!(board(&table.view(Viewpoint::Red), NAMES, Some(1)).is_some());
    assert!(board(&table.view(Viewpoint::Red), NAMES, Some(2)).is_none());
}

#[test]
fn names_are_texts_and_no_markup() {
    let table = Table::small(|_| {});
    let names = ByColor {
        red: "<b>&\"']]>",
        blue: "deleted-0190f0a0-0000-7000-8000-000000000000",
    };
    let view = table.view(Viewpoint::Red);
    let picture = board(&view, names, None).expect("a board").to_string();
    let document = checked(&picture);
    let title = child_text(document.root_element(), "title");
    assert!(
        title.contains(names.red) && title.contains(names.blue),
        "{title}"
    );
    let players: Vec<_> = of_class(&document, "player")
        .into_iter()
        .map(words)
        .collect();
    assert_eq!(
        players,
        ["<b>&\"']]> (Red)", "deleted-0190f0a0-0000-7… (Blue)"]
    );
}

#[test]
fn all_pieces_of_full_armies_are_drawn_within_the_picture() {
    let table = Table::large(|_| {});
    let picture = drawn(&table, Viewpoint::Red, None);
    assert!(picture.len() < 60_000, "{}", picture.len());
    let document = checked(&picture);
    let pieces = of_class(&document, "piece").into_iter();
    let places = pieces.filter(|piece| !child_text(*piece, "title").is_empty());
    let mut places: Vec<_> = places
        .filter_map(|piece| piece.attribute("transform"))
        .collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 80);
    for square in [
        ("red:a1", "translate(44 392)"),
        ("blue:j10", "translate(404 32)"),
    ] {
        let titled = of_class(&document, "piece").into_iter();
        let piece = titled
            .filter(|piece| child_text(*piece, "title").starts_with(&format!("{} ", square.0)))
            .find_map(|piece| piece.attribute("transform"));
        assert_eq!(piece, Some(square.1));
    }
}
