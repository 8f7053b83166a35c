//! Extracts the content of PDF pages for the crate `layout`: characters, lines, drawings, images and structure tags.
//!
//! A document is read in two passes and never kept in memory as a whole, except for the text that OCR recognized and for short
//! documents, which are read once: [`SurveyedDocument::of`] collects statistics of the document, and
//! [`SurveyedDocument::pages`] yields page after page. Images are written to a [`PictureStore`] before the page that refers to
//! them is yielded.
//!
//! ```ignore
//! let store = PictureStore::new(directory);
//! let wanted = ContentOptions { store: Some(&store), tags: true };
//! let surveyed = SurveyedDocument::of(Source::all_pages(library, file), wanted)?;
//! for reading in surveyed.pages(Options::default())? {
//!     let Reading { page, warnings, .. } = reading?;
//! write the page; its images are `store.info(image)` and `store.open(image)`
//! }
//! ```

mod characters;
mod colors;
mod content_pages;
mod declared_letters;
mod drawings;
mod figures;
mod fonts;
mod handles;
mod ink;
mod lines;
mod links;
mod ocr_candidates;
mod ocr_pages;
mod page_objects;
mod rotate;
#[cfg(test)]
mod samples;
mod searchable;
mod similarity;
mod store;
mod transform;
mod view;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use layout::analysis::{
    DocumentStatistics, FixedReading, Options, Reader, Reading, Survey, figures, fixed_page,
    rows_across_pages,
};
use layout::{Drawing, PageContent, Rect};
use task::{Task, TaskResult};

pub use self::characters::MAX_CHARACTERS;
pub(crate) use self::characters::{differences, glyph_text};
use self::content_pages::ContentPages;
use self::figures::Figures;
pub use self::ink::{InkArea, PageInk, TextPictures};
use self::ocr_candidates::OcrCandidates;
pub use self::ocr_candidates::{NearlyTextless, OcrCandidate};
pub use self::ocr_pages::{OcrPage, OcrPages, Photograph};
pub use self::store::{PictureStore, StoredPicture};
pub use self::transform::to_f32;
use crate::pdfium;

/// The document to read.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The path of the PDFium library.
    pub library: &'a Path,
    /// The PDF.
    pub file: &'a Path,
    /// The password, if one is needed.
    pub password: Option<&'a str>,
    /// Page numbers, from 1, in reading order; all pages if absent.
    pub pages: Option<&'a [u32]>,
    /// Text that OCR recognized on some pages.
    pub ocr_pages: Option<&'a OcrPages>,
}

impl<'a> Source<'a> {
    /// All pages of a file without a password.
    pub fn all_pages(library: &'a Path, file: &'a Path) -> Self {
        Self {
            library,
            file,
            password: None,
            pages: None,
            ocr_pages: None,
        }
    }

    /// All pages of a file of a task.
    pub fn of_task(task: &'a Task, file: &'a Path) -> Self {
        Self::all_pages(task.pdfium.as_deref().unwrap_or("".as_ref()), file)
    }
}

/// Optional content to extract.
#[derive(Clone, Copy, Default)]
pub struct ContentOptions<'a> {
    /// Where to write images; without it, images are skipped.
    pub store: Option<&'a PictureStore>,
    /// Whether to use the structure tags.
    pub tags: bool,
}

/// Maximum number of characters, lines and path segments that are cached between the passes: some thirty pages of text.
const MAX_CACHED_ITEMS: usize = 100_000;
/// Maximum number of cached pages.
const MAX_CACHED_PAGES: usize = 64;

/// Minimum number of legible characters of a text page. A page with fewer is treated as an image with a stamp.
pub const MIN_LEGIBLE_CHARACTERS: usize = 32;

/// A document after the first pass, with its statistics.
pub struct SurveyedDocument<'a> {
    origin: Origin<'a>,
    wanted: ContentOptions<'a>,
    /// All pages, if the document is short.
    cached: Option<Vec<PageContent>>,
    facts: DocumentStatistics,
    ocr_candidates: OcrCandidates,
    ink: Vec<PageInk>,
    /// Regions of figures and formulas by page; of figures that pages repeat, the first one.
    figures: BTreeMap<u32, Vec<Rect>>,
    /// Pages with figures that could not be rendered.
    unrendered: RefCell<BTreeSet<u32>>,
    searchable: Vec<u32>,
    count: usize,
}

/// The source of the pages.
#[derive(Clone, Copy)]
enum Origin<'a> {
    Document(Source<'a>),
    Pictures(&'a OcrPages),
}

impl<'a> Origin<'a> {
    /// Yields the pages; these figures are rendered if there is a store.
    fn contents(
        self,
        ContentOptions { store, tags }: ContentOptions<'a>,
        figures: Option<Figures<'a>>,
    ) -> TaskResult<Box<dyn Iterator<Item = TaskResult<PageContent>> + 'a>> {
        Ok(match self {
            Self::Document(source) => Box::new(ContentPages::of(source, (store, figures), tags)?),
            Self::Pictures(ocr_pages) => Box::new(ocr_pages.contents(store)),
        })
    }
}

