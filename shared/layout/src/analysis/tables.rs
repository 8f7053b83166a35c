//! Rules and aligned lines → tables.

mod aligned;
mod caption;
pub(super) mod connect;
pub(super) mod content;
pub(super) mod detect;
mod features;
mod frames;
pub(super) mod grid;
pub(super) mod head;
pub(super) mod line_pitch;
mod refine;
pub(super) mod row_bands;
pub(super) mod ruled;
mod segment;
pub(super) mod spans;
pub(super) mod strokes;
pub(super) mod untable;
