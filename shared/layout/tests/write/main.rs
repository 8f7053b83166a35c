//! Writers: their output for sample documents, in which no word is lost or duplicated.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod absurd;
mod archive;
mod document;
mod docx;
mod edges;
mod fixed_layout;
mod golden;
mod hostile;
mod large;
mod legible;
mod markdown;
mod office;
mod opened;
mod pptx;
mod printed;
mod repeated;
mod retrieval;
mod words;
mod xlsx;

/// Deterministic cases; PROPTEST_CASES raises their number.
fn cases() -> proptest::test_runner::Config {
    proptest::test_runner::Config {
        rng_seed: proptest::test_runner::RngSeed::Fixed(7),
        failure_persistence: None,
        ..proptest::test_runner::Config::default()
    }
}
