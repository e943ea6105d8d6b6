//! What holds in every game, whoever plays it.

use domain::{
    Color, Game, MoveBuffer, PieceId, Position, Ruleset, Setup, Square, Verdict, View, Viewpoint,
};
use proptest::prelude::*;

use crate::players::Players;
use crate::support::{Dice, T0, legal_moves, long_rounds};
use crate::truth::Truth;

/// Games for a property; ten times as many in the long rounds.
pub(crate) fn games(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: if long_rounds() { 10 * cases } else { cases },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// What a view tells.
pub(crate) fn told(view: &View<'_>) -> String {
    let moves: Vec<_> = view.moves_from(0).collect();
    assert_eq!(view.last_move().as_ref(), moves.last());
    format!(
        "{:?}\n{:?}\n{:?}\n{moves:?}\n{:?}\n{:?}\n{:?}",
        view.viewpoint(),
        view.pieces(),
        view.captured(),
        view.battles(),
        view.reveals(),
        view.frame(view.game().ply()),
    )
}

/// What a view tells of the whole game and of the board after some plies: the bits, the pieces, the
/// odds and the evidence.
pub(crate) fn told_of(view: &View<'_>, plies: &[u32]) -> String {
    let chronicle = view.chronicle();
    let boards = plies.iter().map(|ply| {
        let frame = view.frame(*ply);
        let odds = frame.as_ref().map(|frame| -> Vec<_> {
            let pieces = frame.pieces.iter();
            pieces.map(|piece| frame.odds(piece)).collect()
        });
        let chains: Vec<_> = PieceId::all()
            .map(|piece| view.why(&chronicle, piece, *ply))
            .collect();
        format!("{frame:?}\n{odds:?}\n{chains:?}\n")
    });
    let boards: String = boards.collect();
    format!("{:?}\n{boards}", view.timeline())
}

/// All that a game tells to anyone.
pub(crate) fn snapshot(game: &Game) -> Vec<String> {
    let mut moves = MoveBuffer::new();
    game.legal_moves(&mut moves);
    let public = format!(
        "{:?} {:?}",
        (
            game.status(),
            game.ply(),
            game.turn(),
            game.deadline(),
            game.offers().collect::<Vec<_>>(),
            game.outcome(),
            Color::ALL.map(|side| (game.time_left(side), game.has_placed(side))),
        ),
        (
            game.created_at(),
            game.started_at(),
            game.finished_at(),
            game.updated_at(),
            game.pause(),
            game.near(),
        )
    );
    let timeline = game
        .view(None, Viewpoint::Public)
        .map(|view| view.timeline());
    let mut told_all = vec![public, format!("{moves:?}"), format!("{timeline:?}")];
    for player in [None, Some(Color::Red), Some(Color::Blue)] {
        for viewpoint in Viewpoint::ALL {
            let seen = game.view(player, viewpoint);
            told_all.push(seen.map_or_else(|| "nothing".to_owned(), |view| told(&view)));
        }
    }
    told_all
}

/// A game of any kind, played for a while or to its end.
fn any_game(seed: u64, plies: u32) -> Players {
    let mut players = Players::any(seed);
    players.play(plies);
    players
}

proptest! {
    #![proptest_config(games(48))]

    #[test]
    fn a_game_is_the_fold_of_its_events(seed: u64, plies in 0_u32..400) {
        let table = any_game(seed, plies).table;
        let terms = *table.game.terms();
        let folded = Game::fold(terms, T0, table.events.iter().copied()).expect("sound");
        prop_assert_eq!(snapshot(&folded), snapshot(&table.game));
    }

    /// An event that cannot follow leaves the game as it was.
    #[test]
    fn an_unsound_event_changes_nothing(seed: u64, other: u64, plies in 0_u32..30) {
        let mut game = any_game(seed, plies).table.game;
        let strange = any_game(other, plies).table.events;
        for event in &strange {
            let mut after = game.clone();
            match after.apply(event) {
                Err(error) => {
                    prop_assert_eq!(error.ply, game.ply());
                    prop_assert_eq!(snapshot(&after), snapshot(&game), "{:?}", event);
                }
                Ok(()) => game = after,
            }
        }
    }

    /// The boards one by one are the boards in a row; the last but for the end's disclosure is now.
    #[test]
    fn frames_are_the_frames_of_a_replay(seed: u64, plies in 0_u32..120, skip in 0_u32..130) {
        let table = any_game(seed, plies).table;
        for viewpoint in Viewpoint::ALL {
            for player in [None, Some(Color::Red), Some(Color::Blue)] {
                let Some(view) = table.game.view(player, viewpoint) else { continue };
                let ply = table.game.ply();
                let one_by_one: Vec<_> = (0..=ply).filter_map(|ply| view.frame(ply)).collect();
                prop_assert_eq!(one_by_one.len(), usize::try_from(ply).expect("small") + 1);
                prop_assert_eq!(&view.frames(0, usize::MAX), &one_by_one);
                prop_assert_eq!(view.frame(ply + 1), None);
                let rest = one_by_one.get(usize::try_from(skip).expect("small")..);
                let rest = rest.unwrap_or_default();
                prop_assert_eq!(&view.frames(skip, 7)[..], &rest[..rest.len().min(7)]);
                prop_assert_eq!(&view.pieces(), &one_by_one.last().expect("one").pieces);
            }
        }
    }

    /// A rank is told if and only if it is the viewer's own, or was disclosed or left over by
    /// elimination; and what a piece can be is what the assignments of the army leave.
    #[test]
    fn no_rank_is_told_that_was_not_disclosed(seed: u64, plies in 0_u32..400) {
        let table = any_game(seed, plies).table;
        let truth = Truth::of(&table);
        let mut dice = Dice::new(seed);
        let end = usize::try_from(table.game.ply()).expect("small");
        let past = [(); 4].map(|()| u32::try_from(dice.below(end + 1)).expect("small"));
        for viewpoint in Viewpoint::ALL {
            let player = match viewpoint {
                Viewpoint::Red => Some(Color::Red),
                Viewpoint::Blue => Some(Color::Blue),
                _ => None,
            };
            if let Some(view) = table.game.view(player, viewpoint) {
                truth.compare(&view, &past);
            }
        }
    }

    #[test]
    fn a_setup_reads_back(seed: u64) {
        let mut dice = Dice::new(seed);
        let ruleset = Ruleset::ALL[dice.below(5)];
        let setups = dice.setups(ruleset);
        for setup in [setups.red, setups.blue] {
            prop_assert_eq!(Setup::parse(ruleset, &setup.to_string()), Ok(setup));
        }
    }

    /// Generated moves are those that `check` lets pass, of all that could be written down.
    #[test]
    fn legal_moves_are_what_check_accepts(seed: u64, plies in 0_u32..200) {
        let mut dice = Dice::new(seed);
        let ruleset = Ruleset::ALL[dice.below(5)];
        let options = dice.options();
        let mut position = Position::new(options, &dice.setups(ruleset));
        // Shuttling brings the repetition rules in.
        let mut last = [None; 2];
        while position.ply() < plies && position.outcome().is_none() {
            let moves = legal_moves(&position);
            let side = position.turn() as usize;
            let back = moves.iter().find(|mv| dice.clone().below(3) > 0 && last[side] == Some(mv.from));
            let mv = back.copied().unwrap_or_else(|| moves[dice.below(moves.len())]);
            last[side] = Some(mv.to);
            position.play_unchecked(mv, None);
        }
        let mut generated: Vec<String> =
            legal_moves(&position).iter().map(ToString::to_string).collect();
        generated.sort_unstable();
        let mut accepted = Vec::new();
        if position.outcome().is_none() {
            for from in Square::all() {
                for to in Square::all() {
                    if let Ok((mv, Verdict::Played)) = position.check(Some(from), Some(to)) {
                        accepted.push(mv.to_string());
                    }
                }
            }
        }
        accepted.sort_unstable();
        prop_assert_eq!(generated, accepted);
    }
}
