//! Groups texts into rows: a wrapped line belongs to the row above.

use super::columns::Columns;
use super::segment::{Segment, Text};
use crate::analysis::pace;

/// Maximum space between lines of a cell, as a fraction of the font size.
const SPACE: f32 = 0.75;

/// A table row.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) top: f32,
    pub(super) bottom: f32,
    /// First and last column of each segment.
    taken: Vec<(usize, usize)>,
    /// The last segment of each column.
    last: Vec<(usize, Segment)>,
}

/// Groups the texts between two rules into rows.
pub(super) fn rows(texts: &[Text], columns: &Columns) -> Vec<Row> {
    let starts = by_pace(texts, columns);
    let mut rows: Vec<Row> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let goes_on = |row: &&mut Row| match &starts {
            Some(starts) => starts.get(index) == Some(&false),
            None => row.goes_on_with(text, columns),
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
            }
        }
    }
    rows
}

/// Returns which texts begin a row, if the line pitch indicates it.
fn by_pace(texts: &[Text], columns: &Columns) -> Option<Vec<bool>> {
    let texts: Vec<pace::Text> = texts
        .iter()
        .map(|text| pace::Text {
            place: text.baseline,
            size: text.size,
            parts: text
                .segments
                .iter()
                .map(|segment| part(segment, columns))
                .collect(),
        })
        .collect();
    pace::starts(&texts)
}

fn part(segment: &Segment, columns: &Columns) -> pace::Part {
    pace::Part {
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
    pub(super) fn join(rows: &mut Vec<Self>) {
        let joined = std::mem::take(rows).into_iter().reduce(|mut one, other| {
            one.bottom = other.bottom;
            one.taken.extend(other.taken);
            one
        });
        rows.extend(joined);
    }

    /// Returns its cells: single columns, and spans of columns with a common segment.
    pub(super) fn spans(&self, columns: usize) -> Vec<(usize, usize)> {
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
