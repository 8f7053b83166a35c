//! Finds passages of a source that its result misses: missing words in a row, such as those of a paragraph or of a row of a table.
//! Words that only an approximate text has are scattered.

use std::collections::HashMap;

use super::counts::key;
use super::has_digit;
use crate::content::item::Place;

/// Maximum number of words that are remembered.
const MAX_WORDS: usize = 2_000_000;
/// Maximum number of repeated headers and footers that are remembered.
const MAX_REPEATED: usize = 200;
/// Minimum score of a passage.
const MIN_SCORE: u32 = 4;
/// Scores of a missing figure of more than one digit and of another missing word: digits are also indexes and parts of formulas.
/// Each word that is not missing costs a point.
const FIGURE: u32 = 2;
const WORD: u32 = 1;
/// By how many points the score may decrease within a passage.
const MAX_DECREASE: u32 = 3;

/// Minimum number of words, and of letters and digits, of a line that counts if all of them are missing, such as a heading. The
/// words of a formula are short.
const MIN_LINE: (usize, usize) = (2, 8);

/// The words of a source in their order: keys and places.
#[derive(Default)]
pub(super) struct Passages {
    words: Vec<(u64, Place)>,
    /// Numbers of words before the end of each line.
    lines: Vec<usize>,
    /// Whether there are more words.
    is_cut: bool,
    /// Headers and footers that the source repeats: their words between numbers.
    repeated: Vec<Vec<u64>>,
}

impl Passages {
    pub(super) fn add(&mut self, word: u64, place: Place) {
        match self.words.len() < MAX_WORDS {
            true => self.words.push((word, place)),
            false => self.is_cut = true,
        }
    }

    /// Ends a line.
    pub(super) fn end_line(&mut self) {
        if self.lines.last() != Some(&self.words.len()) {
            self.lines.push(self.words.len());
        }
    }

    /// Adds words in a row of a header or footer that the source repeats. A single word is too little to recognize it elsewhere.
    pub(super) fn repeat(&mut self, words: Vec<u64>) {
        if self.repeated.len() < MAX_REPEATED && words.len() > 1 {
            self.repeated.push(words);
        }
    }

    /// Removes the words of repeated headers and footers that the source has elsewhere, too, such as in a heading: a result may
    /// have only one of both.
    pub(super) fn excuse_repeated(&self, missing: &mut Vec<(String, Place)>) {
        let mut left: HashMap<u64, u32> = HashMap::new();
        for (word, _) in missing.iter() {
            *left.entry(key(word)).or_default() += 1;
        }
        let mut excused: HashMap<u64, u32> = HashMap::new();
        for words in &self.repeated {
            let is_missing = words
                .iter()
                .all(|word| left.get(word).is_some_and(|count| *count > 0));
            if is_missing && self.has_twice(words) {
                for word in words {
                    left.entry(*word)
                        .and_modify(|count| *count = count.saturating_sub(1));
                    *excused.entry(*word).or_default() += 1;
                }
            }
        }
        missing.retain(|(word, _)| {
            let count = excused.get_mut(&key(word)).filter(|count| **count > 0);
            count.map(|count| *count -= 1).is_none()
        });
    }

    /// Whether the source has these words in a row more than once.
    fn has_twice(&self, words: &[u64]) -> bool {
        let rows = self.words.windows(words.len());
        let mut equal = rows.filter(|row| row.iter().map(|(word, _)| word).eq(words));
        equal.nth(1).is_some()
    }

    /// Takes the words of lines all of which are missing.
    fn take_lines(&self, left: &mut HashMap<u64, Missing>, places: &mut Vec<Place>) {
        let mut start = 0;
        for end in &self.lines {
            let line = self.words.get(start..*end).unwrap_or_default();
            start = *end;
            let (mut taken, mut letters) = (Vec::new(), 0);
            for (word, _) in line {
                match left.get_mut(word).filter(|missing| missing.count > 0) {
                    Some(missing) => {
                        missing.count -= 1;
                        letters += missing.letters;
                    }
                    None => break,
                }
                taken.push(*word);
            }
            let is_missing = taken.len() == line.len();
            match is_missing && line.len() >= MIN_LINE.0 && letters >= MIN_LINE.1 {
                true => places.extend(line.iter().map(|(_, place)| *place)),
                false => taken.iter().for_each(|word| give_back(left, *word)),
            }
        }
    }

    /// Returns the places of the words in missing lines and passages; `None` if the source has too many words. Of equal words, any may be
    /// the missing one.
    pub(super) fn places(&self, missing: &[(String, Place)]) -> Option<Vec<Place>> {
        if self.is_cut {
            return None;
        }
        let mut left: HashMap<u64, Missing> = HashMap::new();
        for (word, _) in missing {
            let missing = left.entry(key(word)).or_default();
            missing.count += 1;
            missing.score = match has_digit(word) && word.chars().nth(1).is_some() {
                true => FIGURE,
                false => WORD,
            };
            missing.letters = word.chars().count();
        }
        let (mut places, mut passage) = (Vec::new(), Passage::default());
        self.take_lines(&mut left, &mut places);
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
        places.sort_by_key(|place| place.number);
        Some(places)
    }
}

/// Returns a word that is in no missing line or passage.
fn give_back(left: &mut HashMap<u64, Missing>, word: u64) {
    if let Some(missing) = left.get_mut(&word) {
        missing.count += 1;
    }
}

/// How often a word is missing, its score, and its length.
#[derive(Default)]
struct Missing {
    count: u32,
    score: u32,
    letters: usize,
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
        outside.iter().for_each(|(word, _)| give_back(left, *word));
    }
}
