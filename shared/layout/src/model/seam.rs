//! Joins text across the end of a column or a page: with a space, without one, or with the hyphen removed.

use std::collections::HashSet;

use crate::model::block::{Block, Content};
use crate::model::text::{Run, plain};

/// Conjunctions after a suspended hyphen, as in `short- and long-term`.
const CONJUNCTIONS: [&str; 15] = [
    "and", "or", "to", "of", "und", "oder", "bis", "bzw.", "sowie", "et", "ou", "y", "o", "e", "en",
];

/// The vocabulary of a document, to decide whether a hyphen at the end of a line belongs to the word.
pub(crate) trait Vocabulary {
    /// Whether the hyphen between these parts belongs to the word as far as the document shows, which never writes the word
    /// without it.
    fn is_compound(&self, begin: &[char], end: &[char]) -> bool;

    /// Whether the document writes these parts as one word.
    fn is_whole(&self, begin: &[char], end: &[char]) -> bool;

    /// Whether the hyphen behind `begin` is suspended: a conjunction follows that does not form a word of the document with
    /// `begin`.
    fn is_suspended(&self, begin: &[char], rest: impl Iterator<Item = char>) -> bool {
        conjunction(rest).is_some_and(|next| !self.is_whole(begin, &next))
    }
}

/// Returns the conjunction that a text begins with.
fn conjunction(text: impl Iterator<Item = char>) -> Option<Vec<char>> {
    let longest = CONJUNCTIONS.iter().map(|word| word.len()).max()?;
    let first = text.take_while(|text| !text.is_whitespace());
    let first: Vec<char> = first.take(longest + 1).collect();
    let is_first = |word: &&str| word.chars().eq(first.iter().copied());
    CONJUNCTIONS.iter().any(is_first).then_some(first)
}

/// How two parts of a text are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seam {
    /// With a space.
    Space,
    /// Without a space.
    Nothing,
    /// Without a space, and the hyphen at the end is removed.
    Dehyphenated,
}

impl Seam {
    /// Decides how `before` and `after` are joined, given the vocabulary of the document.
    pub(crate) fn between(before: &str, after: &str, words: &impl Vocabulary) -> Self {
        let mut backward = before.chars().rev();
        let (Some(last), Some(first)) = (backward.next(), after.chars().next()) else {
            return Self::Nothing;
        };
        if continues_address(before.chars().rev(), after.chars()) {
            return Self::Nothing;
        }
        let is_close = backward.clone().next().is_some_and(|c| !c.is_whitespace());
        let mut begin: Vec<char> = backward.take_while(|c| c.is_alphabetic()).collect();
        begin.reverse();
        let end: Vec<char> = after.chars().take_while(|c| c.is_alphabetic()).collect();
        let divides = is_hyphen(last) && !begin.is_empty() && first.is_lowercase();
        if divides && words.is_suspended(&begin, after.chars()) {
            Self::Space
        } else if last == '\u{ad}' || divides && !words.is_compound(&begin, &end) {
            Self::Dehyphenated
        } else if is_close && (is_hyphen(last) || is_dash(last))
            || last.is_whitespace()
            || first.is_whitespace()
            || is_wide(last) && is_wide(first)
        {
            Self::Nothing
        } else {
            Self::Space
        }
    }
}

/// Maximum length of a URL in characters.
const MAX_ADDRESS: usize = 2_000;

