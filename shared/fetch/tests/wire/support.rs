//! A simulated internet: names, addresses, certificates and servers.

mod authority;
mod internet;
mod reply;
mod server;

pub(crate) use authority::{Authority, Identity};
pub(crate) use internet::{Internet, limits};
pub(crate) use reply::{Reply, Step, ok};
pub(crate) use server::Server;

/// Whether the outcome is this error.
macro_rules! assert_fails {
    ($outcome:expr, $error:pat) => {
        let outcome = $outcome;
        assert!(
            matches!(outcome, Err($error)),
            "{outcome:?} is not {}",
            stringify!($error)
        );
    };
}
pub(crate) use assert_fails;
