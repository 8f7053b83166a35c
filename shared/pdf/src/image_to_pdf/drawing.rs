//! Draws an SVG on a PDF page with krilla: paths stay vectors, text stays text in embedded fonts.
//!
//! The crate `krilla-svg` does the same for an older usvg; the mapping of clip paths, masks and paints follows it. What PDF
//! cannot express (filters, repeated radial gradients) becomes a picture in its place.

mod clip;
mod geometry;
mod group;
mod paint;
mod picture;
mod text;
mod words;

use krilla::configure::{Configuration, ConfigurationBuilder, PdfVersion};
use krilla::error::KrillaError;
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::FillRule;
use krilla::surface::Surface;
use krilla::{Document, SerializeSettings};
use resvg::tiny_skia::Transform;
use resvg::usvg::{self, Tree};
use task::{TaskError, TaskResult};

use self::text::Fonts;
pub(super) use self::words::words;

/// State of a drawing.
struct Drawing {
    fonts: Fonts,
    /// Number of pixels that pictures of filters may still have.
    pixels: f32,
    /// Number of words that are shapes or pixels.
    words: u32,
}

/// A drawing on a PDF page.
pub(super) struct Drawn {
    pub(super) file: Vec<u8>,
    /// Number of words that are shapes or pixels, which cannot be searched.
    pub(super) words: u32,
}

impl Drawing {
    /// Draws a group, for content that contains one: clip paths, patterns, nested drawings, outlines of text.
    fn group(&mut self, group: &usvg::Group, surface: &mut Surface<'_>) {
        group::draw(group, surface, self);
    }

    /// Draws a path, unless it is hidden.
    fn path(&mut self, path: &usvg::Path, surface: &mut Surface<'_>) {
        group::draw_path(path, surface, self);
    }
}

/// Converts an opacity.
fn opacity(opacity: usvg::Opacity) -> NormalizedF32 {
    NormalizedF32::new(opacity.get()).unwrap_or(NormalizedF32::ONE)
}

/// How text is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextStyle {
    Fonts,
    Outlines,
}

/// Returns a PDF with one page of these sides in points, or `None` if krilla cannot write the drawing. Text whose font cannot
/// be embedded becomes outlines.
///
/// # Errors
/// [`TaskError::Document`] if the page size is invalid.
pub(super) fn draw(tree: &Tree, sides: (f32, f32)) -> TaskResult<Option<Drawn>> {
    match draw_with(tree, sides, TextStyle::Fonts)? {
        Err(KrillaError::Font(..)) => Ok(draw_with(tree, sides, TextStyle::Outlines)?.ok()),
        result => Ok(result.ok()),
    }
}

fn draw_with(
    tree: &Tree,
    (width, height): (f32, f32),
    text: TextStyle,
) -> TaskResult<Result<Drawn, KrillaError>> {
    let settings = PageSettings::from_wh(width, height).ok_or_else(TaskError::input_corrupt)?;
    let mut document = Document::new_with(SerializeSettings {
        xmp_metadata: false,
        enable_tagging: false,
        configuration: configuration(),
        ..SerializeSettings::default()
    });
    document.set_metadata(Metadata::new().producer("Octavo".to_owned()));
    let mut drawing = Drawing {
        fonts: Fonts::new(tree.fontdb().clone(), text),
        pixels: super::MAX_SVG_PIXELS,
        words: 0,
    };
    let size = tree.size();
    let scale = Transform::from_scale(width / size.width(), height / size.height());
    let mut page = document.start_page_with(settings);
    let mut surface = page.surface();
    surface.push_transform(&geometry::transform(scale));
    let clip = geometry::rectangle(size.to_rect(0.0, 0.0));
    if let Some(clip) = &clip {
        surface.push_clip_path(clip, &FillRule::NonZero);
    }
    group::draw(tree.root(), &mut surface, &mut drawing);
    if clip.is_some() {
        surface.pop();
    }
    surface.pop();
    surface.finish();
    page.finish();
    let words = drawing.words;
    Ok(document.finish().map(|file| Drawn { file, words }))
}

fn configuration() -> Configuration {
    let builder = ConfigurationBuilder::new().with_version(PdfVersion::Pdf17);
    builder.finish().unwrap_or_default()
}
