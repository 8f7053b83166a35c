//! Draws text as glyphs of embedded fonts, which stays searchable, or as outlines where a font cannot be used.

use std::collections::HashMap;
use std::sync::Arc;

use krilla::color::rgb;
use krilla::geom::Point;
use krilla::num::NormalizedF32;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph, Tag};
use resvg::usvg::fontdb::{Database, ID};
use resvg::usvg::layout::{PositionedGlyph, Span};
use resvg::usvg::{self, FontOpticalSizing, PaintOrder, Transform};
use skrifa::{FontRef, MetadataProvider as _};

use super::{Drawing, TextStyle, geometry, paint, words};

/// Maximum distance of a glyph from the baseline of its run, in font sizes.
const BASELINE_TOLERANCE: f32 = 1e-3;

/// Assumed maximum advance of a glyph, in font sizes.
const MAX_ADVANCE: f32 = 2.0;

/// Draws a text with its decorations.
pub(super) fn draw(text: &usvg::Text, surface: &mut Surface<'_>, drawing: &mut Drawing) {
    let spans = text.layouted();
    let fonts: Option<Vec<Vec<Font>>> = spans
        .iter()
        .map(|span| drawing.fonts.of_span(span))
        .collect();
    let is_unsupported =
        |span: &Span| paint::is_unsupported(span.fill.as_ref(), span.stroke.as_ref());
    let Some(fonts) = fonts.filter(|_| !spans.iter().any(is_unsupported)) else {
        drawing.words = drawing.words.saturating_add(words::words_of(text));
        return drawing.group(text.flattened(), surface);
    };
    for (span, fonts) in spans.iter().zip(&fonts).filter(|(span, _)| span.visible) {
        for line in [&span.overline, &span.underline].into_iter().flatten() {
            drawing.path(line, surface);
        }
        for run in runs(span, fonts) {
            run.draw(span, surface, drawing);
        }
        if let Some(line) = &span.line_through {
            drawing.path(line, surface);
        }
    }
}

/// Glyphs of one font on one baseline.
struct Run {
    font: Font,
    /// From the baseline, in units of the text, to the user space.
    matrix: Transform,
    text: String,
    glyphs: Vec<KrillaGlyph>,
}

fn runs(span: &Span, fonts: &[Font]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let size = span.font_size.get();
    for (glyph, font) in span.positioned_glyphs.iter().zip(fonts) {
        let upem = font.units_per_em();
        let matrix = glyph.transform().pre_scale(upem / size, upem / size);
        let follows = runs.last_mut().filter(|run| run.font == *font);
        let position = follows.as_ref().and_then(|run| run.position(matrix, size));
        if let (Some(run), Some(x)) = (follows, position) {
            run.push(glyph, x / size);
            continue;
        }
        // A glyph without an invertible transform is invisible.
        if matrix.invert().is_some() {
            let mut run = Run {
                font: font.clone(),
                matrix,
                text: String::new(),
                glyphs: Vec::new(),
            };
            run.push(glyph, 0.0);
            runs.push(run);
        }
    }
    runs
}

impl Run {
    /// Returns where a glyph is on the baseline, or `None` if it is elsewhere or turned.
    fn position(&self, matrix: Transform, size: f32) -> Option<f32> {
        let relative = self.matrix.invert()?.pre_concat(matrix);
        let near = |a: f32, b: f32| (a - b).abs() <= BASELINE_TOLERANCE;
        let is_upright = near(relative.sx, 1.0)
            && near(relative.sy, 1.0)
            && near(relative.kx, 0.0)
            && near(relative.ky, 0.0)
            && near(relative.ty / size, 0.0);
        is_upright.then_some(relative.tx)
    }

    fn push(&mut self, glyph: &PositionedGlyph, x: f32) {
        let start = self.text.len();
        self.text.push_str(&glyph.text);
        // Positions are offsets from the start of the run; krilla takes the extent of a gradient from the last advance.
        if let Some(last) = self.glyphs.last_mut() {
            last.x_advance = 0.0;
        }
        self.glyphs.push(KrillaGlyph::new(
            GlyphId::new(glyph.id.0),
            MAX_ADVANCE,
            x,
            0.0,
            0.0,
            start..self.text.len(),
            None,
        ));
    }

