//! Counts as bytes: each kind as its distance from the one before, and how many; both in as few bytes as
//! they take.

use domain::facts::Counts;
use integer_encoding::VarInt;

use crate::error::{Corruption, StorageError};

/// More kinds than any section has.
const MOST_KINDS: u64 = 1 << 24;

/// Writes counts.
pub(super) fn encode(counts: &Counts) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut last = 0;
    for (kind, count) in counts.iter() {
        push((kind - last) as u64, &mut bytes);
        push(count, &mut bytes);
        last = kind;
    }
    bytes
}

/// Adds what was written to counts, so many times.
///
/// # Errors
/// [`Corrupt`](StorageError::Corrupt) when nobody can have written it.
pub(super) fn add(mut bytes: &[u8], times: i64, counts: &mut Counts) -> Result<(), StorageError> {
    let mut kind = 0;
    while !bytes.is_empty() {
        let distance = pull(&mut bytes)?;
        let count = count_of(pull(&mut bytes)?);
        kind = distance
            .checked_add(kind)
            .filter(|kind| *kind < MOST_KINDS)
            .ok_or_else(corrupt)?;
        let count = count.checked_mul(times).ok_or_else(corrupt)?;
        counts.add(usize::try_from(kind).map_err(|_| corrupt())?, count);
    }
    Ok(())
}

/// Writes spans in microseconds.
pub(super) fn encode_spans(spans: impl Iterator<Item = u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    spans.for_each(|span| push(span, &mut bytes));
    bytes
}

/// Reads spans in microseconds.
///
/// # Errors
/// [`Corrupt`](StorageError::Corrupt) when nobody can have written them.
pub(super) fn decode_spans(mut bytes: &[u8]) -> Result<Vec<u64>, StorageError> {
    let mut spans = Vec::new();
    while !bytes.is_empty() {
        spans.push(pull(&mut bytes)?);
    }
    Ok(spans)
}

fn push<N: VarInt>(number: N, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.resize(start + number.required_space(), 0);
    number.encode_var(&mut bytes[start..]);
}

fn pull(bytes: &mut &[u8]) -> Result<u64, StorageError> {
    // Nearly all are small.
    if let [number @ ..0x80, rest @ ..] = *bytes {
        *bytes = rest;
        return Ok(u64::from(*number));
    }
    let (number, length) = u64::decode_var(bytes).ok_or_else(corrupt)?;
    *bytes = bytes.get(length..).unwrap_or_default();
    Ok(number)
}

/// A count as it was written: those below 0 lie between the others.
const fn count_of(written: u64) -> i64 {
    (written >> 1).cast_signed() ^ -(written & 1).cast_signed()
}

fn corrupt() -> StorageError {
    Corruption::Value { column: "counts" }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_back_as_they_were() {
        let mut counts = Counts::default();
        for (kind, count) in [
            (0, 1),
            (1, -1),
            (575, 300),
            (1_400_000, i64::from(i32::MAX) * 9),
        ] {
            counts.add(kind, count);
        }
        let bytes = encode(&counts);
        let mut again = Counts::default();
        add(&bytes, 1, &mut again).unwrap();
        assert_eq!(again, counts);
        add(&bytes, -1, &mut again).unwrap();
        assert_eq!(again, Counts::default());
        assert!(encode(&again).is_empty());
    }

    #[test]
    fn what_nobody_wrote_is_refused() {
        for bytes in [
            &[0x80][..],
            &[1],
            &[0xff; 30],
            &[0xff, 0xff, 0xff, 0xff, 0x7f, 2],
        ] {
            assert!(add(bytes, 1, &mut Counts::default()).is_err(), "{bytes:?}");
        }
    }
}
