//! Flows over HTTP against the running stack, by what the contract says alone.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    missing_docs
)]

mod account;
mod account_deletion;
mod account_keys;
mod archive;
mod attachments;
#[path = "../faults/aws.rs"]
mod aws;
mod billing;
mod bodies;
mod burst;
mod cancelling;
mod compat;
mod concurrency;
mod contention;
mod conversions;
mod documents;
mod expiry;
mod foreign;
mod free_plan;
mod guide;
mod hooks;
mod idempotency;
mod idempotency_keys;
mod job_members;
mod journey;
mod keys;
mod list_parameters;
mod listing;
mod matrix;
mod members;
mod object_store;
mod operations;
mod pipeline;
mod poppler;
mod refusal;
mod round_trips;
mod routes;
mod scopes;
mod site;
mod sources;
mod spent;
mod storage;
mod subscriber;
mod targets;
mod telemetry;
mod tokens;
mod upload_members;
mod uploads;
mod urls;
mod webhooks;
