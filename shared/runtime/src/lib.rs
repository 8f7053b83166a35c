//! Lambda runtime adapters: HTTP API requests, SQS batches, schedules and synchronous invocations become calls of handlers.
#![cfg_attr(test, allow(clippy::string_slice, missing_docs))]

pub mod api;
pub mod clock;
pub mod config;
pub mod error;
pub mod invocation;
pub mod queue;
pub mod schedule;
pub mod telemetry;

/// An error that prevents a function from starting, or fails an invocation so that Lambda retries it.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
