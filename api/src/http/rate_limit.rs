//! How many requests come in: buckets by address, by account and by login name (GCRA).
//!
//! The buckets are this node's own; several nodes allow as many times the quota.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::http::header::{HeaderName, HeaderValue};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota as Cells, RateLimiter};
use uuid::Uuid;

use crate::config::{Quota, RateLimits};
use crate::problem::{ApiError, Code};

/// The rule, e.g. `"caller";q=600;w=60` (draft-ietf-httpapi-ratelimit-headers).
pub const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// What is left of it, e.g. `"caller";r=599;t=1`.
pub const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");

type Limiter =
    RateLimiter<u64, DefaultKeyedStateStore<u64>, DefaultClock, StateInformationMiddleware>;

/// One rule, and the buckets of all who come under it.
struct Rule {
    name: &'static str,
    quota: Quota,
    limiter: Limiter,
    /// Keys are kept as digests, of equal size whatever a caller sends.
    hasher: RandomState,
}

/// All rules.
pub struct RateLimiters {
    address: Rule,
    caller: Rule,
    auth: Rule,
    account: Rule,
}

/// What a rule says of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    name: &'static str,
    quota: Quota,
    remaining: u32,
    /// For a refused request: how long until one will be let through.
    wait: Option<Duration>,
}

impl RateLimiters {
    /// Buckets for the configured rules; none when limits are off.
    pub fn new(limits: &RateLimits) -> Option<Self> {
        limits.enabled.then(|| Self {
            address: Rule::new("address", limits.address),
            caller: Rule::new("caller", limits.caller),
            auth: Rule::new("auth", limits.auth),
            account: Rule::new("account", limits.account),
        })
    }

    /// Counts a request under every rule that covers it. The first rule that refuses it ends the
    /// count; else the standing nearest to its limit is given.
    pub fn count(
        &self,
        address: Option<IpAddr>,
        player_id: Option<Uuid>,
        is_auth_route: bool,
    ) -> Option<Standing> {
        let network = address.map(network_of);
        let checks = [
            network.map(|network| (&self.address, self.address.key(&network))),
            network
                .filter(|_| is_auth_route)
                .map(|network| (&self.auth, self.auth.key(&network))),
            player_id.map(|player_id| (&self.caller, self.caller.key(&player_id))),
        ];
        let mut nearest: Option<Standing> = None;
        for (rule, key) in checks.into_iter().flatten() {
            let standing = rule.count(key);
            if standing.wait.is_some() {
                return Some(standing);
            }
            if nearest.is_none_or(|nearest| standing.share_left() < nearest.share_left()) {
                nearest = Some(standing);
            }
        }
        nearest
    }

    /// Counts that a personal token is looked up for an address, before the request itself is counted;
    /// whether it may be.
    pub fn count_look_up(&self, address: Option<IpAddr>) -> bool {
        address.is_none_or(|address| {
            let key = self.address.key(&network_of(address));
            self.address.count(key).wait.is_none()
        })
    }

    /// Counts a login attempt for an account name, whether there is such an account or not.
    ///
    /// # Errors
    /// `rate_limited` when there were too many.
    pub fn count_login(&self, username: &str) -> Result<(), ApiError> {
        let key = self.account.key(&username.to_ascii_lowercase());
        self.account.count(key).refusal().map_or(Ok(()), Err)
    }

    /// Forgets all who have been silent long enough to have a full bucket again. Called from time to
    /// time, it bounds the memory by the number of callers within one window.
    pub fn forget_idle(&self) {
        for rule in [&self.address, &self.caller, &self.auth, &self.account] {
            rule.limiter.retain_recent();
            rule.limiter.shrink_to_fit();
        }
    }
}

impl Rule {
    fn new(name: &'static str, quota: Quota) -> Self {
        // One cell is given back every `window / requests`, never in no time at all.
        let period = (quota.window() / quota.requests.get()).max(Duration::from_nanos(1));
        let cells = Cells::with_period(period)
            .unwrap_or(Cells::per_second(NonZeroU32::MIN))
            .allow_burst(quota.requests);
        Self {
            name,
            quota,
            limiter: RateLimiter::keyed(cells).with_middleware(),
            hasher: RandomState::new(),
        }
    }

    fn key(&self, key: &impl Hash) -> u64 {
        self.hasher.hash_one(key)
    }

    fn count(&self, key: u64) -> Standing {
        let (remaining, wait) = match self.limiter.check_key(&key) {
            Ok(state) => (state.remaining_burst_capacity(), None),
            Err(refused) => (
                0,
                Some(refused.wait_time_from(DefaultClock::default().now())),
            ),
        };
        Standing {
            name: self.name,
            quota: self.quota,
            remaining,
            wait,
        }
    }
}

