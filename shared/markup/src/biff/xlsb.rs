//! Reads xlsb: the parts of a package as those of xlsx are, the main ones as records.

use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calamine::{CellErrorType, Data, Reader as _, Sheet, Xlsb, XlsbError};

use super::bytes::{f64_at, index_at, u16_at, u32_at, wide_text};
use super::frame::Frame;
use super::styles::{StyleRecords, Styles};
use super::{DAMAGED, is_page, read};
use crate::error::{MarkupError, Outcome};
use crate::limits::Budget;
use crate::package::{Package, Relations};
use crate::pictures::Pictures;
use crate::source::{Leaf, Metadata, Source};
use crate::warning::Warning;
use crate::worksheet::{self, COLUMNS, ROWS, column_width};
use crate::xlsx::drawn;

/// Most bytes of a defined name: calamine goes down its formula by calling itself.
const NAME: usize = 16 * 1024;

/// A workbook, a sheet at a time.
pub(crate) struct Workbook {
    package: Package,
    values: Xlsb<BufReader<File>>,
    sheets: VecDeque<(Sheet, String)>,
    styles: Styles,
    facts: Metadata,
    pages: u32,
}

/// Opens a workbook.
pub(crate) fn open(path: &Path, mut package: Package) -> Outcome<Workbook> {
    let facts = package.facts()?;
    let main = package.main_part()?;
    if !main.to_ascii_lowercase().ends_with(".bin") {
        return Err(MarkupError::Mismatch);
    }
    let relations = package.relations(&main)?;
    let missing = MarkupError::Corrupt("its main part is missing");
    let (targets, since_1904) = workbook(&package.part(&main)?.ok_or(missing)?, &relations)?;
    let mut records = StyleRecords::default();
    for relation in relations.of_kind("styles") {
        styles(
            &package.part(&relation.target)?.unwrap_or_default(),
            &mut records,
        )?;
    }
    for relation in relations.of_kind("sharedStrings") {
        // calamine inflates it without a limit.
        each(
            &package.part(&relation.target)?.unwrap_or_default(),
            |_, _| Ok(()),
        )?;
    }
    let values = read(|| Xlsb::new(BufReader::new(File::open(path)?)), fault)?;
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
        styles: Styles {
            cells: records.finish(),
            since_1904,
        },
        facts,
        pages: 0,
    })
}

fn fault(error: XlsbError) -> MarkupError {
    match error {
        XlsbError::Password => MarkupError::PasswordRequired,
        _ => DAMAGED,
    }
}

