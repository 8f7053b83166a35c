//! How a text goes on behind the end of a column or a page.

use std::collections::HashSet;

use crate::model::block::{Block, Content};
use crate::model::text::{Run, plain};

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
    /// Between a text and the rest of it. `is_compound` tells of the parts of a word whether it has a hyphen elsewhere, too.
    pub(crate) fn between(
        before: &str,
        after: &str,
        is_compound: impl FnOnce(&[char], &[char]) -> bool,
    ) -> Self {
        let mut backward = before.chars().rev();
        let (Some(last), Some(first)) = (backward.next(), after.chars().next()) else {
            return Self::Nothing;
        };
        let is_close = backward.clone().next().is_some_and(|c| !c.is_whitespace());
        let mut begin: Vec<char> = backward.take_while(|c| c.is_alphabetic()).collect();
        begin.reverse();
        let end: Vec<char> = after.chars().take_while(|c| c.is_alphabetic()).collect();
        let divides = is_hyphen(last) && !begin.is_empty() && first.is_lowercase();
        if last == '\u{ad}' || divides && !is_compound(&begin, &end) {
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

    /// Whether a word is there with a hyphen between these parts and never without.
    pub(crate) fn have_compound(&self, begin: &[char], end: &[char]) -> bool {
        let (begin, end): (String, String) = (begin.iter().collect(), end.iter().collect());
        let has = |between: &str| {
            self.0
                .contains(&format!("{begin}{between}{end}").to_lowercase())
        };
        has("-") && !has("")
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
    use super::Seam;

    #[test]
    fn words_go_on_and_others_begin() {
        let known = |begin: &[char], _: &[char]| begin == ['w', 'e', 'l', 'l'];
        for (before, after, seam) in [
            ("inter-", "national", Seam::Divided),
            ("inter\u{ad}", "National", Seam::Divided),
            ("well-", "known", Seam::Nothing),
            ("Baden-", "Baden", Seam::Nothing),
            ("2019-", "2020", Seam::Nothing),
            ("word—", "next", Seam::Nothing),
            ("word –", "next", Seam::Space),
            ("word -", "next", Seam::Space),
            ("word", "next", Seam::Space),
            ("word ", "next", Seam::Nothing),
            ("日本", "語", Seam::Nothing),
        ] {
            assert_eq!(Seam::between(before, after, known), seam, "{before}{after}");
        }
    }
}
