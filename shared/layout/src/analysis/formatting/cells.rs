//! The looks of table cells: the color behind them, the lines around them, and the alignment of their columns.

use super::alignment;
use super::borders::Lines;
use super::fills::Fills;
use super::tracks::{Range, Tracks, text_of};
use crate::model::block::{Block, Borders, Cell, Content, Table};
use crate::model::geometry::Rect;
use crate::model::page_content::PageContent;
use crate::model::text::Run;

/// Least size of the color behind a cell, as a part of the cell's text.
const BEHIND: f32 = 0.8;
/// Maximum number of positions of tables that get cells for empty positions.
const POSITIONS: usize = 100_000;

/// Adds the looks of all tables among the blocks of a page.
pub(in crate::analysis) fn add(blocks: &mut [Block], sheet: &PageContent) {
    if blocks
        .iter()
        .any(|block| matches!(block.content, Content::Table(_)))
    {
        let drawn = Drawn {
            fills: Fills::of(&sheet.drawings),
            lines: Lines::of(sheet),
        };
        drawn.add(blocks);
    }
}

struct Drawn<'a> {
    fills: Fills<'a>,
    lines: Lines,
}

impl Drawn<'_> {
    fn add(&self, blocks: &mut [Block]) {
        for block in blocks {
            if let (Some(bounds), Content::Table(table)) = (block.bounds, &mut block.content) {
                for cell in &mut table.cells {
                    self.add(&mut cell.blocks);
                }
                self.of_table(table, bounds);
            }
        }
    }

    fn of_table(&self, table: &mut Table, bounds: Rect) {
        let Some(tracks) = Tracks::of(table, bounds) else {
            return;
        };
        let looks = |cell: &mut Cell| {
            cell.fill = self.fill(cell, &tracks);
            cell.borders = self.borders(cell, &tracks);
        };
        table.cells.iter_mut().for_each(looks);
        alignment::align(table, &tracks);
        let mut empty = empty_positions(table);
        empty.iter_mut().for_each(looks);
        let black = Borders {
            top: Some([0; 3]),
            right: Some([0; 3]),
            bottom: Some([0; 3]),
            left: Some([0; 3]),
        };
        let is_grid = table.ruled && table.cells.iter().all(|cell| cell.borders == Some(black));
        let is_plain = table
            .cells
            .iter()
            .chain(&empty)
            .all(|cell| cell.borders == Some(Borders::default()));
        let is_seen = |cell: &Cell| cell.borders != Some(Borders::default()) && !is_grid;
        empty.retain(|cell| cell.fill.is_some() || is_seen(cell));
        if !empty.is_empty() {
            table.cells.append(&mut empty);
            table.cells.sort_by_key(|cell| (cell.row, cell.column));
        }
        if is_grid || is_plain && !table.ruled {
            table.cells.iter_mut().for_each(|cell| cell.borders = None);
        }
        table.cells.iter_mut().for_each(remove_highlights);
    }

    /// Returns the color behind a cell.
    fn fill(&self, cell: &Cell, tracks: &Tracks) -> Option<[u8; 3]> {
        let text = text_of(cell);
        let place = text.or_else(|| tracks.area(cell))?;
        // A marker behind a few words is smaller than their cell.
        let (width, height) = match text {
            Some(text) => (text.width() * BEHIND, text.height() * BEHIND),
            None => (0.0, 0.0),
        };
        let area = self.fills.at(place.center(), |area| {
            area.bounds.width() >= width && area.bounds.height() >= height
        });
        area.map(|area| area.color)
    }

    fn borders(&self, cell: &Cell, tracks: &Tracks) -> Option<Borders> {
        let (above, below) = tracks.rows_around(cell)?;
        let (left, right) = tracks.columns_around(cell)?;
        let area = tracks.area(cell)?;
        let (x, y) = (
            Range {
                from: area.left,
                to: area.right,
            },
            Range {
                from: area.top,
                to: area.bottom,
            },
        );
        Some(Borders {
            top: self.lines.across(above, x),
            right: self.lines.down(right, y),
            bottom: self.lines.across(below, x),
            left: self.lines.down(left, y),
        })
    }
}

/// Returns cells for the positions of a table without one.
fn empty_positions(table: &Table) -> Vec<Cell> {
    let columns = table.widths.len();
    let Some(count) = table
        .rows
        .checked_mul(columns)
        .filter(|count| *count <= POSITIONS)
    else {
        return Vec::new();
    };
    let mut is_taken = vec![false; count];
    for cell in &table.cells {
        for row in cell.row..cell.row.saturating_add(cell.row_span).min(table.rows) {
            let places = is_taken.iter_mut().skip(row * columns + cell.column);
            let span = cell.column_span.min(columns.saturating_sub(cell.column));
            places.take(span).for_each(|place| *place = true);
        }
    }
    let empty = is_taken
        .iter()
        .enumerate()
        .filter(|(_, is_taken)| !**is_taken);
    let cell = |(place, _): (usize, &bool)| Cell {
        row: place / columns,
        column: place % columns,
        ..Cell::default()
    };
    empty.map(cell).collect()
}

