//! Groups texts into rows: a wrapped line belongs to the row above.

use super::columns::Columns;
use crate::analysis::tables::line_pitch;
use crate::analysis::tables::segment::{Segment, Text};

/// Maximum space between lines of a cell, as a fraction of the font size.
const SPACE: f32 = 0.75;

/// Maximum distance of the centers of cells of a row, as a fraction of the font size.
const CENTER: f32 = 0.3;

/// Maximum distance of lines of a row that continues in all its cells, as a fraction of the distance of rows.
const CLOSER: f32 = 0.95;
/// Width of a word space, points.
const WORD_SPACE: f32 = 2.0;
/// Minimum number of lines that are examined for wrapped cells, and maximum number of lines of such a row.
const LINES: usize = 3;
const WRAPPED: usize = 14;
/// Maximum number of lines of a header.
const HEAD: usize = 5;

/// A table row.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis::tables) struct Row {
    pub(in crate::analysis::tables) top: f32,
    pub(in crate::analysis::tables) bottom: f32,
    /// First and last column of each segment.
    taken: Vec<(usize, usize)>,
    /// The last segment of each column.
    last: Vec<(usize, Segment)>,
}

/// Groups the texts between two rules into rows.
pub(in crate::analysis::tables) fn rows(texts: &[Text], columns: &Columns) -> Vec<Row> {
    let is_bold = |text: &&Text| text.segments.iter().all(|segment| segment.is_bold);
    let head = texts.iter().take_while(is_bold).count();
    if (2..=HEAD).contains(&head) && head < texts.len() {
        let (head, body) = texts.split_at(head);
        let mut head = gathered(head, columns);
        Row::join_wrapped(&mut head, columns.count());
        head.extend(gathered(body, columns));
        return head;
    }
    gathered(texts, columns)
}

fn gathered(texts: &[Text], columns: &Columns) -> Vec<Row> {
    let starts = centered(texts, columns)
        .or_else(|| by_pace(texts, columns))
        .or_else(|| wrapped(texts, columns));
    let (rows, pitch) = grouped(texts, columns, starts.as_deref(), f32::INFINITY);
    match starts {
        Some(_) => rows,
        // All cells of a row do not continue in lines as far apart as rows.
        None => grouped(texts, columns, None, pitch * CLOSER).0,
    }
}

/// Returns the rows with these starts, or else those that begin where a text does not continue all cells above it or is not
/// nearer than `pitch`; and the smallest distance of a row from the line above it.
fn grouped(
    texts: &[Text],
    columns: &Columns,
    starts: Option<&[bool]>,
    pitch: f32,
) -> (Vec<Row>, f32) {
    let mut rows: Vec<Row> = Vec::new();
    let mut least = f32::INFINITY;
    for (index, text) in texts.iter().enumerate() {
        let above = index.checked_sub(1).and_then(|above| texts.get(above));
        let step = above.map_or(f32::INFINITY, |above| text.baseline - above.baseline);
        let is_near = |row: &Row| {
            columns.are_drawn || step < pitch || text.segments.len() < row.last.len().max(2)
        };
        let goes_on = |row: &&mut Row| match starts {
            Some(starts) => starts.get(index) == Some(&false),
            None => is_near(row) && row.goes_on_with(text, columns),
        };
        match rows.last_mut().filter(goes_on) {
            Some(row) => row.take(text, columns),
            None => {
                let mut row = Row {
                    top: text.baseline - text.size * 0.75,
                    ..Row::default()
                };
                row.take(text, columns);
                rows.push(row);
                least = least.min(step);
            }
        }
    }
    (rows, least)
}

/// Returns which texts begin a row of a table with wrapped cells: rows are further apart than lines, or only the first line of a
/// row has text in the first column.
fn wrapped(texts: &[Text], columns: &Columns) -> Option<Vec<bool>> {
    if columns.are_drawn || texts.len() < LINES {
        return None;
    }
    let parts: Vec<Vec<(usize, &Segment)>> = texts
        .iter()
        .map(|text| {
            text.segments
                .iter()
                .map(|segment| (columns.of_segment(segment).0, segment))
                .collect()
        })
        .collect();
    let pairs = texts.iter().zip(texts.iter().skip(1));
    let steps: Vec<f32> = pairs
        .map(|(one, next)| next.baseline - one.baseline)
        .collect();
    let size = texts.iter().map(|text| text.size).fold(0.0, f32::max);
    let limit = gap(&steps, size);
    let spaced = limit.map(|limit| {
        let goes_on = steps.iter().map(|step| *step > limit);
        [true].into_iter().chain(goes_on).collect::<Vec<bool>>()
    });
    let from_right = texts
        .iter()
        .flat_map(|text| &text.segments)
        .filter(|segment| segment.from_right)
        .count()
        * 2
        > texts.iter().map(|text| text.segments.len()).sum();
    let key = if from_right { columns.count() - 1 } else { 0 };
    let keyed: Vec<bool> = parts
        .iter()
        .map(|parts| parts.iter().any(|(column, _)| *column == key))
        .collect();
    let is_right = |starts: &Vec<bool>| is_wrapped(&parts, starts, columns);
    spaced.filter(is_right).or_else(|| {
        Some(keyed)
            .filter(|starts| starts.first() == Some(&true))
            .filter(is_right)
    })
}

