//! Pages of which only areas are recognized: outlined text and pictures of text on pages with other text.

use std::collections::BTreeMap;

use layout::Rect;
use pdf::content::{InkArea, OcrCandidate};
use pdfium_render::prelude::PdfPage;
use task::matrix::Matrix;

use super::ocr_page::{Block, Rectangle, Word, confidence, retain_words, words};
use super::page_plan::{
    ExistingText, MAX_PIXELS, PagePlan, RESOLUTION, page_size, resolution, sides,
};
use super::photographs::is_credible;
use super::picture::Picture;

/// Minimum part of a page that text-only pictures cover for it to be recognized as a scan, of which everything else is a part. A
/// page with less may have other pictures.
const MIN_SCAN: f64 = 0.8;
/// Margin around the areas, in points.
const MARGIN: f32 = 4.0;
/// Minimum mean confidence of the words of an area.
const MIN_CONFIDENCE: f64 = 60.0;
/// Minimum mean confidence of the words that replace a picture: text is read with 93 % and more, charts and frames of characters
/// with less than 88 %.
const MIN_REPLACING_CONFIDENCE: f64 = 88.0;
/// One of this number of words of text has letters, at least.
const LETTER_SHARE: usize = 2;

/// The areas that are recognized, by page index.
pub(super) type PartialPages = BTreeMap<usize, PartialPage>;

/// The areas of a page, in points.
pub(super) struct PartialPage {
    /// Those of outlined text come first.
    areas: Vec<Rectangle>,
    /// Number of areas of outlined text.
    outlined: usize,
    /// The pictures of the other areas, and the number of the text-only ones, which come first.
    pictures: Vec<InkArea>,
    whole: usize,
    /// Share of the page that the text-only pictures cover.
    pictures_share: f64,
    /// Displayed width and height of the page.
    points: (f64, f64),
    /// Dimensions of the rendered page in pixels, its resolution, and the number of pixels that are recognized.
    sides: (u32, u32),
    resolution: i32,
    pub(super) pixels: u64,
}

impl PartialPage {
    /// Returns the areas of a candidate; `None` if it has none.
    pub(super) fn of(candidate: &OcrCandidate, page: &PdfPage<'_>) -> Option<Self> {
        let pictures = &candidate.pictures;
        let whole = pictures.whole.len();
        let pictures = [&*pictures.whole, &*pictures.partial].concat();
        let in_pictures = pictures.iter().map(|picture| &picture.bounds);
        let areas = candidate.outlined_text.iter().chain(in_pictures);
        let areas: Vec<Rectangle> = areas.map(|area| rectangle(&area.grown(MARGIN))).collect();
        let points = page_size(page);
        let share = |areas: &mut dyn Iterator<Item = Rectangle>| {
            areas.map(Rectangle::area).sum::<f64>() / (points.0 * points.1).max(1.0)
        };
        let sides = sides(page, RESOLUTION, MAX_PIXELS);
        let recognized = share(&mut areas.iter().copied()).min(1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a part of the pixels of the page"
        )]
        let pixels = (recognized * f64::from(sides.0) * f64::from(sides.1)) as u64;
        (!areas.is_empty()).then_some(Self {
            areas,
            outlined: candidate.outlined_text.len(),
            pictures_share: share(
                &mut pictures
                    .iter()
                    .take(whole)
                    .map(|picture| rectangle(&picture.bounds)),
            ),
            pictures,
            whole,
            points,
            sides,
            resolution: resolution(page, sides.0),
            pixels,
        })
    }

    /// Whether the page is a scan with some existing text.
    pub(super) fn is_scan(&self) -> bool {
        self.pictures_share >= MIN_SCAN
    }

    /// Returns the text-only pictures that their text can replace: OCR is confident of it, and it is not mostly numbers. Charts and
    /// screenshots with frames of characters stay pictures. `back` is as for [`Self::readable`].
    pub(super) fn replaced_pictures(&self, blocks: &[Block], back: Matrix) -> Vec<InkArea> {
        let Some(to_read) = back.inverse() else {
            return Vec::new();
        };
        let areas = self.in_pixels(to_read);
        let pictures = areas.iter().skip(self.outlined).zip(&self.pictures);
        let replaced = pictures.take(self.whole).filter(|(area, _)| {
            let inside = || words(blocks).filter(|word| area.contains_center(word.rectangle));
            let (all, with_letters) = (inside().count(), inside().filter(|word| has_letters(word)));
            let is_text = with_letters.count() * LETTER_SHARE >= all;
            is_text && confidence(inside()).is_some_and(|mean| mean >= MIN_REPLACING_CONFIDENCE)
        });
        replaced.map(|(_, picture)| *picture).collect()
    }

    /// Plans the page.
    pub(super) fn plan(&self) -> PagePlan {
        PagePlan::Recognize {
            sides: self.sides,
            resolution: self.resolution,
            existing: ExistingText::Keep,
            kept_characters: 0,
            is_scan: false,
        }
    }

    /// Returns the picture of the page without everything else.
    pub(super) fn masked(&self, picture: &Picture) -> Picture {
        picture.with_only(&self.in_pixels(Matrix::IDENTITY))
    }

    /// Removes the words outside of the areas, and those of areas that are not readable. `back` maps pixels of the recognized
    /// picture to those of the rendered page.
    pub(super) fn readable(&self, blocks: Vec<Block>, back: Matrix) -> Vec<Block> {
        let Some(to_read) = back.inverse() else {
            return Vec::new();
        };
        let mut areas = self.in_pixels(to_read);
        areas.retain(|area| {
            let inside = || words(&blocks).filter(|word| area.contains_center(word.rectangle));
            let mean = confidence(inside());
            mean.is_some_and(|mean| mean >= MIN_CONFIDENCE) && inside().any(is_credible)
        });
        retain_words(blocks, |word| {
            areas
                .iter()
                .any(|area| area.contains_center(word.rectangle))
        })
    }

    /// Whether these readable words are not the text of one of the pictures. `back` is as for [`Self::readable`].
    pub(super) fn has_unread_picture(&self, blocks: &[Block], back: Matrix) -> bool {
        let Some(to_read) = back.inverse() else {
            return self.areas.len() > self.outlined;
        };
        let areas = self.in_pixels(to_read);
        let mut pictures = areas.iter().skip(self.outlined).zip(&self.pictures);
        pictures.any(|(area, picture)| {
            let inside = words(blocks).filter(|word| area.contains_center(word.rectangle));
            let across = |area: &Rectangle| area.right - area.left;
            let width = inside.map(|word| across(&word.rectangle)).sum::<f64>();
            #[expect(clippy::cast_possible_truncation, reason = "a width on the page")]
            let points = (width / across(area).max(1.0)) as f32 * picture.bounds.width();
            width == 0.0 || !picture.is_recognized(points)
        })
    }

    fn in_pixels(&self, to: Matrix) -> Vec<Rectangle> {
        let (width, height) = self.sides;
        let across = f64::from(width) / self.points.0.max(1.0);
        let down = f64::from(height) / self.points.1.max(1.0);
        let to = Matrix::scale(across, down).then(to);
        self.areas.iter().map(|area| area.transformed(to)).collect()
    }
}

