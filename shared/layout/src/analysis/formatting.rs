//! Looks that carry meaning: colors behind words and cells, lines around cells, and the alignment of columns.

mod alignment;
mod borders;
pub(super) mod cells;
mod fills;
pub(super) mod highlight;
mod shapes;
mod tracks;
