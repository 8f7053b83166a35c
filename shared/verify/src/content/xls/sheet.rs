//! Reads the cells and drawings of a worksheet [MS-XLS, 2.1.7.20.5].

use super::globals::Globals;
use super::records::{Record, Records};
use super::strings::StringReader;
use crate::content::art::count_images;
use crate::content::bytes::Bytes as _;
use crate::content::decimal::Decimal;
use crate::content::grid::{Grid, Range};
use crate::content::item::{Item, Unreadable};
use crate::content::numbers::rk;

/// Reads a worksheet.
pub(super) struct SheetReader<'a> {
    records: &'a [u8],
    /// Number of bytes of the records.
    pub(super) len: usize,
    globals: &'a Globals,
    grid: Grid,
    /// Drawings of all records.
    drawing: Vec<u8>,
    text_boxes: Vec<String>,
    /// Number of charts.
    pub(super) charts: usize,
}

/// Calls with an item of a cell, its row and its column.
type TakeCell<'t> = &'t mut dyn FnMut(Item<'_>, u32, u32);

const FORMULA: u16 = 0x0006;
const OBJECT: u16 = 0x005d;
const COLUMNS: u16 = 0x007d;
const MULTIPLE_RK: u16 = 0x00bd;
const RICH_STRING: u16 = 0x00d6;
const MERGED: u16 = 0x00e5;
const DRAWING: u16 = 0x00ec;
const SHARED_STRING: u16 = 0x00fd;
const TEXT_OBJECT: u16 = 0x01b6;
const NUMBER: u16 = 0x0203;
const LABEL: u16 = 0x0204;
const FORMULA_STRING: u16 = 0x0207;
const ROW: u16 = 0x0208;
const DEFAULT_ROW_HEIGHT: u16 = 0x0225;
const VIEW: u16 = 0x023e;
const RK: u16 = 0x027e;

/// Object types of comments and charts.
const NOTE: u16 = 0x19;
const CHART: u16 = 0x05;

impl<'a> SheetReader<'a> {
    /// Reads which cells are displayed, and the drawings.
    pub(super) fn read(records: &'a [u8], globals: &'a Globals) -> Result<Self, Unreadable> {
        let mut reader = Self {
            records,
            len: 0,
            globals,
            grid: Grid::default(),
            drawing: Vec::new(),
            text_boxes: Vec::new(),
            charts: 0,
        };
        let mut merged = Vec::new();
        let mut is_note = false;
        let mut iterator = Records::new(records);
        for record in iterator.by_ref() {
            let data = record.data();
            match record.kind {
                ROW => reader.row(data),
                COLUMNS => reader.columns(data),
                DEFAULT_ROW_HEIGHT => {
                    reader.grid.hides_other_rows =
                        data.u16_at(0).is_some_and(|flags| flags & 2 != 0);
                }
                VIEW => {
                    reader.grid.hides_zeros = data.u16_at(0).is_some_and(|flags| flags & 0x10 == 0);
                }
                MERGED => merged.extend(
                    data.get(2..)
                        .unwrap_or_default()
                        .chunks_exact(8)
                        .filter_map(range),
                ),
                DRAWING => {
                    let parts = record.parts.iter();
                    parts.for_each(|part| reader.drawing.extend_from_slice(part));
                }
                OBJECT => {
                    is_note = data.u16_at(4) == Some(NOTE);
                    reader.charts += usize::from(data.u16_at(4) == Some(CHART));
                }
                TEXT_OBJECT if !is_note => reader.text_boxes.extend(text_object(&record)),
                _ => {}
            }
        }
        reader.grid.merge(merged);
        reader.len = iterator.position();
        Ok(reader)
    }

    fn row(&mut self, data: &[u8]) {
        const IS_HIDDEN: u16 = 1 << 5;
        let (Some(row), Some(flags)) = (data.u16_at(0), data.u16_at(12)) else {
            return;
        };
        match flags & IS_HIDDEN {
            0 => self.grid.shown_rows.insert(row.into()),
            _ => self.grid.hidden_rows.insert(row.into()),
        };
    }

    fn columns(&mut self, data: &[u8]) {
        let numbers = [0, 2, 4, 8].map(|position| data.u16_at(position));
        if let [Some(first), Some(last), Some(width), Some(flags)] = numbers
            && (flags & 1 != 0 || width == 0)
        {
            self.grid.hide_columns(first.into(), last.into());
        }
    }

    /// Calls `take` with the items of each displayed cell of the ranges, or of all if there are none.
    pub(super) fn cells(
        &mut self,
        printed: &[Range],
        text_left: &mut usize,
        take: TakeCell<'_>,
    ) -> Result<(), Unreadable> {
        let is_printed = |row, column| {
            printed.is_empty() || printed.iter().any(|range| range.contains(row, column))
        };
        // The formula whose string follows.
        let mut formula = None;
        for record in Records::new(self.records) {
            let data = record.data();
            let cell = data.u16_at(0).zip(data.u16_at(2));
            let cell = cell.map(|(row, column)| (u32::from(row), u32::from(column)));
            let Some((row, column)) = (match record.kind {
                FORMULA_STRING => formula,
                _ => cell,
            }) else {
                continue;
            };
            if record.kind != MULTIPLE_RK && !is_printed(row, column) {
                continue;
            }
            let mut text = |text: &str| {
                if self.grid.is_shown(row, column) {
                    *text_left = text_left.checked_sub(text.len()).ok_or(Unreadable)?;
                    take(Item::Text(text), row, column);
                    take(Item::Break, row, column);
                }
                Ok::<_, Unreadable>(())
            };
            match record.kind {
                SHARED_STRING => {
                    let index = data.usize_at(6).ok_or(Unreadable)?;
                    text(self.globals.strings.get(index).ok_or(Unreadable)?)?;
                }
                LABEL | RICH_STRING => {
                    text(
                        &StringReader::new(&record.parts, 6)
                            .string()
                            .ok_or(Unreadable)?,
                    )?;
                }
                FORMULA_STRING => {
                    formula = None;
                    text(
                        &StringReader::new(&record.parts, 0)
                            .string()
                            .ok_or(Unreadable)?,
                    )?;
                }
                FORMULA if data.u16_at(12) == Some(u16::MAX) => {
                    formula = (data.u8_at(6) == Some(0)).then_some((row, column));
                }
                FORMULA | NUMBER => {
                    let number = data.span(6, 8).and_then(|bytes| bytes.try_into().ok());
                    let number = f64::from_le_bytes(number.ok_or(Unreadable)?);
                    let number = (number, record.kind != FORMULA);
                    self.number(number, data.u16_at(4), (row, column), take);
                }
                RK => {
                    let number = rk(data.u32_at(6).ok_or(Unreadable)?);
                    self.number((number, true), data.u16_at(4), (row, column), take);
                }
                MULTIPLE_RK => {
                    let cells = data.get(4..).unwrap_or_default().chunks_exact(6);
                    for (column, cell) in (column..).zip(cells) {
                        let number = cell.u32_at(2);
                        if let Some(number) = number.filter(|_| is_printed(row, column)) {
                            self.number((rk(number), true), cell.u16_at(0), (row, column), take);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn number(
        &mut self,
        (number, is_constant): (f64, bool),
        format: Option<u16>,
        (row, column): (u32, u32),
        take: TakeCell<'_>,
    ) {
        let format = self.globals.format(format.unwrap_or(0));
        if self.grid.shows(number, format) && self.grid.is_shown(row, column) {
            // Dates that are counted from 1904 have other numbers in results.
            let is_kept = is_constant && !self.globals.counts_from_1904;
            let value = Some(number).filter(|_| is_kept);
            take(Item::Number(value.and_then(Decimal::new)), row, column);
            take(Item::Break, row, column);
        }
    }

    /// Calls `emit` with the items of text boxes and images.
    pub(super) fn drawings(&self, emit: &mut dyn FnMut(Item<'_>)) {
        for text in &self.text_boxes {
            emit(Item::Text(text));
            emit(Item::Break);
        }
        for _ in 0..count_images(&self.drawing, &self.globals.images) {
            emit(Item::Image);
        }
    }
}

fn range(bytes: &[u8]) -> Option<Range> {
    let number = |position| bytes.u16_at(position).map(u32::from);
    Some(Range {
        rows: (number(0)?, number(2)?),
        columns: (number(4)?, number(6)?),
    })
}

/// The text of a text object, which is in its first continuation.
fn text_object(record: &Record<'_>) -> Option<String> {
    let len = usize::from(record.data().u16_at(10)?);
    let mut reader = StringReader::new(&record.parts, 0);
    reader.next_part()?;
    let flags = reader.u8()?;
    reader.characters(len, flags)
}
