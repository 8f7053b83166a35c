//! Checks results of OCR.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read as _};

use domain::format::Format;
use domain::ocr_part::{OcrPart, PageSpan};
use flate2::bufread::GzDecoder;
use image::{DynamicImage, RgbaImage};
use imaging::geometry::Geometry;
use imaging::scale::CropRect;
use imaging::tiff;
use pdf::pdfium;
use pdfium_render::prelude::{PdfDocument, PdfRenderConfig};
use quick_xml::Reader;
use quick_xml::events::Event;
use serde::de::{self, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use task::expected_text::{EXPECTED_TEXT_FILE, ExpectedPage, ExpectedText};
use task::{Product, Task, TaskError, TaskResult, Verified};

use super::similarity::{Grid, GridSpec, Transparency};
use super::texts::{form_feeds, pages_of_source};

/// What is checked of a page in the file of a range.
#[derive(Deserialize)]
struct StoredPage {
    index: u64,
}

/// Maximum bytes of the uncompressed file of a range.
const MAX_BYTES: u64 = 512 * 1024 * 1024;
/// Maximum pages rendered before and after, spread over the document.
const MAX_RENDERED: usize = 16;
/// Width of these renderings in pixels.
const WIDTH: i32 = 240;
/// Width for pages that OCR rasterized: at a low resolution, their small letters would render darker than in the source.
const FINE_WIDTH: i32 = 1200;
/// Maximum number of characters that pdfium may find: the recognized and existing ones times `MAX_RATIO` plus `MAX_EXTRA`,
/// because some fonts decompose a character into several.
const MAX_RATIO: f64 = 1.05;
const MAX_EXTRA: f64 = 4.0;
/// Minimum fraction of the recognized characters that pdfium has to find: hyphens and accents may differ.
const MIN_FOUND: f64 = 0.97;

/// Checks that there are as many pages as in the source, and: text is UTF-8; JSON and hOCR are well-formed and have every
/// page; a PDF looks as before, and pdfium finds the recognized text, and no more than that and the existing text.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn ocr_result(task: &Task, _: &Product) -> TaskResult<Verified> {
    let pages = source_pages(task)?;
    if let Some(OcrPart::Pages { span, .. }) = &task.part {
        return stored_pages(task, *span);
    }
    let found = match task.to {
        Format::Txt => form_feeds(task)? + 1,
        Format::Json => json_pages(task)?,
        Format::Hocr => hocr_pages(task)?,
        _ => searchable_pages(task)?,
    };
    match found == pages as usize {
        true => Ok(Verified::complete(pages)),
        false => Err(TaskError::output_invalid("pages are missing")),
    }
}

/// Checks the file of a range: gzip of a JSON object for each page, with its index.
fn stored_pages(task: &Task, span: PageSpan) -> TaskResult<Verified> {
    let invalid = || TaskError::output_invalid("pages are missing");
    let file = BufReader::new(File::open(task.output())?);
    let pages = BufReader::new(GzDecoder::new(file).take(MAX_BYTES));
    let mut next = u64::from(span.first.saturating_sub(1));
    for page in serde_json::Deserializer::from_reader(pages).into_iter::<StoredPage>() {
        if page.map_err(|_| invalid())?.index != next {
            return Err(invalid());
        }
        next += 1;
    }
    match next == u64::from(span.last) {
        true => Ok(Verified::complete(span.count())),
        false => Err(invalid()),
    }
}

/// Returns the number of pages of a PDF or image.
pub(super) fn source_pages(task: &Task) -> TaskResult<u32> {
    match task.from {
        Format::Pdf => pages_of_source(task),
        Format::Tiff => {
            let most = task.limits.pages as usize + 1;
            let pages = tiff::pages(&mut BufReader::new(File::open(&task.source)?), most)?;
            Ok(u32::try_from(pages.len()).unwrap_or(u32::MAX))
        }
        _ => Ok(1),
    }
}

fn output(task: &Task) -> TaskResult<BufReader<File>> {
    Ok(BufReader::new(File::open(task.output())?))
}

/// OCR results in JSON, of which only the pages are examined, one at a time.
#[derive(Deserialize)]
struct OcrJson {
    #[serde(deserialize_with = "count_pages")]
    pages: usize,
}

/// The required members of a page.
#[derive(Deserialize)]
struct PageJson {
    number: usize,
    width: f64,
    height: f64,
    text: String,
    #[serde(rename = "blocks")]
    _blocks: Vec<IgnoredAny>,
}

/// Counts pages, which must be numbered consecutively.
fn count_pages<'de, D: Deserializer<'de>>(pages: D) -> Result<usize, D::Error> {
    struct Pages;
    impl<'de> Visitor<'de> for Pages {
        type Value = usize;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("pages")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut pages: A) -> Result<usize, A::Error> {
            let mut count = 0;
            while let Some(page) = pages.next_element::<PageJson>()? {
                count += 1;
                let has_sides = page.width > 0.0 && page.height > 0.0;
                if page.number != count || !has_sides || !page.text.ends_with('\n') {
                    return Err(de::Error::custom("a page is invalid"));
                }
            }
            Ok(count)
        }
    }
    pages.deserialize_seq(Pages)
}

/// Returns the number of JSON pages.
fn json_pages(task: &Task) -> TaskResult<usize> {
    let found: Result<OcrJson, _> = serde_json::from_reader(output(task)?);
    let found = found.map_err(|_| TaskError::output_invalid("it does not match the schema"));
    Ok(found?.pages)
}

