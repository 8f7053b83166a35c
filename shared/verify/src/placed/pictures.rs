//! Counts the pictures that a page of the source shows.

use domain::operation::Recognition;
use pdf::content::{STAMP, is_real};
use pdfium_render::prelude::{
    PdfDocument, PdfPage, PdfPageObject, PdfPageObjectCommon as _, PdfPageObjectsCommon as _,
    PdfPathSegments as _, PdfRect,
};
use task::Task;
use task::options::conversion;

/// The least extent of a picture that counts, points: a little more than that of those that are kept.
const LEAST: f32 = 4.0;
/// Most things of a page that are looked at; where there are more, pictures may be among what is left out.
const THINGS: usize = 5_000;
/// Most pixels of a picture of which it is looked whether it can be read at all.
const PIXELS: i64 = 40_000_000;

/// Whether the pictures of a page that says so little may have been read by OCR, and are not in the result then.
pub(super) fn may_be_read(task: &Task, words: &str) -> bool {
    let recognition = conversion(&task.operation).map(|options| options.ocr.unwrap_or_default());
    let is_off = matches!(recognition, Ok(Recognition::Off));
    !is_off && words.chars().filter(|text| is_real(*text)).count() < STAMP
}

/// Whether a page shows more pictures than so many, which can be read.
pub(super) fn are_missing(document: &PdfDocument<'_>, page: &PdfPage<'_>, found: usize) -> bool {
    let Ok(paper) = page.boundaries().bounding() else {
        return false;
    };
    let objects = page.objects();
    if objects.len() > THINGS {
        return false;
    }
    let is_seen = |object: &PdfPageObject<'_>| is_seen(object, &paper.bounds);
    let pictures = || objects.iter().filter(is_seen);
    pictures().count() > found && {
        let readable = pictures().filter(|object| can_be_read(document, object));
        readable.count() > found
    }
}

/// Whether an object is a picture of which something is seen.
fn is_seen(object: &PdfPageObject<'_>, paper: &PdfRect) -> bool {
    let (Some(_), Ok(bounds)) = (object.as_image_object(), object.bounds()) else {
        return false;
    };
    let mut seen = edges(&bounds.to_rect());
    cut(&mut seen, edges(paper));
    for path in object.get_clip_path().iter().flat_map(|clip| clip.iter()) {
        let points = path.iter().map(|segment| segment.point());
        let points = points.map(|(x, y)| [x.value, y.value, x.value, y.value]);
        let around = points.reduce(|[left, bottom, right, top], [x, y, ..]| {
            [left.min(x), bottom.min(y), right.max(x), top.max(y)]
        });
        if let Some(around) = around {
            cut(&mut seen, around);
        }
    }
    let [left, bottom, right, top] = seen;
    right - left >= LEAST && top - bottom >= LEAST
}

fn edges(rect: &PdfRect) -> [f32; 4] {
    [rect.left(), rect.bottom(), rect.right(), rect.top()].map(|edge| edge.value)
}

fn cut(seen: &mut [f32; 4], [left, bottom, right, top]: [f32; 4]) {
    let [own_left, own_bottom, own_right, own_top] = *seen;
    *seen = [
        own_left.max(left),
        own_bottom.max(bottom),
        own_right.min(right),
        own_top.min(top),
    ];
}

fn can_be_read(document: &PdfDocument<'_>, object: &PdfPageObject<'_>) -> bool {
    object.as_image_object().is_some_and(|image| {
        let pixels = image.width().ok().zip(image.height().ok());
        let is_sound = pixels.is_some_and(|(width, height)| {
            i64::from(width).saturating_mul(height.into()) <= PIXELS
        });
        is_sound && image.get_processed_image(document).is_ok()
    })
}
