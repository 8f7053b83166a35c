//! Tables without lines: rows of which the cells stand below each other.

use super::band::{Band, Span, column};
use super::line::Line;
use crate::geometry::Rect;

/// Bands that are the rows of a table, and the gaps between its columns.
pub(super) struct Found {
    pub(super) bands: Vec<Band>,
    pub(super) gaps: Vec<Span>,
    /// Which bands rows begin with, where that is known.
    pub(super) starts: Option<Vec<bool>>,
}

/// A table of lines by row and column.
pub(super) struct Cells {
    pub(super) widths: Vec<f32>,
    pub(super) rows: usize,
    /// Row, column and what stands there.
    pub(super) cells: Vec<(usize, usize, Vec<Line>)>,
    pub(super) confidence: f32,
}

/// The gaps between the columns of a run once it has its end: they may have grown, and more may have become free.
pub(super) fn gaps(run: &[Band], gaps: &[Span]) -> Vec<Span> {
    let grown = |(from, to): &Span| {
        let centre = f32::midpoint(*from, *to);
        let spans = || run.iter().flat_map(|band| &band.taken);
        let from = spans()
            .map(|span| span.1)
            .filter(|right| *right <= centre)
            .fold(f32::NEG_INFINITY, f32::max);
        let to = spans()
            .map(|span| span.0)
            .filter(|left| *left >= centre)
            .fold(f32::INFINITY, f32::min);
        (from, to)
    };
    let gaps: Vec<Span> = gaps.iter().map(grown).collect();
    gaps.into_iter()
        .filter(|(from, to)| from.is_finite() && to.is_finite())
        .collect()
}

impl Found {
    /// Its lines by row and column.
    pub(super) fn cells(self, size: f32) -> Option<Cells> {
        let bounds = Rect::around(
            self.bands
                .iter()
                .flat_map(|band| &band.atoms)
                .map(|atom| atom.bounds()),
        )?;
        let mut rows: Vec<Vec<Vec<Line>>> = Vec::new();
        let mut bottom = f32::NEG_INFINITY;
        let Self {
            bands,
            gaps,
            starts,
        } = self;
        for (index, band) in bands.into_iter().enumerate() {
            let goes_on = match &starts {
                Some(starts) => starts.get(index) == Some(&false),
                None => band.top - bottom <= size * 0.75 && goes_on(&band, &gaps, rows.last()),
            };
            bottom = band.bottom;
            if !goes_on || rows.is_empty() {
                let mut row = Vec::new();
                row.resize_with(gaps.len() + 1, Vec::new);
                rows.push(row);
            }
            for atom in band.atoms {
                let cell = rows
                    .last_mut()
                    .and_then(|row| row.get_mut(column(&atom.bounds(), &gaps)));
                if let (Some(cell), super::atom::Atom::Line(line)) = (cell, atom) {
                    cell.push(line);
                }
            }
        }
        let confidence = confidence(&rows);
        let edges = gaps
            .iter()
            .map(|(from, to)| f32::midpoint(*from, *to))
            .chain([bounds.right]);
        let mut left = bounds.left;
        let widths = edges
            .map(|edge| edge - std::mem::replace(&mut left, edge))
            .collect();
        Some(Cells {
            widths,
            rows: rows.len(),
            cells: numbered(rows),
            confidence,
        })
    }
}

/// Whether what stands close below a row goes on with it: only some of its columns, for want of room above.
pub(super) fn goes_on(band: &Band, gaps: &[Span], row: Option<&Vec<Vec<Line>>>) -> bool {
    let Some(row) = row else { return false };
    let filled = row.iter().filter(|cell| !cell.is_empty()).count();
    band.columns(gaps).len() < filled.max(2)
        && band.atoms.iter().all(|atom| {
            let column = column(&atom.bounds(), gaps);
            let above = row.get(column).and_then(|cell| cell.last());
            let word = atom.line().and_then(|line| line.pieces.first());
            let end = gaps.get(column).map(|(from, _)| *from);
            let needed = |above: &Line| {
                let word = word.map_or(0.0, |word| word.bounds.width());
                end.is_none_or(|end| above.bounds.right + above.size * 0.25 + word > end)
            };
            above.is_some_and(needed)
        })
}

fn numbered(rows: Vec<Vec<Vec<Line>>>) -> Vec<(usize, usize, Vec<Line>)> {
    let rows = rows.into_iter().enumerate();
    let cells = rows.flat_map(|(number, row)| {
        row.into_iter()
            .enumerate()
            .map(move |(column, lines)| (number, column, lines))
    });
    cells.filter(|(.., lines)| !lines.is_empty()).collect()
}

/// By how many of the lines stand below each other in their columns, at either edge or in the middle, and how many rows say so.
fn confidence(rows: &[Vec<Vec<Line>>]) -> f32 {
    let columns = rows.first().map_or(0, Vec::len);
    let shares: Vec<f32> = (0..columns)
        .map(|number| {
            let cells = rows.iter().filter_map(|row| row.get(number));
            let lines: Vec<&Line> = cells.filter_map(|cell| cell.first()).collect();
            let places: [fn(&Line) -> f32; 3] = [
                |line| line.bounds.left,
                |line| line.bounds.right,
                |line| line.bounds.centre().0,
            ];
            places
                .iter()
                .map(|place| share(lines.iter().map(|line| place(line))))
                .fold(0.0, f32::max)
        })
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "there are not so many rows")]
    let (columns, rows) = (columns.max(1) as f32, rows.len() as f32);
    let aligned = shares.iter().sum::<f32>() / columns;
    (aligned * (1.0 - 0.6 / rows.max(1.0)) * 0.95).clamp(0.0, 1.0)
}

/// The part of values that are near the one in their middle.
fn share(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    let Some(middle) = values.get(values.len() / 2) else {
        return 0.0;
    };
    let near = values
        .iter()
        .filter(|value| (*value - middle).abs() <= 2.5)
        .count();
    #[expect(clippy::cast_precision_loss, reason = "there are not so many rows")]
    let share = near as f32 / values.len().max(1) as f32;
    share
}
