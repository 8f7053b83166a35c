//! The edge to Lambda: what turns its events into calls of our functions and their results into its answers.
#![cfg_attr(test, allow(clippy::string_slice, missing_docs))]

pub mod api;
pub mod clock;
pub mod config;
pub mod queue;
pub mod refusal;
pub mod schedule;
pub mod telemetry;

/// Anything that ends a function before it serves, or an invocation that must be made again.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
