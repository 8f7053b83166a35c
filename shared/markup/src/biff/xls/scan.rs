//! Scans the records of an xls before calamine: collects the records that calamine does not report, and disables those that
//! would make it allocate too much.

use domain::operation::Locale;
use std::collections::HashMap;

use super::super::DAMAGED;
use super::super::bytes::{index_at, u16_at, wide_text};
use super::super::hyperlink;
use super::super::shared_strings;
use super::super::sheet_records::SheetRecords;
use super::super::styles::{StyleRecords, Styles};
use crate::error::{MarkupError, Result};
use crate::limits::Budget;
use crate::sheet_cells::Overflow;
use crate::sheet_headers;
use crate::worksheet::column_width;

/// Maximum cells of all sheets together, as a multiple of the limit for one sheet: calamine holds all of them, empty ones
/// included.
const SHEETS: u64 = 4;

const BEGIN: u16 = 0x0809;
const END: u16 = 0x000A;
const FORMULA: u16 = 0x0006;
const NUMBER: u16 = 0x0203;
const DIMENSIONS: u16 = 0x0200;
const MULTIPLE_NUMBERS: u16 = 0x00BD;
const SHARED_STRINGS: u16 = 0x00FC;
const SHARED_STRING: u16 = 0x00FD;
/// A comment.
const NOTE: u16 = 0x001C;
const CODE_PAGE: u16 = 0x0042;
/// A record type that calamine skips.
const SKIPPED: u16 = 0x0867;

/// Number of elements that are charged to the budget for a sheet.
const SHEET_SIZE: usize = 64;
/// Maximum length in bytes of a string without an extra charge.
const SHORT: u32 = 64;

/// The records of a workbook without cell values.
pub(super) struct Records {
    pub(super) styles: Styles,
    /// One per sheet, in the order of the `BoundSheet8` records.
    pub(super) sheets: Vec<SheetRecords>,
}

/// State of the scan.
struct Scan {
    found: StyleRecords,
    since_1904: bool,
    /// Offsets of the sheets, in the order of the `BoundSheet8` records.
    listed: Vec<usize>,
    /// Frames by offset; `None` until the `BOF` record of the sheet is found.
    sheets: HashMap<usize, Option<SheetRecords>>,
    /// Offset of the current top-level substream.
    part: usize,
    /// Nesting depth of the current substream.
    depth: usize,
    is_frozen: bool,
    /// Whether the file is BIFF8, which has Unicode strings.
    is_wide: bool,
    /// Length in bytes of each shared string.
    strings: Vec<u32>,
    /// Counts the copies of shared strings that calamine makes, also those of hidden cells.
    copies: Budget,
    /// Type of the last drawing object.
    object: u16,
    /// Whether the formulas were calculated: the workbook declares it, or one has a result other than empty text.
    is_calculated: bool,
}

impl Records {
    /// Scans all records. Records that calamine does not need, or allocates too much for, get a type that it skips.
    pub(super) fn scan(stream: &mut [u8], budget: &Budget, locale: Locale) -> Result<Self> {
        let (mut scan, mut place) = (Scan::new(budget, locale), 0);
        while let (Some(kind), Some(length)) = (u16_at(stream, place), u16_at(stream, place + 2)) {
            let end = place + 4 + usize::from(length);
            let Some((read, behind)) = stream.split_at_mut_checked(end) else {
                break;
            };
            let Some(record) = read.get_mut(place + 4..) else {
                break;
            };
            if kind == SHARED_STRINGS && scan.part == 0 {
                scan.shared_strings(record, behind)?;
            }
            let kept = scan.take(kind, record, place, budget)?;
            if let Some(known) = stream.get_mut(place..place + 2) {
                known.copy_from_slice(&kept.to_le_bytes());
            }
            place = end;
        }
        let mut records = Self {
            styles: Styles {
                cells: scan.found.finish(),
                since_1904: scan.since_1904,
            },
            sheets: Vec::new(),
        };
        for place in scan.listed {
            let mut sheet_records = scan.sheets.remove(&place).flatten().ok_or(DAMAGED)?;
            sheet_records.finish();
            // xlwt does not calculate; it stores empty text as the result of every formula.
            if scan.is_calculated {
                sheet_records.uncalculated = 0;
            }
            records.sheets.push(sheet_records);
        }
        let cells: u64 = records.sheets.iter().map(SheetRecords::cells).sum();
        match cells > budget.limits.cells * SHEETS {
            true => Err(MarkupError::TooLarge("the sheets have too many cells")),
            false => Ok(records),
        }
    }
}

impl Scan {
    fn new(budget: &Budget, locale: Locale) -> Self {
        Self {
            found: StyleRecords::new(locale),
            since_1904: false,
            listed: Vec::new(),
            sheets: HashMap::new(),
            part: 0,
            depth: 0,
            is_frozen: false,
            is_wide: false,
            strings: Vec::new(),
            copies: Budget::new(budget.limits),
            object: 0,
            is_calculated: false,
        }
    }

