//! Extends regions of drawings by the labels and drawings around them.

use super::setting::Setting;
use super::text::{Text, is_within};
use crate::model::geometry::Rect;

/// Maximum distance of a label next to, and above or below a region, as a fraction of the text size.
const NEIGHBOR_DISTANCE: f32 = 1.5;
const ABOVE: f32 = 1.0;
/// Maximum number of steps outwards.
const STEPS: usize = 4;

/// Returns the region with its labels.
pub(super) fn extended(region: Rect, setting: &Setting<'_>) -> Rect {
    let mut region = region;
    for _ in 0..STEPS {
        let near = setting.labels.iter();
        let near = near.filter(|text| is_label_of(text, &region, setting.size));
        let labels = near.map(|text| text.bounds);
        let mut larger = labels.fold(region, |all, label| all.union(&label));
        let around = larger.grown(setting.size);
        let touching = setting.marks.iter().filter(|mark| {
            mark.bounds.within(&larger).is_some() && is_within(&mark.bounds, &around)
        });
        larger = touching.fold(larger, |all, mark| all.union(&mark.bounds));
        if larger == region {
            break;
        }
        region = larger;
    }
    region
}

/// Whether a label is at the edge of a region.
fn is_label_of(text: &Text, region: &Rect, size: f32) -> bool {
    let (across, down) = (
        text.bounds.shared_width(region),
        text.bounds.shared_height(region),
    );
    let is_next_to_it = down >= text.bounds.height() * 0.5 && across >= -NEIGHBOR_DISTANCE * size;
    let is_above = across >= text.bounds.width() * 0.5 && down >= -ABOVE * size;
    (is_next_to_it || is_above) && !is_within(&text.bounds, region)
}
