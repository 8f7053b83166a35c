//! Web access of the engines that render web pages: one SSRF-guarded proxy per page, checked at start.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::processor::Processor;
use engine::{EngineError, Engines, WebAccess, WebProxy};
use fetch::{Client, PageLimits, PageProxies, PageProxy};
use tokio::runtime::Handle;

/// Limits of one page: total bytes, and slightly more time than its browser has.
pub const PAGE: PageLimits = PageLimits {
    bytes: 20_000_000,
    total: Duration::from_secs(25),
};

/// Opens one guarded proxy per page.
#[derive(Debug)]
pub struct GuardedWeb {
    proxies: PageProxies,
    limits: PageLimits,
}

impl GuardedWeb {
    /// Creates web access with these limits per page.
    #[must_use]
    pub fn new(proxies: PageProxies, limits: PageLimits) -> Self {
        Self { proxies, limits }
    }
}

impl WebAccess for GuardedWeb {
    fn open(&self) -> io::Result<Box<dyn WebProxy>> {
        let proxy = self.proxies.open(&self.limits)?;
        Ok(Box::new(OnePage(proxy)))
    }

    fn interception_key_hash(&self) -> Option<String> {
        self.proxies.interception_key_hash().map(str::to_owned)
    }
}

struct OnePage(PageProxy);

impl WebProxy for OnePage {
    fn port(&self) -> u16 {
        self.0.port()
    }

    fn has_blocked(&self, url: &str) -> bool {
        self.0.has_blocked(url)
    }

    fn is_exceeded(&self) -> bool {
        self.0.traffic().exceeded
    }
}

impl Drop for OnePage {
    fn drop(&mut self) {
        tracing::info!(traffic = ?self.0.traffic(), "page proxy closed");
    }
}

/// Adds web access to the engines if the processor renders web pages.
///
/// # Errors
/// When the environment is invalid or the browser bypasses the proxy. Such a processor must not take tickets.
pub(crate) async fn with_web(
    processor: Processor,
    engines: Engines,
    scratch_base: &Path,
) -> Result<Engines, runtime::Error> {
    if !matches!(
        processor,
        Processor::ProcessWeb | Processor::ProcessPipeline
    ) {
        return Ok(engines);
    }
    let client = Client::from_environment(runtime::config::own_hosts())?.with_plain_http();
    let proxies = PageProxies::new(client, Handle::current())?;
    let engines = engines.with_web(Arc::new(GuardedWeb::new(proxies, PAGE)));
    let scratch_base = scratch_base.to_owned();
    // Blocking, on another thread: the proxy is served by this one.
    let engines = tokio::task::spawn_blocking(move || {
        engines.check_browser_uses_proxy(&scratch_base)?;
        Ok::<_, EngineError>(match processor {
            Processor::ProcessWeb => engines.with_prewarmed_browser(&scratch_base),
            _ => engines,
        })
    });
    Ok(engines.await??)
}
