//! Checks screenshots of web documents.

use serde_json::Value;

use crate::raster;
use crate::run::Outcome;

/// Default viewport size.
const VIEWPORT: (u32, u32) = (1_280, 1_024);

/// Smallest share of pixels that differ from the background: less than a line of text.
const INK: f64 = 0.0005;

/// Expects one PNG, at least as large as the viewport, with visible content.
pub(crate) fn check(outcome: &Outcome) {
    let output = &outcome.job["output"];
    assert_eq!(output["contentType"], "image/png", "{outcome}");
    assert_eq!(output["pages"], 1, "{outcome}");
    assert_eq!(outcome.job["files"], Value::Null, "{outcome}");
    let picture = raster::decode(&outcome.result).to_luma8();
    assert!(
        picture.width() >= VIEWPORT.0 && picture.height() >= VIEWPORT.1,
        "{outcome}: {:?}",
        picture.dimensions()
    );
    let paper = picture.get_pixel(0, 0)[0];
    let rendered = picture
        .pixels()
        .filter(|pixel| pixel[0].abs_diff(paper) > 64);
    let share = rendered.count() as f64 / picture.len() as f64;
    assert!(
        share > INK,
        "{outcome}: only {share:.5} of the pixels differ from the background"
    );
}
