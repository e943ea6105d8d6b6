use domain::{
    ByColor, Color, Command, Game, MoveBuffer, MoveRequest, Options, PlayError, Rescue,
    RescueRequest, Ruleset, Setup, Style, Terms, TimeControl, Timestamp, TwoSquares,
};

use super::{Choice, Level, Sight, choose};

/// A small deterministic generator: the tests need variety, not quality.
fn dice(mut state: u64) -> impl FnMut(usize) -> usize {
    move |n| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    }
}

const START: Timestamp = Timestamp::from_micros(1_000_000);

fn begin(ruleset: Ruleset, options: Options, roll: &mut impl FnMut(usize) -> usize) -> Game {
    let terms = Terms {
        ruleset,
        options,
        time_control: TimeControl::Unlimited,
        vacation: true,
        weekends: false,
    };
    let mut game = Game::new(terms, START);
    for side in Color::ALL {
        let setup = Setup::random(ruleset, Style::Advised, &mut *roll);
        carry_out(&mut game, side, &Command::PlaceSetup(setup)).unwrap();
    }
    game
}

fn carry_out(game: &mut Game, side: Color, command: &Command) -> Result<(), PlayError> {
    for event in game.play(side, command, START)? {
        game.apply(&event).unwrap();
    }
    Ok(())
}

/// Plays to the end, or for so many plies; each side by a level, or at random.
fn play_on(
    game: &mut Game,
    levels: ByColor<Option<Level>>,
    plies: u32,
    roll: &mut impl FnMut(usize) -> usize,
) {
    while let Some(side) = game.turn().filter(|_| game.ply() < plies) {
        let choice = match levels[side] {
            None => {
                let mut legal = MoveBuffer::new();
                game.legal_moves(&mut legal);
                Choice {
                    mv: legal[roll(legal.len())],
                    rescue: None,
                }
            }
            Some(level) => {
                let sight = Sight::of(&game.view_for(Some(side))).unwrap();
                let choice = choose(level, &sight, &mut *roll).unwrap();
                assert!(sight.legal.contains(&choice.mv));
                choice
            }
        };
        let request = |rescue: Option<Rescue>| {
            Command::Move(MoveRequest {
                ply: game.ply(),
                from: Some(choice.mv.from),
                to: Some(choice.mv.to),
                rescue: rescue.map(|rescue| RescueRequest {
                    rank: rescue.rank,
                    square: Some(rescue.square),
                }),
            })
        };
        let (with, without) = (request(choice.rescue), request(None));
        match carry_out(game, side, &with) {
            // That a piece has rescued before, a view does not tell.
            Err(PlayError::IllegalRescue(domain::IllegalRescue::RescuerUsed)) => {
                carry_out(game, side, &without).unwrap();
            }
            done => done.unwrap(),
        }
    }
}

/// How many games of some a level wins against a lower one, or a random player.
fn wins(ruleset: Ruleset, level: Level, against: Option<Level>, games: u64) -> u64 {
    let mut won = 0;
    for seed in 0..games {
        let mut roll = dice(seed);
        let options = Options {
            no_progress_plies: Some(200),
            ..ruleset.default_options()
        };
        let mut game = begin(ruleset, options, &mut roll);
        let side = if seed % 2 == 0 {
            Color::Red
        } else {
            Color::Blue
        };
        let mut levels = ByColor {
            red: against,
            blue: against,
        };
        levels[side] = Some(level);
        play_on(&mut game, levels, u32::MAX, &mut roll);
        let outcome = game.outcome().unwrap();
        won += u64::from(outcome.winner == Some(side));
    }
    println!("{ruleset}: {level:?} won {won} of {games} games against {against:?}");
    won
}

fn is_long() -> bool {
    std::env::var_os("REVEILLE_LONG").is_some()
}

#[test]
fn level_2_beats_random_play_nine_times_of_ten() {
    for ruleset in Ruleset::ALL {
        let is_small = ruleset.army_size() <= 10;
        let games = match (is_long(), is_small) {
            (true, _) => 200,
            (false, true) => 60,
            (false, false) => 10,
        };
        let won = wins(ruleset, Level::Sensible, None, games);
        assert!(10 * won >= 9 * games, "{ruleset}: {won} of {games}");
    }
}

/// More often than not; each move of level 3 takes its time, so that a short round has one rule sheet.
#[test]
fn level_3_beats_level_2() {
    let (rulesets, games) = if is_long() {
        (&Ruleset::ALL[..], 40)
    } else {
        (&[Ruleset::Duel][..], 4)
    };
    for ruleset in rulesets {
        let won = wins(*ruleset, Level::Strong, Some(Level::Sensible), games);
        assert!(2 * won > games, "{ruleset}: {won} of {games}");
    }
}

/// Every level under every ruleset with the options turned about.
#[test]
fn every_level_plays_by_every_rule() {
    for (seed, ruleset) in (0_u64..).zip(Ruleset::ALL) {
        for bits in 0..8_u8 {
            let options = Options {
                aggressor_advantage: bits & 1 != 0,
                silent_defense: bits & 2 != 0,
                rescue: bits & 4 != 0,
                more_squares: bits & 1 == 0,
                two_squares: if bits & 2 == 0 {
                    TwoSquares::Illegal
                } else {
                    TwoSquares::ForfeitTurn
                },
                two_squares_limit: 2 + bits % 4,
                no_progress_plies: Some(100),
            };
            let mut roll = dice(seed * 8 + u64::from(bits));
            // Level 3 takes its time, unoptimised most of all: one move of it, where the options are mixed.
            let strong = (bits % 3 == 2).then_some((Level::Sensible, Level::Strong, 2));
            let games = [Some((Level::Simple, Level::Sensible, 150)), strong];
            for (red, blue, plies) in games.into_iter().flatten() {
                let mut game = begin(ruleset, options, &mut roll);
                let levels = ByColor { red, blue }.map(Some);
                play_on(&mut game, levels, plies, &mut roll);
            }
        }
    }
}

#[test]
fn a_bot_knows_no_more_than_its_view() {
    let mut roll = dice(7);
    let mut game = begin(Ruleset::Duel, Ruleset::Duel.default_options(), &mut roll);
    let random = ByColor {
        red: None,
        blue: None,
    };
    play_on(&mut game, random, 1, &mut roll);
    assert_eq!(Sight::of(&game.view_for(Some(Color::Red))), None);
    assert_eq!(Sight::of(&game.view_for(None)), None);
    let sight = Sight::of(&game.view_for(Some(Color::Blue))).unwrap();
    let hidden = sight.pieces.iter().filter(|piece| piece.rank.is_none());
    assert!(hidden.clone().count() > 0);
    assert!(hidden.into_iter().all(|piece| piece.owner == Color::Red));
}
