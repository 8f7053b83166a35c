//! What the pages of a PDF say, page by page: their structure, and the pictures on them.
//!
//! A document is gone through twice and never held as a whole, but for what OCR read of it: [`Surveyed::of`] collects what it has as a whole, and
//! [`Surveyed::pages`] hands out page after page. Pictures go to a [`Store`] before the page that shows them is handed out.
//!
//! ```ignore
//! let store = Store::new(directory);
//! let surveyed = Surveyed::of(Source { library, file, password: None, pages: None, recognised: None })?;
//! for reading in surveyed.pages(Options::default(), Some(&store))? {
//!     let Reading { page, warnings, .. } = reading?;
//!     // write the page; its pictures are `store.facts(image)` and `store.open(image)`
//! }
//! ```

mod characters;
mod colours;
mod fonts;
mod ground;
mod handles;
mod likeness;
mod lines;
mod links;
mod place;
mod recognised;
mod sheets;
mod store;
mod things;
mod view;

use std::path::Path;

use layout::{Facts, Options, Reader, Reading, Sheet, Sighting, Survey, joined, placed};

pub(crate) use self::characters::CHARACTERS;
pub(crate) use self::recognised::{Cutting, Read, Recognised};
use self::sheets::Sheets;
pub(crate) use self::store::{Store, Stored};
use crate::fault::Outcome;
use crate::pdfium;

/// What is read.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The library that reads PDF.
    pub(crate) library: &'a Path,
    /// The PDF.
    pub(crate) file: &'a Path,
    /// What opens it, if it is protected.
    pub(crate) password: Option<&'a str>,
    /// Which pages, counted from 1, in the order in which they are read; all of them without it.
    pub(crate) pages: Option<&'a [u32]>,
    /// What was recognised on some of them.
    pub(crate) recognised: Option<&'a Recognised>,
}

/// Fewest characters that say something on a page that counts as text, not as a picture with a stamp on it.
pub(crate) const STAMP: usize = 32;

/// A document of which is known what it has as a whole.
pub(crate) struct Surveyed<'a> {
    origin: Origin<'a>,
    facts: Facts,
    faint: Vec<u32>,
    count: usize,
}

/// Where pages come from.
#[derive(Clone, Copy)]
enum Origin<'a> {
    Document(Source<'a>),
    Pictures(&'a Recognised),
}

impl<'a> Origin<'a> {
    fn sheets(
        self,
        store: Option<&'a Store>,
        tags: bool,
    ) -> Outcome<Box<dyn Iterator<Item = Outcome<Sheet>> + 'a>> {
        Ok(match self {
            Self::Document(source) => Box::new(Sheets::of(source, store, tags)?),
            Self::Pictures(recognised) => Box::new(recognised.sheets(store)),
        })
    }

    fn sightings(
        self,
        store: Option<&'a Store>,
    ) -> Outcome<impl Iterator<Item = Outcome<Sighting>> + 'a> {
        let sheets = self.sheets(store, false)?;
        Ok(sheets.map(move |sheet| Ok(placed(&sheet?, store.is_some()))))
    }
}

impl<'a> Surveyed<'a> {
    /// Goes through a document for the first time.
    ///
    /// # Errors
    /// Whatever the library says of the document or of a page.
    pub(crate) fn of(source: Source<'a>) -> Outcome<Self> {
        let _library = pdfium::load_from(source.library)?;
        Self::from(Origin::Document(source))
    }

    /// The same of pictures of pages, which are known by what was recognised on them.
    ///
    /// # Errors
    /// None.
    pub(crate) fn of_pictures(recognised: &'a Recognised) -> Outcome<Self> {
        Self::from(Origin::Pictures(recognised))
    }

    fn from(origin: Origin<'a>) -> Outcome<Self> {
        let (mut survey, mut faint, mut count) = (Survey::default(), Vec::new(), 0);
        for sheet in origin.sheets(None, false)? {
            let sheet = sheet?;
            count += 1;
            survey.note(&sheet);
            faint.extend(is_faint(&sheet).then_some(sheet.number));
        }
        let facts = survey.finish();
        Ok(Self {
            origin,
            facts,
            faint,
            count,
        })
    }

