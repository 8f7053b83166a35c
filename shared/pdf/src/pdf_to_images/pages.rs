//! Renders the pages of a document one after the other.

use domain::format::Format;
use pdfium_render::prelude::{PdfBitmapFormat, PdfDocument, PdfPage, PdfRenderConfig};
use task::{TaskError, TaskResult};

use super::encode::Raster;
use super::settings::ImageSettings;
use super::unrendered::has_unrenderable_image;
use crate::pdfium;

/// The pages of a document.
pub(super) struct Pages<'a, 'b> {
    document: &'a PdfDocument<'b>,
    settings: ImageSettings,
    unrendered: Vec<u32>,
}

impl<'a, 'b> Pages<'a, 'b> {
    /// Creates a renderer with these settings.
    pub(super) fn new(document: &'a PdfDocument<'b>, settings: ImageSettings) -> Self {
        Self {
            document,
            settings,
            unrendered: Vec::new(),
        }
    }

    /// Renders a page, counted from 1, at this size in pixels.
    pub(super) fn render(&mut self, number: u32, sides: (u32, u32)) -> TaskResult<Vec<u8>> {
        let index = i32::try_from(number).map_err(|_| TaskError::input_corrupt())? - 1;
        let page = self.document.pages().get(index);
        let page = page.map_err(pdfium::load_error)?;
        let raster = rasterize(&page, sides)?;
        if has_unrenderable_image(&page) {
            self.unrendered.push(number);
        }
        match self.settings.format {
            Format::Jpeg => raster.jpeg(self.settings.quality),
            Format::Webp => raster.webp(self.settings.quality),
            _ => raster.png(),
        }
    }

    /// Returns the numbers, from 1, of rendered pages with a missing image.
    pub(super) fn unrendered(self) -> Vec<u32> {
        self.unrendered
    }
}

fn rasterize(page: &PdfPage<'_>, (width, height): (u32, u32)) -> TaskResult<Raster> {
    let side = |pixels: u32| i32::try_from(pixels).map_err(|_| TaskError::input_corrupt());
    let config = PdfRenderConfig::new()
        .set_fixed_size(side(width)?, side(height)?)
        .set_format(PdfBitmapFormat::BGR)
        .set_reverse_byte_order(true)
        .render_annotations(true)
        .render_form_data(true);
    let bitmap = page
        .render_with_config(&config)
        .map_err(pdfium::load_error)?;
    Raster::new(bitmap.as_raw_bytes(), width, height).ok_or_else(TaskError::input_corrupt)
}
