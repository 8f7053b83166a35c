//! How a page reaches the web: through a guarded proxy that whoever runs the engines opens for it.

use std::fmt::Debug;
use std::io;

use serde::{Deserialize, Serialize};

/// Opens guarded proxies. The engines know no HTTP client; who starts them does.
pub trait WebAccess: Debug + Send + Sync {
    /// A proxy for one page, on the loopback address. It ends when it is dropped.
    ///
    /// # Errors
    /// The service is at fault.
    fn open(&self) -> io::Result<Box<dyn WebProxy>>;

    /// The key whose certificates the browser takes for good: base64 of the SHA-256 of its public half. For hosts that the
    /// operator trusts and no browser knows.
    fn trusted_key(&self) -> Option<String> {
        None
    }
}

/// A guarded proxy for one page.
pub trait WebProxy: Send {
    /// Its port on 127.0.0.1.
    fn port(&self) -> u16;

    /// Whether it refused a way to this URL's host and port because the service may not go there.
    fn has_refused(&self, url: &str) -> bool;

    /// Whether the page takes more bytes than it may.
    fn is_exceeded(&self) -> bool;
}

/// A page for a child to load. Not for logs: the URL may be a secret.
#[derive(Clone, Serialize, Deserialize)]
pub struct WebPage {
    /// Where it is.
    pub url: String,
    /// The port of its proxy.
    pub proxy: u16,
    /// See [`WebAccess::trusted_key`].
    pub trusted_key: Option<String>,
}

/// What a child that was to print a page reports.
#[derive(Debug, Serialize, Deserialize)]
pub enum Printed<Product> {
    /// The page is printed.
    Done(Product),
    /// There is no page to print. Nothing that a browser says about a refusal is believed: the proxy is asked.
    Unreached {
        /// Where the page was looked for last.
        url: String,
        /// The status that it answered with, if it did.
        status: Option<u16>,
    },
}
