//! OCR of scanned pages with Tesseract. Results are text, JSON, hOCR, or an invisible text layer in a PDF.
//!
//! A page of a PDF is rendered at the resolution of its scan (300 pixels per inch if it has text or line art); a page of an
//! image is used as it is. Those of low resolution are enlarged. The mode determines which pages are recognized:
//! - `skip-text`: those without text; the invisible text of an earlier OCR counts as text;
//! - `redo`: those without visible text; their invisible text is replaced;
//! - `force`: all; invisible text is replaced, and pages with visible text are rasterized, so that no text is found twice.
//!
//! Of the other pages, the existing text is used. A scanned page with a few words of visible text counts as a scan.

// Has to be linked before every JPEG encoder; see the lib.rs of `pdf`.
extern crate pdf as _;

mod blots;
mod bullets;
mod cut_photographs;
mod document;
mod doubts;
mod enlarged;
mod existing_text;
mod export;
mod foreign;
mod hocr;
mod images;
mod incremental_update;
mod invisible_text;
mod json;
mod languages;
mod lettering;
mod ocr_page;
mod ocr_result;
mod page_plan;
mod page_plans;
mod page_result;
mod page_text;
mod pages;
mod partial_pages;
mod pdf;
mod photographs;
mod picture;
mod pool;
mod rasterized;
mod recognize;
mod rows;
mod rules;
mod scanned_pages;
mod searchable;
mod second_pass;
mod shown;
mod sizes;
mod spacing;
mod stems;
mod straight;
mod survey;
mod tesseract;
mod text_layer;
mod unread;
mod weights;
mod write;

use std::ops::Range;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::ocr_part::{OcrPart, PageSpan};
use domain::operation::{Languages, OcrOptions, Operation};
use task::matrix::Matrix;
use task::progress::ProgressWriter;
use task::{Inspection, Product, Task, TaskError, TaskResult};

use self::enlarged::Pixels;
pub use self::export::to_json_with_ocr;
use self::images::Sides;
use self::languages::{Recognition, model_names};
use self::ocr_page::{Page, TextLayer, Unit};
use self::ocr_result::OcrResult;
use self::page_result::PageResult;
use self::pages::{Pages, Summary};
use self::pdf::PdfReading;
use self::pool::{PageInput, Pool};
pub use self::scanned_pages::{OcrRequest, OcrResults, recognize_image, recognize_pdf};
pub use self::tesseract::Tesseract;

/// Range of the job progress during recognition, in percent.
const RECOGNITION_PROGRESS: Range<u8> = 0..90;
/// Range of the job progress during writing, in percent.
pub const WRITING_PROGRESS: Range<u8> = 90..100;
/// Maximum estimated CPU seconds of a job: the time limit of its function on a single core.
const MAX_SECONDS: f64 = 800.0;

/// Runs the operation `ocr` and writes the result to [`Task::output`].
///
/// # Errors
/// Invalid documents, requests or installations.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let options = options(&task.operation)?;
    let tesseract = load_tesseract()?;
    let (pages, languages) = match (task.from, &task.part) {
        (Format::Pdf, Some(OcrPart::Assembly(ranges))) => {
            (Pages::of_ranges(task, ranges)?, ranges.languages.clone())
        }
        (Format::Pdf, Some(OcrPart::Pages { span, languages })) => {
            let recognition = Recognition::new(task, &tesseract, Some(languages));
            return read_range(task, &recognition, options, *span);
        }
        (Format::Pdf, _) => {
            let recognition = Recognition::new(task, &tesseract, options.language.as_ref());
            match pdf::read(task, &recognition, options.mode.unwrap_or_default())? {
                PdfReading::Pages(pages, languages) => (Pages::InMemory(pages), languages),
                PdfReading::TooLong(ranges) => {
                    return Ok(Product {
                        ranges: Some(ranges),
                        ..Product::default()
                    });
                }
            }
        }
        _ => {
            let recognition = Recognition::new(task, &tesseract, options.language.as_ref());
            let (pages, languages) = read_image(task, &recognition, inspection)?;
            let results = pages.into_iter().map(PageResult::unchanged).collect();
            (Pages::InMemory(results), languages)
        }
    };
    let summary = Summary::of(&pages, languages)?;
    let system = format!("tesseract {}", tesseract.version());
    write::write(task, inspection, (&pages, &summary), &system)?;
    ProgressWriter::for_range(&task.scratch, WRITING_PROGRESS).report(1, 1);
    Ok(Product {
        pages: u32::try_from(summary.count).ok(),
        warnings: summary.warnings(),
        ..Product::default()
    })
}

/// Recognizes a range of pages and writes their file.
fn read_range(
    task: &Task,
    recognition: &Recognition<'_>,
    options: &OcrOptions,
    span: PageSpan,
) -> TaskResult<Product> {
    let mode = options.mode.unwrap_or_default();
    let PdfReading::Pages(pages, _) = pdf::read(task, recognition, mode)? else {
        return Err(TaskError::Installation("a range has ranges".to_owned()));
    };
    pages::write_file(
        &task.output(),
        (span.first as usize).saturating_sub(1),
        &pages,
    )?;
    ProgressWriter::for_range(&task.scratch, WRITING_PROGRESS).report(1, 1);
    Ok(Product {
        pages: Some(span.count()),
        ..Product::default()
    })
}

