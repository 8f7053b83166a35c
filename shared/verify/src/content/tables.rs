//! Counts the tables of a document, those within others excluded.

/// Number of cells with text from which on a table counts: a table of one cell is a frame.
const CELLS: usize = 2;

/// The open tables of a document.
#[derive(Default)]
pub(super) struct Tables {
    open: usize,
    /// Number of cells of the outermost table that have text.
    cells: usize,
    /// Whether the current cell is one of the outermost table and has no text yet.
    is_empty_cell: bool,
    /// Whether no paragraph has begun since the last table ended. Converters join such tables with the next one.
    is_adjacent: bool,
}

impl Tables {
    pub(super) fn are_open(&self) -> bool {
        self.open > 0
    }

    /// Whether only one table is open.
    pub(super) fn is_outermost(&self) -> bool {
        self.open == 1
    }

    pub(super) fn begin(&mut self) {
        self.open += 1;
        if self.open == 1 && !std::mem::take(&mut self.is_adjacent) {
            self.cells = 0;
        }
        self.is_empty_cell = false;
    }

    pub(super) fn end(&mut self) {
        self.open = self.open.saturating_sub(1);
        self.is_adjacent = self.open == 0;
        self.is_empty_cell = false;
    }

    pub(super) fn begin_cell(&mut self) {
        self.is_empty_cell = self.open == 1;
    }

    /// Begins a paragraph.
    pub(super) fn begin_paragraph(&mut self) {
        self.is_adjacent = false;
    }

    /// Adds visible text. Returns whether the outermost table counts from now on.
    pub(super) fn add_text(&mut self, text: &str) -> bool {
        let begins = self.is_empty_cell && !text.trim().is_empty();
        self.is_empty_cell &= !begins;
        self.cells += usize::from(begins);
        begins && self.cells == CELLS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outermost_tables_with_several_cells_are_counted() {
        let count = |document: &str| {
            let (mut tables, mut count) = (Tables::default(), 0);
            for sign in document.chars() {
                match sign {
                    '(' => tables.begin(),
                    ')' => tables.end(),
                    '|' => tables.begin_cell(),
                    '.' => tables.begin_paragraph(),
                    text => count += usize::from(tables.add_text(&text.to_string())),
                }
            }
            count
        };
        assert_eq!(count("a(|a)a"), 0);
        assert_eq!(count("(|a|b|c).(| | | |a|a)"), 2);
        assert_eq!(count("(|(|a|b)|a)"), 0);
        assert_eq!(count("(|a(|a|b)|b)"), 1);
        assert_eq!(count("(|a|b)(|c|d)"), 1);
    }
}
