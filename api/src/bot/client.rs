use std::fmt;
use std::io::Read;
use std::str::FromStr;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::http::{Method, Request, StatusCode, Uri};
use ureq::{Agent, Body};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long one stream of events is read before it is asked for anew, from where it was: a connection
/// that died without a word is found out by then.
const STREAM: Duration = Duration::from_mins(5);
/// The largest answer that is read.
const LARGEST: u64 = 4 << 20;
/// How long is waited when a server says "later" and not how much.
const LATER: Duration = Duration::from_secs(5);
/// The longest that a server's word for "later" is taken for.
const LATEST: Duration = Duration::from_mins(5);

/// Where a server is: `http://` or `https://`, a host, and perhaps a path that its own begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

/// The text is no address of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the address of a server, such as http://127.0.0.1:8080")]
pub struct AddressError;

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let uri: Uri = text.parse().map_err(|_| AddressError)?;
        let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
        let names_host = uri.host().is_some_and(|host| !host.is_empty());
        if is_web && names_host && uri.query().is_none() {
            Ok(Self(text.trim_end_matches('/').to_owned()))
        } else {
            Err(AddressError)
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a bot shows to be let in.
pub trait Credential: Send + Sync {
    /// A token for the next request.
    ///
    /// # Errors
    /// A sentence, when there is none.
    fn token(&self) -> Result<SecretString, String>;
}

impl Credential for SecretString {
    fn token(&self) -> Result<SecretString, String> {
        Ok(self.clone())
    }
}

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// No answer came.
    #[error("cannot reach {address}: {cause}")]
    Unreachable {
        /// The server.
        address: String,
        /// What happened.
        cause: String,
    },
    /// The token is not taken, or does not suffice.
    #[error("the server refuses the token: {detail}")]
    Token {
        /// What the server said.
        detail: String,
    },
    /// The server asks to come later.
    #[error("the server asks to wait: {detail}")]
    Later {
        /// How long.
        wait: Duration,
        /// What the server said.
        detail: String,
    },
    /// The server refuses, and will again.
    #[error("{code}: {detail}")]
    Refused {
        /// Its code.
        code: String,
        /// What the server said.
        detail: String,
    },
    /// The answer is not one of the API.
    #[error("{path} answered what no Reveille server does: {cause}")]
    Nonsense {
        /// What was asked.
        path: String,
        /// What is wrong.
        cause: String,
    },
    /// The bot has no token to show.
    #[error("there is no token: {0}")]
    NoToken(String),
    /// The system gives no thread.
    #[error("no thread could be started: {0}")]
    Thread(#[from] std::io::Error),
}

impl Fault {
    /// Whether the server refused with that code.
    pub(super) fn is(&self, wanted: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == wanted)
    }
}

/// Speaks to a server.
pub(super) struct Client {
    agent: Agent,
    address: Address,
    credential: Box<dyn Credential>,
}

