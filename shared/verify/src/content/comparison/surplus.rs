//! Words of a result that no word of the source accounts for.

use std::collections::HashMap;

use super::counts::{Counts, key};
use super::{Rules, has_digit};
use crate::content::item::Item;
use crate::content::words::{Token, WordSplitter, is_right_to_left};

/// Maximum bytes of these words.
const MAX_SURPLUS: usize = 16 * 1024 * 1024;
/// Maximum bytes that all searches read.
const MAX_SEARCH: usize = 4 << 30;

/// The words of a result that no word of the source accounts for, joined, because a word may be split (at the end of a line) or
/// joined with its neighbors in the result.
pub(super) struct Surplus<'c> {
    counts: &'c mut Counts,
    splitter: WordSplitter,
    text: String,
    /// Letters of right-to-left words, which may be in another order.
    letters: HashMap<char, u32>,
    /// Number of surplus texts between white space that contain a digit.
    pub(super) figures: u64,
    /// Whether such a text is in progress.
    in_figure: bool,
    /// How often each word that was searched for still occurs in `text`.
    occurrences: HashMap<String, usize>,
    searched: usize,
}

impl<'c> Surplus<'c> {
    pub(super) fn new(counts: &'c mut Counts, rules: Rules) -> Self {
        Self {
            counts,
            splitter: WordSplitter::new(rules.figures),
            text: String::new(),
            letters: HashMap::new(),
            figures: 0,
            in_figure: false,
            occurrences: HashMap::new(),
            searched: 0,
        }
    }

    pub(super) fn add(&mut self, item: Item<'_>) {
        let mut splitter = std::mem::take(&mut self.splitter);
        let mut take = |token: Token<'_>| self.token(&token);
        match item {
            Item::Text(text) => splitter.text(text, &mut take),
            Item::Break => {
                splitter.end(&mut take);
                take(Token::Space);
            }
            Item::Number | Item::Image | Item::Chart | Item::Aside(_) | Item::Marker => {}
        }
        self.splitter = splitter;
    }

    fn token(&mut self, token: &Token<'_>) {
        let Token::Word(word) = token else {
            self.in_figure = false;
            return;
        };
        if !self.counts.remove(key(word)) {
            return;
        }
        if has_digit(word) && !self.in_figure {
            self.in_figure = true;
            self.figures += 1;
        }
        if is_right_to_left(word) {
            for letter in word.chars() {
                *self.letters.entry(letter).or_default() += 1;
            }
        } else if self.text.len() + word.len() <= MAX_SURPLUS {
            self.text.push_str(word);
        }
    }

    /// Returns whether a word is among the surplus words or across some of them, once more than before.
    pub(super) fn has(&mut self, word: &str) -> bool {
        if is_right_to_left(word) {
            return self.has_letters(word);
        }
        let left = match self.occurrences.get_mut(word) {
            Some(left) => left,
            None if self.searched > MAX_SEARCH => return false,
            None => {
                self.searched += self.text.len();
                let count = self.text.matches(word).count();
                self.occurrences.entry(word.to_owned()).or_insert(count)
            }
        };
        let has = *left > 0;
        *left = left.saturating_sub(1);
        has
    }

    fn has_letters(&mut self, word: &str) -> bool {
        let mut used: Vec<char> = Vec::new();
        for letter in word.chars() {
            match self.letters.get_mut(&letter) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    used.push(letter);
                }
                _ => {
                    for letter in used {
                        *self.letters.entry(letter).or_default() += 1;
                    }
                    return false;
                }
            }
        }
        true
    }
}
