//! Hidden ranks, looked for in whatever the server says.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::response::Response;
use crate::setup::Side;

/// Pieces whose ranks the reader of an answer may not learn, and the setup that they came from.
#[derive(Debug, Clone)]
pub struct Secrets {
    ids: BTreeSet<String>,
    setup: String,
}

impl Secrets {
    /// Everything in one side's setup.
    pub fn of(side: Side, setup: &str) -> Self {
        let squares = setup.chars().enumerate().filter(|(_, piece)| *piece != '.');
        let ids = squares.map(|(index, _)| format!("{}:{}", side.name(), side.square(index)));
        Self {
            ids: ids.collect(),
            setup: setup.to_owned(),
        }
    }

    /// Without a piece that was disclosed.
    #[must_use]
    pub fn without(mut self, id: &str) -> Self {
        assert!(self.ids.remove(id), "{id} was no secret");
        self
    }

    /// [`Self::assert_kept`] for each of them.
    #[track_caller]
    pub fn assert_kept_in(&self, responses: &[Response]) {
        for response in responses {
            self.assert_kept(response);
        }
    }

    /// Fails when `response`, in any place and under any name, tells one of them.
    #[track_caller]
    pub fn assert_kept(&self, response: &Response) {
        let asked = format!("{} {}", response.asked.0, response.asked.1);
        let text = String::from_utf8_lossy(&response.body);
        assert!(
            !text.contains(&self.setup),
            "{asked} holds the setup: {text}"
        );
        if let Ok(json) = serde_json::from_slice(&response.body) {
            self.walk(&json, &asked);
        }
    }

    #[track_caller]
    fn walk(&self, value: &Value, asked: &str) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.walk(item, asked)),
            Value::Object(fields) => {
                for (id, rank) in [
                    ("id", "piece"),
                    ("piece_id", "piece"),
                    ("pieceId", "rank"),
                    ("defender_id", "defender"),
                    ("defenderId", "defender"),
                ] {
                    if fields
                        .get(id)
                        .and_then(Value::as_str)
                        .is_some_and(|id| self.ids.contains(id))
                    {
                        let told = fields.get(rank).unwrap_or(&Value::Null);
                        assert!(
                            told.is_null() || told == "?",
                            "{asked} tells a hidden rank: {value}"
                        );
                    }
                }
                fields.values().for_each(|field| self.walk(field, asked));
            }
            _ => {}
        }
    }
}

/// The field names of every piece that is shown as unknown: they must all be the same.
#[track_caller]
pub fn assert_unknown_pieces_alike(pieces: &Value) {
    let mut shapes = BTreeSet::new();
    for piece in pieces.as_array().expect("a list of pieces") {
        if piece["piece"] == "?" {
            let fields = piece.as_object().expect("a piece");
            shapes.insert(fields.keys().cloned().collect::<Vec<_>>());
        }
    }
    assert!(
        shapes.len() <= 1,
        "unknown pieces differ in their fields: {shapes:?}"
    );
}
