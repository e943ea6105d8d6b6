//! The text of a file, in whatever encoding it is.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::rejection::shown;

/// How far into a file an XML declaration is looked for, in bytes.
const DECLARATION: usize = 200;

/// Bytes that are no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum TextFault {
    /// An encoding that is not known.
    #[error("expected UTF-8, UTF-16, ISO-8859-1 or another encoding of the web, got `{0}`")]
    Unknown(String),
    /// Bytes that the encoding has not.
    #[error("the bytes are no {0}")]
    Malformed(&'static str),
}

/// Reads text. A byte-order mark says the encoding, else an XML declaration; where neither does, it is
/// UTF-8 if it can be, and Latin-1 (as Windows has it) otherwise.
///
/// # Errors
/// An encoding that is not known, or bytes that it has not.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, TextFault> {
    let (encoding, is_said) = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => (encoding, true),
        None => match declared(bytes)? {
            Some(encoding) => (encoding, true),
            None => (UTF_8, false),
        },
    };
    let (text, _, malformed) = encoding.decode(bytes);
    if !malformed {
        return Ok(text);
    }
    if is_said {
        return Err(TextFault::Malformed(encoding.name()));
    }
    let (text, _, _) = WINDOWS_1252.decode(bytes);
    Ok(text)
}

/// The encoding that an XML declaration says.
fn declared(bytes: &[u8]) -> Result<Option<&'static Encoding>, TextFault> {
    let head = &bytes[..bytes.len().min(DECLARATION)];
    if !head.starts_with(b"<?xml") {
        return Ok(None);
    }
    let head = String::from_utf8_lossy(head);
    let Some(declaration) = head.split("?>").next() else {
        return Ok(None);
    };
    let Some((_, rest)) = declaration.split_once("encoding") else {
        return Ok(None);
    };
    let label = rest.trim_start_matches([' ', '=', '\t', '\n', '\r']);
    let label = label
        .strip_prefix(['"', '\''])
        .and_then(|rest| rest.split(['"', '\'']).next());
    let label = label.unwrap_or_default();
    let encoding =
        Encoding::for_label(label.as_bytes()).ok_or_else(|| TextFault::Unknown(shown(label)))?;
    // What reads as ASCII so far is no UTF-16, whatever it says.
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return Ok(Some(UTF_8));
    }
    Ok(Some(encoding))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G08: names keep their letters.
    #[test]
    fn every_declared_encoding_is_honoured() {
        let utf_16: Vec<u8> = "\u{feff}<a>Jörg</a>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for bytes in [
            "<?xml version=\"1.0\"?><a>Jörg</a>".as_bytes(),
            "\u{feff}<a>Jörg</a>".as_bytes(),
            b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>J\xf6rg</a>",
            b"<?xml version='1.0' encoding = 'latin1'?><a>J\xf6rg</a>",
            b"<a>J\xf6rg</a>",
            &utf_16,
        ] {
            let text = decode(bytes).unwrap();
            assert!(text.contains("Jörg"), "{text}");
            assert!(!text.contains('\u{feff}'));
        }
    }

    #[test]
    fn what_is_said_and_not_so_is_refused() {
        let fault = decode(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>J\xf6rg</a>");
        assert_eq!(fault.unwrap_err(), TextFault::Malformed("UTF-8"));
        let fault = decode(b"<?xml version=\"1.0\" encoding=\"klingon\"?><a/>");
        assert_eq!(fault.unwrap_err(), TextFault::Unknown("klingon".to_owned()));
    }
}
