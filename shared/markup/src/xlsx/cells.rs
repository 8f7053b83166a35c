//! Parses worksheet parts.

use std::collections::HashMap;

use layout::{Run, Size};

use super::Workbook;
use super::strings;
use crate::cell_reference::{self, range};
use crate::error::{MarkupError, Result};
use crate::line::Line;
use crate::paper;
use crate::sheet_headers;
use crate::sheet_links::Target;
use crate::theme::Theme;
use crate::worksheet::{
    COLUMNS, CellContent, CellPosition, CellStyle, ROWS, Worksheet, column_width, plain,
};
use crate::xml::{Cursor, Element, Step};

/// The content of a worksheet part.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pub(super) sheet: Worksheet,
    /// Hyperlink of each cell.
    pub(super) links: HashMap<CellPosition, Link>,
    /// Number of frozen rows at the top.
    pub(super) frozen: usize,
    /// Number of formulas without a current result.
    pub(super) uncalculated: u32,
    pub(super) size: Option<Size>,
    /// Number of headers and footers with text.
    pub(super) headers: u32,
    /// The targets of shared formulas, by the index of the formula.
    shared: HashMap<String, Target>,
    /// The first column without a column element so far.
    next_column: usize,
}

/// Target of a hyperlink.
#[derive(Debug)]
pub(super) enum Link {
    Relation(String),
    /// A place in the workbook.
    Within(String),
    /// By a formula.
    Formula(Target),
}

impl Cells {
    /// Parses a worksheet part.
    pub(super) fn read(book: &Workbook, text: &str) -> Result<Self> {
        let mut cells = Self::default();
        let mut cursor = Cursor::new(text, &book.package.budget);
        let (mut next_row, mut is_sheet) = (0, false);
        loop {
            match cursor.step()? {
                Step::Open(element) if element.is("x:worksheet") => is_sheet = true,
                Step::Open(element) if element.is("x:row") => {
                    next_row = cells.row(book, &cursor.fill(element)?, next_row)?;
                }
                Step::Open(element) if element.is("x:headerFooter") => {
                    cells.headers = headers(&cursor.fill(element)?);
                }
                Step::Open(element) => cells.property(&element),
                Step::Close | Step::Text(_) => {}
                Step::End if is_sheet => return Ok(cells),
                Step::End => {
                    return Err(MarkupError::Corrupt(
                        "a worksheet part has another root element",
                    ));
                }
            }
        }
    }

    fn property(&mut self, element: &Element) {
        match element.name() {
            "x:sheetFormatPr" => {
                self.sheet.usual_width = element.number("defaultColWidth").map(column_width)
            }
            "x:col" => self.columns(element),
            "x:pane" if matches!(element.get("state"), Some("frozen" | "frozenSplit")) => {
                self.frozen = element
                    .number::<f32>("ySplit")
                    .map_or(0, |rows| rows.clamp(0.0, 100.0) as usize);
            }
            "x:mergeCell" => self.sheet.merges.extend(element.get("ref").and_then(range)),
            "x:hyperlink" => self.link(element),
            "x:pageSetup" => self.size = Some(size(element)),
            _ => {}
        }
    }

    fn columns(&mut self, element: &Element) {
        let (Some(first), Some(last)) = (
            element.number::<usize>("min"),
            element.number::<usize>("max"),
        ) else {
            return;
        };
        // The elements are in column order; overlaps are ignored.
        let columns = (first.max(1) - 1).max(self.next_column)..last.min(COLUMNS);
        self.next_column = columns.end.max(self.next_column);
        if is_true(element, "hidden") {
            self.sheet.hidden_columns.extend(columns.clone());
        }
        if let Some(width) = element.number("width").map(column_width) {
            self.sheet
                .widths
                .extend(columns.map(|column| (column, width)));
        }
    }

    fn link(&mut self, element: &Element) {
        let Some((place, _)) = element.get("ref").and_then(range) else {
            return;
        };
        let link = match element.get("r:id") {
            Some(id) => Link::Relation(id.to_owned()),
            None => Link::Within(element.get("location").unwrap_or_default().to_owned()),
        };
        self.links.insert(place, link);
    }

