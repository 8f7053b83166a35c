//! A story: the text of the body, a note, a header or a text box, with its tables.

use layout::{Block, Style};

use super::state::Paragraph;
use super::table::{RowDefinition, Rows};
use crate::error::Result;
use crate::flow::{Flow, Marker, Role};
use crate::limits::Budget;
use crate::line::Line;

/// Maximum nesting depth of tables.
const TABLES: usize = 32;

/// A story that is being read.
#[derive(Debug, Default)]
pub(super) struct Story {
    flow: Flow,
    tables: Vec<Open>,
    pub(super) line: Line,
    /// Marker of the paragraph.
    pub(super) marker: String,
    /// Content attached to the paragraph.
    pub(super) attached: Vec<Block>,
    /// Whether the paragraph began on the previous page.
    pub(super) continues: bool,
    /// The current row definition.
    pub(super) definition: RowDefinition,
    /// The row definition of the enclosing table, while a nested one is read.
    outer: Option<RowDefinition>,
}

/// An open table with its current cell.
#[derive(Debug, Default)]
struct Open {
    rows: Rows,
    flow: Flow,
}

impl Story {
    /// Ends a paragraph.
    pub(super) fn end_paragraph(
        &mut self,
        paragraph: &Paragraph,
        outline: Option<u8>,
        budget: &Budget,
    ) -> Result {
        let blank = self.line.is_blank() && self.attached.is_empty();
        // An empty paragraph between rows does not end the table.
        if !blank || paragraph.tables > 0 {
            self.set_table_depth(paragraph.tables, budget)?;
        }
        let line = std::mem::take(&mut self.line);
        let marker = std::mem::take(&mut self.marker).trim().to_owned();
        let attached = std::mem::take(&mut self.attached);
        let continues = std::mem::take(&mut self.continues);
        let role = role(marker, outline, paragraph);
        let mut whole = Line::default();
        if let (Role::Heading(_), Some(number)) = (&role.0, role.1) {
            whole.push(&(number + " "), &Style::default(), None);
        }
        let plain = whole == Line::default();
        let line = if plain { line } else { joined(whole, line) };
        let flow = self.current();
        flow.quote_depth = paragraph.quote_depth;
        flow.paragraph_across_pages(role.0, paragraph.alignment, line, continues);
        flow.extend(attached);
        flow.quote_depth = 0;
        Ok(())
    }

    /// Ends a cell of the innermost table.
    pub(super) fn end_cell(&mut self, depth: usize, budget: &Budget) -> Result {
        self.set_table_depth(depth, budget)?;
        if let Some(open) = self.tables.last_mut() {
            let blocks = std::mem::take(&mut open.flow).into_blocks();
            open.rows.cell(blocks);
        }
        budget.spend(1)
    }

    /// Ends a row of the innermost table.
    pub(super) fn end_row(&mut self, depth: usize, budget: &Budget) -> Result {
        self.set_table_depth(depth, budget)?;
        if let Some(open) = self.tables.last_mut() {
            open.rows.row(&self.definition, budget)?;
        }
        if let Some(outer) = self.outer.take() {
            self.definition = outer;
        }
        Ok(())
    }

    /// Begins the definition of a nested row.
    pub(super) fn begin_inner_row(&mut self) {
        self.outer = Some(std::mem::take(&mut self.definition));
    }

    /// Returns the blocks since the last page break; closes all tables.
    pub(super) fn take(&mut self, budget: &Budget) -> Result<Vec<Block>> {
        self.set_table_depth(0, budget)?;
        Ok(std::mem::take(&mut self.flow).into_blocks())
    }

    /// Closes or opens tables to reach a nesting depth.
    fn set_table_depth(&mut self, depth: usize, budget: &Budget) -> Result {
        let depth = depth.min(TABLES);
        while self.tables.len() > depth {
            if let Some(open) = self.tables.pop() {
                let table = open.rows.finish(budget)?;
                let left = open.flow.into_blocks();
                let flow = self.current();
                table.into_iter().for_each(|table| flow.table(table));
                flow.extend(left);
            }
        }
        self.tables.resize_with(depth, Open::default);
        Ok(())
    }

    fn current(&mut self) -> &mut Flow {
        match self.tables.last_mut() {
            Some(open) => &mut open.flow,
            None => &mut self.flow,
        }
    }
}

/// Returns the role of a paragraph, and the number of a heading.
fn role(marker: String, outline: Option<u8>, paragraph: &Paragraph) -> (Role, Option<String>) {
    match (outline, marker.is_empty()) {
        (Some(level), true) => (Role::Heading(level), None),
        (Some(level), false) => (Role::Heading(level), Some(marker)),
        (None, true) => (Role::Body, None),
        (None, false) => {
            let ordered = marker.chars().any(|c| c.is_alphanumeric()) && marker != "o";
            let text = if marker == "o" {
                "◦".to_owned()
            } else {
                marker
            };
            let level = paragraph.level;
            (
                Role::Item(Marker {
                    level,
                    ordered,
                    text,
                }),
                None,
            )
        }
    }
}

fn joined(mut before: Line, line: Line) -> Line {
    before.extend(line.trimmed());
    before
}
