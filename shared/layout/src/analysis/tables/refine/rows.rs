//! Splits the rows of a grid at the edges of fills and where baselines are rows of their own.

use crate::analysis::tables::content::Content;
use crate::analysis::tables::grid::{Area, Grid};
use crate::analysis::tables::row_bands::columns::Columns;
use crate::analysis::tables::row_bands::rows::rows;
use crate::analysis::tables::segment::{Segment, Text, WIDE};
use crate::model::geometry::Rect;

/// Maximum number of fills behind a row, and of their edges.
const FILLS: usize = 200;
const EDGES: usize = 400;
/// Tolerance for fills of one row, points.
const FILL: f32 = 2.0;

/// Splits rows at the edges of fills and where baselines are rows of their own.
pub(super) fn with_rows(grid: Grid, content: &Content<'_>) -> Grid {
    let mut grid = grid;
    let mut row = 0;
    while row + 1 < grid.ys.len() {
        let parts = parts(&grid, row, content);
        let count = parts.len();
        if count > 0
            && grid.ys.len() < 2_000
            && let Some(parted) = grid.with_rows(row, &parts, content)
        {
            grid = parted;
        }
        row += 1 + count;
    }
    grid
}

/// Returns the boundaries inside a row.
fn parts(grid: &Grid, row: usize, content: &Content<'_>) -> Vec<f32> {
    let (Some(top), Some(bottom)) = (grid.ys.get(row).copied(), grid.ys.get(row + 1).copied())
    else {
        return Vec::new();
    };
    let area = Rect {
        top,
        bottom,
        ..grid.bounds
    };
    let joints = grid.xs.get(1..grid.xs.len() - 1).unwrap_or_default();
    let own: Vec<&Area> = grid
        .cells
        .iter()
        .filter(|cell| cell.row == row && cell.row_span == 1)
        .collect();
    let texts: Vec<Text> = content
        .texts_in(area, joints, WIDE)
        .into_iter()
        .filter(|text| {
            let y = text.baseline - text.size * 0.3;
            top < y && y < bottom
        })
        .collect();
    if own.len() < 2 || texts.len() < 2 {
        return Vec::new();
    }
    let edges = edges(content.fills, area);
    let columns = Columns::between(joints, grid.bounds.left, texts.iter());
    let zebra = banded(&texts, &edges);
    let mut bounds: Vec<f32> = Vec::new();
    for group in zebra.iter() {
        let (from, to) = *group;
        let own = texts.get(from..to).unwrap_or_default();
        if let Some(before) = from.checked_sub(1).and_then(|before| texts.get(before)) {
            let next = own
                .first()
                .map_or(before.baseline, |text| text.baseline - text.size);
            let edge = edges.iter().copied().find(|y| {
                before.baseline - 1.0 < *y && *y < next + own.first().map_or(0.0, |text| text.size)
            });
            bounds.push(edge.unwrap_or(f32::midpoint(before.baseline, next)));
        }
        if are_entries(own, &columns) {
            let found = rows(own, &columns);
            let starts = found.iter().zip(found.iter().skip(1));
            bounds.extend(starts.map(|(above, below)| f32::midpoint(above.bottom, below.top)));
        } else {
            bounds.extend(between_numbers(own, &columns));
        }
    }
    bounds.sort_by(f32::total_cmp);
    bounds.dedup_by(|next, before| *next - *before < 2.0);
    bounds.retain(|y| top + 2.0 < *y && *y < bottom - 2.0);
    bounds
}

