use std::convert::Infallible;
use std::num::NonZeroUsize;

use domain::{
    ByColor, Color, Command, EndReason, Event, Game, MoveBuffer, Options, Outcome, Rescue, Ruleset,
    Setup, Status, Style, Viewpoint,
};

use super::play::{agree, carry_out, choice};
use super::{Deployments, DeploymentsError, NO_PROGRESS_PLIES, START, Simulation};
use crate::bot::mind::{Level, Sight, choose};

fn simulation(ruleset: Ruleset) -> Simulation {
    Simulation {
        ruleset,
        options: ruleset.default_options(),
        games: 40,
        seed: 7,
        levels: ByColor::from_fn(|_| Level::Simple),
        setups: ByColor::default(),
    }
}

/// All that there is to know of a game.
fn told(game: &Game) -> String {
    let view = game.view(None, Viewpoint::Omniscient).expect("over");
    let moves: Vec<_> = view.moves_from(0).collect();
    format!(
        "{:?} {:?} {:?} {:?}",
        view.frame(0),
        moves,
        game.outcome(),
        game.finished_at()
    )
}

fn deployed(game: &Game, side: Color) -> Setup {
    let frame = game.view_for(None).frame(0).expect("it began");
    let mut cells = ['.'; 40];
    for piece in frame.pieces {
        if piece.id.owner() == side {
            let index = usize::from(match side {
                Color::Red => piece.square.index(),
                Color::Blue => 99 - piece.square.index(),
            });
            let rank = piece.rank.expect("disclosed");
            cells[(3 - index / 10) * 10 + index % 10] = rank.to_char();
        }
    }
    let text: String = cells.into_iter().collect();
    Setup::parse(game.terms().ruleset, &text).expect("a setup")
}

/// What a game begins with.
fn opening(game: &Game) -> Vec<Event> {
    let placed = Color::ALL.map(|by| Event::SetupPlaced {
        by,
        setup: deployed(game, by),
        at: START,
    });
    placed
        .into_iter()
        .chain([Event::Started { at: START }])
        .collect()
}

fn moves(game: &Game) -> impl Iterator<Item = (Color, Event)> {
    let view = game.view(None, Viewpoint::Omniscient).expect("over");
    view.moves_from(0).map(|made| {
        let rescue = made.rescue.map(|rescue| Rescue {
            rank: rescue.rank.expect("disclosed"),
            square: rescue.square,
        });
        let (mv, at) = (made.mv, made.played_at.expect("timed"));
        (made.side, Event::Moved { mv, rescue, at })
    })
}

#[test]
fn threads_change_nothing() {
    let simulation = simulation(Ruleset::Barrage);
    let alone: Vec<String> = (0..simulation.games)
        .map(|nth| told(&simulation.play(nth)))
        .collect();
    for threads in 1..=3 {
        let mut together = Vec::new();
        let threads = NonZeroUsize::new(threads).expect("some");
        let run = simulation.run(
            threads,
            |_, game| told(&game),
            |nth, told| {
                assert_eq!(usize::try_from(nth), Ok(together.len()));
                together.push(told);
                Ok::<(), Infallible>(())
            },
        );
        assert_eq!(run, Ok(()));
        assert_eq!(together, alone);
    }
}

#[test]
fn a_seed_is_what_games_come_from() {
    let one = simulation(Ruleset::Duel);
    let other = Simulation {
        seed: 8,
        ..one.clone()
    };
    assert_ne!(told(&one.play(0)), told(&one.play(1)));
    assert_ne!(told(&one.play(0)), told(&other.play(0)));
    assert_eq!(told(&one.play(3)), told(&one.play(3)));
}

#[test]
fn a_sink_that_fails_ends_the_run() {
    let simulation = simulation(Ruleset::Barrage);
    let mut seen = 0;
    let run = simulation.run(
        NonZeroUsize::MIN,
        |_, _| (),
        |nth, ()| {
            seen += 1;
            if nth == 3 { Err("full") } else { Ok(()) }
        },
    );
    assert_eq!((run, seen), (Err("full"), 4));
}

