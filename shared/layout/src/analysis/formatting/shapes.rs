//! The lines of paths that are no rectangles: their straight edges if they are stroked, and thin parts of filled ones, such as the
//! mitred borders and frames of tables printed by browsers.

use super::fills::THIN;
use crate::model::fixed::{Area, PathSegment, Point, Shape};
use crate::model::geometry::Rect;

/// Maximum number of segments of a path that is examined.
const SEGMENTS: usize = 64;
/// Greatest distance between the ends of a straight edge across its direction, points.
const STRAIGHT: f32 = 0.5;

/// Returns the horizontal and vertical lines of a path.
pub(super) fn lines(shape: &Shape) -> Vec<Area> {
    if shape.segments.len() > SEGMENTS {
        return Vec::new();
    }
    let edges = edges(shape);
    let (edges, color): (Vec<Rect>, _) = match (&shape.stroke, shape.fill) {
        (Some(stroke), _) => (edges, stroke.color),
        (None, Some(color)) => {
            let has_opposite = |edge: &&Rect| edges.iter().any(|other| are_opposite(edge, other));
            (edges.iter().filter(has_opposite).copied().collect(), color)
        }
        (None, None) => return Vec::new(),
    };
    let line = |bounds| Area { bounds, color };
    edges.into_iter().map(line).collect()
}

/// Returns the horizontal and vertical edges of a path.
fn edges(shape: &Shape) -> Vec<Rect> {
    let (mut start, mut last): (Point, Point) = ((0.0, 0.0), (0.0, 0.0));
    let mut edges = Vec::new();
    for segment in &shape.segments {
        let (end, is_drawn) = match *segment {
            PathSegment::Move(point) => {
                start = point;
                (point, false)
            }
            PathSegment::Line(point) => (point, true),
            PathSegment::Curve(.., point) => (point, false),
            PathSegment::Close => (start, true),
        };
        let edge = Rect::between(last, end);
        let is_straight = edge.width().min(edge.height()) <= STRAIGHT;
        edges.extend((is_drawn && is_straight).then_some(edge));
        last = end;
    }
    edges
}

/// Whether two edges are the sides of a thin part.
fn are_opposite(one: &Rect, other: &Rect) -> bool {
    let (x, y) = (
        one.center().0 - other.center().0,
        one.center().1 - other.center().1,
    );
    let is_horizontal = one.width() > one.height();
    let (apart, shared) = match is_horizontal {
        true => (y.abs(), one.shared_width(other)),
        false => (x.abs(), one.shared_height(other)),
    };
    is_horizontal == (other.width() > other.height())
        && (0.01..=THIN).contains(&apart)
        && shared > THIN
}

#[cfg(test)]
mod tests {
    use super::lines;
    use crate::model::fixed::{PathSegment, Shape};

    fn outline(points: &[(f32, f32)]) -> Vec<PathSegment> {
        let lines = points.iter().skip(1).copied().map(PathSegment::Line);
        let first = points.first().copied().map(PathSegment::Move);
        first
            .into_iter()
            .chain(lines)
            .chain([PathSegment::Close])
            .collect()
    }

    #[test]
    fn mitred_borders_and_frames_are_lines_and_polygons_are_not() {
        let filled = |segments| Shape {
            segments,
            fill: Some([1, 2, 3]),
            ..Shape::default()
        };
        let mitred = outline(&[(0.0, 0.0), (100.0, 0.0), (99.0, 1.0), (1.0, 1.0)]);
        assert_eq!(lines(&filled(mitred)).len(), 2);
        let mut frame = outline(&[(0.0, 0.0), (100.0, 0.0), (100.0, 50.0), (0.0, 50.0)]);
        frame.extend(outline(&[
            (1.0, 1.0),
            (1.0, 49.0),
            (99.0, 49.0),
            (99.0, 1.0),
        ]));
        assert_eq!(lines(&filled(frame)).len(), 8);
        let house = outline(&[
            (0.0, 40.0),
            (50.0, 0.0),
            (100.0, 40.0),
            (100.0, 90.0),
            (0.0, 90.0),
        ]);
        assert_eq!(lines(&filled(house)).len(), 0);
    }
}
