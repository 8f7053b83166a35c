//! Converts the cells of a worksheet to a table without hidden rows and columns.

use std::collections::{HashMap, HashSet};

use layout::{Alignment, Block, Cell, Content, Run, Size, Style, Table};

use crate::error::{MarkupError, Result};
use crate::flow::{Flow, Role};
use crate::limits::Budget;
use crate::line::Line;
use crate::number_format::NumberFormat;
use crate::number_format::conventions::Conventions;
use crate::sheet_cells::{Overflow, PlacedCell, SheetCells};
use crate::warning::{Loss, Losses};

/// Maximum number of rows of a sheet.
pub(crate) const ROWS: usize = 1_048_576;
/// Maximum number of columns of a sheet.
pub(crate) const COLUMNS: usize = 16_384;

/// Length of a typical cell text in bytes.
const SHORT: usize = 64;

/// Row and column, from 0.
pub(crate) type CellPosition = (usize, usize);

/// The content of a worksheet.
#[derive(Debug, Default)]
pub(crate) struct Worksheet {
    /// Cells in any order; of several at one position the first one is used.
    pub(crate) cells: Vec<(CellPosition, CellContent)>,
    pub(crate) hidden_rows: HashSet<usize>,
    pub(crate) hidden_columns: HashSet<usize>,
    /// Column widths, points.
    pub(crate) widths: HashMap<usize, f32>,
    pub(crate) usual_width: Option<f32>,
    /// First and last cell of each merged range.
    pub(crate) merges: Vec<(CellPosition, CellPosition)>,
    /// Cells with a formula without a result.
    pub(crate) uncalculated: Vec<CellPosition>,
    extent: CellPosition,
}

/// The content of a cell.
#[derive(Clone, Debug)]
pub(crate) struct CellContent {
    pub(crate) runs: Vec<Run>,
    pub(crate) alignment: Alignment,
    pub(crate) overflow: Overflow,
}

/// The cell styles of a workbook, by number.
#[derive(Clone, Debug)]
pub(crate) struct CellStyles {
    all: Vec<CellStyle>,
    general: CellStyle,
}

/// A cell style.
#[derive(Clone, Debug)]
pub(crate) struct CellStyle {
    pub(crate) style: Style,
    pub(crate) format: NumberFormat,
    pub(crate) alignment: Alignment,
    /// That of text.
    pub(crate) overflow: Overflow,
}

impl CellStyle {
    /// What happens to content that is wider than the cell.
    pub(crate) fn overflow(&self, is_number: bool) -> Overflow {
        match (is_number, self.overflow) {
            (true, Overflow::Continue | Overflow::Wrap) => Overflow::Hide,
            (_, overflow) => overflow,
        }
    }
}

impl CellStyles {
    /// The styles of a workbook; a cell without one has the general format.
    pub(crate) fn new(all: Vec<CellStyle>, conventions: &'static Conventions) -> Self {
        Self {
            all,
            general: CellStyle {
                style: Style::default(),
                format: NumberFormat::built_in(0, conventions),
                alignment: Alignment::Start,
                overflow: Overflow::Continue,
            },
        }
    }

    /// Returns the style with this number.
    pub(crate) fn get(&self, number: usize) -> &CellStyle {
        self.all.get(number).unwrap_or(&self.general)
    }
}

/// Returns text as runs in the style of a cell.
pub(crate) fn plain(text: &str, style: &CellStyle) -> Vec<Run> {
    let mut line = Line::default();
    line.push(text, &style.style, None);
    line.trimmed_end()
}

/// Converts a column width from characters, 7 px each at 96 dpi, to points.
pub(crate) fn column_width(characters: f32) -> f32 {
    (characters.clamp(0.0, 255.0) * 7.0 + 5.0) * 0.75
}

impl Worksheet {
    /// Adds a cell that is not empty.
    pub(crate) fn add(
        &mut self,
        place: CellPosition,
        content: CellContent,
        budget: &Budget,
    ) -> Result {
        self.extent = (self.extent.0.max(place.0), self.extent.1.max(place.1));
        budget.check_table(self.extent.0 + 1, self.extent.1 + 1)?;
        if self.cells.len() as u64 >= budget.limits.cells {
            return Err(MarkupError::TooLarge("a sheet has too many cells"));
        }
        budget.spend(content.excess())?;
        self.cells.push((place, content));
        Ok(())
    }

