//! Diagrams such as organization charts and flow charts: separate boxes with text that lines connect. The cells of tables
//! touch each other, and lines that end at them continue their edges.

use std::collections::BTreeMap;

use layout::{Area, Drawing, PageContent, Point, Rect, Size};

use super::InkArea;
use super::grid::Grid;
use super::subpaths::Subpath;

/// Minimum number of connected boxes.
const MIN_BOXES: usize = 3;
/// Maximum number of boxes of a page. A page with more has tables or a map.
const MAX_BOXES: usize = 150;
/// Maximum number of lines of a page.
const MAX_LINES: usize = 3_000;
/// Minimum side of a box, in points, and maximum part of the page that it covers.
const MIN_SIDE: f32 = 10.0;
const MAX_COVERAGE: f32 = 0.25;
/// Minimum gap between boxes, in points.
const MIN_GAP: f32 = 4.0;
/// Minimum part of the text of a diagram that is in its boxes.
const MIN_TEXT: f32 = 0.65;
/// Maximum thickness of a line, and maximum side of an arrowhead, in points.
const MAX_THICKNESS: f32 = 4.0;
const MAX_ARROWHEAD: f32 = 14.0;
/// Maximum distance of a line from a box that it ends at, minimum distance from the corners, and cell size of the grid that
/// connects lines, in points.
const REACH: f32 = 2.5;
const CORNER: f32 = 3.0;
const CELL: f32 = 2.0;

/// A line or an arrowhead.
struct Line {
    bounds: Rect,
    ends: (Point, Point),
    /// Maximum distance of its ends from a box that it ends at.
    reach: f32,
}

/// Returns the areas of diagrams. `text` is the part of an area that characters cover.
pub(super) fn areas(
    content: &PageContent,
    subpaths: &[Subpath],
    text: impl Fn(&Rect) -> f32,
) -> Vec<InkArea> {
    let areas = content.drawings.iter().map(|drawing| match drawing {
        Drawing::Area(area) => Some(area),
        Drawing::Shape(..) | Drawing::Picture(..) => None,
    });
    let areas: Vec<Option<&Area>> = areas.collect();
    let mut boxes = boxes(&areas, subpaths);
    let page = content.size.width * content.size.height;
    let check_boxes = content.check_boxes.iter().map(|one| &one.bounds);
    let fields: Vec<&Rect> = check_boxes.chain(&content.fields).collect();
    boxes.retain(|one| {
        let mut fields = fields.iter();
        let is_field = fields.any(|field| field.grown(REACH).contains(one.center()));
        !is_field
            && one.width().min(one.height()) >= MIN_SIDE
            && one.width() * one.height() <= MAX_COVERAGE * page
    });
    if !(MIN_BOXES..=MAX_BOXES).contains(&boxes.len()) {
        return Vec::new();
    }
    let separate = boxes.iter().enumerate();
    let separate = separate.filter(|(index, one)| {
        let (before, after) = boxes.split_at(*index);
        !before
            .iter()
            .chain(after.iter().skip(1))
            .any(|other| is_near(one, other))
            && !before.iter().any(|other| is_same(one, other))
    });
    let lines = lines(&areas, subpaths);
    let connected = separate
        .map(|(_, one)| *one)
        .filter(|one| is_connected(one, &lines));
    let connected: Vec<Rect> = connected.collect();
    match connected.len() >= MIN_BOXES {
        true => grouped(&connected, &lines, text, content.size),
        false => Vec::new(),
    }
}

/// Returns filled areas, frames and closed subpaths.
fn boxes(areas: &[Option<&Area>], subpaths: &[Subpath]) -> Vec<Rect> {
    let filled = areas.iter().flatten().map(|area| area.bounds);
    let framed = areas.windows(4).filter_map(|sides| match *sides {
        [Some(one), Some(two), Some(three), Some(four)] => frame([one, two, three, four]),
        _ => None,
    });
    let closed = subpaths.iter().filter(|one| one.ends.is_none());
    filled
        .chain(framed)
        .chain(closed.map(|one| one.bounds))
        .collect()
}

