//! The one guarded HTTP client: whatever a customer's URL makes the service ask for or send to leaves through here.
//!
//! A [`Policy`] judges the text of a URL and turns it into a [`RemoteUrl`]. A [`Client`] resolves its name once,
//! refuses it if any answer is not a public address, connects to the very address that was judged, and does so again
//! for each redirect. [`Client::fetch`] streams a document into a sink, [`Client::send`] delivers a webhook,
//! [`Client::connect`] opens a bare connection, and [`PageProxies`] let a browser out through such connections only.
//!
//! What it is built from, and why:
//! - **hyper's low-level client, not reqwest.** The guard stands between resolving and connecting, so that step has to
//!   be ours. reqwest connects to an address written in the URL without asking its resolver, takes proxies from the
//!   environment unless told not to, follows redirects and decompresses by itself; each is one more thing to switch
//!   off and to keep switched off. HTTP/1.1 over one connection a request needs nothing that hyper does not have.
//! - **The system's resolver, not hickory.** It answers as everything else on the machine is answered (private zones
//!   and DNS firewalls of the VPC included) and adds no DNS parser of ours to what hostile servers can talk to. Names
//!   are asked for as absolute ones, so no search domain is ever appended.
//! - **rustls with ring and the system's authorities**, as the AWS SDK uses them: one TLS stack, one trust store, which
//!   the system's updates renew. Authorities compiled in (webpki-roots) would age with the binary.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

mod address;
mod body;
mod client;
mod connector;
mod encoding;
mod environment;
mod error;
mod exchange;
mod fetched;
mod filename;
mod limits;
mod policy;
mod port;
mod proxy;
mod receivers;
mod redirect;
mod remote;
mod remote_url;
mod reserved_name;
mod resolver;
mod retry_after;
mod route;
mod send;
mod source;
mod special_purpose;
mod trust;
mod trusted_hosts;

pub use client::Client;
pub use connector::{Connector, Stream, TcpConnector};
pub use environment::EnvironmentError;
pub use error::{Failure, FetchError, Refusal};
pub use fetched::Fetched;
pub use limits::{Limits, MAX_REDIRECTS};
pub use policy::{MAX_URL_LENGTH, Policy};
pub use proxy::{PageLimits, PageProxies, PageProxy, Traffic};
pub use receivers::Receivers;
pub use remote::RemoteSources;
pub use remote_url::RemoteUrl;
pub use resolver::{Resolver, SystemResolver};
pub use send::{Answer, MAX_ANSWER_BYTES, Post};
pub use source::Source;
pub use trust::{Trust, TrustError};
pub use trusted_hosts::{TrustedHosts, TrustedHostsError};
