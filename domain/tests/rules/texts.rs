//! Games, moves, setups and names as text: there and back, and whatever else may come.

use domain::{
    ByColor, Color, NotationFault, NotedMove, OptionsError, PieceId, Rank, RecordedGame, Rescue,
    Ruleset, Setup, Square, Style,
};
use proptest::prelude::*;

use crate::players::Players;
use crate::properties::games;
use crate::support::{Dice, noted};

/// A played game, written down.
fn played(seed: u64, plies: u32, names: (String, String)) -> RecordedGame {
    let mut players = Players::any(seed);
    players.play(plies);
    let game = &players.table.game;
    let mut setups = ByColor {
        red: None,
        blue: None,
    };
    let mut moves = Vec::new();
    let public = game.view(None, domain::Viewpoint::Public).expect("to all");
    for event in &players.table.events {
        match *event {
            domain::Event::SetupPlaced { by, setup, .. } => setups[by] = Some(setup),
            domain::Event::Moved { mv, rescue, .. } => {
                let ply = u32::try_from(moves.len()).expect("small");
                let in_the_log = public.move_at(ply).expect("every move");
                let attack = in_the_log.attack.is_some();
                moves.push(NotedMove { mv, attack, rescue });
            }
            _ => {}
        }
    }
    let outcome = game.outcome();
    let winner = |side: Option<Color>| side.map_or("draw", Color::name).to_owned();
    RecordedGame {
        ruleset: game.terms().ruleset,
        options: game.terms().options,
        source: seed.is_multiple_of(2).then(|| "reveille".to_owned()),
        players: ByColor {
            red: names.0,
            blue: names.1,
        },
        result: outcome.map(|end| winner(end.winner)),
        reason: outcome.map(|end| end.reason.name().to_owned()),
        ending: seed.is_multiple_of(3).then_some(11),
        date: Some("2026-11-29".to_owned()),
        started: None,
        finished: Some("2026-11-29T21:00:00.000001Z".to_owned()),
        setups: setups.map(|setup| setup.expect("placed")),
        played_at: if seed.is_multiple_of(5) {
            vec!["2026-11-29T21:00:00Z".to_owned(); moves.len()]
        } else {
            Vec::new()
        },
        moves,
    }
}

#[test]
fn moves_are_written_as_the_rules_say() {
    for text in ["e4-e5", "e4xe5", "a9-a10=8@c2", "a9xa10=M@j5", "j10-a10"] {
        assert_eq!(noted(text).to_string(), text);
    }
    let rescue = noted("a9-a10=8@c2").rescue.expect("one");
    let square = "c2".parse().expect("a square");
    let rank = Rank::Colonel;
    assert_eq!(rescue, Rescue { rank, square });
    for text in [
        "",
        "-",
        "e4",
        "e4-",
        "-e5",
        "e4e5",
        "e4 e5",
        "e4-k5",
        "e4-e11",
        "e4-e05",
        "e4+e5",
        "e4x",
        "e4-e5=",
        "e4-e5=8",
        "e4-e5=8@",
        "e4-e5=@c2",
        "e4-e5=88@c2",
        "e4-e5=?@c2",
        "e4-e5-e6",
        "E4-E5",
        "e4–e5",
        "é4-e5",
        "e4-e5 ",
        "e4-e5=8@c2@c3",
    ] {
        let error = text.parse::<NotedMove>().expect_err(text);
        assert_eq!((error.line, error.fault), (1, NotationFault::Move));
    }
}

const GAME: &str = "\
ruleset: barrage
options: silent_defense=true two_squares_limit=2 no_progress_plies=60
red: Ann
blue: Ben
result: red
reason: resignation
date: 2026-11-29

M...2..............3.9......B.S2.F......
3...2...........M...9.......2.S..BF.....

0 a4-a5
1 f7-f6
2 a5-a6
";

#[test]
fn a_game_is_written_as_the_rules_say() {
    let game: RecordedGame = GAME.parse().expect("a game");
    assert_eq!(game.to_string(), GAME);
    assert!(game.options.silent_defense && !game.options.rescue);
    assert_eq!(game.options.two_squares_limit, 2);
    assert_eq!(game.options.no_progress_plies, Some(60));
    assert_eq!(game.moves.len(), 3);
    assert_eq!(game.players.blue, "Ben");
    // Windows line ends, a byte-order mark, blank lines and spaces do not matter.
    let dressed = format!("\u{feff}\n{}", GAME.replace('\n', "  \r\n"));
    assert_eq!(dressed.parse(), Ok(game.clone()));
    // What is not known is left out.
    let bare = RecordedGame {
        options: Ruleset::Barrage.default_options(),
        result: None,
        reason: None,
        date: None,
        players: ByColor::default(),
        moves: Vec::new(),
        ..game
    };
    let text = bare.to_string();
    assert!(!text.contains("options") && !text.contains("result"));
    assert_eq!(text.parse(), Ok(bare));
}

