//! Vocabulary of a document: words with and without hyphens, to remove hyphens at line ends.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::analysis::lines::line::Line;
use crate::model::seam::{Vocabulary, is_hyphen};

/// Maximum number of words; later ones are ignored.
const WORDS: usize = 50_000;
/// Minimum length of a word, and of a part of a compound that forms others. Shorter ones are often parts of hyphenated words.
const LETTERS: usize = 4;

/// Words within lines, as hashes.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Words {
    plain: HashSet<u64>,
    compound: HashSet<u64>,
    /// The first and the last parts of compounds.
    firsts: HashSet<u64>,
    lasts: HashSet<u64>,
}

impl Words {
    /// Adds the words of a line.
    pub(in crate::analysis) fn note(&mut self, line: &Line) {
        for piece in &line.pieces {
            if self.plain.len() + self.compound.len() >= WORDS {
                return;
            }
            let text: Vec<char> = piece.glyphs.iter().map(|glyph| glyph.text).collect();
            let word = text
                .iter()
                .copied()
                .skip_while(|text| !text.is_alphabetic());
            let word: Vec<char> = word
                .take_while(|text| text.is_alphabetic() || is_hyphen(*text))
                .collect();
            match word
                .split(|text| is_hyphen(*text))
                .collect::<Vec<_>>()
                .as_slice()
            {
                [only] if only.len() >= LETTERS => drop(self.plain.insert(number(only, &[]))),
                [begin, end] if !begin.is_empty() && !end.is_empty() => {
                    self.compound.insert(number(begin, end));
                    self.firsts.insert(number(begin, &[]));
                    self.lasts.insert(number(end, &[]));
                }
                _ => {}
            }
        }
    }
}

impl Vocabulary for Words {
    /// Another compound with one of the parts counts as well: `user-defined` shows that the hyphen of `space-` and `defined`
    /// belongs to the word.
    fn is_compound(&self, begin: &[char], end: &[char]) -> bool {
        let forms = |parts: &HashSet<u64>, part: &[char]| {
            part.len() >= LETTERS && parts.contains(&number(part, &[]))
        };
        let is_compound = self.compound.contains(&number(begin, end))
            || forms(&self.firsts, begin)
            || forms(&self.lasts, end);
        is_compound && !self.is_whole(begin, end)
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
