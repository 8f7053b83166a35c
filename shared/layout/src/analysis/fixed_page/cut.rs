//! What of outlines is seen in a part of the page.
//!
//! Those that reach beyond it are told by straight lines there: what is filled is cut at one edge after the other, and lines
//! are drawn as far as they are within.

use crate::model::fixed::{Pen, Point, Shape, Step};
use crate::model::geometry::Rect;

/// How many straight lines stand for a curve that is cut.
const LINES: u8 = 12;

/// The parts of a shape that are seen, what is filled first; none where nothing is, or where it is nowhere.
pub(super) fn within(shape: &Shape, seen: &Rect) -> Vec<Shape> {
    let mut points = shape.steps.iter().flat_map(Step::points);
    let is_somewhere = points.all(|(x, y)| x.is_finite() && y.is_finite());
    let pen = shape.pen.as_ref().map(|pen| sane(pen, seen));
    let Some(bounds) = shape.bounds().filter(|_| is_somewhere) else {
        return Vec::new();
    };
    let drawn = bounds.grown(pen.as_ref().map_or(0.0, |pen| pen.width) / 2.0);
    if drawn.within(seen).is_none() {
        return Vec::new();
    }
    if bounds.within(seen) == Some(bounds) {
        let shape = shape.clone();
        return vec![Shape { pen, ..shape }];
    }
    let outlines = straight(&shape.steps);
    let filled = shape.fill.map(|fill| Shape {
        steps: outlines.iter().flat_map(|one| filled(one, seen)).collect(),
        fill: Some(fill),
        pen: None,
        ..*shape
    });
    let drawn = pen.map(|pen| Shape {
        steps: outlines
            .iter()
            .flat_map(|one| drawn_along(one, seen))
            .collect(),
        fill: None,
        pen: Some(pen),
        is_even_odd: false,
    });
    let parts = filled.into_iter().chain(drawn);
    parts.filter(|part| !part.steps.is_empty()).collect()
}

/// A pen as it may be: lines are no thicker than what they are seen on is wide.
fn sane(pen: &Pen, seen: &Rect) -> Pen {
    let most = seen.width().max(seen.height()).max(1.0);
    let is_length = |dash: &f32| dash.is_finite() && (0.0..=most).contains(dash);
    let dashes = pen.dashes.iter().copied();
    let is_dashed = pen.dashes.iter().all(is_length) && pen.dashes.iter().any(|dash| *dash > 0.0);
    Pen {
        colour: pen.colour,
        width: if pen.width.is_finite() {
            pen.width.clamp(0.0, most)
        } else {
            0.0
        },
        dashes: dashes.filter(|_| is_dashed).collect(),
    }
}

/// An outline of straight lines; more precise than those of pages, as it may reach far beyond them.
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

    /// The two ends of each of its lines.
    fn lines(&self) -> impl Iterator<Item = [(f64, f64); 2]> {
        let back = self.is_closed.then(|| self.points.first()).flatten();
        let ends = self.points.iter().skip(1).chain(back);
        let lines = self.points.iter().zip(ends);
        lines.map(|(from, to)| [*from, *to])
    }
}

fn straight(steps: &[Step]) -> Vec<Outline> {
    let mut outlines: Vec<Outline> = Vec::new();
    for step in steps {
        match (*step, outlines.last_mut()) {
            (Step::Move(point), _) => outlines.push(Outline::from(wide(point))),
            (_, None) => {}
            (Step::Close, Some(outline)) => outline.is_closed = true,
            (step, Some(outline)) if outline.is_closed => {
                let mut next = Outline::from(outline.points.first().copied().unwrap_or_default());
                next.points.extend(way(step, &next));
                outlines.push(next);
            }
            (step, Some(outline)) => {
                let way = way(step, outline);
                outline.points.extend(way);
            }
        }
    }
    outlines
}

