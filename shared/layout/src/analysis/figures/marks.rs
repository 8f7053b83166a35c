//! Drawings → marks: rules, boxes, paths and pictures.

use crate::analysis::glyphs::clean;
use crate::model::fixed::{PathSegment, Point, Shape};
use crate::model::geometry::Rect;
use crate::model::page_content::{Drawing, PageContent};

/// Maximum number of marks of a page: more than the drawings of a page have.
const MARKS: usize = 60_000;
/// Maximum thickness of a rule, points.
const THIN: f32 = 2.5;
/// Minimum extent of a slanted line, points.
const SLANT: f32 = 1.0;
/// Minimum part of the circumference of a path that is slanted; rounded boxes have less.
const CORNERS: f32 = 0.15;
/// Minimum number of lines of a staircase, such as the outline of a histogram.
const STEPS: usize = 12;
/// Maximum part of the page that a mark covers, and maximum part of its width and height that a mark spans; what is larger is
/// a background or an ornament of the page, unless it is an unfilled line with many bends, such as that of a chart.
const LARGEST: f32 = 0.4;
const LONGEST: f32 = 0.9;

/// Tolerance for the edges of a form field, points.
const FIELD: f32 = 2.0;

/// Something drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) bounds: Rect,
    pub(super) kind: MarkKind,
    /// Number of curves and slanted lines.
    pub(super) bends: usize,
    /// Whether it is not filled.
    pub(super) is_line: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A thin horizontal or vertical line.
    Rule,
    /// A filled rectangle.
    Box,
    /// A path with curves or slanted lines.
    Path,
    /// A picture.
    Picture,
}

impl Mark {
    fn area(bounds: Rect) -> Self {
        let kind = match bounds.width().min(bounds.height()) <= THIN {
            true => MarkKind::Rule,
            false => MarkKind::Box,
        };
        Self {
            bounds,
            kind,
            bends: 0,
            is_line: false,
        }
    }

    pub(super) fn is_rule(&self) -> bool {
        self.kind == MarkKind::Rule
    }
}

/// Returns the marks of a page without its background and its form fields.
pub(super) fn marks(sheet: &PageContent, page: &Rect) -> Vec<Mark> {
    let mut marks = Vec::new();
    for drawing in &sheet.drawings {
        if marks.len() >= MARKS {
            break;
        }
        match drawing {
            Drawing::Area(area) => marks.push(Mark::area(area.bounds)),
            Drawing::Shape(shape, clip) => add_shape(shape, clip, &mut marks),
            Drawing::Picture(_, bounds) => marks.push(Mark {
                kind: MarkKind::Picture,
                ..Mark::area(*bounds)
            }),
        }
    }
    let on_page = marks.into_iter().filter_map(|mark| {
        let bounds = clean::on(page, &mark.bounds)?;
        let (across, down) = (
            bounds.width() / page.width(),
            bounds.height() / page.height(),
        );
        let fields = sheet.check_boxes.iter().map(|field| &field.bounds);
        let mut fields = fields.chain(&sheet.fields);
        let is_field = fields.any(|field| field.grown(FIELD).contains(bounds.center()));
        let is_small = across * down <= LARGEST && across.max(down) <= LONGEST;
        let is_curve = mark.is_line && mark.bends >= STEPS && across.min(down) <= LONGEST;
        (is_curve || is_small && !is_field).then_some(Mark { bounds, ..mark })
    });
    on_page.collect()
}

/// Adds each subpath of a shape; an upright one that is not filled as its edges.
fn add_shape(shape: &Shape, clip: &Rect, marks: &mut Vec<Mark>) {
    let is_start = |segment: &PathSegment| matches!(segment, PathSegment::Move(_));
    for subpath in shape.segments.chunk_by(|_, next| !is_start(next)) {
        let points = subpath.iter().flat_map(PathSegment::points);
        let bounds = Rect::around(points.map(|point| Rect::between(point, point)));
        let Some(bounds) = bounds.and_then(|bounds| bounds.within(clip)) else {
            continue;
        };
        let bends = bends(subpath);
        let mark = Mark::area(bounds);
        match bends {
            0 if shape.fill.is_none() && !mark.is_rule() => marks.extend(edges(&bounds)),
            0 => marks.push(mark),
            _ => marks.push(Mark {
                kind: MarkKind::Path,
                bends,
                is_line: shape.fill.is_none(),
                ..mark
            }),
        }
    }
}

