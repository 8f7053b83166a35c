//! Test support: in-memory fakes of every port, and a conformance suite that both the fakes and the AWS adapters pass.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failed assertion is what a test is for"
)]

pub mod conformance;
pub mod environment;
pub mod fakes;
pub mod logs;
pub mod sample;

pub use environment::{Download, Environment, Ports};
pub use fakes::{Call, Fakes, Fault, Invocation, crc64nvme};
