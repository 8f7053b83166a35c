//! Drawings: groups of paths that are neither text nor rules, boxes and backgrounds.

use std::collections::BTreeMap;

use layout::{Rect, Size};

use super::grid::Grid;
use super::outlined_text::is_letter;
use super::subpaths::Subpath;
use super::{InkArea, hash};

/// Minimum longer and shorter side of a drawing, in points. Smaller ones are icons and bullets.
const MIN_SIDES: (f32, f32) = (48.0, 24.0);
/// Minimum number of lines and curves. Those of a long open path count more, because a line chart may have one path only.
const MIN_SEGMENTS: usize = 15;
const MIN_SEGMENTS_OF_PATH: usize = 6;
const WEIGHT_OF_PATH: usize = 3;
/// Maximum part that characters cover; what has more text is a background.
pub(super) const MAX_TEXT: f32 = 0.35;
/// Cell size of the grid that groups paths, and margin around them, in points.
const CELL: f32 = 4.0;
const GROUPING: f32 = 6.0;

/// Returns the areas of drawings outside of outlined text. Letters are not drawings if most text of the page is outlined.
pub(super) fn areas(
    subpaths: &[Subpath],
    (outlined_text, is_most): (&[InkArea], bool),
    characters: &Grid,
    size: Size,
) -> Vec<InkArea> {
    let text = outlined_text.iter().map(|area| area.bounds);
    let text = Grid::of(size, CELL, text);
    let is_text = |one: &Subpath| is_most && is_letter(one) || text.is_covered(one.bounds.center());
    let paths = subpaths.iter().filter(|one| !one.is_box && !is_text(one));
    let paths: Vec<&Subpath> = paths.collect();
    let near = paths.iter().map(|one| one.bounds.grown(GROUPING));
    let group_of = Grid::of(size, CELL, near).into_groups();
    let mut groups: BTreeMap<usize, InkArea> = BTreeMap::new();
    for path in paths {
        let Some(group) = group_of(path.bounds.center()) else {
            continue;
        };
        let area = groups.entry(group).or_insert(InkArea {
            bounds: path.bounds,
            ..InkArea::default()
        });
        area.segments += match path.ends.is_some() && path.segments >= MIN_SEGMENTS_OF_PATH {
            true => WEIGHT_OF_PATH * path.segments,
            false => path.segments,
        };
        area.bounds = area.bounds.union(&path.bounds);
        area.shape = area.shape.wrapping_add(hash(&path.bounds));
    }
    let areas = groups.into_values().filter(|area| {
        area.segments >= MIN_SEGMENTS
            && is_large(&area.bounds)
            && characters.coverage(&area.bounds) <= MAX_TEXT
    });
    areas.collect()
}

/// Whether an area is larger than an icon.
pub(super) fn is_large(area: &Rect) -> bool {
    let (width, height) = (area.width(), area.height());
    width.max(height) >= MIN_SIDES.0 && width.min(height) >= MIN_SIDES.1
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        width: 600.0,
        height: 800.0,
    };

    #[test]
    fn one_open_path_of_a_line_chart_is_a_drawing() {
        let count = |segments: usize, is_open: bool, height: f32| {
            let path = Subpath {
                bounds: Rect::between((100.0, 100.0), (300.0, 100.0 + height)),
                ends: is_open.then_some(((100.0, 100.0), (300.0, 100.0 + height))),
                segments,
                curves: 0,
                fill: None,
                is_box: false,
            };
            let characters = Grid::of(SIZE, CELL, std::iter::empty());
            areas(&[path], (&[], false), &characters, SIZE).len()
        };
        assert_eq!(count(7, true, 90.0), 1);
        assert_eq!(count(5, true, 90.0), 0);
        assert_eq!(count(7, false, 90.0), 0);
        // A wavy underline.
        assert_eq!(count(40, true, 4.0), 0);
    }
}
