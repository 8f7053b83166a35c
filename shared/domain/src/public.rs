//! Anonymous jobs: account, limits and rate-limit key of requests without an account.

use std::net::{IpAddr, Ipv6Addr};

use crate::account::{Caller, Credential};
use crate::id::AccountId;
use crate::job::JobLimits;
use crate::plan::{MEGABYTE, Plan};
use crate::timestamp::Timestamp;

/// Limits of an anonymous job.
pub const LIMITS: JobLimits = JobLimits {
    file_bytes: 20 * MEGABYTE,
    pages: 200,
    image_side: 4_000,
};

/// Returns the built-in account of anonymous jobs. No API key belongs to it, so its jobs are never listed.
#[must_use]
pub fn account() -> AccountId {
    AccountId::mint(Timestamp(0), 0)
}

/// Returns the caller of anonymous jobs. Its plan is unmetered; rate limits by client address apply instead.
#[must_use]
pub fn caller() -> Caller {
    Caller {
        account_id: account(),
        credential: Credential::Anonymous,
        plan: Plan::Business,
        locale: None,
        scopes: Vec::new(),
    }
}

/// Returns the rate-limit key of a client: its IPv4 address, or the /64 prefix of its IPv6 address, which belongs to one
/// subscriber. Clients without an address share one key.
#[must_use]
pub fn rate_limit_key(address: Option<IpAddr>) -> String {
    match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(address)) => {
            let network = address.to_bits() >> 64 << 64;
            format!("{}/64", Ipv6Addr::from_bits(network))
        }
        None => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(address: &str) -> String {
        rate_limit_key(Some(address.parse().unwrap()))
    }

    #[test]
    fn the_account_is_the_same_everywhere() {
        assert_eq!(account().as_str(), "acc_00000000000000000000000000");
        assert_eq!(account().as_str().parse(), Ok(account()));
    }

    #[test]
    fn addresses_of_one_ipv6_subscriber_share_a_rate_limit() {
        assert_eq!(counted("203.0.113.7"), "203.0.113.7");
        assert_eq!(counted("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(counted("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(counted("2001:db8:1:2::1"), "2001:db8:1:2::/64");
        assert_ne!(counted("2001:db8:1:3::1"), counted("2001:db8:1:2::1"));
        assert_eq!(rate_limit_key(None), "unknown");
    }
}