    /// Returns where the cells are and how much space they need; nothing if there are more than `limit`.
    fn placed_cells(&self, name: &str, limit: usize) -> SheetCells {
        if self.cells.len() > limit {
            return SheetCells::default();
        }
        let merged = self.merges.iter().flat_map(|(first, last)| {
            (first.0..=last.0).flat_map(|row| [(row, first.1), (row, last.1)])
        });
        let merged: HashSet<CellPosition> = merged.take(limit + 1).collect();
        if merged.len() > limit {
            return SheetCells::default();
        }
        let covered = merged.iter().map(|place| PlacedCell::unknown(*place));
        let cells = self.cells.iter().map(|(place, content)| {
            match merged.contains(place) || self.hidden_columns.contains(&place.1) {
                true => PlacedCell::unknown(*place),
                false => PlacedCell::of(*place, &content.runs, content.alignment, content.overflow),
            }
        });
        let left = limit - self.cells.len();
        let uncalculated = self.uncalculated.iter().take(left).map(|place| {
            match merged.contains(place) || self.hidden_columns.contains(&place.1) {
                true => PlacedCell::unknown(*place),
                false => PlacedCell::longest_number(*place),
            }
        });
        let mut cells: Vec<PlacedCell> = covered
            .chain(cells)
            .chain(uncalculated)
            .filter(|cell| !self.hidden_rows.contains(&cell.row))
            .collect();
        cells.sort_by_key(|cell| (cell.row, cell.column));
        cells.dedup_by_key(|cell| (cell.row, cell.column));
        SheetCells {
            name: name.to_owned(),
            page: Size::default(),
            cells,
            hidden_columns: self.hidden_columns.clone(),
        }
    }
}

impl CellContent {
    /// Returns the elements to charge beyond a typical cell: a long shared string may be repeated in many cells.
    fn excess(&self) -> usize {
        let long = |run: &Run| run.text.len().saturating_sub(SHORT) / 16;
        let runs = self.runs.len().saturating_sub(1) * 8;
        runs + self.runs.iter().map(long).sum::<usize>()
    }
}

/// Maps row or column numbers to positions without the hidden ones.
struct Axis {
    /// Hidden numbers, sorted.
    hidden: Vec<usize>,
}

impl Axis {
    fn without(hidden: &HashSet<usize>) -> Self {
        let mut hidden: Vec<usize> = hidden.iter().copied().collect();
        hidden.sort_unstable();
        Self { hidden }
    }

    /// Returns the number of visible ones before this one.
    fn place(&self, index: usize) -> usize {
        index - self.hidden.partition_point(|hidden| *hidden < index)
    }

    /// Returns the number of visible ones from first to last, inclusive.
    fn count(&self, first: usize, last: usize) -> usize {
        self.place(last + 1) - self.place(first)
    }

    fn shows(&self, index: usize) -> bool {
        self.hidden.binary_search(&index).is_err()
    }
}

/// Merged cells: the last cell by the upper left one, and the covered positions.
struct Merges {
    spans: HashMap<CellPosition, CellPosition>,
    covered: HashSet<CellPosition>,
}

/// Returns the page of a sheet: its name as a heading, and the table. Hidden rows and columns are counted as dropped content.
pub(crate) fn flow(
    name: &str,
    sheet: Worksheet,
    header_rows: usize,
    budget: &Budget,
    losses: &mut Losses,
) -> Result<Flow> {
    let hidden = sheet.hidden_rows.len() + sheet.hidden_columns.len();
    losses.add_many(Loss::Hidden, u32::try_from(hidden).unwrap_or(u32::MAX));
    let mut flow = Flow::of_sheet(sheet.placed_cells(name, budget.limits.placed_cells));
    let mut heading = Line::default();
    heading.push(name, &Style::default(), None);
    flow.paragraph(Role::Heading(1), Alignment::Start, heading);
    let table = table(sheet, header_rows, budget)?;
    table.into_iter().for_each(|table| flow.table(table));
    Ok(flow)
}

