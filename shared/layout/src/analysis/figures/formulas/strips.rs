//! Looks up areas by the horizontal strips of the page that they are in.

use std::collections::BTreeMap;

use crate::model::geometry::Rect;

/// Height of a strip, points.
const HEIGHT: f32 = 24.0;
/// Maximum number of areas of a strip, and of strips of an area.
const AREAS: usize = 200;
const STRIPS: i32 = 40;

/// Indices of areas by strip.
pub(super) struct Strips(BTreeMap<i32, Vec<usize>>);

impl Strips {
    pub(super) fn of(areas: impl Iterator<Item = Rect>) -> Self {
        let mut strips: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
        for (index, area) in areas.enumerate() {
            let first = strip(area.top);
            for place in first..=strip(area.bottom).min(first.saturating_add(STRIPS)) {
                let strip = strips.entry(place).or_default();
                if strip.len() < AREAS {
                    strip.push(index);
                }
            }
        }
        Self(strips)
    }

    /// Returns the indices of the areas in the strips of an area, each once.
    pub(super) fn near(&self, area: &Rect) -> Vec<usize> {
        let first = strip(area.top);
        let last = strip(area.bottom).clamp(first, first.saturating_add(STRIPS));
        let strips = self.0.range(first..=last);
        let mut near: Vec<usize> = strips.flat_map(|(_, areas)| areas).copied().collect();
        near.sort_unstable();
        near.dedup();
        near
    }
}

fn strip(place: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "places are limited, and the cast saturates"
    )]
    let strip = (place / HEIGHT).floor() as i32;
    strip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_the_same_height_are_near() {
        let area = |top: f32, bottom: f32| Rect::between((0.0, top), (9.0, bottom));
        let strips =
            Strips::of([area(10.0, 20.0), area(15.0, 100.0), area(300.0, 310.0)].into_iter());
        assert_eq!(strips.near(&area(12.0, 90.0)), [0, 1]);
        assert_eq!(strips.near(&area(305.0, 306.0)), [2]);
        assert!(strips.near(&area(200.0, 210.0)).is_empty());
    }
}
