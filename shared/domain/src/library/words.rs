//! The search words of a recognized text.

use std::collections::BTreeSet;
use std::ops::{Bound, RangeInclusive};

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use super::fold::fold;

/// Length of indexed words in characters.
const LENGTH: RangeInclusive<usize> = 2..=40;

/// Maximum number of indexed words per document.
const MAX_WORDS: usize = 4_000;

/// Maximum size in bytes of the indexed words of a document, so that they fit into one DynamoDB item.
const MAX_BYTES: usize = 100_000;

/// The distinct words of a text: NFKC, case-folded, split at Unicode word boundaries [UAX #29], 2 to 40 characters, limited
/// to 4,000 words and 100,000 bytes. `Debug` omits the words.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Words(BTreeSet<String>);

impl Words {
    /// Extracts the words of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let folded = fold(text);
        let (mut words, mut bytes) = (BTreeSet::new(), 0);
        for word in folded.unicode_words() {
            if !LENGTH.contains(&word.chars().count()) || words.contains(word) {
                continue;
            }
            bytes += word.len();
            if words.len() == MAX_WORDS || bytes > MAX_BYTES {
                break;
            }
            words.insert(word.to_owned());
        }
        Self(words)
    }

    /// Returns the words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the first word that begins with `prefix`.
    #[must_use]
    pub fn first_with_prefix(&self, prefix: &str) -> Option<&str> {
        let range = (Bound::Included(prefix), Bound::Unbounded);
        let first = self.0.range::<str, _>(range).next()?;
        first.starts_with(prefix).then_some(first)
    }

    /// Whether each of `prefixes` is a prefix of a word.
    #[must_use]
    pub fn have_all(&self, prefixes: &[String]) -> bool {
        prefixes
            .iter()
            .all(|prefix| self.first_with_prefix(prefix).is_some())
    }

    /// Returns the union of both sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self(self.0.union(&other.0).cloned().collect())
    }

    /// Adds words of `more` up to the limits.
    #[must_use]
    pub fn add_up_to_limit(&self, more: &Self) -> Self {
        let mut words = self.0.clone();
        let mut bytes: usize = words.iter().map(String::len).sum();
        for word in more.0.difference(&self.0) {
            bytes += word.len();
            if words.len() == MAX_WORDS || bytes > MAX_BYTES {
                break;
            }
            words.insert(word.clone());
        }
        Self(words)
    }

    /// Returns the words that are not in `other`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Self(self.0.difference(&other.0).cloned().collect())
    }
}

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Words({} ***)", self.0.len())
    }
}

/// Returns the distinct words of a query, of any length, in order.
#[must_use]
pub fn query_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in fold(text).unicode_words() {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        Words::of(text).iter().map(str::to_owned).collect()
    }

    #[test]
    fn words_are_folded_distinct_and_of_a_bounded_length() {
        assert_eq!(
            words("Die STRASSE, die Straße; a ﬁle (3.14) naïve"),
            ["3.14", "die", "file", "naïve", "strasse"]
        );
        let forty = "x".repeat(40);
        assert_eq!(words(&forty), std::slice::from_ref(&forty));
        assert!(words(&"x".repeat(41)).is_empty());
        assert!(words("a b , - ! 東").is_empty());
    }

    #[test]
    fn words_are_limited_to_the_item_size() {
        let many: Vec<String> = (0..5_000).map(|n| format!("w{n}")).collect();
        assert_eq!(words(&many.join(" ")).len(), MAX_WORDS);
        let wide: Vec<String> = (0..4_000).map(|n| format!("ж{n:0>38}")).collect();
        let kept = Words::of(&wide.join(" "));
        assert!(kept.iter().map(str::len).sum::<usize>() <= MAX_BYTES);
        assert!(kept.iter().count() > 2_000);
    }

    #[test]
    fn words_are_added_up_to_the_limit() {
        let some = Words::of("alpha beta");
        let both: Vec<_> = ["alpha", "beta", "gamma"].into();
        let with = some.add_up_to_limit(&Words::of("beta gamma"));
        assert_eq!(with.iter().collect::<Vec<_>>(), both);
        let many: Vec<String> = (0..MAX_WORDS).map(|n| format!("w{n}")).collect();
        let full = Words::of(&many.join(" "));
        assert_eq!(full.add_up_to_limit(&some), full);
    }

    #[test]
    fn a_prefix_finds_its_first_word() {
        let words = Words::of("invoices invoice ink");
        assert_eq!(words.first_with_prefix("inv"), Some("invoice"));
        assert_eq!(words.first_with_prefix("invoiced"), None);
        assert!(words.have_all(&["i".into(), "ink".into()]));
        assert!(!words.have_all(&["ink".into(), "paper".into()]));
    }

    #[test]
    fn a_query_keeps_its_order_and_short_words() {
        assert_eq!(query_words("B a b A-team"), ["b", "a", "team"]);
    }

    #[test]
    fn words_are_not_printed() {
        assert_eq!(format!("{:?}", Words::of("secret text")), "Words(2 ***)");
    }
}
