//! Detects horizontal and vertical lines, rectangles and dots among the subpaths of a path.

use layout::{Rect, Stroke};
use task::matrix::Matrix;

use super::handles::Segment;
use super::transform::transformed;

/// Maximum offset of a line's ends across its direction, in points.
const MAX_SLOPE: f32 = 0.5;
/// Minimum length of a line, in points.
const MIN_LENGTH: f32 = 1.0;
/// Maximum width of a stroked edge, in points.
pub(super) const MAX_EDGE_WIDTH: f32 = MAX_LINE_THICKNESS * 2.0;
/// Maximum thickness of a filled rectangle that counts as a line, in points.
const MAX_LINE_THICKNESS: f32 = 3.0;

/// Diameter of dots, in points.
const DOT_DIAMETERS: std::ops::Range<f32> = 1.0..10.0;
/// Tolerances of circles, relative to the radius: difference of width and height, and distance of all points from the center,
/// control points included.
const MAX_ECCENTRICITY: f32 = 0.15;
const MIN_RADIUS: f32 = 0.85;
const MAX_RADIUS: f32 = 1.2;

/// A subpath in display coordinates.
pub(super) struct Outline {
    points: Vec<(f32, f32)>,
    is_straight: bool,
    is_closed: bool,
}

/// Returns the subpaths of a path.
pub(super) fn outlines(segments: impl Iterator<Item = Segment>, map: Matrix) -> Vec<Outline> {
    let mut outlines: Vec<Outline> = Vec::new();
    for segment in segments {
        if let Segment::Move(point) = segment {
            outlines.push(Outline {
                points: vec![transformed(map, point)],
                is_straight: true,
                is_closed: false,
            });
        } else if let Some(outline) = outlines.last_mut() {
            outline.take(segment, map);
        }
    }
    outlines
}

impl Outline {
    fn take(&mut self, segment: Segment, map: Matrix) {
        match segment {
            Segment::Move(point) | Segment::Line(point) => {
                self.points.push(transformed(map, point))
            }
            Segment::Curve(point) => {
                self.points.push(transformed(map, point));
                self.is_straight = false;
            }
            Segment::Close => self.is_closed = true,
        }
    }

    /// Its horizontal and vertical edges as strokes of this width; none if it has curves.
    pub(super) fn edges(&self, width: f32) -> Vec<Stroke> {
        if !self.is_straight {
            return Vec::new();
        }
        let back = self.is_closed.then(|| self.points.first()).flatten();
        let next = self.points.iter().skip(1).chain(back);
        let pairs = self.points.iter().zip(next);
        pairs
            .filter_map(|(from, to)| edge(*from, *to, width))
            .collect()
    }

    /// Its bounds, if it is an axis-aligned rectangle.
    pub(super) fn area(&self) -> Option<Rect> {
        let (first, rest) = self.points.split_first()?;
        let corners = match rest.split_last() {
            Some((last, rest)) if rest.len() == 3 && near(*last, *first) => rest,
            _ => rest,
        };
        if !self.is_straight || corners.len() != 3 {
            return None;
        }
        let bounds = self
            .points
            .iter()
            .map(|point| Rect::between(*point, *point));
        let bounds = Rect::around(bounds)?;
        let at_corner = |(x, y): &(f32, f32)| {
            let near = |value: f32, edges: [f32; 2]| {
                edges.iter().any(|edge| (value - edge).abs() < MAX_SLOPE)
            };
            near(*x, [bounds.left, bounds.right]) && near(*y, [bounds.top, bounds.bottom])
        };
        self.points.iter().all(at_corner).then_some(bounds)
    }
}

impl Outline {
    /// Its bounds, if it is a dot, such as the bullet of a list.
    pub(super) fn dot(&self) -> Option<Rect> {
        let points = self.points.iter();
        let bounds = Rect::around(points.map(|point| Rect::between(*point, *point)))?;
        let (width, height) = (bounds.width(), bounds.height());
        let radius = (width + height) / 4.0;
        let (x, y) = bounds.center();
        let is_round = |(at_x, at_y): &(f32, f32)| {
            let (across, down) = (at_x - x, at_y - y);
            let distance = (across * across + down * down).sqrt();
            (radius * MIN_RADIUS..radius * MAX_RADIUS).contains(&distance)
        };
        let is_dot = !self.is_straight
            && DOT_DIAMETERS.contains(&width)
            && (width - height).abs() < radius * MAX_ECCENTRICITY
            && self.points.iter().all(is_round);
        is_dot.then_some(bounds)
    }

    /// Whether it is oriented clockwise on the display.
    pub(super) fn is_clockwise(&self) -> bool {
        let ends = self.points.iter().cycle().skip(1);
        let turns = self.points.iter().zip(ends);
        let turns = turns.map(|((x, y), (next_x, next_y))| x * next_y - next_x * y);
        turns.sum::<f32>() > 0.0
    }

    /// Whether it encloses nothing and has no length.
    pub(super) fn is_point(&self) -> bool {
        self.points.len() < 2
    }

