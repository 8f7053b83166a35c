//! Counts the visible images of a source page.

use domain::operation::OcrPolicy;
use pdf::content::{MIN_LEGIBLE_CHARACTERS, is_legible};
use pdfium_render::prelude::{
    PdfDocument, PdfPage, PdfPageObject, PdfPageObjectCommon as _, PdfPageObjectsCommon as _,
    PdfPathSegments as _, PdfRect,
};
use task::Task;
use task::options::conversion;

/// Minimum extent of an image that counts, in points: slightly more than the minimum of the conversion, which drops smaller
/// images.
const MIN_EXTENT: f32 = 4.0;
/// Maximum page objects examined; beyond it, the conversion may have dropped images.
const MAX_OBJECTS: usize = 5_000;
/// Maximum pixels of an image that is test-decoded.
const MAX_PIXELS: i64 = 40_000_000;

/// Returns whether a page has so little text that OCR may have replaced its images by text.
pub(super) fn may_be_recognized(task: &Task, words: &str) -> bool {
    let recognition = conversion(&task.operation).map(|options| options.ocr.unwrap_or_default());
    let is_off = matches!(recognition, Ok(OcrPolicy::Off));
    !is_off && words.chars().filter(|text| is_legible(*text)).count() < MIN_LEGIBLE_CHARACTERS
}

/// Returns whether a page shows more than `found` decodable images.
pub(super) fn are_missing(document: &PdfDocument<'_>, page: &PdfPage<'_>, found: usize) -> bool {
    let Ok(paper) = page.boundaries().bounding() else {
        return false;
    };
    let objects = page.objects();
    if objects.len() > MAX_OBJECTS {
        return false;
    }
    let is_visible = |object: &PdfPageObject<'_>| is_visible(object, &paper.bounds);
    let images = || objects.iter().filter(is_visible);
    images().count() > found && {
        let decodable = images().filter(|object| is_decodable(document, object));
        decodable.count() > found
    }
}

/// Returns whether an object is a visible image.
fn is_visible(object: &PdfPageObject<'_>, paper: &PdfRect) -> bool {
    let (Some(_), Ok(bounds)) = (object.as_image_object(), object.bounds()) else {
        return false;
    };
    let mut visible = edges(&bounds.to_rect());
    intersect(&mut visible, edges(paper));
    for path in object.get_clip_path().iter().flat_map(|clip| clip.iter()) {
        let points = path.iter().map(|segment| segment.point());
        let points = points.map(|(x, y)| [x.value, y.value, x.value, y.value]);
        let clip_box = points.reduce(|[left, bottom, right, top], [x, y, ..]| {
            [left.min(x), bottom.min(y), right.max(x), top.max(y)]
        });
        if let Some(clip_box) = clip_box {
            intersect(&mut visible, clip_box);
        }
    }
    let [left, bottom, right, top] = visible;
    right - left >= MIN_EXTENT && top - bottom >= MIN_EXTENT
}

fn edges(rect: &PdfRect) -> [f32; 4] {
    [rect.left(), rect.bottom(), rect.right(), rect.top()].map(|edge| edge.value)
}

fn intersect(visible: &mut [f32; 4], [left, bottom, right, top]: [f32; 4]) {
    let [own_left, own_bottom, own_right, own_top] = *visible;
    *visible = [
        own_left.max(left),
        own_bottom.max(bottom),
        own_right.min(right),
        own_top.min(top),
    ];
}

fn is_decodable(document: &PdfDocument<'_>, object: &PdfPageObject<'_>) -> bool {
    object.as_image_object().is_some_and(|image| {
        let pixels = image.width().ok().zip(image.height().ok());
        let is_small = pixels.is_some_and(|(width, height)| {
            i64::from(width).saturating_mul(height.into()) <= MAX_PIXELS
        });
        is_small && image.get_processed_image(document).is_ok()
    })
}
