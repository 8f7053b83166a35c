//! Vocabulary of a document: words with and without hyphens, to remove hyphens at line ends.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::analysis::lines::line::Line;
use crate::model::seam::Vocabulary;

/// Maximum number of words; later ones are ignored.
const WORDS: usize = 50_000;
/// Minimum length of a word: shorter ones are often parts of others.
const LETTERS: usize = 4;

/// Words within lines, as hashes.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Words {
    plain: HashSet<u64>,
    compound: HashSet<u64>,
    /// Plain words without capitals that do not begin a line, where the ends of divided words are.
    inner: HashSet<u64>,
}

impl Words {
    /// Adds the words of a line.
    pub(in crate::analysis) fn note(&mut self, line: &Line) {
        for (place, piece) in line.pieces.iter().enumerate() {
            if self.plain.len() + self.compound.len() >= WORDS {
                return;
            }
            let text: Vec<char> = piece.glyphs.iter().map(|glyph| glyph.text).collect();
            let word = text
                .iter()
                .copied()
                .skip_while(|text| !text.is_alphabetic());
            let word: Vec<char> = word
                .take_while(|text| text.is_alphabetic() || *text == '-')
                .collect();
            match word
                .split(|text| *text == '-')
                .collect::<Vec<_>>()
                .as_slice()
            {
                [only] if only.len() >= LETTERS => {
                    let number = number(only, &[]);
                    self.plain.insert(number);
                    if place > 0 && only.iter().all(|text| !text.is_uppercase()) {
                        self.inner.insert(number);
                    }
                }
                [begin, end] if !begin.is_empty() && !end.is_empty() => {
                    self.compound.insert(number(begin, end));
                }
                _ => {}
            }
        }
    }
}

impl Vocabulary for Words {
    fn is_compound(&self, begin: &[char], end: &[char]) -> bool {
        // Nouns of languages that join them, such as German, have capitals.
        let are_words = [begin, end]
            .iter()
            .all(|part| self.inner.contains(&number(part, &[])));
        (are_words || self.compound.contains(&number(begin, end))) && !self.is_whole(begin, end)
    }

    fn is_whole(&self, begin: &[char], end: &[char]) -> bool {
        let whole: Vec<char> = begin.iter().chain(end).copied().collect();
        self.plain.contains(&number(&whole, &[]))
    }
}

fn number(begin: &[char], end: &[char]) -> u64 {
    let mut hasher = DefaultHasher::new();
    let lower = |text: &[char]| {
        text.iter()
            .flat_map(|text| text.to_lowercase())
            .collect::<Vec<_>>()
    };
    (lower(begin), lower(end)).hash(&mut hasher);
    hasher.finish()
}
