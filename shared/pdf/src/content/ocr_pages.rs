//! OCR results as page content of the layout model, in place of the images they were recognized in.

use std::collections::BTreeMap;
use std::path::PathBuf;

use layout::{Character, Drawing, PageContent, Picture, Rect, Size, Stroke, Tag};
use task::TaskResult;

use super::handles::Image;
use super::page_objects::PageObjects;
use super::rotate;
use super::store::PictureStore;

/// Minimum number of words in an image for it to count as scanned text. Fewer are labels of an illustration.
const MIN_WORDS: usize = 3;

/// OCR results by page number: pages with recognized text, and all pages of an image file.
#[derive(Default)]
pub struct OcrPages(pub BTreeMap<u32, OcrPage>);

/// OCR result of a page.
#[derive(Default)]
pub struct OcrPage {
    /// Displayed size.
    pub size: Size,
    /// Clockwise rotation in degrees that makes the text upright: 0, 90, 180 or 270.
    pub turned: u32,
    /// Characters, and the spaces between words.
    pub characters: Vec<Character>,
    /// Center of each word.
    pub words: Vec<(f32, f32)>,
    /// Whether it replaces all text of the page, because the existing text is not legible.
    pub is_all: bool,
    /// Lines detected in the image, if the page is one image.
    pub strokes: Option<Vec<Stroke>>,
    /// Whether the page keeps its existing text, which another OCR program added.
    pub keeps_existing_text: bool,
    /// Photographs detected in the image.
    pub photographs: Vec<Photograph>,
}

/// A photograph cut out of the image of a page, or the whole image if it has no text.
#[derive(Clone, Debug, Default)]
pub struct Photograph {
    /// Bounds on the page.
    pub bounds: Rect,
    /// Path of the image file.
    pub path: PathBuf,
    /// Whether it is JPEG; otherwise PNG.
    pub is_jpeg: bool,
    /// Width and height in pixels.
    pub sides: (u32, u32),
}

impl OcrPages {
    /// Returns the pages of an image file. Photographs are written to the store, if there is one.
    pub(super) fn contents<'a>(
        &'a self,
        store: Option<&'a PictureStore>,
    ) -> impl Iterator<Item = TaskResult<PageContent>> + 'a {
        let mut pictures = 0;
        self.0.iter().map(move |(number, read)| {
            let mut content = PageContent {
                number: *number,
                ..PageContent::default()
            };
            read.add_to(&mut content, &[]);
            content.size = read.size;
            pictures += read.add_photographs(&mut content, store, pictures)?;
            Ok(content)
        })
    }
}

impl OcrPage {
    /// Removes the images whose text was recognized, and returns their bounds.
    pub(super) fn remove_recognized(&self, page_objects: &mut PageObjects<'_>) -> Vec<Rect> {
        let places = page_objects.pictures.iter().map(|picture| picture.bounds);
        let taken = places.filter(|bounds| self.is_recognized(bounds)).collect();
        page_objects.retain_pictures(|picture| !self.is_recognized(&picture.bounds));
        taken
    }

    fn is_recognized(&self, picture: &Rect) -> bool {
        let mut words = self.words.iter().filter(|word| picture.contains(**word));
        self.strokes.is_some() || words.nth(MIN_WORDS - 1).is_some()
    }

    /// Adds the OCR result to a page from which images with these bounds were removed. Structure tags of the page are dropped,
    /// because they do not describe the recognized text.
    pub(super) fn add_to(&self, content: &mut PageContent, taken: &[Rect]) {
        if let Some(strokes) = &self.strokes {
            content.strokes.clone_from(strokes);
            content.fills.clear();
        }
        if self.keeps_existing_text {
            return;
        }
        let is_shown = |own: &Character| !own.is_hidden && own.text != char::REPLACEMENT_CHARACTER;
        content
            .characters
            .retain(|own| !self.is_all && is_shown(own));
        rotate::content(content, self.turned);
        let read = self.characters.iter().cloned();
        content.characters.extend(read.map(|mut character| {
            character.is_hidden = !self.has_lost_its_image(&character, taken);
            character
        }));
        content.structure.clear();
        content.is_recognized = true;
    }

    /// Whether the image that showed a recognized character was removed, so that the character must be visible. Text that
    /// vector drawings show stays hidden, because they remain.
    fn has_lost_its_image(&self, character: &Character, taken: &[Rect]) -> bool {
        let middle = character.bounds.center();
        self.is_all
            || self.strokes.is_some()
            || taken.iter().any(|picture| picture.contains(middle))
    }

    /// Adds the photographs to a page and returns their number. The store numbers them, if there is one; otherwise they are
    /// numbered from `first`.
    pub(super) fn add_photographs(
        &self,
        content: &mut PageContent,
        store: Option<&PictureStore>,
        first: usize,
    ) -> TaskResult<usize> {
        for (cutting, number) in self.photographs.iter().zip(first..) {
            let image = match store {
                Some(store) => store.keep(None, || cutting.image())?.number,
                None => number,
            };
            let shown = Drawing::Picture(content.pictures.len(), cutting.bounds);
            content.drawings.push(shown);
            content.pictures.push(Picture {
                bounds: cutting.bounds,
                image,
                tag: Tag::None,
            });
        }
        Ok(self.photographs.len())
    }
}

impl Photograph {
    fn image(&self) -> Option<Image> {
        let (width, height) = self.sides;
        let bytes = std::fs::read(&self.path).ok()?;
        Some(match self.is_jpeg {
            true => Image::Jpeg {
                bytes,
                width,
                height,
            },
            false => Image::Png {
                bytes,
                width,
                height,
            },
        })
    }
}
