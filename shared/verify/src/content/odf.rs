//! Reads the text, cells and pictures of an ODF document [OpenDocument 1.3 part 3].

mod cell_value;
mod chart;
mod headers;
mod row;
mod styles;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::Path;

use self::cell_value::CellValue;
use self::headers::PageStyles;
use self::row::Row;
use self::styles::HiddenStyles;
use super::hidden_shape::HiddenShape;
use super::item::{Item, Place, Take, Unreadable};
use super::package::{Package, is_raster_image};
use super::scope::Scope;
use super::tables::Tables;
use super::xml::{Element, Node, walk};

/// Calls `take` with the items of a document. Returns the names of the sheets of a spreadsheet.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<Vec<String>, Unreadable> {
    let mut package = Package::open(path)?;
    let content = package.required("content.xml")?;
    let sheets = match scope.active_sheet_only {
        true => {
            let settings = package.part("settings.xml")?.unwrap_or_default();
            active_sheet(&settings)?.map_or(Sheets::First, Sheets::Named)
        }
        false => Sheets::All,
    };
    let styles = package.part("styles.xml")?.unwrap_or_default();
    let mut hidden = HiddenStyles::default();
    hidden.read(&styles)?;
    let (mut reader, mut page_styles) = (
        ContentReader::new(scope, hidden, sheets),
        PageStyles::default(),
    );
    walk(&content, |node, depth| {
        // Styles precede the content that they apply to.
        if let Node::Start(element) = &node {
            reader.hidden.add(element);
            page_styles.add(element);
        }
        reader.node(&node, depth, take);
    })?;
    let ContentReader {
        hidden,
        sheets,
        objects,
        ..
    } = reader;
    take(Item::Aside(true), Place::default());
    if (scope.headers || scope.running_text) && !scope.tables_only {
        take(Item::Once(scope.running_text), Place::default());
        let aside = Scope {
            is_aside: true,
            ..scope
        };
        let mut reader = ContentReader::new(aside, hidden, Sheets::All);
        headers::read(page_styles, &styles, scope, &mut |node, depth| {
            reader.node(node, depth, take);
        })?;
        take(Item::Once(false), Place::default());
    }
    for (object, place) in objects {
        let part = package.part(&format!("{object}/content.xml"))?;
        chart::read(&part.unwrap_or_default(), scope, &mut |item| {
            take(item, place);
        })?;
    }
    Ok(sheets)
}

/// The name of the sheet that is active when the workbook is opened.
fn active_sheet(settings: &[u8]) -> Result<Option<String>, Unreadable> {
    let (mut active, mut is_named) = (None::<String>, false);
    walk(settings, |node, _| match node {
        Node::Start(element) => {
            is_named = element.name() == "config-item" && element.has("name", "ActiveTable");
        }
        Node::Text(text) if is_named => active.get_or_insert_default().push_str(text),
        Node::End(_) => is_named = false,
        Node::Text(_) => {}
    })?;
    Ok(active)
}

/// Elements that are not part of the visible text, or whose text is recalculated by the application that opens the document.
const SKIPPED: [&str; 31] = [
    "annotation",
    "tracked-changes",
    "note-citation",
    "notes",
    "forms",
    "hidden-text",
    "hidden-paragraph",
    "conditional-text",
    "placeholder",
    "page-number",
    "page-count",
    "page-continuation",
    "date",
    "time",
    "creation-date",
    "creation-time",
    "modification-date",
    "modification-time",
    "print-date",
    "print-time",
    "editing-duration",
    "file-name",
    "sheet-name",
    "object",
    "covered-table-cell",
    "desc",
    "title",
    "sequence",
    "author-name",
    "chapter",
    "subject",
];

/// The sheets of a spreadsheet that are read, of those that are not hidden.
enum Sheets {
    All,
    /// The first one, which LibreOffice activates without a setting.
    First,
    Named(String),
    None,
}

