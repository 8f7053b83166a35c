//! Tables without lines: rows of which the cells stand below each other.

use super::atom::Atom;
use super::band::{Band, Span, column};
use super::bidi;
use super::line::Line;
use super::pace;
use super::piece::Piece;
use super::write::is_ideographic;
use crate::model::geometry::Rect;

/// What cells leave free between their texts, in parts of the size.
const PADDING: f32 = 1.1;

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
    let spans = || run.iter().flat_map(|band| &band.taken);
    let mut lefts: Vec<f32> = spans().map(|span| span.0).collect();
    let mut rights: Vec<f32> = spans().map(|span| span.1).collect();
    lefts.sort_by(f32::total_cmp);
    rights.sort_by(f32::total_cmp);
    let grown = |(from, to): &Span| {
        let centre = f32::midpoint(*from, *to);
        let before = rights.partition_point(|right| *right <= centre);
        let from = rights.get(before.checked_sub(1)?)?;
        let to = lefts.get(lefts.partition_point(|left| *left < centre))?;
        Some((*from, *to))
    };
    gaps.iter().filter_map(grown).collect()
}

impl Found {
    /// Where it stands; nowhere if it holds nothing.
    pub(super) fn bounds(&self) -> Option<Rect> {
        let atoms = self.bands.iter().flat_map(|band| &band.atoms);
        Rect::around(atoms.map(Atom::bounds))
    }

    /// Its lines by row and column; it stands within `bounds`.
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

/// Whether most of what stands in a column begins at its left edge, and does not rather end at one place, as numbers do.
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

/// Which bands rows begin with, if the distances between them say so.
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

/// Where the text of each column ends at most: before the next one's where that begins at one place, else where it ends.
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

/// Those of sorted spans that begin between two places.
fn beginning(spans: &[Span], from: f32, to: f32) -> &[Span] {
    let begin = spans.partition_point(|(left, _)| *left < from);
    let rest = spans.get(begin..).unwrap_or_default();
    let end = rest.partition_point(|(left, _)| *left <= to);
    rest.get(..end).unwrap_or_default()
}

/// Whether what stands close below a row goes on with it: only some of its columns, for want of room above.
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

/// Whether the first word of a line would have had room in the line above, which ends at most at `end`, or after the gap before
/// its column where text is read from the right.
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

/// How wide the first word is of a line that begins with this piece; lines of ideographs end after any of them.
pub(super) fn first_word(piece: Option<&Piece>) -> f32 {
    let Some(piece) = piece else { return 0.0 };
    let first = piece.glyphs.first();
    match first.filter(|first| is_ideographic(first.text)) {
        Some(first) => first.bounds.width(),
        None => piece.bounds.width(),
    }
}

/// How many words a line has, or ideographs.
fn words(line: &Line) -> usize {
    let ideographs = line.glyphs().filter(|glyph| is_ideographic(glyph.text));
    let pieces = line.pieces.iter().filter(|piece| !piece.is_close);
    ideographs.count().max(pieces.count())
}

/// Whether a line may be the rest of another one: it looks the same, and is no number below a single word.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A band of nothing that takes the width at these places.
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
    fn each_span_is_looked_at_for_one_column() {
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
