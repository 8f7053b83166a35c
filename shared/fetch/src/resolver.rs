//! From a name to its addresses.

use std::io;
use std::net::IpAddr;

use async_trait::async_trait;

/// Looks names up. A request asks once for each host it goes to.
#[async_trait]
pub trait Resolver: Send + Sync {
    /// All addresses of `name`, which carries no trailing dot.
    ///
    /// # Errors
    /// The name does not exist, or could not be looked up.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver, on tokio's threads for blocking calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        // The dot makes the name absolute: no search domain of the machine is tried.
        let answers = tokio::net::lookup_host((format!("{name}."), 0)).await?;
        Ok(answers.map(|answer| answer.ip()).collect())
    }
}
