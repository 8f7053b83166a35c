//! Classifies bands with common gaps: text columns, a table, or rows with an accidental gap.

use super::atom::Atom;
use super::band::{Band, Span, column};
use super::flow;
use super::line::Line;
use super::unruled;
use crate::model::geometry::Rect;

/// Tolerance for equal spaces, points.
const EQUAL: f32 = 0.4;

/// Tolerance for one baseline, points.
const LEVEL: f32 = 1.0;

/// The classification of a run of bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Columns,
    /// Certainly columns.
    Flow,
    Table,
    Rows,
}

/// Statistics of a column of a run.
#[derive(Clone, Debug, Default)]
struct Column {
    lines: usize,
    characters: usize,
    width: f32,
    left: f32,
    right: f32,
    has_blocks: bool,
    /// Number of bands in which it is not empty, and in which it has a single line.
    bands: usize,
    single: usize,
}

/// Classifies a run of bands with these gaps.
pub(super) fn kind(run: &[Band], gaps: &[Span], size: f32) -> Kind {
    let columns = columns(run, gaps);
    let both = run
        .iter()
        .filter(|band| band.columns(gaps).len() > 1)
        .count();
    let has_blocks = columns.iter().any(|column| column.has_blocks);
    let single: usize = columns.iter().map(|column| column.single).sum();
    let all: usize = columns.iter().map(|column| column.bands).sum();
    let is_aligned = single * 5 >= all * 4;
    let prose = columns
        .iter()
        .filter(|column| column.is_prose(size))
        .count();
    let is_enough = both >= 3 || both >= 2 && gaps.len() >= 2 && has_numbers(run);
    match () {
        () if run.len() > 1 && is_justified(run) => Kind::Rows,
        () if columns.iter().all(Column::is_column)
            && (flow::is_flow(run, gaps, size) || flow::is_staggered(run, gaps)) =>
        {
            Kind::Flow
        }
        () if !has_blocks && is_aligned && is_enough && prose < columns.len() => Kind::Table,
        () if columns.iter().all(Column::is_column) && (!is_aligned || prose > 0 || has_blocks) => {
            Kind::Columns
        }
        () => Kind::Rows,
    }
}

/// Whether there is text without letters.
fn has_numbers(run: &[Band]) -> bool {
    let mut lines = run
        .iter()
        .flat_map(|band| &band.atoms)
        .filter_map(Atom::line);
    lines.any(|line| !line.glyphs().any(|glyph| glyph.text.is_alphabetic()))
}

/// Whether bands are justified lines with wide word spaces: equal within a line, different between lines.
fn is_justified(run: &[Band]) -> bool {
    let spaces = run.iter().map(|band| {
        let gaps = band.gaps(0.0);
        let widths = || gaps.iter().map(|(from, to)| to - from);
        let (least, most) = (
            widths().fold(f32::INFINITY, f32::min),
            widths().fold(0.0, f32::max),
        );
        (gaps.len() > 1 && most - least < EQUAL).then_some(most)
    });
    let spaces: Option<Vec<f32>> = spaces.collect();
    spaces.is_some_and(|spaces| {
        let pairs = spaces.iter().zip(spaces.iter().skip(1));
        pairs
            .filter(|(one, other)| (*one - *other).abs() > EQUAL)
            .count()
            * 2
            >= run.len() - 1
    })
}

impl Column {
    /// Whether its lines are paragraphs: long and mostly full.
    fn is_prose(&self, size: f32) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "there are not so many lines")]
        let lines = self.lines.max(1) as f32;
        let wide = (self.right - self.left).max(1.0);
        self.lines >= 3
            && self.characters >= self.lines * 20
            && wide >= size * 9.0
            && self.width / lines >= wide * 0.62
    }

    fn is_column(&self) -> bool {
        self.has_blocks || self.lines >= 2
    }

    fn note(&mut self, part: &Part) {
        self.left = if self.lines == 0 {
            part.bounds.left
        } else {
            self.left.min(part.bounds.left)
        };
        self.right = self.right.max(part.bounds.right);
        self.lines += 1;
        self.width += part.bounds.width();
        self.characters += part.characters;
    }
}

