//! Analysis of synthetic pages.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod between;
mod bullets;
mod centered;
mod clauses;
mod columns;
mod drawn;
mod drawn_boxes;
mod early;
mod fixed_layout;
mod forms;
mod from_right;
mod gaps;
mod growth;
mod headings;
mod hostile;
mod hyphens;
mod initials;
mod insets;
mod listings;
mod margins;
mod notes;
mod outline;
mod pen;
mod properties;
mod ruling;
mod sentences;
mod sheets;
mod structure;
mod tables;
mod tagged;
mod ticks;
mod typed;
