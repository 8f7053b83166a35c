//! Lookup of the colored areas of a page by point.

use std::collections::HashMap;

use crate::model::fixed::Area;
use crate::model::page_content::Drawing;

/// Maximum thickness of areas that are lines, points.
pub(super) const THIN: f32 = 3.0;
/// Height of the strips of the lookup, points, and maximum number of strips of an area.
const STRIP: f32 = 16.0;
const STRIPS: usize = 500;
/// Maximum number of areas of a strip that are examined.
const EXAMINED: usize = 512;
/// Smallest component of colors that count as white.
const WHITE: u8 = 250;

/// The filled areas of a page, in drawing order, by horizontal strip.
pub(super) struct Fills<'a> {
    strips: HashMap<i32, Vec<&'a Area>>,
}

impl<'a> Fills<'a> {
    pub(super) fn of(drawings: &'a [Drawing]) -> Self {
        let mut strips: HashMap<i32, Vec<&Area>> = HashMap::new();
        let is_thick = |area: &&Area| area.bounds.width().min(area.bounds.height()) > THIN;
        for area in areas(drawings).filter(is_thick) {
            for strip in (strip(area.bounds.top)..=strip(area.bounds.bottom)).take(STRIPS) {
                strips.entry(strip).or_default().push(area);
            }
        }
        Self { strips }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.strips.is_empty()
    }

    /// Returns the topmost area at a point that `fits`; `None` if it is white.
    pub(super) fn at(&self, point: (f32, f32), fits: impl Fn(&Area) -> bool) -> Option<&'a Area> {
        let strip = self.strips.get(&strip(point.1))?;
        let mut topmost = strip.iter().rev().take(EXAMINED).copied();
        let found = topmost.find(|area| area.bounds.contains(point) && fits(area))?;
        (!is_white(found.color)).then_some(found)
    }
}

/// Returns the filled areas of drawings, lines included.
pub(super) fn areas(drawings: &[Drawing]) -> impl Iterator<Item = &Area> {
    let areas = drawings.iter().filter_map(|drawing| match drawing {
        Drawing::Area(area) => Some(area),
        Drawing::Shape(..) | Drawing::Picture(..) => None,
    });
    areas.filter(|area| {
        let bounds = &area.bounds;
        let edges = [bounds.left, bounds.top, bounds.right, bounds.bottom];
        edges.iter().all(|edge| edge.is_finite())
    })
}

pub(super) fn is_white(color: [u8; 3]) -> bool {
    color.iter().all(|part| *part >= WHITE)
}

fn strip(y: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only to compare; the cast saturates"
    )]
    let strip = (y / STRIP).floor() as i32;
    strip
}