impl Sheets {
    /// Whether the next sheet is read.
    fn take(&mut self, sheet: &Element<'_>) -> bool {
        match self {
            Self::All => true,
            Self::First => {
                *self = Self::None;
                true
            }
            Self::Named(name) => sheet.has("name", name),
            Self::None => false,
        }
    }
}

struct ContentReader {
    scope: Scope,
    hidden: HiddenStyles,
    wanted_sheets: Sheets,
    sheets: Vec<String>,
    /// Folders of the displayed objects.
    objects: Vec<(String, Place)>,
    is_spreadsheet: bool,
    place: Place,
    /// How often the current row and cell are repeated.
    repeated_row: u32,
    repeated_cell: u32,
    /// The items of the current row of a spreadsheet.
    row: Row,
    /// First and last hidden column of the current sheet, from 0.
    hidden_columns: Vec<(u32, u32)>,
    columns: u32,
    skipped: Option<usize>,
    /// The open hidden shape of a slide.
    hidden_shape: Option<HiddenShape>,
    tables: Tables,
    /// Number of open notes and text boxes of a text document, which are anywhere on a page.
    stories: usize,
    paragraphs: usize,
    /// The value of the current cell of a spreadsheet.
    value: Option<CellValue>,
    /// Whether the paragraph of the current cell has a digit; `None` if there is no paragraph.
    displays_digit: Option<bool>,
    frame: Option<Frame>,
    /// Whether dates have other numbers in results, because they are counted from 1904.
    has_other_dates: bool,
}

/// A frame, whose images are alternatives.
struct Frame {
    depth: usize,
    has_image: bool,
    has_object: bool,
}

/// Maximum number of embedded objects that are considered.
const MAX_OBJECTS: usize = 1_000;
/// Maximum number of hidden ranges of columns that are considered.
const MAX_HIDDEN: usize = 1_000;

impl ContentReader {
    fn new(scope: Scope, hidden: HiddenStyles, wanted_sheets: Sheets) -> Self {
        Self {
            scope,
            hidden,
            wanted_sheets,
            sheets: Vec::new(),
            objects: Vec::new(),
            is_spreadsheet: false,
            place: Place::default(),
            repeated_row: 1,
            repeated_cell: 1,
            row: Row::default(),
            hidden_columns: Vec::new(),
            columns: 0,
            skipped: None,
            hidden_shape: None,
            tables: Tables::default(),
            stories: 0,
            paragraphs: 0,
            value: None,
            displays_digit: None,
            frame: None,
            has_other_dates: false,
        }
    }

