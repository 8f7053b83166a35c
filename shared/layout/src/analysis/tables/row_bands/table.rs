//! Converts rows between rules to a grid.

use super::across::Across;
use super::columns::Columns;
use super::interval::Interval;
use super::rows::{Row, rows};
use crate::analysis::tables::grid::{Area, Grid, PLACES};
use crate::model::geometry::Rect;

/// Maximum distance of two rules without a row between them, points.
const THIN: f32 = 6.0;
/// Minimum number of rows with a rule below each from which rules are expected between all rows.
pub(in crate::analysis::tables) const RULED: usize = 4;

/// Returns the table of the intervals between two positions; `are_rows` marks each interval as exactly one row.
pub(in crate::analysis::tables) fn grid(
    run: &[Interval<'_>],
    columns: &Columns,
    are_rows: bool,
    (left, right): (f32, f32),
) -> Option<Grid> {
    let found = found(run, columns, are_rows);
    let head = match run.len() > 1 && run.len() < RULED && !are_rows {
        true => found.first().map_or(0, Vec::len),
        false => 0,
    };
    let mut ys: Vec<f32> = run.first().map(|first| first.top).into_iter().collect();
    let mut all: Vec<(Row, Option<&Across>)> = Vec::new();
    for (interval, rows) in run.iter().zip(found) {
        let height = interval.bottom - interval.top;
        if let Some(end) = ys.last_mut().filter(|_| rows.is_empty() && height < THIN) {
            *end = interval.bottom;
            continue;
        }
        let starts = rows.iter().skip(1).zip(&rows);
        ys.extend(starts.map(|(next, before)| f32::midpoint(before.bottom, next.top)));
        ys.push(interval.bottom);
        all.extend(match rows.is_empty() {
            true => vec![(Row::default(), None)],
            false => rows.into_iter().map(|row| (row, None)).collect(),
        });
        if let Some((_, below)) = all.last_mut() {
            *below = interval.below;
        }
    }
    let xs = columns.edges(left, right);
    let cells = cells(&all, columns.count(), &xs);
    of_cells(xs, ys, &cells, head)
}

/// Returns the rows of each interval.
fn found(run: &[Interval<'_>], columns: &Columns, are_rows: bool) -> Vec<Vec<Row>> {
    let mut found: Vec<Vec<Row>> = run
        .iter()
        .map(|interval| rows(interval.texts, columns))
        .collect();
    let are_several = |interval: &Interval<'_>| columns.are_several(interval.texts);
    let several = run.iter().filter(|interval| are_several(interval)).count();
    if let Some(head) = found.first_mut().filter(|_| run.len() > 1) {
        Row::join_wrapped(head, columns.count());
    }
    let is_ruled = run.len() >= RULED && several * 2 < run.len();
    for (interval, rows) in run.iter().zip(&mut found) {
        if are_rows || is_ruled && !(columns.are_drawn && interval.is_open()) {
            Row::join(rows);
        }
    }
    found
}

/// A cell with its row and column span.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    column: usize,
    row_span: usize,
    column_span: usize,
}

/// Returns the cells of rows, each with the rule below it: a cell continues where the rule is not drawn.
fn cells(rows: &[(Row, Option<&Across>)], columns: usize, xs: &[f32]) -> Vec<Place> {
    let mut cells: Vec<Place> = Vec::new();
    let mut above: Vec<usize> = Vec::new();
    let mut filled: Vec<bool> = Vec::new();
    let mut line: Option<&Across> = None;
    for (row, (found, below)) in rows.iter().enumerate() {
        let mut here = Vec::new();
        for (column, column_span) in found.spans(columns) {
            let is_open = || {
                let (from, to) = xs.get(column).zip(xs.get(column + column_span))?;
                line.map(|line| !line.covers(*from, *to))
            };
            let over = above.iter().copied().find(|number| {
                cells
                    .get(*number)
                    .is_some_and(|over| over.column == column && over.column_span == column_span)
            });
            // Text in both rows is in cells of its own.
            let is_filled = found.has_text(column);
            let is_one = |number: &usize| !is_filled || filled.get(*number) == Some(&false);
            let joined = over.filter(|number| is_one(number) && is_open() == Some(true));
            match joined.and_then(|number| Some((number, cells.get_mut(number)?))) {
                Some((number, over)) => {
                    over.row_span += 1;
                    here.push(number);
                    filled
                        .get_mut(number)
                        .into_iter()
                        .for_each(|filled| *filled |= is_filled);
                }
                None => {
                    here.push(cells.len());
                    filled.push(is_filled);
                    cells.push(Place {
                        row,
                        column,
                        row_span: 1,
                        column_span,
                    });
                }
            }
        }
        (above, line) = (here, *below);
    }
    cells
}

fn of_cells(xs: Vec<f32>, ys: Vec<f32>, cells: &[Place], head: usize) -> Option<Grid> {
    let is_rising = |edges: &[f32]| edges.is_sorted_by(|one, other| one < other);
    if !is_rising(&xs) || !is_rising(&ys) || xs.len() * ys.len() > PLACES {
        return None;
    }
    let cells = cells.iter().map(|place| {
        Some(Area {
            row: place.row,
            column: place.column,
            row_span: place.row_span,
            column_span: place.column_span,
            bounds: Rect::between(
                (*xs.get(place.column)?, *ys.get(place.row)?),
                (
                    *xs.get(place.column + place.column_span)?,
                    *ys.get(place.row + place.row_span)?,
                ),
            ),
        })
    });
    let cells = cells.collect::<Option<Vec<Area>>>()?;
    Grid::of_areas(xs, ys, cells, Some(head))
}