/// Content of one column at one height, or something other than a line.
struct Part {
    column: usize,
    bounds: Rect,
    baseline: f32,
    characters: usize,
    is_line: bool,
}

/// Returns the parts of a band; spaced words on one baseline are one line.
fn parts(band: &Band, gaps: &[Span]) -> Vec<Part> {
    let parts = band.atoms.iter().map(|atom| Part {
        column: column(&atom.bounds(), gaps),
        bounds: atom.bounds(),
        baseline: atom.line().map_or(0.0, |line| line.baseline),
        characters: atom.line().map_or(0, |line| line.glyphs().count()),
        is_line: atom.line().is_some(),
    });
    let mut parts: Vec<Part> = parts.collect();
    parts.sort_by(|one, other| {
        let baseline = one.baseline.total_cmp(&other.baseline);
        one.column.cmp(&other.column).then(baseline)
    });
    parts.dedup_by(|next, before| {
        let is_one = next.column == before.column
            && next.is_line
            && before.is_line
            && next.baseline - before.baseline < LEVEL;
        if is_one {
            before.bounds = before.bounds.union(&next.bounds);
            before.characters += next.characters;
        }
        is_one
    });
    parts
}

fn columns(run: &[Band], gaps: &[Span]) -> Vec<Column> {
    let mut columns = vec![Column::default(); gaps.len() + 1];
    for band in run {
        let mut lines = vec![0_usize; gaps.len() + 1];
        for part in parts(band, gaps) {
            let Some((column, lines)) =
                columns.get_mut(part.column).zip(lines.get_mut(part.column))
            else {
                continue;
            };
            match part.is_line {
                true => column.note(&part),
                false => column.has_blocks = true,
            }
            *lines += 1;
        }
        for (column, lines) in columns.iter_mut().zip(lines) {
            column.bands += usize::from(lines > 0);
            column.single += usize::from(lines == 1);
        }
    }
    columns
}

/// Returns how many bands from the first one belong to one table. Text in one column ends it, unless it continues the row
/// above.
pub(super) fn table_end(run: &[Band], gaps: &[Span], size: f32) -> usize {
    let mut end = 1;
    let mut before = run.first().map_or(0.0, |band| band.bottom);
    let steps: Vec<f32> = run
        .windows(2)
        .filter_map(|pair| Some(pair.get(1)?.top - pair.first()?.bottom))
        .collect();
    let usual = median(steps);
    let grown = unruled::gaps(run, gaps);
    let limits = unruled::limits(run, &grown, size);
    for (index, band) in run.iter().enumerate().skip(1) {
        let space = band.top - before;
        let is_row = band.columns(gaps).len() > 1;
        let is_far = space > usual.max(size * 0.3) * 2.0 + size * 0.5;
        if is_far && !is_row || space > usual.max(size) * 3.0 {
            break;
        }
        let above = index.checked_sub(1).and_then(|index| run.get(index));
        let goes_on = || above.is_some_and(|above| goes_on(above, band, &grown, &limits));
        if is_row || space <= size * 0.75 && (band.columns(gaps) != [0] || goes_on()) {
            end = index + 1;
        }
        before = band.bottom;
    }
    end
}

/// Whether a band only contains wrapped lines of the one above.
fn goes_on(above: &Band, band: &Band, gaps: &[Span], limits: &[f32]) -> bool {
    let mut row: Vec<Vec<Line>> = vec![Vec::new(); gaps.len() + 1];
    for atom in &above.atoms {
        let cell = row.get_mut(column(&atom.bounds(), gaps));
        if let (Some(cell), Some(line)) = (cell, atom.line()) {
            cell.push(line.clone());
        }
    }
    unruled::goes_on(band, gaps, limits, Some(&row))
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
