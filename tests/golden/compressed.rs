//! Checks compressed images.

use serde_json::json;

use crate::raster;
use crate::run::Outcome;

/// Largest difference at the default quality.
const DIFFERENCE: f64 = 4.0;

/// The same image, upright, in the requested format, and never larger than a source of that format.
pub(crate) fn check(outcome: &Outcome) {
    let (job, pair, source) = (&outcome.job, &outcome.pair, outcome.source.bytes());
    let media_type = format!("image/{}", pair.to);
    let format = image::guess_format(&outcome.result).unwrap();
    assert_eq!(format.to_mime_type(), media_type, "{outcome}");
    assert_eq!(job["output"]["contentType"], media_type, "{outcome}");
    assert_eq!(job["output"]["pages"], 1, "{outcome}");
    assert_eq!(job["creditsCharged"], 1, "{outcome}");
    if pair.from == pair.to {
        assert!(outcome.result.len() <= source.len(), "{outcome}: larger");
        let optimal = json!("already_optimal");
        let warned = job["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|warning| warning["code"] == optimal);
        assert_eq!(warned, outcome.result == source, "{outcome}: {job}");
    }
    let (before, after) = (raster::decode(&source), raster::decode(&outcome.result));
    let sides = |picture: &image::DynamicImage| (picture.width(), picture.height());
    assert_eq!(sides(&before), sides(&after), "{outcome}");
    let difference = raster::difference(&before, &after);
    assert!(
        difference < DIFFERENCE,
        "{outcome}: differs by {difference:.1}"
    );
}
