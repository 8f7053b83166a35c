//! Drawings → small squares and circles with what is drawn in them.

use super::State;
use super::sign;
use crate::model::fixed::{PathSegment, Point, Shape};
use crate::model::geometry::Rect;
use crate::model::page_content::Drawing;

/// Sides of a square, points, and the maximum relative difference of them.
const SIDES: std::ops::Range<f32> = 4.0..40.0;
const UNEQUAL: f32 = 0.15;
/// Maximum thickness of the side of a frame, points, and its minimum length as a fraction of the frame.
const THIN: f32 = 3.0;
const LONG: f32 = 0.7;
/// Maximum distance of the points of a square or circle from its edges, as a fraction of half its side, and the part of it that
/// is a corner.
const EDGE: f32 = 0.34;
const CORNER: f32 = 0.76;
const QUADRANT: f32 = 0.3;
/// Minimum size of a border within a square, of a dot and of the white center of a frame, as a fraction of the square, and maximum
/// offset of their centers.
const BORDER: f32 = 0.8;
const DOT: f32 = 0.2;
const CENTER: f32 = 0.7;
const OFFSET: f32 = 0.15;
/// Maximum part of a sign that is outside of its box, as a fraction of the box.
const OUTSIDE: f32 = 0.3;
/// Least component of the color of an unset box, and its maximum saturation.
const PALE: u8 = 200;
const GRAY: u8 = 40;
/// Maximum number of pieces of a page, and of segments of a path.
const PIECES: usize = 2_000;
const SEGMENTS: usize = 400;

/// A square or circle with its content.
pub(super) struct Part {
    pub(super) bounds: Rect,
    pub(super) is_round: bool,
    has_frame: bool,
    /// Its color, if it is filled.
    fill: Option<[u8; 3]>,
    /// Whether a smaller filled one is at its center.
    has_dot: bool,
    /// Whether something is in it that is no sign.
    is_other: bool,
    /// Points of the paths in it.
    points: Vec<Point>,
}

enum Piece {
    Outline(Rect, bool),
    Fill(Rect, bool, [u8; 3]),
    Path(Rect, Vec<Point>),
}

/// Returns the small squares and circles of a page; none if it has too many.
pub(super) fn parts(drawings: &[Drawing]) -> Vec<Part> {
    let mut pieces = Vec::new();
    let mut sides: Vec<Rect> = Vec::new();
    for drawing in drawings {
        match drawing {
            // The ends of sides may be drawn as squares.
            Drawing::Area(area) if area.bounds.width().max(area.bounds.height()) <= THIN => {}
            Drawing::Area(area) if is_side(&area.bounds) => {
                sides.push(area.bounds);
                if let Some(frame) = sides.last_chunk().and_then(frame) {
                    pieces.push(Piece::Outline(frame, false));
                    sides.truncate(sides.len() - 4);
                }
                continue;
            }
            Drawing::Area(area) if is_square(&area.bounds) => {
                pieces.push(Piece::Fill(area.bounds, false, area.color));
            }
            Drawing::Shape(shape, clip) if shape.segments.len() <= SEGMENTS => {
                add_shape(shape, clip, &mut pieces);
            }
            Drawing::Area(_) | Drawing::Shape(..) | Drawing::Picture(..) => {}
        }
        if pieces.len() > PIECES {
            return Vec::new();
        }
    }
    pieces.extend(sides.into_iter().take(PIECES).map(|side| {
        let ends = [(side.left, side.top), (side.right, side.bottom)];
        Piece::Path(side, ends.to_vec())
    }));
    joined(pieces)
}

fn is_side(bounds: &Rect) -> bool {
    let (width, height) = (bounds.width(), bounds.height());
    width.min(height) <= THIN && SIDES.contains(&width.max(height))
}

fn is_square(bounds: &Rect) -> bool {
    let (width, height) = (bounds.width(), bounds.height());
    SIDES.contains(&width)
        && SIDES.contains(&height)
        && (width - height).abs() <= UNEQUAL * width.max(height)
}

/// Returns the bounds of the square that four lines enclose.
fn frame(sides: &[Rect; 4]) -> Option<Rect> {
    let bounds = Rect::around(*sides).filter(is_square)?;
    let (x, y) = bounds.center();
    let at = |is_there: &dyn Fn(&Rect) -> bool| sides.iter().filter(|one| is_there(one)).count();
    let is_wide = |side: &Rect| side.width() >= LONG * bounds.width() && side.height() <= THIN;
    let is_high = |side: &Rect| side.height() >= LONG * bounds.height() && side.width() <= THIN;
    let is_frame = at(&|side| is_wide(side) && side.bottom < y) == 1
        && at(&|side| is_wide(side) && side.top > y) == 1
        && at(&|side| is_high(side) && side.right < x) == 1
        && at(&|side| is_high(side) && side.left > x) == 1;
    is_frame.then_some(bounds)
}

