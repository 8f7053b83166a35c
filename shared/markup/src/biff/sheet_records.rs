//! Collects the layout of a sheet, and then its cells one by one.

use std::collections::HashMap;

use calamine::Data;

use super::styles::Styles;
use crate::error::{MarkupError, Result};
use crate::limits::Budget;
use crate::link;
use crate::warning::{Loss, Losses};
use crate::worksheet::{COLUMNS, CellContent, CellPosition, ROWS, Worksheet, plain};

/// Number of elements that are charged to the budget for a merged range or a link.
const SIZE: usize = 4;

/// The records of a sheet without its cell values.
#[derive(Debug, Default)]
pub(super) struct SheetRecords {
    pub(super) sheet: Worksheet,
    /// Number of frozen rows at the top.
    pub(super) frozen: usize,
    pub(super) charts: u32,
    pub(super) pictures: u32,
    pub(super) objects: u32,
    pub(super) damaged: u32,
    pub(super) comments: u32,
    /// Number of headers and footers with text.
    pub(super) headers: u32,
    /// Number of links that are not kept.
    pub(super) dropped_links: u32,
    /// Number of formulas without a result.
    pub(super) uncalculated: u32,
    /// The style of each cell whose style is not number 0, sorted by position.
    styles: Vec<((u32, u32), u32)>,
    links: HashMap<(u32, u32), String>,
    extent: (u64, u64),
    cell_count: u64,
    /// The first column without a column record so far.
    next_column: usize,
}

impl SheetRecords {
    /// Records a cell with a value and its style number.
    pub(super) fn record_cell(&mut self, place: (u32, u32), style: u32, budget: &Budget) -> Result {
        let (row, column) = (u64::from(place.0) + 1, u64::from(place.1) + 1);
        self.extent = (self.extent.0.max(row), self.extent.1.max(column));
        let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
        budget.check_table(size(self.extent.0), size(self.extent.1))?;
        self.cell_count += 1;
        if self.cell_count > budget.limits.cells {
            return Err(MarkupError::TooLarge("a sheet has too many cells"));
        }
        if style > 0 {
            self.styles.push((place, style));
        }
        Ok(())
    }

    /// Returns the number of cells in the extent of the sheet, empty cells included.
    pub(super) fn cells(&self) -> u64 {
        self.extent.0 * self.extent.1
    }

    /// Sorts the styles. Must be called before values are added.
    pub(super) fn finish(&mut self) {
        self.styles.sort_unstable();
    }

    /// Adds a column record for columns `first` to `last`.
    pub(super) fn columns(&mut self, first: usize, last: usize, width: Option<f32>, hidden: bool) {
        // The records are in column order; overlaps are ignored.
        let columns = first.max(self.next_column)..last.saturating_add(1).min(COLUMNS);
        self.next_column = columns.end.max(self.next_column);
        if hidden {
            self.sheet.hidden_columns.extend(columns.clone());
        }
        if let Some(width) = width {
            let widths = columns.map(|column| (column, width));
            self.sheet.widths.extend(widths);
        }
    }

    /// Adds the value of a cell.
    pub(super) fn add(
        &mut self,
        (row, column): (u32, u32),
        value: &Data,
        styles: &Styles,
        budget: &Budget,
    ) -> Result {
        let found = self
            .styles
            .binary_search_by_key(&(row, column), |(place, _)| *place);
        let style = found.ok().and_then(|index| self.styles.get(index));
        let style = styles
            .cells
            .get(style.map_or(0, |(_, style)| *style as usize));
        let number = |value| style.format.show(value, styles.since_1904);
        let text = match value {
            Data::Empty => return Ok(()),
            Data::Int(value) => number(*value as f64),
            Data::Float(value) => number(*value),
            Data::DateTime(value) => number(value.as_f64()),
            Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => {
                style.format.show_text(text)
            }
            Data::Bool(true) => "TRUE".to_owned(),
            Data::Bool(false) => "FALSE".to_owned(),
            Data::Error(error) => error.to_string(),
        };
        let is_number = matches!(
            value,
            Data::Int(_) | Data::Float(_) | Data::DateTime(_) | Data::Bool(_)
        );
        let place: CellPosition = (row as usize, column as usize);
        if text.trim().is_empty() || place.1 >= COLUMNS {
            return Ok(());
        }
        let mut runs = plain(&text, style);
        if let Some(url) = self.links.get(&(row, column)) {
            runs.iter_mut().for_each(|run| run.link = Some(url.clone()));
        }
        let content = CellContent {
            runs,
            alignment: style.alignment,
            overflow: style.overflow(is_number),
        };
        self.sheet.add(place, content, budget)
    }

    /// Reports dropped content.
    pub(super) fn report(&self, losses: &mut Losses) {
        for (loss, count) in [
            (Loss::Chart, self.charts),
            (Loss::PictureMissing, self.pictures),
            (Loss::Object, self.objects),
            (Loss::Damaged, self.damaged),
            (Loss::Formula, self.uncalculated),
            (Loss::Comment, self.comments),
            (Loss::SheetHeader, self.headers),
            (Loss::Link, self.dropped_links),
        ] {
            losses.add_many(loss, count);
        }
    }

    /// Adds a merged range.
    pub(super) fn merge(
        &mut self,
        first: CellPosition,
        last: CellPosition,
        budget: &Budget,
    ) -> Result {
        if first.0 <= last.0 && first.1 <= last.1 && last.0 < ROWS && last.1 < COLUMNS {
            budget.spend(SIZE)?;
            self.sheet.merges.push((first, last));
        }
        Ok(())
    }

    /// Adds the hyperlink of a cell. Must be called before the cell's value is added.
    pub(super) fn link(&mut self, place: (u32, u32), url: &str, budget: &Budget) -> Result {
        match link::allowed(url) {
            Some(url) => {
                budget.spend(SIZE + url.len() / 16)?;
                self.links.insert(place, url);
            }
            None => self.dropped_links += u32::from(!url.trim().is_empty()),
        }
        Ok(())
    }
}
