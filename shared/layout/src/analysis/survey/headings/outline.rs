//! Matches heading candidates with the entries of the outline (bookmarks) that lead to their page.

use std::collections::BTreeMap;

use crate::analysis::lines::line::Line;
use crate::model::page_content::OutlineEntry;

/// Minimum length of a title, in letters and digits: page labels and initials prove nothing.
const LEAST: usize = 2;
/// Maximum depth of headings.
const DEPTH: u8 = 6;

/// The depths of outline entries by title: lower-case letters and digits, without the number before it.
#[derive(Default)]
pub(in crate::analysis) struct Outline(BTreeMap<String, u8>);

impl Outline {
    pub(in crate::analysis) fn of(entries: &[OutlineEntry]) -> Self {
        let entries = entries.iter();
        let keys = entries.filter_map(|entry| Some((key(entry.title.chars())?, entry.depth)));
        Self(keys.collect())
    }

    /// Returns the depth of the entry whose title consists of these lines, or begins with them: a title may be drawn in parts.
    pub(in crate::analysis) fn depth(&self, lines: &[&Line]) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let glyphs = lines.iter().flat_map(|line| line.glyphs());
        self.of_text(glyphs.map(|glyph| glyph.text))
    }

    fn of_text(&self, text: impl Iterator<Item = char>) -> Option<usize> {
        let text = key(text)?;
        let (title, depth) = self.0.range(text.clone()..).next()?;
        let is_title = title.starts_with(&text) && text.len() * 2 > title.len();
        is_title.then(|| usize::from((*depth).clamp(1, DEPTH)))
    }
}

fn key(text: impl Iterator<Item = char>) -> Option<String> {
    let text = text.filter(|text| text.is_alphanumeric());
    // Numbers are often missing in one of the two.
    let text: String = text
        .skip_while(|text| text.is_numeric())
        .flat_map(char::to_lowercase)
        .collect();
    (text.chars().nth(LEAST - 1).is_some()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(title: &str, text: &str) -> Option<usize> {
        let title = title.to_owned();
        Outline::of(&[OutlineEntry { title, depth: 2 }]).of_text(text.chars())
    }

    #[test]
    fn titles_match_without_number_case_and_punctuation() {
        assert_eq!(depth("Old bridges", "2.1 OLD BRIDGES."), Some(2));
        assert_eq!(depth("2.1\u{a0}Old bridges", "Old bridges"), Some(2));
        assert_eq!(depth("Old bridges", "Older bridges"), None);
        assert_eq!(depth("Old bridges", "Old bridges are nice"), None);
    }

    #[test]
    fn most_of_a_title_is_enough() {
        assert_eq!(depth("Old bridges of Bern", "Old bridges"), Some(2));
        assert_eq!(depth("Old bridges of Bern", "Old"), None);
    }

    #[test]
    fn page_labels_match_nothing() {
        assert_eq!(depth("12", "12"), None);
        assert_eq!(depth("A", "A"), None);
    }
}
