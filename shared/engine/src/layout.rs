//! What the pages of a PDF show, page by page: the sheets that structure is read from.

mod characters;
mod colours;
mod fonts;
mod handles;
mod lines;
mod links;
mod place;
mod things;

use std::path::Path;

use layout::{Options, Page, Reader, Sheet, Survey};

use self::characters::Characters;
use self::handles::{Document, Leaf};
use self::place::Place;
use crate::fault::Outcome;
use crate::pdfium;

/// Reads the structure of a PDF from where its characters and lines stand, and hands on page after page. The document is gone
/// through twice and never held as a whole.
///
/// # Errors
/// Whatever the library says of the document, or `each` of a page.
pub(crate) fn read(
    library: &Path,
    source: &Path,
    mut each: impl FnMut(Page) -> Outcome<()>,
) -> Outcome<()> {
    let _library = pdfium::load_from(library)?;
    let mut survey = Survey::default();
    for sheet in Sheets::of(&Document::open(source)?) {
        survey.note(&sheet?);
    }
    let facts = survey.finish();
    let mut reader = Reader::new(&facts, Options::default());
    // Reading pages changes them.
    for sheet in Sheets::of(&Document::open(source)?) {
        each(reader.read(&sheet?))?;
    }
    Ok(())
}

/// The pages of a PDF as JSON, read from where its characters stand and nothing else. Nothing is confined: it is for tests and
/// measurements, of documents that are trusted.
///
/// # Errors
/// The code of what is wrong with the document, and a sentence on it.
pub fn untagged_pages(library: &Path, source: &Path) -> Result<Vec<u8>, String> {
    let mut pages = Vec::new();
    let read = read(library, source, |page| {
        pages.push(page);
        Ok(())
    });
    read.map_err(|fault| format!("{fault:?}"))?;
    serde_json::to_vec(&pages).map_err(|error| error.to_string())
}

/// The pages of a document, from the first to the last.
struct Sheets<'a> {
    document: &'a Document,
    characters: Characters,
    /// Pages that were taken.
    taken: u32,
    /// Pictures on them: pictures are counted over the document.
    pictures: usize,
}

impl<'a> Sheets<'a> {
    fn of(document: &'a Document) -> Self {
        Self {
            document,
            characters: Characters::default(),
            taken: 0,
            pictures: 0,
        }
    }

    fn sheet(&mut self, leaf: &Leaf<'_>) -> Sheet {
        let place = Place::of(leaf);
        let things = things::on(leaf, &place, self.pictures);
        self.pictures += things.pictures.len();
        Sheet {
            number: self.taken,
            size: place.size(),
            characters: self.characters.of(leaf, &place),
            strokes: things.strokes,
            fills: things.fills,
            pictures: things.pictures,
            links: links::on(leaf, &place),
        }
    }
}

impl Iterator for Sheets<'_> {
    type Item = Outcome<Sheet>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.taken >= self.document.pages() {
            return None;
        }
        let leaf = self.document.leaf(self.taken);
        self.taken += 1;
        Some(leaf.map(|leaf| self.sheet(&leaf)))
    }
}
