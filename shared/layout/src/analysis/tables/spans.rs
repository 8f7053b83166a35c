//! Detects spanning cells in borderless tables: column group headers, row group headers, and totals.

use crate::model::block::{Block, Cell, Content, Table};
use crate::model::geometry::Rect;
use crate::model::text::plain;

/// Tolerance for aligned starts and ends, and for aligned centers, points.
const ALIKE: f32 = 1.5;
const CENTERED: f32 = 4.0;
/// Maximum ratio of the distances of a header's center from the center of several columns and from that of its own column.
const NEARER: f32 = 0.6;
/// Maximum number of columns of a table that is examined.
const COLUMNS: usize = 64;
/// Maximum number of rows of column group headers.
const TITLES: usize = 3;

/// Widens cells to the columns that they head; `bounds` are those of the table, whose columns are in reading order.
pub(in crate::analysis) fn widen(table: &mut Table, bounds: Rect, from_right: bool) {
    if !(2..=COLUMNS).contains(&table.widths.len()) || table.rows < 2 {
        return;
    }
    let rows = Rows::of(table, bounds, from_right);
    let titles = rows.titles();
    let mut spans: Vec<(usize, usize, usize)> = Vec::new();
    for row in 0..titles {
        spans.extend(rows.over_columns(row));
    }
    spans.extend(rows.over_rows(titles));
    spans.extend(rows.sums(titles));
    if titles > 0 {
        table.header_rows = table.header_rows.max(titles + 1).min(table.rows - 1);
    }
    for (cell, column, column_span) in spans {
        if let Some(cell) = table.cells.get_mut(cell) {
            (cell.column, cell.column_span) = (column, column_span);
        }
    }
    table.cells.sort_by_key(|cell| (cell.row, cell.column));
}

/// A cell with its extent.
struct Known {
    /// Index of the cell in the table.
    number: usize,
    column: usize,
    column_span: usize,
    row_span: usize,
    /// Extent of its text in reading direction.
    from: f32,
    to: f32,
    has_letters: bool,
    is_bold: bool,
}

struct Rows {
    rows: Vec<Vec<Known>>,
    columns: usize,
    /// Column boundaries in reading direction.
    edges: Vec<f32>,
    /// Extent of the text of each column.
    extents: Vec<(f32, f32)>,
}

impl Rows {
    fn of(table: &Table, bounds: Rect, from_right: bool) -> Self {
        let mut rows: Vec<Vec<Known>> = Vec::new();
        rows.resize_with(table.rows, Vec::new);
        for (number, cell) in table.cells.iter().enumerate() {
            let known = Known::of(number, cell, from_right);
            rows.get_mut(cell.row)
                .into_iter()
                .zip(known)
                .for_each(|(row, known)| row.push(known));
        }
        let mut edge = if from_right {
            -bounds.right
        } else {
            bounds.left
        };
        let mut edges = vec![edge];
        edges.extend(table.widths.iter().map(|width| {
            edge += width;
            edge
        }));
        let columns = table.widths.len();
        let mut extents = vec![(f32::INFINITY, f32::NEG_INFINITY); columns];
        // Only full rows count, because headers extend beyond their column.
        for known in rows.iter().filter(|row| row.len() == columns).flatten() {
            if let Some((from, to)) = extents.get_mut(known.column) {
                (*from, *to) = (from.min(known.from), to.max(known.to));
            }
        }
        Self {
            rows,
            columns,
            edges,
            extents,
        }
    }

    fn row(&self, row: usize) -> &[Known] {
        self.rows.get(row).map_or(&[], Vec::as_slice)
    }

    fn is_full(&self, row: usize) -> bool {
        let filled = self.row(row).iter().map(|known| known.column_span);
        filled.sum::<usize>() >= self.columns
    }

    /// Returns the number of rows with column group headers at the top: the row below has a header for each grouped column.
    fn titles(&self) -> usize {
        let most = self.rows.len().saturating_sub(2).min(TITLES);
        let is_title = |row: &usize| {
            let here = self.row(*row);
            !here.is_empty()
                && !self.is_full(*row)
                && here
                    .iter()
                    .all(|known| known.has_letters && known.row_span == 1)
                && self.row(row + 1).len() > here.len()
        };
        let count = (0..most).take_while(is_title).count();
        match count > 0 && self.are_names(count) {
            true => count,
            false => 0,
        }
    }

    /// Whether a row contains column headers: one for each column except the first, with numbers below some of them or in bold.
    fn are_names(&self, row: usize) -> bool {
        let here = self.row(row);
        let is_whole = here.iter().all(|known| known.has_letters)
            && here.iter().filter(|known| known.column > 0).count() + 1 >= self.columns;
        let below = self.rows.get(row + 1..).unwrap_or_default();
        let has_numbers = |column: usize| {
            let cells = || {
                below
                    .iter()
                    .flatten()
                    .filter(|known| known.column == column)
            };
            let numbers = cells().filter(|known| !known.has_letters).count();
            numbers > 0 && numbers * 2 >= cells().count()
        };
        let are_bold = || {
            here.iter().all(|known| known.is_bold)
                && !below.iter().flatten().all(|known| known.is_bold)
        };
        is_whole && ((0..self.columns).any(has_numbers) || are_bold())
    }

