//! Reads the cells of a worksheet.

use std::collections::HashMap;
use std::rc::Rc;

use memchr::{memmem, memrchr};

use super::SharedStrings;
use super::bars::Bars;
use super::displayed;
use super::empty_cells::without_empty_cells;
use super::ranges::{parse_cell, parse_range};
use crate::content::decimal::Decimal;
use crate::content::grid::{Grid, Range};
use crate::content::item::{Item, Unreadable};
use crate::content::numbers::NumberFormat;
use crate::content::scope::Scope;
use crate::content::xml::{Element, Node, walk};

/// Number formats of cells, by the index of their cell format.
pub(super) struct Styles {
    formats: HashMap<usize, NumberFormat>,
    /// Their codes.
    codes: HashMap<usize, Rc<str>>,
}

/// Maximum length of a number format in bytes. Applications allow 255 characters.
const MAX_CODE: usize = 1_000;

impl Styles {
    pub(super) fn read(part: &[u8]) -> Result<Self, Unreadable> {
        let mut codes: HashMap<String, Rc<str>> = HashMap::new();
        let (mut formats, mut used_codes) = (HashMap::new(), HashMap::new());
        let (mut index, mut is_cell_format) = (0, false);
        walk(part, |node, _| match node {
            Node::Start(element) => match element.name() {
                "numFmt" => {
                    let format = element.attribute("numFmtId");
                    let code = element.attribute("formatCode");
                    let code = code.filter(|code| code.len() <= MAX_CODE);
                    codes.extend(format.zip(code.map(Rc::from)));
                }
                "cellXfs" => is_cell_format = true,
                "xf" if is_cell_format => {
                    let format = element.attribute("numFmtId").unwrap_or_default();
                    let code = codes.get(&format);
                    formats.extend(code.map(|code| (index, NumberFormat::parse(code))));
                    used_codes.extend(code.map(|code| (index, Rc::clone(code))));
                    index += 1;
                }
                _ => {}
            },
            Node::End("cellXfs") => is_cell_format = false,
            _ => {}
        })?;
        Ok(Self {
            formats,
            codes: used_codes,
        })
    }
}

/// Calls `take` with the items of each visible cell, its row and its column, both from 0; with numbers as text if the scope has
/// values.
pub(super) fn read_cells(
    part: &[u8],
    (strings, styles, scope): (&SharedStrings, &Styles, Scope),
    take: &mut dyn FnMut(Item<'_>, u32, u32),
) -> Result<(), Unreadable> {
    let mut grid = Grid::default();
    grid.merge(merged(part)?);
    let mut reader = CellReader {
        strings,
        styles,
        scope,
        grid,
        // A workbook has numbers that it does not display.
        bars: match scope.is_result {
            true => Bars::default(),
            false => Bars::read(part)?,
        },
        is_volatile: memmem::find(part, b" ca=\"1\"").is_some(),
        position: (0, 0),
        next: (0, 0),
        cell_type: String::new(),
        style: None,
        value: String::new(),
        is_value: false,
        is_formula: false,
    };
    walk(&without_empty_cells(part), |node, _| {
        reader.node(&node, take);
    })
}

/// Merged ranges, which follow the cells in the part.
fn merged(part: &[u8]) -> Result<Vec<Range>, Unreadable> {
    let list = || {
        let start = memrchr(b'<', part.get(..memmem::find(part, b"mergeCells")?)?)?;
        let end = memmem::rfind(part, b"mergeCells>")? + b"mergeCells>".len();
        part.get(start..end)
    };
    // A text may have the name of the list.
    list().map_or(Ok(Vec::new()), |list| {
        ranges(list).or_else(|_| ranges(part))
    })
}

fn ranges(part: &[u8]) -> Result<Vec<Range>, Unreadable> {
    let mut ranges = Vec::new();
    walk(part, |node, _| {
        if let Node::Start(element) = node
            && element.name() == "mergeCell"
        {
            let range = element.attribute("ref");
            ranges.extend(range.and_then(|range| parse_range(&range)));
        }
    })?;
    Ok(ranges)
}

struct CellReader<'a> {
    strings: &'a SharedStrings,
    styles: &'a Styles,
    scope: Scope,
    grid: Grid,
    /// Ranges that display a bar or an icon instead of a number.
    bars: Bars,
    /// Whether formulas are calculated whenever the workbook is opened.
    is_volatile: bool,
    position: (u32, u32),
    /// Position of a cell without a reference.
    next: (u32, u32),
    cell_type: String,
    /// Index of the cell format.
    style: Option<usize>,
    value: String,
    is_value: bool,
    /// Whether the value of the current cell is calculated, which an application may do again.
    is_formula: bool,
}

