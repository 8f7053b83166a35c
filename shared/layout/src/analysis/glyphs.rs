//! Page content → glyph runs: visible characters in one writing direction, joined to words.

pub(super) mod bidi;
pub(super) mod brackets;
pub(super) mod clean;
pub(super) mod declared;
pub(super) mod dependent;
pub(super) mod glyph;
pub(super) mod kashida;
pub(super) mod marks;
pub(super) mod mirror;
pub(super) mod piece;
#[cfg(test)]
pub(super) mod sample;
pub(super) mod slant;
pub(super) mod turn;
pub(super) mod zone;
