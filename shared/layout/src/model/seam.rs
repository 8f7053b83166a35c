//! How a text goes on behind the end of a column or a page.

use std::collections::HashSet;

use crate::model::block::{Block, Content};
use crate::model::text::{Run, plain};

/// Words between parts of which the first is not said whole, as in `short- and long-term`.
const CONJUNCTIONS: [&str; 15] = [
    "and", "or", "to", "of", "und", "oder", "bis", "bzw.", "sowie", "et", "ou", "y", "o", "e", "en",
];

/// Which words a document is known to write.
pub(crate) trait Known {
    /// Whether a word is there with a hyphen between these parts and never without.
    fn is_compound(&self, begin: &[char], end: &[char]) -> bool;

    /// Whether these parts are one word there.
    fn is_whole(&self, begin: &[char], end: &[char]) -> bool;

    /// Whether a hyphen behind `begin` stands for what is said later, before a text that goes on with `rest`: with a
    /// conjunction that makes no word of the document with it.
    fn is_suspended(&self, begin: &[char], rest: impl Iterator<Item = char>) -> bool {
        conjunction(rest).is_some_and(|next| !self.is_whole(begin, &next))
    }
}

/// The conjunction that a text begins with.
fn conjunction(text: impl Iterator<Item = char>) -> Option<Vec<char>> {
    let longest = CONJUNCTIONS.iter().map(|word| word.len()).max()?;
    let first = text.take_while(|text| !text.is_whitespace());
    let first: Vec<char> = first.take(longest + 1).collect();
    let is_first = |word: &&str| word.chars().eq(first.iter().copied());
    CONJUNCTIONS.iter().any(is_first).then_some(first)
}

/// What is between a text and the rest of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seam {
    /// A space.
    Space,
    /// Nothing.
    Nothing,
    /// Nothing, and the hyphen that the text ends with was only there since the line ended.
    Divided,
}

impl Seam {
    /// Between a text and the rest of it, in a document of these words.
    pub(crate) fn between(before: &str, after: &str, words: &impl Known) -> Self {
        let mut backward = before.chars().rev();
        let (Some(last), Some(first)) = (backward.next(), after.chars().next()) else {
            return Self::Nothing;
        };
        let is_close = backward.clone().next().is_some_and(|c| !c.is_whitespace());
        let mut begin: Vec<char> = backward.take_while(|c| c.is_alphabetic()).collect();
        begin.reverse();
        let end: Vec<char> = after.chars().take_while(|c| c.is_alphabetic()).collect();
        let divides = is_hyphen(last) && !begin.is_empty() && first.is_lowercase();
        if divides && words.is_suspended(&begin, after.chars()) {
            Self::Space
        } else if last == '\u{ad}' || divides && !words.is_compound(&begin, &end) {
            Self::Divided
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

/// Whether a text may end like this only since its line does.
pub(crate) fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}' | '\u{ad}')
}

fn is_dash(character: char) -> bool {
    matches!(character, '—' | '–')
}

/// Whether a character is of a script that is written without spaces, in squares.
fn is_wide(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Words as blocks have them, in lower case.
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

impl Known for Words {
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
    fn words_go_on_and_others_begin() {
        let known = ["well-known", "stand"].map(str::to_owned);
        let known = Words(known.into());
        for (before, after, seam) in [
            ("inter-", "national", Seam::Divided),
            ("inter\u{ad}", "National", Seam::Divided),
            ("well-", "known", Seam::Nothing),
            ("Vor-", "und Nachteile", Seam::Space),
            ("st-", "and", Seam::Divided),
            ("Baden-", "Baden", Seam::Nothing),
            ("2019-", "2020", Seam::Nothing),
            ("word—", "next", Seam::Nothing),
            ("word –", "next", Seam::Space),
            ("word -", "next", Seam::Space),
            ("word", "next", Seam::Space),
            ("word ", "next", Seam::Nothing),
            ("日本", "語", Seam::Nothing),
        ] {
            assert_eq!(
                Seam::between(before, after, &known),
                seam,
                "{before}{after}"
            );
        }
    }
}
