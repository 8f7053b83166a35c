//! Writes tables as CSV [RFC 4180]: UTF-8, CR LF, quotes where required. A spanning cell has its text in the first position and
//! leaves the others empty.
//!
//! No defense against CSV injection: values are written unchanged, also those that a spreadsheet would read as a formula (`=`,
//! `+`, `-`, `@`). Import untrusted tables as text.

use std::io::Write;

use super::flow::{Flow, Flowing, PageStart};
use super::grid::Grid;
use super::notes::Notes;
use super::{Result, WriteReport, Writer, plain};
use crate::{Block, Page, Table};

/// Selects tables of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSelection {
    /// All tables, separated by empty lines.
    All,
    /// The table with this number, from 1; a table across pages counts once.
    Only(u32),
}

/// Creates a CSV writer. If the document has no selected table, the output is empty and [`WriteReport::tables`] is 0.
///
/// # Errors
/// None: nothing is written before the first table.
pub fn csv<'a>(output: impl Write + 'a, chosen: TableSelection) -> Result<Box<dyn Writer + 'a>> {
    Ok(Box::new(Flow::new(Csv {
        output,
        chosen,
        seen: 0,
        written: WriteReport::default(),
    })))
}

struct Csv<W> {
    output: W,
    chosen: TableSelection,
    /// Number of tables so far.
    seen: u32,
    written: WriteReport,
}

impl<W: Write> Csv<W> {
    fn is_chosen(&self) -> bool {
        match self.chosen {
            TableSelection::All => true,
            TableSelection::Only(number) => number == self.seen,
        }
    }

    fn record(&mut self, fields: &[String]) -> Result {
        let line = match fields {
            // An empty line would end the table.
            [only] if only.is_empty() => "\"\"".to_owned(),
            fields => fields
                .iter()
                .map(|field| quoted(field))
                .collect::<Vec<_>>()
                .join(","),
        };
        Ok(write!(self.output, "{line}\r\n")?)
    }
}

impl<W: Write> Flowing for Csv<W> {
    fn page(&mut self, _: &Page, _: PageStart) -> Result {
        self.written.pages += 1;
        Ok(())
    }

    fn table(&mut self, _: &Block, _: &Table) -> Result {
        self.seen += 1;
        if self.is_chosen() {
            if self.written.tables > 0 {
                self.output.write_all(b"\r\n")?;
            }
            self.written.tables += 1;
        }
        Ok(())
    }

    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, _: &Notes) -> Result {
        if self.is_chosen() {
            for row in first..grid.rows {
                self.record(&plain::of_row(table, grid, row))?;
            }
        }
        Ok(())
    }

    fn finish(mut self, _footers: &[Block]) -> Result<WriteReport> {
        self.output.flush()?;
        Ok(self.written)
    }
}

fn quoted(field: &str) -> String {
    let is_edged = field.starts_with([' ', '\t']) || field.ends_with([' ', '\t']);
    match is_edged || field.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