    /// How many pages there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The pages with so little text that they may be pictures.
    pub(crate) fn faint(&self) -> &[u32] {
        &self.faint
    }

    /// Goes through it again and hands out its pages, each with what was guessed of it or lost. Pictures are written to a
    /// store if there is one.
    ///
    /// # Errors
    /// Whatever the library says of the document; the iterator's errors are those of a page, or of writing a picture.
    pub(crate) fn pages<'s>(
        &'s self,
        options: Options,
        store: Option<&'s Store>,
    ) -> Outcome<impl Iterator<Item = Outcome<Reading>> + 's> {
        let mut reader = Reader::new(&self.facts, options);
        let sheets = self.origin.sheets(store, options.tags)?;
        Ok(joined(sheets.map(move |sheet| Ok(reader.read(&sheet?)))))
    }

    /// The same as they look, each with what was lost of it.
    ///
    /// # Errors
    /// As those of [`Self::pages`].
    pub(crate) fn sightings<'s>(
        &'s self,
        store: Option<&'s Store>,
    ) -> Outcome<impl Iterator<Item = Outcome<Sighting>> + 's> {
        self.origin.sightings(store)
    }
}

/// Goes through a document once and hands out its pages as they look, each with what was lost of it. Pictures are written to a
/// store if there is one, and left out else.
///
/// # Errors
/// Whatever the library says of the document; the iterator's errors are those of a page, or of writing a picture.
pub(crate) fn sightings<'s>(
    source: Source<'s>,
    store: Option<&'s Store>,
) -> Outcome<impl Iterator<Item = Outcome<Sighting>> + 's> {
    let _library = pdfium::load_from(source.library)?;
    Origin::Document(source).sightings(store)
}

fn is_faint(sheet: &Sheet) -> bool {
    let characters = sheet.characters.iter();
    let real = characters.filter(|character| is_real(character.text));
    real.take(STAMP).count() < STAMP
}

/// Whether a character says something: neither space nor control, nor what stands for characters of no known meaning.
pub(crate) fn is_real(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_control()
        && !matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{fffd}'..='\u{ffff}')
}

/// The pages of a PDF and its pictures as JSON: `{"pages": […], "pictures": […]}`, where a page is one of the model with its
/// `warnings`, and a picture is `{"isJpeg": …, "width": …, "height": …, "bytes": …}` with their number, or null. The pictures
/// are written to `directory`; `tags` is whether what the document says of its structure is used. Nothing is confined: it is
/// for tests and measurements, of documents that are trusted.
///
/// # Errors
/// What is wrong with the document.
pub fn told(library: &Path, file: &Path, directory: &Path, tags: bool) -> Result<Vec<u8>, String> {
    let source = Source {
        library,
        file,
        password: None,
        pages: None,
        recognised: None,
    };
    let options = Options {
        tags,
        ..Options::default()
    };
    let told = json(source, options, &Store::new(directory));
    told.map_err(|fault| format!("{fault:?}"))
}

/// The same of a source.
pub(crate) fn json(source: Source<'_>, options: Options, store: &Store) -> Outcome<Vec<u8>> {
    let surveyed = Surveyed::of(source)?;
    let readings = surveyed.pages(options, Some(store))?;
    let pages: Vec<Reading> = readings.collect::<Outcome<_>>()?;
    let pictures = (0..store.count()).map(|picture| {
        let Some(Stored {
            is_jpeg,
            width,
            height,
            ..
        }) = store.facts(picture)
        else {
            return Ok(serde_json::Value::Null);
        };
        let bytes = store.open(picture)?.metadata()?.len();
        Ok(serde_json::json!({"isJpeg": is_jpeg, "width": width, "height": height, "bytes": bytes}))
    });
    let pictures: Vec<serde_json::Value> = pictures.collect::<Outcome<_>>()?;
    let told = serde_json::json!({"pages": pages, "pictures": pictures});
    Ok(told.to_string().into_bytes())
}
