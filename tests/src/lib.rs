//! What every test of the running stack needs: the stack file, a client of the public API, and the corpus.
//!
//! Tests are only built to fail loudly, so this crate may unwrap.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

pub mod answer;
pub mod client;
pub mod conformance;
pub mod corpus;
pub mod documents;
pub mod faults;
pub mod logs;
pub mod memory;
pub mod process;
pub mod shelf;
pub mod stack;
pub mod trusted_host;
pub mod wire;
