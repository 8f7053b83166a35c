//! A story: the text of the document, of a note, a header or a text box, with the tables in it.

use layout::{Block, Style};

use super::state::Paragraph;
use super::table::{Definition, Rows};
use crate::error::Outcome;
use crate::flow::{Flow, Marker, Role};
use crate::limits::Budget;
use crate::line::Line;

/// Most tables within one another.
const TABLES: usize = 32;

/// A story while it is read.
#[derive(Debug, Default)]
pub(super) struct Story {
    flow: Flow,
    tables: Vec<Open>,
    pub(super) line: Line,
    /// What stands before the paragraph.
    pub(super) marker: String,
    /// What stands beside it.
    pub(super) beside: Vec<Block>,
    /// It began on the page before.
    pub(super) goes_on: bool,
    /// What was said of rows last.
    pub(super) definition: Definition,
    /// The same of the table around, while one within is told.
    outer: Option<Definition>,
}

/// A table that is open, and the cell that is read.
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
    ) -> Outcome {
        let blank = self.line.is_blank() && self.beside.is_empty();
        // Empty paragraphs between the rows of a table do not end it.
        if !blank || paragraph.tables > 0 {
            self.go_to(paragraph.tables, budget)?;
        }
        let line = std::mem::take(&mut self.line);
        let marker = std::mem::take(&mut self.marker).trim().to_owned();
        let beside = std::mem::take(&mut self.beside);
        let goes_on = std::mem::take(&mut self.goes_on);
        let role = role(marker, outline, paragraph);
        let mut whole = Line::default();
        if let (Role::Heading(_), Some(number)) = (&role.0, role.1) {
            whole.push(&(number + " "), &Style::default(), None);
        }
        let plain = whole == Line::default();
        let line = if plain { line } else { joined(whole, line) };
        let flow = self.current();
        flow.quoted = paragraph.quoted;
        flow.passage(role.0, paragraph.alignment, line, goes_on);
        flow.extend(beside);
        flow.quoted = 0;
        Ok(())
    }

    /// Ends a cell of the innermost table.
    pub(super) fn end_cell(&mut self, depth: usize, budget: &Budget) -> Outcome {
        self.go_to(depth, budget)?;
        if let Some(open) = self.tables.last_mut() {
            let blocks = std::mem::take(&mut open.flow).into_blocks();
            open.rows.cell(blocks);
        }
        budget.spend(1)
    }

    /// Ends a row of the innermost table.
    pub(super) fn end_row(&mut self, depth: usize, budget: &Budget) -> Outcome {
        self.go_to(depth, budget)?;
        if let Some(open) = self.tables.last_mut() {
            open.rows.row(&self.definition, budget)?;
        }
        if let Some(outer) = self.outer.take() {
            self.definition = outer;
        }
        Ok(())
    }

    /// What is said of rows is of a table within the one so far.
    pub(super) fn begin_inner_row(&mut self) {
        self.outer = Some(std::mem::take(&mut self.definition));
    }

    /// What was read since the last page, all tables ended.
    pub(super) fn take(&mut self, budget: &Budget) -> Outcome<Vec<Block>> {
        self.go_to(0, budget)?;
        Ok(std::mem::take(&mut self.flow).into_blocks())
    }

    /// Ends tables, or begins some, until as many are open.
    fn go_to(&mut self, depth: usize, budget: &Budget) -> Outcome {
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

/// What a paragraph is, and the number before a title.
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
