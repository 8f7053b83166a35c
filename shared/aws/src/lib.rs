//! AWS adapters of the ports of `domain`: DynamoDB, SQS, EventBridge, S3, Lambda, KMS, Secrets Manager. The only crate
//! that uses the AWS SDK.

mod accounts;
mod api_keys;
mod batch;
mod bus;
mod callers;
mod config;
mod deliveries;
mod engine_functions;
mod error;
mod idempotency;
mod item;
mod job_item;
mod jobs;
mod keys;
mod library;
mod names;
mod objects;
#[cfg(feature = "operator")]
mod operator;
mod outbox;
mod presigned;
mod queues;
mod retry;
mod sealing;
mod secret_cache;
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
pub use names::{Names, ResourceVariable, SetupError};
#[cfg(feature = "operator")]
pub use operator::{Concurrency, EngineState, EventSource, MoveReport, SignInSession};
pub use secrets::pepper;
pub use services::Services;
