//! Which areas of one colour the paths of a page are.

use layout::{Area, Rect};

use super::colours::is_white;
use super::handles::Shape;
use super::lines::Outline;

/// Most areas of a page that are told.
pub(super) const AREAS: usize = 20_000;
/// How many coloured areas it is looked at whether something white is drawn on them.
const GROUNDS: usize = 200;
/// The least extent of such an area, points.
const LEAST: f32 = 3.0;

/// Those of a path, its area below its line. Lines are told where all of them are upright or level: parts of a drawing are no
/// drawing.
pub(super) fn areas(shape: &Shape, outlines: &[Outline], scale: f32) -> Vec<Area> {
    let mut areas = Vec::new();
    if let Some(colour) = shape.fill {
        let filled = filled(outlines).into_iter();
        areas.extend(filled.map(|bounds| Area { bounds, colour }));
    }
    if let Some((colour, width)) = shape.line
        && outlines.iter().all(Outline::is_upright)
    {
        let edges = outlines
            .iter()
            .flat_map(|outline| outline.edges(width * scale));
        areas.extend(edges.map(|edge| Area {
            bounds: edge.bounds,
            colour,
        }));
    }
    areas
}

/// What of an area is seen; none where nothing is.
pub(super) fn within(area: Area, seen: &Rect) -> Option<Area> {
    let bounds = area.bounds.within(seen)?;
    Some(Area { bounds, ..area })
}

/// Those that are seen on white paper.
pub(super) fn seen(areas: Vec<Area>) -> Vec<Area> {
    let mut grounds: Vec<Rect> = Vec::new();
    let mut seen: Vec<Area> = Vec::with_capacity(areas.len());
    for area in areas {
        let Area { bounds, colour } = area;
        let lies_on = |ground: &Rect| {
            ground.shared_width(&bounds) > 0.0 && ground.shared_height(&bounds) > 0.0
        };
        if is_white(colour) && !grounds.iter().any(lies_on) || seen.last() == Some(&area) {
            continue;
        }
        let is_ground = bounds.width() >= LEAST && bounds.height() >= LEAST;
        if is_ground && !is_white(colour) && grounds.len() < GROUNDS {
            grounds.push(bounds);
        }
        seen.push(area);
    }
    seen
}

/// The rectangles that a filled path is; a frame is four.
fn filled(outlines: &[Outline]) -> Vec<Rect> {
    let rectangles = outlines
        .iter()
        .filter_map(|outline| outline.area().or_else(|| outline.rounded()));
    let rectangles: Vec<Rect> = rectangles.collect();
    match *rectangles {
        [one, other] if is_around(&one, &other) => frame(&one, &other),
        [one, other] if is_around(&other, &one) => frame(&other, &one),
        _ => rectangles,
    }
}

fn is_around(outer: &Rect, inner: &Rect) -> bool {
    outer.contains((inner.left, inner.top)) && outer.contains((inner.right, inner.bottom))
}

fn frame(outer: &Rect, inner: &Rect) -> Vec<Rect> {
    let sides = [
        Rect {
            bottom: inner.top,
            ..*outer
        },
        Rect {
            top: inner.bottom,
            ..*outer
        },
        Rect {
            top: inner.top,
            bottom: inner.bottom,
            right: inner.left,
            ..*outer
        },
        Rect {
            top: inner.top,
            bottom: inner.bottom,
            left: inner.right,
            ..*outer
        },
    ];
    let has_extent = |side: &Rect| side.width() > 0.0 && side.height() > 0.0;
    sides.into_iter().filter(has_extent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(right: f32, colour: [u8; 3]) -> Area {
        Area {
            bounds: Rect::between((0.0, 0.0), (right, 10.0)),
            colour,
        }
    }

    #[test]
    fn white_is_seen_on_what_is_coloured_only() {
        let (white, blue) = ([255; 3], [0, 0, 200]);
        let areas = vec![
            area(50.0, white),
            area(40.0, blue),
            area(40.0, blue),
            area(20.0, white),
        ];
        assert_eq!(seen(areas), [area(40.0, blue), area(20.0, white)]);
    }

    #[test]
    fn a_frame_is_its_sides() {
        let outer = Rect::between((0.0, 0.0), (100.0, 50.0));
        let inner = outer.grown(-5.0);
        let sides = frame(&outer, &inner);
        assert_eq!(sides.len(), 4);
        assert!(sides.iter().all(|side| side.within(&outer) == Some(*side)));
        let whole: f32 = sides.iter().map(|side| side.width() * side.height()).sum();
        assert!((whole - (100.0 * 50.0 - 90.0 * 40.0)).abs() < 0.1);
        assert!(sides.iter().all(|side| !side.contains(inner.centre())));
    }
}
