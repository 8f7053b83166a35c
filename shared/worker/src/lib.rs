//! Worker of a processor: claims the job of a ticket, runs an attempt and writes its outcome. Depends only on ports and the
//! [`Engine`] trait.
#![cfg_attr(test, allow(missing_docs))]

mod attempt;
mod engines;
mod error;
mod findings;
mod finish;
mod handle;
mod lease;
mod library;
mod markup;
mod metrics;
mod sources;
mod worker;

pub use engines::Engine;
pub use worker::{Ports, Worker};

#[cfg(test)]
mod tests;
