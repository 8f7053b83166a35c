//! Content streams of overlay pages.

use domain::operation::PageNumberPosition;

use super::page::DisplayedPage;
use super::stamp::Stamp;
use crate::text_drawing::Line;

/// Operators that draw a text line, or the stamp `S`.
pub(super) struct Mark(pub(super) String);

/// Length of a text relative to the diagonal.
const TEXT_TO_DIAGONAL: f32 = 0.8;
/// Maximum font size relative to the shorter side.
const MAX_LETTERS_TO_SIDE: f32 = 0.2;
/// Font size of page numbers.
const NUMBER_SIZE: f32 = 10.0;
/// Distance of page numbers from the edge: ten millimeters; less on small pages.
const MARGIN: f32 = 28.0;
/// Maximum size of an image relative to each side.
const IMAGE_TO_SIDES: f32 = 0.5;

impl Mark {
    /// A text along the diagonal, from the lower left to the upper right.
    pub(super) fn diagonal(line: &Line, page: &DisplayedPage) -> Self {
        let area = page.seen;
        let (width, height) = (area.width(), area.height());
        let (wide, high) = (line.width, line.height);
        let diagonal = (width * width + height * height).sqrt();
        let fits = diagonal * TEXT_TO_DIAGONAL / wide.max(f32::EPSILON);
        let size = fits.min(width.min(height) * MAX_LETTERS_TO_SIDE);
        let (sin, cos) = height.atan2(width).sin_cos();
        let (x, y) = area.center();
        let (back, down) = (-wide * size / 2.0, -high * size / 2.0);
        Self(format!(
            "0.5 g q {cos} {sin} {} {cos} {x} {y} cm BT {back} {down} Td {}ET Q",
            -sin,
            line.operators(size)
        ))
    }

    /// A page number at this position.
    pub(super) fn page_number(
        line: &Line,
        page: &DisplayedPage,
        corner: PageNumberPosition,
    ) -> Self {
        let area = page.seen;
        let margin = MARGIN.min(area.width().min(area.height()) / 10.0);
        let size = NUMBER_SIZE.min(area.height() / 10.0);
        let (wide, high) = (line.width * size, line.height * size);
        let x = match corner {
            PageNumberPosition::TopLeft | PageNumberPosition::BottomLeft => area.left + margin,
            PageNumberPosition::TopCenter | PageNumberPosition::BottomCenter => {
                area.center().0 - wide / 2.0
            }
            PageNumberPosition::TopRight | PageNumberPosition::BottomRight => {
                area.right - margin - wide
            }
        };
        let y = match corner {
            PageNumberPosition::TopLeft
            | PageNumberPosition::TopCenter
            | PageNumberPosition::TopRight => area.top - margin - high,
            _ => area.bottom + margin,
        };
        let text = line.operators(size);
        Self(format!("0 g BT {x} {y} Td {text}ET"))
    }

    /// A centered stamp, never enlarged: an image within half of each side, a PDF page within the whole page.
    pub(super) fn stamped(stamp: &Stamp, page: &DisplayedPage) -> Self {
        let area = page.seen;
        let part = if stamp.is_picture {
            IMAGE_TO_SIDES
        } else {
            1.0
        };
        let (across, down) = (area.width() * part, area.height() * part);
        let scale = (across / stamp.width).min(down / stamp.height).min(1.0);
        let (x, y) = area.center();
        let (left, bottom) = (
            x - stamp.width * scale / 2.0,
            y - stamp.height * scale / 2.0,
        );
        Self(format!("q {scale} 0 0 {scale} {left} {bottom} cm /S Do Q"))
    }
}
