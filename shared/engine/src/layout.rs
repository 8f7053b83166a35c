//! What the pages of a PDF say, page by page: their structure, and the pictures on them.
//!
//! A document is gone through twice and never held as a whole: [`Surveyed::of`] collects what it has as a whole, and
//! [`Surveyed::pages`] hands out page after page. Pictures go to a [`Store`] before the page that shows them is handed out.
//!
//! ```ignore
//! let store = Store::new(directory);
//! let surveyed = Surveyed::of(Source { library, file, password: None, pages: None })?;
//! for reading in surveyed.pages(Options::default(), Some(&store))? {
//!     let Reading { page, warnings } = reading?;
//!     // write the page; its pictures are `store.facts(image)` and `store.open(image)`
//! }
//! ```

mod characters;
mod colours;
mod fonts;
mod handles;
mod likeness;
mod lines;
mod links;
mod place;
mod sheets;
mod store;
mod things;
mod view;

use std::path::Path;

use layout::{Facts, Options, Reader, Reading, Survey, joined};

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
}

/// A document of which is known what it has as a whole.
pub(crate) struct Surveyed<'a> {
    source: Source<'a>,
    facts: Facts,
}

impl<'a> Surveyed<'a> {
    /// Goes through a document for the first time.
    ///
    /// # Errors
    /// Whatever the library says of the document or of a page.
    pub(crate) fn of(source: Source<'a>) -> Outcome<Self> {
        let _library = pdfium::load_from(source.library)?;
        let mut survey = Survey::default();
        for sheet in Sheets::of(source, None, false)? {
            survey.note(&sheet?);
        }
        let facts = survey.finish();
        Ok(Self { source, facts })
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
        let sheets = Sheets::of(self.source, store, options.tags)?;
        Ok(joined(sheets.map(move |sheet| Ok(reader.read(&sheet?)))))
    }
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
    };
    let options = Options {
        tags,
        ..Options::default()
    };
    let told = json(source, options, &Store::new(directory));
    told.map_err(|fault| format!("{fault:?}"))
}

fn json(source: Source<'_>, options: Options, store: &Store) -> Outcome<Vec<u8>> {
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