    /// Returns the column spans of the cells of a header row.
    fn over_columns(&self, row: usize) -> Vec<(usize, usize, usize)> {
        let here = self.row(row);
        let mut spans = Vec::new();
        let mut free = 0;
        for (index, known) in here.iter().enumerate() {
            let end = here.get(index + 1).map_or(self.columns, |next| next.column);
            let (column, last) = self.reach(known, free, end);
            if last > column + known.column_span || column < known.column {
                spans.push((known.number, column, last - column));
            }
            free = last.max(known.column + known.column_span);
        }
        spans
    }

    /// Returns the first column and the end (exclusive) of the columns that a header spans, among those free for it.
    fn reach(&self, known: &Known, free: usize, end: usize) -> (usize, usize) {
        let own = (known.column, known.column + known.column_span);
        let Some(extent) = self.extents.get(known.column).copied() else {
            return own;
        };
        // A header above the first column alone heads the rows.
        let first = if known.column == 0 { 0 } else { free.max(1) };
        let middle = f32::midpoint(known.from, known.to);
        let centered = |from: usize, to: usize| {
            let edges = self.edges.get(from).zip(self.edges.get(to));
            edges.map_or(f32::INFINITY, |(from, to)| {
                (f32::midpoint(*from, *to) - middle).abs()
            })
        };
        let wider = (first..=known.column)
            .flat_map(|from| (own.1..=end).map(move |to| (from, to)))
            .filter(|(from, to)| to - from > own.1 - own.0);
        let best = wider
            .min_by(|one, other| centered(one.0, one.1).total_cmp(&centered(other.0, other.1)));
        match best {
            Some(best) if centered(best.0, best.1) < CENTERED.min(centered(own.0, own.1)) => best,
            _ if (known.from - extent.0).abs() < ALIKE => (known.column, end),
            _ if (known.to - extent.1).abs() < ALIKE => (first, own.1),
            Some(best) if centered(best.0, best.1) < centered(own.0, own.1) * NEARER => best,
            // It begins inside its own column and is not centered on it.
            _ if known.from > extent.0 + ALIKE => (known.column, end),
            _ => own,
        }
    }

    /// Returns the row group headers: single cells among full rows.
    fn over_rows(&self, titles: usize) -> Vec<(usize, usize, usize)> {
        let is_alone = |row: &usize| self.row(*row).len() == 1 && self.columns > 2;
        let body = || titles..self.rows.len();
        let others = body().filter(|row| !is_alone(row)).count();
        if others < 2 || !self.are_dense(titles) {
            return Vec::new();
        }
        let alone = body().filter(|row| is_alone(row) && row + 1 < self.rows.len());
        let first = alone.filter_map(|row| self.row(row).first());
        let first =
            first.filter(|known| known.column == 0 && known.column_span == 1 && known.has_letters);
        first.map(|known| (known.number, 0, self.columns)).collect()
    }

    /// Returns the labels of totals at the end, which span up to the totals.
    fn sums(&self, titles: usize) -> Vec<(usize, usize, usize)> {
        if self.columns < 3 || !self.are_dense(titles) {
            return Vec::new();
        }
        let rows = (titles..self.rows.len()).rev();
        let sums = rows.take_while(|row| self.is_sum(*row));
        let spans = sums.filter_map(|row| {
            let [name, first, ..] = self.row(row) else {
                return None;
            };
            Some((name.number, 0, first.column))
        });
        spans.collect()
    }

    /// Whether a row has a label, empty cells, and then numbers up to its end.
    fn is_sum(&self, row: usize) -> bool {
        let [name, sums @ ..] = self.row(row) else {
            return false;
        };
        name.column == 0
            && name.column_span == 1
            && name.has_letters
            && sums.first().is_some_and(|first| first.column > 1)
            && sums.iter().all(|sum| !sum.has_letters)
            && sums.iter().map(|sum| sum.column_span).sum::<usize>()
                + sums.first().map_or(0, |first| first.column)
                == self.columns
    }

    /// Whether all rows except row group headers and totals are full.
    fn are_dense(&self, titles: usize) -> bool {
        let sums = (titles..self.rows.len())
            .rev()
            .take_while(|row| self.is_sum(*row));
        let end = self.rows.len() - sums.count();
        let body = || (titles..end).filter(|row| self.row(*row).len() != 1);
        body().count() > 1 && body().all(|row| self.is_full(row))
    }
}

impl Known {
    fn of(number: usize, cell: &Cell, from_right: bool) -> Option<Self> {
        let bounds = Rect::around(cell.blocks.iter().filter_map(|block| block.bounds))?;
        let (from, to) = match from_right {
            false => (bounds.left, bounds.right),
            true => (-bounds.right, -bounds.left),
        };
        let runs = || cell.blocks.iter().flat_map(runs);
        Some(Self {
            number,
            column: cell.column,
            column_span: cell.column_span,
            row_span: cell.row_span,
            from,
            to,
            has_letters: plain_text(&cell.blocks).chars().any(char::is_alphabetic),
            is_bold: runs().all(|run| run.style.bold),
        })
    }
}

fn runs(block: &Block) -> &[crate::Run] {
    match &block.content {
        Content::Paragraph { runs, .. } | Content::Heading { runs, .. } => runs,
        _ => &[],
    }
}

fn plain_text(blocks: &[Block]) -> String {
    blocks.iter().map(|block| plain(runs(block))).collect()
}