impl Standing {
    /// The values of `RateLimit-Policy` and `RateLimit`. `t` is the time until the quota is whole again.
    pub fn headers(&self) -> [(HeaderName, String); 2] {
        let (requests, seconds) = (self.quota.requests.get(), self.quota.seconds.get());
        let spent = u64::from(requests.saturating_sub(self.remaining));
        let reset = (spent * u64::from(seconds)).div_ceil(u64::from(requests));
        [
            (
                RATELIMIT_POLICY,
                format!("\"{}\";q={requests};w={seconds}", self.name),
            ),
            (
                RATELIMIT,
                format!("\"{}\";r={};t={reset}", self.name, self.remaining),
            ),
        ]
    }

    /// The refusal, if the request is one too many.
    pub fn refusal(&self) -> Option<ApiError> {
        let wait = self.wait?;
        let (requests, seconds) = (self.quota.requests, self.quota.seconds);
        let detail = format!(
            "the limit \"{}\" is {requests} requests in {seconds} seconds; wait and try again",
            self.name
        );
        let refusal = ApiError::new(Code::RateLimited, detail).retry_after(wait);
        Some(
            self.headers()
                .into_iter()
                .fold(
                    refusal,
                    |refusal, (name, value)| match HeaderValue::from_str(&value) {
                        Ok(value) => refusal.header(name, value),
                        Err(_) => refusal,
                    },
                ),
        )
    }

    fn share_left(self) -> f64 {
        f64::from(self.remaining) / f64::from(self.quota.requests.get())
    }
}

/// An IPv6 subscriber holds a /64 of addresses: they count as one.
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiters(address: &str, caller: &str, auth: &str) -> RateLimiters {
        RateLimiters::new(&RateLimits {
            enabled: true,
            address: address.parse().unwrap(),
            caller: caller.parse().unwrap(),
            auth: auth.parse().unwrap(),
            account: "2/3600".parse().unwrap(),
        })
        .unwrap()
    }

    fn refused(standing: Option<Standing>) -> bool {
        standing.unwrap().refusal().is_some()
    }

    #[test]
    fn a_bucket_runs_empty_and_says_so() {
        let limiters = limiters("3/3600", "9/3600", "9/3600");
        let address = Some("192.0.2.1".parse().unwrap());
        for remaining in [2, 1, 0] {
            let [policy, state] = limiters.count(address, None, false).unwrap().headers();
            assert_eq!(policy.1, "\"address\";q=3;w=3600");
            let reset = (3 - remaining) * 1_200;
            assert_eq!(state.1, format!("\"address\";r={remaining};t={reset}"));
        }
        let refusal = limiters
            .count(address, None, false)
            .unwrap()
            .refusal()
            .unwrap();
        assert_eq!(refusal.code(), Code::RateLimited);
        let other = Some("192.0.2.2".parse().unwrap());
        assert!(!refused(limiters.count(other, None, false)));
    }

    #[test]
    fn accounts_are_counted_apart_from_addresses() {
        let limiters = limiters("100/3600", "1/3600", "1/3600");
        let address = |last: u8| Some(IpAddr::from([192, 0, 2, last]));
        let (one, two) = (Some(Uuid::now_v7()), Some(Uuid::now_v7()));
        assert!(!refused(limiters.count(address(1), one, false)));
        assert!(
            refused(limiters.count(address(2), one, false)),
            "another address, same account"
        );
        assert!(!refused(limiters.count(address(1), two, false)));
        assert!(!refused(limiters.count(address(1), None, true)));
        assert!(
            refused(limiters.count(address(1), None, true)),
            "the stricter rule of auth routes"
        );
        assert!(!refused(limiters.count(address(1), None, false)));
        assert!(limiters.count(None, None, false).is_none());
    }

    #[test]
    fn one_account_name_is_limited_whatever_its_case() {
        let limiters = limiters("9/60", "9/60", "9/60");
        assert!(limiters.count_login("Marshal").is_ok());
        assert!(limiters.count_login("marshal").is_ok());
        assert!(limiters.count_login("MARSHAL").is_err());
        assert!(limiters.count_login("someone").is_ok());
    }

    #[test]
    fn a_subscriber_of_ipv6_is_one_network() {
        let limiters = limiters("1/3600", "9/60", "9/60");
        let count = |address: &str| limiters.count(Some(address.parse().unwrap()), None, false);
        assert!(!refused(count("2001:db8:1:2::1")));
        assert!(refused(count("2001:db8:1:2:ffff::9")));
        assert!(!refused(count("2001:db8:1:3::1")));
    }

    #[test]
    fn idle_buckets_are_forgotten() {
        let limiters = limiters("1000000/1", "9/60", "9/60");
        let address = Some("192.0.2.1".parse().unwrap());
        limiters.count(address, Some(Uuid::now_v7()), false);
        while !limiters.address.limiter.is_empty() {
            limiters.forget_idle();
        }
        assert_eq!(
            limiters.caller.limiter.len(),
            1,
            "a bucket that is not full is kept"
        );
    }
}
