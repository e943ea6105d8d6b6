use super::client::{Answer, TestServer};

#[test]
fn limits_are_announced_and_enforced() {
    let server = TestServer::start(&[("rate_limits", "on"), ("rate_limit_address", "2/3600")]);
    for remaining in [1, 0] {
        let answer = server.send("GET", "/openapi.json", &[]);
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.header("ratelimit-policy"),
            Some("\"address\";q=2;w=3600")
        );
        let state = format!("\"address\";r={remaining};t={}", (2 - remaining) * 1_800);
        assert_eq!(answer.header("ratelimit"), Some(&*state));
    }
    let refused = server.send("GET", "/openapi.json", &[]);
    refused.assert_problem(429, "rate_limited");
    assert_eq!(refused.header("ratelimit"), Some("\"address\";r=0;t=3600"));
    assert_eq!(
        refused.header("ratelimit-policy"),
        Some("\"address\";q=2;w=3600")
    );
    let wait: u32 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=1_800).contains(&wait), "{wait}");
    for probe in ["/healthz", "/readyz"] {
        assert_eq!(
            server.send("GET", probe, &[]).status,
            200,
            "probes are not counted"
        );
    }
    assert_eq!(server.send("OPTIONS", "/healthz", &[]).status, 204);
}

fn forwarded(server: &TestServer, chain: &str) -> Answer {
    server.send("GET", "/openapi.json", &[("X-Forwarded-For", chain)])
}

#[test]
fn a_forged_forwarding_header_does_not_dodge_the_limit() {
    let settings = [("rate_limits", "on"), ("rate_limit_address", "1/3600")];
    let server = TestServer::start(&settings);
    assert_eq!(forwarded(&server, "198.51.100.1").status, 200);
    assert_eq!(
        forwarded(&server, "198.51.100.2").status,
        429,
        "the proxy is not trusted"
    );
}

#[test]
fn clients_behind_a_trusted_proxy_are_told_apart_by_the_hop_it_vouches_for() {
    let settings = [
        ("rate_limits", "on"),
        ("rate_limit_address", "1/3600"),
        ("trusted_proxies", "127.0.0.0/8"),
    ];
    let server = TestServer::start(&settings);
    assert_eq!(forwarded(&server, "198.51.100.1").status, 200);
    assert_eq!(forwarded(&server, "198.51.100.2").status, 200);
    assert_eq!(forwarded(&server, "203.0.113.7, 198.51.100.1").status, 429);
    assert_eq!(forwarded(&server, "203.0.113.8, 198.51.100.2").status, 429);
}

#[test]
fn off_means_no_limits_and_no_headers() {
    let server = TestServer::start(&[("rate_limit_address", "1/3600")]);
    for _ in 0..3 {
        let answer = server.send("GET", "/openapi.json", &[]);
        assert_eq!((answer.status, answer.header("ratelimit")), (200, None));
    }
}
