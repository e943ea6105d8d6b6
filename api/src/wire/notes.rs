//! Notes on games, each for its author alone.

use serde::{Deserialize, Serialize};
use storage::notes::Note;
use utoipa::ToSchema;

use super::terms::out_of_range;
use crate::problem::{ApiError, FieldFault};
use crate::time::Timestamp;

/// The longest note, in characters.
const MAX_CHARS: usize = 10_000;

/// What is to be noted on a game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteRequest {
    /// Up to 10,000 characters, with line breaks and tabs, and no other control characters. An empty
    /// text takes the note away.
    #[schema(max_length = 10_000)]
    text: String,
}

impl NoteRequest {
    /// The text, once it can be kept as it is.
    ///
    /// # Errors
    /// `validation_failed` when it is too long, or has characters that are no text.
    pub fn validate(self) -> Result<String, ApiError> {
        let count = self.text.chars().count();
        if count > MAX_CHARS {
            let detail = format!("must have {MAX_CHARS} characters at the most, has {count}");
            return Err(ApiError::validation(vec![out_of_range("text", detail)]));
        }
        let is_text = |ch: char| !ch.is_control() || matches!(ch, '\n' | '\r' | '\t');
        if !self.text.chars().all(is_text) {
            let detail = "must have no control characters but line breaks and tabs, has another";
            return Err(ApiError::validation(vec![FieldFault {
                field: "text".into(),
                code: "control_character".into(),
                detail: detail.to_owned(),
            }]));
        }
        Ok(self.text)
    }
}

/// What the caller has noted on a game.
#[derive(Serialize, ToSchema)]
pub struct NoteResponse {
    /// The text; empty when there is none.
    text: String,
    /// When it was last written; `null` when there is none.
    updated_at: Option<Timestamp>,
}

impl From<Option<Note>> for NoteResponse {
    fn from(note: Option<Note>) -> Self {
        let (text, updated_at) = match note {
            Some(note) => (note.text, Some(note.updated_at.into())),
            None => (String::new(), None),
        };
        Self { text, updated_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<String> {
        let request = NoteRequest {
            text: text.to_owned(),
        };
        let fault = request.validate().map(drop).err()?;
        let problem = fault.to_problem("/", "r");
        Some(problem.errors[0].code.clone())
    }

    #[test]
    fn a_note_is_a_text_of_bounded_length() {
        let longest = "𝔘".repeat(MAX_CHARS);
        for text in ["", "a", "flag at b1?\r\n\tbombs beside it", &longest] {
            assert_eq!(fault(text), None);
        }
        assert_eq!(
            fault(&format!("{longest}.")).as_deref(),
            Some("out_of_range")
        );
        for text in ["a\0", "\u{7f}", "\u{1b}[2J", "\u{85}"] {
            assert_eq!(fault(text).as_deref(), Some("control_character"));
        }
    }
}