    /// Reads the shared string table. A second table is rejected because calamine may stop before it.
    fn shared_strings(&mut self, record: &[u8], behind: &[u8]) -> Result {
        if !self.strings.is_empty() {
            return Err(DAMAGED);
        }
        self.strings = shared_strings::lengths(record, behind);
        Ok(())
    }

    /// Handles a record and returns the type under which calamine reads it.
    fn take(&mut self, kind: u16, record: &mut [u8], place: usize, budget: &Budget) -> Result<u16> {
        match kind {
            BEGIN => self.begin(record, place),
            END => self.depth = self.depth.saturating_sub(1),
            _ if self.depth > 1 => {}
            _ if self.part == 0 => return self.global(kind, record, budget),
            _ => return self.cell(kind, record, budget),
        }
        Ok(kind)
    }

    fn begin(&mut self, record: &[u8], place: usize) {
        const CHART: u16 = 0x0020;
        self.depth += 1;
        match self.depth {
            1 => {
                self.part = place;
                self.is_frozen = false;
                self.is_wide = self.is_wide || u16_at(record, 0) == Some(0x0600);
                if let Some(sheet_records) = self.sheets.get_mut(&place) {
                    *sheet_records = Some(SheetRecords::default());
                }
            }
            _ if u16_at(record, 2) == Some(CHART) => {
                if let Some(Some(sheet_records)) = self.sheets.get_mut(&self.part) {
                    sheet_records.charts += 1;
                }
            }
            _ => {}
        }
    }

    /// Handles a record of the workbook globals.
    fn global(&mut self, kind: u16, record: &mut [u8], budget: &Budget) -> Result<u16> {
        match kind {
            // FilePass
            0x002F if u16_at(record, 0) != Some(0) => return Err(MarkupError::PasswordRequired),
            // Date1904
            0x0022 => self.since_1904 = u16_at(record, 0) == Some(1),
            // Font
            0x0031 => self.found.font(record, 6, budget)?,
            // Format
            0x041E => {
                if let Some((number, code)) = self.number_format(record) {
                    self.found.number_format(number, &code, budget)?;
                }
            }
            // XF; no font has the number 4.
            0x00E0 => {
                let font = usize::from(u16_at(record, 0).unwrap_or(0));
                let font = if font > 4 { font - 1 } else { font };
                let number = u16_at(record, 2).unwrap_or(0);
                let alignment = record.get(6).copied().unwrap_or(0);
                let is_shrunk = record.get(8).is_some_and(|byte| byte & 16 != 0);
                let overflow = Overflow::of(alignment & 8 != 0, is_shrunk);
                self.found
                    .cell_format(font, number, alignment, overflow, budget)?;
            }
            // BoundSheet8
            0x0085 => {
                budget.spend(SHEET_SIZE)?;
                let place = index_at(record, 0).unwrap_or(0);
                self.listed.push(place);
                self.sheets.insert(place, None);
            }
            // RecalcId: the build of the program that last calculated the workbook [MS-XLS 2.4.215]
            0x01C1 => {
                self.is_calculated |= index_at(record, 4).is_some_and(|build| build > 0);
                return Ok(SKIPPED);
            }
            CODE_PAGE if !self.is_wide => known_code_page(record),
            SHARED_STRINGS => {}
            // Continue: calamine keeps a list of them in memory
            0x003C => budget.spend(1)?,
            // Names and external links are needed by formulas only; Unicode needs no code page.
            _ => return Ok(SKIPPED),
        }
        Ok(kind)
    }

    fn number_format(&self, record: &[u8]) -> Option<(u16, String)> {
        Some((u16_at(record, 0)?, text(record, 2, self.is_wide)?))
    }

