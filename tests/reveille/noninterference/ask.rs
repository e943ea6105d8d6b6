//! A request, and what is compared of its answer.

use std::fmt;

use serde_json::Value;
use tests::Response;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    /// The player whose opponent's army differs between the worlds.
    Viewer,
    /// Somebody with an account.
    Third,
    /// Somebody without.
    Nobody,
}

impl Who {
    pub(super) const ALL: [Self; 3] = [Self::Viewer, Self::Third, Self::Nobody];
}

/// A request that can be sent again.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) who: Who,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<String>,
}

impl Ask {
    pub(super) fn new(who: Who, method: &str, path: impl Into<String>) -> Self {
        Self {
            who,
            method: method.to_owned(),
            path: path.into(),
            headers: Vec::new(),
            body: None,
        }
    }

    pub(super) fn get(who: Who, path: impl Into<String>) -> Self {
        Self::new(who, "GET", path)
    }

    pub(super) fn post(who: Who, path: impl Into<String>, body: &Value) -> Self {
        Self::new(who, "POST", path).json(body)
    }

    pub(super) fn json(self, body: &Value) -> Self {
        let body = Some(body.to_string());
        let asked = Self { body, ..self };
        asked.header("content-type", "application/json")
    }

    pub(super) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} {}", self.who, self.method, self.path)?;
        let headers = self.headers.iter();
        for (name, value) in headers.filter(|(name, _)| name != "content-type") {
            write!(f, " {name}: {value}")?;
        }
        match &self.body {
            Some(body) => write!(f, " {}", body.chars().take(400).collect::<String>()),
            None => Ok(()),
        }
    }
}

/// An answer, but for what no two answers have in common: the date and the request's identifier.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Seen {
    pub(super) fn of(answer: Response) -> Self {
        let mut body = String::from_utf8(answer.body).expect("texts only");
        if let Some((_, id)) = answer
            .headers
            .iter()
            .find(|(name, _)| name == "x-request-id")
        {
            body = body.replace(id, "REQUEST");
        }
        let kept = |(name, _): &(String, String)| name != "date" && name != "x-request-id";
        let mut headers: Vec<(String, String)> = answer.headers.into_iter().filter(kept).collect();
        // They come in the order of a hash that each thread of the server draws for itself.
        headers.sort_unstable();
        Self {
            status: answer.status,
            headers,
            body,
        }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Where two answers part, if they do.
    pub(super) fn differs(&self, other: &Self) -> Option<String> {
        if self == other {
            return None;
        }
        let mut parts = Vec::new();
        if self.status != other.status {
            parts.push(format!("status {} / {}", self.status, other.status));
        }
        if self.headers != other.headers {
            let apart = |of: &Self, from: &Self| {
                let own = of
                    .headers
                    .iter()
                    .filter(|header| !from.headers.contains(header));
                own.cloned().collect::<Vec<_>>()
            };
            let (one, two) = (apart(self, other), apart(other, self));
            parts.push(format!("headers {one:?} / {two:?}"));
        }
        if self.body != other.body {
            let equal = self
                .body
                .bytes()
                .zip(other.body.bytes())
                .take_while(|(one, two)| one == two)
                .count();
            let near = |body: &str| {
                let bytes = body.as_bytes();
                let part = &bytes[equal.saturating_sub(90)..bytes.len().min(equal + 60)];
                String::from_utf8_lossy(part).into_owned()
            };
            let (one, two) = (near(&self.body), near(&other.body));
            parts.push(format!("body at {equal}: …{one}… / …{two}…"));
        }
        Some(parts.join("; "))
    }
}
