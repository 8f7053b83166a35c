//! Reads the pages of a PDF that are pictures, and takes the text of the others.

use domain::format::Format;
use domain::operation::OcrMode;
use pdf::pdfium;
use pdfium_render::prelude::PdfDocument;
use task::matrix::Matrix;
use task::progress::Teller;
use task::{Fault, Outcome, Task};

use super::fate::{Fate, Own, page_sides};
use super::layout::{Layer, Page, Unit};
use super::overlay::Content;
use super::pool::{Pool, Sheet};
use super::recognise::Reading;
use super::redrawn::Redrawn;
use super::{READING, check_cost, document, mapped, own};

/// How much more memory the picture of a page takes that is read and shown.
const SHOWN: u64 = 4;

/// All pages, and what becomes of the content of each.
pub(super) fn read(
    task: &Task,
    pool: &Pool<'_>,
    mode: OcrMode,
) -> Outcome<(Vec<Page>, Vec<Content>)> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let count = usize::try_from(document.pages().len()).unwrap_or(0);
    let rewritten = task.to == Format::Pdf;
    let fate = |index| Fate::of(&document::page(&document, index)?, mode, rewritten);
    let fates: Vec<Fate> = (0..count).map(fate).collect::<Outcome<_>>()?;
    let pixels: Vec<u64> = fates.iter().filter_map(|fate| fate.pixels()).collect();
    check_cost(&pixels, pool.languages)?;
    let readings = read_pictures(task, pool, &document, &fates)?;
    let mut pages = vec![Page::default(); count];
    let mut contents: Vec<Content> = fates.iter().map(content).collect();
    for (index, mut reading) in readings {
        let (Some(fate), Some(page)) = (fates.get(index), pages.get_mut(index)) else {
            continue;
        };
        if let (Some(redrawn), Some(content)) = (
            redrawn(&document, index, *fate, &mut reading)?,
            contents.get_mut(index),
        ) {
            *content = Content::Redrawn(redrawn);
        }
        *page = read_page(&document, index, *fate, reading)?;
    }
    for (index, fate) in fates.iter().enumerate() {
        if let (Some(page), Fate::Kept) = (pages.get_mut(index), fate) {
            *page = document::kept(&mut document::page(&document, index)?)?;
        }
    }
    Ok((pages, contents))
}

/// What becomes of the content of a page that no picture takes the place of.
fn content(fate: &Fate) -> Content {
    match fate {
        Fate::Read {
            own: Own::HiddenGoes,
            ..
        } => Content::WithoutHidden,
        _ => Content::Kept,
    }
}

/// What was read on the pages that are read, in any order.
pub(super) fn read_pictures(
    task: &Task,
    pool: &Pool<'_>,
    document: &PdfDocument<'_>,
    fates: &[Fate],
) -> Outcome<Vec<(usize, Reading)>> {
    let weight = |fate: &Fate| match fate {
        Fate::Read {
            own: Own::AllGoes, ..
        } => fate.pixels().map(|pixels| pixels * SHOWN),
        _ => fate.pixels(),
    };
    let weights: Vec<u64> = fates.iter().filter_map(weight).collect();
    let heaviest = weights.iter().copied().max().unwrap_or(0);
    let mut teller = Teller::part(&task.scratch, READING);
    let mut readings = Vec::new();
    pool.read(
        (weights.len(), heaviest),
        |give| {
            for (number, fate) in fates.iter().enumerate() {
                if let Fate::Read { sides, own, .. } = fate {
                    give(sheet(task, document, number, (*sides, *own))?)?;
                }
            }
            Ok(())
        },
        |index, reading| {
            readings.push((index, reading));
            teller.tell(readings.len(), weights.len());
        },
    )?;
    Ok(readings)
}

/// The picture of a page. Comments and fields stay what they are in a PDF, so they are not read for it.
fn sheet(
    task: &Task,
    document: &PdfDocument<'_>,
    number: usize,
    (sides, own): ((u32, u32), Own),
) -> Outcome<Sheet> {
    let page = document::page(document, number)?;
    let (picture, shown) = match own {
        Own::AllGoes => {
            let (picture, shown) = document::draw_in_colour(&page, sides)?;
            (picture, Some(shown))
        }
        _ => (document::draw(&page, sides, task.to != Format::Pdf)?, None),
    };
    Ok(Sheet {
        number,
        picture,
        shown,
    })
}

/// The picture that takes the place of a page, if one does.
fn redrawn(
    document: &PdfDocument<'_>,
    index: usize,
    fate: Fate,
    reading: &mut Reading,
) -> Outcome<Option<Redrawn>> {
    let (Fate::Read { sides, .. }, Some(image)) = (fate, reading.redrawn.take()) else {
        return Ok(None);
    };
    Ok(Some(Redrawn {
        image,
        place: document::place(&document::page(document, index)?, sides)?,
        sides,
    }))
}

/// A page with what was read on it.
fn read_page(
    document: &PdfDocument<'_>,
    index: usize,
    fate: Fate,
    reading: Reading,
) -> Outcome<Page> {
    let Fate::Read {
        sides, own, found, ..
    } = fate
    else {
        return Err(Fault::Installation("a page was read unasked".to_owned()));
    };
    let page = document::page(document, index)?;
    let (width, height) = page_sides(&page);
    let (across, down) = (f64::from(sides.0), f64::from(sides.1));
    let to_points = Matrix([width / across, 0.0, 0.0, height / down, 0.0, 0.0]);
    let shown = reading.back.then(to_points);
    let blocks = mapped(&reading.blocks, shown);
    let staying = match own {
        Own::AllGoes => Vec::new(),
        _ => own::places(&page, sides)?,
    };
    Ok(Page {
        sides: (width, height),
        unit: Unit::Point,
        recognised: true,
        turned: reading.turned,
        blocks,
        text: None,
        own: found,
        layer: Some(Layer {
            back: reading.back,
            place: reading.back.then(document::place(&page, sides)?),
            blocks: own::without(reading.blocks, &staying, reading.back),
        }),
    })
}