/// Returns the distance of lines from which rows are apart: the widest gap in the sorted distances.
fn gap(steps: &[f32], size: f32) -> Option<f32> {
    let mut sorted = steps.to_vec();
    sorted.sort_by(f32::total_cmp);
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    let (below, above) = pairs
        .max_by(|one, other| (one.1 / one.0.max(0.1)).total_cmp(&(other.1 / other.0.max(0.1))))?;
    let is_clear = *above > *below * 1.15 && *above - *below > size * 0.15 && *below < size * 2.0;
    is_clear.then_some(f32::midpoint(*below, *above))
}

/// Whether rows with these starts fill several columns, and their other lines are text that goes on.
fn is_wrapped(parts: &[Vec<(usize, &Segment)>], starts: &[bool], columns: &Columns) -> bool {
    let mut rows: Vec<Vec<&Vec<(usize, &Segment)>>> = Vec::new();
    for (parts, start) in parts.iter().zip(starts) {
        match rows.last_mut().filter(|_| !start) {
            Some(row) => row.push(parts),
            None => rows.push(vec![parts]),
        }
    }
    let filled = |row: &Vec<&Vec<(usize, &Segment)>>| {
        let mut own: Vec<usize> = row
            .iter()
            .flat_map(|parts| parts.iter().map(|(column, _)| *column))
            .collect();
        own.sort_unstable();
        own.dedup();
        own.len()
    };
    let whole = rows
        .iter()
        .filter(|row| filled(row) > 1 && filled(row) * 2 >= columns.count())
        .count();
    let has_numbers = |row: &Vec<&Vec<(usize, &Segment)>>| {
        let is_number =
            |segment: &Segment| segment.digits > 0 && !segment.has_letters && segment.words == 1;
        (0..columns.count()).any(|column| {
            let own = row
                .iter()
                .flat_map(|parts| parts.iter())
                .filter(|(own, _)| *own == column);
            own.filter(|(_, segment)| is_number(segment)).count() > 1
        })
    };
    let numbered = rows.iter().filter(|row| has_numbers(row)).count();
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let (mut lines, mut full) = (0_usize, 0_usize);
    for row in &rows {
        let mut last: Vec<Option<&Segment>> = vec![None; columns.count()];
        for (column, segment) in row.iter().flat_map(|parts| parts.iter()) {
            let Some(above) = last.get_mut(*column) else {
                continue;
            };
            if let Some(above) = above.replace(segment) {
                let needed = segment.first + WORD_SPACE;
                let has_room = columns.fits(*column, above.right - above.left + needed)
                    || columns
                        .end(*column)
                        .is_some_and(|end| above.right + needed <= end);
                lines += 1;
                full += usize::from(segment.is_small || segment.from_right || !has_room);
            }
        }
    }
    full * 2 >= lines
        && rows.len() > 1
        && rows.len() < starts.len()
        && longest <= WRAPPED
        && whole * 5 >= rows.len() * 4
        && numbered * 10 <= rows.len()
}

/// Returns which texts begin a row of cells that are centered vertically: lines of a column that are near each other are a cell,
/// and cells with the same center a row.
fn centered(texts: &[Text], columns: &Columns) -> Option<Vec<bool>> {
    let size = texts.iter().map(|text| text.size).fold(0.0, f32::max);
    let mut lines: Vec<Vec<f32>> = vec![Vec::new(); columns.count()];
    for text in texts {
        for segment in &text.segments {
            let (column, last) = columns.of_segment(segment);
            if column != last {
                return None;
            }
            lines.get_mut(column)?.push(text.baseline);
        }
    }
    let steps = |lines: &Vec<f32>| {
        let pairs = lines.iter().zip(lines.iter().skip(1));
        pairs.map(|(one, next)| next - one).collect::<Vec<f32>>()
    };
    let limit = line_pitch::split(&lines.iter().flat_map(steps).collect::<Vec<f32>>(), size)?;
    let cells = lines.iter().flat_map(|lines| {
        let cells = lines.chunk_by(|one, next| next - one <= limit);
        cells.filter_map(|cell| Some((*cell.first()?, *cell.last()?)))
    });
    let mut cells: Vec<(f32, f32)> = cells.collect();
    let center = |cell: &(f32, f32)| f32::midpoint(cell.0, cell.1);
    cells.sort_by(|one, other| center(one).total_cmp(&center(other)));
    let rows = cells.chunk_by(|one, next| center(next) - center(one) < size * CENTER);
    let rows: Vec<(f32, f32, bool)> = rows
        .map(|row| {
            let top = row.iter().map(|cell| cell.0).fold(f32::INFINITY, f32::min);
            let bottom = row.iter().map(|cell| cell.1).fold(0.0, f32::max);
            (
                top,
                bottom,
                row.iter().any(|cell| cell.0 > top + size * CENTER),
            )
        })
        .collect();
    let mut pairs = rows.iter().zip(rows.iter().skip(1));
    let are_rows = pairs.all(|(row, next)| next.0 - row.1 > limit);
    let begins = |text: &Text| rows.iter().any(|row| row.0 == text.baseline);
    let is_centered = are_rows && rows.iter().any(|row| row.2);
    is_centered.then(|| texts.iter().map(begins).collect())
}