    fn node(&mut self, node: &Node<'_>, depth: usize, take: &mut dyn FnMut(Item<'_>, Place)) {
        match node {
            Node::Start(element) if self.skipped.is_none() => {
                if self.is_skipped(element) {
                    self.skipped = Some(depth);
                } else if self.is_hidden_shape(element) {
                    self.hidden_shape = Some(HiddenShape::at(depth));
                }
                self.start(element, depth, take);
            }
            Node::Start(_) => {}
            Node::End(name) => self.end(name, depth, take),
            Node::Text(text) => {
                let is_in_scope = !self.scope.tables_only || self.tables.are_open();
                let is_visible =
                    self.skipped.is_none() && self.paragraphs > 0 && self.value.is_none();
                if is_visible && is_in_scope {
                    if self.tables.add_text(text) && self.stories == 0 && !self.is_spreadsheet {
                        self.emit(take, Item::Table);
                    }
                    self.emit(take, Item::Text(text));
                }
                let is_of_value = self.value.is_some() && self.skipped.is_none();
                if is_of_value && self.paragraphs > 0 && text.contains(char::is_numeric) {
                    self.displays_digit = Some(true);
                }
            }
        }
    }

    /// Passes on an item; those of a spreadsheet at the end of their row, and of a hidden shape at its end.
    fn emit(&mut self, take: &mut dyn FnMut(Item<'_>, Place), item: Item<'_>) {
        let is_in_row = self.is_spreadsheet && self.tables.are_open();
        match &mut self.hidden_shape {
            Some(shape) => shape.add(item),
            None if is_in_row => self.row.push(item, self.place),
            None => take(item, self.place),
        }
    }

    fn is_skipped(&mut self, element: &Element<'_>) -> bool {
        let is_hidden = |styles: &HashSet<String>| {
            let style = || element.value("style-name");
            !styles.is_empty() && style().is_some_and(|style| styles.contains(&*style))
        };
        match element.name() {
            "section" => element.has("display", "none") || element.has("is-hidden", "true"),
            "text-box" => !self.scope.text_boxes,
            "table" if self.is_spreadsheet => {
                let has_ranges = element.value("print-ranges").is_some();
                let is_unprinted = has_ranges || element.has("print", "false");
                is_hidden(&self.hidden.tables)
                    // Their print ranges are not read.
                    || (self.scope.print_ranges && is_unprinted)
                    || !self.wanted_sheets.take(element)
            }
            "table-row" => element
                .value("visibility")
                .is_some_and(|how| how != "visible"),
            "page" => is_hidden(&self.hidden.pages),
            "span" | "p" | "h" => is_hidden(&self.hidden.texts),
            "table-cell" => self.is_hidden_column(),
            name => {
                let is_slide = self.place.number > 0 && !self.is_spreadsheet;
                SKIPPED.contains(&name)
                    || element.has("placeholder", "true")
                    || (!is_slide && element.has("display", "none"))
            }
        }
    }

    /// Whether a shape of a slide begins that is beyond its edges, or shown nowhere or only by printers; a PDF has neither.
    fn is_hidden_shape(&self, element: &Element<'_>) -> bool {
        self.place.number > 0
            && !self.is_spreadsheet
            && self.hidden_shape.is_none()
            && (element.has("display", "none")
                || element.has("display", "printer")
                || self.hidden.is_outside(element))
    }

    /// Begins a slide or sheet.
    fn part(&self, take: &mut dyn FnMut(Item<'_>, Place)) {
        if self.skipped.is_none() {
            take(Item::Part, self.place);
        }
    }

    /// Whether the words may be elsewhere in the result.
    fn is_aside(&self) -> bool {
        let is_mixed = self.scope.mixes_cells && self.tables.are_open();
        self.scope.is_aside || self.stories > 0 || is_mixed
    }

    fn is_hidden_column(&self) -> bool {
        let column = self.place.cell.map_or(0, |(_, column)| column);
        let mut hidden = self.hidden_columns.iter();
        hidden.any(|(first, last)| (*first..=*last).contains(&column))
    }

    fn start(
        &mut self,
        element: &Element<'_>,
        depth: usize,
        take: &mut dyn FnMut(Item<'_>, Place),
    ) {
        let repeated = |name| {
            let count = element.value(name).and_then(|count| count.parse().ok());
            count.unwrap_or(1_u32)
        };
        match element.name() {
            "spreadsheet" => self.is_spreadsheet = true,
            "null-date" => self.has_other_dates = !element.has("date-value", "1899-12-30"),
            "page" => {
                self.place.number += 1;
                self.part(take);
            }
            "table" => {
                self.tables.begin();
                take(Item::Aside(self.is_aside()), self.place);
                if self.is_spreadsheet && self.tables.is_outermost() {
                    self.sheets
                        .push(element.attribute("name").unwrap_or_default());
                    self.place.number += 1;
                    self.place.cell = Some((0, 0));
                    self.hidden_columns.clear();
                    self.columns = 0;
                    self.part(take);
                }
            }
            "note" | "text-box" if self.place.number == 0 => {
                self.stories += 1;
                take(Item::Aside(true), self.place);
            }
            "table-column" if self.is_spreadsheet => {
                let count = repeated("number-columns-repeated");
                let last = self.columns.saturating_add(count);
                let is_hidden = element
                    .value("visibility")
                    .is_some_and(|how| how != "visible");
                if is_hidden && self.hidden_columns.len() < MAX_HIDDEN {
                    self.hidden_columns
                        .push((self.columns, last.saturating_sub(1)));
                }
                self.columns = last;
            }
            "table-row" => self.repeated_row = repeated("number-rows-repeated"),
            "table-cell" | "covered-table-cell" => {
                self.repeated_cell = repeated("number-columns-repeated");
                self.row.begin_cell();
                self.tables.begin_cell();
                let value = CellValue::of(element);
                self.value = value.filter(|_| self.is_spreadsheet && self.skipped.is_none());
                self.displays_digit = None;
            }
            "p" | "h" => {
                // The paragraphs of a note are inside the paragraph that refers to it.
                if self.paragraphs > 0 {
                    self.emit(take, Item::Break);
                }
                self.paragraphs += 1;
                self.displays_digit = self.displays_digit.or(Some(false));
                self.tables.begin_paragraph();
            }
            "s" | "tab" | "line-break" | "ruby-base" | "ruby-text" => self.emit(take, Item::Break),
            "frame" => {
                self.frame = Some(Frame {
                    depth,
                    has_image: false,
                    has_object: false,
                });
            }
            "object" | "object-ole" | "plugin" => {
                if let Some(frame) = &mut self.frame {
                    frame.has_object = true;
                }
                let folder = element.attribute("href").unwrap_or_default();
                let folder = folder.trim_start_matches("./").to_owned();
                let is_in_scope = !self.scope.tables_only || self.is_spreadsheet;
                let is_known = self.objects.iter().any(|(known, _)| *known == folder);
                let is_shown = self.hidden_shape.is_none();
                if is_in_scope && is_shown && !is_known && self.objects.len() < MAX_OBJECTS {
                    self.objects.push((folder, self.place));
                }
            }
            "image" => {
                if let Some(frame) = &mut self.frame {
                    let part = element.attribute("href").unwrap_or_default();
                    frame.has_image |= is_raster_image(&part) && !part.contains("://");
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str, depth: usize, take: &mut dyn FnMut(Item<'_>, Place)) {
        let was_skipped = self.skipped.is_some_and(|skipped| skipped < depth);
        if self.skipped == Some(depth) {
            self.skipped = None;
        }
        if was_skipped {
            return;
        }
        match name {
            "p" | "h" => {
                self.paragraphs = self.paragraphs.saturating_sub(1);
                self.emit(take, Item::Break);
            }
            "table" => {
                self.tables.end();
                take(Item::Aside(self.is_aside()), self.place);
            }
            "note" | "text-box" if self.place.number == 0 => {
                self.stories = self.stories.saturating_sub(1);
                take(Item::Aside(self.is_aside()), self.place);
            }
            "table-row" if self.tables.is_outermost() => {
                if let Some((row, column)) = &mut self.place.cell {
                    *row = row.saturating_add(self.repeated_row);
                    *column = 0;
                }
                self.row.end(self.repeated_row, take);
            }
            "table-cell" | "covered-table-cell" => {
                if let Some(CellValue::Number(number)) = self.value.take()
                    && (self.scope.is_result || self.displays_digit != Some(false))
                {
                    let number = number.filter(|_| !self.has_other_dates);
                    self.emit(take, Item::Number(number));
                }
                if let Some((_, column)) = &mut self.place.cell {
                    *column = column.saturating_add(self.repeated_cell);
                }
                self.emit(take, Item::Break);
                self.row.end_cell(self.repeated_cell);
            }
            "frame" => {
                let frame = self.frame.take_if(|frame| frame.depth == depth);
                if frame.is_some_and(|frame| frame.has_image && !frame.has_object) {
                    self.emit(take, Item::Image);
                }
            }
            _ => {}
        }
        if let Some(shape) = self.hidden_shape.take_if(|shape| shape.depth == depth) {
            take(shape.item(), self.place);
        }
    }
}
