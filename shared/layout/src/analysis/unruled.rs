//! Detection of borderless tables: rows with aligned cells.

use super::atom::Atom;
use super::band::{Band, Span, column};
use super::bidi;
use super::line::Line;
use super::pace;
use super::piece::Piece;
use super::write::is_ideographic;
use crate::model::geometry::Rect;

/// Cell padding between texts, as a fraction of the font size.
const PADDING: f32 = 1.1;

/// Bands that are rows of a table, and the gaps between its columns.
pub(super) struct Found {
    pub(super) bands: Vec<Band>,
    pub(super) gaps: Vec<Span>,
    /// Which bands begin a row, if known.
    pub(super) starts: Option<Vec<bool>>,
}

/// Lines of a table by row and column.
pub(super) struct Cells {
    pub(super) widths: Vec<f32>,
    pub(super) rows: usize,
    /// Row, column and lines of each cell.
    pub(super) cells: Vec<(usize, usize, Vec<Line>)>,
    pub(super) confidence: f32,
}

/// Recomputes the gaps of a complete run: they may have become wider, and new ones may have appeared.
pub(super) fn gaps(run: &[Band], gaps: &[Span]) -> Vec<Span> {
    let spans = || run.iter().flat_map(|band| &band.taken);
    let mut lefts: Vec<f32> = spans().map(|span| span.0).collect();
    let mut rights: Vec<f32> = spans().map(|span| span.1).collect();
    lefts.sort_by(f32::total_cmp);
    rights.sort_by(f32::total_cmp);
    let grown = |(from, to): &Span| {
        let center = f32::midpoint(*from, *to);
        let before = rights.partition_point(|right| *right <= center);
        let from = rights.get(before.checked_sub(1)?)?;
        let to = lefts.get(lefts.partition_point(|left| *left < center))?;
        Some((*from, *to))
    };
    gaps.iter().filter_map(grown).collect()
}

impl Found {
    /// Returns the bounds; `None` if it is empty.
    pub(super) fn bounds(&self) -> Option<Rect> {
        let atoms = self.bands.iter().flat_map(|band| &band.atoms);
        Rect::around(atoms.map(Atom::bounds))
    }

