//! Reads the visible cells and text boxes of an Excel 97-2003 workbook [MS-XLS].

mod globals;
mod records;
mod sheet;
mod strings;
#[cfg(test)]
mod tests;

use std::path::Path;

use self::globals::Globals;
use self::sheet::SheetReader;
use super::compound::Compound;
use super::item::{Item, Place, Take, Unreadable};
use super::scope::Scope;

/// Maximum bytes of text, in relation to the size of the workbook: cells share strings.
const MAX_TEXT: usize = 64;

/// Calls `take` with the items of each visible worksheet. Returns the names of all sheets.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<Vec<String>, Unreadable> {
    let stream = Compound::open(path)?.stream("Workbook")?;
    let globals = Globals::read(&stream)?;
    let mut text_left = stream.len().saturating_mul(MAX_TEXT);
    // Sheets are different parts of the stream.
    let mut records_left = stream.len();
    for (number, sheet) in (1..).zip(&globals.sheets) {
        let is_wanted = !scope.active_sheet_only || number == globals.active;
        if sheet.is_hidden || !is_wanted {
            continue;
        }
        let records = stream.get(sheet.offset..).ok_or(Unreadable)?;
        let mut reader = SheetReader::read(records, &globals)?;
        records_left = records_left.checked_sub(reader.len).ok_or(Unreadable)?;
        take(Item::Part, Place { number, cell: None });
        let printed = match scope.print_ranges {
            true => sheet.print_ranges.as_slice(),
            false => &[],
        };
        reader.cells(printed, &mut text_left, &mut |item, row, column| {
            let cell = Some((row, column));
            take(item, Place { number, cell });
        })?;
        for _ in 0..reader.charts {
            take(Item::Chart, Place { number, cell: None });
        }
        if scope.text_boxes && printed.is_empty() {
            reader.drawings(&mut |item| take(item, Place { number, cell: None }));
        }
    }
    Ok(globals.sheets.into_iter().map(|sheet| sheet.name).collect())
}
