//! The guard as a function's environment describes it.

use std::env;

use thiserror::Error;

use crate::client::Client;
use crate::policy::Policy;
use crate::trust::{Trust, TrustError};
use crate::trusted_hosts::{TrustedHosts, TrustedHostsError};

/// Internal hosts that may be reached: `name:port=address`, separated by commas.
const TRUSTED_HOSTS: &str = "TRUSTED_HOSTS";
/// Their own certificate authority, as PEM; none when not set.
const AUTHORITY: &str = "TRUSTED_HOSTS_AUTHORITY";

/// What is wrong with the environment.
#[derive(Debug, Error)]
pub enum EnvironmentError {
    /// The trusted hosts cannot be read.
    #[error("TRUSTED_HOSTS: {0}")]
    TrustedHosts(#[from] TrustedHostsError),
    /// There is nothing to trust, or the authority cannot be read.
    #[error("TRUSTED_HOSTS_AUTHORITY: {0}")]
    Trust(#[from] TrustError),
}

impl Policy {
    /// `https` only, with the trusted hosts that the environment names (`TRUSTED_HOSTS`).
    ///
    /// # Errors
    /// The trusted hosts cannot be read.
    pub fn from_environment(own_hosts: Vec<String>) -> Result<Self, EnvironmentError> {
        let trusted: TrustedHosts = variable(TRUSTED_HOSTS).parse()?;
        Ok(Self::https(own_hosts, trusted))
    }
}

impl Client {
    /// A client under [`Policy::from_environment`] that trusts the system's authorities and, for trusted hosts, that of
    /// `TRUSTED_HOSTS_AUTHORITY`.
    ///
    /// # Errors
    /// A variable cannot be read, or the system has no authorities.
    pub fn from_environment(own_hosts: Vec<String>) -> Result<Self, EnvironmentError> {
        let authority = variable(AUTHORITY);
        let mut trust = Trust::system()?;
        if !authority.is_empty() {
            trust = trust.with_authorities_of_trusted_hosts(authority.as_bytes())?;
        }
        Ok(Self::system(Policy::from_environment(own_hosts)?, trust))
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
