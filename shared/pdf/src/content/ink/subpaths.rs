//! The subpaths of the visible drawings of a page, without backgrounds.

use std::collections::VecDeque;

use layout::{Drawing, PageContent, PathSegment, Point, Rect, Shape};

use crate::content::colors::is_white;

/// Maximum offset across its direction of a line that counts as axis-aligned, in points.
const MAX_OFFSET: f32 = 0.5;
/// Minimum part of the circumference that is neither horizontal nor vertical: beveled and rounded boxes have less.
const MIN_SLANTED: f32 = 0.25;
/// Minimum number of axis-aligned lines of a staircase, such as the outline of a histogram.
const MIN_STEPS: usize = 12;
/// Maximum part of the page that a drawing covers; larger ones are backgrounds.
const MAX_COVERAGE: f32 = 0.6;
/// Maximum number of grounds of white drawings, the last ones, their minimum side in points, and the minimum lightness of those on which
/// white is invisible.
const MAX_GROUNDS: usize = 200;
const MIN_GROUND_SIDE: f32 = 8.0;
const MIN_LIGHTNESS: u8 = 200;

/// A subpath as displayed.
pub(super) struct Subpath {
    /// Bounds, without the parts that are clipped.
    pub(super) bounds: Rect,
    /// Its first and its last point, if it is open.
    pub(super) ends: Option<(Point, Point)>,
    /// Number of lines and curves, and of curves.
    pub(super) segments: usize,
    pub(super) curves: usize,
    /// Its color, if it is filled.
    pub(super) fill: Option<[u8; 3]>,
    /// Whether it is an axis-aligned or rounded box, or a line.
    pub(super) is_box: bool,
}

/// Returns the subpaths of all drawings that are visible.
pub(super) fn of_page(content: &PageContent) -> Vec<Subpath> {
    let page = content.size.width * content.size.height;
    let mut grounds = Grounds::default();
    let mut subpaths = Vec::new();
    for drawing in &content.drawings {
        match drawing {
            Drawing::Area(area) => grounds.add(area.bounds, is_light(area.color)),
            Drawing::Picture(_, seen) => grounds.add(*seen, false),
            Drawing::Shape(shape, seen) => {
                let Some(bounds) = shape.bounds().and_then(|bounds| bounds.within(seen)) else {
                    continue;
                };
                if !is_white_shape(shape) || grounds.is_dark_below(&bounds) {
                    subpaths.extend(of_shape(shape, seen));
                }
                if let Some(fill) = shape.fill {
                    grounds.add(bounds, is_light(fill));
                }
            }
        }
    }
    subpaths.retain(|one| one.bounds.width() * one.bounds.height() <= MAX_COVERAGE * page);
    subpaths
}

/// The areas on which drawings lie, in painting order, and whether white is invisible on them.
#[derive(Default)]
struct Grounds(VecDeque<(Rect, bool)>);

impl Grounds {
    fn add(&mut self, bounds: Rect, is_light: bool) {
        let is_large = bounds.width().min(bounds.height()) >= MIN_GROUND_SIDE;
        if is_large {
            self.0.push_back((bounds, is_light));
        }
        if self.0.len() > MAX_GROUNDS {
            self.0.pop_front();
        }
    }

    fn is_dark_below(&self, bounds: &Rect) -> bool {
        let contains = |ground: &Rect| ground.within(bounds) == Some(*bounds);
        let mut grounds = self.0.iter().rev();
        grounds
            .find(|(ground, _)| contains(ground))
            .is_some_and(|(_, is_light)| !is_light)
    }
}

fn is_light([red, green, blue]: [u8; 3]) -> bool {
    red.min(green).min(blue) >= MIN_LIGHTNESS
}

fn is_white_shape(shape: &Shape) -> bool {
    let line = shape.stroke.as_ref().map(|stroke| stroke.color);
    shape.fill.into_iter().chain(line).all(is_white)
}

fn of_shape(shape: &Shape, seen: &Rect) -> Vec<Subpath> {
    let is_move = |segment: &PathSegment| matches!(segment, PathSegment::Move(_));
    let parts = shape.segments.chunk_by(|_, next| !is_move(next));
    let parts = parts.filter_map(|part| subpath(part, shape.fill, seen));
    parts.collect()
}

fn subpath(segments: &[PathSegment], fill: Option<[u8; 3]>, seen: &Rect) -> Option<Subpath> {
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
    let lines = segments.len().saturating_sub(1);
    let is_open = fill.is_none() && first != last;
    let is_staircase = curves == 0 && lines >= MIN_STEPS;
    Some(Subpath {
        bounds: bounds?.within(seen)?,
        ends: first.zip(last).filter(|_| is_open),
        segments: lines,
        curves,
        fill,
        is_box: slanted < MIN_SLANTED * length && !is_staircase,
    })
}

#[cfg(test)]
mod tests {
    use layout::{Area, Size};

    use super::*;

    fn area(edge: f32, color: [u8; 3]) -> Drawing {
        Drawing::Area(Area {
            bounds: Rect::between((edge, edge), (300.0 - edge, 300.0 - edge)),
            color,
        })
    }

    /// The subpaths of a triangle on these areas.
    fn found(grounds: &[Drawing], color: [u8; 3]) -> Vec<Subpath> {
        let [one, two, three] = [(100.0, 100.0), (110.0, 120.0), (95.0, 115.0)];
        let segments = vec![
            PathSegment::Move(one),
            PathSegment::Line(two),
            PathSegment::Line(three),
            PathSegment::Close,
        ];
        let shape = Shape {
            segments,
            fill: Some(color),
            ..Shape::default()
        };
        let seen = Rect::between((0.0, 0.0), (600.0, 800.0));
        let content = PageContent {
            size: Size {
                width: 600.0,
                height: 800.0,
            },
            drawings: [grounds, &[Drawing::Shape(shape, seen)]].concat(),
            ..PageContent::default()
        };
        of_page(&content)
    }

    #[test]
    fn white_is_visible_on_the_topmost_area_only_if_that_is_dark() {
        let (white, blue, pale) = ([255; 3], [0, 0, 120], [235; 3]);
        let count = |grounds: &[Drawing]| found(grounds, white).len();
        assert_eq!(found(&[], blue).len(), 1);
        assert_eq!(count(&[area(50.0, blue)]), 1);
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&[area(50.0, pale)]), 0);
        assert_eq!(count(&[area(50.0, blue), area(60.0, white)]), 0);
        assert_eq!(count(&[area(120.0, blue)]), 0);
    }

    #[test]
    fn a_staircase_is_no_box() {
        let stairs = |steps: usize| {
            let step = |step: usize| {
                let at = 10.0 * crate::content::ink::grid::to_f32(step);
                [(at, at), (at + 10.0, at)].map(PathSegment::Line)
            };
            let lines = (0..steps).flat_map(step);
            let segments: Vec<_> = [PathSegment::Move((0.0, 0.0))]
                .into_iter()
                .chain(lines)
                .collect();
            let seen = Rect::between((0.0, 0.0), (600.0, 800.0));
            subpath(&segments, Some([0; 3]), &seen).is_some_and(|one| !one.is_box)
        };
        assert!(stairs(8) && !stairs(2));
    }
}
