//! Finds pages of a PDF with a picture that a result has to have.

use std::collections::HashSet;

use pdfium_render::prelude::{
    PdfPage, PdfPageObject, PdfPageObjectCommon as _, PdfPageObjectsCommon as _,
    PdfPathSegments as _, PdfRect,
};

use super::Unreadable;

/// Minimum width and height in points: smaller images may be bullets or icons.
const MIN_SIDE: f32 = 48.0;
/// Maximum share of the page: larger images may be scans or backgrounds.
const MAX_SHARE: f32 = 0.5;
/// Logos may be at slightly different places, in points.
const PRECISION: f32 = 16.0;
/// Maximum number of pictures that are remembered.
const MAX_KNOWN: usize = 100_000;

/// The pictures of the pages so far.
#[derive(Default)]
pub(super) struct Pictures {
    /// Their places and sizes in pixels.
    known: HashSet<([i32; 2], (i32, i32))>,
}

impl Pictures {
    /// Whether a page has a picture that is not at the same place on another page before, as logos are.
    pub(super) fn are_new(&mut self, page: &PdfPage<'_>) -> Result<bool, Unreadable> {
        let area = page.boundaries().bounding()?.bounds;
        let page_area = area.width().value * area.height().value;
        let mut is_new = false;
        for object in page.objects().iter() {
            let PdfPageObject::Image(image) = &object else {
                continue;
            };
            let sides = image.width().ok().zip(image.height().ok());
            let Some((bounds, sides)) = image.bounds().ok().zip(sides) else {
                continue;
            };
            let bounds = visible(bounds.to_rect(), &object);
            let (width, height) = (bounds.width().value, bounds.height().value);
            let is_picture = width.min(height) >= MIN_SIDE
                && width * height <= page_area * MAX_SHARE
                && area.contains(bounds.left(), bounds.bottom())
                && area.contains(bounds.right(), bounds.top());
            if is_picture && self.known.len() < MAX_KNOWN {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "places are at most millions"
                )]
                let place = [bounds.left(), bounds.bottom()]
                    .map(|point| (point.value / PRECISION).round() as i32);
                is_new |= self.known.insert((place, sides));
            }
        }
        Ok(is_new)
    }
}

/// The part of these bounds that the bounds of the clip paths leave.
fn visible(bounds: PdfRect, image: &PdfPageObject<'_>) -> PdfRect {
    let (mut left, mut bottom) = (bounds.left().value, bounds.bottom().value);
    let (mut right, mut top) = (bounds.right().value, bounds.top().value);
    let clip = image.get_clip_path();
    for path in clip.iter().flat_map(|clip| clip.iter()) {
        let points: Vec<_> = path.iter().map(|point| point.point()).collect();
        if points.is_empty() {
            continue;
        }
        let xs = points.iter().map(|(x, _)| x.value);
        let ys = points.iter().map(|(_, y)| y.value);
        left = left.max(xs.clone().fold(f32::INFINITY, f32::min));
        right = right.min(xs.fold(f32::NEG_INFINITY, f32::max));
        bottom = bottom.max(ys.clone().fold(f32::INFINITY, f32::min));
        top = top.min(ys.fold(f32::NEG_INFINITY, f32::max));
    }
    PdfRect::new_from_values(bottom, left, top, right)
}
