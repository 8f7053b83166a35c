//! The client against real sockets on loopback: names and public addresses are made up by an injected resolver and
//! connector, servers say what no proper server would.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod bodies;
mod delivery;
mod encodings;
mod facts;
mod heads;
mod proxy;
mod receivers;
mod redirects;
mod resolution;
mod support;
mod timing;
mod tls;
mod trusted;
