//! What the pages of a PDF say, page by page: their structure, and the pictures on them.
//!
//! A document is gone through twice and never held as a whole, but for what OCR read of it and for a short one, which is gone
//! through once: [`Surveyed::of`] collects what it has as a whole, and [`Surveyed::pages`] hands out page after page. Pictures
//! go to a [`Store`] before the page that shows them is handed out.
//!
//! ```ignore
//! let store = Store::new(directory);
//! let wanted = Wanted { store: Some(&store), tags: true };
//! let surveyed = Surveyed::of(Source::whole(library, file), wanted)?;
//! for reading in surveyed.pages(Options::default())? {
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
mod searchable;
mod sheets;
mod store;
mod things;
mod turn;
mod view;

use std::borrow::Cow;
use std::path::Path;

use layout::analysis::{
    DocumentStatistics, FixedReading, Options, Reader, Reading, Survey, fixed_page,
    rows_across_pages,
};
use layout::{Drawing, PageContent};
use task::{Outcome, Task};

pub use self::characters::CHARACTERS;
pub use self::place::narrow;
pub use self::recognised::{Cutting, Read, Recognised};
use self::sheets::Sheets;
pub use self::store::{Store, Stored};
use crate::pdfium;

/// What is read.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The library that reads PDF.
    pub library: &'a Path,
    /// The PDF.
    pub file: &'a Path,
    /// What opens it, if it is protected.
    pub password: Option<&'a str>,
    /// Which pages, counted from 1, in the order in which they are read; all of them without it.
    pub pages: Option<&'a [u32]>,
    /// What was recognised on some of them.
    pub recognised: Option<&'a Recognised>,
}

impl<'a> Source<'a> {
    /// All pages of a file that is not protected, or no longer.
    pub fn whole(library: &'a Path, file: &'a Path) -> Self {
        Self {
            library,
            file,
            password: None,
            pages: None,
            recognised: None,
        }
    }

    /// The same of a file that belongs to a task.
    pub fn of(task: &'a Task, file: &'a Path) -> Self {
        Self::whole(task.pdfium.as_deref().unwrap_or("".as_ref()), file)
    }
}

/// What is wanted of pages beside their text.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Where their pictures go; they are left out without it.
    pub store: Option<&'a Store>,
    /// Whether what the document says of its structure is.
    pub tags: bool,
}

/// Most characters, lines and steps along shapes of the pages that are kept from the first time to the second: some thirty pages of text.
const KEPT_THINGS: usize = 100_000;
/// Most pages that are.
const KEPT_PAGES: usize = 64;

/// Fewest characters that say something on a page that counts as text, not as a picture with a stamp on it.
pub const STAMP: usize = 32;

/// A document of which is known what it has as a whole.
pub struct Surveyed<'a> {
    origin: Origin<'a>,
    wanted: Wanted<'a>,
    /// Its pages, where they are few and short.
    kept: Option<Vec<PageContent>>,
    facts: DocumentStatistics,
    faint: Vec<Faint>,
    searchable: Vec<u32>,
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
        Wanted { store, tags }: Wanted<'a>,
    ) -> Outcome<Box<dyn Iterator<Item = Outcome<PageContent>> + 'a>> {
        Ok(match self {
            Self::Document(source) => Box::new(Sheets::of(source, store, tags)?),
            Self::Pictures(recognised) => Box::new(recognised.sheets(store)),
        })
    }
}

impl<'a> Surveyed<'a> {
    /// Goes through a document for the first time.
    ///
    /// # Errors
    /// Whatever the library says of the document or of a page.
    pub fn of(source: Source<'a>, wanted: Wanted<'a>) -> Outcome<Self> {
        let _library = pdfium::load_from(source.library)?;
        Self::from(Origin::Document(source), wanted)
    }

    /// The same of pictures of pages, which are known by what was recognised on them.
    ///
    /// # Errors
    /// None.
    pub fn of_pictures(recognised: &'a Recognised, wanted: Wanted<'a>) -> Outcome<Self> {
        Self::from(Origin::Pictures(recognised), wanted)
    }

    fn from(origin: Origin<'a>, wanted: Wanted<'a>) -> Outcome<Self> {
        let (mut survey, mut count) = (Survey::default(), 0);
        let (mut faint, mut searchable) = (Vec::new(), Vec::new());
        let mut kept = Kept::knowing(wanted);
        // Pictures wait until it is known which pages are read by OCR.
        let first = Wanted {
            store: None,
            ..wanted
        };
        for sheet in origin.sheets(first)? {
            let sheet = sheet?;
            count += 1;
            survey.note(&sheet);
            faint.extend(Faint::of(&sheet));
            searchable.extend(searchable::is_searchable(&sheet).then_some(sheet.number));
            kept.push(sheet);
        }
        let facts = survey.finish();
        Ok(Self {
            origin,
            wanted,
            kept: kept.sheets,
            facts,
            faint,
            searchable,
            count,
        })
    }

