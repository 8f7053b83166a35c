//! The way of a job over ports in memory and engines that are told what to do.

mod chain;
mod claim;
mod ending;
mod fixture;
mod lease;
mod library;
mod measure;
mod sources;
