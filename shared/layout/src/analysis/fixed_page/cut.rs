//! Clips shapes to a part of the page.
//!
//! Paths that cross the clipping rectangle are flattened to straight lines: fills are clipped at one edge after the other
//! (Sutherland–Hodgman), strokes segment by segment.

use crate::model::fixed::{PathSegment, Point, Shape, StrokeStyle};
use crate::model::geometry::Rect;

/// Number of straight lines per clipped curve.
const LINES: u8 = 12;

/// Returns the visible parts of a shape, the fill first; none if it is invisible or has invalid coordinates.
pub(super) fn within(shape: &Shape, seen: &Rect) -> Vec<Shape> {
    let mut points = shape.segments.iter().flat_map(PathSegment::points);
    let is_somewhere = points.all(|(x, y)| x.is_finite() && y.is_finite());
    let stroke = shape.stroke.as_ref().map(|stroke| sane(stroke, seen));
    let Some(bounds) = shape.bounds().filter(|_| is_somewhere) else {
        return Vec::new();
    };
    let drawn = bounds.grown(stroke.as_ref().map_or(0.0, |stroke| stroke.width) / 2.0);
    if drawn.within(seen).is_none() {
        return Vec::new();
    }
    if bounds.within(seen) == Some(bounds) {
        let shape = shape.clone();
        return vec![Shape { stroke, ..shape }];
    }
    let outlines = straight(&shape.segments);
    let filled = shape.fill.map(|fill| Shape {
        segments: outlines.iter().flat_map(|one| filled(one, seen)).collect(),
        fill: Some(fill),
        stroke: None,
        ..*shape
    });
    let drawn = stroke.map(|stroke| Shape {
        segments: outlines
            .iter()
            .flat_map(|one| drawn_along(one, seen))
            .collect(),
        fill: None,
        stroke: Some(stroke),
        is_even_odd: false,
    });
    let parts = filled.into_iter().chain(drawn);
    parts.filter(|part| !part.segments.is_empty()).collect()
}

/// Returns a valid stroke: lines are no thicker than the visible area.
fn sane(stroke: &StrokeStyle, seen: &Rect) -> StrokeStyle {
    let most = seen.width().max(seen.height()).max(1.0);
    let is_length = |dash: &f32| dash.is_finite() && (0.0..=most).contains(dash);
    let dashes = stroke.dashes.iter().copied();
    let is_dashed =
        stroke.dashes.iter().all(is_length) && stroke.dashes.iter().any(|dash| *dash > 0.0);
    StrokeStyle {
        color: stroke.color,
        width: if stroke.width.is_finite() {
            stroke.width.clamp(0.0, most)
        } else {
            0.0
        },
        dashes: dashes.filter(|_| is_dashed).collect(),
    }
}

/// A flattened subpath, in double precision because it may extend far beyond the page.
struct Outline {
    points: Vec<(f64, f64)>,
    is_closed: bool,
}

impl Outline {
    fn from(point: (f64, f64)) -> Self {
        Self {
            points: vec![point],
            is_closed: false,
        }
    }

    /// Returns the end points of each line.
    fn lines(&self) -> impl Iterator<Item = [(f64, f64); 2]> {
        let back = self.is_closed.then(|| self.points.first()).flatten();
        let ends = self.points.iter().skip(1).chain(back);
        let lines = self.points.iter().zip(ends);
        lines.map(|(from, to)| [*from, *to])
    }
}

fn straight(segments: &[PathSegment]) -> Vec<Outline> {
    let mut outlines: Vec<Outline> = Vec::new();
    for segment in segments {
        match (*segment, outlines.last_mut()) {
            (PathSegment::Move(point), _) => outlines.push(Outline::from(wide(point))),
            (_, None) => {}
            (PathSegment::Close, Some(outline)) => outline.is_closed = true,
            (segment, Some(outline)) if outline.is_closed => {
                let mut next = Outline::from(outline.points.first().copied().unwrap_or_default());
                next.points.extend(way(segment, &next));
                outlines.push(next);
            }
            (segment, Some(outline)) => {
                let way = way(segment, outline);
                outline.points.extend(way);
            }
        }
    }
    outlines
}

