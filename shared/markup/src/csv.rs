//! Reads CSV and TSV. Quoted fields may span lines; the separator is detected.

use domain::format::Format;
use layout::{Alignment, Style};

use crate::error::Result;
use crate::flow::{Flow, Role};
use crate::grid::{Grid, TableProperties};
use crate::limits::Budget;
use crate::line::Line;
use crate::paper;
use crate::source::{LoadedDocument, UnnumberedPage};
use crate::text;

/// Number of bytes from which the separator is detected.
const SAMPLE: usize = 64 * 1024;
/// Candidate separators, the most common first.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// Reads a table.
pub(crate) fn open(bytes: Vec<u8>, format: Format, budget: &Budget) -> Result<LoadedDocument> {
    let text = text::decode(bytes, None)?;
    let (separator, text) = match format {
        Format::Tsv => ('\t', text.as_str()),
        _ => separator(&text),
    };
    let mut grid = Grid::default();
    let mut fields = Fields {
        rest: text,
        separator,
    };
    while let Some(row) = fields.row() {
        grid.row(budget)?;
        for (column, field) in row.into_iter().enumerate() {
            grid.cell(column, (1, 1), blocks(&field), budget)?;
        }
    }
    let mut flow = Flow::default();
    let table = grid.finish(TableProperties {
        ruled: true,
        ..TableProperties::default()
    });
    table.into_iter().for_each(|table| flow.table(table));
    let leaf = UnnumberedPage {
        size: paper::A4,
        blocks: flow.into_blocks(),
        ..UnnumberedPage::default()
    };
    Ok(LoadedDocument {
        leaves: [leaf].into(),
        ..LoadedDocument::default()
    })
}

fn blocks(field: &str) -> Vec<layout::Block> {
    let mut flow = Flow::default();
    let mut line = Line::default();
    line.push(field, &Style::default(), None);
    flow.paragraph(Role::Body, Alignment::Start, line);
    flow.into_blocks()
}

/// Returns the separator and the text without a `sep=` line.
fn separator(text: &str) -> (char, &str) {
    if let Some(rest) = text.strip_prefix("sep=") {
        let mut characters = rest.chars();
        if let Some(separator) = characters.next() {
            return (
                separator,
                characters.as_str().trim_start_matches(['\r', '\n']),
            );
        }
    }
    let end = text
        .char_indices()
        .map(|(index, _)| index)
        .find(|index| *index >= SAMPLE);
    let sample = text.get(..end.unwrap_or(text.len())).unwrap_or(text);
    let best = SEPARATORS
        .iter()
        .rev()
        .max_by_key(|separator| separator_score(sample, **separator));
    (best.copied().unwrap_or(','), text)
}

/// Scores a separator: the number of lines with the most common field count, then that count.
fn separator_score(sample: &str, separator: char) -> usize {
    let mut fields = Fields {
        rest: sample,
        separator,
    };
    let mut counts = std::collections::HashMap::<usize, usize>::new();
    while let Some(row) = fields.row() {
        *counts.entry(row.len()).or_default() += 1;
    }
    let divided = counts.into_iter().filter(|(fields, _)| *fields > 1);
    divided
        .map(|(fields, lines)| lines * 1_000 + fields.min(999))
        .max()
        .unwrap_or(0)
}

/// The unread fields of a text.
struct Fields<'a> {
    rest: &'a str,
    separator: char,
}

impl Fields<'_> {
    /// Returns the fields of the next line; `None` at the end.
    fn row(&mut self) -> Option<Vec<String>> {
        if self.rest.is_empty() {
            return None;
        }
        let mut row = Vec::new();
        loop {
            row.push(self.field());
            let mut ahead = self.rest.chars();
            let next = ahead.next();
            let behind = ahead.as_str();
            match next {
                Some(separator) if separator == self.separator => self.rest = behind,
                Some('\r') => {
                    self.rest = behind.strip_prefix('\n').unwrap_or(behind);
                    return Some(row);
                }
                Some('\n') => {
                    self.rest = behind;
                    return Some(row);
                }
                _ => return Some(row),
            }
        }
    }

    fn field(&mut self) -> String {
        let mut field = String::new();
        if let Some(quoted) = self.rest.strip_prefix('"') {
            self.rest = quoted;
            self.quoted(&mut field);
        }
        let ends = [self.separator, '\n', '\r'];
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        field.push_str(text);
        self.rest = rest;
        field
    }

    /// Reads a quoted field; a doubled quotation mark is a literal one.
    fn quoted(&mut self, field: &mut String) {
        while let Some((text, behind)) = self.rest.split_once('"') {
            field.push_str(text);
            self.rest = behind;
            match behind.strip_prefix('"') {
                Some(behind) => {
                    field.push('"');
                    self.rest = behind;
                }
                None => return,
            }
        }
        field.push_str(std::mem::take(&mut self.rest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let (separator, rest) = separator(text);
        let mut fields = Fields { rest, separator };
        std::iter::from_fn(|| fields.row()).collect()
    }

    #[test]
    fn separators_are_detected_and_quoted_fields_are_read() {
        assert_eq!(
            rows("a,b\r\n1,\"x, \"\"y\"\"\nz\"\n"),
            [["a", "b"], ["1", "x, \"y\"\nz"]]
        );
        assert_eq!(rows("a;b\n1,5;2\n"), [["a", "b"], ["1,5", "2"]]);
        assert_eq!(rows("a\tb\n1\t2"), [["a", "b"], ["1", "2"]]);
        assert_eq!(rows("sep=|\r\na|b"), [["a", "b"]]);
        assert_eq!(rows("\"a"), [["a"]]);
        assert_eq!(rows("a,\n,b"), [["a", ""], ["", "b"]]);
    }
}
