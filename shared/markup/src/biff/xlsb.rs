//! Reads xlsb: a package like xlsx, whose main parts consist of BIFF12 records.

use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calamine::{CellErrorType, Data, Reader as _, Sheet, Xlsb, XlsbError};
use zip::result::ZipError;

use super::bytes::{f64_at, index_at, u16_at, u32_at, wide_text};
use super::records::RecordReader;
use super::sheet_records::SheetRecords;
use super::styles::{StyleRecords, Styles};
use super::{DAMAGED, count_dropped, is_page, read, sheet_pages};
use crate::error::{MarkupError, Result};
use crate::limits::Budget;
use crate::link;
use crate::package::{Package, Relations};
use crate::pictures::Pictures;
use crate::sheet_cells::Overflow;
use crate::sheet_headers;
use crate::sheet_links::SheetPages;
use crate::source::{Metadata, Source, UnnumberedPage};
use crate::warning::Warning;
use crate::worksheet::{self, COLUMNS, ROWS, column_width};
use crate::xlsx::drawings;

/// Maximum bytes of a defined name: calamine parses its formula recursively.
const NAME: usize = 16 * 1024;

const MAIN: &str = "xl/workbook.bin";
/// Parts that calamine opens by name instead of by relationship, and inflates without a limit.
const NAMED: [(&str, &str); 2] = [
    ("styles", "xl/styles.bin"),
    ("sharedStrings", "xl/sharedStrings.bin"),
];
const FORMULA_ERROR: u16 = 0x000B;
const RICH_STRING: u16 = 0x003E;

const UNUSUAL_NAME: MarkupError =
    MarkupError::NotSupported("a part of the workbook has an unusual name");

/// A workbook that is read sheet by sheet.
pub(crate) struct Workbook {
    package: Package,
    values: Xlsb<BufReader<File>>,
    sheets: VecDeque<(Sheet, String)>,
    sheet_pages: SheetPages,
    styles: Styles,
    metadata: Metadata,
    pages: u32,
}

/// Opens a workbook.
pub(crate) fn open(path: &Path, mut package: Package) -> Result<Workbook> {
    let metadata = package.metadata()?;
    let main = package.main_part()?;
    if !main.to_ascii_lowercase().ends_with(".bin") {
        return Err(MarkupError::Mismatch);
    }
    if package.is_ambiguous() {
        return Err(MarkupError::Corrupt("two of its parts have the same name"));
    }
    let relations = package.relations(&main)?;
    let has_unusual_name = |(kind, name): &(&str, &str)| {
        let mut targets = relations.of_kind(kind).map(|relation| &relation.target);
        targets.any(|target| !target.eq_ignore_ascii_case(name))
    };
    if !main.eq_ignore_ascii_case(MAIN) || NAMED.iter().any(has_unusual_name) {
        return Err(UNUSUAL_NAME);
    }
    let missing = MarkupError::Corrupt("its main part is missing");
    let (targets, since_1904) = workbook(&package.part(&main)?.ok_or(missing)?, &relations)?;
    let mut records = StyleRecords::new(package.locale);
    for (kind, name) in NAMED {
        let part = package.part(name)?.unwrap_or_default();
        match kind {
            "styles" => styles(&part, &mut records, &package.budget)?,
            _ => each(&part, |_, _| Ok(()))?,
        }
    }
    let values = read(|| Xlsb::new(BufReader::new(File::open(path)?)), fault)?;
    let sheet_pages = sheet_pages(values.sheets_metadata());
    let sheets = values
        .sheets_metadata()
        .iter()
        .cloned()
        .zip(targets)
        .collect();
    Ok(Workbook {
        package,
        values,
        sheets,
        sheet_pages,
        styles: Styles {
            cells: records.finish(),
            since_1904,
        },
        metadata,
        pages: 0,
    })
}