/// Removes highlights that are the color behind the whole cell.
fn remove_highlights(cell: &mut Cell) {
    let Some(fill) = cell.fill else {
        return;
    };
    let remove = |runs: &mut [Run]| {
        for run in runs {
            run.style.highlight = run.style.highlight.filter(|color| *color != fill);
        }
    };
    for block in &mut cell.blocks {
        match &mut block.content {
            Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => remove(runs),
            Content::List { items } => items.iter_mut().for_each(|item| remove(&mut item.runs)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::add;
    use crate::model::block::{Alignment, Block, Borders, Cell, Content, Table};
    use crate::model::fixed::Area;
    use crate::model::geometry::Rect;
    use crate::model::page_content::{Drawing, PageContent};
    use crate::model::text::Run;

    const BLUE: [u8; 3] = [0, 0, 200];

    fn area(left: f32, top: f32, right: f32, bottom: f32, color: [u8; 3]) -> Drawing {
        let bounds = Rect {
            left,
            top,
            right,
            bottom,
        };
        Drawing::Area(Area { bounds, color })
    }

    /// Returns a cell whose text is in a column of 50 points and a row of 20.
    fn cell(row: u8, column: u8, (left, right): (f32, f32)) -> Cell {
        let (x, y) = (f32::from(column) * 50.0, f32::from(row) * 20.0);
        let run = Run {
            text: "1".to_owned(),
            style: crate::Style {
                size: 10.0,
                highlight: Some(BLUE),
                ..crate::Style::default()
            },
            link: None,
        };
        let content = Content::Paragraph {
            runs: vec![run],
            alignment: Alignment::Start,
            continues: false,
            preformatted: false,
        };
        let bounds = Rect {
            left: x + left,
            top: y + 5.0,
            right: x + right,
            bottom: y + 15.0,
        };
        Cell {
            row: row.into(),
            column: column.into(),
            blocks: vec![Block {
                bounds: Some(bounds),
                ..Block::from(content)
            }],
            ..Cell::default()
        }
    }

    /// Returns the cells of a table of three rows and two columns with these drawings.
    fn looked_at(drawings: &[Drawing]) -> Vec<Cell> {
        let table = Table {
            widths: vec![50.0; 2],
            rows: 3,
            header_rows: 1,
            cells: vec![
                cell(0, 0, (5.0, 30.0)),
                cell(0, 1, (20.0, 45.0)),
                cell(1, 0, (5.0, 20.0)),
                cell(1, 1, (35.0, 45.0)),
                cell(2, 1, (25.0, 45.0)),
            ],
            ruled: false,
            confidence: 1.0,
            continues: false,
        };
        let mut blocks = [Block {
            bounds: Some(Rect {
                left: 0.0,
                top: 0.0,
                right: 100.0,
                bottom: 60.0,
            }),
            ..Block::from(Content::Table(table))
        }];
        let sheet = PageContent {
            drawings: drawings.to_vec(),
            ..PageContent::default()
        };
        add(&mut blocks, &sheet);
        let [block] = blocks;
        match block.content {
            Content::Table(table) => table.cells,
            _ => Vec::new(),
        }
    }

    #[test]
    fn fills_are_kept_for_empty_cells_too_and_are_no_highlights() {
        let fills = [
            area(0.0, 0.0, 100.0, 20.0, BLUE),
            area(0.0, 40.0, 100.0, 60.0, BLUE),
            area(0.0, 20.0, 100.0, 40.0, [255; 3]),
        ];
        let cells = looked_at(&fills);
        let found: Vec<_> = cells.iter().map(|cell| cell.fill.is_some()).collect();
        assert_eq!(found, [true, true, false, false, true, true]);
        let highlight = |cell: &Cell| match &cell.blocks[0].content {
            Content::Paragraph { runs, .. } => runs[0].style.highlight,
            _ => None,
        };
        assert_eq!(highlight(&cells[0]), None);
        assert_eq!(highlight(&cells[2]), Some(BLUE));
        assert!(cells.iter().all(|cell| cell.borders.is_none()));
    }

    #[test]
    fn borders_are_those_that_are_drawn() {
        let lines = [
            area(0.0, 19.8, 100.0, 20.2, BLUE),
            area(49.8, 20.0, 50.2, 60.0, [0; 3]),
        ];
        let cells = looked_at(&lines);
        let below = Borders {
            bottom: Some(BLUE),
            ..Borders::default()
        };
        assert_eq!(cells[0].borders, Some(below));
        let first = Borders {
            top: Some(BLUE),
            right: Some([0; 3]),
            ..Borders::default()
        };
        assert_eq!(cells[2].borders, Some(first));
    }

    #[test]
    fn columns_of_numbers_are_aligned_at_their_end() {
        let alignments = looked_at(&[])
            .into_iter()
            .map(|cell| match cell.blocks[0].content {
                Content::Paragraph { alignment, .. } => alignment,
                _ => Alignment::Start,
            });
        let (start, end) = (Alignment::Start, Alignment::End);
        let alignments: Vec<_> = alignments.collect();
        assert_eq!(alignments, [start, end, start, end, end]);
    }
}
