//! Reads the visible cells of a binary workbook [MS-XLSB].

mod records;
mod sheet;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;

use self::records::{records, wide_string};
use self::sheet::read_cells;
use super::bytes::Bytes as _;
use super::item::{Item, Place, Take, Unreadable};
use super::numbers::NumberFormat;
use super::package::Package;
use super::scope::Scope;
use super::xlsx::read_drawings;

const WORKBOOK: &str = "xl/workbook.bin";

/// Maximum bytes of text, in relation to the size of the parts: cells share strings.
const MAX_TEXT: usize = 64;

const SHARED_STRING: u16 = 19;
const FORMAT: u16 = 44;
const CELL_FORMAT: u16 = 47;
const PROPERTIES: u16 = 153;
const SHEET: u16 = 156;
const VIEW: u16 = 158;
const CELL_FORMATS: u16 = 617;
const CELL_FORMATS_END: u16 = 618;

/// Calls `take` with the items of each visible worksheet. Returns the names of all sheets.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<Vec<String>, Unreadable> {
    let mut package = Package::open(path)?;
    let (sheets, active) = sheets(&mut package)?;
    // The ranges are formulas, which are not read.
    if scope.print_ranges && has_print_ranges(&package.required(WORKBOOK)?) {
        return Err(Unreadable);
    }
    let shared = Shared::read(&mut package)?;
    let counts_from_1904 = counts_from_1904(&package.required(WORKBOOK)?);
    for (number, sheet) in (1..).zip(&sheets) {
        let is_wanted = !scope.active_sheet_only || number == active;
        if sheet.is_hidden || !is_wanted {
            continue;
        }
        if let Some(part) = package.part(&sheet.part)? {
            take(Item::Part, Place { number, cell: None });
            read_cells(&part, &shared, &mut |item, row, column| {
                let cell = Some((row, column));
                let item = match item {
                    // Dates that are counted from 1904 have other numbers in results.
                    Item::Number(_) if counts_from_1904 => Item::Number(None),
                    item => item,
                };
                take(item, Place { number, cell });
            })?;
            read_drawings(&mut package, &sheet.part, scope, &mut |item| {
                take(item, Place { number, cell: None });
            })?;
        }
    }
    Ok(sheets.into_iter().map(|sheet| sheet.name).collect())
}

/// Whether a name of the workbook is that of print ranges, in UTF-16.
fn has_print_ranges(workbook: &[u8]) -> bool {
    let name: Vec<u8> = "Print_Area"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    workbook.windows(name.len()).any(|bytes| bytes == name)
}

/// Whether dates are counted from 1904.
fn counts_from_1904(workbook: &[u8]) -> bool {
    let mut properties = records(workbook).filter(|(kind, _)| *kind == PROPERTIES);
    let flags = properties.next().and_then(|(_, data)| data.u8_at(0));
    flags.is_some_and(|flags| flags & 1 != 0)
}

struct Sheet {
    name: String,
    part: String,
    is_hidden: bool,
}

/// Reads the sheets and the number of the active one, from 1.
fn sheets(package: &mut Package) -> Result<(Vec<Sheet>, u32), Unreadable> {
    let part = package.required(WORKBOOK)?;
    let relationships = package.relationships(WORKBOOK)?;
    let (mut sheets, mut active) = (Vec::new(), 1);
    for (kind, data) in records(&part) {
        match kind {
            VIEW => active = data.u32_at(24).unwrap_or(0).saturating_add(1),
            SHEET => {
                let state = data.u32_at(0).ok_or(Unreadable)?;
                let (id, len) = wide_string(data, 8).ok_or(Unreadable)?;
                let (name, _) = wide_string(data, 8 + len).ok_or(Unreadable)?;
                let part = relationships.get(&id).cloned().unwrap_or_default();
                sheets.push(Sheet {
                    name,
                    is_hidden: state != 0 || !part.contains("worksheets"),
                    part,
                });
            }
            _ => {}
        }
    }
    Ok((sheets, active))
}

/// What sheets share.
struct Shared {
    strings: Vec<String>,
    /// Number format of each cell format.
    formats: Vec<NumberFormat>,
}

impl Shared {
    fn read(package: &mut Package) -> Result<Self, Unreadable> {
        let strings = package.part("xl/sharedStrings.bin")?.unwrap_or_default();
        let strings = records(&strings).filter(|(kind, _)| *kind == SHARED_STRING);
        let strings = strings
            .map(|(_, data)| wide_string(data, 1).map_or_else(String::new, |(text, _)| text));
        let styles = package.part("xl/styles.bin")?.unwrap_or_default();
        let (mut known, mut formats) = (HashMap::new(), Vec::new());
        let mut is_cell_format = false;
        for (kind, data) in records(&styles) {
            match kind {
                FORMAT => {
                    let code = wide_string(data, 2).map(|(code, _)| NumberFormat::parse(&code));
                    known.extend(data.u16_at(0).zip(code));
                }
                CELL_FORMATS => is_cell_format = true,
                CELL_FORMATS_END => is_cell_format = false,
                CELL_FORMAT if is_cell_format => {
                    let format = data.u16_at(2).and_then(|id| known.get(&id));
                    formats.push(format.copied().unwrap_or_default());
                }
                _ => {}
            }
        }
        Ok(Self {
            strings: strings.collect(),
            formats,
        })
    }
}
