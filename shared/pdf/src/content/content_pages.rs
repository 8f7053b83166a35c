//! Iterates over the page content of a PDF.

use std::collections::{BTreeMap, HashSet};

use layout::analysis::drawn_check_boxes;
use layout::{CheckBox, Element, OutlineEntry, PageContent, Rect, Role, StructureChild, Tag};
use task::TaskResult;

use super::characters::{self, CharacterReader};
use super::figures::Figures;
use super::handles::{Document, PageHandle, PageObject};
use super::page_objects::{self, PageObjects};
use super::store::PictureStore;
use super::transform::PageTransform;
use super::{Source, links};

/// Number of pages after which the document is reopened, because PDFium caches everything it has parsed.
const PAGES_PER_OPENING: u32 = 200;
/// Maximum number of steps through the structure tree, for a document and for a page. Every page visits all elements, including
/// those of other pages.
const MAX_STEPS: usize = 20_000_000;
const MAX_STEPS_PER_PAGE: usize = 1_000_000;

/// Iterator over the requested pages of a document.
pub(super) struct ContentPages<'a> {
    source: Source<'a>,
    document: Document,
    /// Entries of the outline by page number.
    outline: BTreeMap<u32, Vec<OutlineEntry>>,
    /// Pages read since the document was opened, and in total.
    opened: u32,
    taken: usize,
    count: u32,
    characters: CharacterReader,
    /// Number of images so far. Without a store, images are numbered across the document.
    pictures: usize,
    store: Option<&'a PictureStore>,
    /// The figures to render, if there is a store.
    figures: Option<Figures<'a>>,
    /// Remaining steps through the structure tree, if tags are requested.
    steps: Option<usize>,
}

impl<'a> ContentPages<'a> {
    /// Opens a source. Structure tags are read if `tags`, and images and figures are written to the store, if there is one.
    pub(super) fn of(
        source: Source<'a>,
        (store, figures): (Option<&'a PictureStore>, Option<Figures<'a>>),
        tags: bool,
    ) -> TaskResult<Self> {
        let document = Document::open(source.file, source.password)?;
        Ok(Self {
            source,
            count: document.pages(),
            outline: document.outline(),
            document,
            opened: 0,
            taken: 0,
            characters: CharacterReader::of_document(source),
            pictures: 0,
            store,
            figures,
            steps: tags.then_some(MAX_STEPS),
        })
    }

    /// Returns the number of the next page, from 1.
    fn number(&self) -> Option<u32> {
        match self.source.pages {
            Some(pages) => pages.get(self.taken).copied(),
            None => u32::try_from(self.taken + 1)
                .ok()
                .filter(|number| *number <= self.count),
        }
    }

    fn read_page(&mut self, number: u32) -> TaskResult<PageContent> {
        if self.opened >= PAGES_PER_OPENING {
            self.document = Document::open(self.source.file, self.source.password)?;
            self.opened = 0;
        }
        self.opened += 1;
        let page = self.document.page(number.saturating_sub(1))?;
        let structure = structure(&page, &mut self.steps);
        let transform = PageTransform::of(&page);
        let is_tagged = !structure.is_empty();
        let mut page_objects = page_objects::of_page(&page, &transform, self.pictures, is_tagged);
        let ocr_pages = self.source.ocr_pages;
        let read = ocr_pages.and_then(|ocr_pages| ocr_pages.0.get(&number));
        let taken = read.map(|read| read.remove_recognized(&mut page_objects));
        self.pictures += page_objects.pictures.len();
        page_objects.is_cut |= store_pictures(self.store, &mut page_objects)?;
        let tag = |text: PageObject<'_>| match is_tagged {
            true => page_objects
                .tags
                .get(&text.address())
                .copied()
                .unwrap_or_else(|| text.tag()),
            false => Tag::None,
        };
        let characters::PageCharacters {
            characters,
            words_outside,
            has_more,
        } = self
            .characters
            .of(&page, &transform, &page_objects.declared_letters, tag);
        let mut content = PageContent {
            number,
            size: transform.size(),
            characters,
            strokes: page_objects.strokes,
            fills: page_objects.fills,
            pictures: page_objects.pictures,
            figures: Vec::new(),
            drawings: page_objects.drawings,
            links: links::of_page(&page, &transform),
            check_boxes: check_boxes(&page, &transform),
            fields: fields(&page, &transform),
            structure,
            outline: self.outline.get(&number).cloned().unwrap_or_default(),
            words_outside,
            is_truncated: has_more || page_objects.is_cut || page.areas().is_cut,
            has_more_drawings: page_objects.has_more_drawings,
            is_recognized: false,
        };
        add_drawn_check_boxes(&mut content, &page_objects.small_paths);
        if let Some(read) = read {
            read.add_to(&mut content, &taken.unwrap_or_default());
            self.pictures += read.add_photographs(&mut content, self.store, self.pictures)?;
        }
        if let (Some(store), Some(figures)) = (self.store, &mut self.figures) {
            figures.add(&page, &mut content, store)?;
        }
        Ok(content)
    }
}

