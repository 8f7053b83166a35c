//! Results that are pictures of web documents.

use serde_json::Value;

use crate::raster;
use crate::run::Outcome;

/// Sides of the window that pictures are taken in unless a request says otherwise.
const WINDOW: (u32, u32) = (1_280, 1_024);

/// Least share of pixels that differ from the paper: a line of text has more.
const INK: f64 = 0.0005;

/// One PNG, as wide as the window and at least as high, in which something is drawn.
pub(crate) fn check(outcome: &Outcome) {
    let output = &outcome.job["output"];
    assert_eq!(output["contentType"], "image/png", "{outcome}");
    assert_eq!(output["pages"], 1, "{outcome}");
    assert_eq!(outcome.job["files"], Value::Null, "{outcome}");
    let picture = raster::decode(&outcome.result).to_luma8();
    assert!(
        picture.width() >= WINDOW.0 && picture.height() >= WINDOW.1,
        "{outcome}: {:?}",
        picture.dimensions()
    );
    let paper = picture.get_pixel(0, 0)[0];
    let drawn = picture
        .pixels()
        .filter(|pixel| pixel[0].abs_diff(paper) > 64);
    let share = drawn.count() as f64 / picture.len() as f64;
    assert!(share > INK, "{outcome}: {share:.5} of the picture is drawn");
}