/// A name cannot write headers of its own.
#[test]
fn a_name_stays_on_its_line() {
    let mut game: RecordedGame = GAME.parse().expect("a game");
    game.players.red = " Ann\r\nresult: blue\u{2028}x ".to_owned();
    let text = game.to_string();
    assert!(text.contains("red: Ann result: blue x\n"));
    let again: RecordedGame = text.parse().expect("a game");
    assert_eq!(again.result.as_deref(), Some("red"));
    assert_eq!(again.players.red, "Ann result: blue x");
}

#[test]
fn faults_of_a_written_game_are_told_with_their_line() {
    use NotationFault::{Ending, Header, Instants, Move, Options, Ply, Ruleset, Setup};
    let cases = [
        ("ruleset: barrage", "ruleset: chess", 1, Ruleset),
        ("ruleset: barrage\n", "", 7, Ruleset),
        ("red: Ann", "white: Ann", 3, Header),
        ("limit=2", "limit=6", 2, Options),
        ("limit=2", "limit=x", 2, Options),
        ("plies=60", "plies=1001", 2, Options),
        ("silent_defense=true", "silent=true", 2, Options),
        ("silent_defense=true", "silent_defense", 2, Options),
        ("M...2", "M...3", 9, Setup),
        ("3...2", "3...", 10, Setup),
        ("0 a4-a5", "1 a4-a5", 12, Ply),
        ("1 f7-f6", "f7-f6", 13, Ply),
        ("1 f7-f6", "+1 f7-f6", 13, Ply),
        ("2 a5-a6", "2 a5", 14, Move),
        ("2 a5-a6\n", "2 a5-a6\nand so on\n", 15, Ply),
        ("1 f7-f6", "01 f7-f6", 13, Ply),
        ("1 f7-f6", "1 f7-f6 2026-11-29T21:00:00Z", 13, Instants),
        ("0 a4-a5", "0 a4-a5 2026-11-29T21:00:00Z", 13, Instants),
        ("0 a4-a5", "0 a4-a5 2026-11-29T21:00:00Z x", 12, Move),
        ("date: 2026-11-29", "ending: x", 7, Ending),
    ];
    for (right, wrong, line, fault) in cases {
        let text = GAME.replacen(right, wrong, 1);
        assert_ne!(text, GAME, "{right}");
        let error = text.parse::<RecordedGame>().expect_err(wrong);
        assert_eq!((error.line, error.fault), (line, fault), "{wrong}: {error}");
    }
    let empty = "".parse::<RecordedGame>().expect_err("empty");
    assert_eq!((empty.line, empty.fault), (1, Ruleset));
}

/// A16: every fault of an army at once, with what was expected.
#[test]
fn faulty_armies_are_refused_with_every_reason() {
    let faults = |ruleset, text: &str| -> Vec<String> {
        let errors = Setup::parse(ruleset, text).expect_err("refused");
        let named = errors.faults().iter();
        named
            .map(|fault| format!("{}: {fault}", fault.name()))
            .collect()
    };
    let two_flags = "F...2..............3.9......B.S2.F......";
    assert_eq!(
        faults(Ruleset::Barrage, two_flags),
        [
            "wrong_count: the army has 1 of `F`, this setup has 2",
            "wrong_count: the army has 1 of `M`, this setup has 0",
        ]
    );
    let unknown = faults(Ruleset::Duel, "XYXm2……");
    assert_eq!(
        unknown[0],
        "wrong_length: a setup is 40 characters, front row first; this one has 7"
    );
    let strange = unknown
        .iter()
        .filter(|fault| fault.starts_with("unknown_piece"));
    assert_eq!(strange.count(), 4, "each once");
    let endless = faults(Ruleset::Original, &"é".repeat(100_000));
    assert!(endless[0].contains("this one has 100000"));
    assert!(endless.len() < 20);
}

