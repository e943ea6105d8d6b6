use domain::facts::{Facts, Section};
use domain::{
    ByColor, Color, Command, Game, MoveBuffer, MoveRequest, Options, Rank, Ruleset, Setup, Style,
    Terms, TimeControl, Timestamp,
};

use super::{checked, child_text, of_class, words};
use crate::pictures::statistics::{Games, battles, deployment, information, reveals};

/// A game at random, which Blue gives up if it does not end.
fn played(seed: u64) -> Game {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    };
    let ruleset = Ruleset::Original;
    let terms = Terms {
        ruleset,
        options: Options {
            no_progress_plies: Some(100),
            ..ruleset.default_options()
        },
        time_control: TimeControl::Unlimited,
        vacation: false,
        weekends: false,
    };
    let now = Timestamp::from_micros(1);
    let mut game = Game::new(terms, now);
    let act = |game: &mut Game, by: Color, command: Command| {
        for event in game.play(by, &command, now).unwrap() {
            game.apply(&event).unwrap();
        }
    };
    let armies = ByColor::from_fn(|_| Setup::random(ruleset, Style::Advised, &mut below));
    for side in Color::ALL {
        act(&mut game, side, Command::PlaceSetup(armies[side]));
    }
    let mut moves = MoveBuffer::new();
    while let (Some(by), true) = (game.turn(), game.ply() < 300) {
        game.legal_moves(&mut moves);
        let mv = moves[below(moves.len())];
        let request = MoveRequest {
            ply: game.ply(),
            from: Some(mv.from),
            to: Some(mv.to),
            rescue: None,
        };
        act(&mut game, by, Command::Move(request));
    }
    if game.turn().is_some() {
        act(&mut game, Color::Blue, Command::Resign);
    }
    game
}

/// Adds the counts of a game.
fn add(sum: &mut Facts, facts: &Facts) {
    for section in Section::ALL {
        let counts = sum.section_mut(section);
        for (key, count) in facts.section(section).iter() {
            counts.add(key, count);
        }
    }
}

fn facts(games: u64) -> Facts {
    let mut facts = Facts::default();
    for seed in 0..games {
        add(&mut facts, &Facts::of(&played(seed)).unwrap());
    }
    facts
}

fn all(facts: &Facts) -> [(&'static str, String); 5] {
    let games = Games {
        facts,
        which: "original, source play",
        stem: "statistics-1",
    };
    [
        (
            "deployment",
            deployment(&games, Rank::Flag, false).to_string(),
        ),
        ("folded", deployment(&games, Rank::Scout, true).to_string()),
        ("battles", battles(&games).to_string()),
        ("reveals", reveals(&games).to_string()),
        ("information", information(&games).to_string()),
    ]
}

/// Writes them where somebody wants to look at them.
#[test]
fn pictures_of_statistics_are_whole() {
    for games in [0, 1, 40] {
        let facts = facts(games);
        for (name, picture) in all(&facts) {
            let document = checked(&picture);
            let heads = of_class(&document, "head");
            assert_eq!(heads.len(), 1, "{name}");
            assert!(!words(heads[0]).is_empty());
            assert!(picture.len() < 60_000, "{name}: {}", picture.len());
            if let Some(folder) = std::env::var_os("REVEILLE_PICTURES") {
                let file = std::path::Path::new(&folder).join(format!("{name}-{games}.svg"));
                std::fs::write(file, &picture).unwrap();
            }
        }
    }
}

#[test]
fn cells_tell_their_figures() {
    let facts = facts(12);
    let games = Games {
        facts: &facts,
        which: "all rulesets",
        stem: "s",
    };
    let picture = deployment(&games, Rank::Bomb, false).to_string();
    let document = checked(&picture);
    let squares = of_class(&document, "square");
    assert_eq!(squares.len(), 40);
    let placed = facts.deployment(Rank::Bomb, false);
    let named = squares
        .iter()
        .filter(|square| !child_text(**square, "title").ends_with("never."));
    assert_eq!(named.count(), placed.len());
    let picture = battles(&games).to_string();
    let document = checked(&picture);
    // Ten ranks attack, twelve are attacked.
    assert_eq!(of_class(&document, "square").len(), 120);
    assert_eq!(
        of_class(&document, "win").len() - 1 + of_class(&document, "loss").len() - 1
            + of_class(&document, "even").len()
            - 1,
        facts.battle_matrix().len()
    );
    let picture = deployment(&games, Rank::Flag, true).to_string();
    assert_eq!(of_class(&checked(&picture), "square").len(), 20);
    let picture = reveals(&games).to_string();
    let ranks = facts.reveals(None);
    let known = ranks.iter().filter(|rank| rank.revealed > 0).count();
    assert_eq!(of_class(&checked(&picture), "bar").len(), known);
}

/// A name that nobody has is asked for all the same.
#[test]
fn a_picture_is_xml_whatever_is_asked_for() {
    let games = Games {
        facts: &facts(1),
        which: "of \u{1}<&\"\u{ffff}",
        stem: "s",
    };
    let picture = battles(&games).to_string();
    let document = checked(&picture);
    let title = words(of_class(&document, "word")[1]);
    assert_eq!(title, "1 game: of \u{fffd}<&\"\u{fffd}");
}
