//! Worker of a processor: claims the job of a ticket, runs an attempt and writes its outcome. Depends only on ports; documents
//! are processed by engine functions.
#![cfg_attr(test, allow(missing_docs))]

mod attempt;
mod error;
mod findings;
mod fingerprints;
mod finish;
mod handle;
mod lease;
mod library;
mod markup;
mod metrics;
mod scratch;
mod sources;
mod worker;

pub use scratch::remove_stale_directories;
pub use worker::{Ports, Worker};

#[cfg(test)]
mod tests;
