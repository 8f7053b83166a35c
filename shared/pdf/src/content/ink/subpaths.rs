//! The subpaths of the visible drawings of a page, without backgrounds.

use layout::{Drawing, PageContent, PathSegment, Point, Rect, Shape};

use crate::content::colors::is_white;

/// Maximum part of the page that a drawing covers; larger ones are backgrounds.
const MAX_COVERAGE: f32 = 0.6;
/// Maximum number of backgrounds of white drawings, the largest ones.
const MAX_BACKGROUNDS: usize = 200;
/// Minimum side of a background, in points.
const MIN_BACKGROUND_SIDE: f32 = 3.0;
/// Minimum lightness of a background on which white is invisible.
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
}

/// Returns the subpaths of all drawings that are visible.
pub(super) fn of_page(content: &PageContent) -> Vec<Subpath> {
    let page = content.size.width * content.size.height;
    let mut backgrounds = Backgrounds::default();
    let mut subpaths = Vec::new();
    for drawing in &content.drawings {
        match drawing {
            Drawing::Area(area) => backgrounds.add(area.bounds, is_light(area.color)),
            Drawing::Picture(_, seen) => backgrounds.add(*seen, false),
            Drawing::Shape(shape, seen) => {
                let Some(bounds) = shape.bounds().and_then(|bounds| bounds.within(seen)) else {
                    continue;
                };
                if !is_white_shape(shape) || backgrounds.is_dark_below(&bounds) {
                    subpaths.extend(of_shape(shape, seen));
                }
                if let Some(fill) = shape.fill {
                    backgrounds.add(bounds, is_light(fill));
                }
            }
        }
    }
    subpaths.retain(|one| one.bounds.width() * one.bounds.height() <= MAX_COVERAGE * page);
    subpaths
}

/// The areas on which drawings lie, in painting order, and whether white is invisible on them.
#[derive(Default)]
struct Backgrounds(Vec<(Rect, bool)>);

impl Backgrounds {
    fn add(&mut self, bounds: Rect, is_light: bool) {
        if bounds.width().min(bounds.height()) < MIN_BACKGROUND_SIDE {
            return;
        }
        self.0.push((bounds, is_light));
        if self.0.len() > MAX_BACKGROUNDS {
            let area = |index: &usize| {
                let bounds = self.0.get(*index).map(|(bounds, _)| bounds);
                bounds.map_or(0.0, |bounds| bounds.width() * bounds.height())
            };
            let smallest = (0..self.0.len()).min_by(|one, other| area(one).total_cmp(&area(other)));
            smallest.map(|smallest| self.0.remove(smallest));
        }
    }

    /// Whether the area below the center of a drawing is dark. A background may consist of several areas.
    fn is_dark_below(&self, bounds: &Rect) -> bool {
        let center = (
            f32::midpoint(bounds.left, bounds.right),
            f32::midpoint(bounds.top, bounds.bottom),
        );
        let center = Rect::between(center, center);
        let mut backgrounds = self.0.iter().rev();
        backgrounds
            .find(|(background, _)| background.within(&center).is_some())
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
        bounds = Some(bounds.map_or(chord, |bounds| bounds.union(&chord)));
        last = Some(end);
    }
    let lines = segments.len().saturating_sub(1);
    let is_open = fill.is_none() && first != last;
    Some(Subpath {
        bounds: bounds?.within(seen)?,
        ends: first.zip(last).filter(|_| is_open),
        segments: lines,
        curves,
        fill,
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
    fn found(backgrounds: &[Drawing], color: [u8; 3]) -> Vec<Subpath> {
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
            drawings: [backgrounds, &[Drawing::Shape(shape, seen)]].concat(),
            ..PageContent::default()
        };
        of_page(&content)
    }

    #[test]
    fn white_is_visible_on_the_topmost_area_only_if_that_is_dark() {
        let (white, blue, pale) = ([255; 3], [0, 0, 120], [235; 3]);
        let count = |backgrounds: &[Drawing]| found(backgrounds, white).len();
        assert_eq!(found(&[], blue).len(), 1);
        assert_eq!(count(&[area(50.0, blue)]), 1);
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&[area(50.0, pale)]), 0);
        assert_eq!(count(&[area(50.0, blue), area(60.0, white)]), 0);
        assert_eq!(count(&[area(120.0, blue)]), 0);
        let boxes: Vec<_> = (0..300).map(|_| area(140.0, white)).collect();
        assert_eq!(count(&[&[area(50.0, blue)], boxes.as_slice()].concat()), 1);
    }
}
