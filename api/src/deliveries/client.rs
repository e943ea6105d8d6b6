//! The one way out: requests to addresses that others gave, to public ones alone.

use std::io;
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, config::Config};

use super::networks::Networks;

/// How long finding and connecting to a receiver may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a whole request may take.
const WHOLE: Duration = Duration::from_secs(10);
/// The most bytes of an answer's head that are read; of its body none are.
const MAX_HEAD: usize = 16 * 1_024;

/// A request to be sent: a `POST`.
pub struct Outgoing {
    /// Where to.
    pub url: String,
    /// Its headers.
    pub headers: Vec<(&'static str, String)>,
    /// Its body.
    pub body: Vec<u8>,
}

/// Why there was no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendFault {
    /// The name stands for no address.
    #[error("its name was not found")]
    NameNotFound,
    /// All addresses are such as this server does not go to.
    #[error("its address is not public")]
    AddressNotAllowed,
    /// Nobody took the connection, or it broke.
    #[error("the connection failed")]
    ConnectionFailed,
    /// It was not who it should be.
    #[error("no secure connection")]
    TlsFailed,
    /// It took too long.
    #[error("it took too long")]
    TimedOut,
    /// The answer is none.
    #[error("the answer is not HTTP")]
    BadAnswer,
}

impl SendFault {
    /// The fault as a stable word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NameNotFound => "name_not_found",
            Self::AddressNotAllowed => "address_not_allowed",
            Self::ConnectionFailed => "connection_failed",
            Self::TlsFailed => "tls_failed",
            Self::TimedOut => "timed_out",
            Self::BadAnswer => "bad_answer",
        }
    }
}

impl From<ureq::Error> for SendFault {
    fn from(fault: ureq::Error) -> Self {
        match fault {
            ureq::Error::HostNotFound => Self::NameNotFound,
            ureq::Error::Timeout(_) => Self::TimedOut,
            ureq::Error::Io(fault) if fault.kind() == io::ErrorKind::TimedOut => Self::TimedOut,
            // What is wrong with a certificate comes as this.
            ureq::Error::Io(fault) if fault.kind() == io::ErrorKind::InvalidData => Self::TlsFailed,
            ureq::Error::ConnectionFailed | ureq::Error::Io(_) => Self::ConnectionFailed,
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) => Self::TlsFailed,
            ureq::Error::Other(fault) if fault.is::<NotPermitted>() => Self::AddressNotAllowed,
            _ => Self::BadAnswer,
        }
    }
}

/// Sends requests.
#[derive(Debug, Clone)]
pub struct Client {
    agent: Agent,
}

impl Client {
    /// One that goes where it may.
    pub fn new(networks: Networks) -> Self {
        let config = Config::builder()
            // None of the environment either: what goes through a proxy has an address that is not ours
            // to judge.
            .proxy(None)
            .max_redirects(0)
            .http_status_as_error(false)
            .max_idle_connections(0)
            .max_response_header_size(MAX_HEAD)
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(WHOLE))
            .user_agent(concat!("Reveille/", env!("CARGO_PKG_VERSION")))
            .build();
        let resolver = Permitted {
            networks,
            resolver: DefaultResolver::default(),
        };
        Self {
            agent: Agent::with_parts(config, DefaultConnector::new(), resolver),
        }
    }

    /// Sends a request on a thread of its own; gives the status of the answer. Redirects are answers
    /// like others.
    ///
    /// # Errors
    /// When there is no answer.
    pub async fn send(&self, outgoing: Outgoing) -> Result<u16, SendFault> {
        let (answer, answered) = oneshot::channel();
        let agent = self.agent.clone();
        let sender = move || {
            // Who waits may be gone, with the server.
            let _gone = answer.send(send(&agent, &outgoing));
        };
        thread::Builder::new()
            .name("delivery".to_owned())
            .spawn(sender)
            .map_err(|_| SendFault::ConnectionFailed)?;
        answered.await.unwrap_or(Err(SendFault::BadAnswer))
    }
}

fn send(agent: &Agent, outgoing: &Outgoing) -> Result<u16, SendFault> {
    let mut request = agent.post(&outgoing.url);
    for (name, value) in &outgoing.headers {
        request = request.header(*name, value);
    }
    let answer = request.send(outgoing.body.as_slice())?;
    Ok(answer.status().as_u16())
}

/// Finds addresses, and keeps those that the server may go to: the connection is made to one of these,
/// whatever the name stands for a moment later.
#[derive(Debug)]
struct Permitted {
    networks: Networks,
    resolver: DefaultResolver,
}

#[derive(Debug, thiserror::Error)]
#[error("all addresses are such as this server does not go to")]
struct NotPermitted;

impl Resolver for Permitted {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = match self.resolver.resolve(uri, config, timeout) {
            Err(ureq::Error::Io(_)) => return Err(ureq::Error::HostNotFound),
            found => found?,
        };
        let encrypted = uri.scheme_str() == Some("https");
        let mut permitted = self.empty();
        for address in &*found {
            if self.networks.permit(address.ip(), encrypted) {
                permitted.push(*address);
            }
        }
        if permitted.is_empty() {
            return Err(ureq::Error::Other(Box::new(NotPermitted)));
        }
        Ok(permitted)
    }
}