/// Check boxes and radio buttons of a page.
fn check_boxes(page: &PageHandle<'_>, transform: &PageTransform) -> Vec<CheckBox> {
    let check_boxes = page.fields().iter().filter_map(|(bounds, is_set)| {
        Some(CheckBox {
            bounds: transform.rect(bounds.map(f64::from)),
            is_set: (*is_set)?,
            tag: Tag::None,
        })
    });
    check_boxes.collect()
}

/// Other form fields of a page.
fn fields(page: &PageHandle<'_>, transform: &PageTransform) -> Vec<Rect> {
    let fields = page.fields().iter();
    let fields = fields.filter(|(_, is_set)| is_set.is_none());
    let fields = fields.map(|(bounds, _)| transform.rect(bounds.map(f64::from)));
    fields.collect()
}

/// Adds the check boxes that are drawn as shapes, unless they are part of a form field.
fn add_drawn_check_boxes(content: &mut PageContent, small_paths: &[(Rect, Tag)]) {
    let mut drawn = drawn_check_boxes(content);
    drawn.retain(|one| {
        let fields = content.check_boxes.iter().map(|field| &field.bounds);
        let mut fields = fields.chain(&content.fields);
        !fields.any(|field| field.within(&one.bounds).is_some())
    });
    let texts = match drawn.is_empty() {
        true => HashSet::new(),
        false => tags_of_text(&content.structure),
    };
    for one in &mut drawn {
        let mut parts = small_paths.iter();
        let is_own =
            |(path, tag): &&(Rect, Tag)| texts.contains(tag) && one.bounds.contains(path.center());
        one.tag = parts.find(is_own).map_or(Tag::None, |(_, tag)| *tag);
    }
    content.check_boxes.extend(drawn);
}

/// Returns the tags that elements which may have text reference: drawings of tables and groups are their decoration.
fn tags_of_text(structure: &[Element]) -> HashSet<Tag> {
    let mut tags = HashSet::new();
    let mut open: Vec<&Element> = structure.iter().collect();
    while let Some(element) = open.pop() {
        let is_group = matches!(
            element.role,
            Role::Table | Role::Head | Role::Row | Role::List
        );
        for kid in &element.kids {
            match kid {
                StructureChild::Element(inner) => open.push(inner),
                StructureChild::Content(id) if !is_group => {
                    tags.insert(Tag::Content(*id));
                }
                StructureChild::Content(_) | StructureChild::Elsewhere => {}
            }
        }
    }
    tags
}

/// Returns the structure elements of a page and reduces the remaining steps; empty if tags are not requested. An incomplete
/// tree is replaced by one element without content, which covers nothing on the page.
fn structure(page: &PageHandle<'_>, steps: &mut Option<usize>) -> Vec<Element> {
    let Some(left) = steps else {
        return Vec::new();
    };
    let structure = page.structure((*left).min(MAX_STEPS_PER_PAGE));
    *left = left.saturating_sub(structure.steps);
    match structure.is_incomplete {
        true => vec![Element::default()],
        false => structure.elements,
    }
}

/// Writes the images of a page to the store, which numbers them. Returns whether some exceeded its limit.
fn store_pictures(
    store: Option<&PictureStore>,
    page_objects: &mut PageObjects<'_>,
) -> TaskResult<bool> {
    let Some(store) = store else {
        return Ok(false);
    };
    let mut is_cut = false;
    for (picture, (object, view)) in page_objects.pictures.iter_mut().zip(&page_objects.objects) {
        let preview = object.preview();
        let key = preview.as_ref().and_then(|preview| preview.key(view));
        let image = || object.image(preview?, view);
        let kept = store.keep(key, image)?;
        picture.image = kept.number;
        is_cut |= kept.is_over_limit;
    }
    Ok(is_cut)
}

impl Iterator for ContentPages<'_> {
    type Item = TaskResult<PageContent>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.number()?;
        self.taken += 1;
        Some(self.read_page(number))
    }
}
