//! PDF to PNG, JPEG or WebP: renders each page at 150 pixels per inch or the requested resolution, on white, with annotations
//! and form fields.
//!
//! One page becomes an image file; several pages become a ZIP archive of images in page order, without compression.

mod encode;
mod pages;
mod settings;
mod unrendered;

use task::page_selection::pages_to_convert;
use task::progress::ProgressWriter;
use task::{Inspection, Product, Task, TaskResult, Warning};

use self::pages::Pages;
use self::settings::{ImageSettings, sides};
use crate::archive::Archive;
use crate::pdfium;
use crate::qpdf::QpdfDocument;

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let numbers = pages_to_convert(&task.operation, inspection.pages.unwrap_or(0))?;
    let asked = ImageSettings::of(task);
    let units = match inspection.uses_user_unit {
        true => QpdfDocument::open(&task.readable())?.units(inspection.pages.unwrap_or(0)),
        false => Vec::new(),
    };
    let sizes = sides((&document, &units), &numbers, &asked)?;
    let mut pages = Pages::new(&document, asked);
    let rendered: Vec<_> = numbers.iter().copied().zip(sizes.sides.clone()).collect();
    let entries = match rendered.as_slice() {
        [(number, sides)] => single(task, &mut pages, *number, *sides)?,
        _ => archive(task, &mut pages, &rendered)?,
    };
    let unrendered = pages.unrendered();
    let unrendered = (!unrendered.is_empty()).then_some(Warning::ImageNotRendered(unrendered));
    let limited = sizes.limited();
    Ok(Product {
        pages: u32::try_from(rendered.len()).ok(),
        entries,
        sides: sizes.sides,
        warnings: unrendered.into_iter().chain(limited).collect(),
        ..Product::default()
    })
}

fn single(
    task: &Task,
    pages: &mut Pages<'_, '_>,
    number: u32,
    sides: (u32, u32),
) -> TaskResult<Vec<u64>> {
    std::fs::write(task.output(), pages.render(number, sides)?)?;
    Ok(Vec::new())
}

fn archive(
    task: &Task,
    pages: &mut Pages<'_, '_>,
    rendered: &[(u32, (u32, u32))],
) -> TaskResult<Vec<u64>> {
    let mut archive = Archive::create(task)?;
    let mut progress = ProgressWriter::start(&task.scratch);
    for (index, (number, sides)) in rendered.iter().enumerate() {
        archive.add(pages.render(*number, *sides)?.as_slice())?;
        progress.report(index + 1, rendered.len());
    }
    archive.finish()
}
