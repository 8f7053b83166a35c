//! Tables without lines whose cells stand in the middle of the height of their rows, as browsers put them: what has fewer lines
//! than another cell of its row begins below the first of these, and ends above the last.

use crate::analysis::band::{Band, Span, column};
use crate::analysis::pace;

/// How unlike the middles of the cells of one row are at most, and the distances of lines of one cell, in parts of the size.
const MIDDLE: f32 = 0.15;
const STEP: f32 = 0.1;
/// How far from each other the lines of a cell are at least, in parts of the size.
const LEAST: f32 = 0.8;
/// The fewest rows, and how many of these have cells of unlike heights at least.
const ROWS: usize = 3;
const UNEVEN: usize = 2;
/// Most lines of a cell.
const LINES: usize = 12;

/// Which bands rows begin with, if bands are those of such a table.
pub(in super::super) fn starts(run: &[Band], gaps: &[Span], size: f32) -> Option<Vec<bool>> {
    let rows = rows(run, gaps, size)?;
    let centred = || rows.iter().filter(|row| row.is_centred(size));
    let uneven = centred().filter(|row| row.is_uneven()).count();
    let odd = rows.len() - centred().count();
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

/// Bands that are nearer to each other than rows are.
struct Row {
    bands: usize,
    /// Where the lines of each column stand, from top to bottom.
    columns: Vec<Vec<f32>>,
}

/// What bands are rows by the distances between lines; none where these say nothing.
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

/// The largest distance between the lines of a cell.
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

/// Where the lines of a band stand, by column; none where something else stands there, or lines over each other.
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

    /// From where to where the lines of each cell stand.
    fn extents(&self) -> impl Iterator<Item = (f32, f32)> {
        let extent = |places: &Vec<f32>| Some((*places.first()?, *places.last()?));
        self.columns.iter().filter_map(extent)
    }

    /// Whether a cell begins below where another one does.
    fn is_uneven(&self) -> bool {
        let first = self.extents().map(|(first, _)| first);
        let (least, most) = first.fold(
            (f32::INFINITY, f32::NEG_INFINITY),
            |(least, most), first| (least.min(first), most.max(first)),
        );
        most - least > 2.0
    }

    /// Whether the middles of its cells are on one height, and their lines equally far from each other.
    fn is_centred(&self, size: f32) -> bool {
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
