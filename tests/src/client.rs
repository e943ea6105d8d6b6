//! A thin JSON client: every status is an answer, none is an error.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::Request;

use crate::response::Response;

/// The password of every account that the harness makes.
pub const PASSWORD: &str = "correct horse battery staple";

static ACCOUNTS: AtomicU32 = AtomicU32::new(0);

/// One caller. Without a token it is anonymous.
#[derive(Clone, Debug)]
pub struct Client {
    agent: Agent,
    base: String,
    /// The access token that goes with every request.
    pub token: Option<String>,
    /// The refresh token that came with it; empty when anonymous.
    pub refresh_token: String,
    /// The username; empty when anonymous.
    pub name: String,
    /// The player's identifier; empty when anonymous.
    pub id: String,
}

impl Client {
    /// An anonymous caller of the server at `base` (`http://ADDRESS`).
    pub fn new(base: &str) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_mins(1)))
            .max_idle_age(Duration::from_secs(3))
            .allow_non_standard_methods(true)
            .accept("*/*")
            .build()
            .new_agent();
        let (token, refresh_token) = (None, String::new());
        Self {
            agent,
            base: base.to_owned(),
            token,
            refresh_token,
            name: String::new(),
            id: String::new(),
        }
    }

    /// Registers an account whose name begins with `prefix` and is new, and speaks for it.
    pub fn register(base: &str, prefix: &str) -> Self {
        let number = ACCOUNTS.fetch_add(1, Ordering::Relaxed);
        Self::register_as(base, &format!("{prefix}_{number}"))
    }

    /// Registers exactly `name` with [`PASSWORD`], and speaks for it.
    pub fn register_as(base: &str, name: &str) -> Self {
        let mut client = Self::new(base);
        let body = json!({"username": name, "password": PASSWORD});
        let answer = client.post("/v1/auth/register", &body).ok(201);
        name.clone_into(&mut client.name);
        client.id = text(&answer["player"]["id"]);
        client.token = Some(text(&answer["tokens"]["access_token"]));
        client.refresh_token = text(&answer["tokens"]["refresh_token"]);
        client
    }

    /// The same caller with other (or no) credentials.
    #[must_use]
    pub fn with_token(&self, token: Option<&str>) -> Self {
        Self {
            token: token.map(str::to_owned),
            ..self.clone()
        }
    }

    /// The same caller at another node.
    #[must_use]
    pub fn at(&self, base: &str) -> Self {
        Self {
            base: base.to_owned(),
            ..self.clone()
        }
    }

    /// The server that it asks: `http://ADDRESS`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// A request to be filled in.
    pub fn request(&self, method: &str, path: &str) -> Call<'_> {
        let headers = self
            .token
            .iter()
            .map(|token| ("authorization", format!("Bearer {token}")));
        Call {
            client: self,
            method: method.to_owned(),
            path: path.to_owned(),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            body: None,
        }
    }

    /// `GET path`.
    pub fn get(&self, path: &str) -> Response {
        self.request("GET", path).send()
    }

    /// `POST path` with a JSON body.
    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.request("POST", path).json(body).send()
    }

    /// `PUT path` with a JSON body.
    pub fn put(&self, path: &str, body: &Value) -> Response {
        self.request("PUT", path).json(body).send()
    }

    /// `PATCH path` with a JSON body.
    pub fn patch(&self, path: &str, body: &Value) -> Response {
        self.request("PATCH", path).json(body).send()
    }

    /// `DELETE path` without a body.
    pub fn delete(&self, path: &str) -> Response {
        self.request("DELETE", path).send()
    }

    /// `POST /graphql`; the whole answer, errors and all.
    pub fn graphql(&self, query: &str, variables: &Value) -> Response {
        self.post("/graphql", &json!({"query": query, "variables": variables}))
    }

    /// The `data` of a query that must have no errors.
    #[track_caller]
    pub fn query(&self, query: &str, variables: &Value) -> Value {
        let answer = self.graphql(query, variables).ok(200);
        assert!(
            answer.get("errors").is_none(),
            "{query} {variables}: {}",
            answer["errors"]
        );
        answer["data"].clone()
    }
}

/// A request under construction.
#[derive(Debug)]
pub struct Call<'a> {
    client: &'a Client,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Call<'_> {
    /// One more header; it replaces one of the same name.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .retain(|(key, _)| !key.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A JSON body with its content type.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        let body = body.to_string();
        self.header("content-type", "application/json")
            .bytes(body.into_bytes())
    }

    /// A body as it stands; the content type is the caller's to give.
    #[must_use]
    pub fn bytes(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sends it and reads the whole answer.
    pub fn send(self) -> Response {
        let asked = format!("{} {}{}", self.method, self.client.base, self.path);
        self.try_send()
            .unwrap_or_else(|error| panic!("{asked}: {error}"))
    }

    /// As [`Self::send`], for whoever expects that the server may be gone.
    ///
    /// # Errors
    /// No whole answer came: the request may have been carried out all the same.
    pub fn try_send(self) -> Result<Response, ureq::Error> {
        let uri = format!("{}{}", self.client.base, self.path);
        let mut request = Request::builder().method(self.method.as_str()).uri(&uri);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let mut answer = match self.body {
            Some(body) => self.client.agent.run(request.body(body).unwrap()),
            None => self.client.agent.run(request.body(()).unwrap()),
        }?;
        let headers = answer.headers().iter();
        Ok(Response {
            asked: (self.method, self.path),
            status: answer.status().as_u16(),
            headers: headers
                .map(|(name, value)| {
                    (
                        name.to_string(),
                        String::from_utf8_lossy(value.as_bytes()).into_owned(),
                    )
                })
                .collect(),
            body: answer
                .body_mut()
                .with_config()
                .limit(64 << 20)
                .read_to_vec()?,
        })
    }
}

/// A JSON string's text.
#[track_caller]
pub fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("no string: {value}"))
        .to_owned()
}
