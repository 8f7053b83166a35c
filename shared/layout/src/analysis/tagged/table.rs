//! Structure rows → tables.

use std::collections::HashSet;

use super::build::Builder;
use super::columns::{Choice, Columns, Standing};
use super::plan::{Row, Rows};
use crate::model::block::{Block, Cell, Content, Table};
use crate::model::geometry::Rect;

/// Maximum number of columns, row span, and number of positions of a table.
const COLUMNS: usize = 1_000;
const SPAN: usize = 10_000;
const PLACES: usize = 1_000_000;
/// Minimum column width, points.
const NARROWEST: f32 = 2.0;

/// Occupied positions of a table.
#[derive(Default)]
struct Places {
    taken: HashSet<(usize, usize)>,
    columns: usize,
}

impl Places {
    fn is_free(&self, row: usize, column: usize) -> bool {
        !self.taken.contains(&(row, column))
    }

    /// Returns the first free column of a row from `from` on, and the possible span of a cell there.
    fn take(
        &mut self,
        row: usize,
        from: usize,
        spans: (usize, usize),
    ) -> Option<(usize, usize, usize)> {
        let column = (from..COLUMNS).find(|column| !self.taken.contains(&(row, *column)))?;
        let free = (column..COLUMNS).take_while(|column| !self.taken.contains(&(row, *column)));
        let columns = free.take(spans.1.max(1)).count();
        let rows = spans.0.clamp(1, SPAN);
        if self.taken.len() + rows * columns > PLACES {
            return None;
        }
        self.taken.extend(
            (row..row + rows)
                .flat_map(|row| (column..column + columns).map(move |column| (row, column))),
        );
        self.columns = self.columns.max(column + columns);
        Some((column, rows, columns))
    }
}

/// Placed cells, the number of columns, and the content of cells that did not fit.
struct Placed {
    cells: Vec<Cell>,
    columns: usize,
    refused: Vec<Block>,
}

/// A cell without a position.
struct Filled {
    row_span: usize,
    column_span: usize,
    bounds: Option<Rect>,
    blocks: Vec<Block>,
}

/// Places cells row by row.
#[derive(Default)]
struct Placing {
    places: Places,
    cells: Vec<Cell>,
    /// Content of cells that did not fit.
    refused: Vec<Block>,
}

impl Placing {
    /// Places the cells of a row with `left` rows remaining below, at these columns as far as they are known; other cells
    /// follow the cell before them.
    fn row(&mut self, (row, left): (usize, usize), cells: Vec<Filled>, first: Vec<usize>) {
        let mut first = first.into_iter();
        let mut from = 0;
        for mut cell in cells {
            from = first.next().unwrap_or(from);
            let spans = (cell.row_span.min(left), cell.column_span);
            match self.places.take(row, from, spans) {
                Some(place) => from = self.cell(row, place, cell.blocks),
                None => self.refused.append(&mut cell.blocks),
            }
        }
    }

    /// Places a cell, unless it is empty; returns the column after it.
    fn cell(
        &mut self,
        row: usize,
        (column, row_span, column_span): (usize, usize, usize),
        blocks: Vec<Block>,
    ) -> usize {
        if !blocks.is_empty() {
            self.cells.push(Cell {
                row,
                column,
                row_span,
                column_span,
                blocks,
                ..Cell::default()
            });
        }
        column + column_span
    }
}

impl Builder<'_> {
    /// Adds the table of these rows, if it is not empty, followed by the content of cells that did not fit.
    pub(super) fn table(&mut self, rows: Rows, blocks: &mut Vec<Block>) {
        let header_rows = header_rows(&rows.rows);
        let (count, continues) = (rows.rows.len(), rows.continues);
        let Placed {
            cells,
            columns,
            refused,
        } = self.placed(rows.rows);
        let table = self.of_cells(cells, columns);
        blocks.extend(table.map(|(bounds, table)| Block {
            bounds: Some(bounds),
            ..Block::from(Content::Table(Table {
                rows: count,
                header_rows,
                continues,
                ..table
            }))
        }));
        blocks.extend(refused);
    }

    /// Returns the placed cells of rows.
    fn placed(&mut self, rows: Vec<Row>) -> Placed {
        let rows: Vec<Vec<Filled>> = rows
            .into_iter()
            .map(|row| {
                let cells = row.cells.into_iter();
                cells.map(|cell| self.filled(cell)).collect()
            })
            .collect();
        let (columns, known) = known(&rows);
        let count = rows.len();
        let mut placing = Placing::default();
        for (row, cells) in rows.into_iter().enumerate() {
            let choice = chosen(&cells, row, &placing.places, columns, known.as_ref());
            self.contradicts |= choice == Choice::Contradiction;
            let first = match choice {
                Choice::Columns(first) => first,
                Choice::Open | Choice::Contradiction => Vec::new(),
            };
            placing.row((row, count - row), cells, first);
        }
        Placed {
            cells: placing.cells,
            columns: placing.places.columns,
            refused: placing.refused,
        }
    }

    fn filled(&mut self, cell: super::plan::Cell) -> Filled {
        let blocks = self.blocks(cell.parts);
        Filled {
            row_span: cell.row_span,
            column_span: cell.column_span,
            bounds: Rect::around(blocks.iter().filter_map(|block| block.bounds)),
            blocks,
        }
    }

    /// Returns the table of cells and its bounds; `None` if it is empty.
    fn of_cells(&self, cells: Vec<Cell>, columns: usize) -> Option<(Rect, Table)> {
        let bounds = Rect::around(cells.iter().filter_map(bounds))?;
        let grid = self.reader.drawn.tables.iter().map(|table| &table.grid);
        let grid = grid
            .filter(|grid| {
                grid.bounds.grown(2.0).contains(bounds.center()) && grid.xs.len() == columns + 1
            })
            .min_by(|one, other| one.bounds.width().total_cmp(&other.bounds.width()));
        let widths = match grid {
            Some(grid) => grid
                .xs
                .iter()
                .zip(grid.xs.iter().skip(1))
                .map(|(from, to)| to - from)
                .collect(),
            None => widths(&cells, columns, bounds),
        };
        let table = Table {
            widths,
            rows: 0,
            header_rows: 0,
            cells,
            ruled: grid.is_some(),
            confidence: 1.0,
            continues: false,
        };
        let bounds = grid.map_or(bounds, |grid| grid.bounds.union(&bounds));
        Some((bounds, table))
    }
}

