//! The walk-through of a README, taken out so that it can be run.
//!
//! A fenced block whose info string is `sh walkthrough` is part of it. When the next fenced block is
//! a `text` one, it is what the commands print: its lines must come in that order, other lines may
//! stand between them, and `…` stands for anything.

/// One block of commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The line of the README on which the commands begin, from 1.
    pub line: usize,
    /// The commands.
    pub commands: String,
    /// The lines that their output must hold, in order.
    pub expected: Vec<String>,
}

/// All blocks of the walk-through, in order.
pub fn steps(readme: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut previous_was_step = false;
    for block in blocks(readme) {
        match block.info {
            "sh walkthrough" => {
                let commands = block.lines.join("\n");
                steps.push(Step {
                    line: block.line,
                    commands,
                    expected: Vec::new(),
                });
                previous_was_step = true;
            }
            "text" if previous_was_step => {
                if let Some(step) = steps.last_mut() {
                    step.expected = block.lines.iter().map(|line| (*line).to_owned()).collect();
                }
                previous_was_step = false;
            }
            _ => previous_was_step = false,
        }
    }
    steps
}

struct Block<'a> {
    line: usize,
    info: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(readme: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (index, line) in readme.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                open = Some(Block {
                    line: index + 2,
                    info: info.trim(),
                    lines: Vec::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(line),
            (None, None) => {}
        }
    }
    blocks
}

/// The first expected line that `output` does not hold after the ones before it.
pub fn missing<'a>(expected: &'a [String], output: &str) -> Option<&'a str> {
    let mut lines = output.lines();
    expected
        .iter()
        .filter(|pattern| !pattern.trim().is_empty())
        .find(|pattern| !lines.any(|line| matches(pattern.trim(), line.trim())))
        .map(String::as_str)
}

/// Whether `line` is `pattern`, in which each `…` stands for anything.
pub fn matches(pattern: &str, line: &str) -> bool {
    let Some((front, rest)) = pattern.split_once('…') else {
        return pattern == line;
    };
    let Some(mut line) = line.strip_prefix(front) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('…').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match line.find(part) {
            Some(at) => line = &line[at + part.len()..],
            None => return false,
        }
    }
    line.ends_with(last)
}