/// Whether a text that ends with a URL, given from its end, is continued by this text: a URL breaks after or before its
/// punctuation. A capitalized word after a slash is part of it only if it has such punctuation or digits.
pub(crate) fn continues_address(
    backward: impl Iterator<Item = char>,
    after: impl Iterator<Item = char>,
) -> bool {
    let next: String = after
        .take_while(|c| !c.is_whitespace())
        .take(MAX_ADDRESS)
        .collect();
    let mut word = backward.take_while(|c| !c.is_whitespace()).peekable();
    let (last, is_capitalized) = (word.peek().copied(), next.starts_with(char::is_uppercase));
    let is_part = |c: char| c.is_ascii_digit() || "/-_=&?#%.".contains(c);
    let is_next_open = next.trim_end_matches(['.', ',']).contains(is_part);
    let ends_open = last.is_some_and(|c| "/-_=&?#%~".contains(c));
    if last == Some('/') && is_capitalized && !is_next_open
        || !ends_open && !next.starts_with(['/', '_', '=', '&', '?', '#', '%'])
    {
        return false;
    }
    let mut word: Vec<char> = word.take(MAX_ADDRESS).collect();
    word.reverse();
    let word: String = word.into_iter().collect();
    word.contains("://")
        || word
            .trim_start_matches(['(', '<', '[', '"'])
            .starts_with("www.")
}

/// Whether a character can be a hyphen that divides a word at the end of a line.
pub(crate) fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}' | '\u{ad}')
}

fn is_dash(character: char) -> bool {
    matches!(character, '—' | '–')
}

/// Whether a character is full-width (East Asian), so that no space separates it from the next.
fn is_wide(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// The words of blocks, in lower case.
pub(crate) struct Words(HashSet<String>);

impl Words {
    pub(crate) fn of(pages: &[&[Block]]) -> Self {
        let mut words = HashSet::new();
        for blocks in pages {
            each_text(blocks, &mut |runs| {
                let text = plain(runs).to_lowercase();
                let found = text.split(|c: char| !c.is_alphabetic() && c != '-');
                words.extend(found.map(str::to_owned));
            });
        }
        Self(words)
    }

    fn have(&self, begin: &[char], between: &str, end: &[char]) -> bool {
        let (begin, end): (String, String) = (begin.iter().collect(), end.iter().collect());
        let word = format!("{begin}{between}{end}").to_lowercase();
        self.0.contains(&word)
    }
}

impl Vocabulary for Words {
    fn is_compound(&self, begin: &[char], end: &[char]) -> bool {
        self.have(begin, "-", end) && !self.have(begin, "", end)
    }

    fn is_whole(&self, begin: &[char], end: &[char]) -> bool {
        self.have(begin, "", end)
    }
}

fn each_text(blocks: &[Block], see: &mut impl FnMut(&[Run])) {
    for block in blocks {
        match &block.content {
            Content::Heading { runs, .. }
            | Content::Paragraph { runs, .. }
            | Content::Footnote { runs, .. } => see(runs),
            Content::List { items } => items.iter().for_each(|item| see(&item.runs)),
            Content::Table(table) => table
                .cells
                .iter()
                .for_each(|cell| each_text(&cell.blocks, see)),
            Content::Image { .. } | Content::Rule => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Seam, Words};

    #[test]
    fn hyphens_and_spaces_between_parts_are_decided() {
        let known = ["well-known", "stand"].map(str::to_owned);
        let known = Words(known.into());
        for (before, after, seam) in [
            ("inter-", "national", Seam::Dehyphenated),
            ("inter\u{ad}", "National", Seam::Dehyphenated),
            ("well-", "known", Seam::Nothing),
            ("Vor-", "und Nachteile", Seam::Space),
            ("st-", "and", Seam::Dehyphenated),
            ("Baden-", "Baden", Seam::Nothing),
            ("2019-", "2020", Seam::Nothing),
            ("word—", "next", Seam::Nothing),
            ("word –", "next", Seam::Space),
            ("word -", "next", Seam::Space),
            ("word", "next", Seam::Space),
            ("word ", "next", Seam::Nothing),
            ("日本", "語", Seam::Nothing),
            ("see https://example.org/inter-", "national", Seam::Nothing),
            ("(www.example.org/", "path", Seam::Nothing),
            ("https://example.org/path", "?query=1", Seam::Nothing),
            ("https://example.org/path", "and", Seam::Space),
            ("and/", "or", Seam::Space),
            ("https://example.org/", "The", Seam::Space),
            ("https://example.org/", "The.html for", Seam::Nothing),
        ] {
            assert_eq!(
                Seam::between(before, after, &known),
                seam,
                "{before}{after}"
            );
        }
    }
}
