//! Finds pages of a PDF with a picture that a result has to have.

use std::collections::HashSet;

use pdfium_render::prelude::{
    PdfPage, PdfPageObject, PdfPageObjectCommon as _, PdfPageObjectsCommon as _,
};

use super::Unreadable;

/// Minimum width and height in points: smaller images may be bullets or icons.
const MIN_SIDE: f32 = 48.0;
/// Maximum share of the page: larger images may be scans or backgrounds.
const MAX_SHARE: f32 = 0.5;
/// Maximum number of pictures that are remembered.
const MAX_KNOWN: usize = 100_000;

/// The pictures of the pages so far.
#[derive(Default)]
pub(super) struct Pictures {
    /// Their places in points and sizes in pixels.
    known: HashSet<([i32; 4], [i32; 2])>,
}

impl Pictures {
    /// Whether a page has a picture that is not at the same place on another page before, as logos are.
    pub(super) fn are_new(&mut self, page: &PdfPage<'_>) -> Result<bool, Unreadable> {
        let area = page.boundaries().bounding()?.bounds;
        let page_area = area.width().value * area.height().value;
        let mut is_new = false;
        for object in page.objects().iter() {
            let PdfPageObject::Image(image) = object else {
                continue;
            };
            let bounds = image.bounds()?.to_rect();
            let (width, height) = (bounds.width().value, bounds.height().value);
            let is_picture = width.min(height) >= MIN_SIDE
                && width * height <= page_area * MAX_SHARE
                && area.contains(bounds.left(), bounds.bottom())
                && area.contains(bounds.right(), bounds.top());
            if is_picture && self.known.len() < MAX_KNOWN {
                #[expect(clippy::cast_possible_truncation, reason = "whole points are compared")]
                let place = [bounds.left(), bounds.bottom(), bounds.right(), bounds.top()]
                    .map(|point| point.value.round() as i32);
                is_new |= self
                    .known
                    .insert((place, [image.width()?, image.height()?]));
            }
        }
        Ok(is_new)
    }
}
