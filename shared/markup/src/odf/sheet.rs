//! A sheet while its rows are read.

use layout::{Alignment, Block};

use super::body::inline::{self, Open};
use super::body::{Body, frame};
use crate::error::Outcome;
use crate::line::Line;
use crate::worksheet::{COLUMNS, Place, ROWS, Said, Worksheet};
use crate::xml::Element;

/// A sheet while its rows are read.
#[derive(Default)]
pub(super) struct Sheet {
    pub(super) cells: Worksheet,
    pub(super) header_rows: usize,
    row: usize,
    column: usize,
    /// Whether each open group is one of rows that head the table.
    groups: Vec<bool>,
}

impl Sheet {
    /// Goes into a group of rows or columns.
    pub(super) fn enter(&mut self, group: &Element) {
        self.groups
            .push(group.is("table:table-header-rows") && self.header_rows == self.row);
    }

    /// Leaves a group.
    pub(super) fn leave(&mut self) {
        self.groups.pop();
    }

    /// Takes columns.
    pub(super) fn column(&mut self, body: &Body, element: &Element) {
        let count = element
            .number("table:number-columns-repeated")
            .unwrap_or(1_usize)
            .max(1);
        let columns = self.column..self.column.saturating_add(count).min(COLUMNS);
        self.column = columns.end;
        if is_hidden(element) {
            self.cells.hidden_columns.extend(columns.clone());
        }
        let style = body
            .styles
            .get("table-column", element.get("table:style-name"));
        if let Some(width) = style.width {
            self.cells
                .widths
                .extend(columns.map(|column| (column, width)));
        }
    }

    /// Takes rows.
    pub(super) fn row(
        &mut self,
        body: &mut Body,
        element: &Element,
        drawn: &mut Vec<Block>,
    ) -> Outcome {
        let count = element
            .number("table:number-rows-repeated")
            .unwrap_or(1_usize)
            .max(1);
        let rows = self.row..self.row.saturating_add(count).min(ROWS);
        self.row = rows.end;
        if self.groups.contains(&true) {
            self.header_rows = rows.end;
        }
        let said = said(body, element, drawn)?;
        if is_hidden(element) && (!said.is_empty() || count < 1_000) {
            self.cells.hidden_rows.extend(rows.clone());
        }
        // Rows that say nothing are often repeated to the end of the sheet.
        for row in rows.take_while(|_| !said.is_empty()) {
            for (columns, spans, said) in &said {
                for column in columns.clone() {
                    self.add(body, (row, column), *spans, said.clone())?;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, body: &Body, place: Place, spans: Place, said: Option<Said>) -> Outcome {
        if spans != (1, 1) {
            let last = (
                place.0.saturating_add(spans.0).min(ROWS) - 1,
                place.1.saturating_add(spans.1).min(COLUMNS) - 1,
            );
            self.cells.merges.push((place, last));
        }
        match said {
            Some(said) => self.cells.add(place, said, &body.package.budget),
            None => Ok(()),
        }
    }
}

/// The columns that a cell is repeated in, how many rows and columns it takes, and what it says.
type Repeated = (std::ops::Range<usize>, Place, Option<Said>);

fn said(body: &mut Body, row: &Element, drawn: &mut Vec<Block>) -> Outcome<Vec<Repeated>> {
    let (mut all, mut column) = (Vec::new(), 0_usize);
    for cell in row.elements() {
        let is_cell = cell.is("table:table-cell");
        if !is_cell && !cell.is("table:covered-table-cell") {
            continue;
        }
        let number = |name| cell.number(name).unwrap_or(1_usize).max(1);
        let columns = column
            ..column
                .saturating_add(number("table:number-columns-repeated"))
                .min(COLUMNS);
        column = columns.end;
        if is_cell {
            let spans = (
                number("table:number-rows-spanned"),
                number("table:number-columns-spanned"),
            );
            let said = one(body, cell, drawn)?;
            if said.is_some() || (spans != (1, 1) && columns.len() == 1) {
                all.push((columns, spans, said));
            }
        }
    }
    Ok(all)
}

/// What a cell says: the text that is shown, or the value where there is none.
fn one(body: &mut Body, cell: &Element, drawn: &mut Vec<Block>) -> Outcome<Option<Said>> {
    let look = body
        .styles
        .get("table-cell", cell.get("table:style-name"))
        .look;
    let mut whole = Line::default();
    for inner in cell.elements() {
        if inner.is("text:p") {
            let mut open = Open::new(look.clone());
            inline::read(body, inner, &mut open)?;
            let (line, beside) = open.done();
            if !whole.is_blank() {
                whole.push("\n", &look.style(), None);
            }
            whole.extend(line.without_end());
            drawn.extend(beside);
        } else if inner.name().starts_with("draw:") {
            drawn.extend(frame::read(body, inner)?);
        }
    }
    if whole.is_blank() {
        let value = [
            "office:string-value",
            "office:date-value",
            "office:time-value",
            "office:boolean-value",
            "office:value",
        ];
        let value = value
            .iter()
            .find_map(|name| cell.get(name))
            .unwrap_or_default();
        whole.push(value, &look.style(), None);
    }
    let alignment = body
        .styles
        .get("table-cell", cell.get("table:style-name"))
        .alignment;
    Ok((!whole.is_blank()).then(|| Said {
        runs: whole.without_end(),
        alignment: alignment.unwrap_or(Alignment::Start),
    }))
}

fn is_hidden(element: &Element) -> bool {
    matches!(element.get("table:visibility"), Some("collapse" | "filter"))
}