/// Returns the table of a sheet; `None` if it is empty.
fn table(mut cells: Worksheet, header_rows: usize, budget: &Budget) -> Result<Option<Table>> {
    let (rows, columns) = (
        Axis::without(&cells.hidden_rows),
        Axis::without(&cells.hidden_columns),
    );
    let merges = merges(&cells, budget);
    let mut shown: Vec<Cell> = Vec::with_capacity(cells.cells.len());
    for (place, content) in std::mem::take(&mut cells.cells) {
        if merges.covered.contains(&place) {
            continue;
        }
        let last = merges.spans.get(&place).copied().unwrap_or(place);
        let spans = (rows.count(place.0, last.0), columns.count(place.1, last.1));
        if spans.0 > 0 && spans.1 > 0 {
            budget.spend(3)?;
            shown.push(cell(
                (rows.place(place.0), columns.place(place.1)),
                spans,
                content,
            ));
        }
    }
    shown.sort_by_key(|cell| (cell.row, cell.column));
    shown.dedup_by_key(|cell| (cell.row, cell.column));
    let height = shown
        .iter()
        .map(|cell| cell.row + cell.row_span)
        .max()
        .unwrap_or(0);
    let width = shown
        .iter()
        .map(|cell| cell.column + cell.column_span)
        .max()
        .unwrap_or(0);
    budget.check_table(height, width)?;
    let headers = (0..header_rows).filter(|row| rows.shows(*row)).count();
    Ok((height > 0).then(|| Table {
        widths: widths(&cells, &columns, width),
        rows: height,
        // Frozen rows are header rows only if other rows follow.
        header_rows: if headers < height { headers } else { 0 },
        cells: shown,
        ruled: true,
        confidence: 1.0,
        continues: false,
    }))
}

fn cell(
    (row, column): CellPosition,
    (row_span, column_span): CellPosition,
    content: CellContent,
) -> Cell {
    let content = Content::Paragraph {
        runs: content.runs,
        alignment: content.alignment,
        continues: false,
        preformatted: false,
    };
    Cell {
        row,
        column,
        row_span,
        column_span,
        blocks: vec![Block::from(content)],
        ..Cell::default()
    }
}

/// Returns the merged cells within the used range, up to the maximum number of cells.
fn merges(cells: &Worksheet, budget: &Budget) -> Merges {
    let last_row = cells
        .cells
        .iter()
        .map(|(place, _)| place.0)
        .max()
        .unwrap_or(0);
    let mut merges = Merges {
        spans: HashMap::new(),
        covered: HashSet::new(),
    };
    let mut area = 0;
    for (first, last) in &cells.merges {
        let last = (last.0.min(last_row.max(first.0)), last.1);
        area += (last.0 - first.0 + 1) as u64 * (last.1 - first.1 + 1) as u64;
        if area > budget.limits.cells {
            break;
        }
        merges.spans.insert(*first, last);
        let places =
            (first.0..=last.0).flat_map(|row| (first.1..=last.1).map(move |column| (row, column)));
        merges.covered.extend(places.filter(|place| place != first));
    }
    merges
}

fn widths(cells: &Worksheet, columns: &Axis, count: usize) -> Vec<f32> {
    let usual = cells.usual_width.unwrap_or(48.0);
    let shown = (0_usize..)
        .filter(|column| columns.shows(*column))
        .take(count);
    shown
        .map(|column| cells.widths.get(&column).copied().unwrap_or(usual))
        .collect()
}

#[cfg(test)]
mod tests {
    use domain::operation::Locale;

    use super::*;
    #[test]
    fn a_cell_has_the_space_that_its_text_needs() {
        let styles = CellStyles::new(Vec::new(), Conventions::of(Locale::default()));
        let content = |text, overflow| CellContent {
            runs: plain(text, styles.get(0)),
            alignment: Alignment::Start,
            overflow,
        };
        let mut sheet = Worksheet::default();
        sheet.cells.extend([
            ((1, 0), content("0.333333333333333", Overflow::Hide)),
            ((0, 0), content("aaaa aa\naa", Overflow::Continue)),
            ((0, 1), content("merged", Overflow::Continue)),
            ((2, 0), content("hidden", Overflow::Continue)),
        ]);
        sheet.merges.push(((0, 1), (0, 3)));
        sheet.hidden_rows.insert(2);
        sheet.uncalculated.push((1, 1));
        let SheetCells { cells, .. } = sheet.placed_cells("x", 8);
        let places: Vec<_> = cells.iter().map(|cell| (cell.row, cell.column)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (0, 3), (1, 0), (1, 1)]);
        assert_eq!(sheet.placed_cells("x", 4).cells.len(), 4);
        assert!(sheet.placed_cells("x", 3).cells.is_empty());
        let [text, merged, _, number, formula] = cells.as_slice() else {
            panic!("{cells:?}")
        };
        assert!(text.word < text.width && text.width < text.length);
        assert_eq!((text.lines, merged.overflow), (2, Overflow::Other));
        assert_eq!(number.width, 0.62 * 11.0);
        assert_eq!(formula.width, 15.0 * number.width);
    }
}
