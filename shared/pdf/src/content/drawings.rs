//! Vector drawings for fixed layout: axis-aligned rectangles and lines as filled areas, other paths as outlines.

use layout::{Area, Drawing, PathSegment, Picture, Point, Rect, Shape as Outlined, StrokeStyle};
use task::matrix::Matrix;

use super::colors::is_white;
use super::handles::{Segment, Shape};
use super::lines::{MAX_EDGE_WIDTH, Outline};
use super::transform::transformed;

/// Maximum number of drawings of a page, not counting images.
pub(super) const MAX_DRAWINGS: usize = 20_000;
/// Maximum number of path segments of a page.
pub(super) const MAX_SEGMENTS: usize = 50_000;
/// Maximum number of backgrounds that are checked for white content on them.
const MAX_BACKGROUNDS: usize = 200;
/// Minimum side of such a background, in points.
const MIN_SIDE: f32 = 3.0;
/// Maximum number of rectangles of a path that are compared pairwise.
const MAX_COMPARED: usize = 200;

/// Returns a path as filled areas, fill below stroke; `None` if that would not be exact.
pub(super) fn areas(shape: &Shape<'_>, outlines: &[Outline], scale: f32) -> Option<Vec<Area>> {
    let outlines: Vec<&Outline> = outlines.iter().filter(|one| !one.is_point()).collect();
    let mut areas = Vec::new();
    if let Some(color) = shape.fill {
        let rectangles = outlines
            .iter()
            .map(|outline| Some((outline.area()?, outline.is_clockwise())));
        let filled =
            filled_rectangles(&rectangles.collect::<Option<Vec<_>>>()?, shape.is_even_odd)?;
        areas.extend(filled.into_iter().map(|bounds| Area { bounds, color }));
    }
    if let Some((color, width)) = shape.line {
        let is_plain = shape.dashes.is_empty() && width * scale <= MAX_EDGE_WIDTH;
        if !is_plain || !outlines.iter().all(|outline| outline.is_upright()) {
            return None;
        }
        let edges = outlines
            .iter()
            .flat_map(|outline| outline.edges(width * scale));
        areas.extend(edges.map(|edge| Area {
            bounds: edge.bounds,
            color,
        }));
    }
    Some(areas)
}

/// Clips an area to the visible part; `None` if nothing is left.
pub(super) fn within(area: Area, seen: &Rect) -> Option<Area> {
    let bounds = area.bounds.within(seen)?;
    Some(Area { bounds, ..area })
}

/// Returns a path as an outline.
pub(super) fn outline(
    shape: &Shape<'_>,
    segments: &[Segment],
    map: Matrix,
    scale: f32,
) -> Outlined {
    let stroke = shape.line.map(|(color, width)| StrokeStyle {
        color,
        width: width * scale,
        dashes: shape.dashes.iter().map(|dash| dash * scale).collect(),
    });
    Outlined {
        segments: path_segments(segments, map),
        fill: shape.fill,
        is_even_odd: shape.is_even_odd,
        stroke,
    }
}

fn path_segments(segments: &[Segment], map: Matrix) -> Vec<PathSegment> {
    let (mut path, mut curve) = (Vec::with_capacity(segments.len()), Vec::<Point>::new());
    for segment in segments {
        match *segment {
            Segment::Move(point) => path.push(PathSegment::Move(transformed(map, point))),
            Segment::Line(point) => path.push(PathSegment::Line(transformed(map, point))),
            Segment::Curve(point) => {
                curve.push(transformed(map, point));
                if let [leaving, coming, end] = *curve {
                    path.push(PathSegment::Curve(leaving, coming, end));
                    curve.clear();
                }
            }
            Segment::Close => path.push(PathSegment::Close),
        }
    }
    path
}

/// Drops drawings that are invisible on white paper.
pub(super) fn visible(drawings: Vec<Drawing>, pictures: &[Picture]) -> Vec<Drawing> {
    let mut grounds: Vec<Rect> = Vec::new();
    let mut seen: Vec<Drawing> = Vec::with_capacity(drawings.len());
    for drawing in drawings {
        let Some(bounds) = bounds(&drawing, pictures) else {
            continue;
        };
        let lies_on = |ground: &Rect| {
            ground.shared_width(&bounds) > 0.0 && ground.shared_height(&bounds) > 0.0
        };
        let is_pale = is_white_drawing(&drawing);
        // Beyond the limit, white content may lie on an unchecked background.
        let is_unseen = is_pale && grounds.len() < MAX_BACKGROUNDS && !grounds.iter().any(lies_on);
        if is_unseen || seen.last() == Some(&drawing) {
            continue;
        }
        let is_ground = bounds.width() >= MIN_SIDE && bounds.height() >= MIN_SIDE;
        if is_ground && !is_pale && grounds.len() < MAX_BACKGROUNDS {
            grounds.push(bounds);
        }
        seen.push(drawing);
    }
    seen
}

