//! Walks over the page objects, including those in form XObjects: lines, filled areas, drawings and images.

use std::collections::HashMap;

use layout::{Drawing as Drawn, Picture, Rect, Stroke, Tag};
use task::matrix::Matrix;

use super::colors::is_white;
use super::declared_letters::DeclaredLetters;
use super::handles::{Drawing, PageHandle, PageObject, Segment, Shape};
use super::transform::{PageTransform, to_f32, transformed};
use super::view::View;
use super::{drawings, lines};

/// Maximum number of page objects.
const MAX_OBJECTS: usize = 50_000;
/// Maximum number of segments of a path.
const MAX_PATH_SEGMENTS: i32 = 10_000;
/// Maximum nesting depth of form XObjects.
const MAX_DEPTH: u8 = 8;
/// Minimum side of an image, in points. Smaller ones are lines or dots.
const MIN_SIDE: f32 = 3.0;
/// Maximum side of a small path, in points.
const SMALL_SIDE: f32 = 40.0;

/// Everything drawn on a page except text.
#[derive(Default)]
pub(super) struct PageObjects<'p> {
    pub(super) strokes: Vec<Stroke>,
    pub(super) fills: Vec<Rect>,
    pub(super) pictures: Vec<Picture>,
    /// All drawings for fixed layout, in painting order.
    pub(super) drawings: Vec<Drawn>,
    /// Small paths with their structure tags, if these are used: check boxes may be the only content of an element.
    pub(super) small_paths: Vec<(Rect, Tag)>,
    /// Structure tags of the text objects in form XObjects, by address: the tag of the form applies to them.
    pub(super) tags: HashMap<usize, Tag>,
    /// Letters with marks whose text the document declares.
    pub(super) declared_letters: DeclaredLetters,
    /// The PDFium object of each image, and its view.
    pub(super) objects: Vec<(PageObject<'p>, View)>,
    /// Whether a limit was exceeded.
    pub(super) is_cut: bool,
    /// Whether the limit of drawings was exceeded.
    pub(super) has_more_drawings: bool,
}

/// Reads a page. Images are numbered from `pictures`. `is_tagged` is whether structure tags are used.
pub(super) fn of_page<'p>(
    page: &'p PageHandle<'_>,
    transform: &PageTransform,
    pictures: usize,
    is_tagged: bool,
) -> PageObjects<'p> {
    let mut walk = Walk {
        page,
        area: transform.area(),
        found: PageObjects::default(),
        dots: Vec::new(),
        white_lines: Vec::new(),
        pictures,
        is_tagged,
        left: MAX_OBJECTS,
        steps: drawings::MAX_SEGMENTS,
        shown: 0,
    };
    let map = transform.after(Matrix::IDENTITY);
    walk.within(
        None,
        Context {
            tag: None,
            map,
            seen: Some(walk.area),
        },
        MAX_DEPTH,
    );
    walk.finish()
}

struct Walk<'a> {
    page: &'a PageHandle<'a>,
    area: Rect,
    found: PageObjects<'a>,
    /// Dots, such as bullets. Kept apart from areas, some of which are backgrounds of white lines.
    dots: Vec<Rect>,
    /// White lines, which are visible on colored areas only.
    white_lines: Vec<Stroke>,
    pictures: usize,
    is_tagged: bool,
    left: usize,
    /// Remaining path segments.
    steps: usize,
    /// Number of images among the drawings.
    shown: usize,
}

/// Inherited state of the objects of a page or a form XObject.
#[derive(Clone, Copy)]
struct Context {
    /// The tag of the form, if it has one.
    tag: Option<Tag>,
    map: Matrix,
    /// The clip rectangle; `None` if nothing is visible.
    seen: Option<Rect>,
}

