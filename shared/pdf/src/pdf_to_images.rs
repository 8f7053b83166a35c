//! PDF to PNG, JPEG or WebP: a picture of each page, 150 pixels an inch or as many as asked for, on white, with annotations
//! and filled-in forms.
//!
//! One page becomes the picture itself, several become a ZIP archive that stores them in order.

mod asked;
mod encode;
mod pages;
mod undrawn;

use task::arrangement::chosen;
use task::progress::Teller;
use task::{Inspection, Outcome, Product, Remark, Task};

use self::asked::{Asked, sides};
use self::pages::Pages;
use crate::archive::Archive;
use crate::pdfium;
use crate::qpdf::Held;

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let numbers = chosen(&task.operation, inspection.pages.unwrap_or(0))?;
    let asked = Asked::of(task);
    let units = match inspection.scaled {
        true => Held::open(&task.readable())?.units(inspection.pages.unwrap_or(0)),
        false => Vec::new(),
    };
    let framed = sides((&document, &units), &numbers, &asked)?;
    let mut pages = Pages::new(&document, asked);
    let drawn: Vec<_> = numbers.iter().copied().zip(framed.sides.clone()).collect();
    let entries = match drawn.as_slice() {
        [(number, sides)] => single(task, &mut pages, *number, *sides)?,
        _ => archive(task, &mut pages, &drawn)?,
    };
    let undrawn = pages.undrawn();
    let undrawn = (!undrawn.is_empty()).then_some(Remark::ImageNotDrawn(undrawn));
    let limited = framed.is_limited.then_some(Remark::LimitedByPlan);
    Ok(Product {
        pages: u32::try_from(drawn.len()).ok(),
        entries,
        sides: framed.sides,
        remarks: undrawn.into_iter().chain(limited).collect(),
        ..Product::default()
    })
}

fn single(
    task: &Task,
    pages: &mut Pages<'_, '_>,
    number: u32,
    sides: (u32, u32),
) -> Outcome<Vec<u64>> {
    std::fs::write(task.output(), pages.picture(number, sides)?)?;
    Ok(Vec::new())
}

fn archive(
    task: &Task,
    pages: &mut Pages<'_, '_>,
    drawn: &[(u32, (u32, u32))],
) -> Outcome<Vec<u64>> {
    let mut archive = Archive::begin(task)?;
    let mut teller = Teller::begin(&task.scratch);
    for (index, (number, sides)) in drawn.iter().enumerate() {
        archive.add(pages.picture(*number, *sides)?.as_slice())?;
        teller.tell(index + 1, drawn.len());
    }
    archive.finish()
}
