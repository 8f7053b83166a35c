//! Detects tables with horizontal rules between rows, or above and below the table, and no rules between columns.

pub(in crate::analysis::tables) mod across;
mod bundle;
pub(in crate::analysis::tables) mod columns;
mod frame;
pub(in crate::analysis::tables) mod interval;
mod padding;
pub(in crate::analysis::tables) mod rows;
pub(in crate::analysis::tables) mod table;

use self::bundle::{Bundle, bundles};
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::tables::grid::{GRIDS, Grid};
use crate::analysis::tables::segment::{WIDE, texts};
use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;

/// Maximum distance beyond the outer rules in which rows with one rule or none are searched, and horizontal tolerance of their
/// content, points.
const BEYOND: f32 = 2_000.0;
const ASIDE: f32 = 3.0;

/// Returns the grids of tables bounded by horizontal rules and edges of fills, outside of the grids already detected.
pub(in crate::analysis) fn grids(
    strokes: &[Stroke],
    fills: &[Rect],
    glyphs: &[Glyph],
    known: &[Grid],
) -> Vec<Grid> {
    let mut lines = across::level(strokes, fills);
    lines.retain(|line| {
        let center = (f32::midpoint(line.left(), line.right()), line.y);
        !known
            .iter()
            .any(|grid| grid.bounds.grown(2.0).contains(center))
    });
    let bundles = bundles(lines, &across::upright(strokes));
    if bundles.is_empty() {
        return Vec::new();
    }
    let is_free = |glyph: &&Glyph| {
        let center = glyph.middle();
        !known.iter().any(|grid| grid.bounds.contains(center))
    };
    let glyphs: Vec<&Glyph> = glyphs.iter().filter(is_free).collect();
    let mut grids: Vec<Grid> = Vec::new();
    for bundle in bundles {
        if grids.len() >= GRIDS {
            break;
        }
        let area = area(&bundle);
        let is_free = |glyph: &&Glyph| {
            let center = glyph.middle();
            area.contains(center) && !grids.iter().any(|grid| grid.bounds.contains(center))
        };
        let inside = glyphs.iter().copied().filter(is_free);
        for grid in frame::tables(&bundle, &texts(inside, &bundle.joints, WIDE)) {
            let is_new = |other: &Grid| {
                !other.bounds.contains(grid.bounds.center())
                    && !grid.bounds.contains(other.bounds.center())
            };
            if grids.iter().all(is_new) {
                grids.push(grid);
            }
        }
    }
    grids
}

/// Returns the area in which content of a bundle can be.
fn area(bundle: &Bundle) -> Rect {
    let beyond = match bundle.is_jointed() {
        true => BEYOND,
        false => 0.0,
    };
    let top = bundle.lines.first().map_or(0.0, |line| line.y);
    let bottom = bundle.lines.last().map_or(0.0, |line| line.y);
    Rect::between(
        (bundle.left - ASIDE, top - beyond),
        (bundle.right + ASIDE, bottom + beyond),
    )
}
