//! Checks images converted to another image format.

use crate::raster;
use crate::run::Outcome;

/// Largest difference, caused by lossy encoders, color profiles and palettes.
const DIFFERENCE: f64 = 8.0;

/// Largest difference if partial transparency becomes binary.
const BINARY_ALPHA_DIFFERENCE: f64 = 32.0;

/// Expects the same image, upright, in the requested format.
pub(crate) fn check(outcome: &Outcome) {
    let (job, pair) = (&outcome.job, &outcome.pair);
    let media_type = format!("image/{}", pair.to);
    let format = image::guess_format(&outcome.result).unwrap();
    assert_eq!(format.to_mime_type(), media_type, "{outcome}");
    assert_eq!(job["output"]["contentType"], media_type, "{outcome}");
    assert_eq!(job["creditsCharged"], 2, "{outcome}");
    let before = raster::decode(&outcome.source.bytes());
    let after = raster::decode(&outcome.result);
    let sides = |picture: &image::DynamicImage| (picture.width(), picture.height());
    assert_eq!(sides(&before), sides(&after), "{outcome}");
    let difference = raster::difference(&before, &after);
    let most = match pair.to.as_str() {
        "gif" if before.color().has_alpha() => BINARY_ALPHA_DIFFERENCE,
        _ => DIFFERENCE,
    };
    assert!(difference < most, "{outcome}: differs by {difference:.1}");
}
