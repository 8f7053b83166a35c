//! Tables with lines between their rows, or above and below them, and none between their columns.

mod across;
mod bundle;
mod columns;
mod frame;
mod interval;
mod padding;
mod rows;
mod segment;
mod table;

use self::bundle::{Bundle, bundles};
use self::segment::texts;
use super::glyph::Glyph;
use super::grid::{GRIDS, Grid};
use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;

/// How far beyond lines is looked for rows that have one at one side only or none, and how far what belongs to them reaches to
/// their sides, points.
const BEYOND: f32 = 2_000.0;
const ASIDE: f32 = 3.0;

/// The tables that level lines and the edges of what is filled bound, outside of grids that are known.
pub(super) fn grids(
    strokes: &[Stroke],
    fills: &[Rect],
    glyphs: &[Glyph],
    known: &[Grid],
) -> Vec<Grid> {
    let mut lines = across::level(strokes, fills);
    lines.retain(|line| {
        let centre = (f32::midpoint(line.left(), line.right()), line.y);
        !known
            .iter()
            .any(|grid| grid.bounds.grown(2.0).contains(centre))
    });
    let bundles = bundles(lines, &across::upright(strokes));
    if bundles.is_empty() {
        return Vec::new();
    }
    let is_free = |glyph: &&Glyph| {
        let centre = glyph.bounds.centre();
        !known.iter().any(|grid| grid.bounds.contains(centre))
    };
    let glyphs: Vec<&Glyph> = glyphs.iter().filter(is_free).collect();
    let mut grids: Vec<Grid> = Vec::new();
    for bundle in bundles {
        if grids.len() >= GRIDS {
            break;
        }
        let area = area(&bundle);
        let is_free = |glyph: &&Glyph| {
            let centre = glyph.bounds.centre();
            area.contains(centre) && !grids.iter().any(|grid| grid.bounds.contains(centre))
        };
        let inside = glyphs.iter().copied().filter(is_free);
        for grid in frame::tables(&bundle, &texts(inside, &bundle.joints)) {
            let is_new = |other: &Grid| {
                !other.bounds.contains(grid.bounds.centre())
                    && !grid.bounds.contains(other.bounds.centre())
            };
            if grids.iter().all(is_new) {
                grids.push(grid);
            }
        }
    }
    grids
}

/// Where what belongs to a bundle stands.
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
