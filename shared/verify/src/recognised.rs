//! Checks what was recognised.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read as _};

use domain::format::Format;
use image::{DynamicImage, RgbaImage};
use imaging::framing::Framing;
use imaging::scale::Part;
use imaging::tiff;
use pdf::pdfium;
use pdfium_render::prelude::{PdfDocument, PdfRenderConfig};
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use task::recognised::{PageRead, READ, Read};
use task::{Fault, Outcome, Product, Task, Verified};

use super::likeness::{Grid, Mesh, Transparency};
use super::texts::{form_feeds, pages_of_source};

/// Most bytes of JSON or hOCR.
const MOST: u64 = 512 * 1024 * 1024;
/// Pages that are drawn before and after, spread over the document.
const DRAWN: usize = 16;
/// Width of these pictures in pixels.
const WIDTH: i32 = 240;
/// Width where one of them is drawn from a picture: letters of few pixels are drawn darker than they are.
const FINE: i32 = 1200;
/// How many more characters than were recognised and kept a reader may find, as a part of them and as a number: some take
/// one apart.
const MORE: f64 = 1.05;
const SPARE: f64 = 4.0;
/// How many of the characters that were recognised a reader has to find: some put hyphens and accents otherwise.
const FOUND: f64 = 0.97;

/// There are as many pages as the source has, opened anew, and: text is UTF-8; JSON and hOCR are well-formed and hold every
/// page; a PDF looks as before, and pdfium finds in it what was recognised, and no more than that and what was there.
pub fn recognised(task: &Task, _: &Product) -> Outcome<Verified> {
    let pages = source_pages(task)?;
    let found = match task.to {
        Format::Txt => form_feeds(task)? + 1,
        Format::Json => json_pages(task)?,
        Format::Hocr => hocr_pages(task)?,
        _ => searchable_pages(task)?,
    };
    match found == pages as usize {
        true => Ok(Verified { pages }),
        false => Err(Fault::output_invalid("pages are missing")),
    }
}

/// How many pages a PDF or an image has.
pub(super) fn source_pages(task: &Task) -> Outcome<u32> {
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

fn output(task: &Task) -> Outcome<String> {
    let mut text = String::new();
    let file = File::open(task.output())?;
    match file.take(MOST).read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(_) => Err(Fault::output_invalid("it is not UTF-8")),
    }
}

/// How many pages follow each other by number and hold what a page holds.
fn json_pages(task: &Task) -> Outcome<usize> {
    let invalid = || Fault::output_invalid("it is not the JSON that it should be");
    let whole: Value = serde_json::from_str(&output(task)?).map_err(|_| invalid())?;
    let pages = whole
        .get("pages")
        .and_then(Value::as_array)
        .ok_or_else(invalid)?;
    let is_page = |(page, number): (&Value, u64)| {
        let (width, height) = (page["width"].as_f64(), page["height"].as_f64());
        page["number"].as_u64() == Some(number)
            && width.is_some_and(|side| side > 0.0)
            && height.is_some_and(|side| side > 0.0)
            && page["text"]
                .as_str()
                .is_some_and(|text| text.ends_with('\n'))
            && page["blocks"].is_array()
    };
    match pages.iter().zip(1..).all(is_page) {
        true => Ok(pages.len()),
        false => Err(invalid()),
    }
}

/// How many elements of the class of pages there are; every element is closed.
fn hocr_pages(task: &Task) -> Outcome<usize> {
    let text = output(task)?;
    let mut reader = Reader::from_str(&text);
    reader.config_mut().check_end_names = true;
    let (mut pages, mut open) = (0, 0_usize);
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                open += 1;
                let class = element.try_get_attribute("class").ok().flatten();
                pages += usize::from(class.is_some_and(|class| class.value == "ocr_page"));
            }
            Ok(Event::End(_)) => open = open.saturating_sub(1),
            Ok(Event::Eof) if open == 0 => return Ok(pages),
            Ok(Event::Eof) | Err(_) => {
                return Err(Fault::output_invalid("it is not well-formed XML"));
            }
            Ok(_) => {}
        }
    }
}

