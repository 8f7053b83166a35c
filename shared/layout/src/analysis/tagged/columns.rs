//! Where the columns of a table stand, and into which of them the cells of a row belong that says less than others.

use std::ops::Range;

use crate::model::geometry::Rect;

/// The columns that a cell takes, and from where to where what it holds stands, if it holds something.
type Taken = (Range<usize>, Option<(f32, f32)>);

/// Most columns of a table whose cells are placed by where they stand.
const COLUMNS: usize = 64;
/// How far what stands in a column may reach into another, points.
const OVERLAP: f32 = 2.0;
/// What being away from the edges of a column counts against reaching out of it.
const AWAY: f32 = 0.01;

/// From where to where the contents of each column reach, in the direction of reading.
pub(super) struct Columns {
    extents: Vec<(f32, f32)>,
    from_right: bool,
}

/// A cell of a row that is to be placed: how many columns it takes, and where what it says stands, if it says anything.
pub(super) struct Standing {
    pub(super) span: usize,
    pub(super) bounds: Option<Rect>,
}

/// What where cells stand says of their columns.
#[derive(Debug, PartialEq)]
pub(super) enum Choice {
    /// These are the first columns of the cells.
    Columns(Vec<usize>),
    /// Nothing: the only cell reaches over several columns.
    Open,
    /// Cells stand where their order does not allow it.
    Contradiction,
}

impl Columns {
    /// Those that cells of one column show, by their column; none where a column has none, or columns do not stand side by side.
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

    /// The columns of a row's cells, of those that are free.
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

    /// The columns in which cells reach least out of them, in their order.
    fn cheapest(
        &self,
        cells: &[(usize, Option<(f32, f32)>)],
        is_free: impl Fn(usize) -> bool,
    ) -> Option<Vec<usize>> {
        let free: Vec<bool> = (0..self.extents.len()).map(is_free).collect();
        let mut before = vec![0.0; free.len() + 1];
        // By cell, what it and those before it cost that end before each column.
        let mut costs: Vec<(usize, Vec<f32>)> = Vec::new();
        for cell in cells {
            before = self.costs(*cell, &before, &free);
            costs.push((cell.0, before.clone()));
        }
        columns(&costs, free.len())
    }

    /// What a cell and those before it cost at least, by the column before which it ends or has ended; infinite where it has no
    /// room.
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

    /// How far a cell reaches out of columns, and how far it is from their edges.
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

    /// Whether a cell reaches into columns that it does not take.
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

    /// Whether a cell stands before one that it follows, in the column of another, or in another column than its own only.
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

/// The columns at which the costs of cells and of those before them are least; the first of several.
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

/// An extent in the direction of reading.
fn towards((left, right): (f32, f32), from_right: bool) -> (f32, f32) {
    match from_right {
        true => (-right, -left),
        false => (left, right),
    }
}

fn overlap(one: (f32, f32), other: (f32, f32)) -> f32 {
    one.1.min(other.1) - one.0.max(other.0)
}
