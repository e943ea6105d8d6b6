use std::net::IpAddr;

use url::{Host, Url};

use super::networks::Networks;

/// The longest address of a receiver, in bytes.
const MAX_URL_BYTES: usize = 2_048;

/// Why an address cannot be that of a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TargetFault {
    /// It is too long.
    #[error("must have at most {MAX_URL_BYTES} bytes")]
    TooLong,
    /// It is none.
    #[error("must be an absolute address such as https://example.org/hook")]
    NotAUrl,
    /// The data would go over the network in the clear.
    #[error("must begin with https://")]
    NotEncrypted,
    /// It has a name or a password in it.
    #[error("must hold no username and no password")]
    Credentials,
    /// It has a part that is never sent.
    #[error("must have no fragment (#…)")]
    Fragment,
    /// It is an address where this server does not go.
    #[error("must be a public address")]
    NotPublic,
}

impl TargetFault {
    /// The fault as a stable word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::NotAUrl => "not_a_url",
            Self::NotEncrypted => "not_encrypted",
            Self::Credentials => "credentials",
            Self::Fragment => "fragment",
            Self::NotPublic => "not_public",
        }
    }
}

impl Networks {
    /// Reads the address of a receiver as browsers do, so that no spelling of a host hides what it is,
    /// and gives it as it is written without choice. A name is looked up when something is sent; what
    /// it stands for then is judged then.
    ///
    /// # Errors
    /// The first fault.
    pub fn target(&self, text: &str) -> Result<String, TargetFault> {
        if text.len() > MAX_URL_BYTES {
            return Err(TargetFault::TooLong);
        }
        let url = Url::parse(text).map_err(|_| TargetFault::NotAUrl)?;
        let encrypted = match url.scheme() {
            "https" => true,
            "http" if self.lists_any() => false,
            "http" => return Err(TargetFault::NotEncrypted),
            _ => return Err(TargetFault::NotAUrl),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetFault::Credentials);
        }
        if url.fragment().is_some() {
            return Err(TargetFault::Fragment);
        }
        let permitted = match url.host() {
            None => return Err(TargetFault::NotAUrl),
            Some(Host::Domain(_)) => true,
            Some(Host::Ipv4(address)) => self.permit(IpAddr::V4(address), encrypted),
            Some(Host::Ipv6(address)) => self.permit(IpAddr::V6(address), encrypted),
        };
        if !permitted {
            return Err(TargetFault::NotPublic);
        }
        // A character may be written by three.
        let target = String::from(url);
        if target.len() > MAX_URL_BYTES {
            return Err(TargetFault::TooLong);
        }
        Ok(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_browsers_read_it() {
        let public = Networks::default();
        for (text, read) in [
            ("https://example.org", Ok("https://example.org/")),
            (
                "HTTPS://Example.ORG:443/a?b=c",
                Ok("https://example.org/a?b=c"),
            ),
            ("https://example.org:8443/", Ok("https://example.org:8443/")),
            ("https://8.8.8.8/", Ok("https://8.8.8.8/")),
            (
                "https://bücher.example/",
                Ok("https://xn--bcher-kva.example/"),
            ),
            ("http://example.org/", Err(TargetFault::NotEncrypted)),
            ("ftp://example.org/", Err(TargetFault::NotAUrl)),
            ("file:///etc/passwd", Err(TargetFault::NotAUrl)),
            ("example.org", Err(TargetFault::NotAUrl)),
            ("//example.org/", Err(TargetFault::NotAUrl)),
            ("https://", Err(TargetFault::NotAUrl)),
            ("https://a:b@example.org/", Err(TargetFault::Credentials)),
            ("https://a@example.org/", Err(TargetFault::Credentials)),
            ("https://example.org/#a", Err(TargetFault::Fragment)),
            ("https://127.0.0.1/", Err(TargetFault::NotPublic)),
            ("https://2130706433/", Err(TargetFault::NotPublic)),
            ("https://0x7f.1/", Err(TargetFault::NotPublic)),
            ("https://0177.0.0.1/", Err(TargetFault::NotPublic)),
            ("https://127。0。0。1/", Err(TargetFault::NotPublic)),
            ("https://%31%32%37.0.0.1/", Err(TargetFault::NotPublic)),
            ("https://[::ffff:127.0.0.1]/", Err(TargetFault::NotPublic)),
            ("https://[::1]:8080/", Err(TargetFault::NotPublic)),
            ("https://0/", Err(TargetFault::NotPublic)),
            (
                "https://169.254.169.254/latest",
                Err(TargetFault::NotPublic),
            ),
        ] {
            assert_eq!(public.target(text).as_deref(), read.as_deref(), "{text}");
        }
        let long = format!("https://example.org/{}", "a".repeat(MAX_URL_BYTES));
        assert_eq!(public.target(&long), Err(TargetFault::TooLong));
    }

    #[test]
    fn what_is_listed_may_go_without_tls() {
        let listed = Networks::new(&["127.0.0.0/8".parse().unwrap()]);
        assert_eq!(
            listed.target("http://127.0.0.1:9/a").as_deref(),
            Ok("http://127.0.0.1:9/a")
        );
        assert_eq!(
            listed.target("http://8.8.8.8/"),
            Err(TargetFault::NotPublic)
        );
        // Judged when it is looked up.
        assert!(listed.target("http://localhost:9/").is_ok());
    }
}
