//! The lines drawn around cells.

use super::fills::{THIN, areas, is_white};
use super::shapes;
use super::tracks::Range;
use crate::model::geometry::Rect;
use crate::model::page_content::{Drawing, PageContent, Stroke};

/// Least length of a line, points.
const SHORTEST: f32 = 4.0;
/// Least part of the side of a cell that lines cover.
const COVERED: f32 = 0.5;
/// Distance between a line and the same one in another list, points.
const SAME: f32 = 1.0;

/// A line along one axis.
struct Line {
    /// Position across its direction.
    at: f32,
    extent: Range,
    color: [u8; 3],
}

/// The visible horizontal and vertical lines of a page, each by position.
#[derive(Default)]
pub(super) struct Lines {
    horizontal: Vec<Line>,
    vertical: Vec<Line>,
}

impl Lines {
    pub(super) fn of(sheet: &PageContent) -> Self {
        let mut lines = Self::default();
        for area in areas(&sheet.drawings) {
            lines.push(&area.bounds, area.color);
        }
        for drawing in &sheet.drawings {
            if let Drawing::Shape(shape, seen) = drawing {
                let edges = shapes::lines(shape).into_iter();
                let seen = edges.filter_map(|edge| Some((edge.bounds.within(seen)?, edge.color)));
                seen.for_each(|(bounds, color)| lines.push(&bounds, color));
            }
        }
        lines.sort();
        // The lines of scanned tables are not among the drawings.
        let is_missing = |stroke: &&Stroke| !lines.contains(&stroke.bounds);
        let missing: Vec<Rect> = sheet
            .strokes
            .iter()
            .filter(is_missing)
            .map(|stroke| stroke.bounds)
            .collect();
        missing.iter().for_each(|bounds| lines.push(bounds, [0; 3]));
        for lines in [&mut lines.horizontal, &mut lines.vertical] {
            lines.retain(|line| !is_white(line.color));
        }
        lines.sort();
        lines
    }

    fn push(&mut self, bounds: &Rect, color: [u8; 3]) {
        let Some((is_horizontal, at, extent)) = line(bounds) else {
            return;
        };
        let lines = match is_horizontal {
            true => &mut self.horizontal,
            false => &mut self.vertical,
        };
        lines.push(Line { at, extent, color });
    }

    fn sort(&mut self) {
        for lines in [&mut self.horizontal, &mut self.vertical] {
            lines.sort_by(|one, other| one.at.total_cmp(&other.at));
        }
    }

    /// Whether lines cover another one.
    fn contains(&self, bounds: &Rect) -> bool {
        line(bounds).is_none_or(|(is_horizontal, at, extent)| {
            let gap = Range {
                from: at - SAME,
                to: at + SAME,
            };
            match is_horizontal {
                true => self.across(gap, extent).is_some(),
                false => self.down(gap, extent).is_some(),
            }
        })
    }

    /// Returns the color of the horizontal line in a gap between rows that covers a range of x.
    pub(super) fn across(&self, gap: Range, covers: Range) -> Option<[u8; 3]> {
        drawn(&self.horizontal, gap, covers)
    }

    /// Returns the color of the vertical line in a gap between columns that covers a range of y.
    pub(super) fn down(&self, gap: Range, covers: Range) -> Option<[u8; 3]> {
        drawn(&self.vertical, gap, covers)
    }
}

/// Returns whether a thin area is horizontal, its position and its extent; `None` if it is no line.
fn line(bounds: &Rect) -> Option<(bool, f32, Range)> {
    let (x, y) = bounds.center();
    let is_horizontal = bounds.width() >= bounds.height();
    let (at, thickness, from, to) = match is_horizontal {
        true => (y, bounds.height(), bounds.left, bounds.right),
        false => (x, bounds.width(), bounds.top, bounds.bottom),
    };
    let is_line = thickness <= THIN && to - from >= SHORTEST && (at + from + to).is_finite();
    is_line.then_some((is_horizontal, at, Range { from, to }))
}

fn drawn(lines: &[Line], gap: Range, covers: Range) -> Option<[u8; 3]> {
    let begin = lines.partition_point(|line| line.at < gap.from);
    let end = lines.partition_point(|line| line.at <= gap.to);
    let (mut covered, mut longest) = (0.0, (0.0, None));
    for line in lines.get(begin..end).unwrap_or_default() {
        let shared = line.extent.shared(covers);
        covered += shared;
        if shared > longest.0 {
            longest = (shared, Some(line.color));
        }
    }
    longest.1.filter(|_| covered >= covers.length() * COVERED)
}
