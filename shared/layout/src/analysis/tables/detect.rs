//! Table detection: generators make candidates, their features a score, and the best candidates that do not overlap are tables.

use crate::analysis::candidates::candidate::{Candidate, Kind, Trace};
use crate::analysis::candidates::weights::table::TABLE;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::tables::aligned;
use crate::analysis::tables::content::Content;
use crate::analysis::tables::features::features;
use crate::analysis::tables::grid::{self, GRIDS, Grid};
use crate::analysis::tables::refine::refined;
use crate::analysis::tables::row_bands::{self, across};
use crate::model::geometry::Rect;

/// Advantage of an e-fold area among overlapping candidates.
const LARGER: f32 = 0.5;

/// Returns the tables of a page.
pub(in crate::analysis) fn tables(
    content: &Content<'_>,
    glyphs: &[Glyph],
    trace: &Trace,
) -> Vec<Grid> {
    let ruled = grid::grids(content.strokes);
    let banded = row_bands::grids(content.strokes, content.fills, glyphs, &[]);
    let level = across::level(content.strokes, content.fills);
    let aligned = aligned::grids(content, &level);
    let sources = [("ruled", ruled), ("banded", banded), ("aligned", aligned)];
    let mut candidates: Vec<(Grid, Candidate)> = Vec::new();
    for (source, grids) in sources {
        for grid in grids.into_iter().take(GRIDS) {
            let grid = refined(grid, content);
            if candidates
                .iter()
                .any(|(known, _)| known.bounds == grid.bounds && known.cells == grid.cells)
            {
                continue;
            }
            let candidate = Candidate::new(
                Kind::Table,
                source,
                grid.bounds,
                features(&grid, content, &level),
                &TABLE,
            );
            candidates.push((grid, candidate));
        }
    }
    // Of candidates for the same table, a larger one has proved itself on more text.
    let value = |candidate: &Candidate| {
        let bounds = candidate.bounds;
        candidate.score + LARGER * (bounds.width() * bounds.height()).max(1.0).ln()
    };
    candidates.sort_by(|one, other| value(&other.1).total_cmp(&value(&one.1)));
    let mut chosen: Vec<Grid> = Vec::new();
    for (grid, mut candidate) in candidates {
        candidate.is_chosen &=
            chosen.len() < GRIDS && chosen.iter().all(|other| are_apart(&grid, other));
        if candidate.is_chosen {
            chosen.push(grid);
        }
        trace.note(|| candidate);
    }
    chosen
}

/// Whether two grids do not overlap, or one is inside a cell of the other.
fn are_apart(one: &Grid, other: &Grid) -> bool {
    let shared = one.bounds.grown(-1.0).within(&other.bounds.grown(-1.0));
    let is_in = |inner: &Rect, outer: &Grid| {
        let mut cells = outer.cells.iter();
        cells.any(|cell| {
            cell.bounds.grown(1.0).contains((inner.left, inner.top))
                && cell.bounds.grown(1.0).contains((inner.right, inner.bottom))
        })
    };
    shared.is_none() || is_in(&one.bounds, other) || is_in(&other.bounds, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(left: f32, right: f32) -> Grid {
        let middle = f32::midpoint(left, right);
        let area = |column, left, right| grid::Area {
            row: 0,
            column,
            row_span: 1,
            column_span: 1,
            bounds: Rect::between((left, 0.0), (right, 50.0)),
        };
        let cells = vec![area(0, left, middle), area(1, middle, right)];
        Grid::of_areas(vec![left, middle, right], vec![0.0, 50.0], cells, None).unwrap()
    }

    #[test]
    fn tables_may_be_in_a_cell_but_not_across_cells() {
        let outer = grid(0.0, 100.0);
        assert!(are_apart(&grid(110.0, 150.0), &outer));
        assert!(are_apart(&grid(5.0, 45.0), &outer));
        assert!(!are_apart(&grid(30.0, 70.0), &outer));
    }
}
