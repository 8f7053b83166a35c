//! Draws the pages of a document, one after the other.

use domain::format::Format;
use pdfium_render::prelude::{PdfBitmapFormat, PdfDocument, PdfPage, PdfRenderConfig};

use super::encode::Raster;
use super::undrawn::has_undrawn_image;
use crate::fault::{Fault, Outcome};
use crate::pdfium;

/// The pages of a document.
pub(super) struct Pages<'a, 'b> {
    document: &'a PdfDocument<'b>,
    format: Format,
    undrawn: Vec<u32>,
}

impl<'a, 'b> Pages<'a, 'b> {
    /// The pages of a document, to become pictures of this format.
    pub(super) fn new(document: &'a PdfDocument<'b>, format: Format) -> Self {
        Self {
            document,
            format,
            undrawn: Vec::new(),
        }
    }

    /// Draws the page at an index with these sides.
    pub(super) fn picture(&mut self, index: usize, sides: (u32, u32)) -> Outcome<Vec<u8>> {
        let number = i32::try_from(index).map_err(|_| Fault::corrupt())?;
        let page = self.document.pages().get(number);
        let page = page.map_err(pdfium::fault)?;
        let raster = draw(&page, sides)?;
        if has_undrawn_image(&page) {
            self.undrawn.extend(u32::try_from(index + 1));
        }
        match self.format {
            Format::Jpeg => raster.jpeg(),
            _ => raster.png(),
        }
    }

    /// The numbers, from 1, of the pages so far on which an image is missing.
    pub(super) fn undrawn(self) -> Vec<u32> {
        self.undrawn
    }
}

fn draw(page: &PdfPage<'_>, (width, height): (u32, u32)) -> Outcome<Raster> {
    let side = |pixels: u32| i32::try_from(pixels).map_err(|_| Fault::corrupt());
    let config = PdfRenderConfig::new()
        .set_fixed_size(side(width)?, side(height)?)
        .set_format(PdfBitmapFormat::BGR)
        .set_reverse_byte_order(true)
        .render_annotations(true)
        .render_form_data(true);
    let bitmap = page.render_with_config(&config).map_err(pdfium::fault)?;
    Raster::new(bitmap.as_raw_bytes(), width, height).ok_or_else(Fault::corrupt)
}
