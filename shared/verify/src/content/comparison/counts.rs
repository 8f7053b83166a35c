//! Counts the words, numbers and images of a result.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::order::Order;
use super::{Rules, has_digit};
use crate::content::decimal::Decimal;
use crate::content::item::Item;
use crate::content::words::{Token, WordSplitter, is_reordered_when_drawn, is_roman};

/// Maximum number of distinct words of a result.
pub(super) const MAX_DISTINCT: usize = 4_000_000;

/// Counts of a result.
pub(super) struct Counts {
    /// How often a word, or the value of a number, is in the result and nothing of the source accounts for it.
    pub(super) words: HashMap<u64, u32>,
    pub(super) order: Order,
    /// How often words are given as alternatives of others.
    alternatives: HashMap<u64, u32>,
    pub(super) numbers: u64,
    /// Number of them whose value is not known.
    pub(super) unknown: u64,
    pub(super) images: u64,
    pub(super) tables: u64,
    pub(super) parts: u64,
    /// How often a word is beyond the edges of slides, and nothing of the source accounts for it.
    beyond: HashMap<u64, u32>,
    /// Number of markers that missing words may account for.
    markers: u64,
    splitter: WordSplitter,
    /// Whether the values of numbers are compared.
    values: bool,
}

impl Counts {
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            words: HashMap::new(),
            alternatives: HashMap::new(),
            order: Order::default(),
            numbers: 0,
            unknown: 0,
            images: 0,
            tables: 0,
            parts: 0,
            beyond: HashMap::new(),
            markers: 0,
            splitter: WordSplitter::new(rules.figures),
            values: rules.values,
        }
    }

    pub(super) fn add(&mut self, item: Item<'_>) {
        let Self {
            words,
            alternatives,
            order,
            splitter,
            values,
            beyond,
            ..
        } = self;
        let mut take = |token: Token<'_>| {
            if let Token::Word(word) = token
                && words.len() <= MAX_DISTINCT
            {
                let key = key(word);
                *words.entry(key).or_default() += 1;
                if !has_digit(word) {
                    order.add_found(key);
                }
            }
        };
        match item {
            Item::Text(text) => splitter.text(text, &mut take),
            Item::Alternative(text) => splitter.split(text, &mut |token| {
                if let Token::Word(word) = token {
                    *alternatives.entry(key(word)).or_default() += 1;
                }
            }),
            Item::Beyond(text) => splitter.split(text, &mut |token| {
                if let Token::Word(word) = token
                    && beyond.len() <= MAX_DISTINCT
                {
                    *beyond.entry(key(word)).or_default() += 1;
                }
            }),
            Item::Break => {
                splitter.end(&mut take);
                order.end_line();
            }
            Item::Number(value) => {
                self.numbers += 1;
                self.unknown += u64::from(value.is_none());
                let value = value.filter(|_| *values && words.len() <= MAX_DISTINCT);
                if let Some([key, ..]) = value.map(Decimal::keys) {
                    *words.entry(key).or_default() += 1;
                    order.add_found(key);
                }
            }
            Item::Image => self.images += 1,
            Item::Table => self.tables += 1,
            Item::Part => self.parts += 1,
            Item::Marker => self.markers += 1,
            Item::Chart
            | Item::Aside(_)
            | Item::Repetition(_)
            | Item::Once(_)
            | Item::Hidden { .. } => {}
        }
    }

    /// Returns whether a missing word may be drawn as a marker, and uses up one.
    pub(super) fn accounts_for_marker(&mut self, word: &str) -> bool {
        let is_marker = is_marker(word) && self.markers > 0;
        self.markers -= u64::from(is_marker);
        is_marker
    }

    /// Removes one occurrence of a word; returns whether there was one.
    pub(super) fn remove(&mut self, word: u64) -> bool {
        take_one(&mut self.words, word)
    }

    /// Removes one occurrence of a word beyond the edges of slides; returns whether there was one.
    pub(super) fn remove_beyond(&mut self, word: u64) -> bool {
        take_one(&mut self.beyond, word)
    }

    /// Removes one occurrence of a word that is an alternative; returns whether there was one.
    pub(super) fn remove_alternative(&mut self, word: u64) -> bool {
        take_one(&mut self.alternatives, word)
    }
}

fn take_one(counts: &mut HashMap<u64, u32>, word: u64) -> bool {
    let count = counts.get_mut(&word).filter(|count| **count > 0);
    count.map(|count| *count -= 1).is_some()
}

/// Whether a word may be the number or letter of a list item: `12`, `b`, `xiv`.
fn is_marker(word: &str) -> bool {
    word.chars().count() == 1
        || ((1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit()))
        || is_roman(word)
}

/// The key of a word. The order of letters does not matter in words that are reordered when they are drawn.
pub(super) fn key(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    match is_reordered_when_drawn(word) {
        true => {
            let mut letters: Vec<char> = word.chars().collect();
            letters.sort_unstable();
            letters.hash(&mut hasher);
        }
        false => word.hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_letters_and_roman_numbers_are_markers() {
        assert!(
            [
                "7", "123", "b", "i", "iv", "ix", "viii", "xiv", "xxxix", "xl", "lxxxvi"
            ]
            .iter()
            .all(|word| is_marker(word))
        );
        assert!(
            !["1234", "ill", "civil", "vivi", "iix", "lll", "xxxxi", ""]
                .iter()
                .any(|word| is_marker(word))
        );
    }
}
