//! Decides which pages OCR has to check.

use std::collections::BTreeMap;

use layout::{PageContent, Rect};
use task::TaskResult;

use super::ink::{PageInk, TextPictures, has_large_picture, text_pictures};
use super::{MIN_LEGIBLE_CHARACTERS, Source, is_legible, searchable};

/// A page that OCR has to check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OcrCandidate {
    /// Page number, from 1.
    pub number: u32,
    /// How little legible text the page has; `None` if it has enough.
    pub text: Option<NearlyTextless>,
    /// Areas of text that is drawn as outlines.
    pub outlined_text: Vec<Rect>,
    /// Pictures of text.
    pub pictures: TextPictures,
}

/// Text of a page that is not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearlyTextless {
    /// Hardly any text.
    Sparse,
    /// At least half of the text is unmapped to Unicode.
    Garbled,
}

/// Findings of the first pass.
#[derive(Default)]
pub(super) struct OcrCandidates {
    nearly_textless: Vec<(u32, NearlyTextless)>,
    /// Pages with text and large pictures.
    with_pictures: Vec<u32>,
}

impl OcrCandidates {
    /// Adds a page.
    pub(super) fn note(&mut self, content: &PageContent) {
        let found = NearlyTextless::of(content);
        self.nearly_textless
            .extend(found.map(|found| (content.number, found)));
        // Pages without any text, and those whose text is replaced, are recognized as a whole.
        let has_text = content.characters.iter().any(|one| is_legible(one.text));
        let is_whole = !has_text || found == Some(NearlyTextless::Garbled);
        if !is_whole && !searchable::is_searchable(content) && has_large_picture(content) {
            self.with_pictures.push(content.number);
        }
    }

    /// Examines the pictures, and returns the candidates in order.
    pub(super) fn find(
        &self,
        source: Source<'_>,
        ink: &[PageInk],
    ) -> TaskResult<Vec<OcrCandidate>> {
        let mut candidates: BTreeMap<u32, OcrCandidate> = BTreeMap::new();
        for (number, text) in &self.nearly_textless {
            candidates.entry(*number).or_default().text = Some(*text);
        }
        for page in ink.iter().filter(|page| !page.outlined_text.is_empty()) {
            let candidate = candidates.entry(page.number).or_default();
            candidate.outlined_text = page.outlined_text.iter().map(|area| area.bounds).collect();
        }
        for (number, pictures) in text_pictures(source, &self.with_pictures)? {
            candidates.entry(number).or_default().pictures = pictures;
        }
        for (number, candidate) in &mut candidates {
            candidate.number = *number;
        }
        Ok(candidates.into_values().collect())
    }
}

impl NearlyTextless {
    fn of(content: &PageContent) -> Option<Self> {
        let characters = content.characters.iter();
        let seen = characters.filter(|character| !character.is_hidden);
        let unknown = seen.filter(|character| character.text == char::REPLACEMENT_CHARACTER);
        let unknown = unknown.count();
        let real = content.characters.iter();
        let real = real.filter(|character| is_legible(character.text));
        let enough = unknown.max(MIN_LEGIBLE_CHARACTERS);
        let real = real.take(enough).count();
        (real < enough).then_some(match unknown > 0 && unknown >= real {
            true => Self::Garbled,
            false => Self::Sparse,
        })
    }
}
