//! Boxes with text that lines connect, as those of flow charts and organization charts. The cells of tables touch each other,
//! and lines that end at them continue their edges.

use super::marks::{Mark, MarkKind};
use super::text::Text;
use crate::model::geometry::Rect;

/// Minimum number of linked boxes, and maximum number of boxes and of lines of a page; a page with more has tables or a map.
const FEWEST: usize = 3;
const BOXES: usize = 150;
const LINES: usize = 3_000;
/// Minimum side of a box, minimum gap between boxes, and maximum distance of lines from the boxes that they end at, points.
const SIDE: f32 = 10.0;
const GAP: f32 = 4.0;
const REACH: f32 = 3.0;
/// Maximum difference of the edges of a box and the lines that frame it, points.
const FRAME: f32 = 2.5;

/// Returns the separate boxes with text that lines or arrows end at; none if there are too few.
pub(super) fn linked(marks: &[Mark], texts: &[Text]) -> Vec<Rect> {
    let boxes = boxes(marks);
    if !(FEWEST..=BOXES).contains(&boxes.len()) {
        return Vec::new();
    }
    let is_line = |mark: &&Mark| matches!(mark.kind, MarkKind::Rule | MarkKind::Path);
    let lines: Vec<&Rect> = marks
        .iter()
        .filter(is_line)
        .map(|mark| &mark.bounds)
        .filter(|line| !boxes.iter().any(|one| is_edge(line, one)))
        .take(LINES)
        .collect();
    let is_separate = |one: &&Rect| {
        let mut others = boxes.iter().filter(|other| other != one);
        !others.any(|other| touches(one, other))
    };
    let has_text = |one: &&Rect| texts.iter().any(|text| one.contains(text.bounds.center()));
    let is_linked = |one: &&Rect| {
        lines.iter().any(|line| ends_at(line, one)) && !lines.iter().any(|line| divides(line, one))
    };
    let linked = boxes.iter().filter(is_separate);
    let linked = linked.filter(has_text).filter(is_linked);
    let linked: Vec<Rect> = linked.copied().collect();
    match linked.len() < FEWEST {
        true => Vec::new(),
        false => linked,
    }
}

/// Returns the different filled boxes, frames of four lines, and filled paths, such as rhombs.
fn boxes(marks: &[Mark]) -> Vec<Rect> {
    let whole = marks.iter().filter(|mark| {
        matches!(mark.kind, MarkKind::Box) || mark.kind == MarkKind::Path && !mark.is_line
    });
    let framed = marks.windows(4).filter_map(|sides| {
        let is_frame = sides.iter().all(Mark::is_rule);
        let bounds = Rect::around(sides.iter().map(|side| side.bounds)).filter(|_| is_frame)?;
        let across = sides.iter().filter(|side| is_edge(&side.bounds, &bounds));
        (across.count() == 4 && has_all_sides(sides, &bounds)).then_some(bounds)
    });
    let mut boxes: Vec<Rect> = Vec::new();
    for one in whole.map(|mark| mark.bounds).chain(framed) {
        let is_known = boxes.iter().any(|known| is_same(known, &one));
        if one.width().min(one.height()) >= SIDE && !is_known {
            boxes.push(one);
        }
        if boxes.len() > BOXES {
            break;
        }
    }
    boxes
}

/// Whether each side of a box is one of four lines.
fn has_all_sides(sides: &[Mark], one: &Rect) -> bool {
    let has = |x: f32, y: f32| {
        sides.iter().any(|side| {
            let center = side.bounds.center();
            (center.0 - x).abs() <= FRAME && (center.1 - y).abs() <= FRAME
        })
    };
    let (x, y) = one.center();
    has(x, one.top) && has(x, one.bottom) && has(one.left, y) && has(one.right, y)
}

fn is_same(one: &Rect, other: &Rect) -> bool {
    let is_near = |one: f32, other: f32| (one - other).abs() <= FRAME;
    is_near(one.left, other.left)
        && is_near(one.right, other.right)
        && is_near(one.top, other.top)
        && is_near(one.bottom, other.bottom)
}

/// Whether boxes touch or overlap, and neither is in the other.
fn touches(one: &Rect, other: &Rect) -> bool {
    let holds = |one: &Rect, other: &Rect| one.grown(FRAME).within(other) == Some(*other);
    one.grown(GAP).within(other).is_some() && !holds(one, other) && !holds(other, one)
}

/// Whether a line is a side of a box, or in it.
fn is_edge(line: &Rect, one: &Rect) -> bool {
    one.grown(FRAME).within(line) == Some(*line)
}

/// Whether a line ends at the middle part of a side of a box and leads away from it.
fn ends_at(line: &Rect, one: &Rect) -> bool {
    let (x, y) = line.center();
    let is_between = |from: f32, to: f32, place: f32| (from + REACH..=to - REACH).contains(&place);
    let gap = |one: f32, other: f32| (one - other).abs() <= REACH;
    let is_below = gap(line.top, one.bottom) || gap(line.bottom, one.top);
    let is_next_to_it = gap(line.left, one.right) || gap(line.right, one.left);
    let is_thin = line.width().min(line.height()) <= FRAME;
    let (is_upright, is_level) = (line.height() >= line.width(), line.width() >= line.height());
    is_below && is_between(one.left, one.right, x) && (is_upright || !is_thin)
        || is_next_to_it && is_between(one.top, one.bottom, y) && (is_level || !is_thin)
}

/// Whether a line divides a box into columns.
fn divides(line: &Rect, one: &Rect) -> bool {
    line.width() <= FRAME
        && line.left > one.left + REACH
        && line.right < one.right - REACH
        && line.top <= one.top + REACH
        && line.bottom >= one.bottom - REACH
}