/// Returns the points of a segment, starting from the end of a subpath.
fn way(segment: PathSegment, outline: &Outline) -> Vec<(f64, f64)> {
    let from = outline.points.last().copied().unwrap_or_default();
    match segment {
        PathSegment::Move(to) | PathSegment::Line(to) => vec![wide(to)],
        PathSegment::Curve(leaving, coming, to) => {
            let points = [from, wide(leaving), wide(coming), wide(to)];
            let shares = (1..=LINES).map(|line| f64::from(line) / f64::from(LINES));
            shares.map(|share| on_curve(points, share)).collect()
        }
        PathSegment::Close => Vec::new(),
    }
}

fn on_curve(points: [(f64, f64); 4], share: f64) -> (f64, f64) {
    let rest = 1.0 - share;
    let weights = [
        rest * rest * rest,
        3.0 * rest * rest * share,
        3.0 * rest * share * share,
        share * share * share,
    ];
    let weighted = points.iter().zip(weights);
    weighted.fold((0.0, 0.0), |(x, y), (point, weight)| {
        (x + point.0 * weight, y + point.1 * weight)
    })
}

/// Clips the area of a subpath; the result is closed.
fn filled(outline: &Outline, seen: &Rect) -> Vec<PathSegment> {
    let edges = [
        (Axis::Across, f64::from(seen.left), 1.0),
        (Axis::Across, f64::from(seen.right), -1.0),
        (Axis::Down, f64::from(seen.top), 1.0),
        (Axis::Down, f64::from(seen.bottom), -1.0),
    ];
    let mut points = outline.points.clone();
    for edge in edges {
        points = cut_at(&points, edge);
    }
    if points.len() < 3 {
        return Vec::new();
    }
    let mut segments = drawn_through(points.into_iter());
    segments.push(PathSegment::Close);
    segments
}

#[derive(Clone, Copy)]
enum Axis {
    Across,
    Down,
}

/// Clips a closed subpath at one edge: sign 1 keeps greater coordinates, -1 lesser ones.
fn cut_at(points: &[(f64, f64)], (axis, edge, sign): (Axis, f64, f64)) -> Vec<(f64, f64)> {
    let inside = |(x, y): (f64, f64)| match axis {
        Axis::Across => (x - edge) * sign,
        Axis::Down => (y - edge) * sign,
    };
    let mut kept = Vec::with_capacity(points.len());
    let Some(mut from) = points.last().copied() else {
        return kept;
    };
    for to in points.iter().copied() {
        let (before, after) = (inside(from), inside(to));
        if (before < 0.0) != (after < 0.0) {
            kept.push(between(from, to, before / (before - after)));
        }
        if after >= 0.0 {
            kept.push(to);
        }
        from = to;
    }
    kept
}

/// Clips the stroke of a subpath.
fn drawn_along(outline: &Outline, seen: &Rect) -> Vec<PathSegment> {
    let mut segments = Vec::new();
    let mut end = None;
    for line in outline.lines() {
        let Some([from, to]) = part(line, seen) else {
            continue;
        };
        if end != Some(from) {
            segments.push(PathSegment::Move(narrow(from)));
        }
        segments.push(PathSegment::Line(narrow(to)));
        end = Some(to);
    }
    segments
}

/// Clips a line (Liang–Barsky).
fn part([from, to]: [(f64, f64); 2], seen: &Rect) -> Option<[(f64, f64); 2]> {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let limits = [
        (-across, from.0 - f64::from(seen.left)),
        (across, f64::from(seen.right) - from.0),
        (-down, from.1 - f64::from(seen.top)),
        (down, f64::from(seen.bottom) - from.1),
    ];
    let (mut begin, mut end) = (0.0_f64, 1.0_f64);
    for (speed, room) in limits {
        if speed == 0.0 && room < 0.0 {
            return None;
        } else if speed < 0.0 {
            begin = begin.max(room / speed);
        } else if speed > 0.0 {
            end = end.min(room / speed);
        }
    }
    let at = |share: f64| match share {
        0.0 => from,
        1.0 => to,
        share => between(from, to, share),
    };
    (begin <= end).then(|| [at(begin), at(end)])
}

fn between(from: (f64, f64), to: (f64, f64), share: f64) -> (f64, f64) {
    (
        from.0 + (to.0 - from.0) * share,
        from.1 + (to.1 - from.1) * share,
    )
}