    /// How many pages there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Where its pictures go, if they are wanted.
    pub fn store(&self) -> Option<&'a Store> {
        self.wanted.store
    }

    /// Whether what the document says of its structure is wanted.
    pub fn has_tags(&self) -> bool {
        self.wanted.tags
    }

    /// The pages with so little text that says something that they have to be looked at.
    pub fn faint(&self) -> &[Faint] {
        &self.faint
    }

    /// The pages that are a picture as a whole over which another program has laid what it read in it.
    pub fn searchable(&self) -> &[u32] {
        &self.searchable
    }

    /// Goes through it again and hands out its pages, each with what was guessed of it or lost.
    ///
    /// # Errors
    /// Whatever the library says of the document; the iterator's errors are those of a page, or of writing a picture.
    pub fn pages(&self, options: Options) -> Outcome<impl Iterator<Item = Outcome<Reading>> + '_> {
        let mut reader = Reader::new(&self.facts, options);
        let sheets = self.sheets()?;
        Ok(rows_across_pages(
            sheets.map(move |sheet| Ok(reader.read(&*sheet?))),
        ))
    }

    /// The same as they look, each with what was lost of it. With `tags` pictures say what they show where the document does.
    ///
    /// # Errors
    /// As those of [`Self::pages`].
    pub fn sightings(&self) -> Outcome<impl Iterator<Item = Outcome<FixedReading>> + '_> {
        let has_store = self.wanted.store.is_some();
        let sheets = self.sheets()?;
        Ok(sheets.map(move |sheet| Ok(fixed_page(&*sheet?, has_store))))
    }

    fn sheets(&self) -> Outcome<Box<dyn Iterator<Item = Outcome<Cow<'_, PageContent>>> + '_>> {
        Ok(match &self.kept {
            Some(sheets) => Box::new(sheets.iter().map(|sheet| Ok(Cow::Borrowed(sheet)))),
            None => Box::new(
                self.origin
                    .sheets(self.wanted)?
                    .map(|sheet| sheet.map(Cow::Owned)),
            ),
        })
    }
}

/// The pages of a document as long as they are few and short and need not be gone through for their pictures, and none of
/// them else.
struct Kept {
    sheets: Option<Vec<PageContent>>,
    things: usize,
    has_store: bool,
}

impl Kept {
    fn knowing(wanted: Wanted<'_>) -> Self {
        Self {
            sheets: Some(Vec::new()),
            things: 0,
            has_store: wanted.store.is_some(),
        }
    }

    fn push(&mut self, sheet: PageContent) {
        self.things += things_of(&sheet);
        let is_whole = !self.has_store || sheet.pictures.is_empty();
        match &mut self.sheets {
            Some(sheets) if is_whole && self.things <= KEPT_THINGS && sheets.len() < KEPT_PAGES => {
                sheets.push(sheet);
            }
            sheets => *sheets = None,
        }
    }
}

fn things_of(sheet: &PageContent) -> usize {
    let steps = sheet.drawings.iter().map(|drawing| match drawing {
        Drawing::Shape(shape, _) => shape.steps.len(),
        _ => 1,
    });
    let marks = sheet.strokes.len() + sheet.fills.len() + sheet.links.len();
    sheet.characters.len() + marks + sheet.structure.len() + steps.sum::<usize>()
}

/// A page with hardly any text, or with text of which most is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faint {
    /// Which one, from 1.
    pub number: u32,
    /// Whether it has text, whose fonts do not tell what it says.
    pub is_garbled: bool,
}

impl Faint {
    fn of(sheet: &PageContent) -> Option<Self> {
        let characters = sheet.characters.iter();
        let seen = characters.filter(|character| !character.is_hidden);
        let unknown = seen.filter(|character| character.text == char::REPLACEMENT_CHARACTER);
        let unknown = unknown.count();
        let real = sheet.characters.iter();
        let real = real.filter(|character| is_real(character.text));
        let enough = unknown.max(STAMP);
        let real = real.take(enough).count();
        (real < enough).then_some(Self {
            number: sheet.number,
            is_garbled: unknown > 0 && unknown >= real,
        })
    }
}

/// Whether a character says something: neither space nor control, nor what stands for characters of no known meaning.
pub fn is_real(character: char) -> bool {
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
    let source = Source::whole(library, file);
    let options = Options {
        tags,
        ..Options::default()
    };
    let told = json(source, options, &Store::new(directory));
    told.map_err(|fault| format!("{fault:?}"))
}

/// The same of a source.
pub fn json(source: Source<'_>, options: Options, store: &Store) -> Outcome<Vec<u8>> {
    let wanted = Wanted {
        store: Some(store),
        tags: options.tags,
    };
    let surveyed = Surveyed::of(source, wanted)?;
    let readings = surveyed.pages(options)?;
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

#[cfg(test)]
mod tests {
    use layout::{Picture, Rect, Tag};

    use super::*;

    fn with_picture() -> PageContent {
        let picture = Picture {
            bounds: Rect::default(),
            image: 0,
            tag: Tag::None,
        };
        PageContent {
            pictures: vec![picture],
            ..PageContent::default()
        }
    }

    /// How many pages are kept of those of a document.
    fn kept(store: Option<&Store>, sheets: impl IntoIterator<Item = PageContent>) -> Option<usize> {
        let mut kept = Kept::knowing(Wanted { store, tags: false });
        sheets.into_iter().for_each(|sheet| kept.push(sheet));
        kept.sheets.map(|sheets| sheets.len())
    }

    #[test]
    fn all_pages_are_kept_or_none() {
        let blank = |count| std::iter::repeat_n(PageContent::default(), count);
        assert_eq!(kept(None, blank(KEPT_PAGES)), Some(KEPT_PAGES));
        assert_eq!(kept(None, blank(KEPT_PAGES + 9)), None);
        let store = Store::new(Path::new("nowhere"));
        assert_eq!(kept(Some(&store), blank(2)), Some(2));
        assert_eq!(kept(None, [with_picture()]), Some(1));
        let shown = [
            PageContent::default(),
            with_picture(),
            PageContent::default(),
        ];
        assert_eq!(kept(Some(&store), shown), None);
    }
}
