//! Refines grids by their text: adds header lines above and columns beside the frame, splits columns at gaps and rows at baselines.

use crate::analysis::tables::banded::columns::Columns;
use crate::analysis::tables::banded::rows::rows;
use crate::analysis::tables::content::Content;
use crate::analysis::tables::grid::{Area, Grid};
use crate::analysis::tables::segment::{Segment, Text, WIDE};
use crate::model::geometry::Rect;

/// Minimum gap between columns that are not ruled, as a fraction of the font size.
const GAP: f32 = 0.75;
/// Minimum number of lines on both sides of it.
const LINES: usize = 2;
/// Maximum distance of a header line above the frame, and of a column beside it, as a fraction of the font size.
const ABOVE: f32 = 2.4;
const ASIDE: f32 = 6.0;
/// Maximum height of a row without text, points.
const THIN: f32 = 7.0;
/// Maximum number of cells of a grid, of fills behind a row, and of their edges.
const CELLS: usize = 5_000;
const FILLS: usize = 200;
const EDGES: usize = 400;
/// Tolerance for fills of one row, points.
const FILL: f32 = 2.0;

/// Returns the grid with the rows and columns of its text.
pub(super) fn refined(grid: Grid, content: &Content<'_>) -> Grid {
    if grid.cells.len() > CELLS {
        return grid;
    }
    let grid = with_columns(grid, content);
    let grid = with_rows(grid, content);
    let grid = with_sides(grid, content);
    let grid = with_head(grid, content);
    without_thin(grid, content)
}

/// Splits columns where a gap runs through their lines.
fn with_columns(grid: Grid, content: &Content<'_>) -> Grid {
    let mut grid = grid;
    let mut column = 0;
    while column + 1 < grid.xs.len() {
        match gap(&grid, column, content) {
            Some(x) if grid.xs.len() < 100 => match grid.with_column(column, x, content) {
                Some(parted) => grid = parted,
                None => column += 1,
            },
            _ => column += 1,
        }
    }
    grid
}

/// Returns the middle of the first gap that parts the lines of a column.
fn gap(grid: &Grid, column: usize, content: &Content<'_>) -> Option<f32> {
    let (left, right) = (*grid.xs.get(column)?, *grid.xs.get(column + 1)?);
    let own = grid
        .cells
        .iter()
        .filter(|cell| cell.column == column && cell.column_span == 1);
    let texts: Vec<Text> = own
        .flat_map(|cell| content.texts_in(cell.bounds, &[], GAP))
        .collect();
    let several: Vec<&Text> = texts
        .iter()
        .filter(|text| text.segments.len() > 1)
        .collect();
    let is_enough = several.len() >= LINES && several.len() * 2 >= texts.len();
    let columns = Columns::of(several.iter().copied()).filter(|_| is_enough)?;
    let (from, to) = columns.gaps().iter().copied().find(|(from, to)| {
        let size = texts.iter().map(|text| text.size).fold(0.0, f32::max);
        let crossing = texts
            .iter()
            .flat_map(|text| &text.segments)
            .filter(|segment| segment.left < *from && *to < segment.right);
        let has_words = |is_side: &dyn Fn(&Segment) -> bool| {
            let sides = several
                .iter()
                .flat_map(|text| &text.segments)
                .filter(|segment| is_side(segment));
            let (all, words) = sides.fold((0, 0), |(all, words), segment| {
                (
                    all + 1,
                    words
                        + usize::from(
                            segment.has_letters && segment.characters > 1 || segment.digits > 0,
                        ),
                )
            });
            all >= LINES && words * 2 > all
        };
        to - from >= size * GAP
            && crossing.count() * 5 <= texts.len()
            && has_words(&|segment| segment.right <= *from + 0.5)
            && has_words(&|segment| segment.left >= *to - 0.5)
    })?;
    let x = f32::midpoint(from, to);
    (left + 2.0 < x && x < right - 2.0).then_some(x)
}

