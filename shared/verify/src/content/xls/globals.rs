//! Reads the globals of a workbook [MS-XLS, 2.1.7.20.3]: sheets, print ranges, shared strings and number formats.

use std::collections::HashMap;

use super::records::{Records, START};
use super::strings::{SharedStrings, StringReader};
use crate::content::art::{self, Images, records};
use crate::content::bytes::Bytes as _;
use crate::content::grid::Range;
use crate::content::item::Unreadable;
use crate::content::numbers::NumberFormat;

/// What the sheets of a workbook share.
#[derive(Default)]
pub(super) struct Globals {
    pub(super) sheets: Vec<Sheet>,
    /// Number of the active sheet, from 1.
    pub(super) active: u32,
    pub(super) strings: SharedStrings,
    formats: HashMap<u16, NumberFormat>,
    /// Whether dates are counted from 1904.
    pub(super) counts_from_1904: bool,
    /// Number format of each cell format.
    cell_formats: Vec<u16>,
    pub(super) images: Images,
}

pub(super) struct Sheet {
    pub(super) name: String,
    /// Offset in the stream.
    pub(super) offset: usize,
    pub(super) is_hidden: bool,
    pub(super) print_ranges: Vec<Range>,
}

const NAME: u16 = 0x0018;
const DATE_MODE: u16 = 0x0022;
const FILE_PASS: u16 = 0x002f;
const WINDOW: u16 = 0x003d;
const SHEET: u16 = 0x0085;
const CELL_FORMAT: u16 = 0x00e0;
const DRAWING_GROUP: u16 = 0x00eb;
const SHARED_STRINGS: u16 = 0x00fc;
const FORMAT: u16 = 0x041e;

/// Version of the record structure of Excel 97.
const BIFF8: u16 = 0x0600;
/// The built-in name of print ranges.
const PRINT_AREA: u8 = 6;

impl Globals {
    pub(super) fn read(stream: &[u8]) -> Result<Self, Unreadable> {
        let mut globals = Self::default();
        let mut drawings = Vec::new();
        let mut records_of_globals = Records::new(stream);
        let first = records_of_globals.next().ok_or(Unreadable)?;
        if first.kind != START || first.data().u16_at(0) != Some(BIFF8) {
            return Err(Unreadable);
        }
        for record in records_of_globals {
            let data = record.data();
            match record.kind {
                FILE_PASS => return Err(Unreadable),
                WINDOW => globals.active = u32::from(data.u16_at(10).unwrap_or(0)) + 1,
                SHEET => globals.sheets.push(Sheet::read(data).ok_or(Unreadable)?),
                NAME => globals.name(data).unwrap_or_default(),
                SHARED_STRINGS => globals.strings = SharedStrings::read(&record.parts),
                DATE_MODE => globals.counts_from_1904 = data.u16_at(0) == Some(1),
                CELL_FORMAT => globals.cell_formats.extend(data.u16_at(2)),
                FORMAT => {
                    let code = StringReader::new(&record.parts, 2).string();
                    let code = data.u16_at(0).zip(code);
                    let format = code.map(|(id, code)| (id, NumberFormat::parse(&code)));
                    globals.formats.extend(format);
                }
                DRAWING_GROUP => record
                    .parts
                    .iter()
                    .for_each(|part| drawings.extend_from_slice(part)),
                _ => {}
            }
        }
        let group = records(&drawings).next();
        globals.images = art::images(group.map_or(&[], |group| group.data));
        Ok(globals)
    }

    /// The number format of a cell.
    pub(super) fn format(&self, cell_format: u16) -> NumberFormat {
        let id = self.cell_formats.get(usize::from(cell_format));
        let format = id.and_then(|id| self.formats.get(id));
        format.copied().unwrap_or_default()
    }

    /// Reads the print ranges that a defined name may have.
    fn name(&mut self, data: &[u8]) -> Option<()> {
        const IS_BUILT_IN: u16 = 1 << 5;
        let is_built_in = data.u16_at(0)? & IS_BUILT_IN != 0;
        let formula_len = usize::from(data.u16_at(4)?);
        let sheet = usize::from(data.u16_at(8)?).checked_sub(1)?;
        if is_built_in && data.u8_at(3)? == 1 && data.u8_at(15)? == PRINT_AREA {
            let ranges = ranges(data.span(16, formula_len)?);
            self.sheets.get_mut(sheet)?.print_ranges = ranges;
        }
        Some(())
    }
}

/// The ranges that a formula unites; none if it is of another kind.
fn ranges(mut formula: &[u8]) -> Vec<Range> {
    let mut ranges = Vec::new();
    while let Some(token) = formula.u8_at(0) {
        let len = match token {
            // Union, parentheses
            0x10 | 0x15 => 1,
            // The length of a union
            0x29 | 0x49 | 0x69 => 3,
            0x3b | 0x5b | 0x7b => {
                let number = |position| formula.u16_at(position).map(u32::from);
                let rows = number(3).zip(number(5));
                let columns = number(7).zip(number(9));
                ranges.extend(rows.zip(columns).map(|(rows, (first, last))| Range {
                    rows,
                    columns: (first & 0xff, last & 0xff),
                }));
                11
            }
            _ => return Vec::new(),
        };
        formula = formula.get(len..).unwrap_or_default();
    }
    ranges
}

impl Sheet {
    fn read(data: &[u8]) -> Option<Self> {
        const WORKSHEET: u8 = 0;
        let (state, kind) = (data.u8_at(4)?, data.u8_at(5)?);
        Some(Self {
            name: StringReader::new(&[data], 6).short_string()?,
            offset: data.usize_at(0)?,
            is_hidden: state & 3 != 0 || kind != WORKSHEET,
            print_ranges: Vec::new(),
        })
    }
}