/// Returns which texts begin a row, if the line pitch indicates it.
fn by_pace(texts: &[Text], columns: &Columns) -> Option<Vec<bool>> {
    let texts: Vec<line_pitch::Text> = texts
        .iter()
        .map(|text| line_pitch::Text {
            place: text.baseline,
            size: text.size,
            parts: text
                .segments
                .iter()
                .map(|segment| part(segment, columns))
                .collect(),
        })
        .collect();
    line_pitch::starts(&texts)
}

fn part(segment: &Segment, columns: &Columns) -> line_pitch::Part {
    line_pitch::Part {
        column: columns.of_segment(segment).0,
        left: segment.left,
        right: segment.right,
        first: segment.first,
        words: segment.words,
        has_letters: segment.has_letters,
        is_bold: segment.is_bold,
        from_right: segment.from_right,
    }
}

impl Row {
    /// Merges rows into one.
    pub(in crate::analysis::tables) fn join(rows: &mut Vec<Self>) {
        let joined = std::mem::take(rows).into_iter().reduce(|mut one, other| {
            one.bottom = other.bottom;
            one.taken.extend(other.taken);
            one
        });
        rows.extend(joined);
    }

    /// Merges header rows whose entries are all below entries of the row above, without a first column of their own.
    pub(in crate::analysis::tables) fn join_wrapped(rows: &mut Vec<Self>, columns: usize) {
        if rows.len() > HEAD {
            return;
        }
        let mut joined: Vec<Self> = Vec::new();
        for row in std::mem::take(rows) {
            let is_wrapped = |above: &&mut Self| {
                let height = (row.bottom - row.top).max(1.0);
                row.top - above.bottom < height * SPACE
                    && !row.taken.is_empty()
                    && row
                        .taken
                        .iter()
                        .all(|(from, to)| from == to && above.taken.contains(&(*from, *to)))
                    && (row.taken.len() < columns || row.taken.len() == above.taken.len())
                    && !row
                        .last
                        .iter()
                        .any(|(_, segment)| segment.digits > 0 && !segment.has_letters)
            };
            match joined.last_mut().filter(is_wrapped) {
                Some(above) => {
                    above.bottom = row.bottom;
                    above.taken.extend(row.taken);
                    above.last = row.last;
                }
                None => joined.push(row),
            }
        }
        *rows = joined;
    }

    /// Whether it has text that begins in a column.
    pub(in crate::analysis::tables) fn has_text(&self, column: usize) -> bool {
        self.taken.iter().any(|(from, _)| *from == column)
    }

    /// Returns its cells: single columns, and spans of columns with a common segment.
    pub(in crate::analysis::tables) fn spans(&self, columns: usize) -> Vec<(usize, usize)> {
        let mut taken = self.taken.clone();
        taken.retain(|(from, to)| from < to);
        taken.sort_unstable();
        let mut spans = Vec::new();
        let mut next = 0;
        for (from, to) in taken {
            if from < next {
                continue;
            }
            spans.extend((next..from).map(|column| (column, 1)));
            spans.push((from, to + 1 - from));
            next = to + 1;
        }
        spans.extend((next..columns).map(|column| (column, 1)));
        spans
    }

    fn take(&mut self, text: &Text, columns: &Columns) {
        self.bottom = text.baseline + text.size * 0.25;
        for segment in &text.segments {
            let (from, to) = columns.of_segment(segment);
            self.taken.push((from, to));
            self.last.retain(|(column, _)| *column != from);
            self.last.push((from, *segment));
        }
    }

    /// Whether a text below occupies only some of its columns and would not have fit in the line above.
    fn goes_on_with(&self, text: &Text, columns: &Columns) -> bool {
        let is_near = text.baseline - text.size * 0.75 - self.bottom <= text.size * SPACE;
        let fewer = text.segments.len() < self.last.len().max(2);
        let is_long = |column| {
            self.last
                .iter()
                .any(|(known, above)| *known == column && above.words > 1)
        };
        let all_long = || {
            text.segments
                .iter()
                .all(|segment| is_long(columns.of_segment(segment).0))
        };
        is_near
            && (fewer || columns.are_drawn || all_long())
            && text.segments.iter().all(|segment| {
                let (column, _) = columns.of_segment(segment);
                let above = self.last.iter().find(|(known, _)| *known == column);
                above.is_some_and(|(_, above)| {
                    let is_number = above.words == 1 && !segment.has_letters;
                    if is_number || above.is_bold != segment.is_bold {
                        return false;
                    }
                    let needed = segment.first + text.size * 0.25;
                    if columns.fits(column, above.right - above.left + needed) {
                        return false;
                    }
                    match segment.from_right {
                        false => columns
                            .end(column)
                            .is_none_or(|end| above.right + needed > end),
                        true => columns
                            .begin(column)
                            .is_none_or(|begin| above.left - needed < begin),
                    }
                })
            })
    }
}
