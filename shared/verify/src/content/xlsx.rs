//! Reads the visible cells of an XLSX [ECMA-376 part 1, 18].

mod bars;
mod cells;
mod displayed;
mod empty_cells;
mod ranges;

use std::collections::HashSet;
use std::path::Path;

pub(super) use self::ranges::cell_name;

use self::cells::{Styles, read_cells};
use self::ranges::parse_ranges;
use super::graphics;
use super::grid::Range;
use super::item::{Item, Place, Take, Unreadable};
use super::package::Package;
use super::picture::PictureReader;
use super::scope::Scope;
use super::xml::{Node, walk};

const WORKBOOK: &str = "xl/workbook.xml";
/// Maximum number of print ranges of a sheet.
const MAX_RANGES: usize = 1_000;
/// Maximum bytes of text: cells share strings.
const MAX_TEXT: usize = 512 * 1024 * 1024;

/// Calls `take` with the items of each visible sheet. Returns the names of all sheets.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<Vec<String>, Unreadable> {
    let mut package = Package::open(path)?;
    let workbook = Workbook::read(&mut package)?;
    let strings = SharedStrings::read(&mut package)?;
    let styles = package.part("xl/styles.xml")?;
    let styles = Styles::read(&styles.unwrap_or_default())?;
    let mut bytes = 0_usize;
    for (number, sheet) in (1..).zip(&workbook.sheets) {
        let is_wanted = !scope.active_sheet_only || number == workbook.active;
        if sheet.is_hidden || !is_wanted {
            continue;
        }
        let Some(part) = package.part(&sheet.part)? else {
            continue;
        };
        take(Item::Part, Place { number, cell: None });
        let printed = match scope.print_ranges {
            true => sheet.print_ranges.as_slice(),
            false => &[],
        };
        let cells = (&strings, &styles, scope);
        read_cells(&part, cells, &mut |item, row, column| {
            let is_printed = |range: &Range| range.contains(row, column);
            if printed.is_empty() || printed.iter().any(is_printed) {
                let cell = Some((row, column));
                if let Item::Text(text) = item {
                    bytes = bytes.saturating_add(text.len());
                }
                let item = match item {
                    // Its dates have other numbers than those of results.
                    Item::Number(_) if workbook.counts_from_1904 => Item::Number(None),
                    item => item,
                };
                if bytes <= MAX_TEXT {
                    take(item, Place { number, cell });
                }
            }
        })?;
        if printed.is_empty() {
            read_drawings(&mut package, &sheet.part, scope, &mut |item| {
                take(item, Place { number, cell: None });
            })?;
        }
    }
    if bytes > MAX_TEXT {
        return Err(Unreadable);
    }
    Ok(workbook
        .sheets
        .into_iter()
        .map(|sheet| sheet.name)
        .collect())
}

struct Workbook {
    sheets: Vec<Sheet>,
    /// Number of the active sheet, from 1.
    active: u32,
    /// Whether dates are counted from 1904.
    counts_from_1904: bool,
}

struct Sheet {
    name: String,
    part: String,
    is_hidden: bool,
    print_ranges: Vec<Range>,
}

