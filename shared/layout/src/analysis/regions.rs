//! Stage 4, lines → regions in reading order, by recursive XY-cut.

pub(super) mod apart;
pub(super) mod atom;
pub(super) mod band;
pub(super) mod clauses;
pub(super) mod contents;
pub(super) mod early;
pub(super) mod evidence;
pub(super) mod extent;
pub(super) mod gutter;
pub(super) mod justified;
pub(super) mod order;
pub(super) mod reading;
pub(super) mod step;