/// Returns the bounds of a frame that consists of these four sides.
fn frame(sides: [&Area; 4]) -> Option<Rect> {
    let sides = sides.map(|side| side.bounds);
    let bounds = Rect::around(sides)?;
    let is_near = |one: f32, other: f32| (one - other).abs() <= MAX_THICKNESS;
    let is_long = |side: &Rect| {
        is_near(side.width(), bounds.width()) || is_near(side.height(), bounds.height())
    };
    let at = |edge: fn(&Rect) -> f32, opposite: fn(&Rect) -> f32| {
        let at_edge = |side: &&Rect| {
            is_near(edge(side), edge(&bounds)) && is_near(opposite(side), edge(&bounds))
        };
        sides.iter().filter(at_edge).count() == 1
    };
    let is_frame = sides.iter().all(is_long)
        && at(|one| one.left, |one| one.right)
        && at(|one| one.right, |one| one.left)
        && at(|one| one.top, |one| one.bottom)
        && at(|one| one.bottom, |one| one.top);
    is_frame.then_some(bounds)
}

fn is_same(one: &Rect, other: &Rect) -> bool {
    contains(one, other) && contains(other, one)
}

/// Whether boxes touch or overlap, but neither is in the other.
fn is_near(one: &Rect, other: &Rect) -> bool {
    one.grown(MIN_GAP).within(other).is_some() && !contains(one, other) && !contains(other, one)
}

fn contains(one: &Rect, other: &Rect) -> bool {
    one.grown(REACH).within(other) == Some(*other)
}

/// Returns the thin areas, open subpaths and arrowheads.
fn lines(areas: &[Option<&Area>], subpaths: &[Subpath]) -> Vec<Line> {
    let thin = areas
        .iter()
        .flatten()
        .filter_map(|area| upright(area.bounds));
    let others = subpaths.iter().filter_map(|one| match one.ends {
        Some(ends) => Some(Line {
            bounds: one.bounds,
            ends,
            reach: REACH,
        }),
        None => arrowhead(one),
    });
    thin.chain(others).take(MAX_LINES).collect()
}

fn upright(bounds: Rect) -> Option<Line> {
    let (x, y) = bounds.center();
    let ends = match bounds.width() < bounds.height() {
        true => ((x, bounds.top), (x, bounds.bottom)),
        false => ((bounds.left, y), (bounds.right, y)),
    };
    (bounds.width().min(bounds.height()) <= MAX_THICKNESS).then_some(Line {
        bounds,
        ends,
        reach: REACH,
    })
}

fn arrowhead(subpath: &Subpath) -> Option<Line> {
    let bounds = subpath.bounds;
    let side = bounds.width().max(bounds.height());
    let is_arrowhead = subpath.fill.is_some()
        && subpath.curves == 0
        && (3..=4).contains(&subpath.segments)
        && side <= MAX_ARROWHEAD;
    is_arrowhead.then(|| Line {
        bounds,
        ends: (bounds.center(), bounds.center()),
        reach: side / 2.0 + REACH,
    })
}

/// Whether a line ends at a box, and none divides it into columns.
fn is_connected(one: &Rect, lines: &[Line]) -> bool {
    lines.iter().any(|line| line.ends_at(one)) && !lines.iter().any(|line| line.divides(one))
}

impl Line {
    /// Whether one end is outside of a box and near its edge, and the other one is elsewhere.
    fn ends_at(&self, one: &Rect) -> bool {
        let around = one.grown(self.reach);
        let (from, to) = self.ends;
        let is_near = |(x, y): Point| {
            let is_between_corners = (one.left + CORNER..=one.right - CORNER).contains(&x)
                || (one.top + CORNER..=one.bottom - CORNER).contains(&y);
            around.contains((x, y)) && !one.grown(-REACH).contains((x, y)) && is_between_corners
        };
        let is_head = from == to;
        is_near(from) && (is_head || !around.contains(to)) || is_near(to) && !around.contains(from)
    }

    fn divides(&self, one: &Rect) -> bool {
        let bounds = self.bounds;
        bounds.width() <= MAX_THICKNESS
            && bounds.left > one.left + CORNER
            && bounds.right < one.right - CORNER
            && bounds.top <= one.top + REACH
            && bounds.bottom >= one.bottom - REACH
    }
}

