//! Column positions of a table, to assign the cells of incomplete rows.

use std::ops::Range;

use crate::model::geometry::Rect;

/// The columns that a cell takes, and the extent of its content, if any.
type Taken = (Range<usize>, Option<(f32, f32)>);

/// Maximum number of columns of a table whose cells are assigned by position.
const COLUMNS: usize = 64;
/// Maximum overlap of content with another column, points.
const OVERLAP: f32 = 2.0;
/// Weight of the distance from column edges relative to the overhang.
const AWAY: f32 = 0.01;

/// Extent of the content of each column, in reading direction.
pub(super) struct Columns {
    extents: Vec<(f32, f32)>,
    from_right: bool,
}

/// An unassigned cell: its column span, and the extent of its content, if any.
pub(super) struct Standing {
    pub(super) span: usize,
    pub(super) bounds: Option<Rect>,
}

/// The result of assigning cells.
#[derive(Debug, PartialEq)]
pub(super) enum Choice {
    /// The first column of each cell.
    Columns(Vec<usize>),
    /// Undetermined: the only cell spans several columns.
    Open,
    /// The cell positions contradict their order.
    Contradiction,
}

impl Columns {
    /// Computes the columns from single-column cells; `None` if a column has none or columns overlap.
    pub(super) fn of(cells: &[(usize, Rect)], count: usize) -> Option<Self> {
        if !(2..=COLUMNS).contains(&count) {
            return None;
        }
        let mut bounds: Vec<Option<(f32, f32)>> = vec![None; count];
        for (column, place) in cells {
            let extent = bounds.get_mut(*column)?;
            let (left, right) = extent.unwrap_or((place.left, place.right));
            *extent = Some((left.min(place.left), right.max(place.right)));
        }
        let extents: Vec<(f32, f32)> = bounds.into_iter().collect::<Option<_>>()?;
        let from_right = extents.first()?.0 > extents.last()?.0;
        let extents = extents
            .into_iter()
            .map(|extent| towards(extent, from_right));
        let extents: Vec<(f32, f32)> = extents.collect();
        let mut pairs = extents.iter().zip(extents.iter().skip(1));
        let are_apart = pairs.all(|(one, other)| other.0 > one.1 - OVERLAP);
        are_apart.then_some(Self {
            extents,
            from_right,
        })
    }

    /// Assigns the cells of a row to free columns.
    pub(super) fn choose(&self, cells: &[Standing], is_free: impl Fn(usize) -> bool) -> Choice {
        let places: Vec<_> = cells.iter().map(|cell| self.place(cell)).collect();
        let Some(columns) = self.cheapest(&places, is_free) else {
            return Choice::Contradiction;
        };
        let ranges = columns.iter().zip(&places);
        let ranges: Vec<_> = ranges
            .map(|(from, (span, extent))| (*from..from + span, *extent))
            .collect();
        let is_wide = ranges
            .iter()
            .any(|(range, extent)| self.is_wide(range, *extent));
        match ranges.len() {
            1 if is_wide => Choice::Open,
            _ if self.contradict(&ranges) => Choice::Contradiction,
            _ => Choice::Columns(columns),
        }
    }

    fn place(&self, cell: &Standing) -> (usize, Option<(f32, f32)>) {
        let extent = cell.bounds.map(|bounds| (bounds.left, bounds.right));
        let extent = extent.map(|extent| towards(extent, self.from_right));
        (cell.span, extent)
    }

    /// Returns the assignment with the least overhang, in order (dynamic programming).
    fn cheapest(
        &self,
        cells: &[(usize, Option<(f32, f32)>)],
        is_free: impl Fn(usize) -> bool,
    ) -> Option<Vec<usize>> {
        let free: Vec<bool> = (0..self.extents.len()).map(is_free).collect();
        let mut before = vec![0.0; free.len() + 1];
        // For each cell, the minimum cost of it and its predecessors that end before each column.
        let mut costs: Vec<(usize, Vec<f32>)> = Vec::new();
        for cell in cells {
            before = self.costs(*cell, &before, &free);
            costs.push((cell.0, before.clone()));
        }
        columns(&costs, free.len())
    }