fn edges(bounds: &Rect) -> [Mark; 4] {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = *bounds;
    [
        Rect::between((left, top), (right, top)),
        Rect::between((left, bottom), (right, bottom)),
        Rect::between((left, top), (left, bottom)),
        Rect::between((right, top), (right, bottom)),
    ]
    .map(Mark::area)
}

/// Returns the number of curves and slanted lines, or of the lines of a staircase; 0 for a box, also with such corners.
fn bends(subpath: &[PathSegment]) -> usize {
    let mut at: Point = (0.0, 0.0);
    let (mut count, mut lines, mut bent, mut whole) = (0, 0, 0.0, 0.0);
    for segment in subpath {
        let Some(end) = segment.points().last() else {
            continue;
        };
        let (across, down) = ((end.0 - at.0).abs(), (end.1 - at.1).abs());
        let is_bend = match segment {
            PathSegment::Curve(..) => true,
            PathSegment::Line(_) => across > SLANT && down > SLANT,
            PathSegment::Move(_) | PathSegment::Close => false,
        };
        at = end;
        if matches!(segment, PathSegment::Move(_)) {
            continue;
        }
        whole += across + down;
        lines += 1;
        if is_bend {
            count += 1;
            bent += across + down;
        }
    }
    match bent < CORNERS * whole {
        true if lines >= STEPS => lines,
        true => 0,
        false => count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::geometry::Size;

    const CLIP: Rect = Rect {
        left: 0.0,
        top: 0.0,
        right: 600.0,
        bottom: 800.0,
    };

    fn found(points: &[Point], fill: Option<[u8; 3]>) -> Vec<Mark> {
        let lines = points.iter().skip(1).copied().map(PathSegment::Line);
        let start = points.first().copied().map(PathSegment::Move);
        let shape = Shape {
            segments: start.into_iter().chain(lines).collect(),
            fill,
            ..Shape::default()
        };
        let sheet = PageContent {
            size: Size {
                width: 600.0,
                height: 800.0,
            },
            drawings: vec![Drawing::Shape(shape, CLIP)],
            ..PageContent::default()
        };
        marks(&sheet, &CLIP)
    }

    #[test]
    fn corners_of_boxes_are_no_bends_and_stairs_are() {
        let beveled = [
            (100.0, 100.0),
            (190.0, 100.0),
            (195.0, 105.0),
            (195.0, 150.0),
            (100.0, 150.0),
            (100.0, 100.0),
        ];
        let bends = |points: &[Point]| {
            let found = found(points, Some([0; 3]));
            found.iter().map(|mark| mark.bends).sum::<usize>()
        };
        assert_eq!(bends(&beveled), 0);
        assert_eq!(bends(&[(100.0, 100.0), (150.0, 180.0), (200.0, 120.0)]), 2);
        let stairs: Vec<Point> = (0..8_u8)
            .map(f32::from)
            .flat_map(|step| {
                [
                    (step * 10.0, step * 10.0),
                    (step * 10.0 + 10.0, step * 10.0),
                ]
            })
            .collect();
        assert_eq!(bends(&stairs), 15);
    }

    #[test]
    fn a_frame_is_its_edges_and_a_background_is_no_mark() {
        let frame = |edge: f32| {
            let (right, bottom) = (600.0 - edge, 800.0 - edge);
            [
                (edge, edge),
                (right, edge),
                (right, bottom),
                (edge, bottom),
                (edge, edge),
            ]
        };
        let rules = found(&frame(200.0), None);
        assert!(rules.len() == 4 && rules.iter().all(Mark::is_rule));
        assert_eq!(found(&frame(200.0), Some([9; 3])).len(), 1);
        assert!(found(&frame(50.0), Some([9; 3])).is_empty());
    }

    #[test]
    fn a_line_of_a_chart_may_fill_the_page_and_an_ornament_may_not() {
        let zigzag = |count: u8| -> Vec<Point> {
            let point = |step: u8| {
                (
                    20.0 + 560.0 * f32::from(step) / f32::from(count),
                    20.0 + 700.0 * f32::from(step % 2),
                )
            };
            (0..=count).map(point).collect()
        };
        assert_eq!(found(&zigzag(20), None).len(), 1);
        assert!(found(&zigzag(4), None).is_empty());
        assert!(found(&zigzag(20), Some([9; 3])).is_empty());
    }
}
