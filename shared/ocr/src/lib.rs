//! Text of pages that are pictures: as text, JSON, hOCR, or laid under the document's own pages.
//!
//! Each page of a PDF is drawn at the resolution of its scan (300 pixels an inch where letters are drawn), each page of
//! an image is taken as it is. Which pages are read depends on the mode:
//! - `skip-text`: those without text; text that an earlier recognition has hidden under a page counts as text;
//! - `redo`: those without text that is seen; what is hidden under them is taken out;
//! - `force`: all; what is hidden is taken out, and a page that shows letters of its own becomes a picture, so that no text
//!   is found twice.
//!
//! The text of the other pages is taken as it is. A page with a few words over a scan is read as a scan.

// Linked before every JPEG encoder: see its lib.rs.
extern crate pdf as _;

mod blots;
mod bullets;
mod cuttings;
mod document;
mod fate;
mod hidden;
mod hocr;
mod images;
mod json;
mod layer;
mod layout;
mod lettering;
mod missed;
mod overlay;
mod own;
mod page_text;
mod pdf;
mod photographs;
mod picture;
mod pool;
mod recognise;
mod redrawn;
mod rows;
mod rules;
mod searchable;
mod sheets;
mod shown;
mod sizes;
mod stems;
mod straight;
mod survey;
mod tesseract;
mod told;
mod weights;
mod written;

use std::ops::Range;
use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{Languages, OcrOptions, Operation};
use task::matrix::Matrix;
use task::progress::Teller;
use task::{Fault, Inspection, Outcome, Product, Remark, Task};

use self::layout::{Layer, Page, Unit, confidence, words};
use self::overlay::Content;
use self::pool::{Pool, Sheet};
use self::recognise::Reading;
pub use self::sheets::{Asked, Found, of_image, of_pdf};
pub use self::tesseract::Tesseract;
pub use self::told::told_by_ocr;

/// Between which percentages of the work pages are read, and written.
const READING: Range<u8> = 0..90;
/// The same of writing.
pub const WRITING: Range<u8> = 90..100;
/// Below this mean confidence, a result comes with a warning.
const LOW: f64 = 70.0;
/// Seconds of one processor that a job may take by estimate: what its function has, without help of other processors.
const SECONDS: f64 = 800.0;

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let options = options(&task.operation)?;
    let languages = options.language.clone().unwrap_or_default();
    let tesseract = loaded()?;
    let pool = Pool {
        tesseract: &tesseract,
        models: models(task),
        languages: &with_latin(&languages),
        with_rules: false,
    };
    let mode = options.mode.unwrap_or_default();
    let (pages, contents) = match task.from {
        Format::Pdf => pdf::read(task, &pool, mode)?,
        _ => {
            let pages = read_image(task, &pool, inspection)?;
            let contents = pages.iter().map(|_| Content::Kept).collect();
            (pages, contents)
        }
    };
    let system = format!("tesseract {}", tesseract.version());
    written::write(task, inspection, (&pages, &contents), (&languages, &system))?;
    Teller::part(&task.scratch, WRITING).tell(1, 1);
    Ok(Product {
        pages: u32::try_from(pages.len()).ok(),
        remarks: remarks(&pages),
        ..Product::default()
    })
}

/// The library; to be loaded before there are threads.
fn loaded() -> Outcome<Tesseract> {
    Tesseract::one_thread_a_page();
    Tesseract::load().map_err(Fault::Installation)
}

fn models(task: &Task) -> &Path {
    task.models.as_deref().unwrap_or(Path::new(""))
}

fn options(operation: &Operation) -> Outcome<&OcrOptions> {
    match operation {
        Operation::Ocr(options) => Ok(options),
        _ => Err(Fault::Installation("not a recognition".to_owned())),
    }
}

/// The models to load. Those of Cyrillic take Latin letters, digits among them, for Cyrillic ones (15.9 % wrong characters
/// on their own, 0.7 % with this), so English goes with them.
fn with_latin(languages: &Languages) -> String {
    let is_cyrillic = |code: &str| matches!(code, "rus" | "ukr");
    let all = languages.as_str();
    match languages.codes().all(is_cyrillic) {
        true => format!("{all}+eng"),
        false => all.to_owned(),
    }
}

