//! Finds passages of a source that its result misses: missing words in a row, such as those of a paragraph or of a row of a table.
//! Words that only an approximate text has are scattered.

use std::collections::HashMap;

use super::counts::key;
use super::has_digit;
use crate::content::item::Place;

/// Maximum number of words that are remembered.
const MAX_WORDS: usize = 2_000_000;
/// Minimum score of a passage.
const MIN_SCORE: u32 = 4;
/// Scores of a missing figure and of another missing word. Each word that is not missing costs a point.
const FIGURE: u32 = 2;
const WORD: u32 = 1;
/// By how many points the score may decrease within a passage.
const MAX_DECREASE: u32 = 3;

/// The words of a source in their order: keys and places.
#[derive(Default)]
pub(super) struct Passages {
    words: Vec<(u64, Place)>,
    /// Whether there are more words.
    is_cut: bool,
    /// How often each word occurs in headers and footers, of which a result may have the first only.
    repeated: HashMap<u64, u32>,
}

impl Passages {
    pub(super) fn add(&mut self, word: u64, place: Place) {
        match self.words.len() < MAX_WORDS {
            true => self.words.push((word, place)),
            false => self.is_cut = true,
        }
    }

    /// Adds a word of a header or footer.
    pub(super) fn repeat(&mut self, word: u64) {
        if self.repeated.len() < MAX_WORDS {
            *self.repeated.entry(word).or_default() += 1;
        }
    }

    /// Removes the words of headers and footers that the source repeats.
    pub(super) fn excuse_repeated(&self, missing: &mut Vec<(String, Place)>) {
        let mut repeated = self.repeated.clone();
        missing.retain(|(word, _)| {
            let count = repeated.get_mut(&key(word)).filter(|count| **count > 0);
            count.map(|count| *count -= 1).is_none()
        });
    }

    /// Returns the places of the words in missing passages; `None` if the source has too many words. Of equal words, any may be
    /// the missing one.
    pub(super) fn places(&self, missing: &[(String, Place)]) -> Option<Vec<Place>> {
        if self.is_cut {
            return None;
        }
        let mut left: HashMap<u64, Missing> = HashMap::new();
        for (word, _) in missing {
            let missing = left.entry(key(word)).or_default();
            missing.count += 1;
            missing.score = if has_digit(word) { FIGURE } else { WORD };
        }
        let (mut places, mut passage) = (Vec::new(), Passage::default());
        for (word, place) in &self.words {
            match left.get_mut(word).filter(|missing| missing.count > 0) {
                Some(missing) => {
                    missing.count -= 1;
                    passage.add(*word, *place, missing.score);
                }
                None if passage.ends() => passage.finish(&mut left, &mut places),
                None => {}
            }
        }
        passage.finish(&mut left, &mut places);
        Some(places)
    }
}

/// How often a word is missing, and its score.
#[derive(Default)]
struct Missing {
    count: u32,
    score: u32,
}

/// A segment of the source with the highest score so far.
#[derive(Default)]
struct Passage {
    /// Its missing words.
    words: Vec<(u64, Place)>,
    score: u32,
    /// The highest score, and the number of missing words up to it.
    best: (u32, usize),
}

impl Passage {
    fn add(&mut self, word: u64, place: Place, score: u32) {
        self.words.push((word, place));
        self.score += score;
        if self.score > self.best.0 {
            self.best = (self.score, self.words.len());
        }
    }

    /// Adds a word that is not missing; returns whether the passage ends before it.
    fn ends(&mut self) -> bool {
        self.score = self.score.saturating_sub(1);
        self.score == 0 || self.score + MAX_DECREASE <= self.best.0
    }

    /// Takes the places of a passage, and returns the words that are not in one.
    fn finish(&mut self, left: &mut HashMap<u64, Missing>, places: &mut Vec<Place>) {
        let Self { words, best, .. } = std::mem::take(self);
        let count = if best.0 < MIN_SCORE { 0 } else { best.1 };
        let (inside, outside) = words.split_at(count.min(words.len()));
        places.extend(inside.iter().map(|(_, place)| *place));
        for (word, _) in outside {
            if let Some(missing) = left.get_mut(word) {
                missing.count += 1;
            }
        }
    }
}