impl Workbook {
    fn read(package: &mut Package) -> Result<Self, Unreadable> {
        let part = package.required(WORKBOOK)?;
        let relationships = package.relationships(WORKBOOK)?;
        let (mut sheets, mut active) = (Vec::<Sheet>::new(), 1);
        let mut counts_from_1904 = false;
        // The sheet of the print range whose text follows.
        let mut range_of: Option<usize> = None;
        walk(part.as_slice(), |node, _| match node {
            Node::Start(element) => match element.name() {
                "workbookPr" => {
                    let date = element.attribute("date1904");
                    counts_from_1904 = date.is_some_and(|date| date != "0" && date != "false");
                }
                "workbookView" => {
                    let tab = element.attribute("activeTab");
                    let tab: u32 = tab.and_then(|tab| tab.parse().ok()).unwrap_or(0);
                    active = tab.saturating_add(1);
                }
                "sheet" => {
                    let part = element.relationship();
                    let part = part.and_then(|id| relationships.get(&id).cloned());
                    let state = element.attribute("state");
                    let is_worksheet = part
                        .as_ref()
                        .is_some_and(|part| part.contains("worksheets"));
                    sheets.push(Sheet {
                        name: element.attribute("name").unwrap_or_default(),
                        part: part.unwrap_or_default(),
                        is_hidden: !is_worksheet || state.is_some_and(|state| state != "visible"),
                        print_ranges: Vec::new(),
                    });
                }
                "definedName" if element.has("name", "_xlnm.Print_Area") => {
                    let sheet = element.attribute("localSheetId");
                    range_of = sheet.and_then(|sheet| sheet.parse().ok());
                }
                _ => {}
            },
            Node::Text(text) => {
                if let Some(sheet) = range_of.and_then(|index| sheets.get_mut(index)) {
                    let room = MAX_RANGES.saturating_sub(sheet.print_ranges.len());
                    sheet
                        .print_ranges
                        .extend(parse_ranges(text).into_iter().take(room));
                }
            }
            Node::End("definedName") => range_of = None,
            Node::End(_) => {}
        })?;
        Ok(Self {
            sheets,
            active,
            counts_from_1904,
        })
    }
}

/// The shared strings, one after the other.
pub(super) struct SharedStrings {
    text: String,
    ends: Vec<usize>,
}

impl SharedStrings {
    fn read(package: &mut Package) -> Result<Self, Unreadable> {
        let mut strings = Self {
            text: String::new(),
            ends: Vec::new(),
        };
        let part = package.part("xl/sharedStrings.xml")?.unwrap_or_default();
        let (mut is_text, mut phonetic) = (false, false);
        walk(part.as_slice(), |node, _| match node {
            Node::Start(element) => match element.name() {
                "t" => is_text = !phonetic,
                "rPh" => phonetic = true,
                _ => {}
            },
            Node::End("t") => is_text = false,
            Node::End("rPh") => phonetic = false,
            Node::End("si") => strings.ends.push(strings.text.len()),
            Node::Text(text) if is_text => strings.text.push_str(text),
            _ => {}
        })?;
        Ok(strings)
    }

    /// The string at an index; empty if there is none.
    fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).and_then(|index| self.ends.get(index));
        let end = self.ends.get(index);
        let range = start.copied().unwrap_or(0)..end.copied().unwrap_or(0);
        self.text.get(range).unwrap_or_default()
    }
}

/// Reads the text boxes, pictures, charts and diagrams on a sheet.
pub(super) fn read_drawings(
    package: &mut Package,
    sheet: &str,
    scope: Scope,
    emit: &mut dyn FnMut(Item<'_>),
) -> Result<(), Unreadable> {
    let drawings: HashSet<String> = package.relationships(sheet)?.into_values().collect();
    for name in drawings
        .iter()
        .filter(|name| name.contains("drawings/drawing"))
    {
        graphics::read(package, name, scope, emit)?;
        let Some(part) = package.part(name)?.filter(|_| scope.text_boxes) else {
            continue;
        };
        let relationships = package.relationships(name)?;
        let (mut is_text, mut picture, mut skipped) = (false, PictureReader::default(), None);
        emit(Item::Aside(true));
        walk(part.as_slice(), |node, depth| match node {
            Node::Start(element) => match element.name() {
                "Fallback" if skipped.is_none() => skipped = Some(depth),
                "t" => is_text = true,
                _ if skipped.is_none() => picture.start(&element),
                _ => {}
            },
            Node::End(name) => {
                skipped = skipped.filter(|skipped| *skipped != depth);
                if picture.end(name, &relationships) {
                    emit(Item::Image);
                }
                match name {
                    "t" => is_text = false,
                    "p" => emit(Item::Break),
                    _ => {}
                }
            }
            Node::Text(text) if is_text && skipped.is_none() => emit(Item::Text(text)),
            Node::Text(_) => {}
        })?;
        emit(Item::Aside(false));
    }
    Ok(())
}
