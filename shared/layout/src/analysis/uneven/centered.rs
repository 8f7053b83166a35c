//! Borderless tables with vertically centered cells, as browsers lay them out: a cell with fewer lines than its neighbor begins
//! below the neighbor's first line and ends above the last.

use crate::analysis::band::{Band, Span, column};
use crate::analysis::pace;

/// Tolerance for the centers of cells of a row, and for line pitches of a cell, as a fraction of the font size.
const MIDDLE: f32 = 0.15;
const STEP: f32 = 0.1;
/// Minimum line pitch of a cell, as a fraction of the font size.
const LEAST: f32 = 0.8;
/// Minimum number of rows, and of rows with cells of different heights.
const ROWS: usize = 3;
const UNEVEN: usize = 2;
/// Maximum number of lines of a cell.
const LINES: usize = 12;

/// Returns which bands begin a row of such a table.
pub(in super::super) fn starts(run: &[Band], gaps: &[Span], size: f32) -> Option<Vec<bool>> {
    let rows = rows(run, gaps, size)?;
    let centered = || rows.iter().filter(|row| row.is_centered(size));
    let uneven = centered().filter(|row| row.is_uneven()).count();
    let odd = rows.len() - centered().count();
    let whole = rows.iter().filter(|row| row.filled() > 1).count();
    let is_table = rows.len() >= ROWS
        && uneven >= UNEVEN
        && odd * 10 <= rows.len()
        && whole * 5 >= rows.len() * 4;
    let starts = rows.iter().flat_map(|row| {
        let goes_on = std::iter::repeat_n(false, row.bands.saturating_sub(1));
        std::iter::once(true).chain(goes_on)
    });
    is_table.then(|| starts.collect())
}

/// Bands closer than row pitch.
struct Row {
    bands: usize,
    /// Baselines of each column from top to bottom.
    columns: Vec<Vec<f32>>,
}

/// Groups bands into rows by line pitch; `None` if it is not conclusive.
fn rows(run: &[Band], gaps: &[Span], size: f32) -> Option<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    let mut last = f32::NEG_INFINITY;
    let limit = limit(run, gaps, size)?;
    for band in run {
        let columns = places(band, gaps, size)?;
        let lines = || columns.iter().flatten().copied();
        let first = lines().fold(f32::INFINITY, f32::min);
        let end = lines().fold(last, f32::max);
        match rows.last_mut().filter(|_| first - last <= limit) {
            Some(row) => row.take(columns),
            None => rows.push(Row { bands: 1, columns }),
        }
        last = end;
    }
    Some(rows)
}

/// Returns the maximum line pitch of a cell.
fn limit(run: &[Band], gaps: &[Span], size: f32) -> Option<f32> {
    let mut last: Vec<Option<f32>> = vec![None; gaps.len() + 1];
    let mut steps = Vec::new();
    for band in run {
        for (before, places) in last.iter_mut().zip(places(band, gaps, size)?) {
            for place in places {
                steps.extend(before.replace(place).map(|before| place - before));
            }
        }
    }
    pace::split(&steps, size)
}

/// Returns the baselines of a band by column; `None` if it has other content or overlapping lines.
fn places(band: &Band, gaps: &[Span], size: f32) -> Option<Vec<Vec<f32>>> {
    let mut columns: Vec<Vec<f32>> = vec![Vec::new(); gaps.len() + 1];
    for atom in &band.atoms {
        let line = atom.line()?;
        let places = columns.get_mut(column(&line.bounds, gaps))?;
        places.push(line.baseline);
    }
    for places in &mut columns {
        places.sort_by(f32::total_cmp);
        places.dedup_by(|next, before| *next - *before < 1.0);
    }
    let is_below = |one: &f32, other: &f32| other - one > size * LEAST;
    let are_lines = columns.iter().all(|places| places.is_sorted_by(is_below));
    are_lines.then_some(columns)
}

impl Row {
    fn take(&mut self, columns: Vec<Vec<f32>>) {
        self.bands += 1;
        for (column, mut more) in self.columns.iter_mut().zip(columns) {
            column.append(&mut more);
        }
    }

    fn filled(&self) -> usize {
        let filled = self.columns.iter().filter(|places| !places.is_empty());
        filled.count()
    }

    /// Returns the first and last baseline of each cell.
    fn extents(&self) -> impl Iterator<Item = (f32, f32)> {
        let extent = |places: &Vec<f32>| Some((*places.first()?, *places.last()?));
        self.columns.iter().filter_map(extent)
    }

    /// Whether the cells begin at different heights.
    fn is_uneven(&self) -> bool {
        let first = self.extents().map(|(first, _)| first);
        let (least, most) = first.fold(
            (f32::INFINITY, f32::NEG_INFINITY),
            |(least, most), first| (least.min(first), most.max(first)),
        );
        most - least > 2.0
    }

    /// Whether its cells have a common center and uniform line pitch.
    fn is_centered(&self, size: f32) -> bool {
        let middle = |(first, last)| f32::midpoint(first, last);
        let middles = self.extents().map(middle);
        let (least, most) = middles
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), at| {
                (least.min(at), most.max(at))
            });
        most - least <= size * MIDDLE && self.is_even(size)
    }

    fn is_even(&self, size: f32) -> bool {
        let steps = self.columns.iter().flat_map(|places| {
            let pairs = places.iter().zip(places.iter().skip(1));
            pairs.map(|(one, other)| other - one)
        });
        let (least, most) = steps
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), step| {
                (least.min(step), most.max(step))
            });
        let are_few = self.columns.iter().all(|places| places.len() <= LINES);
        are_few && (most < least || most - least <= size * STEP)
    }
}