impl<'a> SurveyedDocument<'a> {
    /// Runs the first pass.
    ///
    /// # Errors
    /// Any error of PDFium for the document or a page.
    pub fn of(source: Source<'a>, wanted: ContentOptions<'a>) -> TaskResult<Self> {
        let _library = pdfium::load_from(source.library)?;
        Self::from(Origin::Document(source), wanted)
    }

    /// Runs the first pass over images of pages, for which only OCR results exist.
    ///
    /// # Errors
    /// None in practice: this pass reads no file.
    pub fn of_pictures(ocr_pages: &'a OcrPages, wanted: ContentOptions<'a>) -> TaskResult<Self> {
        Self::from(Origin::Pictures(ocr_pages), wanted)
    }

    fn from(origin: Origin<'a>, wanted: ContentOptions<'a>) -> TaskResult<Self> {
        let (mut survey, mut count) = (Survey::default(), 0);
        let (mut ocr_candidates, mut searchable) = (OcrCandidates::default(), Vec::new());
        let (mut ink, mut formulas) = (Vec::new(), Vec::new());
        let mut cached = PageCache::new(wanted);
        // Images are written in the second pass, once it is clear which pages OCR replaces.
        let first = ContentOptions {
            store: None,
            ..wanted
        };
        let has_ocr = matches!(
            origin,
            Origin::Document(Source {
                ocr_pages: Some(_),
                ..
            })
        );
        for content in origin.contents(first, None)? {
            let content = content?;
            count += 1;
            survey.note(&content);
            if !has_ocr {
                ocr_candidates.note(&content);
            }
            let regions = figures(&content);
            ink.extend(PageInk::of(&content, &regions));
            searchable.extend(searchable::is_searchable(&content).then_some(content.number));
            let has_figures = ink
                .last()
                .is_some_and(|ink| ink.number == content.number && !ink.figures.is_empty());
            let number = content.number;
            cached.push(content, has_figures || !regions.formulas.is_empty());
            if !regions.formulas.is_empty() {
                formulas.push((number, regions.formulas));
            }
        }
        let mut figures = ink::remove_repeated(&mut ink);
        for (page, formulas) in formulas {
            figures.entry(page).or_default().extend(formulas);
        }
        let facts = survey.finish();
        Ok(Self {
            origin,
            wanted,
            cached: cached.contents,
            facts,
            ocr_candidates,
            ink,
            figures,
            unrendered: RefCell::default(),
            searchable,
            count,
        })
    }

    /// Number of pages.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Where images are written, if they are requested.
    pub fn store(&self) -> Option<&'a PictureStore> {
        self.wanted.store
    }

    /// Whether structure tags are used.
    pub fn has_tags(&self) -> bool {
        self.wanted.tags
    }

    /// Pages that OCR has to check: those with little legible text, and those with text that is drawn or in pictures.
    ///
    /// # Errors
    /// Any error of PDFium for the document or a page.
    pub fn ocr_candidates(&self) -> TaskResult<Vec<OcrCandidate>> {
        match self.origin {
            Origin::Document(source) => self.ocr_candidates.find(source, &self.ink),
            Origin::Pictures(_) => Ok(Vec::new()),
        }
    }

    /// Ink that no character accounts for, by page.
    pub fn ink(&self) -> &[PageInk] {
        &self.ink
    }

    /// Pages, of those yielded so far, with figures that could not be rendered.
    pub fn unrendered_figures(&self) -> Vec<u32> {
        self.unrendered.borrow().iter().copied().collect()
    }

    /// Pages that consist of one image with the hidden text layer of another OCR program.
    pub fn searchable(&self) -> &[u32] {
        &self.searchable
    }

    /// Runs the second pass and yields the pages, each with its warnings.
    ///
    /// # Errors
    /// Any error of the document; the iterator yields errors of a page or of writing an image.
    pub fn pages(
        &self,
        options: Options,
    ) -> TaskResult<impl Iterator<Item = TaskResult<Reading>> + '_> {
        let mut reader = Reader::new(&self.facts, options);
        let contents = self.contents(Some(Figures::new(&self.figures, &self.unrendered)))?;
        Ok(rows_across_pages(
            contents.map(move |content| Ok(reader.read(&*content?))),
        ))
    }

    /// Yields the pages with fixed layout, each with its warnings. With `tags`, images get the alternative text of the
    /// document.
    ///
    /// # Errors
    /// As those of [`Self::pages`].
    pub fn fixed_layout_pages(
        &self,
    ) -> TaskResult<impl Iterator<Item = TaskResult<FixedReading>> + '_> {
        let has_store = self.wanted.store.is_some();
        let contents = self.contents(None)?;
        Ok(contents.map(move |content| Ok(fixed_page(&*content?, has_store))))
    }

    fn contents<'s>(
        &'s self,
        figures: Option<Figures<'s>>,
    ) -> TaskResult<Box<dyn Iterator<Item = TaskResult<Cow<'s, PageContent>>> + 's>> {
        Ok(match &self.cached {
            Some(contents) => Box::new(contents.iter().map(|content| Ok(Cow::Borrowed(content)))),
            None => Box::new(
                self.origin
                    .contents(self.wanted, figures)?
                    .map(|content| content.map(Cow::Owned)),
            ),
        })
    }
}

