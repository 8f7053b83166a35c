//! The coloured areas of a sheet, but for those that mark text.

use std::collections::HashSet;

use crate::geometry::Rect;
use crate::model::placed::Area;
use crate::read::glyph::Glyph;
use crate::read::{clean, marks};
use crate::sheet::{Sheet, Stroke};

/// Most areas of a page that are kept.
const AREAS: usize = 10_000;
/// Up to how thick an area may be that is drawn under or through text, points.
const THICKEST: f32 = 4.0;

/// What is drawn in one colour.
pub(super) struct Ground {
    pub(super) seen: Vec<Area>,
    /// Whether there is more.
    pub(super) is_cut: bool,
}

/// That of a sheet.
pub(super) fn of(sheet: &Sheet, page: &Rect) -> Ground {
    let seen = sheet.areas.iter().take(AREAS).filter_map(|area| {
        Some(Area {
            bounds: clean::on(page, &area.bounds)?,
            colour: area.colour,
        })
    });
    Ground {
        seen: seen.collect(),
        is_cut: sheet.areas.len() > AREAS,
    }
}

impl Ground {
    /// Marks text that thin areas are drawn under or through, and keeps those that mark none.
    pub(super) fn mark(&mut self, glyphs: &mut [Glyph]) {
        let thin = self.seen.iter().filter(|area| is_thin(area));
        let strokes: Vec<Stroke> = thin
            .map(|area| Stroke {
                bounds: area.bounds,
            })
            .collect();
        if strokes.is_empty() {
            return;
        }
        let rest = marks::underline(glyphs, strokes);
        let rest: HashSet<_> = rest.iter().map(|stroke| edges(&stroke.bounds)).collect();
        self.seen
            .retain(|area| !is_thin(area) || rest.contains(&edges(&area.bounds)));
    }
}

fn is_thin(area: &Area) -> bool {
    area.bounds.height() <= THICKEST && area.bounds.width() >= area.bounds.height()
}

/// A place as something that can be looked up.
fn edges(bounds: &Rect) -> [u32; 4] {
    [bounds.left, bounds.top, bounds.right, bounds.bottom].map(f32::to_bits)
}