/// Returns the heights inside an area where most of its width changes between filled and not filled.
fn edges(fills: &[Rect], area: Rect) -> Vec<f32> {
    let near: Vec<&Rect> = fills
        .iter()
        .filter(|fill| fill.shared_width(&area) > 1.0 && fill.shared_height(&area) > -1.0)
        .take(FILLS)
        .collect();
    let mut ys: Vec<f32> = near
        .iter()
        .flat_map(|fill| [fill.top, fill.bottom])
        .collect();
    ys.retain(|y| area.top + FILL < *y && *y < area.bottom - FILL);
    ys.sort_by(f32::total_cmp);
    ys.dedup_by(|next, before| *next - *before < 1.0);
    ys.truncate(EDGES);
    let filled = |y: f32| {
        let own = near.iter().filter(|fill| fill.top <= y && y <= fill.bottom);
        let mut spans: Vec<(f32, f32)> = own
            .map(|fill| (fill.left.max(area.left), fill.right.min(area.right)))
            .collect();
        spans.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut end, mut sum) = (f32::NEG_INFINITY, 0.0);
        for (left, right) in spans {
            sum += (right - left.max(end)).max(0.0);
            end = end.max(right);
        }
        sum / area.width().max(1.0)
    };
    ys.retain(|y| (filled(y - FILL) - filled(y + FILL)).abs() > 0.6);
    ys
}

/// Returns the ranges of texts between edges.
fn banded(texts: &[Text], edges: &[f32]) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let mut from = 0;
    for y in edges.iter().copied().chain([f32::INFINITY]) {
        let to = texts.partition_point(|text| text.baseline - text.size * 0.3 < y);
        if to > from {
            ranges.push((from, to));
            from = to;
        }
    }
    ranges
}

/// Returns the boundaries between numbers below each other, if a column consists of them next to other entries: each is a row.
fn between_numbers(texts: &[Text], columns: &Columns) -> Vec<f32> {
    let mut found: Vec<Vec<f32>> = Vec::new();
    for column in 0..columns.count() {
        let own = texts.iter().flat_map(|text| {
            let own = text
                .segments
                .iter()
                .filter(|segment| columns.of_segment(segment) == (column, column));
            own.map(|segment| (text.baseline, *segment))
        });
        let own: Vec<(f32, Segment)> = own.collect();
        if own.len() > 1
            && own
                .iter()
                .all(|(_, segment)| segment.digits > 0 && !segment.has_letters)
        {
            found.push(own.into_iter().map(|(baseline, _)| baseline).collect());
        }
    }
    let Some(numbers) = found.first() else {
        return Vec::new();
    };
    let are_same = |other: &Vec<f32>| {
        other.len() == numbers.len()
            && other
                .iter()
                .zip(numbers)
                .all(|(one, other)| (one - other).abs() < 1.0)
    };
    let are_whole =
        texts.len() == numbers.len() && texts.iter().all(|text| text.segments.len() > 1);
    if !are_whole && (found.len() < 2 || !found.iter().all(are_same)) {
        return Vec::new();
    }
    let pairs = numbers.iter().zip(numbers.iter().skip(1));
    // Lines of other columns belong to the nearer number: the rows part at the widest space.
    let parts = pairs.filter_map(|(from, to)| {
        let lines = texts
            .iter()
            .filter(|text| (*from..=*to).contains(&text.baseline));
        let lines: Vec<&Text> = lines.collect();
        let steps = lines.iter().zip(lines.iter().skip(1));
        let widest = steps.max_by(|one, other| {
            (one.1.baseline - one.0.baseline).total_cmp(&(other.1.baseline - other.0.baseline))
        })?;
        let (above, below) = (
            widest.0.baseline + widest.0.size * 0.25,
            widest.1.baseline - widest.1.size * 0.75,
        );
        Some(f32::midpoint(above, below))
    });
    parts.collect()
}

