//! The one guarded HTTP client: whatever a customer's URL makes the service ask for or send to leaves through here.
//!
//! A [`Policy`] judges the text of a URL and turns it into a [`RemoteUrl`]. A [`Client`] resolves its name once,
//! refuses it if any answer is not a public address, connects to the very address that was judged, and does so again
//! for each redirect. [`Client::fetch`] streams a document into a sink, [`Client::send`] delivers a webhook,
//! [`Client::connect`] opens a bare connection, and [`PageProxies`] let a browser out through such connections only.
//!
//! What it is built from, and why:
//! - **reqwest**, each of whose conveniences is off: it gets checked addresses through a resolver of its own, no proxy, no
//!   redirects, no pool, and HTTP/1.1 only. It connects to an address in the URL without asking its resolver, so such a
//!   URL is checked before, and again against the one address that was checked.
//! - **The system's resolver, not hickory.** It answers as everything else on the machine is answered (private zones
//!   and DNS firewalls of the VPC included) and adds no DNS parser of ours to what hostile servers can talk to. Names
//!   are asked for as absolute ones, so no search domain is ever appended.
//! - **rustls with ring and the system's authorities**, as the AWS SDK uses them: one TLS stack, one trust store, which
//!   the system's updates renew. Authorities compiled in (webpki-roots) would age with the binary.

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
pub use error::{Failure, FetchError};
pub use policy::{MAX_URL_LENGTH, Policy};
pub use proxy::{PageLimits, PageProxies, PageProxy, Traffic};
pub use receivers::Receivers;
pub use remote::RemoteSources;
pub use remote_url::RemoteUrl;
pub use route::{Resolver, SystemResolver};
pub use send::{MAX_RESPONSE_BYTES, Post, Response};
pub use source::{Fetched, Limits, Source};
pub use trust::{Trust, TrustError};
pub use trusted_hosts::{TrustedHosts, TrustedHostsError};