/// How many pages pdfium finds, each with the text that was recognised on it; the pages of a PDF look as before.
fn searchable_pages(task: &Task) -> Outcome<usize> {
    let library = pdfium::load(task)?;
    let made = library.load_pdf_from_file(&task.output(), None);
    let made = made.map_err(|_| Fault::output_invalid("it does not open"))?;
    let file = BufReader::new(File::open(task.directory.join(READ))?);
    let Read(read) = serde_json::from_reader(file)
        .map_err(|_| Fault::output_invalid("what was read is not known"))?;
    let count = usize::try_from(made.pages().len()).unwrap_or(0);
    if read.len() != count {
        return Err(Fault::output_invalid("pages are missing"));
    }
    for (index, read) in (0..).zip(&read) {
        if let Some(read) = read {
            check_text(&made, index, read)?;
        }
    }
    let redrawn = read
        .iter()
        .map(|read| read.as_ref().is_some_and(|read| read.redrawn));
    let redrawn: Vec<bool> = redrawn.collect();
    let step = (count / DRAWN).max(1);
    let source = match task.from {
        Format::Pdf => Some(pdfium::open(&library, task)?),
        _ => None,
    };
    for (index, redrawn) in (0..).zip(redrawn).step_by(step) {
        let width = if redrawn { FINE } else { WIDTH };
        let after = drawn(&made, index, width)?;
        let Some(source) = &source else { continue };
        let before = drawn(source, index, width)?;
        let is_same = match redrawn {
            true => looks_like(&before, &after),
            false => before == after,
        };
        if !is_same {
            return Err(Fault::output_invalid("a page looks otherwise than before"));
        }
    }
    Ok(count)
}

/// Whether two pictures show the same, one of them drawn from a picture.
fn looks_like(one: &DynamicImage, other: &DynamicImage) -> bool {
    let sides = (one.width(), one.height());
    let framing = Framing::new(Part::whole(sides), sides, u32::MAX);
    let mesh = Mesh {
        sides: Grid::sides(&framing),
        transparency: Transparency::OnWhite,
    };
    let grid = |pixels| Grid::of(pixels, &framing, mesh);
    sides == (other.width(), other.height()) && grid(one).is_like(&grid(other))
}

fn check_text(document: &PdfDocument<'_>, index: i32, read: &PageRead) -> Outcome<()> {
    let invalid = |what| Fault::output_invalid(what);
    let page = document.pages().get(index);
    let page = page.map_err(|_| invalid("a page does not open"))?;
    let text = page
        .text()
        .map_err(|_| invalid("the text of a page cannot be read"))?;
    // One by one: the library's own way to all of the text takes a page for not turned.
    let characters = text.chars();
    let found = counted(characters.iter().filter_map(|found| found.unicode_char()));
    let (mut all, mut kept) = (0_u32, 0_u32);
    for (character, count) in counted(read.text.chars()) {
        all += count;
        kept += count.min(found.get(&character).copied().unwrap_or(0));
    }
    if f64::from(kept) < f64::from(all) * FOUND {
        return Err(invalid("a page lacks what was recognised on it"));
    }
    let own = u32::try_from(read.own).unwrap_or(u32::MAX);
    let most = f64::from(all.saturating_add(own)) * MORE + SPARE;
    match f64::from(found.values().sum::<u32>()) <= most {
        true => Ok(()),
        false => Err(invalid("a page has text that was to be replaced")),
    }
}

/// How often each letter and digit occurs.
fn counted(text: impl Iterator<Item = char>) -> BTreeMap<char, u32> {
    let mut counts = BTreeMap::new();
    for character in text.filter(|character| character.is_alphanumeric()) {
        *counts.entry(character).or_insert(0) += 1;
    }
    counts
}

fn drawn(document: &PdfDocument<'_>, index: i32, width: i32) -> Outcome<DynamicImage> {
    let config = PdfRenderConfig::new().set_target_width(width);
    let page = document.pages().get(index);
    let picture = page.and_then(|page| {
        let bitmap = page.render_with_config(&config)?;
        Ok((bitmap.width(), bitmap.height(), bitmap.as_rgba_bytes()))
    });
    let invalid = |()| Fault::output_invalid("a page cannot be drawn");
    let (width, height, samples) = picture.map_err(|_| invalid(()))?;
    let sides = u32::try_from(width).ok().zip(u32::try_from(height).ok());
    let picture = sides.and_then(|(width, height)| RgbaImage::from_raw(width, height, samples));
    picture.map(DynamicImage::from).ok_or(()).map_err(invalid)
}
