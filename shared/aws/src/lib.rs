//! The ports of `domain` on AWS: tables, queues, bus, bucket and secret. The only crate that names the AWS SDK.

mod accounts;
mod api_keys;
mod batch;
mod bus;
mod callers;
mod config;
mod deliveries;
mod error;
mod idempotency;
mod item;
mod job_item;
mod jobs;
mod keys;
mod library;
mod names;
mod objects;
mod opened;
#[cfg(feature = "operator")]
mod operator;
mod outbox;
mod queues;
mod retry;
mod sealing;
mod secrets;
mod services;
mod signing_keys;
mod subscriptions;
mod table;
mod transaction;
mod transfer;
mod uploads;
mod usage;

pub use config::{Connection, Credentials};
pub use names::{Names, Need, SetupError};
#[cfg(feature = "operator")]
pub use operator::{Concurrency, EventSource, Moved, SignedIn};
pub use secrets::pepper;
pub use services::Services;