/// The pages of a short document, cached between the passes. Dropped if the document is too long, or if images require a second
/// pass.
struct PageCache {
    contents: Option<Vec<PageContent>>,
    item_count: usize,
    has_store: bool,
}

impl PageCache {
    fn new(wanted: ContentOptions<'_>) -> Self {
        Self {
            contents: Some(Vec::new()),
            item_count: 0,
            has_store: wanted.store.is_some(),
        }
    }

    fn push(&mut self, content: PageContent, has_figures: bool) {
        self.item_count += item_count(&content);
        let is_whole = !self.has_store || content.pictures.is_empty() && !has_figures;
        match &mut self.contents {
            Some(contents)
                if is_whole
                    && self.item_count <= MAX_CACHED_ITEMS
                    && contents.len() < MAX_CACHED_PAGES =>
            {
                contents.push(content);
            }
            contents => *contents = None,
        }
    }
}

fn item_count(content: &PageContent) -> usize {
    let steps = content.drawings.iter().map(|drawing| match drawing {
        Drawing::Shape(shape, _) => shape.segments.len(),
        _ => 1,
    });
    let marks = content.strokes.len() + content.fills.len() + content.links.len();
    content.characters.len() + marks + content.structure.len() + steps.sum::<usize>()
}

/// Whether a character is legible: no white space, no control, private-use or replacement character.
pub fn is_legible(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_control()
        && !matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{fffd}'..='\u{ffff}')
}

/// Returns the pages of a PDF and its images as JSON: `{"pages": […], "pictures": […]}`. A page is one of the layout model with
/// its `warnings`; a picture is `{"isJpeg": …, "width": …, "height": …, "bytes": …}`, or null if unreadable, at its number.
/// Images are written to `directory`; `tags` is whether structure tags are used. Runs without a sandbox: only for tests and
/// benchmarks with trusted documents.
///
/// # Errors
/// A description of the error.
pub fn content_json(
    library: &Path,
    file: &Path,
    directory: &Path,
    tags: bool,
) -> Result<Vec<u8>, String> {
    let source = Source::all_pages(library, file);
    let options = Options {
        tags,
        ..Options::default()
    };
    let content = source_json(source, options, &PictureStore::new(directory));
    content.map_err(|error| format!("{error:?}"))
}

/// As [`content_json`], for a source.
///
/// # Errors
/// Any error of the document, of a page, or of writing an image.
pub fn source_json(
    source: Source<'_>,
    options: Options,
    store: &PictureStore,
) -> TaskResult<Vec<u8>> {
    let wanted = ContentOptions {
        store: Some(store),
        tags: options.tags,
    };
    let surveyed = SurveyedDocument::of(source, wanted)?;
    let readings = surveyed.pages(options)?;
    let pages: Vec<Reading> = readings.collect::<TaskResult<_>>()?;
    let pictures = (0..store.count()).map(|picture| {
        let Some(StoredPicture {
            is_jpeg,
            width,
            height,
            ..
        }) = store.info(picture)
        else {
            return Ok(serde_json::Value::Null);
        };
        let bytes = store.open(picture)?.metadata()?.len();
        Ok(serde_json::json!({"isJpeg": is_jpeg, "width": width, "height": height, "bytes": bytes}))
    });
    let pictures: Vec<serde_json::Value> = pictures.collect::<TaskResult<_>>()?;
    let content = serde_json::json!({"pages": pages, "pictures": pictures});
    Ok(content.to_string().into_bytes())
}

#[cfg(test)]
mod tests {
    use layout::{Picture, Tag};

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

    /// Number of cached pages.
    fn cached(
        store: Option<&PictureStore>,
        contents: impl IntoIterator<Item = PageContent>,
    ) -> Option<usize> {
        let mut cached = PageCache::new(ContentOptions { store, tags: false });
        contents
            .into_iter()
            .for_each(|content| cached.push(content, false));
        cached.contents.map(|contents| contents.len())
    }

    #[test]
    fn all_pages_are_cached_or_none() {
        let blank = |count| std::iter::repeat_n(PageContent::default(), count);
        assert_eq!(
            cached(None, blank(MAX_CACHED_PAGES)),
            Some(MAX_CACHED_PAGES)
        );
        assert_eq!(cached(None, blank(MAX_CACHED_PAGES + 9)), None);
        let store = PictureStore::new(Path::new("nowhere"));
        assert_eq!(cached(Some(&store), blank(2)), Some(2));
        assert_eq!(cached(None, [with_picture()]), Some(1));
        let shown = [
            PageContent::default(),
            with_picture(),
            PageContent::default(),
        ];
        assert_eq!(cached(Some(&store), shown), None);
    }
}
