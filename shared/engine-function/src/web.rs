//! Web access of the engines that render web pages: one SSRF-guarded proxy per page, checked before the first page.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::format::Format;
use domain::operation::Operation;
use engine::{Artifact, EngineError, Engines, Request, WebAccess, WebProxy};
use fetch::{Client, PageLimits, PageProxies, PageProxy};
use tokio::runtime::Handle;

use crate::handler::Engine;

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

/// Adds web access and a prewarmed browser to the engines.
///
/// # Errors
/// When the environment is invalid.
pub(crate) fn with_web(engines: Engines, scratch_base: &Path) -> Result<Engines, runtime::Error> {
    let client = Client::from_environment(runtime::config::own_hosts())?.with_plain_http();
    let proxies = PageProxies::new(client, Handle::current())?;
    let engines = engines.with_web(Arc::new(GuardedWeb::new(proxies, PAGE)));
    Ok(engines.with_prewarmed_browser(scratch_base))
}

/// The installed engines. Before the first web page, checks that the browser uses its proxy: not at start, because a browser
/// loads slowly from a cold disk.
#[derive(Debug)]
pub struct InstalledEngines {
    engines: Engines,
    uses_proxy: Mutex<bool>,
}

impl InstalledEngines {
    /// Wraps engines, whose web access is not checked yet.
    #[must_use]
    pub fn new(engines: Engines) -> Self {
        Self {
            engines,
            uses_proxy: Mutex::new(false),
        }
    }

    fn check_browser_uses_proxy(&self, request: &Request<'_>) -> Result<(), EngineError> {
        let mut uses_proxy = self
            .uses_proxy
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !*uses_proxy {
            self.engines
                .check_browser_uses_proxy(request.scratch, request.stop)?;
            *uses_proxy = true;
        }
        Ok(())
    }
}

impl Engine for InstalledEngines {
    fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        if request.web_page.is_some() {
            self.check_browser_uses_proxy(request)?;
        }
        self.engines.run(request)
    }

    fn fingerprint(
        &self,
        operation: &Operation,
        format: Format,
    ) -> Result<Option<String>, EngineError> {
        self.engines.fingerprint(operation, format)
    }
}