#[test]
fn every_game_is_legal_and_ends() {
    for ruleset in Ruleset::ALL {
        for (rescue, silent_defense) in [(false, false), (true, false), (true, true)] {
            let simulation = Simulation {
                options: Options {
                    rescue,
                    silent_defense,
                    ..ruleset.default_options()
                },
                levels: ByColor {
                    red: Level::Simple,
                    blue: Level::ALL[usize::from(rescue)],
                },
                ..simulation(ruleset)
            };
            for nth in 0..3 {
                let game = simulation.play(nth);
                assert_eq!(game.status(), Status::Finished);
                let limit = game.terms().options.no_progress_plies;
                assert_eq!(limit, Some(NO_PROGRESS_PLIES));
                // The fold takes nothing that the rules do not allow.
                let ended = Event::Ended {
                    outcome: game.outcome().expect("over"),
                    at: game.finished_at().expect("over"),
                };
                let events = opening(&game)
                    .into_iter()
                    .chain(moves(&game).map(|(_, event)| event))
                    .chain([ended]);
                let again = Game::fold(*game.terms(), START, events).expect("legal");
                assert_eq!(told(&again), told(&game));
            }
        }
    }
}

#[test]
fn given_deployments_are_used() {
    let lines = [
        "29...M..3....................F...B2.S...",
        ".....39.SM..................2B........2F",
    ];
    let text = format!("# two\n{}\n\n {}\n", lines[0], lines[1]);
    let red = Deployments::parse(Ruleset::Barrage, &text).expect("two");
    let blue = Deployments::parse(Ruleset::Barrage, lines[1]).expect("one");
    let simulation = Simulation {
        setups: ByColor { red, blue },
        ..simulation(Ruleset::Barrage)
    };
    let mut counts = [0; 2];
    for nth in 0..20 {
        let game = simulation.play(nth);
        assert_eq!(deployed(&game, Color::Blue).to_string(), lines[1]);
        let red = deployed(&game, Color::Red).to_string();
        counts[lines.iter().position(|line| *line == red).expect("given")] += 1;
    }
    assert!(counts[0] > 2 && counts[1] > 2, "{counts:?}");
}

#[test]
fn a_list_without_setups_is_refused() {
    let parse = |text| Deployments::parse(Ruleset::Barrage, text).map(|_| ());
    assert_eq!(parse("# none\n\n"), Err(DeploymentsError::Empty));
    let fault = parse("\n29...M..3....................F...B2.S...\nM").expect_err("refused");
    assert!(
        matches!(fault, DeploymentsError::Setup { line: 3, .. }),
        "{fault}"
    );
}

/// The short way of the first level and the bot's own come to the same.
#[test]
fn level_1_plays_as_the_bot_does() {
    let simulation = simulation(Ruleset::Original);
    let game = simulation.play(0);
    assert!(game.ply() > 50);
    let mut again = Game::fold(*game.terms(), START, opening(&game)).expect("begun");
    for (side, event) in moves(&game) {
        let sight = Sight::of(&again.view_for(Some(side))).expect("his turn");
        for n in 0..5 {
            let mut dice = |below: usize| (n * 37) % below;
            let mut legal = MoveBuffer::new();
            let short = choice(&again, side, Level::Simple, &mut legal, &mut dice);
            assert_eq!(short, choose(Level::Simple, &sight, dice));
        }
        again.apply(&event).expect("legal");
    }
}

#[test]
fn what_never_ends_is_drawn_by_agreement() {
    let mut game = Game::new(simulation(Ruleset::Duel).terms(), START);
    for side in Color::ALL {
        let setup = Setup::random(Ruleset::Duel, Style::Advised, |_| 0);
        assert!(carry_out(&mut game, side, &Command::PlaceSetup(setup)));
    }
    assert!(agree(&mut game));
    let drawn = Outcome::no_winner(EndReason::DrawAgreed);
    assert_eq!(game.outcome(), Some(drawn));
}
