//! What stands on a page that is laid over another: operators of a content stream, in the coordinates of the page.

use domain::operation::Corner;

use super::sheet::Sheet;
use super::stamp::Stamp;
use crate::lettering::Line;

/// Operators that draw with the fonts of a line or the stamp `S`.
pub(super) struct Mark(pub(super) String);

/// How much of the diagonal a text takes.
const OF_DIAGONAL: f32 = 0.8;
/// How much of the shorter side the letters of a short text may take.
const OF_SIDE: f32 = 0.2;
/// Size of page numbers.
const NUMBER: f32 = 10.0;
/// How far page numbers stand from the edge: ten millimetres; less on small pages.
const MARGIN: f32 = 28.0;
/// How much of each side a picture takes at most.
const OF_SIDES: f32 = 0.5;

impl Mark {
    /// A text along the diagonal, from the lower left to the upper right.
    pub(super) fn across(line: &Line, sheet: &Sheet) -> Self {
        let area = sheet.seen;
        let (width, height) = (area.width(), area.height());
        let (wide, high) = (line.width, line.height);
        let diagonal = (width * width + height * height).sqrt();
        let fits = diagonal * OF_DIAGONAL / wide.max(f32::EPSILON);
        let size = fits.min(width.min(height) * OF_SIDE);
        let (sin, cos) = height.atan2(width).sin_cos();
        let (x, y) = area.middle();
        let (back, down) = (-wide * size / 2.0, -high * size / 2.0);
        Self(format!(
            "0.5 g q {cos} {sin} {} {cos} {x} {y} cm BT {back} {down} Td {}ET Q",
            -sin,
            line.operators(size)
        ))
    }

    /// A number at the edge.
    pub(super) fn in_corner(line: &Line, sheet: &Sheet, corner: Corner) -> Self {
        let area = sheet.seen;
        let margin = MARGIN.min(area.width().min(area.height()) / 10.0);
        let size = NUMBER.min(area.height() / 10.0);
        let (wide, high) = (line.width * size, line.height * size);
        let x = match corner {
            Corner::TopLeft | Corner::BottomLeft => area.left + margin,
            Corner::TopCenter | Corner::BottomCenter => area.middle().0 - wide / 2.0,
            Corner::TopRight | Corner::BottomRight => area.right - margin - wide,
        };
        let y = match corner {
            Corner::TopLeft | Corner::TopCenter | Corner::TopRight => area.top - margin - high,
            _ => area.bottom + margin,
        };
        let text = line.operators(size);
        Self(format!("0 g BT {x} {y} Td {text}ET"))
    }

    /// A stamp in the middle: a picture on a part of the page, a page on all of it; never larger than it is.
    pub(super) fn stamped(stamp: &Stamp, sheet: &Sheet) -> Self {
        let area = sheet.seen;
        let part = if stamp.is_picture { OF_SIDES } else { 1.0 };
        let (across, down) = (area.width() * part, area.height() * part);
        let scale = (across / stamp.width).min(down / stamp.height).min(1.0);
        let (x, y) = area.middle();
        let (left, bottom) = (
            x - stamp.width * scale / 2.0,
            y - stamp.height * scale / 2.0,
        );
        Self(format!("q {scale} 0 0 {scale} {left} {bottom} cm /S Do Q"))
    }
}
