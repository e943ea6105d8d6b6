use domain::{Move, Rank};

use super::imagined::Imagined;
use super::judge::Judge;
use super::sight::Sight;
use super::worlds;

/// Moves that are looked into: the best by judgement.
const WIDTH: usize = 10;
/// How far each is played on.
const PLIES: u32 = 16;
/// How many moves are judged for one that is made. What a move costs grows with the armies, so less is
/// looked into with large ones.
const EFFORT: (usize, usize) = (4_000, 2_000);
/// An army that is large.
const LARGE: u8 = 20;
/// In how many rounds: after each the worse half is out.
const ROUNDS: usize = 3;
/// What the judgement of the move itself weighs beside what came of it.
const PRIOR: f32 = 0.12;
/// What the end of the game is worth.
const VICTORY: f32 = 1_500.0;

/// A move that is looked into, and what came of it.
struct Candidate {
    mv: Move,
    judged: f32,
    sum: f32,
    tries: u16,
}

impl Candidate {
    fn value(&self) -> f32 {
        self.sum / f32::from(self.tries.max(1)) + PRIOR * self.judged
    }
}

/// The move of which most comes: each of the best by judgement is played on for some plies, again and again,
/// in games that might be, by both sides as each would see it and by judgement.
pub(super) fn rollout(sight: &Sight, below: &mut impl FnMut(usize) -> usize) -> Option<Move> {
    let judge = Judge::new(sight);
    let mut candidates = candidates(sight, &judge);
    let effort = if sight.ruleset.army_size() < LARGE {
        EFFORT.0
    } else {
        EFFORT.1
    };
    let plies = usize::try_from(PLIES).unwrap_or(usize::MAX);
    while candidates.len() > 1 {
        let games = effort / ROUNDS / (candidates.len() * plies);
        for _ in 0..games.max(1) {
            // The same army for all: that one was lucky counts for none.
            let ranks = worlds::draw(sight, &judge.hidden, below);
            let game = Imagined::new(sight, &ranks);
            for candidate in &mut candidates {
                let mut game = game.clone();
                game.play(candidate.mv);
                play_on(&mut game, below);
                candidate.sum += balance(&game, sight, &judge);
                candidate.tries += 1;
            }
        }
        candidates.sort_by(|one, other| other.value().total_cmp(&one.value()));
        candidates.truncate(candidates.len() / 2);
    }
    candidates.first().map(|candidate| candidate.mv)
}

fn candidates(sight: &Sight, judge: &Judge<'_>) -> Vec<Candidate> {
    let judged = sight.legal.iter().map(|mv| Candidate {
        mv: *mv,
        judged: judge.judge(*mv),
        sum: 0.0,
        tries: 0,
    });
    let mut candidates: Vec<Candidate> = judged.collect();
    candidates.sort_by(|one, other| other.judged.total_cmp(&one.judged));
    candidates.truncate(WIDTH);
    candidates
}

fn play_on(game: &mut Imagined, below: &mut impl FnMut(usize) -> usize) {
    for _ in 0..PLIES {
        if game.winner.is_some() {
            return;
        }
        let seen = game.sight();
        match Judge::new(&seen).best(below) {
            Some(mv) => game.play(mv),
            None => game.give_up(),
        }
    }
}

/// How a game stands for the bot: what it has left, less what the other side has, and who won.
fn balance(game: &Imagined, sight: &Sight, judge: &Judge<'_>) -> f32 {
    let (mine, theirs) = judge.worths();
    let standing = game.standing().filter(|(_, rank)| *rank != Rank::Flag);
    let left: f32 = standing
        .map(|(owner, rank)| {
            if owner == sight.me {
                mine.of(rank)
            } else {
                -theirs.of(rank)
            }
        })
        .sum();
    match game.winner {
        None => left,
        Some(winner) if winner == sight.me => left + VICTORY,
        Some(_) => left - VICTORY,
    }
}
