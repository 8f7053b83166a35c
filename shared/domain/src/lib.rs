//! The domain model of document processing: formats, operations, plans, jobs, and the ports to their environment.
//!
//! The crate does no I/O, reads no clock and needs no async runtime: time and randomness are arguments; storage and queues
//! are reached through the traits in [`ports`].
#![cfg_attr(test, allow(clippy::string_slice, missing_docs))]

pub mod account;
pub mod burst;
pub mod cursor;
pub mod engine_function;
pub mod event;
pub mod field;
pub mod filename;
pub mod font_substitutes;
pub mod format;
pub mod id;
pub mod idempotency;
pub mod job;
pub mod key;
pub mod library;
pub mod limits;
pub mod ocr_part;
pub mod operation;
pub mod outbox;
pub mod plan;
pub mod ports;
pub mod processor;
pub mod public;
pub mod retry;
pub mod sandbox_token;
pub mod scope;
pub mod source;
pub mod step_cache;
pub mod submit;
pub mod subscription;
pub mod ticket;
pub mod timestamp;
pub mod trace;
pub mod transition;
pub mod usage;
pub mod work_plan;