    /// Handles a record of a sheet.
    fn cell(&mut self, kind: u16, record: &mut [u8], budget: &Budget) -> Result<u16> {
        const PICTURE: u16 = 0x08;
        const NOTE_OBJECT: u16 = 0x19;
        let Some(Some(sheet_records)) = self.sheets.get_mut(&self.part) else {
            return Ok(kind);
        };
        let number = |offset| u16_at(record, offset).map(usize::from);
        let (row, column) = (
            u16_at(record, 0).unwrap_or(0),
            u16_at(record, 2).unwrap_or(0),
        );
        let style = u16_at(record, 4).unwrap_or(0);
        match kind {
            FORMULA | NUMBER | SHARED_STRING | 0x00D6 | 0x0204 | 0x0205 | 0x027E => {
                sheet_records.record_cell((row.into(), column.into()), style.into(), budget)?;
                if kind == FORMULA {
                    match record.get(6..14) {
                        Some([3, .., 0xFF, 0xFF]) => sheet_records.uncalculated += 1,
                        Some(_) => self.is_calculated = true,
                        None => {}
                    }
                }
                if kind == SHARED_STRING {
                    let bytes = index_at(record, 6).and_then(|index| self.strings.get(index));
                    let excess = bytes.map_or(0, |bytes| bytes.saturating_sub(SHORT) / 16);
                    self.copies.spend(excess as usize)?;
                }
            }
            MULTIPLE_NUMBERS => {
                for (offset, cell) in record
                    .get(4..)
                    .unwrap_or_default()
                    .chunks_exact(6)
                    .enumerate()
                {
                    let column = u32::from(column) + offset as u32;
                    sheet_records.record_cell(
                        (row.into(), column),
                        u16_at(cell, 0).unwrap_or(0).into(),
                        budget,
                    )?;
                }
            }
            // Row
            0x0208 if number(12).is_some_and(|flags| flags & 0x20 != 0) => {
                sheet_records.sheet.hidden_rows.insert(row.into());
            }
            // ColInfo
            0x007D => {
                let width = number(4).map(|width| column_width(width as f32 / 256.0));
                let is_hidden = number(8).is_some_and(|flags| flags & 1 != 0);
                sheet_records.columns(row.into(), column.into(), width, is_hidden);
            }
            // DefColWidth
            0x0055 => sheet_records.sheet.usual_width = Some(column_width(f32::from(row))),
            // MergeCells: first and last row, first and last column of each range
            0x00E5 => {
                for range in record
                    .get(2..)
                    .unwrap_or_default()
                    .chunks_exact(8)
                    .take(row.into())
                {
                    let at = |offset| u16_at(range, offset).map_or(0, usize::from);
                    sheet_records.merge((at(0), at(4)), (at(2), at(6)), budget)?;
                }
            }
            // Obj: the type of each drawing object
            0x005D => {
                self.object = style;
                sheet_records.pictures += u32::from(self.object == PICTURE);
            }
            // TxO: text, except of comments
            0x01B6 if self.object != NOTE_OBJECT && number(10).is_some_and(|count| count > 0) => {
                sheet_records.objects += 1;
            }
            // HLink: first and last row, first and last column
            0x01B8 => {
                let place = (row.into(), style.into());
                match hyperlink::url(record) {
                    Some(url) => sheet_records.link(place, &url, budget)?,
                    None => sheet_records.dropped_links += 1,
                }
            }
            NOTE => sheet_records.comments += 1,
            // Header, Footer
            0x0014 | 0x0015 => {
                let text = text(record, 0, self.is_wide).unwrap_or_default();
                sheet_records.headers += u32::from(sheet_headers::has_text(&text));
            }
            // Window2, followed by Pane
            0x023E => self.is_frozen = row & 8 != 0,
            0x0041 if self.is_frozen => sheet_records.frozen = column.into(),
            _ => {}
        }
        Ok(match kind {
            // calamine allocates the range that it declares.
            DIMENSIONS => SKIPPED,
            FORMULA => without_formula(record),
            // String, and records that describe no cell
            _ => kind,
        })
    }
}

/// Returns the number of comments in a stream of records.
pub(super) fn comments(stream: &[u8]) -> u32 {
    let (mut place, mut count) = (0, 0);
    while let (Some(kind), Some(length)) = (u16_at(stream, place), u16_at(stream, place + 2)) {
        count += u32::from(kind == NOTE);
        place += 4 + usize::from(length);
    }
    count
}

/// A string with its length, in Unicode or in one byte for each character.
fn text(record: &[u8], offset: usize, is_wide: bool) -> Option<String> {
    let narrow = |from: usize, count: usize| {
        let bytes = record.get(from..from.checked_add(count)?)?;
        let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes);
        Some(text.into_owned())
    };
    match is_wide {
        true => {
            let count = usize::from(u16_at(record, offset)?);
            match record.get(offset + 2)? & 1 {
                0 => narrow(offset + 3, count),
                _ => wide_text(record, offset + 3, count),
            }
        }
        false => narrow(offset + 1, usize::from(*record.get(offset)?)),
    }
}

/// Replaces a code page that calamine rejects: Mac OS Roman by its other number, others by Windows-1252.
fn known_code_page(record: &mut [u8]) {
    let known = match u16_at(record, 0) {
        Some(page) if codepage::to_encoding(page).is_some() => page,
        Some(0x8000) => 10_000,
        _ => 1252,
    };
    if let Some(page) = record.get_mut(..2) {
        page.copy_from_slice(&known.to_le_bytes());
    }
}

/// Clears the expression of a formula and returns the type of the record that has its result.
fn without_formula(record: &mut [u8]) -> u16 {
    if let Some(length) = record.get_mut(20..22) {
        length.fill(0);
    }
    match record.get(6..14) {
        Some([kind, .., 0xFF, 0xFF]) if *kind <= 3 => FORMULA,
        Some(_) => NUMBER,
        None => SKIPPED,
    }
}
