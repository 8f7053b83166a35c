//! Graphics below the text of a page, except for underlines and strikethroughs.

use std::collections::HashSet;

use super::alternatives::Alternatives;
use super::cut;
use crate::analysis::glyphs::clean;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::marks;
use crate::model::fixed::{Area, Figure, Graphic};
use crate::model::geometry::Rect;
use crate::model::page_content::{Drawing, PageContent, Stroke};

/// Maximum number of areas and shapes of a page, and of pictures.
const THINGS: usize = 10_000;
/// Maximum thickness of an underline or strikethrough, points.
const THICKEST: f32 = 4.0;
/// Part of a picture that may be clipped without notice: its bounds and the clipping rectangle are rounded independently.
const UNNOTICED: f32 = 0.002;

/// Graphics of a page.
pub(super) struct Backdrop {
    pub(super) seen: Vec<Graphic>,
    /// Whether some were dropped.
    pub(super) is_truncated: bool,
}

/// Returns the graphics of a page.
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
        is_truncated: sheet.has_more_drawings || pictures.max(others) > THINGS,
    }
}

fn area_on(page: &Rect, area: &Area) -> Option<Graphic> {
    Some(Graphic::Area(Area {
        bounds: clean::on(page, &area.bounds)?,
        color: area.color,
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
    /// Removes the pictures and returns their bounds.
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

    /// Marks text with underlines and strikethroughs, and keeps all other graphics.
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

/// Returns the bounds of an area that may be an underline or strikethrough.
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

/// Returns the bounds as a hash key.
fn edges(bounds: &Rect) -> [u32; 4] {
    [bounds.left, bounds.top, bounds.right, bounds.bottom].map(f32::to_bits)
}