    fn draw(&self, span: &Span, surface: &mut Surface<'_>, drawing: &mut Drawing) {
        let Some(inverse) = self.matrix.invert() else {
            return;
        };
        surface.push_transform(&geometry::transform(self.matrix));
        let fill = |surface: &mut Surface<'_>, drawing: &mut Drawing| {
            let fill = span.fill.as_ref();
            fill.map(|fill| paint::fill(fill, inverse, surface, drawing))
        };
        let stroke = |surface: &mut Surface<'_>, drawing: &mut Drawing| {
            let stroke = span.stroke.as_ref();
            stroke.map(|stroke| paint::stroke(stroke, inverse, surface, drawing))
        };
        let (fill, stroke) = (fill(surface, drawing), stroke(surface, drawing));
        let mut glyphs = |fill: Option<Fill>, stroke, outlined| {
            surface.set_fill(fill);
            surface.set_stroke(stroke);
            let (start, size) = (Point::from_xy(0.0, 0.0), span.font_size.get());
            let font = self.font.clone();
            surface.draw_glyphs(start, &self.glyphs, font, &self.text, size, outlined);
        };
        match (fill, stroke) {
            (None, None) => glyphs(Some(invisible()), None, false),
            // The stroke as outlines, so that the text is there once.
            (Some(fill), Some(stroke)) if span.paint_order == PaintOrder::StrokeAndFill => {
                glyphs(None, Some(stroke), true);
                glyphs(Some(fill), None, false);
            }
            (fill, stroke) => glyphs(fill, stroke, false),
        }
        surface.pop();
    }
}

/// Without a fill, krilla fills with black.
fn invisible() -> Fill {
    Fill {
        paint: rgb::Color::black().into(),
        opacity: NormalizedF32::ZERO,
        ..Fill::default()
    }
}

/// Identifies a font with its variations; coordinates are compared by their bits.
type Instance = (ID, Vec<([u8; 4], u32)>);

/// The fonts of a document.
pub(super) struct Fonts {
    database: Arc<Database>,
    style: TextStyle,
    loaded: HashMap<Instance, Option<Font>>,
    axes: HashMap<ID, Vec<[u8; 4]>>,
}

impl Fonts {
    /// Fonts from the database of a tree.
    pub(super) fn new(database: Arc<Database>, style: TextStyle) -> Self {
        Self {
            database,
            style,
            loaded: HashMap::new(),
            axes: HashMap::new(),
        }
    }

    /// Returns the font of each glyph, or `None` if a font is missing.
    fn of_span(&mut self, span: &Span) -> Option<Vec<Font>> {
        let glyphs = span.positioned_glyphs.iter();
        glyphs.map(|glyph| self.font(span, glyph.font)).collect()
    }

    fn font(&mut self, span: &Span, id: ID) -> Option<Font> {
        if self.style == TextStyle::Outlines {
            return None;
        }
        let instance = (id, self.variations(span, id));
        let database = &self.database;
        let load = |variations: &[([u8; 4], u32)]| {
            let coordinates: Vec<(Tag, f32)> = variations
                .iter()
                .map(|(tag, value)| (Tag::new(tag), f32::from_bits(*value)))
                .collect();
            database.with_face_data(id, |data, index| {
                Font::new_variable(data.to_vec().into(), index, &coordinates)
            })?
        };
        if let Some(font) = self.loaded.get(&instance) {
            return font.clone();
        }
        let font = load(&instance.1);
        self.loaded.insert(instance, font.clone());
        font
    }

    /// Returns the variations of a span that the font has, with the optical size.
    fn variations(&mut self, span: &Span, id: ID) -> Vec<([u8; 4], u32)> {
        const OPTICAL_SIZE: [u8; 4] = *b"opsz";
        let axes = self.axes.entry(id).or_insert_with(|| {
            let axes = self.database.with_face_data(id, |data, index| {
                let font = FontRef::from_index(data, index).ok()?;
                Some(
                    font.axes()
                        .iter()
                        .map(|axis| axis.tag().to_be_bytes())
                        .collect(),
                )
            });
            axes.flatten().unwrap_or_default()
        });
        let mut variations: Vec<_> = span
            .variations
            .iter()
            .map(|variation| (variation.tag, variation.value.to_bits()))
            .collect();
        if span.font_optical_sizing == FontOpticalSizing::Auto
            && !variations.iter().any(|(tag, _)| *tag == OPTICAL_SIZE)
        {
            variations.push((OPTICAL_SIZE, span.font_size.get().to_bits()));
        }
        variations.retain(|(tag, _)| axes.contains(tag));
        variations
    }
}
