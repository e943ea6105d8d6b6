//! Conditional moves (`http-api.md` 6).

use domain::{
    BattleOutcome, Color, Command, DroppedReply, Game, IllegalMove, Line, Lines, LinesFault, Move,
    MoveBuffer, MoveRequest, PlayError, Reply, Ruleset, Trigger, TwoSquares,
};
use proptest::prelude::*;

use crate::properties::games;
use crate::support::{Dice, T0, Table, noted};

const RED: &str = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
const BLUE: &str = "Fa10 Bb9 Sb10 2c10 2j10 3f7 9i10 Me7";

fn line(opponent: &str, own: &str, next: Vec<Line>) -> Line {
    let (mv, reply) = (noted(opponent).mv, noted(own));
    Line {
        trigger: Trigger { mv, outcome: None },
        reply: Reply {
            mv: reply.mv,
            rescue: reply.rescue,
        },
        next,
    }
}

fn lines(owner: Color, since: u32, all: Vec<Line>) -> Lines {
    Lines::new(owner, since, all).expect("their form is right")
}

/// Plays the reply that comes up, if one does.
fn reply(table: &mut Table, lines: &Lines) -> bool {
    let Some(events) = lines.reply(&table.game, table.now) else {
        return false;
    };
    for event in &events {
        table.game.apply(event).expect("it follows");
    }
    true
}

fn dropped(ply: u32, why: impl Into<PlayError>) -> DroppedReply {
    let why = why.into();
    DroppedReply { ply, why }
}

#[test]
fn lines_are_followed_by_what_was_played() {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    let deeper = vec![line("f4-f5", "f7-f6", Vec::new())];
    let prepared = lines(
        Color::Blue,
        0,
        vec![
            line("d4-d5", "i10-i9", Vec::new()),
            line("e4-e5", "e7-e8", deeper.clone()),
        ],
    );
    assert_eq!(prepared.waiting(&table.game).len(), 2);
    assert!(!reply(&mut table, &prepared), "the opponent has not moved");
    table.play("e4-e5");
    assert_eq!(prepared.waiting(&table.game), []);
    assert!(reply(&mut table, &prepared));
    assert_eq!(table.game.ply(), 2);
    assert_eq!(prepared.waiting(&table.game), deeper);
    table.play("f4-f5");
    assert!(reply(&mut table, &prepared));
    table.play("d4-d3");
    assert!(!reply(&mut table, &prepared));
    assert_eq!(prepared.dropped(&table.game), None);
}

#[test]
fn the_owner_may_make_the_prepared_reply_by_hand() {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    let deeper = vec![line("f4-f5", "f7-f6", Vec::new())];
    let prepared = lines(Color::Blue, 0, vec![line("e4-e5", "e7-e8", deeper.clone())]);
    table.play("e4-e5 e7-e8");
    assert_eq!(prepared.waiting(&table.game), deeper);
}

#[test]
fn lines_of_the_side_to_move_leave_its_move_free() {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    let prepared = lines(Color::Red, 0, vec![line("e7-e8", "e5-e6", Vec::new())]);
    table.play("e4-e5");
    assert_eq!(prepared.waiting(&table.game).len(), 1);
    table.play("e7-e8");
    assert!(reply(&mut table, &prepared));
    assert_eq!(table.game.ply(), 3);
}

#[test]
fn an_outcome_goes_before_none() {
    let outcome = |outcome, own| {
        let mut line = line("e5-e6", own, Vec::new());
        line.trigger.outcome = Some(outcome);
        line
    };
    let mut table = Table::barrage(RED, BLUE, |_| {});
    table.play("e4-e5 e7-e6");
    let prepared = lines(
        Color::Blue,
        2,
        vec![
            line("e5-e6", "i10-i9", Vec::new()),
            outcome(BattleOutcome::AttackerWins, "j10-j9"),
            outcome(BattleOutcome::BothRemoved, "c10-c9"),
        ],
    );
    table.play("e5xe6");
    assert!(reply(&mut table, &prepared));
    let last = table.seen_by(Color::Blue).last_move().expect("a move");
    assert_eq!(last.mv, noted("c10-c9").mv);
}

#[test]
fn what_the_rules_do_not_allow_is_dropped_with_all_within_it() {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    let next = vec![line("f4-f5", "f7-f6", Vec::new())];
    let prepared = lines(Color::Blue, 0, vec![line("e4-e5", "e7-e5", next)]);
    table.play("e4-e5");
    let why = Some(dropped(1, IllegalMove::TooFar));
    assert!(!reply(&mut table, &prepared));
    assert_eq!(prepared.dropped(&table.game), why);
    table.play("i10-i9 f4-f5");
    assert!(!reply(&mut table, &prepared));
    assert_eq!(prepared.waiting(&table.game), []);
    assert_eq!(prepared.dropped(&table.game), why, "and stays so");
}

#[test]
fn what_would_forfeit_is_dropped_and_what_forfeited_matches_nothing() {
    let begin = || {
        let mut table = Table::barrage(RED, BLUE, |options| {
            options.two_squares = TwoSquares::ForfeitTurn;
            options.two_squares_limit = 2;
        });
        table.play("e4-e5 f7-f6 d4-d3 f6-f7 f4-f3");
        table
    };
    let mut table = begin();
    table.play("f7-f6");
    let last = table.seen_by(Color::Red).last_move().expect("a move");
    assert!(last.forfeited);
    let waited = lines(Color::Red, 5, vec![line("f7-f6", "f3-f4", Vec::new())]);
    assert!(!reply(&mut table, &waited));
    assert_eq!(waited.dropped(&table.game), None);
    let mut table = begin();
    let next = vec![line("f3-f4", "i10-i9", Vec::new())];
    let prepared = lines(Color::Blue, 4, vec![line("f4-f3", "f7-f6", next)]);
    assert!(!reply(&mut table, &prepared));
    let why = Some(dropped(5, IllegalMove::TwoSquares));
    assert_eq!(prepared.dropped(&table.game), why);
    // Made by hand it forfeits, and the lines stay dropped.
    table.play("f7-f6 f3-f4");
    assert!(!reply(&mut table, &prepared));
    assert_eq!(prepared.dropped(&table.game), why);
}

