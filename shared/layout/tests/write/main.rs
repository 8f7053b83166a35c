//! The writers: what they make of one of everything, and that they lose and double no word.
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
mod golden;
mod hostile;
mod large;
mod legible;
mod markdown;
mod office;
mod opened;
mod placed;
mod pptx;
mod printed;
mod repeated;
mod words;
mod xlsx;

/// The same cases each time; PROPTEST_CASES asks for more of them.
fn cases() -> proptest::test_runner::Config {
    proptest::test_runner::Config {
        rng_seed: proptest::test_runner::RngSeed::Fixed(7),
        failure_persistence: None,
        ..proptest::test_runner::Config::default()
    }
}
