//! Detects scans with a text layer: pages of one image, with the text that OCR recognized hidden over it.

use layout::{Character, PageContent, Rect};

use super::{MIN_LEGIBLE_CHARACTERS, is_legible};

/// Minimum part of the page that the image covers, and minimum part of the hidden text that is over the image.
const MIN_PAGE_COVERAGE: f32 = 0.8;
const MIN_TEXT_COVERAGE: f32 = 0.9;

/// Whether a page is such a scan. Pages with structure tags are not, because the tags describe the image, too.
pub(super) fn is_searchable(content: &PageContent) -> bool {
    let is_legible_character = |character: &&Character| is_legible(character.text);
    let hidden = || content.characters.iter().filter(|one| one.is_hidden);
    let legible = hidden().filter(is_legible_character).count();
    let visible = content.characters.iter().filter(|one| !one.is_hidden);
    let images = content.pictures.iter().map(|picture| picture.bounds);
    let largest = images.max_by(|one, other| area(one).total_cmp(&area(other)));
    let is_scan = |image: Rect| {
        let shown = hidden().filter(is_legible_character);
        let shown = shown.filter(|one| image.contains(one.bounds.center()));
        area(&image) >= MIN_PAGE_COVERAGE * content.size.width * content.size.height
            && part(shown.count(), legible) >= MIN_TEXT_COVERAGE
    };
    legible >= MIN_LEGIBLE_CHARACTERS
        && visible.filter(is_legible_character).count() < MIN_LEGIBLE_CHARACTERS
        && content.structure.is_empty()
        && largest.is_some_and(is_scan)
}

fn area(rect: &Rect) -> f32 {
    rect.width() * rect.height()
}

fn part(some: usize, all: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let part = some as f32 / all.max(1) as f32;
    part
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use layout::{Element, Picture, Size, Tag};

    use super::*;

    /// A page with so many visible and hidden letters, and an image of this height.
    fn page((visible, hidden): (usize, usize), height: f32) -> PageContent {
        let letter = |is_hidden| Character {
            text: 'a',
            bounds: Rect::between((10.0, 20.0), (16.0, 30.0)),
            baseline: 28.0,
            start: 10.0,
            advance: 6.0,
            size: 10.0,
            font: Arc::default(),
            color: [0; 3],
            angle: 0.0,
            is_hidden,
            tag: Tag::None,
        };
        let visible = std::iter::repeat_n(letter(false), visible);
        let hidden = std::iter::repeat_n(letter(true), hidden);
        PageContent {
            size: Size {
                width: 100.0,
                height: 100.0,
            },
            characters: visible.chain(hidden).collect(),
            pictures: vec![Picture {
                bounds: Rect::between((0.0, 0.0), (100.0, height)),
                image: 0,
                tag: Tag::None,
            }],
            ..PageContent::default()
        }
    }

    #[test]
    fn a_page_is_searchable_if_invisible_text_covers_its_image() {
        assert!(is_searchable(&page((9, 100), 90.0)));
        assert!(!is_searchable(&page((9, 9), 90.0)));
        assert!(!is_searchable(&page((100, 100), 90.0)));
        assert!(!is_searchable(&page((9, 100), 70.0)));
        let mut elsewhere = page((9, 100), 90.0);
        let hidden = elsewhere.characters.iter_mut().skip(50);
        hidden.for_each(|one| one.bounds = Rect::between((10.0, 95.0), (16.0, 99.0)));
        assert!(!is_searchable(&elsewhere));
        let mut described = page((9, 100), 90.0);
        described.structure.push(Element::default());
        assert!(!is_searchable(&described));
    }
}