fn drawn_through(points: impl Iterator<Item = (f64, f64)>) -> Vec<PathSegment> {
    let segments = points.enumerate().map(|(index, point)| match index {
        0 => PathSegment::Move(narrow(point)),
        _ => PathSegment::Line(narrow(point)),
    });
    segments.collect()
}

fn wide((x, y): Point) -> (f64, f64) {
    (f64::from(x), f64::from(y))
}

fn narrow((x, y): (f64, f64)) -> Point {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "places on a page need no more than single precision"
    )]
    let point = (x as f32, y as f32);
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Rect = Rect {
        left: 0.0,
        top: 0.0,
        right: 100.0,
        bottom: 100.0,
    };

    fn triangle(points: [Point; 3]) -> Shape {
        Shape {
            segments: vec![
                PathSegment::Move(points[0]),
                PathSegment::Line(points[1]),
                PathSegment::Line(points[2]),
                PathSegment::Close,
            ],
            fill: Some([9, 9, 9]),
            stroke: Some(StrokeStyle {
                width: 2.0,
                ..StrokeStyle::default()
            }),
            ..Shape::default()
        }
    }

    #[test]
    fn shapes_inside_are_unchanged() {
        let shape = triangle([(10.0, 10.0), (90.0, 10.0), (50.0, 90.0)]);
        assert_eq!(within(&shape, &SEEN), [shape]);
    }

    #[test]
    fn shapes_are_clipped_without_stroking_the_clip_edge() {
        let shape = triangle([(50.0, 50.0), (150.0, 50.0), (50.0, 150.0)]);
        let [filled, drawn] = within(&shape, &SEEN).try_into().unwrap();
        let corners = [(50.0, 50.0), (100.0, 50.0), (100.0, 100.0), (50.0, 100.0)];
        let mut points: Vec<Point> = filled
            .segments
            .iter()
            .flat_map(PathSegment::points)
            .collect();
        points.dedup();
        assert_eq!(points.len(), 4, "{points:?}");
        assert!(corners.iter().all(|corner| points.contains(corner)));
        assert_eq!(filled.stroke, None);
        let lines = [
            PathSegment::Move((50.0, 50.0)),
            PathSegment::Line((100.0, 50.0)),
            PathSegment::Move((100.0, 100.0)),
            PathSegment::Line((100.0, 100.0)),
            PathSegment::Move((50.0, 100.0)),
            PathSegment::Line((50.0, 50.0)),
        ];
        assert_eq!(drawn.segments, lines);
        assert_eq!((drawn.fill, drawn.stroke), (None, shape.stroke));
    }

    #[test]
    fn a_curve_is_clipped() {
        let shape = Shape {
            segments: vec![
                PathSegment::Move((50.0, 50.0)),
                PathSegment::Curve((50.0, 50.0), (150.0, 50.0), (150.0, 50.0)),
            ],
            stroke: Some(StrokeStyle::default()),
            ..Shape::default()
        };
        let [drawn] = within(&shape, &SEEN).try_into().unwrap();
        assert_eq!(
            drawn.segments.last(),
            Some(&PathSegment::Line((100.0, 50.0)))
        );
    }

    #[test]
    fn invalid_or_outside_shapes_are_invisible() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let shape = triangle([(10.0, 10.0), (value, 10.0), (50.0, 90.0)]);
            assert_eq!(within(&shape, &SEEN), []);
        }
        let beyond = triangle([(200.0, 10.0), (300.0, 10.0), (250.0, 90.0)]);
        assert_eq!(within(&beyond, &SEEN), []);
        assert_eq!(within(&Shape::default(), &SEEN), []);
    }

    #[test]
    fn clipped_paths_are_inside_the_clipping_rectangle() {
        let far = triangle([(-3e38, -3e38), (3e38, -3e38), (50.0, 3e38)]);
        let parts = within(&far, &SEEN);
        let points: Vec<Point> = parts
            .iter()
            .flat_map(|part| part.segments.iter().flat_map(PathSegment::points))
            .collect();
        assert!(!points.is_empty());
        assert!(
            points.iter().all(|point| SEEN.grown(0.01).contains(*point)),
            "{points:?}"
        );
    }
}
