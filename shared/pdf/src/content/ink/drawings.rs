//! Drawings: groups of paths that are neither text nor rules, boxes and backgrounds.

use std::collections::HashMap;

use layout::{Rect, Size};

use super::grid::Grid;
use super::outlined_text::{OutlinedText, is_letter};
use super::subpaths::Subpath;

/// Minimum longer and shorter side of a drawing, in points. Smaller ones are icons and bullets.
const MIN_SIDES: (f32, f32) = (48.0, 24.0);
/// Minimum number of lines and curves.
const MIN_SEGMENTS: usize = 15;
/// Maximum part that characters cover; what has more text is a background.
const MAX_TEXT: f32 = 0.35;
/// Cell size of the grid that groups paths, and margin around them, in points.
const CELL: f32 = 4.0;
const GROUPING: f32 = 6.0;

/// Returns the areas of drawings outside of outlined text.
pub(super) fn areas(
    subpaths: &[Subpath],
    outlined_text: &OutlinedText,
    characters: &Grid,
    size: Size,
) -> Vec<Rect> {
    let is_text = |one: &Subpath| {
        let center = one.bounds.center();
        outlined_text.is_most && is_letter(one)
            || outlined_text.areas.iter().any(|area| area.contains(center))
    };
    let paths = subpaths.iter().filter(|one| !one.is_box && !is_text(one));
    let paths: Vec<&Subpath> = paths.collect();
    let near = paths.iter().map(|one| one.bounds.grown(GROUPING));
    let grid = Grid::of(size, CELL, near);
    let group_of = grid.groups();
    let mut groups: HashMap<usize, (usize, Rect)> = HashMap::new();
    for path in paths {
        let Some(group) = group_of(path.bounds.center()) else {
            continue;
        };
        let (segments, bounds) = groups.entry(group).or_insert((0, path.bounds));
        *segments += path.segments;
        *bounds = bounds.union(&path.bounds);
    }
    let areas = groups.into_values();
    let areas = areas.filter(|(segments, _)| *segments >= MIN_SEGMENTS);
    let areas = areas.map(|(_, bounds)| bounds).filter(is_large);
    let areas = areas.filter(|area| characters.coverage(area) <= MAX_TEXT);
    let mut areas: Vec<Rect> = areas.collect();
    areas.sort_by(|one, other| one.top.total_cmp(&other.top));
    areas
}

/// Whether an area is larger than an icon.
pub(super) fn is_large(area: &Rect) -> bool {
    let (width, height) = (area.width(), area.height());
    width.max(height) >= MIN_SIDES.0 && width.min(height) >= MIN_SIDES.1
}
