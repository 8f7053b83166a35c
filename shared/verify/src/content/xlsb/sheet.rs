//! Reads the cells of a worksheet [MS-XLSB, 2.1.7.62].

use super::records::{records, wide_string};
use super::{MAX_TEXT, Shared};
use crate::content::bytes::Bytes as _;
use crate::content::decimal::Decimal;
use crate::content::grid::{Grid, Range};
use crate::content::item::{Item, Unreadable};
use crate::content::numbers::rk;

const ROW: u16 = 0;
const RK: u16 = 2;
const REAL: u16 = 5;
const STRING: u16 = 6;
const SHARED_STRING: u16 = 7;
const FORMULA_STRING: u16 = 8;
const FORMULA_NUMBER: u16 = 9;
const COLUMNS: u16 = 60;
const RICH_STRING: u16 = 62;
const VIEW: u16 = 137;
const MERGED: u16 = 176;
const FORMAT_PROPERTIES: u16 = 485;

/// Calls `take` with the items of each displayed cell, its row and its column.
pub(super) fn read_cells(
    part: &[u8],
    shared: &Shared,
    take: &mut dyn FnMut(Item<'_>, u32, u32),
) -> Result<(), Unreadable> {
    let mut grid = grid(part);
    let mut text_left = part.len().saturating_mul(MAX_TEXT);
    let mut row = 0;
    for (kind, data) in records(part) {
        if kind == ROW {
            row = data.u32_at(0).unwrap_or(0);
            continue;
        }
        let text;
        let item = match kind {
            SHARED_STRING => {
                let string = data.usize_at(8).and_then(|index| shared.strings.get(index));
                Item::Text(string.ok_or(Unreadable)?)
            }
            STRING | FORMULA_STRING | RICH_STRING => {
                let position = if kind == RICH_STRING { 9 } else { 8 };
                (text, _) = wide_string(data, position).ok_or(Unreadable)?;
                Item::Text(&text)
            }
            RK | REAL | FORMULA_NUMBER => {
                let number = match kind {
                    RK => data.u32_at(8).map(rk),
                    _ => data
                        .span(8, 8)
                        .and_then(|bytes| bytes.try_into().ok())
                        .map(f64::from_le_bytes),
                };
                let number = number.ok_or(Unreadable)?;
                let format = data.usize_at(4).map(|bits| bits & 0xff_ffff);
                let format = format.and_then(|index| shared.formats.get(index)).copied();
                if !grid.shows(number, format.unwrap_or_default()) {
                    continue;
                }
                let constant = Some(number).filter(|_| kind != FORMULA_NUMBER);
                Item::Number(constant.and_then(Decimal::new))
            }
            _ => continue,
        };
        let column = data.u32_at(0).ok_or(Unreadable)?;
        if grid.is_shown(row, column) {
            if let Item::Text(text) = item {
                text_left = text_left.checked_sub(text.len()).ok_or(Unreadable)?;
            }
            take(item, row, column);
            take(Item::Break, row, column);
        }
    }
    Ok(())
}

/// Reads which cells are displayed.
fn grid(part: &[u8]) -> Grid {
    let mut grid = Grid::default();
    let mut merged = Vec::new();
    for (kind, data) in records(part) {
        match kind {
            ROW => {
                const IS_HIDDEN: u8 = 1 << 4;
                if let (Some(row), Some(flags)) = (data.u32_at(0), data.u8_at(11)) {
                    match flags & IS_HIDDEN {
                        0 => grid.shown_rows.insert(row),
                        _ => grid.hidden_rows.insert(row),
                    };
                }
            }
            COLUMNS => {
                if let (Some(first), Some(last), Some(width), Some(flags)) = (
                    data.usize_at(0),
                    data.usize_at(4),
                    data.u32_at(8),
                    data.u16_at(16),
                ) && (flags & 1 != 0 || width == 0)
                {
                    grid.hide_columns(first, last);
                }
            }
            MERGED => merged.extend(range(data)),
            VIEW => grid.hides_zeros = data.u16_at(0).is_some_and(|flags| flags & 0x10 == 0),
            FORMAT_PROPERTIES => {
                grid.hides_other_rows = data.u16_at(8).is_some_and(|flags| flags & 2 != 0);
            }
            _ => {}
        }
    }
    grid.merge(merged);
    grid
}

fn range(data: &[u8]) -> Option<Range> {
    Some(Range {
        rows: (data.u32_at(0)?, data.u32_at(4)?),
        columns: (data.u32_at(8)?, data.u32_at(12)?),
    })
}
