//! Colors that are visible on paper.

/// Whether a color is white or nearly white.
pub(super) fn is_white(color: [u8; 3]) -> bool {
    color.iter().all(|part| *part >= 250)
}
