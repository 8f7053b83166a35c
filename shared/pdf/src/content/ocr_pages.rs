//! OCR results as page content of the layout model, in place of the images they were recognized in.

use std::collections::BTreeMap;
use std::path::PathBuf;

use layout::{Character, Drawing, PageContent, Picture, Rect, Size, Stroke, Tag};
use task::TaskResult;

use super::handles::Image;
use super::ink::InkArea;
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
    /// The text-only pictures, if only pictures of text and outlined text were recognized: the page keeps everything else.
    pub partial: Option<Vec<InkArea>>,
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
    /// Removes the images whose text was recognized, and returns them.
    pub(super) fn remove_recognized(&self, page_objects: &mut PageObjects<'_>) -> Vec<Picture> {
        let pictures = page_objects.pictures.iter().copied();
        let taken = pictures.filter(|picture| self.is_recognized(&picture.bounds));
        let taken = taken.collect();
        page_objects.retain_pictures(|picture| !self.is_recognized(&picture.bounds));
        taken
    }

    fn is_recognized(&self, picture: &Rect) -> bool {
        let mut words = self.words.iter().filter(|word| picture.contains(**word));
        let is_text = self.partial.as_ref().is_none_or(|texts| {
            let text = texts.iter().find(|text| text.bounds == *picture);
            text.is_some_and(|text| self.has_text_of(text))
        });
        self.strokes.is_some() || is_text && words.nth(MIN_WORDS - 1).is_some()
    }

    /// Adds the OCR result to a page from which these images were removed. Structure tags do not describe the recognized text, so
    /// they are dropped if that is all; on a page with other text, that of an image takes the tag of the image.
    pub(super) fn add_to(&self, content: &mut PageContent, taken: &[Picture]) {
        if let Some(strokes) = &self.strokes {
            content.strokes.clone_from(strokes);
            content.fills.clear();
        }
        if self.keeps_existing_text {
            return;
        }
        let is_partial = self.partial.is_some();
        let is_shown = |own: &Character| !own.is_hidden && own.text != char::REPLACEMENT_CHARACTER;
        content
            .characters
            .retain(|own| is_partial || !self.is_all && is_shown(own));
        let existing = content.characters.len();
        rotate::content(content, self.turned);
        let read = self.characters.iter().cloned();
        content.characters.extend(read.map(|mut character| {
            let center = character.bounds.center();
            let mut pictures = taken.iter().filter(|one| one.bounds.contains(center));
            let picture = pictures.next();
            // Text that vector drawings show stays hidden, because they remain.
            let has_lost_its_image = self.is_all || self.strokes.is_some() || picture.is_some();
            character.is_hidden = !has_lost_its_image;
            character.tag = match picture.map(|picture| picture.tag) {
                Some(tag @ Tag::Content(_)) if is_partial => tag,
                _ => Tag::None,
            };
            character
        }));
        if !is_partial {
            content.structure.clear();
        }
        content.is_recognized = !is_partial || self.characters.len() > existing;
    }

    /// Whether OCR found an area of outlined text or a picture of text, and not only a word of it.
    pub fn has_text_of(&self, area: &InkArea) -> bool {
        let characters = self.characters.iter().filter(|character| {
            // A page that was recognized as a whole may be rotated.
            let is_inside = || area.bounds.contains(character.bounds.center());
            !character.text.is_whitespace() && (self.partial.is_none() || is_inside())
        });
        let width = characters
            .map(|character| character.bounds.width())
            .sum::<f32>();
        area.is_recognized(width)
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use layout::{Element, Font};

    use super::*;

    fn character(text: char, left: f32, tag: Tag) -> Character {
        Character {
            text,
            bounds: Rect::between((left, 20.0), (left + 6.0, 30.0)),
            baseline: 28.0,
            start: left,
            advance: 6.0,
            size: 10.0,
            font: Arc::new(Font::default()),
            color: [0; 3],
            angle: 0.0,
            is_hidden: false,
            tag,
        }
    }

    /// An OCR result of an image at the left and outlines at the right, added to a tagged page with a character.
    fn added(partial: Option<Vec<InkArea>>) -> PageContent {
        let page = OcrPage {
            characters: vec![
                character('a', 10.0, Tag::None),
                character('b', 210.0, Tag::None),
            ],
            partial,
            ..OcrPage::default()
        };
        let mut content = PageContent {
            characters: vec![character('o', 400.0, Tag::Content(1))],
            structure: vec![Element::default()],
            ..PageContent::default()
        };
        let image = Picture {
            bounds: Rect::between((0.0, 0.0), (100.0, 100.0)),
            image: 0,
            tag: Tag::Content(7),
        };
        page.add_to(&mut content, &[image]);
        content
    }

    #[test]
    fn structure_tags_are_kept_beside_partly_recognized_text() {
        let content = added(Some(Vec::new()));
        assert!(!content.structure.is_empty());
        let tags: Vec<Tag> = content.characters.iter().map(|one| one.tag).collect();
        assert_eq!(tags, [Tag::Content(1), Tag::Content(7), Tag::None]);
        assert!(added(None).structure.is_empty());
    }

    #[test]
    fn a_word_is_not_all_outlined_text() {
        let area = InkArea {
            bounds: Rect::between((0.0, 0.0), (300.0, 100.0)),
            text_width: 100.0,
            ..InkArea::default()
        };
        let page = |count: u8, left: f32| OcrPage {
            characters: (0..count)
                .map(|at| character('x', left + 6.0 * f32::from(at), Tag::None))
                .collect(),
            partial: Some(Vec::new()),
            ..OcrPage::default()
        };
        let with_picture = |count| OcrPage {
            words: vec![(20.0, 25.0), (30.0, 25.0), (40.0, 25.0)],
            partial: Some(vec![area]),
            ..page(count, 20.0)
        };
        assert!(with_picture(10).is_recognized(&area.bounds));
        assert!(!with_picture(4).is_recognized(&area.bounds));
        assert!(page(10, 20.0).has_text_of(&area));
        assert!(!page(4, 20.0).has_text_of(&area));
        assert!(!page(10, 400.0).has_text_of(&area));
    }
}