/// The parts of the sheets that are listed, and whether dates are counted from 1904.
fn workbook(part: &[u8], relations: &Relations) -> Outcome<(Vec<String>, bool)> {
    let (mut targets, mut since_1904) = (Vec::new(), false);
    each(part, |kind, record| {
        match kind {
            // BrtWbProp
            0x0099 => since_1904 = record.first().is_some_and(|flags| flags & 1 != 0),
            // BrtBundleSh; calamine lists those that have a part.
            0x009C => {
                let length = index_at(record, 8).filter(|length| *length != u32::MAX as usize);
                let id = length.and_then(|length| wide_text(record, 12, length));
                let target =
                    id.map(|id| relations.get(&id).map(|relation| relation.target.clone()));
                targets.extend(target.map(Option::unwrap_or_default));
            }
            // BrtName
            0x0027 if record.len() > NAME => {
                return Err(MarkupError::TooLarge("a name stands for too much"));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok((targets, since_1904))
}

fn styles(part: &[u8], records: &mut StyleRecords) -> Outcome {
    let mut is_of_cells = false;
    each(part, |kind, record| {
        match kind {
            // BrtFmt
            0x002C => {
                let length = index_at(record, 2).unwrap_or(0);
                if let (Some(number), Some(code)) =
                    (u16_at(record, 0), wide_text(record, 6, length))
                {
                    records.number_format(number, &code);
                }
            }
            // BrtFont
            0x002B => records.font(record, 4),
            // BrtBeginCellXFs, BrtEndCellXFs
            0x0269 => is_of_cells = true,
            0x026A => is_of_cells = false,
            // BrtXF
            0x002F if is_of_cells => {
                let font = u16_at(record, 4).unwrap_or(0);
                let number = u16_at(record, 2).unwrap_or(0);
                let alignment = record.get(12).copied().unwrap_or(0);
                records.cell_format(font.into(), number, alignment);
            }
            _ => {}
        }
        Ok(())
    })
}

/// Cells that hold errors.
type Errors = Vec<((u32, u32), Data)>;

/// Reads the part of a sheet but for the values of its cells, and for errors of formulas, which calamine leaves out.
fn frame(part: &[u8], budget: &Budget) -> Outcome<(Frame, Errors)> {
    let (mut frame, mut errors, mut row) = (Frame::default(), Vec::new(), 0);
    each(part, |kind, record| {
        let column = u32_at(record, 0).unwrap_or(0);
        match kind {
            // BrtRowHdr
            0x0000 => {
                row = column;
                if record.get(11).is_some_and(|flags| flags & 0x10 != 0) && (row as usize) < ROWS {
                    frame.sheet.hidden_rows.insert(row as usize);
                }
            }
            // Cells that hold something
            0x0002..=0x000B if (row as usize) < ROWS && (column as usize) < COLUMNS => {
                let style = u32_at(record, 4).unwrap_or(0) & 0x00FF_FFFF;
                frame.note((row, column), style, budget)?;
                // BrtFmlaError
                if kind == 0x000B {
                    let error = record.get(8).copied().unwrap_or(0);
                    errors.push(((row, column), Data::Error(error_of(error))));
                }
            }
            // BrtWsFmtInfo
            0x01E5 => {
                let exact = Some(column).filter(|width| *width != u32::MAX);
                let width = exact.map(|width| width as f32 / 256.0);
                let usual = width.or_else(|| u16_at(record, 4).map(f32::from));
                frame.sheet.usual_width = usual.map(column_width);
            }
            // BrtColInfo
            0x003C => {
                let (first, last) = (column as usize, index_at(record, 4).unwrap_or(0));
                let width = u32_at(record, 8).map(|width| column_width(width as f32 / 256.0));
                let is_hidden = record.get(16).is_some_and(|flags| flags & 1 != 0);
                frame.columns(first, last, width, is_hidden);
            }
            // BrtMergeCell: the first and the last row, and the first and the last column
            0x00B0 => {
                let at = |offset| index_at(record, offset).unwrap_or(usize::MAX);
                frame.merge((at(0), at(8)), (at(4), at(12)));
            }
            // BrtPane
            0x0097 if record.get(28).is_some_and(|flags| flags & 1 != 0) => {
                let rows = f64_at(record, 8).unwrap_or(0.0);
                frame.frozen = rows.clamp(0.0, 100.0) as usize;
            }
            _ => {}
        }
        Ok(())
    })?;
    frame.finish();
    Ok((frame, errors))
}

/// The error of a code [MS-XLSB, 2.5.97.2].
fn error_of(code: u8) -> CellErrorType {
    match code {
        0x00 => CellErrorType::Null,
        0x07 => CellErrorType::Div0,
        0x0F => CellErrorType::Value,
        0x17 => CellErrorType::Ref,
        0x1D => CellErrorType::Name,
        0x24 => CellErrorType::Num,
        0x2B => CellErrorType::GettingData,
        _ => CellErrorType::NA,
    }
}

/// Goes through the records of a part [MS-XLSB, 2.1.4].
fn each(part: &[u8], mut take: impl FnMut(u16, &[u8]) -> Outcome) -> Outcome {
    let mut rest = part;
    while !rest.is_empty() {
        let kind = varying(&mut rest, 2).ok_or(DAMAGED)?;
        let length = varying(&mut rest, 4).ok_or(DAMAGED)?;
        let (record, behind) = rest.split_at_checked(length).ok_or(DAMAGED)?;
        take(u16::try_from(kind).map_err(|_| DAMAGED)?, record)?;
        rest = behind;
    }
    Ok(())
}

/// A number of seven bits a byte, in at most so many bytes.
fn varying(rest: &mut &[u8], most: usize) -> Option<usize> {
    let mut number = 0;
    for place in 0..most {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= usize::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(number)
}

impl Workbook {
    fn sheet(&mut self, sheet: &Sheet, target: &str) -> Outcome<Leaf> {
        let missing = MarkupError::Corrupt("a sheet is missing");
        let part = self.package.part(target)?.ok_or(missing)?;
        let (mut frame, errors) = frame(&part, &self.package.budget)?;
        drop(part);
        let (styles, budget, values) = (&self.styles, &self.package.budget, &mut self.values);
        let mut cells = read(|| values.worksheet_cells_reader(&sheet.name), fault)?;
        while let Some(cell) = read(|| cells.next_cell(), fault)? {
            frame.add(
                cell.get_position(),
                &Data::from(cell.get_value().clone()),
                styles,
                budget,
            )?;
        }
        for (place, error) in errors {
            frame.add(place, &error, styles, budget)?;
        }
        let losses = &mut self.package.losses;
        let mut flow = worksheet::flow(&sheet.name, frame.sheet, frame.frozen, budget, losses)?;
        let relations = self.package.relations(target)?;
        drawn::read(&mut self.package, &relations, &mut flow)?;
        Ok(Leaf {
            size: crate::paper::A4,
            blocks: flow.into_blocks(),
            ..Leaf::default()
        })
    }
}

impl Source for Workbook {
    fn next(&mut self) -> Outcome<Option<Leaf>> {
        while let Some((sheet, target)) = self.sheets.pop_front() {
            self.package.losses.page = self.pages + 1;
            if is_page(&sheet, &mut self.package.losses) {
                self.pages += 1;
                return self.sheet(&sheet, &target).map(Some);
            }
        }
        Ok(None)
    }

    fn left(&self) -> usize {
        self.sheets.len()
    }

    fn pictures(&self) -> Pictures {
        self.package.pictures.clone()
    }

    fn facts(&self) -> &Metadata {
        &self.facts
    }

    fn warnings(&self) -> Vec<Warning> {
        self.package.losses.all()
    }
}
