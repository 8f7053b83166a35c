//! Which colours are seen on paper.

/// Whether a colour is that of paper, or nearly.
pub(super) fn is_white(colour: [u8; 3]) -> bool {
    colour.iter().all(|part| *part >= 250)
}
