//! Settings of the compatibility routes from environment variables.

use domain::submit::Retention;
use fetch::Policy;

use crate::rate_limit::AnonymousRateLimit;

/// Settings of the compatibility routes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Checks source URLs.
    pub guard: Policy,
    /// How long jobs and results are kept.
    pub retention: Retention,
    /// Rate limit for anonymous requests.
    pub rate_limit: AnonymousRateLimit,
    /// The scheme of the website: `https`, or `http` on the local stack.
    pub own_scheme: &'static str,
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// When a variable is missing or invalid.
    pub fn from_environment() -> Result<Self, runtime::Error> {
        let local = std::env::var("STAGE").is_ok_and(|stage| stage == "local");
        Ok(Self {
            guard: Policy::from_environment(runtime::config::own_hosts())?,
            retention: runtime::config::retention()?,
            rate_limit: AnonymousRateLimit::from_environment()?,
            own_scheme: if local { "http" } else { "https" },
        })
    }
}
