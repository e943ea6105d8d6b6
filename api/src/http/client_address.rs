//! The address a request really comes from, and what it comes from as it calls itself.

use std::net::IpAddr;

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap, HeaderName};
use ipnet::IpNet;
use storage::sessions::MAX_USER_AGENT;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address of the caller: of the connection, or, when that is a trusted proxy's, the right-most
/// hop of `X-Forwarded-For` that is not. What stands further left was written by the caller and is
/// not believed. None when the connection has no address, as in tests without one.
pub fn client_address(request: &HttpRequest, trusted: &[IpNet]) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip().to_canonical();
    Some(behind_proxies(peer, request.headers(), trusted))
}

/// What the caller calls itself, cut to what is kept of it; none when it says nothing that can be read.
pub fn user_agent(request: &HttpRequest) -> Option<String> {
    let value = request.headers().get(header::USER_AGENT)?.to_str().ok()?;
    let kept: String = value.trim().chars().take(MAX_USER_AGENT).collect();
    (!kept.is_empty()).then_some(kept)
}

fn behind_proxies(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer;
    if !is_trusted(&client) {
        return client;
    }
    let values: Vec<_> = headers.get_all(X_FORWARDED_FOR).collect();
    let hops = values
        .iter()
        .rev()
        .flat_map(|value| value.to_str().unwrap_or("unreadable").rsplit(','));
    for hop in hops {
        // An unreadable hop ends the chain: the last address that was readable vouches for it.
        let Some(address) = parse_hop(hop.trim()) else {
            break;
        };
        client = address;
        if !is_trusted(&client) {
            break;
        }
    }
    client
}

/// An address, which some proxies write with a port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let address = hop
        .parse()
        .or_else(|_| hop.parse().map(|socket: std::net::SocketAddr| socket.ip()))
        .ok()?;
    Some(IpAddr::to_canonical(&address))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn only_hops_vouched_for_by_trusted_proxies_count() {
        let trusted: Vec<IpNet> = ["10.0.0.0/8", "fd00::/8"]
            .map(|net| net.parse().unwrap())
            .into();
        for (peer, forwarded, expected) in [
            ("203.0.113.9", &["198.51.100.1"][..], "203.0.113.9"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["1.2.3.4, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["1.2.3.4", "198.51.100.1"], "198.51.100.1"),
            (
                "10.0.0.1",
                &["1.2.3.4, 198.51.100.1, 10.9.9.9"],
                "198.51.100.1",
            ),
            ("10.0.0.1", &["10.0.0.7, 10.0.0.8"], "10.0.0.7"),
            ("10.0.0.1", &["1.2.3.4, nonsense, 10.0.0.8"], "10.0.0.8"),
            ("10.0.0.1", &["nonsense"], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1:4711"], "198.51.100.1"),
            ("10.0.0.1", &["[2001:db8::1]:4711"], "2001:db8::1"),
            ("fd00::1", &["2001:db8::1"], "2001:db8::1"),
            ("10.0.0.1", &["::ffff:198.51.100.1"], "198.51.100.1"),
        ] {
            let mut headers = HeaderMap::new();
            for value in forwarded {
                headers.append(X_FORWARDED_FOR, HeaderValue::from_static(value));
            }
            let client = behind_proxies(peer.parse().unwrap(), &headers, &trusted);
            assert_eq!(
                client,
                expected.parse::<IpAddr>().unwrap(),
                "{peer} {forwarded:?}"
            );
        }
    }
}
