//! A page as displayed, at the resolution at which pages are compared.

use image::RgbImage;
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfPoints, PdfRect, PdfRenderConfig};
use task::comparison::Area;
use task::{TaskError, TaskResult};

use crate::pdfium;

/// Resolution in pixels per inch: a letter of 10 points is about ten pixels wide.
const RESOLUTION: f32 = 150.0;
/// Maximum side of a rendered page in pixels. Larger pages are rendered at a lower resolution.
const MAX_SIDE: f32 = 3_000.0;

/// A page of a document.
pub(super) struct View<'d> {
    pub(super) page: PdfPage<'d>,
    /// Pixels per point.
    pub(super) scale: f32,
    config: PdfRenderConfig,
}

impl<'d> View<'d> {
    /// Loads a page by its number, from 1.
    pub(super) fn of(document: &PdfDocument<'d>, number: u32) -> TaskResult<Self> {
        let index = i32::try_from(number).map_err(|_| TaskError::input_corrupt())? - 1;
        let page = document.pages().get(index).map_err(pdfium::load_error)?;
        let (width, height) = (page.width().value, page.height().value);
        let longest = width.max(height).max(1.0);
        let scale = (RESOLUTION / pdfium::POINTS).min(MAX_SIDE / longest);
        let side = |points: f32| pdfium::pixels(points, scale * pdfium::POINTS);
        let side =
            |points: f32| i32::try_from(side(points)).map_err(|_| TaskError::input_corrupt());
        let config = PdfRenderConfig::new()
            .set_fixed_size(side(width)?, side(height)?)
            .render_annotations(true)
            .render_form_data(true);
        Ok(Self {
            page,
            scale,
            config,
        })
    }

    /// Renders the page on white.
    pub(super) fn render(&self) -> TaskResult<RgbImage> {
        let rendered = self.page.render_with_config(&self.config);
        let image = rendered.map_err(pdfium::load_error)?.as_image();
        Ok(image.map_err(pdfium::load_error)?.into_rgb8())
    }

    /// Where a rectangle of the page's user space is displayed.
    pub(super) fn area(&self, rectangle: &PdfRect) -> Option<Area> {
        let corner = |x: PdfPoints, y: PdfPoints| {
            let (x, y) = self.page.points_to_pixels(x, y, &self.config).ok()?;
            Some((self.points(x), self.points(y)))
        };
        let one = corner(rectangle.left(), rectangle.bottom())?;
        let other = corner(rectangle.right(), rectangle.top())?;
        Some(Area {
            left: one.0.min(other.0),
            top: one.1.min(other.1),
            right: one.0.max(other.0),
            bottom: one.1.max(other.1),
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "at most a few thousand pixels")]
    fn points(&self, pixels: i32) -> f32 {
        pixels as f32 / self.scale
    }
}
