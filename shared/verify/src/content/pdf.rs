//! Reads the visible text and the images of a PDF with pdfium.

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
    read_pages(&document, (pages, on_page), take)
}

/// Calls `take` with the text of each selected page of a source.
pub(super) fn read_source(task: &Task, take: Take<'_>) -> Result<(), Unreadable> {
    let library = pdfium::load(task).map_err(|_| Unreadable)?;
    let document = pdfium::open(&library, task).map_err(|_| Unreadable)?;
    let selected = pages_to_convert(&task.operation, pdfium::pages(&document));
    let selected = selected.map_err(|_| Unreadable)?;
    let pages = selected
        .iter()
        .filter_map(|page| i32::try_from(page - 1).ok());
    read_pages(&document, (pages, true), take)
}

fn read_pages(
    document: &PdfDocument<'_>,
    (pages, on_page): (impl Iterator<Item = i32>, bool),
    take: Take<'_>,
) -> Result<(), Unreadable> {
    for index in pages {
        let page = document.pages().get(index)?;
        let place = Place {
            number: u32::try_from(index).unwrap_or(0) + 1,
            cell: None,
        };
        take(Item::Text(&visible_text(&page, on_page)?), place);
        take(Item::Break, place);
        for object in page.objects().iter() {
            if object.object_type() == PdfPageObjectType::Image {
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
        is_drawn && (!on_page || is_inside())
    });
    // pdfium reports the code units of UTF-16, as a character each.
    let units = visible.filter_map(|character| u16::try_from(character.unicode_value()).ok());
    let decoded = char::decode_utf16(units);
    Ok(decoded.map(|character| character.unwrap_or(' ')).collect())
}
