//! Sheets made by hand, and what is read of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod between;
mod bullets;
mod centred;
mod clauses;
mod columns;
mod drawn;
mod early;
mod gaps;
mod hostile;
mod initials;
mod insets;
mod margins;
mod notes;
mod pen;
mod placed;
mod properties;
mod ruling;
mod sentences;
mod sheets;
mod structure;
mod tables;
mod tagged;
mod ticks;
mod typed;
