//! The client against real sockets on loopback: an injected resolver maps made-up names and public addresses to test servers,
//! which also send malformed responses.
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
mod heads;
mod metadata;
mod proxy;
mod receivers;
mod redirects;
mod resolution;
mod support;
mod timing;
mod tls;
mod trusted;
