//! A server of its own for each test, and a client that sends exactly what it is told.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::clock::TestClock;
use crate::config::{Config, Flags};
use crate::server::{Server, SpawnedServer};

/// The password of every account that these tests make.
pub(super) const PASSWORD: &str = "correct horse battery staple";

pub(super) struct TestServer {
    pub(super) clock: Arc<TestClock>,
    pub(super) server: SpawnedServer,
    _folder: tempfile::TempDir,
}

/// An answer, read until the server closed the connection.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl TestServer {
    /// A server on a free port with an empty data folder, limits off and the given settings.
    pub(super) fn start(settings: &[(&'static str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut values = vec![
            ("listen", "127.0.0.1:0".to_owned()),
            ("metrics_listen", "off".to_owned()),
            ("rate_limits", "off".to_owned()),
            ("data_dir", folder.path().display().to_string()),
        ];
        values.extend(
            settings
                .iter()
                .map(|(key, value)| (*key, (*value).to_owned())),
        );
        // The last value of a key wins.
        let config = Config::from_sources(
            None,
            Vec::new(),
            Flags {
                config: None,
                values,
            },
        )
        .unwrap();
        let start: DateTime<Utc> = "2026-11-29T21:00:00Z".parse().unwrap();
        let clock = Arc::new(TestClock::at(start));
        let server = Server::bind(config, clock.clone())
            .unwrap()
            .spawn()
            .unwrap();
        Self {
            clock,
            server,
            _folder: folder,
        }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Sends a request without a body.
    pub(super) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send_body(method, path, headers, None)
    }

    /// Sends a request with a body whose length is declared.
    pub(super) fn send_body(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Answer {
        let mut request = head(method, path, headers);
        if let Some(body) = body {
            request.extend(format!("Content-Length: {}\r\n", body.len()).bytes());
        }
        request.extend(b"\r\n");
        request.extend(body.unwrap_or_default());
        self.send_raw(&request)
    }

    /// Sends JSON.
    pub(super) fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        self.send_json("POST", path, headers, body)
    }

    /// Sends JSON by any method.
    pub(super) fn send_json(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Answer {
        let mut all = vec![("Content-Type", "application/json")];
        all.extend(headers);
        self.send_body(method, path, &all, Some(body.to_string().as_bytes()))
    }

    /// Registers an account and gives its access token and its refresh token.
    pub(super) fn register(&self, username: &str) -> (String, String) {
        let body = json!({"username": username, "password": PASSWORD});
        let answer = self.post("/v1/auth/register", &[], &body);
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.tokens()
    }

    /// Sends a request without a body under a token.
    pub(super) fn send_as(&self, token: &str, method: &str, path: &str) -> Answer {
        self.send(
            method,
            path,
            &[("Authorization", &format!("Bearer {token}"))],
        )
    }

    /// Sends a request with a body in chunks, whose length is not declared.
    pub(super) fn send_chunked(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        chunks: &[&[u8]],
    ) -> Answer {
        let mut request = head(method, path, headers);
        request.extend(b"Transfer-Encoding: chunked\r\n\r\n");
        for chunk in chunks {
            request.extend(format!("{:x}\r\n", chunk.len()).bytes());
            request.extend(*chunk);
            request.extend(b"\r\n");
        }
        request.extend(b"0\r\n\r\n");
        self.send_raw(&request)
    }

    /// Sends bytes and reads until the server closes the connection.
    pub(super) fn send_raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        // The server may answer and close before it has read all of a body it refuses.
        let _refused_early = stream.write_all(request);
        let mut answer = Vec::new();
        let mut buffer = [0; 8_192];
        while let Ok(read) = stream.read(&mut buffer) {
            if read == 0 {
                break;
            }
            answer.extend(&buffer[..read]);
        }
        Answer::parse(&String::from_utf8(answer).unwrap())
    }
}

fn head(method: &str, path: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head.into_bytes()
}

impl Answer {
    fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").expect("a whole head");
        let mut lines = head.lines();
        let status = lines
            .next()
            .unwrap()
            .split(' ')
            .nth(1)
            .unwrap()
            .parse()
            .unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        });
        Self {
            status,
            headers: headers.collect(),
            body: body.to_owned(),
        }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The access token and the refresh token of an answer that gives tokens.
    pub(super) fn tokens(&self) -> (String, String) {
        let tokens = &self.json()["tokens"];
        let token = |name: &str| tokens[name].as_str().expect("a token").to_owned();
        (token("access_token"), token("refresh_token"))
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|fault| panic!("{fault}: {self:?}"))
    }

    /// Holds that this is a whole problem document with the given status and code.
    pub(super) fn assert_problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{self:?}"
        );
        let problem = self.json();
        assert_eq!(problem["code"], code, "{self:?}");
        assert_eq!(problem["status"], status, "{self:?}");
        assert_eq!(
            problem["type"],
            format!("/problems/{}", code.replace('_', "-"))
        );
        for member in ["title", "detail", "instance", "request_id"] {
            assert!(
                problem[member]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{self:?}"
            );
        }
        assert_eq!(self.header("x-request-id"), problem["request_id"].as_str());
        problem
    }
}
