use std::io::{self, Read};

use crate::recorded::documents::input::{Input, fault};
use crate::recorded::rejection::{Code, Fault};

/// The length of a header behind its four letters, without name and extras.
const FIXED: usize = 26;

const LOCAL: &[u8; 4] = b"PK\x03\x04";

/// What may come in the place of an entry: the directory, or one of the records about it.
const ENDS: [&[u8; 4]; 5] = [
    b"PK\x01\x02",
    b"PK\x05\x06",
    b"PK\x06\x06",
    b"PK\x06\x08",
    b"PK\x05\x05",
];

/// How much of a name is kept, in bytes: the end, in which the file's own name stands.
const MAX_NAME: usize = 512;

/// A length that stands elsewhere.
const ELSEWHERE: u32 = u32::MAX;

/// The extra field with lengths of 64 bits.
const WIDE: u16 = 1;

/// How an entry is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// Not at all.
    Stored,
    /// By deflate.
    Deflated,
    /// In a way that is not read.
    Other(u16),
}

/// What stands before an entry.
pub(super) struct Header {
    pub(super) name: String,
    pub(super) method: Method,
    pub(super) is_encrypted: bool,
    /// Length and checksum stand behind the entry.
    pub(super) has_descriptor: bool,
    pub(super) crc: Option<u32>,
    /// The length as packed, where it is known.
    pub(super) packed: Option<u64>,
}

impl Header {
    /// Why the entry cannot be read.
    pub(super) fn refusal(&self) -> Option<Fault> {
        let detail = match self.method {
            _ if self.is_encrypted => "the entry is encrypted".to_owned(),
            Method::Other(method) => {
                format!("the entry is packed by method {method}; stored and deflate are read")
            }
            Method::Stored if self.packed.is_none() => {
                "the entry is stored without its length".to_owned()
            }
            Method::Stored | Method::Deflated => return None,
        };
        Some(Fault::new(Code::UnsupportedArchive, detail))
    }
}

/// Reads what stands before the next entry; `None` where the directory begins.
pub(super) fn read(input: &mut Input) -> io::Result<Option<Header>> {
    let mut mark = [0; 4];
    input.read_exact(&mut mark)?;
    if ENDS.contains(&&mark) {
        return Ok(None);
    }
    if &mark != LOCAL {
        let detail = "expected the next entry of the archive";
        return Err(fault(Code::DamagedArchive, detail));
    }
    let mut fixed = [0; FIXED];
    input.read_exact(&mut fixed)?;
    let half = |at| u16_at(&fixed, at).unwrap_or_default();
    let word = |at| u32_at(&fixed, at).unwrap_or_default();
    let (flags, method) = (half(2), half(4));
    let (crc, packed, unpacked) = (word(10), word(14), word(18));
    let mut name = vec![0; half(22).into()];
    input.read_exact(&mut name)?;
    let mut extra = vec![0; half(24).into()];
    input.read_exact(&mut extra)?;
    let has_descriptor = flags & 1 << 3 != 0;
    let packed = match packed {
        ELSEWHERE => wide_length(&extra, unpacked == ELSEWHERE),
        packed => Some(packed.into()),
    };
    let name = String::from_utf8_lossy(&name[name.len().saturating_sub(MAX_NAME)..]);
    let method = match method {
        0 => Method::Stored,
        8 => Method::Deflated,
        other => Method::Other(other),
    };
    let is_empty = method == Method::Stored && name.ends_with('/');
    Ok(Some(Header {
        name: name.replace(char::is_control, "\u{fffd}"),
        method,
        // Bit 13 hides what the header says.
        is_encrypted: flags & (1 | 1 << 13) != 0,
        has_descriptor,
        crc: (!has_descriptor).then_some(crc),
        // With a length to come, the one that is here says nothing where it is nothing.
        packed: packed.filter(|packed| !has_descriptor || *packed > 0 || is_empty),
    }))
}

/// The packed length among the extra fields; the unpacked one stands before it if it is there.
fn wide_length(extra: &[u8], has_unpacked: bool) -> Option<u64> {
    let mut rest = extra;
    while let (Some(id), Some(length)) = (u16_at(rest, 0), u16_at(rest, 2)) {
        let end = 4 + usize::from(length);
        let field = rest.get(4..end)?;
        if id == WIDE {
            return u64_at(field, if has_unpacked { 8 } else { 0 });
        }
        rest = rest.get(end..)?;
    }
    None
}

/// What stands behind an entry whose length was not known before.
pub(super) struct Descriptor {
    pub(super) crc: Option<u32>,
    /// Its own length.
    pub(super) length: usize,
}

impl Descriptor {
    /// How much of the archive is looked at to know it: the longest one, and the mark of what comes next.
    pub(super) const SEEN: usize = 28;

    /// Reads it behind an entry of so many bytes; `None` when it is not about that entry.
    pub(super) fn read(head: &[u8], packed: u64) -> Option<Self> {
        // The mark may be left out.
        let (marked, rest) = match head.strip_prefix(b"PK\x07\x08") {
            Some(rest) => (4, rest),
            None => (0, head),
        };
        // Lengths have 32 bits, or 64; then an upper half stands where the other length would.
        let is_followed = |length| {
            let mark = rest.get(length..).and_then(<[u8]>::first_chunk);
            mark.is_some_and(|mark| mark == LOCAL || ENDS.contains(&mark))
        };
        let is_narrow = u32_at(rest, 4).map(u64::from) == Some(packed);
        let is_wide = u64_at(rest, 4) == Some(packed);
        let length = match (is_narrow, is_wide) {
            (true, _) if is_followed(12) => 12,
            (_, true) if is_followed(20) => 20,
            (true, _) => 12,
            // Some leave all of it out behind a folder.
            (false, _) if packed == 0 && head.starts_with(b"PK") => {
                let length = 0;
                return Some(Self { crc: None, length });
            }
            (false, _) => return None,
        };
        Some(Self {
            crc: u32_at(rest, 0),
            length: marked + length,
        })
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at + 2)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}