/// Adds the subpaths of a shape. Of a filled one, a square in a square is a hole, and another path is a sign.
fn add_shape(shape: &Shape, clip: &Rect, pieces: &mut Vec<Piece>) {
    let is_start = |segment: &PathSegment| matches!(segment, PathSegment::Move(_));
    let width = shape.stroke.as_ref().map_or(0.0, |stroke| stroke.width);
    let mut squares: Vec<(Rect, bool)> = Vec::new();
    for subpath in shape.segments.chunk_by(|_, next| !is_start(next)) {
        let points: Vec<Point> = subpath.iter().flat_map(PathSegment::points).collect();
        let bounds = Rect::around(points.iter().map(|point| Rect::between(*point, *point)));
        let Some(bounds) = bounds.filter(|bounds| clip.contains(bounds.center())) else {
            continue;
        };
        let is_large = bounds.width().max(bounds.height()) >= SIDES.end;
        match round(&points, &bounds) {
            _ if is_large => {}
            Some(is_round) => squares.push((bounds, is_round)),
            None => pieces.push(Piece::Path(bounds, points)),
        }
    }
    if shape.stroke.is_some() {
        let outlines = squares.iter();
        let outlines =
            outlines.map(|(bounds, round)| Piece::Outline(bounds.grown(width / 2.0), *round));
        pieces.extend(outlines);
    }
    let Some(color) = shape.fill else { return };
    let is_in = |outer: &Rect, inner: &Rect| {
        outer != inner && outer.contains(inner.center()) && inner.width() < outer.width()
    };
    for (bounds, is_round) in &squares {
        let mut others = squares.iter();
        let is_hole = squares.iter().any(|(outer, _)| is_in(outer, bounds));
        match others.any(|(inner, _)| is_in(bounds, inner)) {
            _ if is_hole => {}
            true => pieces.push(Piece::Outline(*bounds, *is_round)),
            false => pieces.push(Piece::Fill(*bounds, *is_round, color)),
        }
    }
}

/// Returns whether the points are those of a circle instead of a square; `None` for other paths.
fn round(points: &[Point], bounds: &Rect) -> Option<bool> {
    if !is_square(bounds) {
        return None;
    }
    let (x, y) = bounds.center();
    let (half_width, half_height) = (bounds.width() / 2.0, bounds.height() / 2.0);
    let mut quadrants = [false; 4];
    let mut has_corner = false;
    for (at_x, at_y) in points {
        let (across, down) = ((at_x - x) / half_width, (at_y - y) / half_height);
        if across.abs().max(down.abs()) < 1.0 - EDGE {
            return None;
        }
        let corner = across.abs().min(down.abs());
        has_corner |= corner > CORNER;
        if corner > QUADRANT {
            let quadrant = usize::from(across > 0.0) + 2 * usize::from(down > 0.0);
            quadrants
                .get_mut(quadrant)
                .into_iter()
                .for_each(|is_met| *is_met = true);
        }
    }
    quadrants
        .iter()
        .all(|is_met| *is_met)
        .then_some(!has_corner)
}

/// Joins pieces with the squares that they are in.
fn joined(pieces: Vec<Piece>) -> Vec<Part> {
    let (mut squares, mut paths) = (Vec::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Outline(bounds, round) => squares.push((bounds, round, None)),
            Piece::Fill(bounds, round, color) => squares.push((bounds, round, Some(color))),
            Piece::Path(bounds, points) => paths.push((bounds, points)),
        }
    }
    squares.sort_by(|(one, ..), (other, ..)| other.width().total_cmp(&one.width()));
    let mut parts: Vec<Part> = Vec::new();
    for (bounds, is_round, fill) in squares {
        let outer = parts.iter_mut();
        match outer
            .rev()
            .find(|part| part.bounds.contains(bounds.center()))
        {
            Some(part) => part.add(&bounds, fill),
            None => parts.push(Part {
                bounds,
                is_round,
                has_frame: fill.is_none(),
                fill,
                has_dot: false,
                is_other: false,
                points: Vec::new(),
            }),
        }
    }
    for (bounds, points) in paths {
        let mut outer = parts.iter_mut();
        if let Some(part) = outer.find(|part| part.bounds.contains(bounds.center())) {
            let room = part.bounds.grown(part.bounds.width() * OUTSIDE);
            part.is_other |= bounds.within(&room) != Some(bounds);
            part.points.extend(points);
        }
    }
    parts
}

impl Part {
    /// Adds a square or circle that is no larger.
    fn add(&mut self, bounds: &Rect, fill: Option<[u8; 3]>) {
        let size = bounds.width() / self.bounds.width();
        let (x, y) = bounds.center();
        let (center_x, center_y) = self.bounds.center();
        let offset = (x - center_x).abs().max((y - center_y).abs());
        let is_centered = offset <= OFFSET * self.bounds.width();
        let is_paper = fill.is_some_and(is_pale);
        match fill {
            _ if !is_centered => self.is_other = true,
            None if size >= BORDER => self.has_frame = true,
            Some(_) if size >= BORDER || size >= CENTER && is_paper => {
                self.has_frame |= self.fill.is_some_and(|own| Some(own) != fill && is_paper);
                self.fill = fill;
            }
            Some(_) if size >= DOT => self.has_dot = true,
            _ => self.is_other = true,
        }
    }

    /// Returns whether it is set, with these letters in it, and whether that is evident only next to other boxes; `None` if it is
    /// no check box.
    pub(super) fn state(&self, letters: &[char]) -> Option<(State, bool)> {
        let is_pale = self.fill.is_none_or(is_pale);
        match (self.points.as_slice(), letters) {
            _ if self.is_other => None,
            ([], []) if self.has_dot => Some((State::Set, true)),
            ([], []) if is_pale => Some((State::Unset, !self.has_frame)),
            ([], []) => Some((State::Filled, false)),
            ([], [letter]) if is_pale && sign::is_sign(*letter) => {
                Some((State::Set, !self.has_frame))
            }
            (points, []) if sign::is_drawn(points) => Some((State::Set, self.is_round)),
            _ => None,
        }
    }
}

fn is_pale(color: [u8; 3]) -> bool {
    let (least, most) = (color.iter().min(), color.iter().max());
    least
        .zip(most)
        .is_some_and(|(least, most)| *least >= PALE && most - least <= GRAY)
}
