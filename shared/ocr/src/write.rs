//! Writes OCR results in the requested format.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use domain::format::Format;
use pdf::image_to_pdf;
use pdf::{pdfium, qpdf};
use task::expected_text::{EXPECTED_TEXT_FILE, ExpectedPage, ExpectedText};
use task::{Inspection, Task, TaskError, TaskResult};

use super::incremental_update;
use super::ocr_page::{Page, Unit, words};
use super::page_result::{ContentChange, PageResult};
use super::pages::{Pages, Summary};
use super::{document, hocr, json};

/// Writes the result. `system` is the name of the OCR engine.
pub(super) fn write(
    task: &Task,
    inspection: &Inspection,
    (pages, summary): (&Pages, &Summary),
    system: &str,
) -> TaskResult<()> {
    if task.to == Format::Pdf {
        return write_pdf(task, inspection, pages);
    }
    let mut output = BufWriter::new(File::create(task.output())?);
    match task.to {
        Format::Json => json::write(pages, summary, &mut output)?,
        Format::Hocr => hocr::write(pages, (summary.count, system), &mut output)?,
        _ => pages.each(|index, result| {
            let separator = if index > 0 { "\u{c}" } else { "" };
            Ok(write!(output, "{separator}{}", text_of(&result.page))?)
        })?,
    }
    output.flush()?;
    Ok(())
}

/// Returns the text of a page without form feeds, which separate pages.
fn text_of(page: &Page) -> String {
    page.text().replace('\u{c}', "")
}

fn write_pdf(task: &Task, inspection: &Inspection, pages: &Pages) -> TaskResult<()> {
    let mut expected = Vec::new();
    let mut changes = Changes::default();
    pages.each(|_, result| {
        expected.push(expected_page(result));
        changes.add(result);
        Ok(())
    })?;
    let file = BufWriter::new(File::create(task.directory.join(EXPECTED_TEXT_FILE))?);
    serde_json::to_writer(file, &ExpectedText(expected)).map_err(std::io::Error::from)?;
    let font = font(task)?;
    if task.from == Format::Pdf {
        return add_text_layers(task, pages, &changes, &font);
    }
    let pictures = task.scratch.join("pictures");
    image_to_pdf::write(task, inspection.pages.unwrap_or(1), &pictures)?;
    let pages = position_layers(task, &pictures, pages)?;
    incremental_update::write(&pictures, &task.output(), &pages, &font)?;
    std::fs::remove_file(&pictures)?;
    Ok(())
}

/// What changes in a PDF.
#[derive(Default)]
struct Changes {
    is_any: bool,
    is_rasterized: bool,
}

impl Changes {
    fn add(&mut self, PageResult { page, content }: &PageResult) {
        let layer = page.layer.as_ref();
        self.is_any |= layer.is_some_and(|layer| !layer.blocks.is_empty());
        self.is_any |= !matches!(content, ContentChange::Unchanged);
        self.is_rasterized |= content.is_rasterized();
    }
}

fn expected_page(PageResult { page, content }: &PageResult) -> Option<ExpectedPage> {
    let layer = page.layer.as_ref()?;
    Some(ExpectedPage {
        text: words(&layer.blocks)
            .map(|word| word.text.as_str())
            .collect(),
        existing_characters: page.existing_characters,
        rasterized: content.is_rasterized(),
    })
}

/// Adds text layers to the source, or to a copy rewritten by libqpdf if the structure of the source does not permit an
/// incremental update.
fn add_text_layers(task: &Task, pages: &Pages, changes: &Changes, font: &[u8]) -> TaskResult<()> {
    let (source, target) = (task.readable(), task.output());
    if !changes.is_any {
        std::fs::copy(&source, &target)?;
        return Ok(());
    }
    let written = match changes.is_rasterized {
        true => task.scratch.join("written"),
        false => target.clone(),
    };
    match incremental_update::write(&source, &written, pages, font) {
        Err(TaskError::Document(_)) => {
            let repaired = task.scratch.join("rewritten");
            qpdf::QpdfJob::read(&source)
                .unencrypted()
                .write(&repaired)?;
            incremental_update::write(&repaired, &written, pages, font)?;
            std::fs::remove_file(&repaired)?;
        }
        done => done?,
    }
    if changes.is_rasterized {
        // Rewriting removes the replaced content, which an incremental update leaves in the file.
        let job = qpdf::QpdfJob::read(&written).unencrypted();
        job.option("--object-streams=generate").write(&target)?;
        std::fs::remove_file(&written)?;
    }
    Ok(())
}

/// Reads Tesseract's font without glyphs.
fn font(task: &Task) -> TaskResult<Vec<u8>> {
    let models = task.models.as_deref().unwrap_or(Path::new(""));
    std::fs::read(models.join("pdf.ttf")).map_err(|error| {
        TaskError::Installation(format!("Tesseract's pdf.ttf could not be read: {error}"))
    })
}

/// Maps the text layers of image pages to the pages of the PDF at `pictures`.
fn position_layers(task: &Task, pictures: &Path, pages: &Pages) -> TaskResult<Pages> {
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(pictures, None);
    let document = document.map_err(pdfium::load_error)?;
    let mut positioned = Vec::new();
    pages.each(|index, result| {
        let shown = document::page(&document, index)?;
        let mut page = result.page.clone();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole numbers of pixels"
        )]
        let sides = (page.sides.0 as u32, page.sides.1 as u32);
        if let Some(layer) = page.layer.as_mut().filter(|_| page.unit == Unit::Pixel) {
            layer.to_user_space = layer
                .to_user_space
                .then(document::pixels_to_user_space(&shown, sides)?);
        }
        positioned.push(PageResult::unchanged(page));
        Ok(())
    })?;
    Ok(Pages::InMemory(positioned))
}
