//! Invocations over a real HTTP object store on loopback: downloads, uploads, failures, hostile documents, and a fresh program
//! after them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod documents;
mod failing_documents;
mod http;
mod process;
mod store;
mod support;
mod transfers;
