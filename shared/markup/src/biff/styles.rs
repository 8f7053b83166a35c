//! Styles of a binary workbook: fonts, number formats and cell formats (XF), in record order.

use domain::operation::Locale;
use std::collections::HashMap;

use layout::{Alignment, Script, Style};

use super::bytes::u16_at;
use crate::error::Result;
use crate::limits::Budget;
use crate::number_format::NumberFormat;
use crate::number_format::conventions::Conventions;
use crate::sheet_cells::Overflow;
use crate::worksheet::{CellStyle, CellStyles};

/// Number of elements that are charged to the budget for a font or a cell format.
const SIZE: usize = 8;

/// The styles of a workbook.
#[derive(Debug)]
pub(super) struct Styles {
    pub(super) cells: CellStyles,
    /// Whether the workbook uses the 1904 date system.
    pub(super) since_1904: bool,
}

/// The style records read so far.
#[derive(Debug)]
pub(super) struct StyleRecords {
    conventions: &'static Conventions,
    fonts: Vec<Style>,
    codes: HashMap<u16, NumberFormat>,
    /// Font index, number format, alignment and overflow of each cell format.
    formats: Vec<(usize, u16, Alignment, Overflow)>,
}

impl StyleRecords {
    pub(super) fn new(locale: Locale) -> Self {
        Self {
            conventions: Conventions::of(locale),
            fonts: Vec::new(),
            codes: HashMap::new(),
            formats: Vec::new(),
        }
    }

    /// Adds a font; `weight` is the offset of its weight.
    pub(super) fn font(&mut self, record: &[u8], weight: usize, budget: &Budget) -> Result {
        budget.spend(SIZE)?;
        let flags = u16_at(record, 2).unwrap_or(0);
        self.fonts.push(Style {
            italic: flags & 2 != 0,
            strikethrough: flags & 8 != 0,
            bold: u16_at(record, weight).is_some_and(|weight| weight >= 600),
            script: match u16_at(record, weight + 2) {
                Some(1) => Script::Super,
                Some(2) => Script::Sub,
                _ => Script::None,
            },
            underlined: record.get(weight + 4).is_some_and(|kind| *kind != 0),
            ..Style::default()
        });
        Ok(())
    }

    /// Adds a number format.
    pub(super) fn number_format(&mut self, number: u16, code: &str, budget: &Budget) -> Result {
        budget.spend(1 + code.len())?;
        let format = NumberFormat::parse(code, self.conventions);
        self.codes.insert(number, format);
        Ok(())
    }

    /// Adds a cell format. The low three bits of `alignment` are the horizontal alignment.
    pub(super) fn cell_format(
        &mut self,
        font: usize,
        number_format: u16,
        alignment: u8,
        overflow: Overflow,
        budget: &Budget,
    ) -> Result {
        budget.spend(SIZE)?;
        let overflow = match alignment & 7 {
            4 | 5 | 7 => Overflow::Wrap,
            _ => overflow,
        };
        let alignment = match alignment & 7 {
            2 | 6 | 7 => Alignment::Center,
            3 => Alignment::End,
            5 => Alignment::Justified,
            _ => Alignment::Start,
        };
        self.formats
            .push((font, number_format, alignment, overflow));
        Ok(())
    }

    /// Returns the cell styles.
    pub(super) fn finish(self) -> CellStyles {
        let style =
            |(font, number, alignment, overflow): &(usize, u16, Alignment, Overflow)| CellStyle {
                style: self.fonts.get(*font).cloned().unwrap_or_default(),
                format: match self.codes.get(number) {
                    Some(format) => format.clone(),
                    None => NumberFormat::built_in((*number).into(), self.conventions),
                },
                alignment: *alignment,
                overflow: *overflow,
            };
        CellStyles::new(self.formats.iter().map(style).collect(), self.conventions)
    }
}
