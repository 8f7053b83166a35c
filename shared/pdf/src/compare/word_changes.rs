//! Words that were deleted or inserted between two versions, by page, and the pages of the words that both have.

use std::collections::HashMap;

use imara_diff::{Algorithm, Diff, InternedInput, Interner};
use pdfium_render::prelude::PdfDocument;
use task::TaskResult;
use task::comparison::ChangedText;

use super::page_pairs::MatchedPages;
use super::words::{Words, is_word, union};

/// The changes of a document.
pub(super) struct WordChanges {
    deleted: HashMap<u32, Vec<ChangedText>>,
    inserted: HashMap<u32, Vec<ChangedText>>,
    pub(super) deleted_words: u64,
    pub(super) inserted_words: u64,
    pub(super) matched: Vec<MatchedPages>,
}

impl WordChanges {
    /// Compares the words of two documents as one sequence each, so that text that moves to another page is no change.
    pub(super) fn of(before: &PdfDocument<'_>, after: &PdfDocument<'_>) -> TaskResult<Self> {
        let mut interner = Interner::new(0);
        let mut before = Words::of(before, &mut interner)?;
        let mut after = Words::of(after, &mut interner)?;
        let input = InternedInput {
            before: std::mem::take(&mut before.tokens),
            after: std::mem::take(&mut after.tokens),
            interner,
        };
        let diff = Diff::compute(Algorithm::Histogram, &input);
        let is_deleted = |index| diff.is_removed(index);
        let is_inserted = |index| diff.is_added(index);
        let texts = |tokens: &[imara_diff::Token]| -> Vec<&str> {
            let texts = tokens.iter().map(|token| input.interner[*token].as_str());
            texts.collect()
        };
        let (deleted, deleted_words) = changed(&texts(&input.before), &before, is_deleted);
        let (inserted, inserted_words) = changed(&texts(&input.after), &after, is_inserted);
        let kept = |words: &Words, is_changed: &dyn Fn(u32) -> bool| -> Vec<u32> {
            let pages = (0..).zip(&words.places);
            let pages = pages.filter(|(index, _)| !is_changed(*index));
            pages.map(|(_, place)| place.page).collect()
        };
        let kept = kept(&before, &is_deleted)
            .into_iter()
            .zip(kept(&after, &is_inserted));
        Ok(Self {
            deleted,
            inserted,
            deleted_words,
            inserted_words,
            matched: MatchedPages::of(kept),
        })
    }

    /// The text that was deleted from a page of the earlier version.
    pub(super) fn take_deleted(&mut self, page: u32) -> Vec<ChangedText> {
        self.deleted.remove(&page).unwrap_or_default()
    }

    /// The text that was inserted on a page of the later version.
    pub(super) fn take_inserted(&mut self, page: u32) -> Vec<ChangedText> {
        self.inserted.remove(&page).unwrap_or_default()
    }
}

/// The changed words of each page, joined if they follow each other, and their number.
fn changed(
    texts: &[&str],
    words: &Words,
    is_changed: impl Fn(u32) -> bool,
) -> (HashMap<u32, Vec<ChangedText>>, u64) {
    let mut pages: HashMap<u32, Vec<ChangedText>> = HashMap::new();
    let (mut count, mut previous) = (0, None);
    for ((index, text), place) in (0..).zip(texts).zip(&words.places) {
        if !is_changed(index) {
            continue;
        }
        count += 1;
        let changes = pages.entry(place.page).or_default();
        let follows = previous.is_some_and(|previous| previous + 1 == index);
        previous = Some(index);
        match changes.last_mut().filter(|_| follows) {
            Some(change) => {
                let is_joined = change.text.ends_with(is_word) && text.starts_with(is_word);
                if !is_joined {
                    change.text.push(' ');
                }
                change.text.push_str(text);
                match change.areas.last_mut() {
                    Some(line) if place.area.top < line.bottom && line.top < place.area.bottom => {
                        *line = union(*line, place.area);
                    }
                    _ => change.areas.push(place.area),
                }
            }
            None => changes.push(ChangedText {
                text: (*text).to_owned(),
                areas: vec![place.area],
            }),
        }
    }
    (pages, count)
}
