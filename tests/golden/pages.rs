//! Results that are PDF: pages and words of a document, pages and looks of an image.

use serde_json::Value;

use crate::run::Outcome;
use crate::{poppler, raster, words};

/// The share of the source's words that are found in the result; the rest is hidden, clipped or hyphenated.
const WORDS: f64 = 0.9;

/// How different a page may look from its image: resampling and colour profiles.
const DIFFERENCE: f64 = 8.0;

/// A PDF of an office document: as many pages as are known, and its words.
pub(crate) fn of_document(outcome: &Outcome) {
    let pages = count(outcome);
    if let Some(known) = outcome.source.pages {
        assert_eq!(pages, known, "{outcome}");
    } else if let Some(hint) = outcome.source.pages_libreoffice {
        let apart = pages.abs_diff(hint);
        assert!(
            apart <= 2 + hint / 5,
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

/// A PDF of an image: one page for each image of a TIFF and one for any other, which looks like the image.
pub(crate) fn of_image(outcome: &Outcome) {
    let expected = match outcome.pair.from.as_str() {
        "tiff" => outcome.source.facts["frames"].as_u64().unwrap(),
        _ => 1,
    };
    assert_eq!(u64::from(count(outcome)), expected, "{outcome}");
    let image = raster::decode(&outcome.source.bytes());
    let (points, _) = poppler::page_sizes(outcome.result_file.path())[0];
    let pixel_for_pixel = f64::from(image.width()) / points * 72.0;
    // A small image is enlarged, lest the renderer's smoothing count.
    let enlarged = if image.width() < 200 { 4.0 } else { 1.0 };
    let density = (pixel_for_pixel * enlarged).round() as u32;
    let page = poppler::picture(outcome.result_file.path(), 1, density);
    let ratio =
        |picture: &image::DynamicImage| f64::from(picture.width()) / f64::from(picture.height());
    let apart = ratio(&image) / ratio(&page);
    assert!(
        (0.97..1.03).contains(&apart),
        "{outcome}: sides of {image:?} became {page:?}"
    );
    let difference = raster::difference(&image, &page);
    assert!(
        difference < DIFFERENCE,
        "{outcome}: differs by {difference:.1}"
    );
}

/// The pages of the result, of which job and poppler agree.
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
