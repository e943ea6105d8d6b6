//! The kinds of values that settings have.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use actix_web::http::Uri;
use domain::TimeControl;
use ipnet::IpNet;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::layers::Layers;
use super::{ConfigError, MailSettings};
use crate::bot::mind::Level;
use crate::duration;
use crate::mail::{MailError, assert_mailbox, assert_smtp_url};

/// The longest a shutdown may be told to wait.
const MAX_SECONDS: u64 = 3_600;

/// A number of requests in a number of seconds, written `600/60`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// How many requests.
    pub requests: NonZeroU32,
    /// In how many seconds.
    pub seconds: NonZeroU32,
}

impl Quota {
    pub(super) const EXPECTED: &'static str = "REQUESTS/SECONDS such as 600/60";

    /// The time in which the quota fills up again from nothing.
    pub fn window(self) -> Duration {
        Duration::from_secs(u64::from(self.seconds.get()))
    }
}

/// The text was not `REQUESTS/SECONDS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected REQUESTS/SECONDS such as 600/60")]
pub struct QuotaError;

impl FromStr for Quota {
    type Err = QuotaError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (requests, seconds) = text.split_once('/').ok_or(QuotaError)?;
        Ok(Self {
            requests: requests.trim().parse().map_err(|_| QuotaError)?,
            seconds: seconds.trim().parse().map_err(|_| QuotaError)?,
        })
    }
}

/// The web origins whose pages may call the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CorsOrigins {
    /// Any page (`*`). Tokens travel in a header, never in a cookie, so that this gives no page the
    /// rights of its visitor.
    Any,
    /// Pages of these origins, each like `https://example.org`.
    These(Vec<String>),
}

pub(super) fn switch(layers: &Layers, key: &'static str) -> Result<bool, ConfigError> {
    match layers.text(key)?.to_ascii_lowercase().as_str() {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        found => Err(layers.refused(key, "on or off", found)),
    }
}

pub(super) fn duration(layers: &Layers, key: &'static str) -> Result<Duration, ConfigError> {
    let text = layers.text(key)?;
    let refused = |expected: &str| layers.refused(key, expected, &text);
    let duration =
        duration::parse(&text).map_err(|_| refused("an ISO 8601 duration such as PT1M"))?;
    if duration.is_zero() {
        Err(refused("a duration above zero"))
    } else {
        Ok(duration)
    }
}

/// A time that a challenge may ask for.
pub(super) fn time_per_move(layers: &Layers, key: &'static str) -> Result<Duration, ConfigError> {
    let time = duration(layers, key)?;
    if time > TimeControl::LONGEST {
        return Err(layers.refused(key, "a duration up to P28D", &layers.text(key)?));
    }
    Ok(time)
}

pub(super) fn seconds(layers: &Layers, key: &'static str) -> Result<Duration, ConfigError> {
    let expected = "a number of seconds, 0 to 3600";
    let seconds: u64 = layers.parse(key, expected)?;
    if seconds > MAX_SECONDS {
        return Err(layers.refused(key, expected, &seconds.to_string()));
    }
    Ok(Duration::from_secs(seconds))
}

pub(super) fn address_or_off(
    layers: &Layers,
    key: &'static str,
) -> Result<Option<SocketAddr>, ConfigError> {
    let text = layers.text(key)?;
    if text.eq_ignore_ascii_case("off") {
        return Ok(None);
    }
    let address = text.parse().map_err(|_| {
        layers.refused(
            key,
            "an address and port such as 127.0.0.1:9090, or off",
            &text,
        )
    })?;
    Ok(Some(address))
}

pub(super) fn level_or_off(
    layers: &Layers,
    key: &'static str,
) -> Result<Option<Level>, ConfigError> {
    let text = layers.text(key)?;
    if text.eq_ignore_ascii_case("off") {
        return Ok(None);
    }
    let level = text.parse();
    level
        .map(Some)
        .map_err(|_| layers.refused(key, "off, or a level from 1 to 3", &text))
}

/// Accepts `sqlite://` and `postgres://`. The message shows the scheme alone: the rest may hold a password.
pub(super) fn database_url(
    layers: &Layers,
    key: &'static str,
    url: String,
) -> Result<String, ConfigError> {
    let known = ["sqlite://", "postgres://", "postgresql://"];
    if known
        .iter()
        .any(|scheme| url.len() > scheme.len() && url.starts_with(scheme))
    {
        return Ok(url);
    }
    let shown = match url.split_once(':') {
        Some((scheme, _)) => format!("{scheme}:…"),
        None => "a text without a scheme".to_owned(),
    };
    Err(layers.refused(key, "sqlite://PATH or postgres://USER@HOST/NAME", &shown))
}

