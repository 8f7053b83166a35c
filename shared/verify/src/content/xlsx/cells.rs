//! Reads the cells of a worksheet.

use std::collections::HashSet;

use super::SharedStrings;
use super::ranges::{CellRange, parse_cell, parse_range};
use crate::content::item::{Item, Unreadable};
use crate::content::xml::{Element, Node, walk};

/// Maximum number of covered cells and of hidden ranges of columns that are considered.
const MAX_COVERED: usize = 200_000;
const MAX_HIDDEN: usize = 1_000;

/// Cell formats.
pub(super) struct Styles {
    /// Indexes of cell formats that display nothing.
    blank: HashSet<usize>,
}

impl Styles {
    pub(super) fn read(part: &[u8]) -> Result<Self, Unreadable> {
        let mut blank_formats = HashSet::new();
        let (mut blank, mut index, mut is_cell_format) = (HashSet::new(), 0, false);
        walk(part, |node, _| match node {
            Node::Start(element) => match element.name() {
                "numFmt"
                    if element
                        .attribute("formatCode")
                        .is_some_and(|code| is_blank(&code)) =>
                {
                    blank_formats.extend(element.attribute("numFmtId"));
                }
                "cellXfs" => is_cell_format = true,
                "xf" if is_cell_format => {
                    let format = element.attribute("numFmtId").unwrap_or_default();
                    if blank_formats.contains(&format) {
                        blank.insert(index);
                    }
                    index += 1;
                }
                _ => {}
            },
            Node::End("cellXfs") => is_cell_format = false,
            _ => {}
        })?;
        Ok(Self { blank })
    }
}

/// Whether a format may display no digits: one of its sections for positive and negative numbers and zero has no place for
/// any, or displays only the name of a day or month.
fn is_blank(code: &str) -> bool {
    let (mut bare, mut end) = (String::new(), None);
    for character in code.chars() {
        match (end, character) {
            (Some(expected), character) if expected == character => end = None,
            (Some(_), _) => {}
            (None, '"') => end = Some('"'),
            (None, '[') => end = Some(']'),
            (None, character) => bare.push(character.to_ascii_lowercase()),
        }
    }
    let names = ["dddd", "ddd", "mmmmm", "mmmm", "mmm"];
    let bare = names.iter().fold(bare, |bare, name| bare.replace(name, ""));
    let has_digits =
        |section: &str| section.contains(['0', '#', '?', 'y', 'm', 'd', 'h', 's', '@', 'e']);
    !bare.split(';').all(has_digits)
}

/// Calls `take` with the items of each visible cell, its row and its column, both from 0.
pub(super) fn read_cells(
    part: &[u8],
    strings: &SharedStrings,
    styles: &Styles,
    take: &mut dyn FnMut(Item<'_>, u32, u32),
) -> Result<(), Unreadable> {
    let covered = covered(part)?;
    let mut reader = CellReader {
        strings,
        styles,
        covered,
        hidden_columns: Vec::new(),
        hides_zeros: false,
        is_volatile: contains(part, b" ca=\"1\""),
        is_row_hidden: false,
        position: (0, 0),
        next: (0, 0),
        cell_type: String::new(),
        is_blank: false,
        value: String::new(),
        is_value: false,
    };
    walk(part, |node, _| reader.node(&node, take))
}

/// Cells covered by merged ranges, which follow the cells in the part.
fn covered(part: &[u8]) -> Result<HashSet<(u32, u32)>, Unreadable> {
    let mut covered = HashSet::new();
    if !contains(part, b"mergeCell ") {
        return Ok(covered);
    }
    walk(part, |node, _| {
        if let Node::Start(element) = node
            && element.name() == "mergeCell"
        {
            let range = element.attribute("ref");
            let range = range.and_then(|range| parse_range(&range));
            let cells = range.iter().flat_map(CellRange::covered);
            covered.extend(cells.take(MAX_COVERED - covered.len()));
        }
    })?;
    Ok(covered)
}

fn contains(part: &[u8], wanted: &[u8]) -> bool {
    part.windows(wanted.len()).any(|bytes| bytes == wanted)
}

struct CellReader<'a> {
    strings: &'a SharedStrings,
    styles: &'a Styles,
    covered: HashSet<(u32, u32)>,
    /// First and last column of hidden ranges, from 0.
    hidden_columns: Vec<(u32, u32)>,
    hides_zeros: bool,
    /// Whether formulas are calculated whenever the workbook is opened.
    is_volatile: bool,
    is_row_hidden: bool,
    position: (u32, u32),
    /// Position of a cell without a reference.
    next: (u32, u32),
    cell_type: String,
    is_blank: bool,
    value: String,
    is_value: bool,
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
        let number = |name| element.attribute(name).and_then(|text| text.parse().ok());
        let is_on = |name| element.has(name, "1") || element.has(name, "true");
        match element.name() {
            "sheetView" => self.hides_zeros = element.has("showZeros", "0"),
            "col" if is_on("hidden") || element.has("width", "0") => {
                let range = number("min").zip(number("max"));
                let range = range
                    .map(|(min, max): (u32, u32)| (min.saturating_sub(1), max.saturating_sub(1)));
                let room = MAX_HIDDEN.saturating_sub(self.hidden_columns.len());
                self.hidden_columns.extend(range.into_iter().take(room));
            }
            "row" => {
                self.is_row_hidden = is_on("hidden") || element.has("ht", "0");
                if let Some(row) = number("r") {
                    self.next = (row.saturating_sub(1), 0);
                }
            }
            "c" => {
                let reference = element.attribute("r");
                let reference = reference.and_then(|reference| parse_cell(&reference));
                self.position = match reference {
                    Some((Some(row), Some(column))) => (row, column),
                    _ => self.next,
                };
                self.next = (self.position.0, self.position.1.saturating_add(1));
                self.cell_type = element.attribute("t").unwrap_or_default();
                let style = element.attribute("s").and_then(|style| style.parse().ok());
                self.is_blank =
                    style.is_some_and(|style: usize| self.styles.blank.contains(&style));
                self.value.clear();
            }
            "v" => self.is_value = true,
            "t" => self.is_value = self.cell_type == "inlineStr",
            "rPh" => self.is_value = false,
            _ => {}
        }
    }

    fn cell(&mut self, take: &mut dyn FnMut(Item<'_>, u32, u32)) {
        let (row, column) = self.position;
        let is_hidden_column = |(first, last): &(u32, u32)| (*first..=*last).contains(&column);
        if self.is_row_hidden
            || self.hidden_columns.iter().any(is_hidden_column)
            || self.covered.contains(&(row, column))
        {
            return;
        }
        let value = std::mem::take(&mut self.value);
        match self.cell_type.as_str() {
            "s" => {
                let index = value.trim().parse().ok();
                let text = index.map_or("", |index| self.strings.get(index));
                take(Item::Text(text), row, column);
            }
            // Depends on the time of calculation.
            "str" if self.is_volatile => {}
            "str" | "inlineStr" => take(Item::Text(&value), row, column),
            "b" | "e" => {}
            _ => {
                let value = value.trim();
                let is_zero_hidden = value == "0" && self.hides_zeros;
                let is_shown = !self.is_blank && !is_zero_hidden;
                if is_shown && !value.is_empty() {
                    take(Item::Number, row, column);
                }
            }
        }
        take(Item::Break, row, column);
    }
}