    /// Reads a row and returns the index of the next one.
    fn row(&mut self, book: &Workbook, element: &Element, next: usize) -> Result<usize> {
        let row = element
            .number::<usize>("r")
            .map_or(next, |number| number.clamp(1, ROWS) - 1);
        if is_true(element, "hidden") {
            self.sheet.hidden_rows.insert(row);
        }
        let mut column = 0;
        for cell in element.all("x:c") {
            let place = cell
                .get("r")
                .and_then(cell_reference::place)
                .map_or((row, column), |place| (row, place.1));
            column = place.1 + 1;
            let formula = cell.find("x:f");
            let is_uncalculated = formula.is_some() && (book.recalculates || !has_result(cell));
            if let Some(target) = formula.and_then(|formula| self.target(formula)) {
                self.links.insert(place, Link::Formula(target));
            }
            self.uncalculated += u32::from(is_uncalculated);
            let content = content(book, cell).filter(|_| place.1 < COLUMNS);
            match content {
                Some(content) => self.sheet.add(place, content, &book.package.budget)?,
                None if is_uncalculated && place.1 < COLUMNS => self.sheet.uncalculated.push(place),
                None => {}
            }
        }
        Ok(row + 1)
    }

    /// Returns the target of a formula. Of a shared formula only the first cell has the text.
    fn target(&mut self, formula: &Element) -> Option<Target> {
        let target = Target::of(&formula.text());
        let Some(shared) = formula.get("si") else {
            return target;
        };
        if let Some(target) = &target {
            self.shared.insert(shared.to_owned(), target.clone());
        }
        target.or_else(|| self.shared.get(shared).cloned())
    }
}

/// Whether the result of a formula is stored. That of a text may be empty.
fn has_result(cell: &Element) -> bool {
    let value = cell.find("x:v");
    let is_text = cell.get("t") == Some("str");
    value.is_some_and(|value| is_text || !value.text().trim().is_empty())
}

/// Returns the content of a cell; `None` if it is empty.
fn content(book: &Workbook, cell: &Element) -> Option<CellContent> {
    let style = book.styles.get(cell.number("s").unwrap_or(0));
    let value = cell.find("x:v").map(Element::text);
    let runs = match (cell.get("t").unwrap_or("n"), value) {
        ("s", Some(value)) => {
            let text = book.strings.get(value.trim().parse::<usize>().ok()?)?;
            styled(text, style)
        }
        ("inlineStr", _) => styled(&strings::runs(cell.find("x:is")?, &Theme::default()), style),
        ("n", Some(value)) => plain(&number(book, &value, style), style),
        ("b", Some(value)) => plain(if value.trim() == "1" { "TRUE" } else { "FALSE" }, style),
        ("str", Some(value)) => plain(&style.format.show_text(&value), style),
        (_, Some(value)) => plain(&value, style),
        (_, None) => return None,
    };
    let is_number = matches!(cell.get("t"), None | Some("n" | "b" | "d"));
    let is_blank = runs.iter().all(|run| run.text.trim().is_empty());
    (!is_blank).then_some(CellContent {
        runs,
        alignment: style.alignment,
        overflow: style.overflow(is_number),
    })
}

fn number(book: &Workbook, text: &str, style: &CellStyle) -> String {
    match text.trim().parse() {
        Ok(value) => style.format.show(value, book.since_1904),
        Err(_) => text.to_owned(),
    }
}

/// Runs without a style of their own get that of the cell.
fn styled(runs: &[Run], style: &CellStyle) -> Vec<Run> {
    let mut line = Line::default();
    for run in runs {
        let own = run.style != layout::Style::default();
        let text = style.format.show_text(&run.text);
        line.push(&text, if own { &run.style } else { &style.style }, None);
    }
    line.trimmed_end()
}

/// The number of headers and footers with text, and of different ones of first and even pages.
fn headers(element: &Element) -> u32 {
    let first = is_true(element, "differentFirst");
    let even = is_true(element, "differentOddEven");
    let shown = element.elements().filter(|header| match header.name() {
        "x:oddHeader" | "x:oddFooter" => true,
        "x:firstHeader" | "x:firstFooter" => first,
        "x:evenHeader" | "x:evenFooter" => even,
        _ => false,
    });
    let with_text = shown.filter(|header| sheet_headers::has_text(&header.text()));
    with_text.map(|_| 1).sum()
}

fn size(setup: &Element) -> Size {
    let size = paper::numbered(setup.number("paperSize").unwrap_or(1));
    match setup.get("orientation") {
        Some("landscape") => paper::rotated(size),
        _ => size,
    }
}

fn is_true(element: &Element, name: &str) -> bool {
    matches!(element.get(name), Some("1" | "true"))
}