    /// Returns the minimum cost of a cell and its predecessors, by the column before which they end; infinite if it does not
    /// fit.
    fn costs(
        &self,
        (span, extent): (usize, Option<(f32, f32)>),
        before: &[f32],
        free: &[bool],
    ) -> Vec<f32> {
        let mut least = f32::INFINITY;
        let ending = |end: usize| {
            let range = end.checked_sub(span)?..end;
            let is_free = free.get(range.clone())?.iter().all(|is_free| *is_free);
            let cost = before.get(range.start)? + self.cost(&range, extent);
            is_free.then_some(cost)
        };
        (0..=free.len())
            .map(|end| {
                least = least.min(ending(end).unwrap_or(f32::INFINITY));
                least
            })
            .collect()
    }

    /// Returns the cost of a cell in these columns: overhang and weighted distance from their edges.
    fn cost(&self, range: &Range<usize>, extent: Option<(f32, f32)>) -> f32 {
        let Some((extent, all)) = extent.zip(self.reach(range)) else {
            return 0.0;
        };
        let outside = (all.0 - extent.0).max(0.0) + (extent.1 - all.1).max(0.0);
        let (starts, ends) = (extent.0 - all.0, extent.1 - all.1);
        let away = starts.abs().min(ends.abs());
        let away = away.min(f32::midpoint(starts, ends).abs());
        outside + away * AWAY
    }

    fn reach(&self, range: &Range<usize>) -> Option<(f32, f32)> {
        let first = self.extents.get(range.start)?;
        let last = self.extents.get(range.end.checked_sub(1)?)?;
        Some((first.0, last.1))
    }

    /// Whether a cell extends into columns that it does not take.
    fn is_wide(&self, range: &Range<usize>, extent: Option<(f32, f32)>) -> bool {
        extent.is_some_and(|extent| {
            let mut others = (0..self.extents.len()).filter(|column| !range.contains(column));
            others.any(|column| self.is_in(extent, column))
        })
    }

    fn is_in(&self, extent: (f32, f32), column: usize) -> bool {
        let column = self.extents.get(column);
        column.is_some_and(|column| overlap(extent, *column) > OVERLAP)
    }

    /// Whether a cell precedes one that it follows, is in the column of another one, or entirely outside of its own.
    fn contradict(&self, cells: &[Taken]) -> bool {
        let standing = cells.iter().filter_map(|(_, extent)| *extent);
        let mut pairs = standing.clone().zip(standing.skip(1));
        let is_taken = |column: usize, own: &Range<usize>| {
            let mut others = cells.iter().map(|(range, _)| range);
            others.any(|range| range != own && range.contains(&column))
        };
        pairs.any(|(one, other)| other.0 <= one.0)
            || cells.iter().any(|(own, extent)| {
                let Some((extent, reach)) = extent.zip(self.reach(own)) else {
                    return false;
                };
                let is_elsewhere = overlap(extent, reach) <= 0.0;
                let others = (0..self.extents.len()).filter(|column| !own.contains(column));
                let mut entered = others.filter(|column| self.is_in(extent, *column));
                entered.any(|column| is_elsewhere || is_taken(column, own))
            })
    }
}

/// Returns the first columns of the cells with minimum cost; the leftmost of several.
fn columns(costs: &[(usize, Vec<f32>)], count: usize) -> Option<Vec<usize>> {
    let mut end = count;
    let mut columns = Vec::new();
    for (span, costs) in costs.iter().rev() {
        let least = costs.get(end).filter(|least| least.is_finite())?;
        let first = costs.iter().position(|cost| cost <= least)?;
        end = first.checked_sub(*span)?;
        columns.push(end);
    }
    columns.reverse();
    Some(columns)
}

/// Returns an extent in reading direction.
fn towards((left, right): (f32, f32), from_right: bool) -> (f32, f32) {
    match from_right {
        true => (-right, -left),
        false => (left, right),
    }
}

fn overlap(one: (f32, f32), other: (f32, f32)) -> f32 {
    one.1.min(other.1) - one.0.max(other.0)
}
