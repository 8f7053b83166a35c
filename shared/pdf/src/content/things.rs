//! Lines, coloured areas and pictures of a page as they are shown, also those within forms.

use std::collections::HashMap;

use layout::{Drawing as Drawn, Picture, Rect, Stroke, Tag};
use pdfium_render::prelude::FPDF_PAGEOBJECT;
use task::matrix::Matrix;

use super::colours::is_white;
use super::handles::{Drawing, Leaf, Segment, Shape};
use super::place::{Place, narrow, shown};
use super::view::View;
use super::{ground, lines};

/// Most things of a page that are looked at.
const THINGS: usize = 50_000;
/// Most steps of a path that are looked at.
const SEGMENTS: i32 = 10_000;
/// Deepest nesting of forms that is looked into.
const DEPTH: u8 = 8;
/// The least extent of a picture, points: less is a line or a dot.
const LEAST: f32 = 3.0;

/// What is drawn on a page beside text.
#[derive(Default)]
pub(super) struct Things {
    pub(super) strokes: Vec<Stroke>,
    pub(super) fills: Vec<Rect>,
    pub(super) pictures: Vec<Picture>,
    /// All of that as it looks, in the order in which it is drawn.
    pub(super) drawings: Vec<Drawn>,
    /// What the document says of pieces of text that forms draw, by their addresses: it is said of the form.
    pub(super) tags: HashMap<usize, Tag>,
    /// What each picture is drawn with, for as long as the page is open, and how it is shown.
    pub(super) objects: Vec<(FPDF_PAGEOBJECT, View)>,
    /// Whether there is more than is looked at.
    pub(super) is_cut: bool,
    /// Whether more is drawn, as it looks, than is told.
    pub(super) draws_more: bool,
}

/// That of a page; its pictures are counted from `pictures` on. `is_tagged` is whether the document says what things are.
pub(super) fn on(leaf: &Leaf<'_>, place: &Place, pictures: usize, is_tagged: bool) -> Things {
    let mut walk = Walk {
        leaf,
        area: place.area(),
        found: Things::default(),
        dots: Vec::new(),
        pale: Vec::new(),
        pictures,
        is_tagged,
        left: THINGS,
        steps: ground::STEPS,
        shown: 0,
    };
    let map = place.after(Matrix::SAME);
    walk.within(
        None,
        Around {
            tag: None,
            map,
            seen: Some(walk.area),
        },
        DEPTH,
    );
    walk.finish()
}

struct Walk<'a> {
    leaf: &'a Leaf<'a>,
    area: Rect,
    found: Things,
    /// Small circles, which bullets are: apart from areas, of which some show white lines.
    dots: Vec<Rect>,
    /// Lines as white as paper, which are seen on coloured areas only.
    pale: Vec<Stroke>,
    pictures: usize,
    is_tagged: bool,
    left: usize,
    /// How many steps of outlines may still be told.
    steps: usize,
    /// How many of the drawings are pictures.
    shown: usize,
}

/// What is around the things of a page or of a form.
#[derive(Clone, Copy)]
struct Around {
    /// What the document says of them all, if it says that of the form.
    tag: Option<Tag>,
    map: Matrix,
    /// The part of the page in which they are seen, as far as upright rectangles tell; none where that is nowhere.
    seen: Option<Rect>,
}

impl Things {
    /// Keeps some of its pictures.
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

impl Walk<'_> {
    fn within(&mut self, form: Option<FPDF_PAGEOBJECT>, around: Around, depth: u8) {
        let Around { tag, map, .. } = around;
        for index in 0..self.leaf.things(form) {
            let Some(left) = self.left.checked_sub(1) else {
                self.found.is_cut = true;
                return;
            };
            self.left = left;
            match self.leaf.thing(form, index) {
                Drawing::Shape(shape, own) => self.shape(&shape, own.then(map), around),
                Drawing::Picture(picture, own) => {
                    let tag = tag.unwrap_or_else(|| self.tag(picture));
                    let seen = self.seen(picture, around);
                    self.picture(picture, tag, own.then(map), seen);
                }
                Drawing::Form(inner, own) if depth > 0 => {
                    let around = Around {
                        tag: Some(tag.unwrap_or_else(|| self.tag(inner))),
                        map: own.then(map),
                        seen: self.seen(inner, around),
                    };
                    self.within(Some(inner), around, depth - 1);
                }
                Drawing::Text(text) => self.found.tags.extend(tag.map(|tag| (text.addr(), tag))),
                Drawing::Form(..) => self.found.is_cut = true,
                Drawing::Other => {}
            }
        }
    }

    fn tag(&self, thing: FPDF_PAGEOBJECT) -> Tag {
        match self.is_tagged {
            true => self.leaf.tag(thing),
            false => Tag::None,
        }
    }