impl CellReader<'_> {
    fn node(&mut self, node: &Node<'_>, take: &mut dyn FnMut(Item<'_>, u32, u32)) {
        match node {
            Node::Start(element) => self.start(element),
            Node::Text(text) if self.is_value => self.value.push_str(text),
            Node::End("c") => self.cell(take),
            Node::End("v" | "t") => self.is_value = false,
            Node::End("row") => self.next = (self.next.0.saturating_add(1), 0),
            _ => {}
        }
    }

    fn start(&mut self, element: &Element<'_>) {
        let number = |name| element.value(name).and_then(|text| text.parse().ok());
        let is_on = |name| element.has(name, "1") || element.has(name, "true");
        match element.name() {
            "sheetView" => self.grid.hides_zeros = element.has("showZeros", "0"),
            "col" if is_on("hidden") || element.has("width", "0") => {
                if let (Some(first), Some(last)) = (number("min"), number("max")) {
                    let from_zero = |number: usize| number.saturating_sub(1);
                    self.grid.hide_columns(from_zero(first), from_zero(last));
                }
            }
            "row" => {
                let row = number("r").and_then(|row| u32::try_from(row).ok());
                if let Some(row) = row {
                    self.next = (row.saturating_sub(1), 0);
                }
                if is_on("hidden") || element.has("ht", "0") {
                    self.grid.hidden_rows.insert(self.next.0);
                }
            }
            "c" => {
                self.position = self.next;
                self.cell_type.clear();
                self.style = None;
                self.value.clear();
                self.is_formula = false;
                element.each_attribute(|name, value| match name {
                    "r" => {
                        if let Some((Some(row), Some(column))) = parse_cell(value) {
                            self.position = (row, column);
                        }
                    }
                    "t" => self.cell_type.push_str(value),
                    "s" => self.style = value.parse().ok(),
                    _ => {}
                });
                self.next = (self.position.0, self.position.1.saturating_add(1));
            }
            "v" => self.is_value = true,
            "f" => self.is_formula = true,
            "t" => self.is_value = self.cell_type == "inlineStr",
            "rPh" => self.is_value = false,
            _ => {}
        }
    }

    fn cell(&mut self, take: &mut dyn FnMut(Item<'_>, u32, u32)) {
        let (row, column) = self.position;
        if self.value.is_empty() || !self.grid.is_shown(row, column) {
            return;
        }
        let value = std::mem::take(&mut self.value);
        let format = self.style.and_then(|style| self.styles.formats.get(&style));
        let format = format.copied().unwrap_or_default();
        match self.cell_type.as_str() {
            "s" | "str" | "inlineStr" if format.hides_text && !self.scope.is_result => {}
            "s" => {
                let index = value.trim().parse().ok();
                let text = index.map_or("", |index| self.strings.get(index));
                take(Item::Text(text), row, column);
            }
            // Depends on the time of calculation.
            "str" if self.is_volatile => {}
            "str" | "inlineStr" => take(Item::Text(&value), row, column),
            "b" | "e" => {}
            _ if self.scope.values => {
                let code = self.style.and_then(|style| self.styles.codes.get(&style));
                let (shown, others) = match code.map(AsRef::as_ref) {
                    Some(code) => displayed::date(&value, code)
                        .unwrap_or_else(|| (displayed::number(&value, code), String::new())),
                    None => (value, String::new()),
                };
                take(Item::Text(&shown), row, column);
                take(Item::Alternative(&others), row, column);
            }
            _ if value.trim().is_empty() => {}
            _ => {
                let number = value.trim().parse().ok();
                let is_shown =
                    self.grid.shows(number.unwrap_or(1.0), format) && !self.bars.cover(row, column);
                if is_shown || self.scope.is_result {
                    let constant = number.filter(|_| !self.is_formula);
                    take(Item::Number(constant.and_then(Decimal::new)), row, column);
                }
            }
        }
        take(Item::Break, row, column);
    }
}
