//! What the paths of a page look like: areas of one colour where they are upright rectangles and lines, outlines elsewhere.

use layout::{Area, Drawing, Pen, Picture, Point, Rect, Shape as Outlined, Step};
use task::matrix::Matrix;

use super::colours::is_white;
use super::handles::{Segment, Shape};
use super::lines::{Outline, THICK};
use super::place::shown;

/// Most things of a page that are told, pictures apart.
pub(super) const DRAWINGS: usize = 20_000;
/// Most steps of the outlines of a page that are told.
pub(super) const STEPS: usize = 50_000;
/// How many grounds are looked at whether something white is drawn on them.
const GROUNDS: usize = 200;
/// The least extent of such a ground, points.
const LEAST: f32 = 3.0;
/// Most rectangles of a path that are compared with one another.
const FEW: usize = 200;

/// Those of a path that are areas, what it fills below its line; none where they would not be all of it.
pub(super) fn areas(shape: &Shape, outlines: &[Outline], scale: f32) -> Option<Vec<Area>> {
    let outlines: Vec<&Outline> = outlines.iter().filter(|one| !one.is_point()).collect();
    let mut areas = Vec::new();
    if let Some(colour) = shape.fill {
        let rectangles = outlines
            .iter()
            .map(|outline| Some((outline.area()?, outline.is_clockwise())));
        let filled = filled(&rectangles.collect::<Option<Vec<_>>>()?, shape.is_even_odd)?;
        areas.extend(filled.into_iter().map(|bounds| Area { bounds, colour }));
    }
    if let Some((colour, width)) = shape.line {
        let is_plain = shape.dashes.is_empty() && width * scale <= THICK;
        if !is_plain || !outlines.iter().all(|outline| outline.is_upright()) {
            return None;
        }
        let edges = outlines
            .iter()
            .flat_map(|outline| outline.edges(width * scale));
        areas.extend(edges.map(|edge| Area {
            bounds: edge.bounds,
            colour,
        }));
    }
    Some(areas)
}

/// What of an area is seen; none where nothing is.
pub(super) fn within(area: Area, seen: &Rect) -> Option<Area> {
    let bounds = area.bounds.within(seen)?;
    Some(Area { bounds, ..area })
}

/// A path as it is.
pub(super) fn outlined(shape: &Shape, segments: &[Segment], map: Matrix, scale: f32) -> Outlined {
    let pen = shape.line.map(|(colour, width)| Pen {
        colour,
        width: width * scale,
        dashes: shape.dashes.iter().map(|dash| dash * scale).collect(),
    });
    Outlined {
        steps: steps(segments, map),
        fill: shape.fill,
        is_even_odd: shape.is_even_odd,
        pen,
    }
}

fn steps(segments: &[Segment], map: Matrix) -> Vec<Step> {
    let (mut steps, mut curve) = (Vec::with_capacity(segments.len()), Vec::<Point>::new());
    for segment in segments {
        match *segment {
            Segment::Move(point) => steps.push(Step::Move(shown(map, point))),
            Segment::Line(point) => steps.push(Step::Line(shown(map, point))),
            Segment::Curve(point) => {
                curve.push(shown(map, point));
                if let [leaving, coming, end] = *curve {
                    steps.push(Step::Curve(leaving, coming, end));
                    curve.clear();
                }
            }
            Segment::Close => steps.push(Step::Close),
        }
    }
    steps
}

