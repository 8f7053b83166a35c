//! Bar charts: filled areas of different heights that stand on one line. Level bars are not detected, because shaded lines of
//! text look like them.

use std::collections::BTreeMap;

use layout::{Drawing, PageContent, Rect};

use super::InkArea;
use super::drawings::is_large;
use crate::content::colors::is_white;

/// Minimum number of bars, and of different heights.
const MIN_BARS: usize = 4;
const MIN_HEIGHTS: usize = 3;
/// Width of bars, and minimum height, in points.
const WIDTHS: std::ops::RangeInclusive<f32> = 4.0..=60.0;
const MIN_HEIGHT: f32 = 3.0;
/// Minimum gap between bars, in points; the cells of a table touch each other.
const MIN_GAP: f32 = 1.0;

/// Returns the areas of bar charts.
pub(super) fn areas(content: &PageContent) -> Vec<InkArea> {
    let mut lines: BTreeMap<i32, Vec<Rect>> = BTreeMap::new();
    for drawing in &content.drawings {
        let Drawing::Area(area) = drawing else {
            continue;
        };
        let bar = area.bounds;
        let is_bar = WIDTHS.contains(&bar.width()) && bar.height() >= MIN_HEIGHT;
        if is_bar && !is_white(area.color) {
            lines.entry(points(bar.bottom)).or_default().push(bar);
        }
    }
    let charts = lines.into_values().filter_map(chart);
    let areas = charts.map(|bounds| InkArea {
        bounds,
        ..InkArea::default()
    });
    areas.collect()
}

fn chart(mut bars: Vec<Rect>) -> Option<Rect> {
    bars.sort_by(|one, other| one.left.total_cmp(&other.left));
    bars.dedup();
    let pairs = bars.iter().zip(bars.iter().skip(1));
    let mut gaps = pairs.map(|(one, next)| next.left - one.right);
    let mut heights: Vec<i32> = bars.iter().map(|bar| points(bar.height())).collect();
    heights.sort_unstable();
    heights.dedup_by(|one, other| one.abs_diff(*other) < 2);
    let is_chart =
        bars.len() >= MIN_BARS && heights.len() >= MIN_HEIGHTS && gaps.all(|gap| gap >= MIN_GAP);
    Rect::around(bars).filter(|bounds| is_chart && is_large(bounds))
}

fn points(position: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only to compare; the cast saturates"
    )]
    let points = position.round() as i32;
    points
}
