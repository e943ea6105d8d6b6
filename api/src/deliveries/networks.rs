use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Where the server may go by itself: to public addresses by TLS, and to whatever the configuration lists.
#[derive(Debug, Clone, Default)]
pub struct Networks {
    listed: Vec<IpNet>,
}

const fn v4(a: u8, b: u8, c: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, 0), prefix)
}

const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

/// What is not public of IPv4, by the IANA registry of special-purpose addresses (RFC 6890), and multicast.
const SPECIAL_V4: [Ipv4Net; 15] = [
    v4(0, 0, 0, 8),       // this network
    v4(10, 0, 0, 8),      // private
    v4(100, 64, 0, 10),   // behind a carrier's translation
    v4(127, 0, 0, 8),     // loopback
    v4(169, 254, 0, 16),  // link-local, and what clouds tell their machines
    v4(172, 16, 0, 12),   // private
    v4(192, 0, 0, 24),    // of protocols
    v4(192, 0, 2, 24),    // documentation
    v4(192, 88, 99, 24),  // relays of 6to4
    v4(192, 168, 0, 16),  // private
    v4(198, 18, 0, 15),   // measurements
    v4(198, 51, 100, 24), // documentation
    v4(203, 0, 113, 24),  // documentation
    v4(224, 0, 0, 4),     // multicast
    v4(240, 0, 0, 4),     // reserved, and broadcast
];

/// All that is given out of IPv6. Loopback, private, link-local and multicast lie outside.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 0, 3);

/// What is not public within it.
const SPECIAL_V6: [Ipv6Net; 4] = [
    v6(0x2001, 0, 0, 23),     // of protocols; Teredo, which holds an address of IPv4
    v6(0x2001, 0xdb8, 0, 32), // documentation
    v6(0x2002, 0, 0, 16),     // 6to4, which holds an address of IPv4
    v6(0x3fff, 0, 0, 20),     // documentation
];

/// Addresses of IPv4 as a translator (NAT64) has them.
const TRANSLATED: Ipv6Net = v6(0x64, 0xff9b, 0, 96);

impl Networks {
    /// Public ones, and these.
    pub fn new(listed: &[IpNet]) -> Self {
        Self {
            listed: listed.to_vec(),
        }
    }

    /// Whether any are listed.
    pub fn lists_any(&self) -> bool {
        !self.listed.is_empty()
    }

    /// Whether the server may go to an address: without TLS only where it is listed.
    pub fn permit(&self, address: IpAddr, encrypted: bool) -> bool {
        let address = plain(address);
        let is_listed = self.listed.iter().any(|net| net.contains(&address));
        is_listed || (encrypted && is_public(address))
    }
}

/// The address of IPv4 that one of IPv6 stands for, if it does.
fn plain(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(six) if TRANSLATED.contains(&six) => {
            let [.., a, b, c, d] = six.octets();
            Ipv4Addr::new(a, b, c, d).into()
        }
        other => other.to_canonical(),
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => !SPECIAL_V4.iter().any(|net| net.contains(&four)),
        IpAddr::V6(six) => {
            GLOBAL_V6.contains(&six) && !SPECIAL_V6.iter().any(|net| net.contains(&six))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(listed: &[&str], address: &str, encrypted: bool) -> bool {
        let listed: Vec<IpNet> = listed.iter().map(|net| net.parse().unwrap()).collect();
        Networks::new(&listed).permit(address.parse().unwrap(), encrypted)
    }

    #[test]
    fn what_is_not_public_is_not_gone_to_in_any_form() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::127.0.0.1",
            "64:ff9b::10.1.2.3",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:808:808::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!permits(&[], address, true), "{address}");
            assert!(!permits(&["1.2.3.0/24"], address, false), "{address}");
        }
    }

    #[test]
    fn what_is_public_is_gone_to_by_tls_alone() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.255.255",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450::1",
        ] {
            assert!(permits(&[], address, true), "{address}");
            assert!(!permits(&[], address, false), "{address}");
        }
    }

    #[test]
    fn what_is_listed_is_gone_to_in_any_way() {
        for (net, address) in [
            ("127.0.0.0/8", "127.0.0.1"),
            ("127.0.0.0/8", "::ffff:127.0.0.1"),
            ("10.0.0.0/8", "64:ff9b::10.1.2.3"),
            ("::1/128", "::1"),
            ("fd00::/8", "fd12::1"),
        ] {
            assert!(permits(&[net], address, false), "{address}");
            assert!(permits(&[net], address, true), "{address}");
        }
        assert!(!permits(&["127.0.0.0/8"], "10.0.0.1", true));
        assert!(!permits(&["127.0.0.0/8"], "::1", true));
    }
}
