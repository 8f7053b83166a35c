//! What the environment says about the compatibility forms.

use domain::submit::Retention;
use fetch::Policy;

use crate::budget::Budget;

/// The settings of the compatibility forms.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Judges the URLs of sources.
    pub guard: Policy,
    /// How long jobs and results are kept.
    pub retention: Retention,
    /// How much may be asked for without an account.
    pub budget: Budget,
    /// The scheme of the service's own pages: `https`, but on the local stack.
    pub own_scheme: &'static str,
}

impl Settings {
    /// Reads the variables of the environment.
    ///
    /// # Errors
    /// A variable is missing or cannot be read.
    pub fn from_environment() -> Result<Self, runtime::Error> {
        let local = std::env::var("STAGE").is_ok_and(|stage| stage == "local");
        Ok(Self {
            guard: Policy::from_environment(runtime::config::own_hosts())?,
            retention: runtime::config::retention()?,
            budget: Budget::from_environment()?,
            own_scheme: if local { "http" } else { "https" },
        })
    }
}