impl Client {
    pub(super) fn new(address: Address, credential: Box<dyn Credential>) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("reveille-bot/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Self {
            agent,
            address,
            credential,
        }
    }

    pub(super) const fn address(&self) -> &Address {
        &self.address
    }

    pub(super) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Fault> {
        let answer = self.send(&Method::GET, path, &[], None, PATIENCE)?;
        read(path, answer)
    }

    pub(super) fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, Fault> {
        let answer = self.send(&Method::POST, path, &[], Some(body), PATIENCE)?;
        read(path, answer)
    }

    /// As [`post`](Self::post), once however often it is sent.
    pub(super) fn post_once<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
        key: &str,
    ) -> Result<T, Fault> {
        let key = [("idempotency-key", key)];
        let answer = self.send(&Method::POST, path, &key, Some(body), PATIENCE)?;
        read(path, answer)
    }

    /// Sends what is answered by nothing of interest.
    pub(super) fn tell(&self, method: &Method, path: &str, body: &Value) -> Result<(), Fault> {
        self.send(method, path, &[], Some(body), PATIENCE).map(drop)
    }

    /// Opens a stream of events, after the event of an `id` if one is given.
    pub(super) fn follow(
        &self,
        path: &str,
        after: Option<&str>,
    ) -> Result<impl Read + use<>, Fault> {
        let accept = ("accept", "text/event-stream");
        let headers: Vec<(&str, &str)> = [Some(accept), after.map(|id| ("last-event-id", id))]
            .into_iter()
            .flatten()
            .collect();
        let body = self.send(&Method::GET, path, &headers, None, STREAM)?;
        Ok(body.into_with_config().limit(u64::MAX).reader())
    }

    fn send(
        &self,
        method: &Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
        patience: Duration,
    ) -> Result<Body, Fault> {
        let token = self.credential.token().map_err(Fault::NoToken)?;
        let unreachable = |fault: ureq::Error| Fault::Unreachable {
            address: self.address.to_string(),
            cause: fault.to_string(),
        };
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.address))
            .header("authorization", format!("Bearer {}", token.expose_secret()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = match body {
            None => self.run(request.body(()), patience),
            Some(body) => {
                let request = request.header("content-type", "application/json");
                self.run(request.body(body.to_string()), patience)
            }
        };
        let answer = answer.map_err(unreachable)?;
        if answer.status().is_success() {
            Ok(answer.into_body())
        } else {
            Err(refusal(path, answer))
        }
    }

    fn run<B: ureq::AsSendBody>(
        &self,
        request: Result<Request<B>, ureq::http::Error>,
        patience: Duration,
    ) -> Result<ureq::http::Response<Body>, ureq::Error> {
        let configured = self
            .agent
            .configure_request(request?)
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .timeout_recv_body(Some(patience));
        self.agent.run(configured.build())
    }
}

fn read<T: DeserializeOwned>(path: &str, body: Body) -> Result<T, Fault> {
    let bytes = body.into_with_config().limit(LARGEST).read_to_vec();
    let nonsense = |cause: String| Fault::Nonsense {
        path: path.to_owned(),
        cause,
    };
    let bytes = bytes.map_err(|fault| nonsense(fault.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|fault| nonsense(fault.to_string()))
}

/// What an answer of 300 and above means.
fn refusal(path: &str, answer: ureq::http::Response<Body>) -> Fault {
    let status = answer.status();
    let wait = answer.headers().get("retry-after");
    let wait = wait.and_then(|wait| wait.to_str().ok()?.parse().ok());
    let problem: Value = match read(path, answer.into_body()) {
        Ok(problem) => problem,
        Err(_) if status.is_server_error() => Value::Null,
        Err(fault) => return fault,
    };
    let text = |name: &str| {
        problem[name]
            .as_str()
            .unwrap_or("no reason given")
            .to_owned()
    };
    let detail = text("detail");
    let too_many = status == StatusCode::TOO_MANY_REQUESTS;
    if status == StatusCode::UNAUTHORIZED || problem["code"] == "insufficient_scope" {
        Fault::Token { detail }
    } else if too_many || status.is_server_error() {
        let wait = wait.map_or(LATER, Duration::from_secs);
        Fault::Later {
            wait: wait.clamp(Duration::from_secs(1), LATEST),
            detail,
        }
    } else {
        Fault::Refused {
            code: text("code"),
            detail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_the_web() {
        let good = ["http://127.0.0.1:8080", "https://example.org/reveille/"];
        for (text, taken) in good
            .into_iter()
            .zip([good[0], "https://example.org/reveille"])
        {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), taken);
        }
        for text in [
            "",
            "127.0.0.1:8080",
            "ftp://a",
            "http://",
            "http://a/?b=c",
            "/v1",
        ] {
            assert_eq!(text.parse::<Address>(), Err(AddressError), "{text:?}");
        }
    }
}
