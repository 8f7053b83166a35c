//! The sizes of pages that documents do not say.

use layout::Size;

/// A4, upright.
pub(crate) const A4: Size = Size {
    width: 595.3,
    height: 841.9,
};

/// What stays between the margins of a page that does not say them, points.
pub(crate) const TEXT_WIDTH: f32 = 451.3;

/// The size of a paper by the number that spreadsheets call it.
pub(crate) fn numbered(number: u32) -> Size {
    let (width, height) = match number {
        1 => (612.0, 792.0),
        3 => (792.0, 1224.0),
        5 => (612.0, 1008.0),
        8 => (841.9, 1190.6),
        11 => (419.5, 595.3),
        _ => return A4,
    };
    Size { width, height }
}

/// Turned on its side.
pub(crate) fn turned(size: Size) -> Size {
    Size {
        width: size.height,
        height: size.width,
    }
}

/// A slide of four to three.
pub(crate) const SLIDE: Size = Size {
    width: 720.0,
    height: 540.0,
};
