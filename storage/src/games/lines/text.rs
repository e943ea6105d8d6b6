//! Lines as a text: one of it for each line, a line before those within it.
//!
//! `0 e7-e6 a4-a5` says that a4-a5 is played when the opponent plays e7-e6. The first number is how
//! deep it is; `e7-e6=both_removed` names how the attack ended as well, `a4-a5+8@c2` a rescue.

use std::fmt::Write;
use std::str::FromStr;

use domain::{BattleOutcome, Color, Line, Lines, Move, Rank, Reply, Rescue, Square, Trigger};

use crate::error::{Corruption, StorageError};

pub(super) fn written(lines: &Lines) -> String {
    let mut text = String::new();
    write_within(&mut text, lines.all(), 0);
    text
}

fn write_within(text: &mut String, lines: &[Line], depth: usize) {
    for Line {
        trigger,
        reply,
        next,
    } in lines
    {
        let outcome = trigger.outcome.map(BattleOutcome::name);
        let outcome = outcome.map_or_else(String::new, |name| format!("={name}"));
        let rescue = reply.rescue.map_or_else(String::new, |rescue| {
            format!("+{}@{}", rescue.rank.to_char(), rescue.square)
        });
        let (opponent, own) = (trigger.mv, reply.mv);
        // Writing to a text does not fail.
        let _always = writeln!(text, "{depth} {opponent}{outcome} {own}{rescue}");
        write_within(text, next, depth + 1);
    }
}

pub(super) fn read(owner: Color, since: u32, text: &str) -> Result<Lines, StorageError> {
    let corrupt = || StorageError::Corrupt(Corruption::Value { column: "lines" });
    let mut flat = Vec::new();
    for line in text.lines() {
        flat.push(read_line(line).ok_or_else(corrupt)?);
    }
    let mut flat = flat.into_iter().peekable();
    let lines = within(&mut flat, 0);
    if flat.next().is_some() {
        return Err(corrupt());
    }
    Lines::new(owner, since, lines).map_err(|_| corrupt())
}

/// The lines that come next at a depth, with those within them.
fn within(
    flat: &mut std::iter::Peekable<impl Iterator<Item = (usize, Line)>>,
    depth: usize,
) -> Vec<Line> {
    let mut lines = Vec::new();
    while let Some((_, mut line)) = flat.next_if(|(own, _)| *own == depth) {
        line.next = within(flat, depth + 1);
        lines.push(line);
    }
    lines
}

fn read_line(text: &str) -> Option<(usize, Line)> {
    let mut words = text.split(' ');
    let (depth, opponent, own) = (words.next()?, words.next()?, words.next()?);
    let (opponent, outcome) = cut(opponent, '=');
    let (own, rescue) = cut(own, '+');
    let outcome = match outcome {
        Some(name) => Some(BattleOutcome::from_name(name)?),
        None => None,
    };
    let rescue = match rescue {
        Some(text) => Some(read_rescue(text)?),
        None => None,
    };
    let (trigger, reply) = (read_move(opponent)?, read_move(own)?);
    let line = Line {
        trigger: Trigger {
            mv: trigger,
            outcome,
        },
        reply: Reply { mv: reply, rescue },
        next: Vec::new(),
    };
    words.next().is_none().then_some(())?;
    Some((usize::from_str(depth).ok()?, line))
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn read_move(text: &str) -> Option<Move> {
    let (from, to) = text.split_once('-')?;
    Some(Move {
        from: from.parse().ok()?,
        to: to.parse().ok()?,
    })
}

fn read_rescue(text: &str) -> Option<Rescue> {
    let (rank, square) = text.split_once('@')?;
    let mut letters = rank.chars();
    let rank = Rank::from_char(letters.next()?)?;
    letters.next().is_none().then_some(())?;
    let square: Square = square.parse().ok()?;
    Some(Rescue { rank, square })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        read_move(text).unwrap()
    }

    fn line(opponent: &str, outcome: Option<BattleOutcome>, own: &str, next: Vec<Line>) -> Line {
        Line {
            trigger: Trigger {
                mv: mv(opponent),
                outcome,
            },
            reply: Reply {
                mv: mv(own),
                rescue: None,
            },
            next,
        }
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let mut rescuing = line("a7-a6", None, "j9-j10", Vec::new());
        rescuing.reply.rescue = Some(Rescue {
            rank: Rank::Marshal,
            square: "c2".parse().unwrap(),
        });
        let outcomes = BattleOutcome::ALL.map(|outcome| {
            let deeper = line("b7-b6", Some(outcome), "b4-b5", vec![rescuing.clone()]);
            line("e7-e6", Some(outcome), "e4-e5", vec![deeper])
        });
        let mut all = outcomes.to_vec();
        all.push(line("e7-e6", None, "d4-d5", Vec::new()));
        let lines = Lines::new(Color::Red, 7, all).unwrap();
        let text = written(&lines);
        assert!(text.starts_with(
            "0 e7-e6=attacker_wins e4-e5\n1 b7-b6=attacker_wins b4-b5\n2 a7-a6 j9-j10+M@c2\n"
        ));
        assert_eq!(read(Color::Red, 7, &text).unwrap(), lines);
    }

    #[test]
    fn what_is_no_text_of_lines_is_damage() {
        for text in [
            "",
            "0 e7-e6",
            "1 e7-e6 e4-e5",
            "0 e7-e6 e4-e5\n2 e6-e5 a4-a5",
            "0 e7-e6=lost e4-e5",
            "0 e7-k6 e4-e5",
            "0 e7-e6 e4-e5+MM@c2",
            "0 e7-e6 e4-e5 more",
            "0 e7-e6 e4-e5\n0 e7-e6 e4-e5",
        ] {
            let read = read(Color::Red, 0, text);
            if text.is_empty() {
                assert_eq!(read.unwrap().all(), []);
            } else {
                assert!(read.is_err(), "{text}");
            }
        }
    }

    #[test]
    fn the_longest_text_has_room_in_its_column() {
        let longest = line(
            "a10-b10",
            Some(BattleOutcome::AttackerWins),
            "a10-b10",
            Vec::new(),
        );
        let chain = |place: usize| {
            (0..20).fold(Vec::new(), |next, _| {
                let mut line = longest.clone();
                line.trigger.mv.from = Square::new(u8::try_from(90 + place).unwrap()).unwrap();
                line.reply.rescue = Some(Rescue {
                    rank: Rank::Marshal,
                    square: "a10".parse().unwrap(),
                });
                line.next = next;
                vec![line]
            })
        };
        let all: Vec<Line> = (0..5).flat_map(chain).collect();
        let lines = Lines::new(Color::Blue, 0, all).unwrap();
        assert!(written(&lines).len() <= 8_000);
        assert_eq!(lines.count(), Lines::MOST);
    }
}
