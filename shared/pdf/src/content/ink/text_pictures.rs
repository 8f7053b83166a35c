//! Finds the pictures of text on pages that have other text.

use std::collections::BTreeMap;

use domain::limits::PIXELS;
use image::{Luma, Pixel as _, Rgba, RgbaImage};
use layout::{PageContent, Rect, Size, Tag};
use task::TaskResult;

use super::grid::{Grid, to_f32};
use super::text_picture::{GrayPicture, PictureText};
use super::{InkArea, character_cells};
use crate::content::characters::{CharacterReader, PageCharacters};
use crate::content::declared_letters::DeclaredLetters;
use crate::content::handles::{Document, PageHandle};
use crate::content::transform::PageTransform;
use crate::content::{Source, page_objects};

/// Minimum part of the page that an examined picture covers, and maximum part of it that characters cover.
const MIN_PART: f32 = 0.05;
const MAX_CHARACTERS: f32 = 0.3;
/// Number of pages after which the document is reopened, because PDFium caches everything it has parsed.
const PAGES_PER_OPENING: usize = 200;
/// Maximum number of examined pictures of a page.
const MAX_PICTURES_OF_PAGE: usize = 16;
/// Maximum number of pixels of the examined pictures of a document, and how much each page adds to it, as it does to the time
/// limit of a conversion. One picture has at most [`PIXELS`].
const MAX_PIXELS: u64 = 300_000_000;
const PIXELS_PER_PAGE: u64 = 2_500_000;
/// Pixels per point, and maximum number of pixels, of the sample that is examined.
const RESOLUTION: f64 = 100.0 / 72.0;
const MAX_SAMPLE_PIXELS: f64 = 2_000_000.0;

/// Pictures of a page with text that no character covers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextPictures {
    /// The text-only pictures.
    pub whole: Vec<InkArea>,
    /// Those that have other content as well.
    pub partial: Vec<InkArea>,
    /// Whether there are further pictures, which were not examined because of a limit.
    pub has_unexamined: bool,
}

/// Number of pixels that may still be examined.
struct Budget(u64);

impl Budget {
    fn of_pages(pages: &[u32]) -> Self {
        let pages = u64::try_from(pages.len()).unwrap_or(u64::MAX);
        Self(MAX_PIXELS.saturating_add(PIXELS_PER_PAGE.saturating_mul(pages)))
    }

    /// Takes so many pixels; returns whether the budget suffices.
    fn take(&mut self, pixels: u64) -> bool {
        let left = self.0.checked_sub(pixels);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// Whether a page has pictures that may be text.
pub(in super::super) fn has_large_picture(content: &PageContent) -> bool {
    let pictures = content.pictures.iter().map(|picture| picture.bounds);
    let mut large = pictures
        .filter(|bounds| is_large(bounds, content.size))
        .peekable();
    large.peek().is_some() && {
        let characters = character_cells(content.size, &content.characters);
        large.any(|bounds| characters.coverage(&bounds) <= MAX_CHARACTERS)
    }
}

fn is_large(picture: &Rect, page: Size) -> bool {
    picture.width() * picture.height() >= MIN_PART * page.width * page.height
}

/// Returns the bounds of the pictures of text on these pages.
///
/// # Errors
/// Any error of PDFium for the document or a page.
pub(in super::super) fn text_pictures(
    source: Source<'_>,
    pages: &[u32],
) -> TaskResult<BTreeMap<u32, TextPictures>> {
    let mut found = BTreeMap::new();
    let mut budget = Budget::of_pages(pages);
    for pages in pages.chunks(PAGES_PER_OPENING) {
        let document = Document::open(source.file, source.password)?;
        for number in pages {
            let pictures = of_page(&document.page(number.saturating_sub(1))?, &mut budget);
            if pictures != TextPictures::default() {
                found.insert(*number, pictures);
            }
        }
    }
    Ok(found)
}

fn of_page(page: &PageHandle<'_>, budget: &mut Budget) -> TextPictures {
    let transform = PageTransform::of(page);
    let size = transform.size();
    let page_objects = page_objects::of_page(page, &transform, 0, false);
    let PageCharacters { characters, .. } =
        CharacterReader::default().of(page, &transform, &DeclaredLetters::default(), |_| Tag::None);
    let characters = character_cells(size, &characters);
    let pictures = page_objects.pictures.iter().map(|picture| picture.bounds);
    let pictures = pictures.zip(&page_objects.objects);
    let large = pictures.filter(|(bounds, _)| is_large(bounds, size));
    let mut found = TextPictures::default();
    for (index, (bounds, (object, view))) in large.enumerate() {
        let Some((width, height)) = object.sides() else {
            continue;
        };
        let pixels = u64::from(width) * u64::from(height);
        if pixels > u64::from(PIXELS) {
            found.has_unexamined = true;
            continue;
        }
        if index >= MAX_PICTURES_OF_PAGE || !budget.take(pixels) {
            found.has_unexamined = true;
            break;
        }
        let area = f64::from(bounds.width()) * f64::from(bounds.height());
        let pixels = (area * RESOLUTION * RESOLUTION).min(MAX_SAMPLE_PIXELS);
        let sample = object.sample(pixels, view);
        let Some((coverage, text_width)) =
            sample.and_then(|sample| text(&sample, &bounds, &characters))
        else {
            continue;
        };
        let area = InkArea {
            bounds,
            text_width,
            ..InkArea::default()
        };
        match coverage {
            PictureText::Whole => found.whole.push(area),
            PictureText::Part => found.partial.push(area),
        }
    }
    found
}

fn text(sample: &RgbaImage, bounds: &Rect, characters: &Grid) -> Option<(PictureText, f32)> {
    let (width, height) = (sample.width() as usize, sample.height() as usize);
    let (across, down) = (
        bounds.width() / to_f32(width),
        bounds.height() / to_f32(height),
    );
    let picture = GrayPicture {
        samples: sample.pixels().map(gray_on_white).collect(),
        width,
        scale: 1.0 / (across * down).sqrt(),
    };
    picture.text(|(x, y)| characters.is_covered((bounds.left + x * across, bounds.top + y * down)))
}

fn gray_on_white(pixel: &Rgba<u8>) -> u8 {
    let Luma([gray]) = pixel.to_luma();
    let Rgba([.., alpha]) = *pixel;
    let ink = u16::from(255 - gray) * u16::from(alpha) / 255;
    255 - u8::try_from(ink).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_limited_and_pages_add_to_them() {
        let mut budget = Budget(1_000);
        assert!(budget.take(900) && !budget.take(200) && budget.take(100));
        // One photograph on each page of a long document.
        let pages: Vec<u32> = (1..=1_000).collect();
        let mut budget = Budget::of_pages(&pages);
        assert!(pages.iter().all(|_| budget.take(2_000_000)));
        assert!(!Budget::of_pages(&[1]).take(400_000_000));
    }
}