/// Returns the number of columns, and their positions according to complete rows.
fn known(rows: &[Vec<Filled>]) -> (usize, Option<Columns>) {
    let mut places = Places::default();
    let mut standing = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        let mut from = 0;
        for cell in cells {
            let spans = (cell.row_span.min(rows.len() - row), cell.column_span);
            let Some((column, _, span)) = places.take(row, from, spans) else {
                return (places.columns, None);
            };
            from = column + span;
            let bounds = cell.bounds.filter(|_| span == 1);
            standing.extend(bounds.map(|bounds| (row, column, bounds)));
        }
    }
    let is_full = |row: usize| (0..places.columns).all(|column| !places.is_free(row, column));
    let full = standing.into_iter().filter(|(row, ..)| is_full(*row));
    let full: Vec<(usize, Rect)> = full.map(|(_, column, bounds)| (column, bounds)).collect();
    (places.columns, Columns::of(&full, places.columns))
}

/// Returns the first columns of the cells of an incomplete row: some programs omit empty cells.
fn chosen(
    cells: &[Filled],
    row: usize,
    places: &Places,
    columns: usize,
    known: Option<&Columns>,
) -> Choice {
    let is_free = |column: usize| places.is_free(row, column);
    let free = (0..columns).filter(|column| is_free(*column)).count();
    let taken = cells.iter().map(|cell| cell.column_span.max(1));
    let taken = taken.fold(0, usize::saturating_add);
    match known {
        Some(known) if !cells.is_empty() && taken < free => {
            let cells = cells.iter().map(|cell| Standing {
                span: cell.column_span.max(1),
                bounds: cell.bounds,
            });
            known.choose(&cells.collect::<Vec<_>>(), is_free)
        }
        _ => Choice::Open,
    }
}

fn bounds(cell: &Cell) -> Option<Rect> {
    Rect::around(cell.blocks.iter().filter_map(|block| block.bounds))
}

/// Returns the number of header rows.
fn header_rows(rows: &[Row]) -> usize {
    let is_head = |row: &&Row| {
        row.is_head || !row.cells.is_empty() && row.cells.iter().all(|cell| cell.is_head)
    };
    match rows.iter().take_while(is_head).count() {
        all if all == rows.len() => 0,
        some => some,
    }
}

/// Infers column widths from content: boundaries are halfway between adjacent columns.
fn widths(cells: &[Cell], columns: usize, bounds: Rect) -> Vec<f32> {
    let mut extents: Vec<Option<(f32, f32)>> = vec![None; columns];
    let single = cells.iter().filter(|cell| cell.column_span == 1);
    for (column, place) in single.filter_map(|cell| Some((cell.column, self::bounds(cell)?))) {
        if let Some(extent) = extents.get_mut(column) {
            let (left, right) = extent.unwrap_or((place.left, place.right));
            *extent = Some((left.min(place.left), right.max(place.right)));
        }
    }
    let known: Vec<(usize, (f32, f32))> = extents
        .iter()
        .enumerate()
        .filter_map(|(column, extent)| Some((column, (*extent)?)))
        .collect();
    let from_right = matches!((known.first(), known.last()), (Some((_, first)), Some((_, last))) if first.0 > last.1);
    let mut edges = vec![(
        0,
        if from_right {
            bounds.right
        } else {
            bounds.left
        },
    )];
    for pair in known.windows(2) {
        if let [(_, one), (column, other)] = pair {
            let edge = match from_right {
                false => f32::midpoint(one.1, other.0),
                true => f32::midpoint(one.0, other.1),
            };
            edges.push((*column, edge));
        }
    }
    edges.push((
        columns,
        if from_right {
            bounds.left
        } else {
            bounds.right
        },
    ));
    between(&edges)
}

/// Returns the widths between edges; columns without known edges share the space between known ones.
fn between(edges: &[(usize, f32)]) -> Vec<f32> {
    let mut widths = Vec::new();
    for pair in edges.windows(2) {
        if let [(column, from), (next, to)] = pair {
            let count = next.saturating_sub(*column);
            #[expect(clippy::cast_precision_loss, reason = "columns are few")]
            let width = (to - from).abs() / count.max(1) as f32;
            widths.extend(std::iter::repeat_n(width.max(NARROWEST), count));
        }
    }
    widths
}
