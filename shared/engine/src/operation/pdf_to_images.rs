//! PDF to PNG or JPEG: a picture of each page, 150 pixels an inch on white, with annotations and filled-in forms.
//!
//! One page becomes the picture itself, several become a ZIP archive that stores them in order.

mod encode;

use std::fs::File;
use std::io::{BufWriter, Write};

use domain::format::{Category, Format};
use pdfium_render::prelude::{PdfBitmapFormat, PdfDocument, PdfPage, PdfRenderConfig};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use self::encode::Raster;
use super::{Module, Run, converts, limits};
use crate::fault::{Fault, Outcome};
use crate::installed::linked;
use crate::pdfium;
use crate::progress::Teller;
use crate::task::{Inspection, Product, Task};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        converts(
            operation,
            from,
            &[Category::Pdf],
            &[Format::Png, Format::Jpeg],
        )
    },
    limits: limits(110, 1024),
    run: Run::Child(run),
    verify: verify::page_images,
    fingerprint: |installed, to| {
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        match to {
            Format::Jpeg => format!("{pdfium} {}", linked::MOZJPEG),
            _ => format!("{pdfium} {}", linked::PNG),
        }
    },
};

/// Most pixels of the picture of one page.
const PIXELS: u64 = 100_000_000;

fn run(task: &Task, _: &Inspection) -> Outcome<Product> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let sides = page_sides(&document)?;
    let output = BufWriter::new(File::create(task.output())?);
    let entries = match sides.as_slice() {
        [side] => single(task, &document, *side, output)?,
        _ => archive(task, &document, &sides, output)?,
    };
    Ok(Product {
        pages: u32::try_from(sides.len()).ok(),
        entries,
        sides,
        ..Product::default()
    })
}

/// Width and height in pixels of every page's picture, known before any is made.
pub(crate) fn page_sides(document: &PdfDocument<'_>) -> Outcome<Vec<(u32, u32)>> {
    let sizes = document.pages().page_sizes().map_err(pdfium::fault)?;
    sizes
        .iter()
        .map(|size| {
            let sides = (
                pdfium::pixels(size.width().value),
                pdfium::pixels(size.height().value),
            );
            let (width, height) = (u64::from(sides.0), u64::from(sides.1));
            match width * height {
                0..=PIXELS => Ok(sides),
                _ => Err(Fault::too_large(
                    "A page is larger than 100 megapixels at 150 pixels an inch.",
                )),
            }
        })
        .collect()
}

fn single(
    task: &Task,
    document: &PdfDocument<'_>,
    sides: (u32, u32),
    mut output: impl Write,
) -> Outcome<Vec<u64>> {
    let page = document.pages().get(0).map_err(pdfium::fault)?;
    output.write_all(&picture(&page, sides, task.to)?)?;
    output.flush()?;
    Ok(Vec::new())
}

fn archive(
    task: &Task,
    document: &PdfDocument<'_>,
    sides: &[(u32, u32)],
    output: impl Write + std::io::Seek,
) -> Outcome<Vec<u64>> {
    let mut zip = ZipWriter::new(output);
    // Pictures are compressed already, and a date would differ from run to run.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default());
    let mut teller = Teller::begin(&task.scratch);
    let mut entries = Vec::new();
    for (index, sides) in sides.iter().enumerate() {
        let number = i32::try_from(index).map_err(|_| Fault::corrupt())?;
        let page = document.pages().get(number).map_err(pdfium::fault)?;
        let picture = picture(&page, *sides, task.to)?;
        zip.start_file(task.entry_name(index + 1), options)
            .map_err(zip_fault)?;
        zip.write_all(&picture)?;
        entries.push(picture.len() as u64);
        teller.tell(index + 1, document.pages().len().try_into().unwrap_or(1));
    }
    zip.finish().map_err(zip_fault)?.flush()?;
    Ok(entries)
}

fn zip_fault(error: zip::result::ZipError) -> Fault {
    match error {
        zip::result::ZipError::Io(error) => Fault::Io(error),
        other => Fault::Io(std::io::Error::other(other)),
    }
}

fn picture(page: &PdfPage<'_>, (width, height): (u32, u32), format: Format) -> Outcome<Vec<u8>> {
    let side = |pixels: u32| i32::try_from(pixels).map_err(|_| Fault::corrupt());
    let config = PdfRenderConfig::new()
        .set_fixed_size(side(width)?, side(height)?)
        .set_format(PdfBitmapFormat::BGR)
        .set_reverse_byte_order(true)
        .render_annotations(true)
        .render_form_data(true);
    let bitmap = page.render_with_config(&config).map_err(pdfium::fault)?;
    let raster = Raster::new(bitmap.as_raw_bytes(), width, height).ok_or_else(Fault::corrupt)?;
    match format {
        Format::Jpeg => raster.jpeg(),
        _ => raster.png(),
    }
}
