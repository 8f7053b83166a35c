//! Tests of the public HTTP API against the running stack.
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
mod blocked_urls;
mod cancel;
mod compat;
mod concurrency;
mod contention;
mod conversions;
mod documents;
mod end_to_end;
mod expiry;
mod free_plan;
mod guide;
mod hooks;
mod idempotency;
mod idempotency_keys;
mod invalid_bodies;
mod job_validation;
mod keys;
mod list_parameters;
mod listing;
mod locale;
mod long_documents;
mod matrix;
mod object_store;
mod operations;
mod pdfa;
mod pipeline;
mod poppler;
mod problem;
mod quota;
mod rate_limit;
mod request_bodies;
mod retrieval;
mod roles;
mod round_trips;
mod routes;
mod scopes;
mod site;
mod sources;
mod storage;
mod strict;
mod subscriber;
mod telemetry;
mod tenancy;
mod tokens;
mod upload_validation;
mod uploads;
mod urls;
mod webhooks;
