use std::io::{self, BufRead, Read};
use std::sync::Arc;

use serde::de::IgnoredAny;

use super::input::{Input, fault, fault_of};
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
    label: Arc<str>,
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
    /// It is too long, or so many bytes went by without a line that has anything in it.
    TooLong,
}

/// How far into a document, or behind a line, something else than spaces is looked for, in bytes.
const HEAD: usize = 256;

/// What a document is, and what was read of it to know that.
enum First {
    Lines(Option<Line>),
    Whole(Vec<u8>),
}

/// Reads a document to its end, or finds that it is one of many lines: its name says so, or it begins with an
/// object that is whole, or broken off, at the end of its line.
pub(super) fn start(label: Arc<str>, mut input: Input) -> Start {
    match first(&label, &mut input) {
        Ok(First::Lines(first)) => Start::Lines(Lines {
            label,
            input,
            games: 0,
            first,
            has_ended: false,
        }),
        Ok(First::Whole(begun)) => whole(label, begun, input),
        Err(error) => Start::Whole(Err(fault_of(&error).of(&label, 1)), input),
    }
}

fn first(label: &str, input: &mut Input) -> io::Result<First> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let has_lines = is_named_lines(label);
    let head = input.peek(HEAD)?;
    if has_lines && (head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")) {
        let detail = "expected lines of UTF-8, got UTF-16";
        return Err(fault(Code::BadEncoding, detail));
    }
    let (mark, head) = match head.strip_prefix(MARK) {
        Some(head) => (MARK.len(), head),
        None => (0, head),
    };
    let is_object = head.trim_ascii_start().starts_with(b"{");
    if !has_lines && !is_object {
        return Ok(First::Whole(Vec::new()));
    }
    input.consume(mark);
    if has_lines {
        return Ok(First::Lines(None));
    }
    Ok(match read_line(input)? {
        Some(Line::Whole(line)) if goes_on(&line, input)? => First::Whole(line),
        first => First::Lines(first),
    })
}

/// Whether a value goes on in the next line, with what stands there first.
fn goes_on(line: &[u8], input: &mut Input) -> io::Result<bool> {
    let is_cut = |text: &[u8]| {
        let read = serde_json::from_slice::<IgnoredAny>(text);
        read.is_err_and(|error| error.is_eof())
    };
    if !is_cut(line) {
        return Ok(false);
    }
    let head = input.peek(HEAD)?;
    let next = head.trim_ascii_start().get(..1).unwrap_or_default();
    Ok(is_cut(&[line, b"\n", next].concat()))
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
fn whole(label: Arc<str>, mut bytes: Vec<u8>, mut input: Input) -> Start {
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

/// The next line that has anything in it; `None` at the end. Of one that is too long nothing is kept.
fn read_line(input: &mut Input) -> io::Result<Option<Line>> {
    let mut passed = 0;
    while passed <= MAX_LINE {
        let mut line = Vec::new();
        let limit = MAX_LINE + 1;
        let count = input.by_ref().take(limit).read_until(b'\n', &mut line)?;
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        match line.pop() {
            None => return Ok(None),
            Some(b'\n') => {}
            Some(_) if count == limit => {
                skip_line(input)?;
                return Ok(Some(Line::TooLong));
            }
            Some(last) => line.push(last),
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(Line::Whole(line)));
        }
        passed += count;
    }
    Ok(Some(Line::TooLong))
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
        if self.has_ended {
            return None;
        }
        let line = match self.first.take() {
            Some(line) => Ok(Some(line)),
            None => read_line(&mut self.input),
        };
        let read = match line {
            Ok(Some(Line::Whole(bytes))) => Ok(bytes),
            Ok(Some(Line::TooLong)) => {
                let detail = format!("expected a line of at most {MAX_LINE} bytes");
                Err(Fault::new(Code::LineTooLong, detail))
            }
            Ok(None) if self.games > 0 => return None,
            Ok(None) => {
                self.has_ended = true;
                Err(Fault::new(Code::UnknownFormat, "the file is empty"))
            }
            Err(error) => {
                self.has_ended = true;
                Err(fault_of(&error))
            }
        };
        self.games += 1;
        Some(match read {
            Ok(bytes) => Ok(Document {
                label: Arc::clone(&self.label),
                game: self.games,
                bytes,
            }),
            Err(fault) => Err(fault.of(&self.label, self.games)),
        })
    }

    pub(super) fn into_input(self) -> Input {
        self.input
    }
}
