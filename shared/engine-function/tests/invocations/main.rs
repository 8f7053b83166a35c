//! Invocations over a real HTTP object store on loopback: downloads, uploads, failures, hostile documents, and the end of the
//! process.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod documents;
mod http;
mod misfortunes;
mod process;
mod store;
mod support;
mod transfers;
