//! Sheets made by hand, and what is read of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod hostile;
mod pen;
mod properties;
mod structure;
mod tables;
mod tagged;