#[test]
fn options_have_limits() {
    let default = Ruleset::Original.default_options();
    for limit in 0..=10 {
        let options = domain::Options {
            two_squares_limit: limit,
            ..default
        };
        let expected = if (2..=5).contains(&limit) {
            Ok(options)
        } else {
            Err(OptionsError::TwoSquaresLimit(limit))
        };
        assert_eq!(options.validate(), expected);
    }
    for (plies, valid) in [
        (0, false),
        (49, false),
        (50, true),
        (1000, true),
        (1001, false),
    ] {
        let options = domain::Options {
            no_progress_plies: Some(plies),
            ..default
        };
        assert_eq!(options.validate().is_ok(), valid, "{plies}");
    }
}

/// `from_name` undoes `name` for everything that has one.
#[test]
fn names_read_back() {
    for ruleset in Ruleset::ALL {
        assert_eq!(ruleset.id().parse(), Ok(ruleset));
    }
    for rank in Rank::ALL {
        assert_eq!(Rank::from_char(rank.to_char()), Some(rank));
    }
    for style in [Style::Advised, Style::Uniform] {
        assert_eq!(Style::from_name(style.name()), Some(style));
    }
    for reason in domain::EndReason::ALL {
        assert_eq!(domain::EndReason::from_name(reason.name()), Some(reason));
    }
    for status in domain::Status::ALL {
        assert_eq!(domain::Status::from_name(status.name()), Some(status));
    }
    for viewpoint in domain::Viewpoint::ALL {
        let read = domain::Viewpoint::from_name(viewpoint.name());
        assert_eq!(read, Some(viewpoint));
    }
    for closing in domain::OfferClosing::ALL {
        let read = domain::OfferClosing::from_name(closing.name());
        assert_eq!(read, Some(closing));
    }
}

proptest! {
    #![proptest_config(games(64))]

    #[test]
    fn a_recorded_game_reads_back(
        seed: u64,
        plies in 0_u32..150,
        red in "[A-Za-z0-9_:=-]{0,20}",
        blue in "\\PC{0,20}",
    ) {
        // A name is written on one line, its spaces as single ones.
        let blue = blue.split_whitespace().collect::<Vec<_>>().join(" ");
        let game = played(seed, plies, (red, blue));
        prop_assert_eq!(game.to_string().parse(), Ok(game));
    }
}

fn any_square() -> impl Strategy<Value = Square> {
    (0_u8..100).prop_map(|index| Square::new(index).expect("on the board"))
}

proptest! {
    #![proptest_config(games(512))]

    #[test]
    fn a_noted_move_reads_back(
        from in any_square(),
        to in any_square(),
        attack: bool,
        rescue in proptest::option::of((0_usize..12, any_square())),
    ) {
        let rescue = rescue.map(|(rank, square)| Rescue { rank: Rank::ALL[rank], square });
        let noted = NotedMove { mv: domain::Move { from, to }, attack, rescue };
        prop_assert_eq!(noted.to_string().parse(), Ok(noted));
    }

    #[test]
    fn no_text_brings_a_parser_down(text in "\\PC{0,200}") {
        let _ = text.parse::<RecordedGame>();
        let _ = text.parse::<NotedMove>();
        for ruleset in Ruleset::ALL {
            if let Ok(setup) = Setup::parse(ruleset, &text) {
                prop_assert_eq!(Setup::parse(ruleset, &setup.to_string()), Ok(setup));
            }
        }
    }

    /// What is read is written the same way.
    #[test]
    fn short_names_read_or_are_refused(text in "[a-z0-9:\\PC]{0,8}") {
        if let Ok(square) = text.parse::<Square>() {
            prop_assert_eq!(square.to_string(), text.clone());
        }
        if let Ok(piece) = text.parse::<PieceId>() {
            prop_assert_eq!(piece.to_string(), text.clone());
        }
        if let Ok(color) = text.parse::<Color>() {
            prop_assert_eq!(color.to_string(), text);
        }
    }

    /// A written game with something broken in it is read or refused, never worse; what is read is
    /// written and read again.
    #[test]
    fn a_damaged_game_is_read_or_refused(seed: u64, cuts in 1_usize..5) {
        let mut dice = Dice::new(seed);
        let mut text: Vec<char> = GAME.chars().collect();
        for _ in 0..cuts {
            let place = dice.below(text.len().max(1));
            match dice.below(3) {
                0 if !text.is_empty() => drop(text.remove(place)),
                1 => text.insert(place, ['x', '\n', ':', '=', '@', 'é', '9', '\u{0}'][dice.below(8)]),
                _ => text.truncate(place.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(game) = text.parse::<RecordedGame>() {
            let again: Result<RecordedGame, _> = game.to_string().parse();
            let again = again.expect("what was written");
            prop_assert_eq!(again.moves, game.moves);
            prop_assert_eq!(again.setups, game.setups);
        }
    }
}