    /// Whether all its edges are straight and axis-aligned.
    pub(super) fn is_upright(&self) -> bool {
        let pairs = self.points.iter().zip(self.points.iter().skip(1));
        let mut pairs = pairs.map(|(from, to)| Rect::between(*from, *to));
        self.is_straight && pairs.all(|edge| edge.width().min(edge.height()) <= MAX_SLOPE)
    }
}

/// Returns a filled rectangle as a stroke, if it is thin enough.
pub(super) fn as_stroke(area: Rect) -> Option<Stroke> {
    let (thin, long) = match area.width() < area.height() {
        true => (area.width(), area.height()),
        false => (area.height(), area.width()),
    };
    (thin <= MAX_LINE_THICKNESS && long >= MIN_LENGTH && long > thin)
        .then_some(Stroke { bounds: area })
}

fn edge(from: (f32, f32), to: (f32, f32), width: f32) -> Option<Stroke> {
    let bounds = Rect::between(from, to);
    let half = width.clamp(0.0, MAX_EDGE_WIDTH) / 2.0;
    let (across, down) = match (bounds.width(), bounds.height()) {
        (long, thin) if thin <= MAX_SLOPE && long >= MIN_LENGTH && long > thin => (0.0, half),
        (thin, long) if thin <= MAX_SLOPE && long >= MIN_LENGTH => (half, 0.0),
        _ => return None,
    };
    let bounds = Rect {
        left: bounds.left - across,
        right: bounds.right + across,
        top: bounds.top - down,
        bottom: bounds.bottom + down,
    };
    Some(Stroke { bounds })
}

fn near(one: (f32, f32), other: (f32, f32)) -> bool {
    (one.0 - other.0).abs() < MAX_SLOPE && (one.1 - other.1).abs() < MAX_SLOPE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(corners: &[(f64, f64)]) -> Vec<Outline> {
        let mut points = corners.iter().copied();
        let first = points.next().map(Segment::Move);
        let segments = first.into_iter().chain(points.map(Segment::Line));
        outlines(segments.chain([Segment::Close]), Matrix::IDENTITY)
    }

    #[test]
    fn a_stroked_rectangle_becomes_four_edges() {
        let drawn = path(&[(10.0, 10.0), (110.0, 10.0), (110.0, 60.0), (10.0, 60.0)]);
        let edges = drawn[0].edges(1.0);
        assert_eq!(edges.len(), 4);
        assert_eq!(edges.iter().filter(|edge| edge.is_horizontal()).count(), 2);
        assert_eq!(
            edges[0].bounds,
            Rect {
                left: 10.0,
                right: 110.0,
                top: 9.5,
                bottom: 10.5
            }
        );
    }

    #[test]
    fn a_thin_filled_rectangle_is_a_line_and_a_thick_one_is_not() {
        let thin = path(&[(10.0, 10.0), (110.0, 10.0), (110.0, 11.0), (10.0, 11.0)]);
        assert!(
            thin[0]
                .area()
                .and_then(as_stroke)
                .is_some_and(|stroke| stroke.is_horizontal())
        );
        let thick = path(&[(10.0, 10.0), (110.0, 10.0), (110.0, 30.0), (10.0, 30.0)]);
        assert!(
            thick[0]
                .area()
                .is_some_and(|area| as_stroke(area).is_none())
        );
    }

    #[test]
    fn only_a_small_circle_is_a_dot() {
        let circle = |radius: f64| {
            let arm = radius * 0.5523;
            let points = [(radius, arm), (arm, radius), (0.0, radius), (-arm, radius)];
            let more = [
                (-radius, arm),
                (-radius, 0.0),
                (-radius, -arm),
                (-arm, -radius),
            ];
            let last = [
                (0.0, -radius),
                (arm, -radius),
                (radius, -arm),
                (radius, 0.0),
            ];
            let curves = points
                .into_iter()
                .chain(more)
                .chain(last)
                .map(Segment::Curve);
            let path = [Segment::Move((radius, 0.0))].into_iter().chain(curves);
            outlines(path, Matrix::IDENTITY)
        };
        let dot = circle(1.5)[0].dot().unwrap();
        assert!((dot.width() - 3.0).abs() < 0.01 && (dot.height() - 3.0).abs() < 0.01);
        assert_eq!(circle(20.0)[0].dot(), None);
        let leaf = [(0.0, 0.0), (1.5, 0.2), (3.0, 3.0), (0.2, 1.5), (0.0, 0.0)];
        let leaf = leaf.map(Segment::Curve).into_iter();
        let leaf = [Segment::Move((0.0, 0.0))].into_iter().chain(leaf);
        assert_eq!(outlines(leaf, Matrix::IDENTITY)[0].dot(), None);
    }

    #[test]
    fn a_diagonal_line_is_neither_line_nor_rectangle() {
        let slanted = path(&[(10.0, 10.0), (110.0, 60.0), (30.0, 90.0)]);
        assert!(slanted[0].edges(1.0).is_empty() && slanted[0].area().is_none());
    }
}
