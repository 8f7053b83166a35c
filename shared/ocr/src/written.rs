//! Writes what was read, in the format that is asked for.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use domain::format::Format;
use domain::operation::Languages;
use pdf::image_to_pdf;
use pdf::{pdfium, qpdf};
use task::recognised::{PageRead, READ, Read};
use task::{Fault, Inspection, Outcome, Task};

use super::layout::{Page, Unit, words};
use super::overlay::{self, Content};
use super::{document, hocr, json, mean};

/// Writes the result. `pages` come with what becomes of their contents, `languages` with the name of the engine.
pub(super) fn write(
    task: &Task,
    inspection: &Inspection,
    (pages, contents): (&[Page], &[Content]),
    (languages, system): (&Languages, &str),
) -> Outcome<()> {
    if task.to == Format::Pdf {
        return write_pdf(task, inspection, pages, contents);
    }
    let mut output = BufWriter::new(File::create(task.output())?);
    match task.to {
        Format::Json => {
            let languages: Vec<&str> = languages.codes().collect();
            json::write(pages, &languages, mean(pages), &mut output)?;
        }
        Format::Hocr => hocr::write(pages, system, &mut output)?,
        _ => {
            let texts: Vec<String> = pages.iter().map(text_of).collect();
            output.write_all(texts.join("\u{c}").as_bytes())?;
        }
    }
    output.flush()?;
    Ok(())
}

/// The text of a page, without what would look like the end of a page.
fn text_of(page: &Page) -> String {
    page.text().replace('\u{c}', "")
}

fn write_pdf(
    task: &Task,
    inspection: &Inspection,
    pages: &[Page],
    contents: &[Content],
) -> Outcome<()> {
    let read = Read(pages.iter().zip(contents).map(page_read).collect());
    let file = BufWriter::new(File::create(task.directory.join(READ))?);
    serde_json::to_writer(file, &read).map_err(std::io::Error::from)?;
    let font = font(task)?;
    if task.from == Format::Pdf {
        return lay_under(task, pages, contents, &font);
    }
    let pictures = task.scratch.join("pictures");
    image_to_pdf::write(task, inspection.pages.unwrap_or(1), &pictures)?;
    let pages = placed(task, &pictures, pages)?;
    overlay::write(&pictures, &task.output(), &pages, contents, &font)?;
    std::fs::remove_file(&pictures)?;
    Ok(())
}

fn page_read((page, content): (&Page, &Content)) -> Option<PageRead> {
    let layer = page.layer.as_ref()?;
    Some(PageRead {
        text: words(&layer.blocks)
            .map(|word| word.text.as_str())
            .collect(),
        own: page.own,
        redrawn: content.is_redrawn(),
    })
}

/// Lays what was read under the source itself; under a copy that libqpdf has mended, where its structure is such that
/// nothing can be added to it.
fn lay_under(task: &Task, pages: &[Page], contents: &[Content], font: &[u8]) -> Outcome<()> {
    let (source, target) = (task.readable(), task.output());
    let lays = |page: &Page| {
        page.layer
            .as_ref()
            .is_some_and(|layer| !layer.blocks.is_empty())
    };
    let changes = |content: &Content| !matches!(content, Content::Kept);
    if !contents.iter().any(changes) && !pages.iter().any(lays) {
        std::fs::copy(&source, &target)?;
        return Ok(());
    }
    let redrawn = contents.iter().any(Content::is_redrawn);
    let written = match redrawn {
        true => task.scratch.join("written"),
        false => target.clone(),
    };
    match overlay::write(&source, &written, pages, contents, font) {
        Err(Fault::Document(_)) => {
            let mended = task.scratch.join("rewritten");
            qpdf::Job::read(&source).open().write(&mended)?;
            overlay::write(&mended, &written, pages, contents, font)?;
            std::fs::remove_file(&mended)?;
        }
        done => done?,
    }
    if redrawn {
        // What was there before is still in the file, though nothing leads to it.
        let job = qpdf::Job::read(&written).open();
        job.option("--object-streams=generate").write(&target)?;
        std::fs::remove_file(&written)?;
    }
    Ok(())
}

/// The font without glyphs that Tesseract brings.
fn font(task: &Task) -> Outcome<Vec<u8>> {
    let models = task.models.as_deref().unwrap_or(Path::new(""));
    std::fs::read(models.join("pdf.ttf")).map_err(|error| {
        Fault::Installation(format!("Tesseract's pdf.ttf cannot be read: {error}"))
    })
}

/// The pages of images with their layers where the pages of the PDF at `pictures` show them.
fn placed(task: &Task, pictures: &Path, pages: &[Page]) -> Outcome<Vec<Page>> {
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(pictures, None);
    let document = document.map_err(pdfium::fault)?;
    let place = |(index, page): (usize, &Page)| {
        let shown = document::page(&document, index)?;
        let mut page = page.clone();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole numbers of pixels"
        )]
        let sides = (page.sides.0 as u32, page.sides.1 as u32);
        if let Some(layer) = page.layer.as_mut().filter(|_| page.unit == Unit::Pixel) {
            layer.place = layer.place.then(document::place(&shown, sides)?);
        }
        Ok(page)
    };
    pages.iter().enumerate().map(place).collect()
}
