//! The ports of `domain` on AWS: tables, queues, bus, bucket and secret. The only crate that names the AWS SDK.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

mod accept;
mod accounts;
mod api_keys;
mod batch;
mod bus;
mod config;
mod deliveries;
mod documents;
mod error;
mod fan_out;
mod gate;
mod idempotency;
mod identities;
mod item;
mod job_item;
mod jobs;
mod keys;
mod library;
mod moves;
mod names;
#[cfg(feature = "operator")]
mod operator;
mod outbox;
mod public;
mod queue;
mod results;
mod retry;
mod sealing;
mod secrets;
mod services;
mod signing_keys;
mod steps;
mod subscriptions;
mod switches;
mod table;
mod transaction;
mod transfer;
mod transition;
mod uploads;
mod urls;
mod usage;

pub use config::{Connection, Credentials};
pub use names::{Names, Need, SetupError};
#[cfg(feature = "operator")]
pub use operator::{Concurrency, EventSource, Moved, SignedIn};
pub use secrets::pepper;
pub use services::Services;