impl PageObjects<'_> {
    /// Removes images and renumbers the others.
    pub(super) fn retain_pictures(&mut self, is_kept: impl Fn(&Picture) -> bool) {
        let kept: Vec<bool> = self.pictures.iter().map(is_kept).collect();
        let mut numbers = 0..;
        let numbers: Vec<Option<usize>> = kept
            .iter()
            .map(|kept| if *kept { numbers.next() } else { None })
            .collect();
        let mut pictures = kept.iter();
        self.pictures.retain(|_| pictures.next() == Some(&true));
        let mut objects = kept.iter();
        self.objects.retain(|_| objects.next() == Some(&true));
        self.drawings.retain_mut(|drawing| match drawing {
            Drawn::Picture(number, _) => match numbers.get(*number).copied().flatten() {
                Some(new) => {
                    *number = new;
                    true
                }
                None => false,
            },
            Drawn::Area(_) | Drawn::Shape(..) => true,
        });
    }
}

impl<'a> Walk<'a> {
    fn within(&mut self, form: Option<PageObject<'a>>, context: Context, depth: u8) {
        let Context { tag, map, .. } = context;
        let count = match form {
            Some(form) => form.object_count(),
            None => self.page.object_count(),
        };
        for index in 0..count {
            let Some(left) = self.left.checked_sub(1) else {
                self.found.is_cut = true;
                return;
            };
            self.left = left;
            let object = match form {
                Some(form) => form.object(index),
                None => self.page.object(index),
            };
            match object {
                Drawing::Shape(shape, own) => self.shape(&shape, own.then(map), context),
                Drawing::Picture(picture, own) => {
                    let tag = tag.unwrap_or_else(|| self.tag(picture));
                    let seen = self.clip(picture, context);
                    self.picture(picture, tag, own.then(map), seen);
                }
                Drawing::Form(inner, own) if depth > 0 => {
                    let context = Context {
                        tag: Some(tag.unwrap_or_else(|| self.tag(inner))),
                        map: own.then(map),
                        seen: self.clip(inner, context),
                    };
                    self.within(Some(inner), context, depth - 1);
                }
                Drawing::Text(text) => {
                    self.found.tags.extend(tag.map(|tag| (text.address(), tag)));
                    self.found.declared_letters.record(text, map);
                }
                Drawing::Form(..) => self.found.is_cut = true,
                Drawing::Other => {}
            }
        }
    }

    fn tag(&self, object: PageObject<'_>) -> Tag {
        match self.is_tagged {
            true => object.tag(),
            false => Tag::None,
        }
    }