fn fault(error: XlsbError) -> MarkupError {
    match error {
        XlsbError::Password => MarkupError::PasswordRequired,
        XlsbError::Io(error) | XlsbError::Zip(ZipError::Io(error)) => {
            MarkupError::reading(error, "its BIFF records cannot be read")
        }
        // Macro sheets, and targets that are absolute or in another folder
        XlsbError::Unrecognized {
            typ: "BoundSheet8:dt",
            ..
        } => {
            MarkupError::NotSupported("the workbook has macro sheets or sheets with unusual names")
        }
        _ => DAMAGED,
    }
}

/// Returns the parts of the listed sheets, and whether the workbook uses the 1904 date system.
fn workbook(part: &[u8], relations: &Relations) -> Result<(Vec<String>, bool)> {
    let (mut targets, mut since_1904) = (Vec::new(), false);
    each(part, |kind, record| {
        match kind {
            // BrtWbProp
            0x0099 => since_1904 = record.first().is_some_and(|flags| flags & 1 != 0),
            // BrtBundleSh; calamine lists sheets that have a part.
            0x009C => {
                let length = index_at(record, 8).filter(|length| *length != u32::MAX as usize);
                let id = length.and_then(|length| wide_text(record, 12, length));
                let target = id.map(|id| {
                    relations
                        .internal(&id)
                        .map(|relation| relation.target.clone())
                });
                targets.extend(target.map(Option::unwrap_or_default));
            }
            // BrtName
            0x0027 if record.len() > NAME => {
                return Err(MarkupError::TooLarge("a defined name is too long"));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok((targets, since_1904))
}

fn styles(part: &[u8], records: &mut StyleRecords, budget: &Budget) -> Result {
    let mut is_of_cells = false;
    each(part, |kind, record| {
        match kind {
            // BrtFmt
            0x002C => {
                let length = index_at(record, 2).unwrap_or(0);
                if let (Some(number), Some(code)) =
                    (u16_at(record, 0), wide_text(record, 6, length))
                {
                    records.number_format(number, &code, budget)?;
                }
            }
            // BrtFont
            0x002B => records.font(record, 4, budget)?,
            // BrtBeginCellXFs, BrtEndCellXFs
            0x0269 => is_of_cells = true,
            0x026A => is_of_cells = false,
            // BrtXF
            0x002F if is_of_cells => {
                let font = u16_at(record, 4).unwrap_or(0);
                let number = u16_at(record, 2).unwrap_or(0);
                let alignment = record.get(12).copied().unwrap_or(0);
                let is_shrunk = record.get(13).is_some_and(|byte| byte & 1 != 0);
                let overflow = Overflow::of(alignment & 64 != 0, is_shrunk);
                records.cell_format(font.into(), number, alignment, overflow, budget)?;
            }
            _ => {}
        }
        Ok(())
    })
}

/// Cells with their values.
type Cells = Vec<((u32, u32), Data)>;

/// Reads a sheet part without its cell values, and the cells that calamine ignores: rich strings and formula errors.
fn read_sheet_records(
    part: &[u8],
    relations: &Relations,
    budget: &Budget,
) -> Result<(SheetRecords, Cells)> {
    let (mut sheet_records, mut cells, mut row) = (SheetRecords::default(), Vec::new(), 0);
    each(part, |kind, record| {
        let column = u32_at(record, 0).unwrap_or(0);
        match kind {
            // BrtRowHdr
            0x0000 => {
                row = column;
                if record.get(11).is_some_and(|flags| flags & 0x10 != 0) && (row as usize) < ROWS {
                    sheet_records.sheet.hidden_rows.insert(row as usize);
                }
            }
            // Cells with values
            0x0002..=0x000B | RICH_STRING
                if (row as usize) < ROWS && (column as usize) < COLUMNS =>
            {
                let style = u32_at(record, 4).unwrap_or(0) & 0x00FF_FFFF;
                sheet_records.record_cell((row, column), style, budget)?;
                let value = match kind {
                    FORMULA_ERROR => record
                        .get(8)
                        .and_then(|code| error_of(*code))
                        .map(Data::Error),
                    RICH_STRING => index_at(record, 9)
                        .and_then(|length| wide_text(record, 13, length))
                        .map(Data::String),
                    _ => return Ok(()),
                };
                cells.push(((row, column), value.ok_or(DAMAGED)?));
            }
            // BrtShortRk to BrtShortIsst: without a column of their own
            0x000D..=0x0012 => sheet_records.damaged += 1,
            // BrtWsFmtInfo
            0x01E5 => {
                let exact = Some(column).filter(|width| *width != u32::MAX);
                let width = exact.map(|width| width as f32 / 256.0);
                let usual = width.or_else(|| u16_at(record, 4).map(f32::from));
                sheet_records.sheet.usual_width = usual.map(column_width);
            }
            // BrtColInfo
            0x003C => {
                let (first, last) = (column as usize, index_at(record, 4).unwrap_or(0));
                let width = u32_at(record, 8).map(|width| column_width(width as f32 / 256.0));
                let is_hidden = record.get(16).is_some_and(|flags| flags & 1 != 0);
                sheet_records.columns(first, last, width, is_hidden);
            }
            // BrtMergeCell: first and last row, first and last column
            0x00B0 => {
                let at = |offset| index_at(record, offset).unwrap_or(usize::MAX);
                sheet_records.merge((at(0), at(8)), (at(4), at(12)), budget)?;
            }
            // BrtHLink: first and last row, first and last column, target
            0x01EE => {
                if let Some(first) = u32_at(record, 8) {
                    let target = link_target(record, relations).unwrap_or_default();
                    sheet_records.link((column, first), &target, budget)?;
                }
            }
            // BrtBeginHeaderFooter: whether even and first pages differ, and six texts
            0x01DF => sheet_records.headers += headers(record).unwrap_or(0),
            // BrtPane
            0x0097 if record.get(28).is_some_and(|flags| flags & 1 != 0) => {
                let rows = f64_at(record, 8).unwrap_or(0.0);
                sheet_records.frozen = rows.clamp(0.0, 100.0) as usize;
            }
            _ => {}
        }
        Ok(())
    })?;
    sheet_records.finish();
    Ok((sheet_records, cells))
}

/// The URL of a hyperlink, by its relationship, or `#` and its place in the workbook.
fn link_target(record: &[u8], relations: &Relations) -> Option<String> {
    let length = index_at(record, 16).filter(|length| *length != u32::MAX as usize);
    let length = length.unwrap_or(0);
    if let Some(url) = relations.url(&wide_text(record, 20, length)?) {
        return Some(url.to_owned());
    }
    let at = length.checked_mul(2)?.checked_add(20)?;
    let place = wide_text(record, at.checked_add(4)?, index_at(record, at)?)?;
    Some(format!("#{place}"))
}

/// The number of headers and footers with text: those of all pages, and different ones of even and first pages.
fn headers(record: &[u8]) -> Option<u32> {
    let flags = u16_at(record, 0)?;
    let mut at = 2;
    let mut count = 0;
    for pages in [true, flags & 1 != 0, flags & 2 != 0] {
        for _ in 0..2 {
            let length = u32_at(record, at)?;
            at += 4;
            if length != u32::MAX {
                let length = usize::try_from(length).ok()?;
                let text = wide_text(record, at, length)?;
                at += 2 * length;
                count += u32::from(pages && sheet_headers::has_text(&text));
            }
        }
    }
    Some(count)
}

/// Returns the number of comments of all sheets.
pub(crate) fn comments(package: &mut Package) -> Result<u32> {
    let main = package.main_part()?;
    let relations = package.relations(&main)?;
    let sheets = relations.of_kind("worksheet");
    let sheets: Vec<String> = sheets.map(|sheet| sheet.target.clone()).collect();
    sheets.iter().try_fold(0_u32, |count, sheet| {
        let relations = package.relations(sheet)?;
        Ok(count.saturating_add(sheet_comments(package, &relations)?))
    })
}

/// The number of comments in the parts that a sheet is related to.
fn sheet_comments(package: &Package, relations: &Relations) -> Result<u32> {
    const COMMENT: u16 = 0x027B;
    let mut count = 0;
    for relation in relations.of_kind("comments") {
        let part = package.part(&relation.target)?.unwrap_or_default();
        each(&part, |kind, _| {
            count += u32::from(kind == COMMENT);
            Ok(())
        })?;
    }
    Ok(count)
}

/// Returns the error with this code [MS-XLSB, 2.5.97.2].
fn error_of(code: u8) -> Option<CellErrorType> {
    Some(match code {
        0x00 => CellErrorType::Null,
        0x07 => CellErrorType::Div0,
        0x0F => CellErrorType::Value,
        0x17 => CellErrorType::Ref,
        0x1D => CellErrorType::Name,
        0x24 => CellErrorType::Num,
        0x2A => CellErrorType::NA,
        0x2B => CellErrorType::GettingData,
        _ => return None,
    })
}

/// Calls `take` with each record of a part.
fn each(part: &[u8], mut take: impl FnMut(u16, &[u8]) -> Result) -> Result {
    let mut records = RecordReader::new(part);
    while let Some((kind, record)) = records.next_record().map_err(|_| DAMAGED)? {
        take(kind, record)?;
    }
    Ok(())
}

impl Workbook {
    fn sheet(&mut self, sheet: &Sheet, target: &str) -> Result<UnnumberedPage> {
        let missing = MarkupError::Corrupt("a sheet is missing");
        let part = self.package.part(target)?.ok_or(missing)?;
        let relations = self.package.relations(target)?;
        let (mut sheet_records, others) =
            read_sheet_records(&part, &relations, &self.package.budget)?;
        drop(part);
        sheet_records.comments = sheet_comments(&self.package, &relations)?;
        let (styles, budget, values) = (&self.styles, &self.package.budget, &mut self.values);
        let mut cells = read(|| values.worksheet_cells_reader(&sheet.name), fault)?;
        while let Some(cell) = read(|| cells.next_cell(), fault)? {
            sheet_records.add(
                cell.get_position(),
                &Data::from(cell.get_value().clone()),
                styles,
                budget,
            )?;
        }
        for (place, value) in others {
            sheet_records.add(place, &value, styles, budget)?;
        }
        let losses = &mut self.package.losses;
        sheet_records.report(losses);
        let mut flow = worksheet::flow(
            &sheet.name,
            sheet_records.sheet,
            sheet_records.frozen,
            budget,
            losses,
        )?;
        drawings::read(&mut self.package, &relations, &mut flow)?;
        let placed = std::mem::take(&mut flow.sheet);
        let mut blocks = flow.into_blocks();
        let page = |place: &str| self.sheet_pages.page(place, self.pages);
        link::resolve_anchors(&mut blocks, page, &mut self.package.losses);
        Ok(UnnumberedPage {
            size: crate::paper::A4,
            sheet: placed,
            blocks,
            ..UnnumberedPage::default()
        })
    }
}

impl Source for Workbook {
    fn next(&mut self) -> Result<Option<UnnumberedPage>> {
        while let Some((sheet, target)) = self.sheets.pop_front() {
            self.package.losses.page = self.pages + 1;
            if is_page(&sheet) {
                self.pages += 1;
                return self.sheet(&sheet, &target).map(Some);
            }
            count_dropped(&sheet, &mut self.package.losses);
        }
        Ok(None)
    }

    fn left(&self) -> usize {
        self.sheets.len()
    }

    fn pictures(&self) -> Pictures {
        self.package.pictures.clone()
    }

    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn warnings(&self) -> Vec<Warning> {
        self.package.losses.all()
    }
}
