//! PDF to PNG or JPEG: a picture of each page, 150 pixels an inch on white, with annotations and filled-in forms.
//!
//! One page becomes the picture itself, several become a ZIP archive that stores them in order.

mod encode;
mod pages;
mod undrawn;

use domain::format::{Category, Format};
use pdfium_render::prelude::PdfDocument;

use self::pages::Pages;
use super::{Module, PDF_PAGE, Run, converts, limits};
use crate::archive::Archive;
use crate::fault::{Fault, Outcome};
use crate::installed::linked;
use crate::pdfium;
use crate::progress::Teller;
use crate::remark::Remark;
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
    limits: limits(90, 1024),
    a_page: PDF_PAGE,
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
    let mut pages = Pages::new(&document, task.to);
    let entries = match sides.as_slice() {
        [side] => single(task, &mut pages, *side)?,
        _ => archive(task, &mut pages, &sides)?,
    };
    let undrawn = pages.undrawn();
    let remark = (!undrawn.is_empty()).then_some(Remark::ImageNotDrawn(undrawn));
    Ok(Product {
        pages: u32::try_from(sides.len()).ok(),
        entries,
        sides,
        remarks: Vec::from_iter(remark),
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

fn single(task: &Task, pages: &mut Pages<'_, '_>, sides: (u32, u32)) -> Outcome<Vec<u64>> {
    std::fs::write(task.output(), pages.picture(0, sides)?)?;
    Ok(Vec::new())
}

fn archive(task: &Task, pages: &mut Pages<'_, '_>, sides: &[(u32, u32)]) -> Outcome<Vec<u64>> {
    let mut archive = Archive::begin(task)?;
    let mut teller = Teller::begin(&task.scratch);
    for (index, page) in sides.iter().enumerate() {
        archive.add(pages.picture(index, *page)?.as_slice())?;
        teller.tell(index + 1, sides.len());
    }
    archive.finish()
}
