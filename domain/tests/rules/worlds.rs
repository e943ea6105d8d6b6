//! Two games that a viewer cannot tell apart tell him the same (`knowledge.md` 5).

use domain::{
    ByColor, Color, Command, Event, Game, MoveRequest, Rank, RescueRequest, Setup, Square, Status,
    Viewpoint,
};

use crate::players::Players;
use crate::properties::{told, told_of};
use crate::support::{Dice, T0, Table};
use crate::truth::placed;

/// The cells of two enemy pieces of different ranks that the viewer does not know.
fn two_hidden(
    table: &Table,
    viewer: Color,
    setup: Setup,
    dice: &mut Dice,
) -> Option<(usize, usize)> {
    let enemy = !viewer;
    let cells: Vec<char> = setup.to_string().chars().collect();
    let disclosed: Vec<_> = table
        .seen_by(viewer)
        .reveals()
        .iter()
        .map(|reveal| reveal.piece)
        .collect();
    let hidden: Vec<usize> = (0..40)
        .filter(|cell| {
            let (row, column) = (cell / 10, cell % 10);
            let index = match enemy {
                Color::Red => (3 - row) * 10 + column,
                Color::Blue => (6 + row) * 10 + 9 - column,
            };
            let square = u8::try_from(index).ok().and_then(Square::new);
            let piece = square.and_then(domain::PieceId::deployed_on);
            cells[*cell] != '.' && piece.is_some_and(|piece| !disclosed.contains(&piece))
        })
        .collect();
    if hidden.is_empty() {
        return None;
    }
    let (a, b) = (
        hidden[dice.below(hidden.len())],
        hidden[dice.below(hidden.len())],
    );
    (cells[a] != cells[b]).then_some((a, b))
}

fn swapped(setup: Setup, (a, b): (usize, usize), ruleset: domain::Ruleset) -> Option<Setup> {
    let mut cells: Vec<char> = setup.to_string().chars().collect();
    cells.swap(a, b);
    let text: String = cells.into_iter().collect();
    Setup::parse(ruleset, &text).ok()
}

/// The same events with other armies, if they are a game.
fn other_world(table: &Table, setups: ByColor<Setup>) -> Option<Game> {
    let mut game = Game::new(*table.game.terms(), T0);
    for event in &table.events {
        let event = match *event {
            Event::SetupPlaced { by, at, .. } => {
                let setup = setups[by];
                Event::SetupPlaced { by, setup, at }
            }
            other => other,
        };
        game.apply(&event).ok()?;
    }
    Some(game)
}

/// What happened, ranks left out: moves, outcomes, rescues, forfeits, and whether it goes on.
fn happened(game: &Game) -> String {
    let view = game.view(None, Viewpoint::Public).expect("open to all");
    let moves: Vec<_> = view
        .moves_from(0)
        .map(|seen| {
            let attack = seen.attack.map(|attack| (attack.outcome, attack.attacker));
            let back = seen.rescue.map(|back| (back.piece, back.square));
            (seen.mv, attack, back, seen.forfeited)
        })
        .collect();
    format!("{moves:?} {:?}", game.status())
}

/// What a viewer gets from a game: his own view, the public one, and every answer to what he asks.
fn answers(game: &Game, viewer: Color, dice: &mut Dice) -> Vec<String> {
    let below = usize::try_from(game.ply()).expect("small") + 1;
    let past = [(); 2].map(|()| u32::try_from(dice.below(below)).expect("small"));
    let mut answers = Vec::new();
    for view in [game.view_for(Some(viewer)), game.view_for(None)] {
        answers.extend([told(&view), told_of(&view, &past)]);
    }
    let mut moves = domain::MoveBuffer::new();
    if game.turn() == Some(viewer) {
        game.legal_moves(&mut moves);
        answers.push(format!("{moves:?}"));
    }
    let square = |dice: &mut Dice| u8::try_from(dice.below(101)).ok().and_then(Square::new);
    for _ in 0..60 {
        let rank = Rank::ALL[dice.below(12)];
        let rescue = RescueRequest {
            rank,
            square: square(dice),
        };
        let request = MoveRequest {
            ply: game.ply(),
            from: square(dice),
            to: square(dice),
            rescue: dice.flip().then_some(rescue),
        };
        let answer = game.play(viewer, &Command::Move(request), T0);
        // That a move is accepted is told; what comes of it is the next ply's story.
        answers.push(format!(
            "{:?}",
            answer.map(|events| events.first().copied())
        ));
    }
    answers
}

#[test]
fn a_viewer_cannot_tell_two_worlds_apart() {
    let (mut compared, mut silent, mut fallen) = (0, 0, 0);
    for seed in 0..150 {
        let mut players = Players::any(seed);
        let until = 1 + u32::try_from(players.dice.below(150)).expect("small");
        while players.runs() && players.table.game.ply() < until {
            players.turn();
        }
        let Players {
            table, mut dice, ..
        } = players;
        if table.game.status() != Status::Active {
            continue;
        }
        let terms = *table.game.terms();
        let viewer = Color::ALL[dice.below(2)];
        let setups = placed(&table);
        for _ in 0..20 {
            let Some(cells) = two_hidden(&table, viewer, setups[!viewer], &mut dice) else {
                continue;
            };
            let Some(other) = swapped(setups[!viewer], cells, terms.ruleset) else {
                continue;
            };
            let mut worlds = setups;
            worlds[!viewer] = other;
            let Some(game) = other_world(&table, worlds) else {
                continue;
            };
            if happened(&game) != happened(&table.game) {
                continue;
            }
            let asked = dice.clone();
            assert_eq!(
                answers(&game, viewer, &mut asked.clone()),
                answers(&table.game, viewer, &mut asked.clone()),
                "seed {seed}, {viewer}, cells {cells:?}"
            );
            compared += 1;
            silent += u32::from(terms.options.silent_defense);
            let captured = table.seen_by(viewer).captured();
            fallen += u32::from(captured.iter().any(|piece| piece.rank.is_none()));
        }
    }
    println!(
        "{compared} pairs of worlds, {silent} with silent defence, {fallen} with hidden losses"
    );
    assert!(compared > 400 && silent > 150 && fallen > 15);
}
