//! What came back.

use serde_json::Value;

/// A response, read to its end.
#[derive(Debug, Clone)]
pub struct Response {
    /// The method and path (with its query) that were asked.
    pub asked: (String, String),
    /// The status code.
    pub status: u16,
    /// Names in lower case, in the order in which they came.
    pub headers: Vec<(String, String)>,
    /// The body as it came.
    pub body: Vec<u8>,
}

impl Response {
    /// The first header of that name (lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap_or_else(|_| panic!("no UTF-8 in {self:?}"))
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!(
                "{} {}: {} {error}: {}",
                self.asked.0,
                self.asked.1,
                self.status,
                self.text()
            )
        })
    }

    /// The JSON of an answer that must have this status (null when the body is empty).
    #[track_caller]
    pub fn ok(&self, status: u16) -> Value {
        assert_eq!(
            self.status,
            status,
            "{} {} answered {}",
            self.asked.0,
            self.asked.1,
            String::from_utf8_lossy(&self.body)
        );
        if self.body.is_empty() {
            Value::Null
        } else {
            self.json()
        }
    }

    /// The `code` of a problem; `None` of anything else.
    pub fn code(&self) -> Option<String> {
        let problem: Value = serde_json::from_slice(&self.body).ok()?;
        Some(problem.get("code")?.as_str()?.to_owned())
    }

    /// The path that was asked, without its query.
    pub fn path(&self) -> &str {
        self.asked.1.split('?').next().unwrap_or_default()
    }
}
