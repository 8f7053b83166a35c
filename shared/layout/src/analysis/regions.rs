//! Lines → regions in reading order, by recursive XY-cut.

pub(super) mod atom;
pub(super) mod band;
pub(super) mod clause_numbers;
pub(super) mod column_tops;
pub(super) mod contents;
pub(super) mod evidence;
pub(super) mod extent;
pub(super) mod gutter;
pub(super) mod justified;
pub(super) mod known_gutters;
pub(super) mod line_end_numbers;
pub(super) mod order;
pub(super) mod reading;
pub(super) mod step;