#[test]
fn nothing_waits_in_a_game_that_is_over() {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    let prepared = lines(Color::Blue, 0, vec![line("e4-e5", "e7-e8", Vec::new())]);
    table.play("f4-f5");
    let other = lines(Color::Blue, 2, vec![line("e4-e5", "e7-e8", Vec::new())]);
    table.play("f7-f6");
    table.does(Color::Red, Command::Resign);
    assert_eq!(prepared.waiting(&table.game), []);
    assert_eq!(other.waiting(&table.game), []);
    assert_eq!(other.dropped(&table.game), None);
}

#[test]
fn every_fault_of_form_is_named() {
    let same = |next| line("e4-e5", "e7-e8", next);
    let twice = vec![
        same(Vec::new()),
        same(vec![same(Vec::new()), same(Vec::new())]),
    ];
    let errors = Lines::new(Color::Blue, 0, twice).expect_err("two alike");
    let places: Vec<_> = errors.iter().map(|error| error.path.clone()).collect();
    assert_eq!(places, [vec![1], vec![1, 1]]);
    let deep = |depth| (0..depth).fold(Vec::new(), |next, _| vec![same(next)]);
    assert!(Lines::new(Color::Blue, 0, deep(Lines::DEEPEST)).is_ok());
    let errors = Lines::new(Color::Blue, 0, deep(Lines::DEEPEST + 1)).expect_err("too deep");
    assert_eq!(errors[0].fault, LinesFault::TooDeep);
    assert_eq!(errors[0].path.len(), Lines::DEEPEST + 1);
    let shown = format!("{:?}", lines(Color::Blue, 0, deep(3)));
    assert!(!shown.contains("e7"), "{shown} tells a plan");
}

/// A legal move of the side to move, if there is one.
fn any_move(game: &Game, dice: &mut Dice) -> Option<Move> {
    let mut moves = MoveBuffer::new();
    game.legal_moves(&mut moves);
    (!moves.is_empty()).then(|| moves[dice.below(moves.len())])
}

fn play(game: &mut Game, mv: Move) {
    let request = MoveRequest {
        ply: game.ply(),
        from: Some(mv.from),
        to: Some(mv.to),
        rescue: None,
    };
    let turn = game.turn().expect("it goes on");
    let events = game.play(turn, &Command::Move(request), T0).expect("legal");
    for event in &events {
        game.apply(event).expect("it follows");
    }
}

/// A chain of lines for moves that were played from a ply on, the opponent's first.
fn foreseen(played: &[Move]) -> Vec<Line> {
    played.chunks_exact(2).rev().fold(Vec::new(), |next, pair| {
        let (mv, own) = (pair[0], pair[1]);
        let reply = Reply {
            mv: own,
            rescue: None,
        };
        let trigger = Trigger { mv, outcome: None };
        vec![Line {
            trigger,
            reply,
            next,
        }]
    })
}

proptest! {
    #![proptest_config(games(64))]

    /// Who foresees a game plays it by lines as by hand; who foresees half of it, the half.
    #[test]
    fn a_game_played_by_lines_is_the_game_played_by_hand(seed: u64, owner: bool) {
        let mut dice = Dice::new(seed);
        let ruleset = Ruleset::ALL[dice.below(Ruleset::ALL.len())];
        let owner = if owner { Color::Red } else { Color::Blue };
        let setups = dice.setups(ruleset);
        let mut options = dice.options();
        options.rescue = false;
        let begun = Table::new(ruleset, options, setups).game;
        let mut by_hand = begun.clone();
        let mut played = Vec::new();
        for _ in 0..2 * Lines::DEEPEST {
            let Some(mv) = by_hand.turn().and_then(|_| any_move(&by_hand, &mut dice)) else {
                break;
            };
            play(&mut by_hand, mv);
            played.push(mv);
        }
        let first = usize::from(owner == Color::Red);
        let known = first + dice.below(played.len());
        let prepared = foreseen(&played[first.min(played.len())..known.min(played.len())]);
        let depth = prepared.first().map_or(0, |_| (known.min(played.len()) - first) / 2);
        prop_assume!(!prepared.is_empty());
        let prepared = lines(owner, 0, prepared);
        let mut by_lines = begun;
        let mut replies = 0;
        for mv in &played {
            if by_lines.ply() as usize >= played.len() {
                break;
            }
            let turn = by_lines.turn().expect("it goes on");
            let next = played[by_lines.ply() as usize];
            prop_assert!(turn != owner || replies == depth || by_lines.ply() == 0, "{mv}");
            play(&mut by_lines, next);
            if let Some(events) = prepared.reply(&by_lines, T0) {
                for event in &events {
                    by_lines.apply(event).expect("it follows");
                }
                replies += 1;
            }
            prop_assert_eq!(prepared.dropped(&by_lines), None);
        }
        prop_assert_eq!(replies, depth);
        prop_assert_eq!(by_lines.ply(), by_hand.ply());
        let view = |game: &Game| game.view_for(None).moves_from(0).collect::<Vec<_>>();
        prop_assert_eq!(view(&by_lines), view(&by_hand));
    }
}