/// Returns the areas of the boxes that lines connect with each other. Most of the text of a diagram is in its boxes.
fn grouped(
    boxes: &[Rect],
    lines: &[Line],
    text: impl Fn(&Rect) -> f32,
    size: Size,
) -> Vec<InkArea> {
    let near = boxes.iter().chain(lines.iter().map(|line| &line.bounds));
    let group_of = Grid::of(size, CELL, near.copied()).into_groups();
    let mut groups: BTreeMap<usize, Vec<Rect>> = BTreeMap::new();
    for one in boxes.iter().filter(|one| text(one) > 0.0) {
        if let Some(group) = group_of(one.center()) {
            groups.entry(group).or_default().push(*one);
        }
    }
    let text = |area: &Rect| text(area) * area.width() * area.height();
    let areas = groups.into_values().filter_map(|boxes| {
        let area = InkArea::of_paths(boxes.iter().copied())?;
        let in_boxes = boxes.iter().map(text).sum::<f32>();
        let is_diagram = boxes.len() >= MIN_BOXES && in_boxes >= MIN_TEXT * text(&area.bounds);
        is_diagram.then_some(area)
    });
    areas.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        width: 600.0,
        height: 800.0,
    };

    /// A rectangle: left, top, width, height.
    fn rect([left, top, width, height]: [f32; 4]) -> Rect {
        Rect::between((left, top), (left + width, top + height))
    }

    /// The four sides of a box.
    fn frame([left, top, width, height]: [f32; 4]) -> [[f32; 4]; 4] {
        [
            [left, top - 0.5, width, 1.0],
            [left + width - 0.5, top, 1.0, height],
            [left, top + height - 0.5, width, 1.0],
            [left - 0.5, top, 1.0, height],
        ]
    }

    fn is_diagram(areas: &[[f32; 4]], text: &[[f32; 4]]) -> bool {
        let area = |area: &[f32; 4]| {
            Drawing::Area(Area {
                bounds: rect(*area),
                color: [0; 3],
            })
        };
        let content = PageContent {
            size: SIZE,
            drawings: areas.iter().map(area).collect(),
            ..PageContent::default()
        };
        let characters = Grid::of(SIZE, 3.0, text.iter().copied().map(rect));
        !super::areas(&content, &[], |bounds| characters.coverage(bounds)).is_empty()
    }

    const BOXES: [[f32; 4]; 3] = [
        [250.0, 100.0, 100.0, 30.0],
        [150.0, 170.0, 100.0, 30.0],
        [350.0, 170.0, 100.0, 30.0],
    ];

    fn texts(boxes: &[[f32; 4]]) -> Vec<[f32; 4]> {
        let text = |[left, top, ..]: &[f32; 4]| [left + 10.0, top + 10.0, 50.0, 10.0];
        boxes.iter().map(text).collect()
    }

    #[test]
    fn boxes_with_text_that_lines_connect_are_a_diagram() {
        let lines = [
            [299.5, 130.0, 1.0, 20.0],
            [200.0, 149.5, 200.0, 1.0],
            [199.5, 150.0, 1.0, 20.0],
            [399.5, 150.0, 1.0, 20.0],
        ];
        let framed: Vec<[f32; 4]> = BOXES.iter().flat_map(|one| frame(*one)).collect();
        for boxes in [framed.as_slice(), BOXES.as_slice()] {
            assert!(is_diagram(&[boxes, &lines].concat(), &texts(&BOXES)));
            assert!(!is_diagram(boxes, &texts(&BOXES)));
            assert!(!is_diagram(&[boxes, &lines[..1]].concat(), &texts(&BOXES)));
            assert!(!is_diagram(&[boxes, &lines].concat(), &[]));
        }
    }

    #[test]
    fn shaded_rows_and_cells_are_no_diagram() {
        let rows = [0.0, 40.0, 80.0].map(|top| [100.0, 100.0 + top, 300.0, 20.0]);
        let white = [20.0, 60.0].map(|top| [100.0, 100.0 + top, 300.0, 20.0]);
        let text = texts(&[&rows[..], &white].concat());
        let columns = |lines: &[[f32; 4]]| is_diagram(&[&rows[..], lines].concat(), &text);
        assert!(!columns(&[[200.0, 100.0, 1.0, 100.0]]));
        // The lines of the white rows only: half of the text is outside of the shaded ones.
        assert!(!columns(&[
            [200.0, 120.0, 1.0, 20.0],
            [200.0, 160.0, 1.0, 20.0]
        ]));
        let cells = [100.0, 201.0, 302.0].map(|left| [left, 100.0, 100.0, 20.0]);
        let below = [150.0, 250.0, 350.0].map(|left| [left, 120.0, 1.0, 60.0]);
        assert!(!is_diagram(&[cells, below].concat(), &texts(&cells)));
    }
}