/// Returns the number of `ocr_page` elements; every element must be closed.
fn hocr_pages(task: &Task) -> TaskResult<usize> {
    // Checks that it is UTF-8.
    form_feeds(task)?;
    let mut reader = Reader::from_reader(output(task)?);
    reader.config_mut().check_end_names = true;
    let (mut pages, mut open, mut buffer) = (0, 0_usize, Vec::new());
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(element)) => {
                open += 1;
                let class = element.try_get_attribute("class").ok().flatten();
                pages += usize::from(class.is_some_and(|class| class.value == "ocr_page"));
            }
            Ok(Event::End(_)) => open = open.saturating_sub(1),
            Ok(Event::Eof) if open == 0 => return Ok(pages),
            Ok(Event::Eof) | Err(_) => {
                return Err(TaskError::output_invalid("it is not well-formed XML"));
            }
            Ok(_) => {}
        }
    }
}

/// Returns the number of pages in pdfium; checks that each has its recognized text and looks as before.
fn searchable_pages(task: &Task) -> TaskResult<usize> {
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(&task.output(), None);
    let document = document.map_err(|_| TaskError::output_invalid("it does not open"))?;
    let file = BufReader::new(File::open(task.directory.join(EXPECTED_TEXT_FILE))?);
    let ExpectedText(expected) = serde_json::from_reader(file)
        .map_err(|_| TaskError::output_invalid("the expected text is missing"))?;
    let count = usize::try_from(document.pages().len()).unwrap_or(0);
    if expected.len() != count {
        return Err(TaskError::output_invalid("pages are missing"));
    }
    for (index, expected) in (0..).zip(&expected) {
        if let Some(expected) = expected {
            check_text(&document, index, expected)?;
        }
    }
    let rasterized = expected.iter().map(|expected| {
        expected
            .as_ref()
            .is_some_and(|expected| expected.rasterized)
    });
    let rasterized: Vec<bool> = rasterized.collect();
    let step = (count / MAX_RENDERED).max(1);
    let source = match task.from {
        Format::Pdf => Some(pdfium::open(&library, task)?),
        _ => None,
    };
    for (index, rasterized) in (0..).zip(rasterized).step_by(step) {
        let width = if rasterized { FINE_WIDTH } else { WIDTH };
        let after = render(&document, index, width)?;
        let Some(source) = &source else { continue };
        let before = render(source, index, width)?;
        let is_same = match rasterized {
            true => is_similar(&before, &after),
            false => before == after,
        };
        if !is_same {
            return Err(TaskError::output_invalid("a page looks different"));
        }
    }
    Ok(count)
}

/// Returns whether two renderings are similar, one of which is of a rasterized page.
fn is_similar(one: &DynamicImage, other: &DynamicImage) -> bool {
    let sides = (one.width(), one.height());
    let geometry = Geometry::new(CropRect::full(sides), sides, u32::MAX);
    let spec = GridSpec {
        sides: Grid::sides(&geometry),
        transparency: Transparency::OnWhite,
    };
    let grid = |pixels| Grid::of(pixels, &geometry, spec);
    sides == (other.width(), other.height()) && grid(one).is_similar(&grid(other))
}

fn check_text(document: &PdfDocument<'_>, index: i32, expected: &ExpectedPage) -> TaskResult<()> {
    let invalid = |what| TaskError::output_invalid(what);
    let page = document.pages().get(index);
    let page = page.map_err(|_| invalid("a page does not open"))?;
    let text = pdfium::characters(&page);
    let text = text.map_err(|_| invalid("the text of a page cannot be read"))?;
    let found = character_counts(text.chars());
    let (mut all, mut kept) = (0_u32, 0_u32);
    for (character, count) in character_counts(expected.text.chars()) {
        all += count;
        kept += count.min(found.get(&character).copied().unwrap_or(0));
    }
    if f64::from(kept) < f64::from(all) * MIN_FOUND {
        return Err(invalid("a page lacks its recognized text"));
    }
    let existing = u32::try_from(expected.existing_characters).unwrap_or(u32::MAX);
    let most = f64::from(all.saturating_add(existing)) * MAX_RATIO + MAX_EXTRA;
    match f64::from(found.values().sum::<u32>()) <= most {
        true => Ok(()),
        false => Err(invalid("a page has text that should have been replaced")),
    }
}

/// Counts letters and digits.
fn character_counts(text: impl Iterator<Item = char>) -> BTreeMap<char, u32> {
    let mut counts = BTreeMap::new();
    for character in text.filter(|character| character.is_alphanumeric()) {
        *counts.entry(character).or_insert(0) += 1;
    }
    counts
}

fn render(document: &PdfDocument<'_>, index: i32, width: i32) -> TaskResult<DynamicImage> {
    let config = PdfRenderConfig::new().set_target_width(width);
    let page = document.pages().get(index);
    let picture = page.and_then(|page| {
        let bitmap = page.render_with_config(&config)?;
        Ok((bitmap.width(), bitmap.height(), bitmap.as_rgba_bytes()))
    });
    let invalid = |()| TaskError::output_invalid("a page cannot be rendered");
    let (width, height, samples) = picture.map_err(|_| invalid(()))?;
    let sides = u32::try_from(width).ok().zip(u32::try_from(height).ok());
    let picture = sides.and_then(|(width, height)| RgbaImage::from_raw(width, height, samples));
    picture.map(DynamicImage::from).ok_or(()).map_err(invalid)
}