/// Whether two or more columns have an entry in each of four or more lines, and nearly all break before the end of the column.
fn are_entries(texts: &[Text], columns: &Columns) -> bool {
    let mut counts = vec![0_usize; columns.count()];
    let (mut steps, mut roomy) = (0_usize, 0_usize);
    for text in texts {
        for segment in &text.segments {
            let (column, last) = columns.of_segment(segment);
            if column == last {
                counts
                    .get_mut(column)
                    .into_iter()
                    .for_each(|count| *count += 1);
            }
        }
    }
    let whole = counts.iter().filter(|count| **count == texts.len()).count();
    for (above, below) in texts.iter().zip(texts.iter().skip(1)) {
        for segment in &below.segments {
            let (column, _) = columns.of_segment(segment);
            let over = above
                .segments
                .iter()
                .find(|over| columns.of_segment(over).0 == column);
            if let Some((over, end)) = over.zip(columns.end(column)) {
                steps += 1;
                roomy += usize::from(
                    over.right + segment.first + below.size * 0.3 < end && !segment.is_small,
                );
            }
        }
    }
    texts.len() > 3 && whole > 1 && steps > 0 && roomy * 5 >= steps * 4
}

impl Grid {
    /// Splits a row at these boundaries; cells with a single line between the others become spans.
    fn with_rows(&self, row: usize, parts: &[f32], content: &Content<'_>) -> Option<Self> {
        let more = parts.len();
        let mut ys = self.ys.clone();
        ys.splice(row + 1..row + 1, parts.iter().copied());
        let mut cells = Vec::new();
        for cell in &self.cells {
            if cell.row > row {
                cells.push(Area {
                    row: cell.row + more,
                    ..*cell
                });
            } else if cell.row + cell.row_span <= row {
                cells.push(*cell);
            } else {
                let is_crossing = || {
                    content.texts_in(cell.bounds, &[], WIDE).iter().any(|text| {
                        parts
                            .iter()
                            .any(|y| text.baseline - text.size * 0.5 < *y && *y < text.baseline)
                    })
                };
                if cell.row_span > 1 || is_crossing() {
                    cells.push(Area {
                        row_span: cell.row_span + more,
                        ..*cell
                    });
                    continue;
                }
                for part in 0..=more {
                    let (top, bottom) = (*ys.get(row + part)?, *ys.get(row + part + 1)?);
                    cells.push(Area {
                        row: row + part,
                        bounds: Rect {
                            top,
                            bottom,
                            ..cell.bounds
                        },
                        ..*cell
                    });
                }
            }
        }
        cells.sort_by_key(|cell| (cell.row, cell.column));
        Self::of_areas(self.xs.clone(), ys, cells, self.head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tables::segment::tests::text;

    fn columns(texts: &[Text]) -> Columns {
        Columns::between(&[100.0, 200.0], 0.0, texts.iter())
    }

    #[test]
    fn numbers_below_each_other_are_rows_and_lines_belong_to_the_nearer_one() {
        let numbers = |y| text(y, &[(120.0, 140.0), (220.0, 240.0)], true);
        let label = |y| text(y, &[(5.0, 80.0)], false);
        let texts = [
            label(10.0),
            numbers(16.0),
            label(22.0),
            label(34.0),
            numbers(40.0),
            label(46.0),
        ];
        let parts = between_numbers(&texts, &columns(&texts));
        let [part] = parts.as_slice() else {
            panic!("{parts:?}")
        };
        assert!((22.0..34.0).contains(part));
        let wrapped = [label(10.0), numbers(16.0), label(22.0), label(34.0)];
        assert!(between_numbers(&wrapped, &columns(&wrapped)).is_empty());
    }

    #[test]
    fn rows_part_where_fills_begin_and_end_but_not_between_touching_fills() {
        let area = Rect::between((0.0, 0.0), (100.0, 80.0));
        let fill = |top, bottom| Rect::between((0.0, top), (100.0, bottom));
        assert_eq!(
            edges(&[fill(20.0, 40.0), fill(60.0, 80.0)], area),
            [20.0, 40.0, 60.0]
        );
        assert!(edges(&[fill(0.0, 40.0), fill(40.0, 80.0)], area).is_empty());
        assert!(edges(&[Rect::between((0.0, 20.0), (30.0, 40.0))], area).is_empty());
    }
}