/// Loads Tesseract. Must be called before threads are started.
fn load_tesseract() -> TaskResult<Tesseract> {
    Tesseract::limit_to_one_thread();
    Tesseract::load().map_err(TaskError::Installation)
}

fn options(operation: &Operation) -> TaskResult<&OcrOptions> {
    match operation {
        Operation::Ocr(options) => Ok(options),
        _ => Err(TaskError::Installation("operation is not ocr".to_owned())),
    }
}

/// Recognizes all pages of an image. Their text layers are in pixels of the upright image.
fn read_image(
    task: &Task,
    recognition: &Recognition<'_>,
    inspection: &Inspection,
) -> TaskResult<(Vec<Page>, Languages)> {
    let sides = images::sides(task, inspection.pages.unwrap_or(1))?;
    let languages = image_languages(task, recognition, &sides)?;
    let models = model_names(&languages);
    let pool = recognition.pool(&models, false);
    let mut pages: Vec<Page> = sides.iter().map(|(sides, _)| empty_page(*sides)).collect();
    for (index, reading) in read_pictures(task, &pool, &sides)? {
        if let Some(page) = pages.get_mut(index) {
            page.script = reading.script;
            page.rotation = reading.character_rotation();
            page.has_unread_rows = !reading.unread.is_empty();
            page.blocks = transformed(&reading.blocks, reading.back);
            page.layer = Some(TextLayer {
                back: reading.back,
                to_user_space: reading.back,
                blocks: reading.blocks,
            });
        }
    }
    Ok((pages, languages))
}

/// Returns the requested languages, or those detected on some pages of an image.
fn image_languages(
    task: &Task,
    recognition: &Recognition<'_>,
    sides: &[Sides],
) -> TaskResult<Languages> {
    recognition.languages(sides.len(), |index| {
        let stated = sides.get(index).and_then(|(_, stated)| *stated);
        images::picture(task, index, stated)
    })
}

/// Recognizes the pages of an image, in any order.
fn read_pictures(
    task: &Task,
    pool: &Pool<'_>,
    sides: &[Sides],
) -> TaskResult<Vec<(usize, OcrResult)>> {
    let count = u32::try_from(sides.len()).unwrap_or(u32::MAX);
    let pixels = || {
        sides
            .iter()
            .map(|(sides, stated)| Pixels::of(*sides, *stated))
    };
    let costs: Vec<u64> = pixels().map(|pixels| pixels.cost).collect();
    check_cost(&costs, pool.languages)?;
    let mut progress = ProgressWriter::for_range(&task.scratch, RECOGNITION_PROGRESS);
    let mut readings = Vec::new();
    let largest = pixels().map(|pixels| pixels.recognized).max().unwrap_or(0);
    pool.read(
        (sides.len(), largest),
        |give| {
            images::for_each_picture(task, count, |number, picture| {
                give(PageInput {
                    number,
                    picture,
                    replacement: None,
                })
            })
        },
        |index, reading| {
            readings.push((index, reading?));
            progress.report(readings.len(), sides.len());
            Ok(())
        },
    )?;
    Ok(readings)
}

fn empty_page((width, height): (u32, u32)) -> Page {
    Page {
        sides: (width.into(), height.into()),
        unit: Unit::Pixel,
        is_recognized: true,
        ..Page::default()
    }
}

fn transformed(blocks: &[ocr_page::Block], matrix: Matrix) -> Vec<ocr_page::Block> {
    blocks
        .iter()
        .map(|block| block.transformed(matrix))
        .collect()
}

/// Rejects a job that would exceed the time limit.
fn check_cost(pixels: &[u64], languages: &str) -> TaskResult<()> {
    match seconds(pixels, languages) > MAX_SECONDS {
        true => Err(TaskError::document(
            JobErrorCode::TooManyPages,
            "OCR of these pages would exceed the time limit of a job. Use the operation `ocr` first, or split the document.",
        )),
        false => Ok(()),
    }
}

/// Estimates the CPU seconds of OCR by the pixels of each page and the number of languages.
fn seconds(pixels: &[u64], languages: &str) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let page = |pixels: &u64| 0.4 + 0.18 * (*pixels as f64 / 1e6);
    let further = u32::try_from(languages.matches('+').count()).unwrap_or(0);
    pixels.iter().map(page).sum::<f64>() * (1.0 + 0.25 * f64::from(further))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_beyond_the_time_limit_are_rejected() {
        let a4 = 2480 * 3508;
        assert!(check_cost(&vec![a4; 400], "eng").is_ok());
        assert!(check_cost(&vec![a4; 420], "eng").is_err());
        assert!(check_cost(&vec![a4; 400], "eng+deu").is_err());
        assert!(check_cost(&[100_000_000; 10], "eng+deu+fra+spa+ita").is_ok());
    }
}
