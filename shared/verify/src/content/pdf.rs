//! Reads the visible text and the images of a PDF with pdfium.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use domain::format::Category;
use pdf::pdfium;
use pdfium_render::prelude::{
    PdfDocument, PdfPage, PdfPageObjectType, PdfPageObjectsCommon as _, PdfPageTextRenderMode,
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

/// Lines that pages repeat: headers and footers, which a result without pages has once. The page number does not matter.
#[derive(Default)]
struct Repeated {
    /// Hash and first page of each line.
    lines: HashMap<u64, u32>,
}

impl Repeated {
    /// Returns whether a line is not repeated from an earlier page.
    fn is_new(&mut self, page: u32, line: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        let letters = line.chars().filter(|letter| letter.is_alphabetic());
        letters.for_each(|letter| letter.hash(&mut hasher));
        if self.lines.len() >= MAX_LINES {
            return true;
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
        for line in visible_text(&page, on_page)?.lines() {
            if !skips_repeated || repeated.is_new(place.number, line) {
                take(Item::Text(line), place);
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

/// The text of a page, without invisible characters and, if `on_page`, without those beyond its edges.
fn visible_text(page: &PdfPage<'_>, on_page: bool) -> Result<String, Unreadable> {
    let text = page.text()?;
    let bounds = page.boundaries().bounding()?.bounds;
    let characters = text.chars();
    let visible = characters.iter().take(MAX_CHARACTERS).filter(|character| {
        let is_drawn = !matches!(
            character.render_mode(),
            Ok(PdfPageTextRenderMode::Invisible | PdfPageTextRenderMode::InvisibleClipping)
        );
        let is_inside = || character.origin().is_ok_and(|(x, y)| bounds.contains(x, y));
        let is_space = character.unicode_char().is_some_and(char::is_whitespace);
        is_space || (is_drawn && (!on_page || is_inside()))
    });
    // pdfium reports the code units of UTF-16 as a character each, but those of an ActualText as whole characters.
    let units = visible.flat_map(|character| {
        let value = character.unicode_value();
        let mut units = [0; 2];
        match (u16::try_from(value), char::from_u32(value)) {
            (Ok(unit), _) => vec![unit],
            (Err(_), Some(letter)) => letter.encode_utf16(&mut units).to_vec(),
            (Err(_), None) => Vec::new(),
        }
    });
    let decoded = char::decode_utf16(units);
    Ok(decoded.map(|character| character.unwrap_or(' ')).collect())
}