/// All pages of an image. Their layers lie in the pixels of the upright image.
fn read_image(task: &Task, pool: &Pool<'_>, inspection: &Inspection) -> Outcome<Vec<Page>> {
    let sides = images::sides(task, inspection.pages.unwrap_or(1))?;
    let mut pages: Vec<Page> = sides.iter().map(|sides| blank(*sides)).collect();
    for (index, reading) in read_pictures(task, pool, &sides)? {
        if let Some(page) = pages.get_mut(index) {
            page.turned = reading.turned;
            page.blocks = mapped(&reading.blocks, reading.back);
            page.layer = Some(Layer {
                back: reading.back,
                place: reading.back,
                blocks: reading.blocks,
            });
        }
    }
    Ok(pages)
}

/// What was read on the pages of an image with these sides in pixels, in any order.
fn read_pictures(
    task: &Task,
    pool: &Pool<'_>,
    sides: &[(u32, u32)],
) -> Outcome<Vec<(usize, Reading)>> {
    let count = u32::try_from(sides.len()).unwrap_or(u32::MAX);
    let pixels: Vec<u64> = sides
        .iter()
        .map(|(width, height)| u64::from(*width) * u64::from(*height))
        .collect();
    check_cost(&pixels, pool.languages)?;
    let mut teller = Teller::part(&task.scratch, READING);
    let mut readings = Vec::new();
    let largest = pixels.iter().copied().max().unwrap_or(0);
    pool.read(
        (sides.len(), largest),
        |give| {
            images::pictures(task, count, |number, picture| {
                give(Sheet {
                    number,
                    picture,
                    shown: None,
                })
            })
        },
        |index, reading| {
            readings.push((index, reading));
            teller.tell(readings.len(), sides.len());
        },
    )?;
    Ok(readings)
}

fn blank((width, height): (u32, u32)) -> Page {
    Page {
        sides: (width.into(), height.into()),
        unit: Unit::Pixel,
        recognised: true,
        ..Page::default()
    }
}

fn mapped(blocks: &[layout::Block], matrix: Matrix) -> Vec<layout::Block> {
    blocks.iter().map(|block| block.mapped(matrix)).collect()
}

/// Refuses what would not end in time: a page takes what its pixels take, more so with every further language.
fn check_cost(pixels: &[u64], languages: &str) -> Outcome<()> {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let page = |pixels: &u64| 0.4 + 0.18 * (*pixels as f64 / 1e6);
    let further = u32::try_from(languages.matches('+').count()).unwrap_or(0);
    let seconds = pixels.iter().map(page).sum::<f64>() * (1.0 + 0.25 * f64::from(further));
    match seconds > SECONDS {
        true => Err(Fault::document(
            JobErrorCode::TooManyPages,
            "The document has more pages to be read than one job has time for.",
        )),
        false => Ok(()),
    }
}

fn remarks(pages: &[Page]) -> Vec<Remark> {
    let numbered = pages.iter().zip(1..);
    let kept: Vec<u32> = numbered
        .filter(|(page, _)| !page.recognised)
        .map(|(_, number)| number)
        .collect();
    let mut remarks = Vec::new();
    if !kept.is_empty() {
        remarks.push(Remark::TextKept(kept));
    }
    remarks.extend(low(mean(pages)));
    remarks
}

/// The remark on what is not sure on average.
fn low(mean: Option<f64>) -> Option<Remark> {
    let low = mean.filter(|mean| *mean < LOW)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 100"
    )]
    let percent = low.round() as u8;
    Some(Remark::LowConfidence(percent))
}

/// How sure all recognised words are on average.
fn mean(pages: &[Page]) -> Option<f64> {
    confidence(pages.iter().flat_map(|page| words(&page.blocks)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cyrillic_goes_with_latin() {
        for (asked, loaded) in [
            ("rus", "rus+eng"),
            ("rus+ukr", "rus+ukr+eng"),
            ("rus+deu", "rus+deu"),
            ("deu", "deu"),
        ] {
            let languages = Languages::try_from(asked.to_owned()).unwrap();
            assert_eq!(with_latin(&languages), loaded);
        }
    }

    #[test]
    fn what_cannot_end_in_time_is_refused_before_it_begins() {
        let sheet = 2480 * 3508;
        assert!(check_cost(&vec![sheet; 400], "eng").is_ok());
        assert!(check_cost(&vec![sheet; 420], "eng").is_err());
        assert!(check_cost(&vec![sheet; 400], "eng+deu").is_err());
        assert!(check_cost(&[100_000_000; 10], "eng+deu+fra+spa+ita").is_ok());
    }
}
