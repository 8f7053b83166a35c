//! Checks PDF results: page count and words of a document, page count and looks of an image.

use serde_json::Value;

use crate::run::Outcome;
use crate::{poppler, raster, words};

/// Smallest share of the source's words in the result; the rest is hidden, clipped or hyphenated.
const WORDS: f64 = 0.9;

/// Largest difference between a page and its image, caused by resampling and color profiles.
const DIFFERENCE: f64 = 8.0;

/// Checks a PDF of an office document: the known page count, and its words.
pub(crate) fn of_document(outcome: &Outcome) {
    let pages = count(outcome);
    if let Some(recorded) = outcome.source.pages {
        assert_eq!(pages, recorded, "{outcome}");
    } else if let Some(hint) = outcome.source.pages_libreoffice {
        let distance = pages.abs_diff(hint);
        assert!(
            distance <= 2 + hint / 5,
            "{outcome}: {pages} pages, {hint} in an older release"
        );
    }
    let wanted = words::of_source(
        &outcome.pair.from,
        &outcome.source.file,
        &outcome.source.bytes(),
    );
    let found = poppler::text(outcome.result_file.path());
    let missing = words::missing(&wanted, &found);
    let share = 1.0 - missing.len() as f64 / wanted.len().max(1) as f64;
    assert!(
        share >= WORDS,
        "{outcome}: {share:.2} of the words, without {missing:?}"
    );
}

/// Checks a PDF of an image: one page for each TIFF page or for any other image, with the same looks.
pub(crate) fn of_image(outcome: &Outcome) {
    let expected = match outcome.pair.from.as_str() {
        "tiff" => outcome.source.facts["frames"].as_u64().unwrap(),
        _ => 1,
    };
    assert_eq!(u64::from(count(outcome)), expected, "{outcome}");
    let image = raster::decode(&outcome.source.bytes());
    let (points, _) = poppler::page_sizes(outcome.result_file.path())[0];
    let pixel_for_pixel = f64::from(image.width()) / points * 72.0;
    // Small images are enlarged, so that the renderer's smoothing does not count.
    let enlarged = if image.width() < 200 { 4.0 } else { 1.0 };
    let density = (pixel_for_pixel * enlarged).round() as u32;
    let page = poppler::picture(outcome.result_file.path(), 1, density);
    let ratio =
        |picture: &image::DynamicImage| f64::from(picture.width()) / f64::from(picture.height());
    let distance = ratio(&image) / ratio(&page);
    assert!(
        (0.97..1.03).contains(&distance),
        "{outcome}: sides of {image:?} became {page:?}"
    );
    let difference = raster::difference(&image, &page);
    assert!(
        difference < DIFFERENCE,
        "{outcome}: differs by {difference:.1}"
    );
}

/// The page count, on which job and poppler must agree.
fn count(outcome: &Outcome) -> u32 {
    assert!(outcome.result.starts_with(b"%PDF-"), "{outcome}");
    assert_eq!(
        outcome.job["output"]["contentType"], "application/pdf",
        "{outcome}"
    );
    assert_eq!(outcome.job["files"], Value::Null, "{outcome}");
    let pages = poppler::page_sizes(outcome.result_file.path()).len();
    assert_eq!(outcome.job["output"]["pages"], pages, "{outcome}");
    pages.try_into().unwrap()
}