    /// Returns the lines by row and column; `bounds` are those of the table.
    pub(super) fn cells(self, size: f32, bounds: Rect) -> Cells {
        let limits = limits(&self.bands, &self.gaps, size);
        let paced = by_pace(&self.bands, &self.gaps);
        let mut rows: Vec<Vec<Vec<Line>>> = Vec::new();
        let mut bottom = f32::NEG_INFINITY;
        let Self {
            bands,
            gaps,
            starts,
        } = self;
        let starts = starts.or(paced);
        for (index, band) in bands.into_iter().enumerate() {
            let goes_on = match &starts {
                Some(starts) => starts.get(index) == Some(&false),
                None => {
                    band.top - bottom <= size * 0.75 && goes_on(&band, &gaps, &limits, rows.last())
                }
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
                if let (Some(cell), Atom::Line(line)) = (cell, atom) {
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
        Cells {
            widths,
            rows: rows.len(),
            cells: numbered(rows),
            confidence,
        }
    }
}

/// Whether most content of a column is aligned at its left edge instead of its right edge, as numbers are.
pub(super) fn begin_at(edge: f32, spans: impl Iterator<Item = Span>) -> bool {
    let spans: Vec<Span> = spans.collect();
    let most = spans
        .iter()
        .map(|(_, right)| *right)
        .fold(f32::NEG_INFINITY, f32::max);
    let at_left = spans.iter().filter(|(left, _)| left - edge < 1.5).count();
    let at_right = spans.iter().filter(|(_, right)| most - right < 1.5).count();
    at_left * 5 >= spans.len() * 3 && at_left > at_right
}

/// Returns which bands begin a row, if the line pitch is conclusive.
fn by_pace(bands: &[Band], gaps: &[Span]) -> Option<Vec<bool>> {
    let texts: Vec<pace::Text> = bands.iter().map(|band| text(band, gaps)).collect();
    pace::starts(&texts)
}

fn text(band: &Band, gaps: &[Span]) -> pace::Text {
    let lines = || band.atoms.iter().filter_map(|atom| atom.line());
    let parts = lines().map(|line| {
        let from_right = bidi::is_mostly_from_right(line.glyphs().map(|glyph| glyph.text));
        let first = match from_right {
            false => line.pieces.first(),
            true => line.pieces.last(),
        };
        pace::Part {
            column: column(&line.bounds, gaps),
            left: line.bounds.left,
            right: line.bounds.right,
            first: first_word(first),
            words: words(line),
            has_letters: line.glyphs().any(|glyph| glyph.text.is_alphabetic()),
            is_bold: line.glyphs().next().is_some_and(|glyph| glyph.font.is_bold),
            from_right,
        }
    });
    pace::Text {
        place: lines()
            .map(|line| line.baseline)
            .fold(f32::INFINITY, f32::min),
        size: lines().map(|line| line.size).fold(0.0, f32::max),
        parts: parts.collect(),
    }
}

/// Returns the maximum end of the text of each column: before the next column if that is left-aligned, otherwise its own end.
pub(super) fn limits(run: &[Band], gaps: &[Span], size: f32) -> Vec<f32> {
    let spans = run.iter().flat_map(|band| &band.atoms).map(Atom::bounds);
    let mut spans: Vec<Span> = spans.map(|bounds| (bounds.left, bounds.right)).collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let limit = |(from, to): &Span| {
        let next = gaps.get(gaps.partition_point(|(next, _)| next <= to));
        let end = next.map_or(f32::INFINITY, |(next, _)| *next);
        let inside = beginning(&spans, to - 0.5, end + 0.5).iter().copied();
        match begin_at(*to, inside.filter(|(_, right)| *right <= end + 0.5)) {
            true => from.max(to - size * PADDING),
            false => *from,
        }
    };
    gaps.iter().map(limit).collect()
}

/// Returns the sorted spans that begin between two positions.
fn beginning(spans: &[Span], from: f32, to: f32) -> &[Span] {
    let begin = spans.partition_point(|(left, _)| *left < from);
    let rest = spans.get(begin..).unwrap_or_default();
    let end = rest.partition_point(|(left, _)| *left <= to);
    rest.get(..end).unwrap_or_default()
}

/// Whether a band directly below a row continues it: it fills only some columns, and did not fit above.
pub(super) fn goes_on(
    band: &Band,
    gaps: &[Span],
    limits: &[f32],
    row: Option<&Vec<Vec<Line>>>,
) -> bool {
    let Some(row) = row else { return false };
    let filled = row.iter().filter(|cell| !cell.is_empty()).count();
    band.columns(gaps).len() < filled.max(2)
        && band.atoms.iter().all(|atom| {
            let column = column(&atom.bounds(), gaps);
            let above = row.get(column).and_then(|cell| cell.last());
            let end = limits.get(column).copied();
            above.zip(atom.line()).is_some_and(|(above, line)| {
                !had_room(
                    above,
                    line,
                    end,
                    column.checked_sub(1).and_then(|before| gaps.get(before)),
                ) && goes_on_with(above, line)
            })
        })
}

/// Whether the first word of a line would have fit in the line above, which may end at `end`, or after the gap before its
/// column in right-to-left text.
fn had_room(above: &Line, line: &Line, end: Option<f32>, before: Option<&Span>) -> bool {
    let space = above.size * 0.25;
    match bidi::is_mostly_from_right(line.glyphs().map(|glyph| glyph.text)) {
        false => end
            .is_some_and(|end| above.bounds.right + space + first_word(line.pieces.first()) <= end),
        true => before.is_some_and(|(_, start)| {
            above.bounds.left - space - first_word(line.pieces.last()) >= *start
        }),
    }
}

/// Returns the width of the first word from this piece on; a line of ideographs can break after any of them.
pub(super) fn first_word(piece: Option<&Piece>) -> f32 {
    let Some(piece) = piece else { return 0.0 };
    let first = piece.glyphs.first();
    match first.filter(|first| is_ideographic(first.text)) {
        Some(first) => first.bounds.width(),
        None => piece.bounds.width(),
    }
}

/// Returns the number of words or ideographs of a line.
fn words(line: &Line) -> usize {
    let ideographs = line.glyphs().filter(|glyph| is_ideographic(glyph.text));
    let pieces = line.pieces.iter().filter(|piece| !piece.is_close);
    ideographs.count().max(pieces.count())
}

/// Whether a line may continue another one: same style, and not a number below a single word.
fn goes_on_with(above: &Line, line: &Line) -> bool {
    let bold = |line: &Line| line.glyphs().next().is_some_and(|glyph| glyph.font.is_bold);
    let is_number = line.glyphs().all(|glyph| !glyph.text.is_alphabetic());
    bold(above) == bold(line) && !(is_number && words(above) < 2)
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

/// Returns the confidence: the fraction of lines that are aligned in their columns (left, right or centered), and the number of
/// rows.
fn confidence(rows: &[Vec<Vec<Line>>]) -> f32 {
    let columns = rows.first().map_or(0, Vec::len);
    let shares: Vec<f32> = (0..columns)
        .map(|number| {
            let cells = rows.iter().filter_map(|row| row.get(number));
            let lines: Vec<&Line> = cells.filter_map(|cell| cell.first()).collect();
            let places: [fn(&Line) -> f32; 3] = [
                |line| line.bounds.left,
                |line| line.bounds.right,
                |line| line.bounds.center().0,
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

/// Returns the fraction of values near the median.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates an empty band that occupies these intervals.
    fn band(taken: &[Span]) -> Band {
        Band {
            atoms: Vec::new(),
            top: 0.0,
            bottom: 1.0,
            taken: taken.to_vec(),
        }
    }

    #[test]
    fn gaps_reach_from_text_to_text_and_have_some_on_both_sides() {
        let run = [
            band(&[(0.0, 10.0), (30.0, 40.0)]),
            band(&[(5.0, 14.0), (26.0, 60.0)]),
        ];
        let known = [(-20.0, -5.0), (15.0, 20.0), (70.0, 90.0)];
        assert_eq!(gaps(&run, &known), [(14.0, 26.0)]);
    }

    #[test]
    fn each_span_is_examined_for_one_column() {
        let spans: Vec<Span> = (0..1_000_u16)
            .map(|column| (f32::from(column) * 10.0, f32::from(column) * 10.0 + 5.0))
            .collect();
        let between = |column: u16| {
            let from = f32::from(column) * 10.0;
            beginning(&spans, from - 0.5, from + 5.5)
        };
        let looked_at: usize = (0..1_000).map(|column| between(column).len()).sum();
        assert_eq!(looked_at, 1_000);
        assert_eq!(between(7), [(70.0, 75.0)]);
    }
}
