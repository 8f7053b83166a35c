//! HTTP client guarded against server-side request forgery (SSRF): every outgoing request to a customer's URL uses it.
//!
//! A [`Policy`] checks the text of a URL and turns it into a [`RemoteUrl`]. A [`Client`] resolves the host once, blocks the
//! request if any resolved address is not public, and connects to the checked address itself, so DNS rebinding between check
//! and connection is impossible. Each redirect is checked the same way. [`Client::fetch`] streams a document into a sink,
//! [`Client::send`] delivers a webhook, [`Client::connect`] opens a TCP connection, and [`PageProxies`] runs the CONNECT
//! proxies that are a browser's only way to the network.
//!
//! Dependencies:
//! - **reqwest** with its conveniences disabled: checked addresses come from a custom resolver; no proxy, no redirects, no
//!   connection pool, HTTP/1.1 only. For a URL with an IP literal reqwest skips the resolver, so the transport compares the
//!   literal with the checked address.
//! - **The system's resolver, not hickory.** It gives the same answers as for every other process (private hosted zones and
//!   DNS Firewall of the VPC included) and adds no DNS parser to the attack surface. Names are resolved as absolute names, so
//!   no search domain is appended.
//! - **rustls with ring and the system's certificate authorities**, as in the AWS SDK: one TLS stack and one trust store,
//!   renewed by system updates. Compiled-in authorities (webpki-roots) would age with the binary.

mod address;
mod body;
mod client;
mod encoding;
mod environment;
mod error;
mod filename;
mod policy;
mod proxy;
mod receivers;
mod remote;
mod remote_url;
mod reserved_name;
mod retry_after;
mod route;
mod send;
mod source;
mod special_purpose;
mod transport;
mod trust;
mod trusted_hosts;

pub use client::{Client, MAX_REDIRECTS};
pub use environment::EnvironmentError;
pub use error::{FailedStep, FetchError};
pub use policy::{MAX_URL_LENGTH, Policy};
pub use proxy::{PageLimits, PageProxies, PageProxy, Traffic};
pub use receivers::Receivers;
pub use remote::RemoteSources;
pub use remote_url::RemoteUrl;
pub use route::{Resolver, SystemResolver};
pub use send::{MAX_RESPONSE_BYTES, PostRequest, Response};
pub use source::{FetchedDocument, Limits, Source};
pub use trust::{TrustStore, TrustStoreError};
pub use trusted_hosts::{TrustedHosts, TrustedHostsError};