    fn picture(&mut self, object: PageObject<'a>, tag: Tag, map: Matrix, seen: Option<Rect>) {
        let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)];
        let corners = corners.map(|corner| transformed(map, corner));
        let Some(whole) = Rect::around(corners.map(|corner| Rect::between(corner, corner))) else {
            return;
        };
        let Some(bounds) = whole.within(&self.area) else {
            return;
        };
        if bounds.width() >= MIN_SIDE && bounds.height() >= MIN_SIDE {
            let number = self.found.pictures.len();
            let image = self.pictures + number;
            if let Some(seen) = seen.and_then(|seen| seen.within(&bounds)) {
                self.draw(Drawn::Picture(number, seen));
            }
            self.found.pictures.push(Picture { bounds, image, tag });
            let view = View::of(map, &whole, &bounds);
            self.found.objects.push((object, view));
        }
    }

    fn shape(&mut self, shape: &Shape<'_>, map: Matrix, context: Context) {
        if shape.fill.is_none() && shape.line.is_none() {
            return;
        }
        let is_long = shape.segments > MAX_PATH_SEGMENTS;
        self.found.is_cut |= is_long;
        let segments = (0..shape.segments.min(MAX_PATH_SEGMENTS))
            .filter_map(|index| shape.object.segment(index))
            .flat_map(|(segment, closing)| [Some(segment), closing])
            .flatten();
        let segments: Vec<Segment> = segments.collect();
        let outlines = lines::outlines(segments.iter().copied(), map);
        self.tag_path(shape, &segments, map, context);
        let (_, scale) = map.extent();
        let scale = to_f32(scale);
        match self.clip(shape.object, context) {
            Some(seen) if !is_long => match drawings::areas(shape, &outlines, scale) {
                Some(areas) => {
                    let areas = areas.into_iter();
                    let areas = areas.filter_map(|area| drawings::within(area, &seen));
                    areas.for_each(|area| self.draw(Drawn::Area(area)));
                }
                None => self.outlined(drawings::outline(shape, &segments, map, scale), seen),
            },
            _ => {}
        }
        if let Some((color, width)) = shape.line {
            let drawn = outlines
                .iter()
                .flat_map(|outline| outline.edges(width * scale));
            let drawn: Vec<_> = drawn.collect();
            self.strokes(drawn, color);
        }
        if let Some(color) = shape.fill {
            self.filled(&outlines, color);
        }
    }

    fn tag_path(&mut self, shape: &Shape<'_>, segments: &[Segment], map: Matrix, context: Context) {
        if !self.is_tagged {
            return;
        }
        let points = segments.iter().filter_map(|segment| match *segment {
            Segment::Move(point) | Segment::Line(point) | Segment::Curve(point) => {
                Some(transformed(map, point))
            }
            Segment::Close => None,
        });
        let bounds = Rect::around(points.map(|point| Rect::between(point, point)));
        let is_small = |bounds: &Rect| bounds.width().max(bounds.height()) <= SMALL_SIDE;
        if let Some(bounds) = bounds.filter(is_small) {
            let tag = context.tag.unwrap_or_else(|| self.tag(shape.object));
            self.found.small_paths.push((bounds, tag));
        }
    }

    fn outlined(&mut self, shape: layout::Shape, seen: Rect) {
        match self.steps.checked_sub(shape.segments.len()) {
            Some(left) => {
                self.steps = left;
                self.draw(Drawn::Shape(shape, seen));
            }
            None => self.found.has_more_drawings = true,
        }
    }

    /// Adds a drawing. Images are limited by their own number only.
    fn draw(&mut self, drawing: Drawn) {
        let others = self.found.drawings.len() - self.shown;
        let is_picture = matches!(drawing, Drawn::Picture(..));
        self.shown += usize::from(is_picture);
        match is_picture || others < drawings::MAX_DRAWINGS {
            true => self.found.drawings.push(drawing),
            false => self.found.has_more_drawings = true,
        }
    }

    /// The visible bounds of an object, after clipping.
    fn clip(&self, object: PageObject<'_>, context: Context) -> Option<Rect> {
        let mut seen = context.seen?;
        for corners in object.clips() {
            let corners = corners.map(|corner| transformed(context.map, corner));
            let corners = corners.map(|corner| Rect::between(corner, corner));
            seen = seen.within(&Rect::around(corners)?)?;
        }
        Some(seen)
    }

    fn filled(&mut self, outlines: &[lines::Outline], color: [u8; 3]) {
        let dots = outlines.iter().filter_map(lines::Outline::dot);
        let dots = dots.filter(|_| !is_white(color));
        let dots = dots.filter_map(|dot| dot.within(&self.area));
        self.dots.extend(dots);
        for area in outlines.iter().filter_map(lines::Outline::area) {
            match lines::as_stroke(area) {
                Some(stroke) => self.strokes(vec![stroke], color),
                None if is_white(color) => {}
                None => self.found.fills.extend(area.within(&self.area)),
            }
        }
    }

    fn strokes(&mut self, strokes: Vec<Stroke>, color: [u8; 3]) {
        let area = self.area;
        let strokes = strokes.into_iter();
        let strokes = strokes.filter_map(|stroke| stroke.bounds.within(&area));
        let strokes = strokes.map(|bounds| Stroke { bounds });
        match is_white(color) {
            true => self.white_lines.extend(strokes),
            false => self.found.strokes.extend(strokes),
        }
    }

    fn finish(self) -> PageObjects<'a> {
        let Self {
            mut found,
            mut dots,
            mut white_lines,
            ..
        } = self;
        // A few colored areas may be backgrounds of white lines; more would take too long to check.
        let fills = found
            .fills
            .get(..found.fills.len().min(200))
            .unwrap_or_default();
        white_lines.retain(|stroke| {
            fills
                .iter()
                .any(|fill| fill.contains(stroke.bounds.center()))
        });
        found.strokes.append(&mut white_lines);
        found.fills.append(&mut dots);
        found.drawings = drawings::visible(std::mem::take(&mut found.drawings), &found.pictures);
        found
    }
}
