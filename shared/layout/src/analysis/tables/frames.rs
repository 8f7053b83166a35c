//! Frames in which borderless tables are searched: the page, its text columns, and the areas next to them.

use crate::analysis::tables::content::Content;
use crate::analysis::tables::segment::{Segment, WIDE};

/// Minimum number of characters of a line of prose, and of such lines of a column.
const LONG: usize = 25;
const LINES: usize = 5;
/// Tolerance for one edge, points.
const EDGE: f32 = 4.0;
/// Maximum width of a column as a fraction of the text of the page.
const WHOLE: f32 = 0.8;
/// Maximum number of text columns.
const MOST: usize = 4;

/// Returns the left and right edges of the frames.
pub(super) fn frames(content: &Content<'_>) -> Vec<(f32, f32)> {
    let texts = content.texts_in(content.page.grown(50.0), &[], WIDE);
    let segments = || texts.iter().flat_map(|text| &text.segments);
    let left = segments()
        .map(|segment| segment.left)
        .fold(f32::INFINITY, f32::min);
    let right = segments()
        .map(|segment| segment.right)
        .fold(f32::NEG_INFINITY, f32::max);
    if left >= right {
        return Vec::new();
    }
    let mut long: Vec<&Segment> = segments()
        .filter(|segment| {
            segment.characters >= LONG && segment.right - segment.left < (right - left) * WHOLE
        })
        .collect();
    long.sort_by(|one, other| one.left.total_cmp(&other.left));
    let columns = long
        .chunk_by(|one, next| next.left - one.left <= EDGE)
        .filter(|own| own.len() >= LINES);
    let mut columns: Vec<(usize, f32, f32)> = columns
        .map(|own| {
            let mut rights: Vec<f32> = own.iter().map(|segment| segment.right).collect();
            rights.sort_by(f32::total_cmp);
            let right = rights
                .get(rights.len() * 9 / 10)
                .copied()
                .unwrap_or_default();
            (
                own.len(),
                own.first().map_or(0.0, |first| first.left),
                right,
            )
        })
        .collect();
    columns.sort_by_key(|column| std::cmp::Reverse(column.0));
    columns.truncate(MOST);
    let mut frames = vec![(left - 1.0, right + 1.0)];
    for (_, from, to) in columns {
        frames.push((from - 3.0, to + 3.0));
        if to + 60.0 < right {
            frames.push((to + 3.0, right + 1.0));
        }
        if left + 60.0 < from {
            frames.push((left - 1.0, from - 3.0));
        }
    }
    frames
}