fn has_letters(word: &Word) -> bool {
    word.text.chars().any(char::is_alphabetic)
}

fn rectangle(area: &Rect) -> Rectangle {
    Rectangle {
        left: area.left.into(),
        top: area.top.into(),
        right: area.right.into(),
        bottom: area.bottom.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::Line;
    use super::*;

    #[test]
    fn words_outside_of_readable_areas_are_removed() {
        let at = |left: f64| Rectangle {
            left,
            top: 10.0,
            right: left + 40.0,
            bottom: 20.0,
        };
        let page = PartialPage {
            areas: vec![at(0.0), at(100.0)],
            outlined: 1,
            pictures: vec![InkArea::default()],
            whole: 1,
            pictures_share: 0.0,
            points: (200.0, 100.0),
            sides: (200, 100),
            resolution: 72,
            pixels: 0,
        };
        let word = |text: &str, left: f64, sure| Word::new(text, at(left), Some(sure)).unwrap();
        let mut block = Block::new(0, at(0.0));
        block.lines.push(Line {
            words: vec![
                word("readable", 0.0, 95.0),
                word("noise", 100.0, 30.0),
                word("elsewhere", 50.0, 95.0),
            ],
            ..Line::default()
        });
        let left = page.readable(vec![block], Matrix::IDENTITY);
        let texts: Vec<_> = words(&left).map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["readable"]);
        assert!(page.has_unread_picture(&left, Matrix::IDENTITY));
        let outlined = PartialPage {
            outlined: 2,
            ..page
        };
        assert!(!outlined.has_unread_picture(&left, Matrix::IDENTITY));
    }

    #[test]
    fn confident_words_replace_a_picture_but_numbers_and_noise_do_not() {
        let bounds = Rect::between((0.0, 0.0), (100.0, 20.0));
        let mut picture = InkArea::default();
        picture.bounds = bounds;
        let page = PartialPage {
            areas: vec![rectangle(&bounds)],
            outlined: 0,
            pictures: vec![picture],
            whole: 1,
            pictures_share: 0.0,
            points: (100.0, 100.0),
            sides: (100, 100),
            resolution: 72,
            pixels: 0,
        };
        let is_replaced = |texts: [&str; 2], sure| {
            let at = rectangle(&bounds);
            let mut block = Block::new(0, at);
            let words = texts.map(|text| Word::new(text, at, Some(sure)).unwrap());
            block.lines.push(Line {
                words: words.to_vec(),
                ..Line::default()
            });
            !page
                .replaced_pictures(&[block], Matrix::IDENTITY)
                .is_empty()
        };
        assert!(is_replaced(["clear", "words"], 95.0));
        assert!(!is_replaced(["clear", "words"], 80.0));
        assert!(is_replaced(["words", "100"], 95.0));
        assert!(!is_replaced(["90", "100"], 95.0));
    }

    #[test]
    fn a_picture_is_read_if_enough_of_the_width_of_its_text_is() {
        let mut picture = InkArea::default();
        picture.bounds = Rect::between((0.0, 0.0), (100.0, 20.0));
        picture.text_width = 80.0;
        let page = PartialPage {
            areas: vec![rectangle(&picture.bounds)],
            outlined: 0,
            pictures: vec![picture],
            whole: 1,
            pictures_share: 0.0,
            points: (200.0, 100.0),
            sides: (400, 200),
            resolution: 144,
            pixels: 0,
        };
        // Two pixels for each point.
        let is_unread = |points: f64| {
            let area = Rectangle {
                left: 10.0,
                top: 10.0,
                right: 10.0 + 2.0 * points,
                bottom: 30.0,
            };
            let mut block = Block::new(0, area);
            block.lines.push(Line {
                words: vec![Word::new("word", area, Some(95.0)).unwrap()],
                ..Line::default()
            });
            page.has_unread_picture(&[block], Matrix::IDENTITY)
        };
        assert_eq!(
            [10.0, 30.0, 34.0, 80.0].map(is_unread),
            [true, true, false, false]
        );
    }
}
