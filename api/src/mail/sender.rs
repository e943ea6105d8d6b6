//! Mail on its way out, by SMTP.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use domain::Timestamp;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{Error as SmtpError, PoolConfig, SmtpTransport};
use lettre::{Message, Transport};
use secrecy::ExposeSecret;
use thiserror::Error;

use super::letter::Letter;
use crate::config::MailSettings;
use crate::time::from_domain;

/// How long the server may take to answer a command.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How many connections are kept.
const CONNECTIONS: u32 = 2;
/// How long one is kept that is not used.
const IDLE: Duration = Duration::from_secs(30);
/// Codes by which a server refuses this client rather than a mail.
const REFUSES_CLIENT: [u16; 5] = [421, 530, 534, 535, 538];

/// Settings of mail that cannot be taken. The URL is not shown: it may hold a password.
#[derive(Debug, Error)]
pub enum MailError {
    /// The URL of the server.
    #[error(
        "smtp_url: expected smtp://HOST:PORT, smtp://HOST?tls=required or smtps://USER:PASSWORD@HOST"
    )]
    Url,
    /// A password that would go over the net as it is.
    #[error(
        "smtp_url: a password needs smtps://, or smtp://…?tls=required, unless the server is this machine"
    )]
    PlainPassword,
    /// The sender.
    #[error("mail_from: expected an address such as reveille@example.org, or NAME <ADDRESS>")]
    From,
}

/// Checks the URL of a server.
///
/// # Errors
/// When it is none, or would send a password as it is.
pub fn assert_smtp_url(url: &str) -> Result<(), MailError> {
    SmtpTransport::from_url(url).map_err(|_| MailError::Url)?;
    let (scheme, rest) = url.split_once("://").ok_or(MailError::Url)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((_, host)) = authority.rsplit_once('@') else {
        return Ok(());
    };
    let is_here = ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .any(|here| host == *here || host.starts_with(&format!("{here}:")));
    if scheme == "smtps" || rest.contains("tls=required") || is_here {
        Ok(())
    } else {
        Err(MailError::PlainPassword)
    }
}

/// Checks the address that mail comes from.
///
/// # Errors
/// When it is none.
pub fn assert_mailbox(text: &str) -> Result<(), MailError> {
    text.parse::<Mailbox>()
        .map(drop)
        .map_err(|_| MailError::From)
}

/// What became of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The server has taken it.
    Sent,
    /// The server will not take it, now or later; or it cannot be written.
    Refused,
    /// The server did not take it now.
    Later,
    /// The server cannot be reached, or does not take this client.
    Unreachable,
}

/// Sends mail.
pub(super) struct Sender {
    transport: SmtpTransport,
    from: Mailbox,
}

impl Sender {
    pub(super) fn new(settings: &MailSettings) -> Result<Self, MailError> {
        let url = settings.smtp_url.expose_secret();
        assert_smtp_url(url)?;
        let from: Mailbox = settings.from.parse().map_err(|_| MailError::From)?;
        let transport = SmtpTransport::from_url(url)
            .map_err(|_| MailError::Url)?
            .hello_name(ClientId::Domain(from.email.domain().to_owned()))
            .timeout(Some(TIMEOUT))
            .pool_config(PoolConfig::new().max_size(CONNECTIONS).idle_timeout(IDLE))
            .build();
        Ok(Self { transport, from })
    }

    /// Whether the server is there and takes this client. Logs why it is not.
    pub(super) fn is_reachable(&self) -> bool {
        match self.transport.test_connection() {
            Ok(true) => true,
            Ok(false) => {
                tracing::warn!("the server of mail hangs up");
                false
            }
            Err(fault) => {
                tracing::warn!(%fault, "the server of mail cannot be reached");
                false
            }
        }
    }

    /// Sends a mail, and logs why when that fails: neither the address nor what it says.
    pub(super) fn send(&self, letter: &Letter, now: Timestamp) -> Outcome {
        let Some(message) = self.message(letter, now) else {
            tracing::warn!("a mail cannot be written: its address is no mailbox");
            return Outcome::Refused;
        };
        match self.transport.send(&message) {
            Ok(_) => Outcome::Sent,
            Err(fault) => {
                let outcome = outcome(&fault);
                // What a server answers may quote the address.
                if let Some(code) = fault.status() {
                    tracing::warn!(%code, ?outcome, "a mail was not taken");
                } else {
                    tracing::warn!(%fault, ?outcome, "a mail was not sent");
                }
                outcome
            }
        }
    }

    fn message(&self, letter: &Letter, now: Timestamp) -> Option<Message> {
        let to = Mailbox::new(None, letter.to.parse().ok()?);
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(letter.subject.as_str())
            .date(SystemTime::from(from_domain(now)))
            .message_id(Some(self.message_id(letter)))
            .raw_header(header("Auto-Submitted", "auto-generated".to_owned())?);
        if let Some(stop) = &letter.stop {
            builder = builder
                .raw_header(header("List-Unsubscribe", format!("<{stop}>"))?)
                .raw_header(header(
                    "List-Unsubscribe-Post",
                    "List-Unsubscribe=One-Click".to_owned(),
                )?);
        }
        let body = MultiPart::alternative_plain_html(letter.plain(), letter.html());
        builder.multipart(body).ok()
    }

    fn message_id(&self, letter: &Letter) -> String {
        let mut id = String::from("<");
        for byte in letter.identity.0.iter().take(16) {
            // Writing to a text does not fail.
            let _written = write!(id, "{byte:02x}");
        }
        format!("{id}@{}>", self.from.email.domain())
    }
}

fn header(name: &str, value: String) -> Option<HeaderValue> {
    let name = HeaderName::new_from_ascii(name.to_owned()).ok()?;
    Some(HeaderValue::new(name, value))
}

fn outcome(fault: &SmtpError) -> Outcome {
    let refuses_client = fault
        .status()
        .is_some_and(|code| REFUSES_CLIENT.contains(&u16::from(code)));
    if refuses_client {
        Outcome::Unreachable
    } else if fault.is_permanent() {
        Outcome::Refused
    } else if fault.is_transient() {
        Outcome::Later
    } else {
        Outcome::Unreachable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_goes_over_no_net_as_it_is() {
        for url in [
            "smtps://user:secret@mail.example.org",
            "smtps://user:secret@mail.example.org:465",
            "smtp://user:secret@mail.example.org:587?tls=required",
            "smtp://localhost:1025",
            "smtp://user:secret@127.0.0.1:1025",
            "smtp://mail.example.org",
        ] {
            assert!(assert_smtp_url(url).is_ok(), "{url}");
        }
        for url in [
            "",
            "localhost:1025",
            "http://x",
            "smtp://user:secret@mail.example.org",
            "smtp://user:secret@mail.example.org:587?tls=opportunistic",
            "smtp://user:secret@localhost.example.org",
        ] {
            let refused = assert_smtp_url(url).unwrap_err().to_string();
            assert!(!refused.contains("secret"), "{refused}");
        }
        assert!(assert_mailbox("Reveille <reveille@example.org>").is_ok());
        assert!(assert_mailbox("reveille").is_err());
    }
}
