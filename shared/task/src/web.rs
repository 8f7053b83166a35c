//! Network access of web page conversions, through a filtering proxy that the caller of the engines provides.

use std::fmt::Debug;
use std::io;

use serde::{Deserialize, Serialize};

/// Starts filtering proxies. A trait, because the engines do not depend on an HTTP client.
pub trait WebAccess: Debug + Send + Sync {
    /// Starts a proxy for one page, on the loopback address. Dropping it stops it.
    ///
    /// # Errors
    /// Fails if the proxy cannot be started.
    fn open(&self) -> io::Result<Box<dyn WebProxy>>;

    /// Base64 of the SHA-256 of the public key whose certificates the browser accepts. The proxy signs with it for hosts that
    /// the operator trusts, but whose certificates the browser would reject.
    fn interception_key_hash(&self) -> Option<String> {
        None
    }
}

/// A filtering proxy for one page.
pub trait WebProxy: Send {
    /// The port on 127.0.0.1.
    fn port(&self) -> u16;

    /// Whether it blocked a connection to the host and port of this URL as an SSRF target.
    fn has_blocked(&self, url: &str) -> bool;

    /// Whether the page exceeded the download limit.
    fn is_exceeded(&self) -> bool;
}

/// A page for a child process to load. Never log it: the URL may contain a secret.
#[derive(Clone, Serialize, Deserialize)]
pub struct WebPage {
    /// The URL.
    pub url: String,
    /// The port of its proxy.
    pub proxy: u16,
    /// See [`WebAccess::interception_key_hash`].
    pub interception_key_hash: Option<String>,
}

/// The report of a child process that renders a web page.
#[derive(Debug, Serialize, Deserialize)]
pub enum PrintReport<Product> {
    /// The page was rendered.
    Done(Product),
    /// The page did not load. The browser is not trusted with the cause: the parent asks the proxy whether it blocked the URL.
    Unreachable {
        /// The last URL, after redirects.
        url: String,
        /// The HTTP status of the response, if there was one.
        status: Option<u16>,
    },
}