/// The points that a step leads over from the end of an outline.
fn way(step: Step, outline: &Outline) -> Vec<(f64, f64)> {
    let from = outline.points.last().copied().unwrap_or_default();
    match step {
        Step::Move(to) | Step::Line(to) => vec![wide(to)],
        Step::Curve(leaving, coming, to) => {
            let points = [from, wide(leaving), wide(coming), wide(to)];
            let shares = (1..=LINES).map(|line| f64::from(line) / f64::from(LINES));
            shares.map(|share| on_curve(points, share)).collect()
        }
        Step::Close => Vec::new(),
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

/// What an outline encloses within an area, as a closed outline.
fn filled(outline: &Outline, seen: &Rect) -> Vec<Step> {
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
    let mut steps = drawn_through(points.into_iter());
    steps.push(Step::Close);
    steps
}

#[derive(Clone, Copy)]
enum Axis {
    Across,
    Down,
}

/// What of a closed outline is on one side of an edge: of what is greater with the sign 1, of what is less with -1.
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

/// What of the lines of an outline is within an area.
fn drawn_along(outline: &Outline, seen: &Rect) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut end = None;
    for line in outline.lines() {
        let Some([from, to]) = part(line, seen) else {
            continue;
        };
        if end != Some(from) {
            steps.push(Step::Move(narrow(from)));
        }
        steps.push(Step::Line(narrow(to)));
        end = Some(to);
    }
    steps
}

/// The part of a line that is within an area.
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

fn drawn_through(points: impl Iterator<Item = (f64, f64)>) -> Vec<Step> {
    let steps = points.enumerate().map(|(index, point)| match index {
        0 => Step::Move(narrow(point)),
        _ => Step::Line(narrow(point)),
    });
    steps.collect()
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
            steps: vec![
                Step::Move(points[0]),
                Step::Line(points[1]),
                Step::Line(points[2]),
                Step::Close,
            ],
            fill: Some([9, 9, 9]),
            pen: Some(Pen {
                width: 2.0,
                ..Pen::default()
            }),
            ..Shape::default()
        }
    }

    #[test]
    fn what_is_within_stays_as_it_is() {
        let shape = triangle([(10.0, 10.0), (90.0, 10.0), (50.0, 90.0)]);
        assert_eq!(within(&shape, &SEEN), [shape]);
    }

    #[test]
    fn what_reaches_beyond_is_cut_and_its_line_does_not_follow_the_cut() {
        let shape = triangle([(50.0, 50.0), (150.0, 50.0), (50.0, 150.0)]);
        let [filled, drawn] = within(&shape, &SEEN).try_into().unwrap();
        let corners = [(50.0, 50.0), (100.0, 50.0), (100.0, 100.0), (50.0, 100.0)];
        let mut points: Vec<Point> = filled.steps.iter().flat_map(Step::points).collect();
        points.dedup();
        assert_eq!(points.len(), 4, "{points:?}");
        assert!(corners.iter().all(|corner| points.contains(corner)));
        assert_eq!(filled.pen, None);
        let lines = [
            Step::Move((50.0, 50.0)),
            Step::Line((100.0, 50.0)),
            Step::Move((100.0, 100.0)),
            Step::Line((100.0, 100.0)),
            Step::Move((50.0, 100.0)),
            Step::Line((50.0, 50.0)),
        ];
        assert_eq!(drawn.steps, lines);
        assert_eq!((drawn.fill, drawn.pen), (None, shape.pen));
    }

    #[test]
    fn a_curve_is_cut_on_its_way() {
        let shape = Shape {
            steps: vec![
                Step::Move((50.0, 50.0)),
                Step::Curve((50.0, 50.0), (150.0, 50.0), (150.0, 50.0)),
            ],
            pen: Some(Pen::default()),
            ..Shape::default()
        };
        let [drawn] = within(&shape, &SEEN).try_into().unwrap();
        assert_eq!(drawn.steps.last(), Some(&Step::Line((100.0, 50.0))));
    }

    #[test]
    fn what_is_nowhere_or_beyond_is_not_seen() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let shape = triangle([(10.0, 10.0), (value, 10.0), (50.0, 90.0)]);
            assert_eq!(within(&shape, &SEEN), []);
        }
        let beyond = triangle([(200.0, 10.0), (300.0, 10.0), (250.0, 90.0)]);
        assert_eq!(within(&beyond, &SEEN), []);
        assert_eq!(within(&Shape::default(), &SEEN), []);
    }

    #[test]
    fn what_is_cut_lies_within_however_far_it_reached() {
        let far = triangle([(-3e38, -3e38), (3e38, -3e38), (50.0, 3e38)]);
        let parts = within(&far, &SEEN);
        let points: Vec<Point> = parts
            .iter()
            .flat_map(|part| part.steps.iter().flat_map(Step::points))
            .collect();
        assert!(!points.is_empty());
        assert!(
            points.iter().all(|point| SEEN.grown(0.01).contains(*point)),
            "{points:?}"
        );
    }
}
