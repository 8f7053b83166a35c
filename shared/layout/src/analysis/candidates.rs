//! Scored candidates and their weights.

pub(super) mod candidate;
pub(super) mod weights;