fn bounds(drawing: &Drawing, pictures: &[Picture]) -> Option<Rect> {
    match drawing {
        Drawing::Area(area) => Some(area.bounds),
        Drawing::Picture(picture, seen) => pictures.get(*picture)?.bounds.within(seen),
        Drawing::Shape(shape, seen) => shape.bounds()?.within(seen),
    }
}

fn is_white_drawing(drawing: &Drawing) -> bool {
    match drawing {
        Drawing::Area(area) => is_white(area.color),
        Drawing::Shape(shape, _) => {
            let line = shape.stroke.as_ref().map(|stroke| stroke.color);
            shape.fill.into_iter().chain(line).all(is_white)
        }
        Drawing::Picture(..) => false,
    }
}

/// A rectangle, and whether its subpath is oriented clockwise.
type OrientedRect = (Rect, bool);

/// Returns the area that rectangles fill together, as rectangles; a frame becomes four. `None` for more than two rectangles
/// that may have holes.
fn filled_rectangles(rectangles: &[OrientedRect], is_even_odd: bool) -> Option<Vec<Rect>> {
    let all = || rectangles.iter().map(|(rectangle, _)| *rectangle).collect();
    let framed = |(outer, one): &OrientedRect, (inner, other): &OrientedRect| match is_even_odd
        || one != other
    {
        true => frame(outer, inner),
        false => vec![*outer],
    };
    match rectangles {
        [one, other] if is_around(&one.0, &other.0) => Some(framed(one, other)),
        [one, other] if is_around(&other.0, &one.0) => Some(framed(other, one)),
        [] | [_] | [_, _] => Some(all()),
        [..] if is_even_odd || may_have_holes(rectangles) => None,
        [..] => Some(all()),
    }
}

/// Whether a rectangle is within another of opposite orientation, which makes it a hole by the nonzero winding rule. Not
/// checked for more than [`MAX_COMPARED`] rectangles.
fn may_have_holes(rectangles: &[OrientedRect]) -> bool {
    rectangles.len() <= MAX_COMPARED
        && rectangles.iter().any(|(inner, one)| {
            let mut others = rectangles.iter();
            others.any(|(outer, other)| one != other && is_around(outer, inner))
        })
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

    fn area(right: f32, color: [u8; 3]) -> Drawing {
        Drawing::Area(Area {
            bounds: Rect::between((0.0, 0.0), (right, 10.0)),
            color,
        })
    }

    #[test]
    fn white_is_visible_only_on_colored_areas_and_images() {
        let (white, blue) = ([255; 3], [0, 0, 200]);
        let areas = vec![
            area(50.0, white),
            area(40.0, blue),
            area(40.0, blue),
            area(20.0, white),
        ];
        assert_eq!(visible(areas, &[]), [area(40.0, blue), area(20.0, white)]);
        let bounds = Rect::between((0.0, 0.0), (100.0, 100.0));
        let picture = Picture {
            bounds,
            image: 0,
            tag: layout::Tag::None,
        };
        let on_picture = vec![Drawing::Picture(0, bounds), area(50.0, white)];
        assert_eq!(visible(on_picture.clone(), &[picture]), on_picture);
    }

    #[test]
    fn curves_have_three_points() {
        let curve = [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)].map(Segment::Curve);
        let segments = [
            &[Segment::Move((0.0, 0.0))],
            curve.as_slice(),
            &[Segment::Close],
        ]
        .concat();
        let expected = [
            PathSegment::Move((0.0, 0.0)),
            PathSegment::Curve((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)),
            PathSegment::Close,
        ];
        assert_eq!(path_segments(&segments, Matrix::IDENTITY), expected);
    }

    #[test]
    fn an_inner_rectangle_is_a_hole_only_by_the_fill_rule() {
        let outer = Rect::between((0.0, 0.0), (100.0, 50.0));
        let (inner, separate) = (
            outer.grown(-5.0),
            Rect::between((200.0, 0.0), (300.0, 50.0)),
        );
        let sides = |rectangles: &[OrientedRect], rule| {
            filled_rectangles(rectangles, rule).map(|sides| sides.len())
        };
        assert_eq!(sides(&[(outer, true), (inner, true)], false), Some(1));
        assert_eq!(sides(&[(outer, true), (inner, false)], false), Some(4));
        assert_eq!(sides(&[(inner, true), (outer, true)], true), Some(4));
        let three = |turn| [(outer, true), (inner, turn), (separate, true)];
        assert_eq!(sides(&three(true), false), Some(3));
        assert_eq!(sides(&three(false), false), None);
        assert_eq!(sides(&three(true), true), None);
    }

    #[test]
    fn a_frame_becomes_its_four_sides() {
        let outer = Rect::between((0.0, 0.0), (100.0, 50.0));
        let inner = outer.grown(-5.0);
        let sides = frame(&outer, &inner);
        assert_eq!(sides.len(), 4);
        assert!(sides.iter().all(|side| side.within(&outer) == Some(*side)));
        let whole: f32 = sides.iter().map(|side| side.width() * side.height()).sum();
        assert!((whole - (100.0 * 50.0 - 90.0 * 40.0)).abs() < 0.1);
        assert!(sides.iter().all(|side| !side.contains(inner.center())));
    }
}