/// Those that are seen on white paper.
pub(super) fn seen(drawings: Vec<Drawing>, pictures: &[Picture]) -> Vec<Drawing> {
    let mut grounds: Vec<Rect> = Vec::new();
    let mut seen: Vec<Drawing> = Vec::with_capacity(drawings.len());
    for drawing in drawings {
        let Some(bounds) = bounds(&drawing, pictures) else {
            continue;
        };
        let lies_on = |ground: &Rect| {
            ground.shared_width(&bounds) > 0.0 && ground.shared_height(&bounds) > 0.0
        };
        let is_pale = is_pale(&drawing);
        // Where there are more grounds than are looked at, what is white may lie on another one.
        let is_unseen = is_pale && grounds.len() < GROUNDS && !grounds.iter().any(lies_on);
        if is_unseen || seen.last() == Some(&drawing) {
            continue;
        }
        let is_ground = bounds.width() >= LEAST && bounds.height() >= LEAST;
        if is_ground && !is_pale && grounds.len() < GROUNDS {
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

fn is_pale(drawing: &Drawing) -> bool {
    match drawing {
        Drawing::Area(area) => is_white(area.colour),
        Drawing::Shape(shape, _) => {
            let line = shape.pen.as_ref().map(|pen| pen.colour);
            shape.fill.into_iter().chain(line).all(is_white)
        }
        Drawing::Picture(..) => false,
    }
}

/// A rectangle, and whether its outline goes round it clockwise.
type Round = (Rect, bool);

/// What rectangles fill together, as rectangles; a frame is four. None where they would have to be looked at one by one.
fn filled(rectangles: &[Round], is_even_odd: bool) -> Option<Vec<Rect>> {
    let all = || rectangles.iter().map(|(rectangle, _)| *rectangle).collect();
    let framed = |(outer, one): &Round, (inner, other): &Round| match is_even_odd || one != other {
        true => frame(outer, inner),
        false => vec![*outer],
    };
    match rectangles {
        [one, other] if is_around(&one.0, &other.0) => Some(framed(one, other)),
        [one, other] if is_around(&other.0, &one.0) => Some(framed(other, one)),
        [] | [_] | [_, _] => Some(all()),
        [..] if is_even_odd || may_be_holed(rectangles) => None,
        [..] => Some(all()),
    }
}

/// Whether one of few rectangles lies within another that goes round the other way.
fn may_be_holed(rectangles: &[Round]) -> bool {
    rectangles.len() <= FEW
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

    fn area(right: f32, colour: [u8; 3]) -> Drawing {
        Drawing::Area(Area {
            bounds: Rect::between((0.0, 0.0), (right, 10.0)),
            colour,
        })
    }

    #[test]
    fn white_is_seen_on_what_is_coloured_and_on_pictures_only() {
        let (white, blue) = ([255; 3], [0, 0, 200]);
        let areas = vec![
            area(50.0, white),
            area(40.0, blue),
            area(40.0, blue),
            area(20.0, white),
        ];
        assert_eq!(seen(areas, &[]), [area(40.0, blue), area(20.0, white)]);
        let bounds = Rect::between((0.0, 0.0), (100.0, 100.0));
        let picture = Picture {
            bounds,
            image: 0,
            tag: layout::Tag::None,
        };
        let on_picture = vec![Drawing::Picture(0, bounds), area(50.0, white)];
        assert_eq!(seen(on_picture.clone(), &[picture]), on_picture);
    }

    #[test]
    fn curves_go_by_threes() {
        let curve = [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)].map(Segment::Curve);
        let segments = [
            &[Segment::Move((0.0, 0.0))],
            curve.as_slice(),
            &[Segment::Close],
        ]
        .concat();
        let expected = [
            Step::Move((0.0, 0.0)),
            Step::Curve((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)),
            Step::Close,
        ];
        assert_eq!(steps(&segments, Matrix::SAME), expected);
    }

    #[test]
    fn what_lies_within_is_a_hole_only_where_the_rule_says_so() {
        let outer = Rect::between((0.0, 0.0), (100.0, 50.0));
        let (inner, beside) = (
            outer.grown(-5.0),
            Rect::between((200.0, 0.0), (300.0, 50.0)),
        );
        let sides = |rectangles: &[Round], rule| filled(rectangles, rule).map(|sides| sides.len());
        assert_eq!(sides(&[(outer, true), (inner, true)], false), Some(1));
        assert_eq!(sides(&[(outer, true), (inner, false)], false), Some(4));
        assert_eq!(sides(&[(inner, true), (outer, true)], true), Some(4));
        let three = |turn| [(outer, true), (inner, turn), (beside, true)];
        assert_eq!(sides(&three(true), false), Some(3));
        assert_eq!(sides(&three(false), false), None);
        assert_eq!(sides(&three(true), true), None);
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
