//! The way to the web for the engines that print pages: the guarded client's proxy, tried out before the first page.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::processor::Processor;
use engine::{EngineError, Engines, WebAccess, WebProxy};
use fetch::{Client, PageLimits, PageProxies, PageProxy};
use tokio::runtime::Handle;

/// What one page may take: all of its bytes, and a little more time than its browser has.
pub const PAGE: PageLimits = PageLimits {
    bytes: 20_000_000,
    total: Duration::from_secs(25),
};

/// Opens a guarded proxy for each page.
#[derive(Debug)]
pub struct GuardedWeb {
    proxies: PageProxies,
    limits: PageLimits,
}

impl GuardedWeb {
    /// Pages within these bounds.
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

    fn trusted_key(&self) -> Option<String> {
        self.proxies.trusted_key().map(str::to_owned)
    }
}

struct OnePage(PageProxy);

impl WebProxy for OnePage {
    fn port(&self) -> u16 {
        self.0.port()
    }

    fn has_refused(&self, url: &str) -> bool {
        self.0.refused(url)
    }

    fn is_exceeded(&self) -> bool {
        self.0.traffic().exceeded
    }
}

impl Drop for OnePage {
    fn drop(&mut self) {
        tracing::info!(traffic = ?self.0.traffic(), "a page's proxy is closed");
    }
}

/// The engines, with a way to the web if the processor prints pages.
///
/// # Errors
/// The environment does not describe the way, or the browser does not take it: such a processor must not take a ticket.
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
    // The proxy is served by this very thread.
    let proven = tokio::task::spawn_blocking(move || {
        engines.prove_web_is_guarded(&scratch_base)?;
        Ok::<_, EngineError>(match processor {
            Processor::ProcessWeb => engines.with_prewarmed_browser(&scratch_base),
            _ => engines,
        })
    });
    Ok(proven.await??)
}