/// Accepts the URL of a database of the same kind as the main one.
pub(super) fn read_url(layers: &Layers, url: String, main: &str) -> Result<String, ConfigError> {
    const KEY: &str = "database_read_url";
    let url = database_url(layers, KEY, url)?;
    let is_postgres = |url: &str| url.starts_with("postgres");
    match (is_postgres(main), is_postgres(&url)) {
        (true, false) => Err(layers.refused(
            KEY,
            "postgres://USER@HOST/NAME, since database_url is one",
            "sqlite:…",
        )),
        (false, true) => Err(layers.refused(
            KEY,
            "sqlite://PATH, since database_url is one",
            "postgres:…",
        )),
        _ => Ok(url),
    }
}

pub(super) fn cors_origins(layers: &Layers, key: &'static str) -> Result<CorsOrigins, ConfigError> {
    let origins = layers.list(key)?;
    if origins.iter().any(|origin| origin == "*") {
        return Ok(CorsOrigins::Any);
    }
    let origins: Vec<_> = origins
        .into_iter()
        .map(|origin| origin.trim_end_matches('/').to_ascii_lowercase())
        .collect();
    for origin in &origins {
        if !is_origin(origin) {
            return Err(layers.refused(key, "* or origins such as https://example.org", origin));
        }
    }
    Ok(CorsOrigins::These(origins))
}

fn is_origin(text: &str) -> bool {
    let Ok(uri) = text.parse::<Uri>() else {
        return false;
    };
    matches!(uri.scheme_str(), Some("http" | "https"))
        && uri.host().is_some_and(|host| !host.is_empty())
        && uri.path_and_query().is_none_or(|rest| rest.as_str() == "/")
}

pub(super) fn networks(layers: &Layers, key: &'static str) -> Result<Vec<IpNet>, ConfigError> {
    let read = |text: &String| {
        text.parse::<IpNet>()
            .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
            .map_err(|_| layers.refused(key, "addresses or networks such as 10.0.0.0/8", text))
    };
    layers.list(key)?.iter().map(read).collect()
}

/// The settings of mail: all three, or none. A URL is not shown: it may hold a password.
pub(super) fn mail(layers: &Layers) -> Result<Option<MailSettings>, ConfigError> {
    let Some(smtp_url) = layers.optional("smtp_url")? else {
        return Ok(None);
    };
    assert_smtp_url(&smtp_url).map_err(|fault| {
        let expected = match fault {
            MailError::PlainPassword => {
                "smtps://USER:PASSWORD@HOST, or ?tls=required after smtp://, so that the password goes over no net as it is"
            }
            _ => "smtp://HOST:PORT, smtp://HOST?tls=required or smtps://USER:PASSWORD@HOST",
        };
        layers.refused("smtp_url", expected, "another URL")
    })?;
    let expected =
        "an address such as reveille@example.org or NAME <ADDRESS>, since smtp_url is set";
    let from = layers.optional("mail_from")?.unwrap_or_default();
    if assert_mailbox(&from).is_err() {
        return Err(layers.refused("mail_from", expected, &from));
    }
    let public_url = layers.optional("public_url")?.unwrap_or_default();
    let is_web = public_url.parse::<Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
            && uri.query().is_none()
    });
    if !is_web {
        let expected = "the address of this server such as https://reveille.example.org, since smtp_url is set";
        return Err(layers.refused("public_url", expected, &public_url));
    }
    Ok(Some(MailSettings {
        smtp_url: smtp_url.into(),
        from,
        public_url,
    }))
}

pub(super) fn contact(layers: &Layers, key: &'static str) -> Result<Option<String>, ConfigError> {
    let expected = "mailto: and an address, or an https: address";
    layers.parse_optional(key, expected, |contact: &String| {
        let known = ["mailto:", "https://"];
        known.iter().any(|scheme| contact.starts_with(scheme))
    })
}

pub(super) fn log_filter(layers: &Layers, key: &'static str) -> Result<String, ConfigError> {
    let text = layers.text(key)?;
    match text.parse::<EnvFilter>() {
        Ok(_) if !has_bare_target(&text) => Ok(text),
        _ => Err(layers.refused(
            key,
            "off, error, warn, info, debug or trace, or a log filter such as info,api=debug",
            &text,
        )),
    }
}

/// Whether a part of a filter is one word and no level: the filter would take it for the one place whose
/// lines are wanted, and a slip of the pen would mute the log.
fn has_bare_target(filter: &str) -> bool {
    let is_bare = |part: &str| !part.is_empty() && !part.contains(['=', '[', ']', '{', '}']);
    let is_level = |part: &str| part.parse::<LevelFilter>().is_ok();
    let mut parts = filter.split(',').map(str::trim);
    // What stands between braces are fields.
    !filter.contains('{') && parts.any(|part| is_bare(part) && !is_level(part))
}
