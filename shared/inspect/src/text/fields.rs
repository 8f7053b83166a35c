//! Counts lines and fields of a text, and detects the separator.

use domain::limits::{SHEET_CELLS, TABLE_COLUMNS};
use task::{TaskError, TaskResult};

/// Field separators.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// Counts over a whole text.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) characters: u64,
    /// Characters that do not occur in text: control characters other than white space, and malformed sequences.
    pub(super) controls: u64,
    pub(super) lines: u64,
    /// For each separator: its number on this line, and the largest number on a line.
    separators: [(u64, u64); SEPARATORS.len()],
    /// Whether this is a quoted field.
    quoted: bool,
    /// Whether a field has started, so that a quotation mark is part of it.
    inside_field: bool,
}

impl Counts {
    /// Adds a piece of text.
    pub(super) fn add(&mut self, piece: &str) {
        for character in piece.chars() {
            self.characters += 1;
            self.split(character);
            match character {
                '\n' | '\t' | '\r' | '\u{c}' | '\u{1a}' | '\u{1b}' => {}
                '\u{fffd}' => self.controls += 1,
                other if other.is_control() && !matches!(other, '\u{80}'..='\u{9f}') => {
                    self.controls += 1;
                }
                _ => {}
            }
        }
    }

    /// Counts lines and fields. A quotation mark starts a quoted field only at the start of the field; a doubled one ends and
    /// restarts it.
    fn split(&mut self, character: char) {
        let index = SEPARATORS.iter().position(|known| *known == character);
        match character {
            '"' if self.quoted => (self.quoted, self.inside_field) = (false, false),
            '"' if !self.inside_field => self.quoted = true,
            _ if self.quoted => {}
            '\n' => self.end_line(),
            _ => self.inside_field = index.is_none(),
        }
        if let Some((here, most)) = index
            .filter(|_| !self.quoted)
            .and_then(|index| self.separators.get_mut(index))
        {
            *here += 1;
            *most = (*most).max(*here);
        }
    }

    /// Returns the largest number of fields on a line.
    pub(super) fn columns(&self, separator: char) -> u64 {
        let index = SEPARATORS.iter().position(|known| *known == separator);
        let most = index.and_then(|index| self.separators.get(index));
        most.map_or(0, |(_, most)| *most) + 1
    }

    fn end_line(&mut self) {
        self.inside_field = false;
        self.lines += 1;
        for (here, _) in &mut self.separators {
            *here = 0;
        }
    }
}

/// Rejects tables beyond the limits of a worksheet, which would be truncated.
pub(super) fn check_table(rows: u64, columns: u64) -> TaskResult<()> {
    if columns > TABLE_COLUMNS {
        return Err(TaskError::too_large(
            "The table has more than 16,384 columns.",
        ));
    }
    match rows.saturating_mul(columns) {
        0..=SHEET_CELLS => Ok(()),
        _ => Err(TaskError::too_large(
            "The table has more than 2,000,000 cells.",
        )),
    }
}

/// Detects the separator that splits most lines into the same number of fields, outside quotes.
pub(super) fn separator(sample: &str) -> char {
    let score = |separator: char| {
        let mut counts = Vec::new();
        let (mut quoted, mut here) = (false, 0_usize);
        for character in sample.chars() {
            match character {
                '"' => quoted = !quoted,
                '\n' if !quoted => counts.push(std::mem::take(&mut here)),
                other if other == separator && !quoted => here += 1,
                _ => {}
            }
        }
        counts.push(here);
        let most = counts.first().copied().unwrap_or(0);
        let same = counts
            .iter()
            .filter(|count| **count == most && most > 0)
            .count();
        (same, counts.iter().sum::<usize>())
    };
    let best = SEPARATORS
        .iter()
        .rev()
        .max_by_key(|separator| score(**separator));
    best.copied().unwrap_or(',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_splits_lines_evenly() {
        for (text, expected) in [
            ("a;b;c\n1,5;2,5;3\n", ';'),
            ("a,b\n1,2\n", ','),
            ("a\tb\n\"x,y,z\"\t2\n", '\t'),
            ("name|size\nx|1\n", '|'),
            ("single\ncolumn\n", ','),
        ] {
            assert_eq!(separator(text), expected, "{text}");
        }
    }

    #[test]
    fn a_quoted_field_is_one_field() {
        let columns = |text: &str| {
            let mut counts = Counts::default();
            counts.add(text);
            (counts.lines, counts.columns(','))
        };
        assert_eq!(columns("a,b\n1,2\n"), (2, 2));
        assert_eq!(columns("\"a,b\nc,\"\"d,e\"\"\",2\n1,2,3\n"), (2, 3));
        assert_eq!(columns("5\",6,7\n8,9,10\n"), (2, 3));
    }
}
