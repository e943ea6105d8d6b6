use domain::{ByColor, Color, Command, Ruleset, Setup, TwoSquares, Viewpoint};

use super::table::Table;
use super::{CAPTION, checked, child_text, of_class, texts, words};
use crate::pictures::{Caption, board, timeline};

/// Two battles, after which all scouts are gone, and a move of each side.
const TOLD: &str = "i4xi7 j7xj4 a4-a5 a7-a6";

fn drawn(table: &Table, viewpoint: Viewpoint, ply: Option<u32>) -> String {
    let picture = board(&table.view(viewpoint), &CAPTION, ply);
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

/// What a picture says below the board of how far the game is.
fn standing(picture: &str) -> String {
    let document = checked(picture);
    words(of_class(&document, "standing")[0]).to_owned()
}

/// What the marks are said to mean.
fn legend(picture: &str) -> Vec<String> {
    let document = checked(picture);
    let said = of_class(&document, "word").into_iter().map(words);
    said.map(str::to_owned).collect()
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
    assert_eq!(signs, ["?", "S3", "9M"]);
    let (title, signs) = piece(&red, "blue:b7");
    let possible = "blue:b7 on b7: unknown, one of F, B, S, 3, 9, M; never moved";
    assert_eq!((title.as_str(), signs), (possible, vec!["?".to_owned()]));
    let (title, signs) = piece(&red, "red:a4");
    assert_eq!(title, "red:a4 on a5: marshal (M); moved");
    assert_eq!(signs, ["M"]);
    let public = drawn(&table, Viewpoint::Public, None);
    assert_eq!(piece(&public, "red:a4").1, ["?", "S3", "9M"]);
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
         of them unknown. Blue won: Red resigned. The last move: Blue moved blue:a7, marshal (M), \
         from a7 to a6."
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
    assert_eq!(standing(&own), "The armies are being placed.");
    assert_eq!(legend(&own), ["never moved"]);
    for other in [Viewpoint::Blue, Viewpoint::Public] {
        let picture = drawn(&table, other, None);
        let document = checked(&picture);
        let pieces = of_class(&document, "piece");
        let titled = pieces.into_iter().map(|piece| child_text(piece, "title"));
        assert_eq!(titled.filter(|title| !title.is_empty()).count(), 0);
        assert_eq!(
            description(&picture),
            "Red's army is placed and not shown. Blue's army is not placed. The armies are being \
             placed."
        );
        assert!(legend(&picture).is_empty());
    }
    assert!(board(&table.view(Viewpoint::Red), &CAPTION, Some(0)).is_none());
}

#[test]
fn the_caption_says_whose_turn_it_is_or_how_it_ended() {
    let mut table = Table::small(|_| {});
    let said = |table: &Table, ply| standing(&drawn(table, Viewpoint::Public, ply));
    assert_eq!(said(&table, None), "Red is to move.");
    table.line("i4xi7 a7-a6 a4-a5");
    assert_eq!(said(&table, None), "Blue is to move.");
    table.resign();
    for (ply, told) in [
        (Some(0), "Red is to move."),
        (Some(1), "Blue is to move."),
        (Some(2), "Red is to move."),
        (Some(3), "Red won: Blue resigned."),
        (None, "Red won: Blue resigned."),
    ] {
        assert_eq!(said(&table, ply), told, "{ply:?}");
        assert!(description(&drawn(&table, Viewpoint::Red, ply)).contains(told));
    }
    let mut early = Table::small(|_| {});
    early.does(Color::Blue, Command::Abort);
    assert_eq!(said(&early, None), "Called off before both had moved.");
}

/// Which pieces are marked as known to both sides.
fn given_away(picture: &str) -> Vec<String> {
    let document = checked(picture);
    let pieces = of_class(&document, "piece").into_iter();
    let marked = pieces.filter(|piece| piece.children().any(|child| child.has_tag_name("rect")));
    let title = |piece| {
        child_text(piece, "title")
            .split(' ')
            .next()
            .map(str::to_owned)
    };
    marked.filter_map(title).collect()
}

#[test]
fn a_player_sees_which_of_his_pieces_are_known() {
    let mut table = Table::small(|_| {});
    table.line("j4-j6 a7-a6 b4-b5 i7-i5").resign();
    for (viewpoint, marked, words) in [
        (Viewpoint::Red, &["red:j4"][..], Some("known to Blue")),
        (Viewpoint::Blue, &["blue:i7"], Some("known to Red")),
        (Viewpoint::Public, &[], None),
        (
            Viewpoint::Omniscient,
            &["red:j4", "blue:i7"],
            Some("known to both sides"),
        ),
    ] {
        let picture = drawn(&table, viewpoint, Some(4));
        assert_eq!(given_away(&picture), marked, "{viewpoint:?}");
        let mut told = vec!["never moved"];
        told.extend(words);
        told.push("last move");
        assert_eq!(legend(&picture), told, "{viewpoint:?}");
    }
}

#[test]
fn the_legend_has_what_is_in_the_picture() {
    let mut table = Table::small(|_| {});
    table.line("i4xi7 a7-a6");
    let said = |ply| legend(&drawn(&table, Viewpoint::Public, Some(ply)));
    assert_eq!(said(0), ["never moved"]);
    assert_eq!(said(1), ["never moved", "last move", "a piece was lost"]);
    assert_eq!(said(2), ["never moved", "last move"]);
}

#[test]
fn pictures_on_one_page_share_no_identifier() {
    let mut table = Table::small(|_| {});
    table.line("i4xi7 a7-a6").resign();
    let other = Caption {
        game: uuid::Uuid::from_u128(0x019a_d5c8_4f0e_7c5f_8d3e_2f6f_1c6b_7a11),
        ..CAPTION
    };
    let mut ids = std::collections::BTreeSet::new();
    for caption in [&CAPTION, &other] {
        for viewpoint in Viewpoint::ALL {
            let view = table.view(viewpoint);
            let boards = (0..3).map(|ply| board(&view, caption, Some(ply)));
            for picture in boards.chain([timeline(&view, caption)]) {
                let picture = picture.expect("a picture").to_string();
                let document = checked(&picture);
                let root = document.root_element();
                let id = root.attribute("aria-labelledby").map(str::to_owned);
                assert!(ids.insert(id), "{picture}");
            }
        }
    }
}

#[test]
fn there_is_no_board_past_the_end() {
    let mut table = Table::small(|_| {});
    table.line("a4-a5");
    assert!(board(&table.view(Viewpoint::Red), &CAPTION, Some(1)).is_some());
    assert!(board(&table.view(Viewpoint::Red), &CAPTION, Some(2)).is_none());
}

#[test]
fn names_are_texts_and_no_markup() {
    let table = Table::small(|_| {});
    let names = ByColor {
        red: "<b>&\"']]>",
        blue: "deleted-0190f0a0-0000-7000-8000-000000000000",
    };
    let view = table.view(Viewpoint::Red);
    let picture = board(&view, &Caption { names, ..CAPTION }, None)
        .expect("a board")
        .to_string();
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
