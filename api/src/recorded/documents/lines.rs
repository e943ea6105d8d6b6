use std::io::{self, BufRead, Read};

use serde::de::IgnoredAny;

use super::input::{Input, fault_of};
use super::{Document, Item, MAX_DOCUMENT, MAX_LINE};
use crate::recorded::rejection::{Code, Fault};

/// How a document begins.
pub(super) enum Start {
    /// It is one of many lines.
    Lines(Lines),
    /// It is all there is.
    Whole(Item, Input),
}

/// The lines of NDJSON, each a document; empty ones are passed over.
pub(super) struct Lines {
    label: String,
    input: Input,
    /// How many games were given out.
    games: u32,
    /// The first line, which told what this is.
    first: Option<Line>,
    has_ended: bool,
}

/// A line without its end.
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// Reads a document to its end, or finds that it is one of many lines: an object that is whole at the end of
/// its line, or in a file whose name says so.
pub(super) fn start(label: String, mut input: Input) -> Start {
    match is_object(&mut input) {
        Ok(false) => whole(label, Vec::new(), input),
        Err(error) => Start::Whole(Err(fault_of(&error).of(&label, 1)), input),
        Ok(true) => match first_line(&mut input) {
            Ok(Some(Line::Whole(line))) if !is_named_lines(&label) && is_cut(&line) => {
                whole(label, line, input)
            }
            Ok(first) => Start::Lines(Lines {
                label,
                input,
                games: 0,
                first,
                has_ended: false,
            }),
            Err(error) => Start::Whole(Err(fault_of(&error).of(&label, 1)), input),
        },
    }
}

/// Whether the first that is not a space is `{`; a byte-order mark before it is passed over.
fn is_object(input: &mut Input) -> io::Result<bool> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let head = input.peek(256)?;
    let (mark, head) = match head.strip_prefix(MARK) {
        Some(head) => (MARK.len(), head),
        None => (0, head),
    };
    let is_object = head.trim_ascii_start().starts_with(b"{");
    if is_object {
        input.consume(mark);
    }
    Ok(is_object)
}

/// Whether a value goes on in the next line.
fn is_cut(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

fn is_named_lines(label: &str) -> bool {
    let ending = |label: &str, ending: &str| {
        let start = label.len().checked_sub(ending.len());
        let last = start.and_then(|start| label.get(start..));
        last.is_some_and(|last| last.eq_ignore_ascii_case(ending))
    };
    let packed = [".ndjson", ".jsonl", ".ndjson.gz", ".jsonl.gz"];
    packed.iter().any(|one| ending(label, one))
}

/// All of a document that begins with a line that was read already.
fn whole(label: String, mut bytes: Vec<u8>, mut input: Input) -> Start {
    if !bytes.is_empty() {
        bytes.push(b'\n');
    }
    let begun = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let room = MAX_DOCUMENT.saturating_sub(begun);
    let read = input.by_ref().take(room + 1).read_to_end(&mut bytes);
    let item = match read {
        Err(error) => Err(fault_of(&error).of(&label, 1)),
        Ok(count) if u64::try_from(count).is_ok_and(|count| count > room) => {
            let detail = format!("expected a document of at most {MAX_DOCUMENT} bytes");
            Err(Fault::new(Code::TooLarge, detail).of(&label, 1))
        }
        Ok(_) => Ok(Document {
            label,
            game: 1,
            bytes,
        }),
    };
    Start::Whole(item, input)
}

/// The next line; `None` at the end. Of one that is too long nothing is kept.
fn read_line(input: &mut Input) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let limit = MAX_LINE + 1;
    let count = input.by_ref().take(limit).read_until(b'\n', &mut line)?;
    match line.pop() {
        None => return Ok(None),
        Some(b'\n') => {}
        Some(_) if u64::try_from(count).is_ok_and(|count| count == limit) => {
            skip_line(input)?;
            return Ok(Some(Line::TooLong));
        }
        Some(last) => line.push(last),
    }
    Ok(Some(Line::Whole(line)))
}

/// The first line that is not empty.
fn first_line(input: &mut Input) -> io::Result<Option<Line>> {
    loop {
        match read_line(input)? {
            Some(Line::Whole(line)) if line.trim_ascii().is_empty() => {}
            line => return Ok(line),
        }
    }
}

fn skip_line(input: &mut Input) -> io::Result<()> {
    loop {
        let available = input.fill_buf()?;
        let end = available.iter().position(|byte| *byte == b'\n');
        let count = end.map_or(available.len(), |end| end + 1);
        input.consume(count);
        if end.is_some() || count == 0 {
            return Ok(());
        }
    }
}

impl Lines {
    pub(super) fn next(&mut self) -> Option<Item> {
        while !self.has_ended {
            let line = match self.first.take() {
                Some(line) => Ok(Some(line)),
                None => read_line(&mut self.input),
            };
            let fault = match line {
                Ok(None) => return None,
                Ok(Some(Line::Whole(line))) if line.trim_ascii().is_empty() => continue,
                Ok(Some(Line::Whole(bytes))) => {
                    self.games += 1;
                    return Some(Ok(Document {
                        label: self.label.clone(),
                        game: self.games,
                        bytes,
                    }));
                }
                Ok(Some(Line::TooLong)) => {
                    let detail = format!("expected a line of at most {MAX_LINE} bytes");
                    Fault::new(Code::LineTooLong, detail)
                }
                Err(error) => {
                    self.has_ended = true;
                    fault_of(&error)
                }
            };
            self.games += 1;
            return Some(Err(fault.of(&self.label, self.games)));
        }
        None
    }

    pub(super) fn into_input(self) -> Input {
        self.input
    }
}
