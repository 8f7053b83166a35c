//! Work that anybody may ask for without an account: whom it is done for, how large it may be, and who is counted.

use std::net::{IpAddr, Ipv6Addr};

use crate::account::{Caller, Credential};
use crate::id::AccountId;
use crate::job::JobLimits;
use crate::plan::{MEGABYTE, Plan};
use crate::timestamp::Timestamp;

/// What such a job may take.
pub const LIMITS: JobLimits = JobLimits {
    file_bytes: 20 * MEGABYTE,
    pages: 200,
    image_side: 4_000,
};

/// The built-in account that such jobs run under. Nobody has a key of it, so no list shows them.
#[must_use]
pub fn account() -> AccountId {
    AccountId::mint(Timestamp(0), 0)
}

/// Whom such a job is accepted from. The plan is one that counts nothing: budgets by address bound it instead.
#[must_use]
pub fn caller() -> Caller {
    Caller {
        account_id: account(),
        credential: Credential::Nobody,
        plan: Plan::Business,
        scopes: Vec::new(),
    }
}

/// What counts as one client: an IPv4 address, or the 64 bits of an IPv6 address that one subscriber holds all of. Who
/// comes without an address shares one budget.
#[must_use]
pub fn counted_as(address: Option<IpAddr>) -> String {
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
        counted_as(Some(address.parse().unwrap()))
    }

    #[test]
    fn the_account_is_the_same_everywhere() {
        assert_eq!(account().as_str(), "acc_00000000000000000000000000");
        assert_eq!(account().as_str().parse(), Ok(account()));
    }

    #[test]
    fn a_subscriber_is_one_client_whatever_address_it_takes() {
        assert_eq!(counted("203.0.113.7"), "203.0.113.7");
        assert_eq!(counted("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(counted("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(counted("2001:db8:1:2::1"), "2001:db8:1:2::/64");
        assert_ne!(counted("2001:db8:1:3::1"), counted("2001:db8:1:2::1"));
        assert_eq!(counted_as(None), "unknown");
    }
}
