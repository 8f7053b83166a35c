//! Refines grids by their text: splits columns at gaps and rows at baselines, adds columns next to the frame and header lines above it.

mod columns;
mod head;
mod rows;
mod sides;

use crate::analysis::tables::content::Content;
use crate::analysis::tables::grid::Grid;

/// Maximum number of cells of a grid.
const CELLS: usize = 5_000;

/// Returns the grid with the rows and columns of its text.
pub(super) fn refined(grid: Grid, content: &Content<'_>) -> Grid {
    if grid.cells.len() > CELLS {
        return grid;
    }
    let grid = columns::with_columns(grid, content);
    let grid = rows::with_rows(grid, content);
    let grid = sides::with_sides(grid, content);
    let grid = head::with_head(grid, content);
    head::without_thin(head::without_title(grid, content), content)
}