/// Splits rows at the edges of fills and where baselines are rows of their own.
fn with_rows(grid: Grid, content: &Content<'_>) -> Grid {
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

/// Adds the header line above the frame whose segments fit the columns.
fn with_head(grid: Grid, content: &Content<'_>) -> Grid {
    let columns = grid.xs.len() - 1;
    let joints = grid.xs.get(1..columns).unwrap_or_default();
    let inside = content.texts_in(grid.bounds, joints, WIDE);
    let size = inside.iter().map(|text| text.size).fold(0.0, f32::max);
    let area = Rect {
        top: grid.bounds.top - size * ABOVE,
        bottom: grid.bounds.top + 1.0,
        left: grid.bounds.left - 3.0,
        right: grid.bounds.right + 3.0,
    };
    let texts = content.texts_in(area, joints, WIDE);
    let Some(text) = texts.last().filter(|_| columns > 1) else {
        return grid;
    };
    let column = |segment: &Segment| {
        let first = grid.xs.partition_point(|x| *x < segment.left + 1.0);
        let last = grid.xs.partition_point(|x| *x < segment.right - 1.0);
        (first == last).then_some(first)
    };
    let places: Option<Vec<usize>> = text.segments.iter().map(column).collect();
    let is_head = places.is_some_and(|places| {
        places.len() > 1
            && places.len() + 1 >= columns
            && places.is_sorted_by(|one, next| one < next)
    });
    let is_near = grid.bounds.top - text.baseline < size * ABOVE * 0.8;
    let beside = content.texts_in(
        Rect {
            left: area.left - 100.0,
            right: area.right + 100.0,
            top: text.baseline - size * 0.8,
            bottom: text.baseline + size * 0.1,
        },
        joints,
        WIDE,
    );
    let is_alone = beside
        .iter()
        .all(|beside| beside.segments.len() <= text.segments.len());
    // Rules between its segments are those of another table.
    let middle = text.baseline - text.size * 0.3;
    let is_ruled = content.strokes.iter().any(|stroke| {
        let bounds = stroke.bounds;
        !stroke.is_horizontal()
            && (bounds.top..bounds.bottom).contains(&middle)
            && (area.left..area.right).contains(&bounds.center().0)
    });
    match is_head && is_near && is_alone && !is_ruled {
        true => grid
            .with_row_above(text.baseline - text.size)
            .unwrap_or(grid),
        false => grid,
    }
}

/// Drops outer rows that are too thin for text: the space between double rules.
fn without_thin(grid: Grid, content: &Content<'_>) -> Grid {
    let mut grid = grid;
    for is_top in [true, false] {
        let edges = match (is_top, grid.ys.as_slice()) {
            (true, [first, second, _, ..]) => Some((*first, *second)),
            (false, [_, .., second, last]) => Some((*second, *last)),
            _ => None,
        };
        let Some((top, bottom)) = edges else { continue };
        let area = Rect {
            top,
            bottom,
            ..grid.bounds
        };
        if bottom - top < THIN && content.glyphs_in(area).next().is_none() {
            grid = grid.without_row(is_top).unwrap_or(grid);
        }
    }
    grid
}

/// Adds a column of the segments on the baselines of the rows at a side of the frame.
fn with_sides(grid: Grid, content: &Content<'_>) -> Grid {
    let joints = grid.xs.get(1..grid.xs.len() - 1).unwrap_or_default();
    let inside = content.texts_in(grid.bounds, joints, WIDE);
    let size = inside.iter().map(|text| text.size).fold(0.0, f32::max);
    let mut grid = grid;
    for is_left in [true, false] {
        let area = match is_left {
            true => Rect {
                left: content.page.left,
                right: grid.bounds.left,
                ..grid.bounds
            },
            false => Rect {
                left: grid.bounds.right,
                right: content.page.right,
                ..grid.bounds
            },
        };
        let beside = content.texts_in(area, &[], WIDE);
        let nearest = |text: &Text| {
            let nearest = if is_left {
                text.segments.last()
            } else {
                text.segments.first()
            };
            nearest.copied().filter(|segment| {
                let gap = if is_left {
                    grid.bounds.left - segment.right
                } else {
                    segment.left - grid.bounds.right
                };
                gap < size * ASIDE && gap > -1.0 && segment.words < 8
            })
        };
        let own: Vec<Segment> = beside
            .iter()
            .filter(|text| {
                inside
                    .iter()
                    .any(|row| (row.baseline - text.baseline).abs() < size * 0.3)
            })
            .filter_map(nearest)
            .collect();
        let others = beside.iter().filter(|text| text.segments.len() > 1).count();
        let rows = grid.ys.len() - 1;
        if own.len() * 5 >= rows * 3
            && own.len() > 2
            && own.len() * 4 >= beside.len() * 3
            && others * 4 <= own.len()
        {
            let x = match is_left {
                true => {
                    own.iter()
                        .map(|segment| segment.left)
                        .fold(f32::INFINITY, f32::min)
                        - 1.0
                }
                false => own.iter().map(|segment| segment.right).fold(0.0, f32::max) + 1.0,
            };
            if let Some(wider) = grid.with_side(x, is_left, content) {
                grid = wider;
            }
        }
    }
    grid
}

impl Grid {
    /// Splits a column; its cells become two, or a span if their text crosses the gap.
    fn with_column(&self, column: usize, x: f32, content: &Content<'_>) -> Option<Self> {
        let mut xs = self.xs.clone();
        xs.insert(column + 1, x);
        let mut cells = Vec::new();
        for cell in &self.cells {
            let end = cell.column + cell.column_span;
            if cell.column > column {
                cells.push(Area {
                    column: cell.column + 1,
                    ..*cell
                });
            } else if end <= column {
                cells.push(*cell);
            } else {
                let is_crossed = || {
                    content
                        .texts_in(cell.bounds, &[x], WIDE)
                        .iter()
                        .flat_map(|text| &text.segments)
                        .any(|segment| segment.left < x && x < segment.right)
                };
                if cell.column_span > 1 || is_crossed() {
                    cells.push(Area {
                        column_span: cell.column_span + 1,
                        ..*cell
                    });
                } else {
                    cells.push(Area {
                        bounds: Rect {
                            right: x,
                            ..cell.bounds
                        },
                        ..*cell
                    });
                    cells.push(Area {
                        column: column + 1,
                        bounds: Rect {
                            left: x,
                            ..cell.bounds
                        },
                        ..*cell
                    });
                }
            }
        }
        cells.sort_by_key(|cell| (cell.row, cell.column));
        Self::of_areas(xs, self.ys.clone(), cells, self.head)
    }

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

    /// Adds a row above.
    fn with_row_above(&self, y: f32) -> Option<Self> {
        let mut ys = self.ys.clone();
        ys.insert(0, y);
        let bottom = self.bounds.top;
        let pairs = self.xs.iter().zip(self.xs.iter().skip(1)).enumerate();
        let above = pairs.map(|(column, (left, right))| Area {
            row: 0,
            column,
            row_span: 1,
            column_span: 1,
            bounds: Rect {
                left: *left,
                right: *right,
                top: y,
                bottom,
            },
        });
        let below = self.cells.iter().map(|cell| Area {
            row: cell.row + 1,
            ..*cell
        });
        let head = self.head.map(|head| head + 1);
        Self::of_areas(self.xs.clone(), ys, above.chain(below).collect(), head)
    }

    /// Removes the first or last row.
    fn without_row(&self, is_first: bool) -> Option<Self> {
        let mut ys = self.ys.clone();
        let row = if is_first { 0 } else { ys.len() - 2 };
        ys.remove(if is_first { 0 } else { ys.len() - 1 });
        let (top, bottom) = (*ys.first()?, *ys.last()?);
        let is_kept = |cell: &&Area| cell.row != row || cell.row_span > 1;
        let cells = self.cells.iter().filter(is_kept).map(|cell| {
            let has_row = cell.row <= row && row < cell.row + cell.row_span;
            Area {
                row: cell.row - usize::from(is_first && cell.row > 0),
                row_span: cell.row_span - usize::from(has_row),
                bounds: Rect {
                    top: cell.bounds.top.max(top),
                    bottom: cell.bounds.bottom.min(bottom),
                    ..cell.bounds
                },
                ..*cell
            }
        });
        let head = self
            .head
            .map(|head| head.saturating_sub(usize::from(is_first)));
        Self::of_areas(self.xs.clone(), ys, cells.collect(), head)
    }

    /// Adds a column at a side. Its cells span rows that rules part only inside the frame.
    fn with_side(&self, x: f32, is_left: bool, content: &Content<'_>) -> Option<Self> {
        let mut xs = self.xs.clone();
        let (place, edge) = if is_left {
            (0, self.bounds.left)
        } else {
            (self.xs.len() - 1, self.bounds.right)
        };
        xs.insert(if is_left { 0 } else { xs.len() }, x);
        let is_drawn = |y: f32, at: f32| {
            let strokes = content
                .strokes
                .iter()
                .map(|stroke| stroke.bounds)
                .filter(|bounds| bounds.width() > bounds.height());
            let is_at = |bounds: &Rect| bounds.left <= at && at <= bounds.right;
            strokes
                .filter(|bounds| (bounds.center().1 - y).abs() < FILL)
                .any(|bounds| is_at(&bounds))
                || content.fills.iter().any(|fill| {
                    is_at(fill) && (fill.top - y).abs().min((fill.bottom - y).abs()) < FILL
                })
        };
        let inside = if is_left { edge + 3.0 } else { edge - 3.0 };
        let mut side: Vec<Area> = Vec::new();
        for (row, (top, bottom)) in self.ys.iter().zip(self.ys.iter().skip(1)).enumerate() {
            let is_open = is_drawn(*top, inside) && !is_drawn(*top, f32::midpoint(x, edge));
            match side.last_mut().filter(|_| is_open) {
                Some(above) => {
                    above.row_span += 1;
                    above.bounds.bottom = *bottom;
                }
                None => side.push(Area {
                    row,
                    column: place,
                    row_span: 1,
                    column_span: 1,
                    bounds: Rect::between((x, *top), (edge, *bottom)),
                }),
            }
        }
        let moved = self.cells.iter().map(|cell| Area {
            column: cell.column + usize::from(is_left),
            ..*cell
        });
        let mut cells: Vec<Area> = side.into_iter().chain(moved).collect();
        cells.sort_by_key(|cell| (cell.row, cell.column));
        Self::of_areas(xs, self.ys.clone(), cells, self.head)
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
