//! What is drawn on a sheet under its text, but for lines that mark text.

use std::collections::HashSet;

use super::alternatives::Alternatives;
use super::cut;
use crate::analysis::glyph::Glyph;
use crate::analysis::{clean, marks};
use crate::model::fixed::{Area, Figure, Graphic};
use crate::model::geometry::Rect;
use crate::model::page_content::{Drawing, PageContent, Stroke};

/// Most areas and shapes of a page that are kept, and most pictures.
const THINGS: usize = 10_000;
/// Up to how thick an area may be that is drawn under or through text, points.
const THICKEST: f32 = 4.0;
/// What of a picture may be cut off unnoticed, in parts of it: where it ends and where it is cut are told by numbers that
/// were rounded apart.
const UNNOTICED: f32 = 0.002;

/// What is drawn on a page beside text.
pub(super) struct Backdrop {
    pub(super) seen: Vec<Graphic>,
    /// Whether there is more.
    pub(super) is_cut: bool,
}

/// That of a sheet.
pub(super) fn of(sheet: &PageContent, page: &Rect) -> Backdrop {
    let mut words = Alternatives::of(&sheet.structure);
    let (mut pictures, mut others) = (0, 0);
    let drawings = sheet.drawings.iter().filter(|drawing| {
        let count = match drawing {
            Drawing::Picture(..) => &mut pictures,
            Drawing::Area(_) | Drawing::Shape(..) => &mut others,
        };
        *count += 1;
        *count <= THINGS
    });
    let seen = drawings.flat_map(|drawing| match drawing {
        Drawing::Area(area) => area_on(page, area).into_iter().collect(),
        Drawing::Shape(shape, seen) => {
            let parts = clean::on(page, seen).map(|seen| cut::within(shape, &seen));
            let parts = parts.unwrap_or_default().into_iter();
            parts.map(Graphic::Shape).collect()
        }
        Drawing::Picture(picture, seen) => figure(sheet, page, *picture, seen, &mut words)
            .map(Graphic::Figure)
            .into_iter()
            .collect::<Vec<_>>(),
    });
    let seen = seen.collect();
    Backdrop {
        seen,
        is_cut: sheet.draws_more || pictures.max(others) > THINGS,
    }
}

fn area_on(page: &Rect, area: &Area) -> Option<Graphic> {
    Some(Graphic::Area(Area {
        bounds: clean::on(page, &area.bounds)?,
        colour: area.colour,
    }))
}

fn figure(
    sheet: &PageContent,
    page: &Rect,
    picture: usize,
    seen: &Rect,
    words: &mut Alternatives<'_>,
) -> Option<Figure> {
    let picture = sheet.pictures.get(picture)?;
    let whole = clean::on(page, &picture.bounds)?;
    let bounds = clean::on(&whole, seen)?;
    let near = UNNOTICED * whole.width().max(whole.height());
    let gaps = [
        bounds.left - whole.left,
        bounds.top - whole.top,
        whole.right - bounds.right,
        whole.bottom - bounds.bottom,
    ];
    let is_whole = gaps.iter().all(|gap| *gap <= near);
    Some(Figure {
        bounds: if is_whole { whole } else { bounds },
        image: picture.image,
        whole: (!is_whole).then_some(whole),
        alternative: words.take(picture.tag),
    })
}

impl Backdrop {
    /// Takes its pictures away, and tells where they were.
    pub(super) fn take_pictures(&mut self) -> Vec<Rect> {
        let mut places = Vec::new();
        self.seen.retain(|drawn| match drawn {
            Graphic::Figure(figure) => {
                places.push(figure.bounds);
                false
            }
            Graphic::Area(_) | Graphic::Shape(_) => true,
        });
        places
    }

    /// Marks text that thin areas are drawn under or through, and keeps those that mark none.
    pub(super) fn mark(&mut self, glyphs: &mut [Glyph]) {
        let strokes = self.seen.iter().filter_map(thin);
        let strokes = strokes.map(|bounds| Stroke { bounds: *bounds });
        let strokes: Vec<Stroke> = strokes.collect();
        if strokes.is_empty() {
            return;
        }
        let rest = marks::underline(glyphs, strokes, true);
        let rest: HashSet<_> = rest.iter().map(|stroke| edges(&stroke.bounds)).collect();
        self.seen
            .retain(|drawn| thin(drawn).is_none_or(|bounds| rest.contains(&edges(bounds))));
    }
}

/// Where an area is that may mark text.
fn thin(drawn: &Graphic) -> Option<&Rect> {
    match drawn {
        Graphic::Area(Area { bounds, .. })
            if bounds.height() <= THICKEST && bounds.width() >= bounds.height() =>
        {
            Some(bounds)
        }
        _ => None,
    }
}

/// A place as something that can be looked up.
fn edges(bounds: &Rect) -> [u32; 4] {
    [bounds.left, bounds.top, bounds.right, bounds.bottom].map(f32::to_bits)
}
