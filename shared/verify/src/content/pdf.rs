//! Reads the visible text and the images of a PDF with pdfium.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use domain::format::Category;
use pdf::pdfium;
use pdfium_render::prelude::{
    PdfDocument, PdfPage, PdfPageObjectType, PdfPageObjectsCommon as _, PdfPageRenderRotation,
    PdfPageTextRenderMode, PdfPoints,
};
use task::Task;
use task::page_selection::pages_to_convert;

use super::item::{Item, Place, Take, Unreadable};

/// Maximum number of characters that are read on one page.
const MAX_CHARACTERS: usize = 1_000_000;

/// Calls `take` with the items of each page of a result.
pub(super) fn read_result(task: &Task, take: Take<'_>) -> Result<(), Unreadable> {
    let library = pdfium::load(task).map_err(|_| Unreadable)?;
    let document = library.load_pdf_from_file(&task.output(), None)?;
    let pages = 0..document.pages().len();
    // What a slide shows beyond its edges is invisible in the source, too.
    let on_page = task.from.spec().category != Category::Presentation;
    read_pages(&document, pages, (on_page, false), take)
}

/// Maximum number of different lines that are remembered.
const MAX_LINES: usize = 1_000_000;

/// Calls `take` with the text of each selected page of a source.
pub(super) fn read_source(task: &Task, take: Take<'_>) -> Result<(), Unreadable> {
    let library = pdfium::load(task).map_err(|_| Unreadable)?;
    let document = pdfium::open(&library, task).map_err(|_| Unreadable)?;
    let selected = pages_to_convert(&task.operation, pdfium::pages(&document));
    let selected = selected.map_err(|_| Unreadable)?;
    let pages = selected
        .iter()
        .filter_map(|page| i32::try_from(page - 1).ok());
    read_pages(&document, pages, (true, true), take)
}

/// Lines that pages repeat, which a result without pages has once: headers and footers, in which the page number does not
/// matter, and header rows of tables.
#[derive(Default)]
struct Repeated {
    /// Hash and first page of each line.
    lines: HashMap<u64, u32>,
}

/// Share of a page at both ends in which headers and footers are.
const MARGIN: f32 = 0.16;
/// Maximum number of digits of a header or footer without letters.
const MAX_PAGE_NUMBER: usize = 8;

impl Repeated {
    /// Returns whether a line is not repeated from an earlier page.
    fn is_new(&mut self, page: u32, line: &Line) -> bool {
        let letters = line.text.chars().filter(|letter| letter.is_alphabetic());
        let digits = line.text.chars().filter(|letter| letter.is_numeric());
        let has_letters = letters.clone().next().is_some();
        let is_number = digits.clone().nth(MAX_PAGE_NUMBER).is_some();
        let is_repeatable = has_letters || (line.is_in_margin && !is_number);
        if !is_repeatable || self.lines.len() >= MAX_LINES {
            return true;
        }
        let mut hasher = DefaultHasher::new();
        letters.for_each(|letter| letter.hash(&mut hasher));
        if !line.is_in_margin {
            digits.for_each(|digit| digit.hash(&mut hasher));
        }
        *self.lines.entry(hasher.finish()).or_insert(page) == page
    }
}

fn read_pages(
    document: &PdfDocument<'_>,
    pages: impl Iterator<Item = i32>,
    (on_page, skips_repeated): (bool, bool),
    take: Take<'_>,
) -> Result<(), Unreadable> {
    let mut repeated = Repeated::default();
    for index in pages {
        let page = document.pages().get(index)?;
        let place = Place {
            number: u32::try_from(index).unwrap_or(0) + 1,
            cell: None,
        };
        for line in visible_lines(&page, on_page)? {
            if !skips_repeated || repeated.is_new(place.number, &line) {
                take(Item::Text(&line.text), place);
            }
            take(Item::Break, place);
        }
        for object in page.objects().iter() {
            // An image may be drawn by a form.
            let may_be_image = matches!(
                object.object_type(),
                PdfPageObjectType::Image | PdfPageObjectType::XObjectForm
            );
            if may_be_image {
                take(Item::Image, place);
            }
        }
    }
    Ok(())
}

/// A line of text.
#[derive(Default)]
struct Line {
    text: String,
    /// Whether it is at the top or bottom of its page.
    is_in_margin: bool,
}

/// The lines of a page, without invisible characters and, if `on_page`, without those beyond its edges.
fn visible_lines(page: &PdfPage<'_>, on_page: bool) -> Result<Vec<Line>, Unreadable> {
    let text = page.text()?;
    let bounds = page.boundaries().bounding()?.bounds;
    let is_turned = matches!(
        page.rotation(),
        Ok(PdfPageRenderRotation::Degrees90 | PdfPageRenderRotation::Degrees270)
    );
    let is_in_margin = |(x, y): (PdfPoints, PdfPoints)| {
        let (from_end, length) = match is_turned {
            true => (x - bounds.left(), bounds.width()),
            false => (y - bounds.bottom(), bounds.height()),
        };
        !(MARGIN..1.0 - MARGIN).contains(&(from_end.value / length.value))
    };
    let (mut lines, mut units, mut margin) = (Vec::new(), Vec::new(), None);
    let mut end = |units: &mut Vec<u16>, margin: &mut Option<bool>| {
        let decoded = char::decode_utf16(units.drain(..));
        lines.push(Line {
            text: decoded.map(|unit| unit.unwrap_or(' ')).collect(),
            is_in_margin: margin.take().unwrap_or(false),
        });
    };
    for character in text.chars().iter().take(MAX_CHARACTERS) {
        let value = character.unicode_value();
        if character.unicode_char().is_some_and(char::is_whitespace) {
            match char::from_u32(value) {
                Some('\n' | '\r') => end(&mut units, &mut margin),
                _ => units.push(u16::from(b' ')),
            }
            continue;
        }
        let is_drawn = !matches!(
            character.render_mode(),
            Ok(PdfPageTextRenderMode::Invisible | PdfPageTextRenderMode::InvisibleClipping)
        );
        let origin = character.origin();
        let is_inside = || matches!(origin, Ok((x, y)) if bounds.contains(x, y));
        if !is_drawn || (on_page && !is_inside()) {
            continue;
        }
        margin = margin.or_else(|| origin.ok().map(is_in_margin));
        // pdfium reports the code units of UTF-16 as a character each, but those of an ActualText as whole characters.
        match (u16::try_from(value), char::from_u32(value)) {
            (Ok(unit), _) => units.push(unit),
            (Err(_), Some(letter)) => units.extend_from_slice(letter.encode_utf16(&mut [0; 2])),
            (Err(_), None) => {}
        }
    }
    end(&mut units, &mut margin);
    Ok(lines)
}
