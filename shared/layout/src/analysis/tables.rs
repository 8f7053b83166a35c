//! Stage 5, rules and aligned lines → tables.

mod aligned;
pub(super) mod banded;
mod caption;
pub(super) mod connect;
pub(super) mod content;
pub(super) mod detect;
mod features;
mod frames;
pub(super) mod grid;
pub(super) mod head;
pub(super) mod pace;
mod refine;
pub(super) mod ruled;
mod segment;
pub(super) mod spans;
pub(super) mod strokes;
pub(super) mod untable;
