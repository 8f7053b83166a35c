//! Web pages rendered by a real browser behind the real guard, on a simulated internet that records all connections.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod guard;
mod internet;
mod late;
mod outcomes;
mod prewarmed;
mod printed;
mod support;
mod trusted;
