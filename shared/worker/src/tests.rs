//! Job processing over in-memory ports and scripted engine functions.

mod claim;
mod fixture;
mod invocations;
mod lease;
mod library;
mod metrics;
mod outcome;
mod pipeline;
mod ranges;
mod sources;
