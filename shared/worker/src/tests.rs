//! Job processing over in-memory ports and scripted engines.

mod claim;
mod fixture;
mod lease;
mod library;
mod metrics;
mod outcome;
mod pipeline;
mod sources;
