//! Scans that were read before: pages that are one picture, with what was read in it hidden there.

use layout::{Character, PageContent, Rect};

use super::{STAMP, is_real};

/// How much of a page its picture covers at least, and how much of the hidden text stands in it.
const PAGE: f32 = 0.8;
const TEXT: f32 = 0.9;

/// Whether a page is such a scan. Where the document says what its pages are made of, it says so of the picture, too.
pub(super) fn is_searchable(sheet: &PageContent) -> bool {
    let is_said = |character: &&Character| is_real(character.text);
    let hidden = || sheet.characters.iter().filter(|one| one.is_hidden);
    let said = hidden().filter(is_said).count();
    let seen = sheet.characters.iter().filter(|one| !one.is_hidden);
    let pages = sheet.pictures.iter().map(|picture| picture.bounds);
    let page = pages.max_by(|one, other| area(one).total_cmp(&area(other)));
    let is_shown = |page: Rect| {
        let shown = hidden().filter(is_said);
        let shown = shown.filter(|one| page.contains(one.bounds.centre()));
        area(&page) >= PAGE * sheet.size.width * sheet.size.height
            && part(shown.count(), said) >= TEXT
    };
    said >= STAMP
        && seen.filter(is_said).count() < STAMP
        && sheet.structure.is_empty()
        && page.is_some_and(is_shown)
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

    /// A page with so many letters of its own and as many hidden ones, and a picture that is so high.
    fn page((seen, hidden): (usize, usize), height: f32) -> PageContent {
        let letter = |is_hidden| Character {
            text: 'a',
            bounds: Rect::between((10.0, 20.0), (16.0, 30.0)),
            baseline: 28.0,
            start: 10.0,
            advance: 6.0,
            size: 10.0,
            font: Arc::default(),
            colour: [0; 3],
            angle: 0.0,
            is_hidden,
            tag: Tag::None,
        };
        let seen = std::iter::repeat_n(letter(false), seen);
        let hidden = std::iter::repeat_n(letter(true), hidden);
        PageContent {
            size: Size {
                width: 100.0,
                height: 100.0,
            },
            characters: seen.chain(hidden).collect(),
            pictures: vec![Picture {
                bounds: Rect::between((0.0, 0.0), (100.0, height)),
                image: 0,
                tag: Tag::None,
            }],
            ..PageContent::default()
        }
    }

    #[test]
    fn a_page_is_a_scan_that_was_read_where_its_picture_shows_hidden_text() {
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
