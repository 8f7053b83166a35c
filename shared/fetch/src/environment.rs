//! Configures policy and client from environment variables.

use std::env;

use thiserror::Error;

use crate::client::Client;
use crate::policy::Policy;
use crate::trust::{TrustStore, TrustStoreError};
use crate::trusted_hosts::{TrustedHosts, TrustedHostsError};

/// Internal hosts that may be fetched from: `name:port=address`, separated by commas.
const TRUSTED_HOSTS: &str = "TRUSTED_HOSTS";
/// PEM of the certificate authority of the trusted hosts; optional.
const AUTHORITY: &str = "TRUSTED_HOSTS_AUTHORITY";

/// Host and port of the Lambda runtime API.
const RUNTIME_API: &str = "AWS_LAMBDA_RUNTIME_API";

/// An environment variable has an invalid value.
#[derive(Debug, Error)]
pub enum EnvironmentError {
    /// The trusted hosts cannot be parsed.
    #[error("TRUSTED_HOSTS: {0}")]
    TrustedHosts(#[from] TrustedHostsError),
    /// The system has no certificate authorities, or the PEM cannot be parsed.
    #[error("TRUSTED_HOSTS_AUTHORITY: {0}")]
    TrustStore(#[from] TrustStoreError),
}

impl Policy {
    /// A policy for `https` only, with the trusted hosts of the variable `TRUSTED_HOSTS`. The Lambda runtime API is blocked.
    ///
    /// # Errors
    /// The trusted hosts cannot be parsed.
    pub fn from_environment(own_hosts: Vec<String>) -> Result<Self, EnvironmentError> {
        let trusted: TrustedHosts = variable(TRUSTED_HOSTS).parse()?;
        Ok(Self::https(own_hosts, trusted).with_own_endpoint(&variable(RUNTIME_API)))
    }
}

impl Client {
    /// A client with [`Policy::from_environment`] that trusts the system's certificate authorities and, for trusted hosts,
    /// also the authority in `TRUSTED_HOSTS_AUTHORITY`.
    ///
    /// # Errors
    /// A variable cannot be parsed, or the system has no certificate authorities.
    pub fn from_environment(own_hosts: Vec<String>) -> Result<Self, EnvironmentError> {
        let authority = variable(AUTHORITY);
        let mut trust = TrustStore::system()?;
        if !authority.is_empty() {
            trust = trust.with_trusted_host_authorities(authority.as_bytes())?;
        }
        Ok(Self::system(Policy::from_environment(own_hosts)?, trust))
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
