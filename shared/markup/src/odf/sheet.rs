//! Reads the rows of a sheet.

use layout::{Alignment, Block};

use super::body::inline::{self, Open};
use super::body::{Body, frame};
use super::cell_value;
use crate::error::Result;
use crate::line::Line;
use crate::sheet_cells::Overflow;
use crate::sheet_links::Target;
use crate::warning::Loss;
use crate::worksheet::{COLUMNS, CellContent, CellPosition, ROWS, Worksheet};
use crate::xml::Element;

/// Number of columns whose default cell style is known.
const MAX_DEFAULTS: usize = 1_024;

/// A sheet that is being read.
#[derive(Default)]
pub(super) struct Sheet {
    /// The columns with a default cell style, and its name.
    defaults: Vec<(std::ops::Range<usize>, String)>,
    pub(super) cells: Worksheet,
    pub(super) header_rows: usize,
    row: usize,
    column: usize,
    /// Whether each open group consists of header rows.
    groups: Vec<bool>,
}

impl Sheet {
    /// Enters a group of rows or columns.
    pub(super) fn enter(&mut self, group: &Element) {
        self.groups
            .push(group.is("table:table-header-rows") && self.header_rows == self.row);
    }

    /// Leaves a group.
    pub(super) fn leave(&mut self) {
        self.groups.pop();
    }

    /// Reads a column element.
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
        if let Some(name) = element.get("table:default-cell-style-name")
            && self.defaults.len() < MAX_DEFAULTS
        {
            self.defaults.push((columns.clone(), name.to_owned()));
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

    /// Reads a row element.
    pub(super) fn row(
        &mut self,
        body: &mut Body,
        element: &Element,
        drawn: &mut Vec<Block>,
    ) -> Result {
        let count = element
            .number("table:number-rows-repeated")
            .unwrap_or(1_usize)
            .max(1);
        let rows = self.row..self.row.saturating_add(count).min(ROWS);
        self.row = rows.end;
        if self.groups.contains(&true) {
            self.header_rows = rows.end;
        }
        let cells = cells(body, element, &self.defaults, drawn)?;
        if is_hidden(element) && (!cells.is_empty() || count < 1_000) {
            self.cells.hidden_rows.extend(rows.clone());
        }
        // Empty rows are often repeated to the end of the sheet.
        for row in rows.take_while(|_| !cells.is_empty()) {
            for (columns, spans, content) in &cells {
                for column in columns.clone() {
                    self.add(body, (row, column), *spans, content.clone())?;
                }
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        body: &Body,
        place: CellPosition,
        spans: CellPosition,
        content: Option<CellContent>,
    ) -> Result {
        if spans != (1, 1) {
            let last = (
                place.0.saturating_add(spans.0).min(ROWS) - 1,
                place.1.saturating_add(spans.1).min(COLUMNS) - 1,
            );
            self.cells.merges.push((place, last));
        }
        match content {
            Some(content) => self.cells.add(place, content, &body.package.budget),
            None => Ok(()),
        }
    }
}

/// The columns in which a cell is repeated, its row and column span, and its content.
type Repeated = (std::ops::Range<usize>, CellPosition, Option<CellContent>);

fn cells(
    body: &mut Body,
    row: &Element,
    defaults: &[(std::ops::Range<usize>, String)],
    drawn: &mut Vec<Block>,
) -> Result<Vec<Repeated>> {
    let (mut all, mut column) = (Vec::new(), 0_usize);
    let of_row = row.get("table:default-cell-style-name");
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
            let of_column = || {
                let found = defaults
                    .iter()
                    .find(|(range, _)| range.contains(&columns.start));
                found.map(|(_, name)| name.as_str())
            };
            let style = cell.get("table:style-name").or(of_row).or_else(of_column);
            let content = content(body, cell, style, drawn)?;
            if content.is_some() || (spans != (1, 1) && columns.len() == 1) {
                all.push((columns, spans, content));
            }
        }
    }
    Ok(all)
}

/// Returns the content of a cell: its text, or its value if it has no text.
fn content(
    body: &mut Body,
    cell: &Element,
    style: Option<&str>,
    drawn: &mut Vec<Block>,
) -> Result<Option<CellContent>> {
    let style = body.styles.get("table-cell", style);
    let text_style = &style.text_style;
    let mut whole = Line::default();
    for inner in cell.elements() {
        if inner.is("text:p") {
            let mut open = Open::new(text_style.clone());
            inline::read(body, inner, &mut open)?;
            let (line, attached) = open.finish();
            if !whole.is_blank() {
                whole.push("\n", &text_style.style(), None);
            }
            whole.extend(line.trimmed_end());
            drawn.extend(attached);
        } else if inner.is("office:annotation") {
            body.package.losses.add(Loss::Comment);
        } else if inner.name().starts_with("draw:") {
            drawn.extend(frame::read(body, inner)?);
        }
    }
    let local = cell_value::in_locale(body, cell, &style, &whole);
    if let Some(text) = local {
        whole = Line::default();
        whole.push(&text, &text_style.style(), None);
    }
    if whole.is_blank() {
        let value = [
            "office:string-value",
            "office:date-value",
            "office:time-value",
            "office:value",
        ];
        let value = value.iter().find_map(|name| cell.get(name));
        let value = value.unwrap_or_default();
        whole.push(value, &text_style.style(), None);
        let boolean = cell.get("office:boolean-value").unwrap_or_default();
        whole.push(&boolean.to_uppercase(), &text_style.style(), None);
    }
    let formula = cell.get("table:formula").unwrap_or_default();
    let target = Target::of(formula).filter(|_| !whole.is_blank());
    let link = target.and_then(|target| target.kept(&mut body.package.losses));
    let mut runs = whole.trimmed_end();
    for run in &mut runs {
        run.link = run.link.take().or_else(|| link.clone());
    }
    let is_text = matches!(cell.get("office:value-type"), None | Some("string"));
    let overflow = match (style.is_wrapped, style.is_shrunk) {
        (_, Some(true)) => Overflow::Other,
        _ if !is_text => Overflow::Hide,
        (wrapped, _) => Overflow::of(wrapped == Some(true), false),
    };
    let is_blank = runs.iter().all(|run| run.text.trim().is_empty());
    if is_blank && !formula.is_empty() && cell.get("office:value-type").is_none() {
        body.package.losses.add(Loss::Formula);
    }
    Ok((!is_blank).then(|| CellContent {
        runs,
        alignment: style.alignment.unwrap_or(Alignment::Start),
        overflow,
    }))
}

fn is_hidden(element: &Element) -> bool {
    matches!(element.get("table:visibility"), Some("collapse" | "filter"))
}
