//! Shared by all tests of the running stack: stack file, API client, corpus, trusted host, processes, wire log.
//!
//! Test support: `unwrap` and `expect` are allowed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

pub mod client;
pub mod conformance;
pub mod corpus;
pub mod documents;
pub mod faults;
pub mod library_fixture;
pub mod logs;
pub mod memory;
pub mod process;
pub mod response;
pub mod stack;
pub mod trusted_host;
pub mod wire;
