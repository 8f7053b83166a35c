//! Tables to CSV [RFC 4180]: UTF-8, CR LF, quotes where they are needed. A cell that spans says what it says in its first place
//! and leaves the others empty.
//!
//! Values are as they are, also where a spreadsheet would take them for a formula (`=`, `+`, `-`, `@`): whoever opens tables
//! of strangers in a spreadsheet imports them as text.

use std::io::Write;

use super::flow::{Flow, Flowing, Place};
use super::grid::Grid;
use super::notes::Notes;
use super::{Outcome, WriteReport, Writer, plain};
use crate::{Block, Page, Table};

/// Which tables of a document are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSelection {
    /// All of them, an empty line between each two.
    All,
    /// The one of this number, from 1; a table that goes over several pages is one.
    Only(u32),
}

/// A writer of CSV. A document without such a table becomes an empty one, and [`WriteReport::tables`] is 0.
///
/// # Errors
/// None yet: nothing is written before the first table.
pub fn csv<'a>(output: impl Write + 'a, chosen: TableSelection) -> Outcome<Box<dyn Writer + 'a>> {
    Ok(Box::new(Flow::new(Csv {
        output,
        chosen,
        met: 0,
        written: WriteReport::default(),
    })))
}

struct Csv<W> {
    output: W,
    chosen: TableSelection,
    /// How many tables there were so far.
    met: u32,
    written: WriteReport,
}

impl<W: Write> Csv<W> {
    fn is_chosen(&self) -> bool {
        match self.chosen {
            TableSelection::All => true,
            TableSelection::Only(number) => number == self.met,
        }
    }

    fn record(&mut self, fields: &[String]) -> Outcome {
        let line = match fields {
            // An empty line would look like the end of a table.
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
    fn page(&mut self, _: &Page, _: Place) -> Outcome {
        self.written.pages += 1;
        Ok(())
    }

    fn table(&mut self, _: &Block, _: &Table) -> Outcome {
        self.met += 1;
        if self.is_chosen() {
            if self.written.tables > 0 {
                self.output.write_all(b"\r\n")?;
            }
            self.written.tables += 1;
        }
        Ok(())
    }

    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, _: &Notes) -> Outcome {
        if self.is_chosen() {
            for row in first..grid.rows {
                self.record(&plain::of_row(table, grid, row))?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Outcome<WriteReport> {
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