    fn picture(&mut self, object: FPDF_PAGEOBJECT, tag: Tag, map: Matrix, seen: Option<Rect>) {
        let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)];
        let corners = corners.map(|corner| shown(map, corner));
        let Some(whole) = Rect::around(corners.map(|corner| Rect::between(corner, corner))) else {
            return;
        };
        let Some(bounds) = whole.within(&self.area) else {
            return;
        };
        if bounds.width() >= LEAST && bounds.height() >= LEAST {
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

    fn shape(&mut self, shape: &Shape, map: Matrix, around: Around) {
        if shape.fill.is_none() && shape.line.is_none() {
            return;
        }
        let is_long = shape.segments > SEGMENTS;
        self.found.is_cut |= is_long;
        let segments = (0..shape.segments.min(SEGMENTS))
            .filter_map(|index| self.leaf.segment(shape, index))
            .flat_map(|(segment, closing)| [Some(segment), closing])
            .flatten();
        let segments: Vec<Segment> = segments.collect();
        let outlines = lines::outlines(segments.iter().copied(), map);
        let (_, scale) = map.extent();
        let scale = narrow(scale);
        match self.seen(shape.object, around) {
            Some(seen) if !is_long => match ground::areas(shape, &outlines, scale) {
                Some(areas) => {
                    let areas = areas.into_iter();
                    let areas = areas.filter_map(|area| ground::within(area, &seen));
                    areas.for_each(|area| self.draw(Drawn::Area(area)));
                }
                None => self.outlined(ground::outlined(shape, &segments, map, scale), seen),
            },
            _ => {}
        }
        if let Some((colour, width)) = shape.line {
            let drawn = outlines
                .iter()
                .flat_map(|outline| outline.edges(width * scale));
            let drawn: Vec<_> = drawn.collect();
            self.strokes(drawn, colour);
        }
        if let Some(colour) = shape.fill {
            self.filled(&outlines, colour);
        }
    }

    fn outlined(&mut self, shape: layout::Shape, seen: Rect) {
        match self.steps.checked_sub(shape.steps.len()) {
            Some(left) => {
                self.steps = left;
                self.draw(Drawn::Shape(shape, seen));
            }
            None => self.found.draws_more = true,
        }
    }

    /// Takes a drawing; pictures, which are as many as their things, whatever else there is.
    fn draw(&mut self, drawing: Drawn) {
        let others = self.found.drawings.len() - self.shown;
        let is_picture = matches!(drawing, Drawn::Picture(..));
        self.shown += usize::from(is_picture);
        match is_picture || others < ground::DRAWINGS {
            true => self.found.drawings.push(drawing),
            false => self.found.draws_more = true,
        }
    }

    /// The part of the page in which something is seen that is drawn there or in a form.
    fn seen(&self, object: FPDF_PAGEOBJECT, around: Around) -> Option<Rect> {
        let mut seen = around.seen?;
        for corners in self.leaf.clips(object) {
            let corners = corners.map(|corner| shown(around.map, corner));
            let corners = corners.map(|corner| Rect::between(corner, corner));
            seen = seen.within(&Rect::around(corners)?)?;
        }
        Some(seen)
    }

    fn filled(&mut self, outlines: &[lines::Outline], colour: [u8; 3]) {
        let dots = outlines.iter().filter_map(lines::Outline::dot);
        let dots = dots.filter(|_| !is_white(colour));
        let dots = dots.filter_map(|dot| dot.within(&self.area));
        self.dots.extend(dots);
        for area in outlines.iter().filter_map(lines::Outline::area) {
            match lines::as_stroke(area) {
                Some(stroke) => self.strokes(vec![stroke], colour),
                None if is_white(colour) => {}
                None => self.found.fills.extend(area.within(&self.area)),
            }
        }
    }

    fn strokes(&mut self, strokes: Vec<Stroke>, colour: [u8; 3]) {
        let area = self.area;
        let strokes = strokes.into_iter();
        let strokes = strokes.filter_map(|stroke| stroke.bounds.within(&area));
        let strokes = strokes.map(|bounds| Stroke { bounds });
        match is_white(colour) {
            true => self.pale.extend(strokes),
            false => self.found.strokes.extend(strokes),
        }
    }

    fn finish(self) -> Things {
        let Self {
            mut found,
            mut dots,
            mut pale,
            ..
        } = self;
        // A few coloured areas are a design; more are looked through only as far as time allows.
        let fills = found
            .fills
            .get(..found.fills.len().min(200))
            .unwrap_or_default();
        pale.retain(|stroke| {
            fills
                .iter()
                .any(|fill| fill.contains(stroke.bounds.centre()))
        });
        found.strokes.append(&mut pale);
        found.fills.append(&mut dots);
        found.drawings = ground::seen(std::mem::take(&mut found.drawings), &found.pictures);
        found
    }
}
