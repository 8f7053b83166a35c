//! What tests stand on: every port in memory, and one suite that says how ports behave, which the ports on AWS pass too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failed assertion is what a test is for"
)]

pub mod conformance;
pub mod fakes;
pub mod logs;
pub mod sample;
pub mod world;

pub use fakes::{Call, Fakes, Fault};
pub use world::{Download, Ports, World};
