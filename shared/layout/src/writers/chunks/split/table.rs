//! Splits tables between rows.

use std::ops::Range;

use super::{Splitter, first, fitting};
use crate::writers::chunks::text::tokens_of;
use crate::writers::chunks::tokens::tokens;
use crate::writers::{Result, plain};
use crate::{Block, Cell, Content, Table};

impl Splitter<'_> {
    /// Splits a table between rows that no cell spans; each part repeats the header rows, unless they fill half of a chunk.
    pub(super) fn tables(&self, table: &Table, mut room: usize) -> Result<Vec<Block>> {
        let rows = Rows::of(table);
        let head = table.header_rows.min(table.rows);
        let header = self.part(Content::Table(rows.part(0, &(0..head))));
        let head = match tokens_of(&header)? * 2 > self.max {
            true => 0,
            false => head,
        };
        let groups = rows.groups(head);
        let (mut parts, mut rest) = (Vec::new(), groups.as_slice());
        while let Some(begin) = rest.first().map(|(rows, _)| rows.start) {
            let part = |count| {
                let end = first(rest, count).last();
                let range = begin..end.map_or(begin, |(rows, _)| rows.end);
                self.part(Content::Table(rows.part(head, &range)))
            };
            let sizes = rest.iter().map(|(_, tokens)| *tokens);
            let count = fitting(sizes, room, |count| tokens_of(&part(count)))?;
            parts.push(part(count));
            rest = rest.get(count..).unwrap_or_default();
            room = self.max;
        }
        match parts.is_empty() {
            true => Ok(vec![self.block.clone()]),
            false => Ok(parts),
        }
    }
}

/// The cells of a table by row.
struct Rows<'a> {
    table: &'a Table,
    cells: Vec<Vec<&'a Cell>>,
}

impl<'a> Rows<'a> {
    fn of(table: &'a Table) -> Self {
        let mut cells = vec![Vec::new(); table.rows];
        for cell in &table.cells {
            if let Some(row) = cells.get_mut(cell.row) {
                row.push(cell);
            }
        }
        Self { table, cells }
    }

    /// Returns the rows from `head` on, each with those that its cells span, and their tokens without markup but bars.
    fn groups(&self, head: usize) -> Vec<(Range<usize>, usize)> {
        let mut groups: Vec<(Range<usize>, usize)> = Vec::new();
        let mut joined = 0;
        for (row, cells) in self.cells.iter().enumerate() {
            let text = |cell: &&Cell| tokens(&plain::of_blocks(&cell.blocks));
            let size = cells.iter().map(text).sum::<usize>() + self.table.widths.len() + 1;
            match groups.last_mut() {
                _ if row < head => {}
                Some((rows, tokens)) if row < joined => {
                    rows.end = row + 1;
                    *tokens += size;
                }
                _ => groups.push((row..row + 1, size)),
            }
            let ends = cells.iter().map(|cell| row.saturating_add(cell.row_span));
            joined = ends.fold(joined, usize::max);
        }
        groups
    }

    /// Returns a table of the first `head` rows and these rows.
    fn part(&self, head: usize, rows: &Range<usize>) -> Table {
        let header = self.cells.iter().take(head).flatten().map(|cell| {
            let row_span = match rows.start > head {
                true => cell.row_span.min(head - cell.row),
                false => cell.row_span,
            };
            Cell {
                row_span,
                ..(*cell).clone()
            }
        });
        let body = self.cells.iter().skip(rows.start).take(rows.len());
        let body = body.flatten().map(|cell| Cell {
            row: cell.row - rows.start + head,
            ..(*cell).clone()
        });
        let header_rows = self.table.header_rows.saturating_sub(rows.start);
        Table {
            widths: self.table.widths.clone(),
            rows: head + rows.len(),
            header_rows: head + header_rows.min(rows.len()),
            cells: header.chain(body).collect(),
            continues: self.table.continues && rows.start == head,
            ..*self.table
        }
    }
}
