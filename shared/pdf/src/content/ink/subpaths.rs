//! The subpaths of the visible drawings of a page, without rules, boxes and backgrounds.

use layout::{Drawing, PageContent, PathSegment, Point, Rect, Shape};

use crate::content::colors::is_white;

/// Maximum offset across its direction of a line that counts as axis-aligned, in points.
const MAX_OFFSET: f32 = 0.5;
/// Minimum part of the circumference that is neither horizontal nor vertical: beveled and rounded boxes have less.
const MIN_SLANTED: f32 = 0.25;
/// Maximum part of the page that a drawing covers; larger ones are backgrounds.
const MAX_COVERAGE: f32 = 0.6;

/// A subpath as displayed.
pub(super) struct Subpath {
    /// Bounds, without the parts that are clipped.
    pub(super) bounds: Rect,
    /// Number of lines and curves, and of curves.
    pub(super) segments: usize,
    pub(super) curves: usize,
    /// Whether it is filled.
    pub(super) is_filled: bool,
    /// Whether it is an axis-aligned or rounded box, or a line.
    pub(super) is_box: bool,
}

/// Returns the subpaths of all drawings that are visible on white paper.
pub(super) fn of_page(content: &PageContent) -> Vec<Subpath> {
    let page = content.size.width * content.size.height;
    let shapes = content.drawings.iter().filter_map(|drawing| match drawing {
        Drawing::Shape(shape, seen) => Some((shape, seen)),
        Drawing::Area(_) | Drawing::Picture(..) => None,
    });
    let shapes = shapes.filter(|(shape, _)| !is_white_shape(shape));
    let subpaths = shapes.flat_map(|(shape, seen)| of_shape(shape, seen));
    subpaths
        .filter(|one| one.bounds.width() * one.bounds.height() <= MAX_COVERAGE * page)
        .collect()
}

fn is_white_shape(shape: &Shape) -> bool {
    let line = shape.stroke.as_ref().map(|stroke| stroke.color);
    shape.fill.into_iter().chain(line).all(is_white)
}

fn of_shape(shape: &Shape, seen: &Rect) -> Vec<Subpath> {
    let is_move = |segment: &PathSegment| matches!(segment, PathSegment::Move(_));
    let parts = shape.segments.chunk_by(|_, next| !is_move(next));
    let parts = parts.filter_map(|part| subpath(part, shape.fill.is_some(), seen));
    parts.collect()
}

fn subpath(segments: &[PathSegment], is_filled: bool, seen: &Rect) -> Option<Subpath> {
    let (mut bounds, mut curves): (Option<Rect>, usize) = (None, 0);
    let (mut length, mut slanted) = (0.0, 0.0);
    let (mut first, mut last): (Option<Point>, Option<Point>) = (None, None);
    for segment in segments {
        let end = match *segment {
            PathSegment::Move(point) | PathSegment::Line(point) => point,
            PathSegment::Curve(_, _, end) => {
                curves += 1;
                end
            }
            PathSegment::Close => first?,
        };
        first = first.or(Some(end));
        let chord = Rect::between(last.unwrap_or(end), end);
        let (across, down) = (chord.width(), chord.height());
        let chord_length = (across * across + down * down).sqrt();
        length += chord_length;
        if across.min(down) > MAX_OFFSET {
            slanted += chord_length;
        }
        bounds = Some(bounds.map_or(chord, |bounds| bounds.union(&chord)));
        last = Some(end);
    }
    Some(Subpath {
        bounds: bounds?.within(seen)?,
        segments: segments.len().saturating_sub(1),
        curves,
        is_filled,
        is_box: slanted < MIN_SLANTED * length,
    })
}
