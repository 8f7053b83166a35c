//! The way of a job through a processor: from a ticket to a written ending, over ports and an engine alone.
#![cfg_attr(test, allow(missing_docs))]

mod attempt;
mod engines;
mod findings;
mod finish;
mod halt;
mod handle;
mod lease;
mod library;
mod markup;
mod measure;
mod sources;
mod worker;

pub use engines::Engine;
pub use worker::{Ports, Worker};

#[cfg(test)]
mod tests;
