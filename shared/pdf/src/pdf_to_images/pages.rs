//! Draws the pages of a document, one after the other.

use domain::format::Format;
use pdfium_render::prelude::{PdfBitmapFormat, PdfDocument, PdfPage, PdfRenderConfig};
use task::{Fault, Outcome};

use super::asked::Asked;
use super::encode::Raster;
use super::undrawn::has_undrawn_image;
use crate::pdfium;

/// The pages of a document.
pub(super) struct Pages<'a, 'b> {
    document: &'a PdfDocument<'b>,
    asked: Asked,
    undrawn: Vec<u32>,
}

impl<'a, 'b> Pages<'a, 'b> {
    /// The pages of a document, to become such pictures.
    pub(super) fn new(document: &'a PdfDocument<'b>, asked: Asked) -> Self {
        Self {
            document,
            asked,
            undrawn: Vec::new(),
        }
    }

    /// Draws the page of a number, from 1, with these sides.
    pub(super) fn picture(&mut self, number: u32, sides: (u32, u32)) -> Outcome<Vec<u8>> {
        let index = i32::try_from(number).map_err(|_| Fault::corrupt())? - 1;
        let page = self.document.pages().get(index);
        let page = page.map_err(pdfium::fault)?;
        let raster = draw(&page, sides)?;
        if has_undrawn_image(&page) {
            self.undrawn.push(number);
        }
        match self.asked.format {
            Format::Jpeg => raster.jpeg(self.asked.quality),
            Format::Webp => raster.webp(self.asked.quality),
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
