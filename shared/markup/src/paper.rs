//! Default page sizes.

use layout::Size;

/// A4, portrait.
pub(crate) const A4: Size = Size {
    width: 595.3,
    height: 841.9,
};

/// Default width between the page margins, points.
pub(crate) const TEXT_WIDTH: f32 = 451.3;

/// Returns the paper size of a `paperSize` number of SpreadsheetML.
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

/// Returns the size in landscape orientation.
pub(crate) fn rotated(size: Size) -> Size {
    Size {
        width: size.height,
        height: size.width,
    }
}

/// A slide of 4:3.
pub(crate) const SLIDE: Size = Size {
    width: 720.0,
    height: 540.0,
};
