//! Counts the letters and digits of a document, regardless of line breaks, markup and formatting.

use std::collections::{HashMap, HashSet};

use layout::{Block, Content, Run, Script};

/// Number of occurrences of each letter and digit.
pub(super) struct CharacterCounts {
    ascii: [u64; 128],
    others: HashMap<char, u64>,
}

impl Default for CharacterCounts {
    fn default() -> Self {
        Self {
            ascii: [0; 128],
            others: HashMap::new(),
        }
    }
}

impl CharacterCounts {
    /// Counts the text of blocks, without list markers and note references, which each format numbers in its own way.
    pub(super) fn add<'b>(&mut self, blocks: impl Iterator<Item = &'b Block>, labels: &NoteLabels) {
        blocks.for_each(|block| self.add_block(block, labels));
    }

    fn add_block(&mut self, block: &Block, labels: &NoteLabels) {
        match &block.content {
            Content::Heading { runs, .. }
            | Content::Paragraph { runs, .. }
            | Content::Footnote { runs, .. } => self.add_runs(runs, labels),
            Content::List { items } => {
                for item in items {
                    self.add_runs(&item.runs, labels);
                }
            }
            Content::Table(table) => {
                let blocks = table.cells.iter().flat_map(|cell| &cell.blocks);
                self.add(blocks, labels);
            }
            Content::Image { .. } | Content::Rule => {}
        }
    }

    /// Counts a text.
    pub(super) fn add_text(&mut self, text: &str) {
        for character in text.chars().filter(|character| character.is_alphanumeric()) {
            match self.ascii.get_mut(character as usize) {
                Some(count) => *count += 1,
                None => *self.others.entry(character).or_default() += 1,
            }
        }
    }

    /// Returns whether all characters of another count occur at least as often here.
    pub(super) fn contains(&self, others: &Self) -> bool {
        let mut ascii = self.ascii.iter().zip(&others.ascii);
        let has = |(character, count)| self.others.get(character).is_some_and(|have| have >= count);
        ascii.all(|(have, wanted)| have >= wanted) && others.others.iter().all(has)
    }

    fn add_runs(&mut self, runs: &[Run], labels: &NoteLabels) {
        let is_note_reference = |run: &&Run| {
            let is_raised = run.style.script == Script::Super;
            is_raised && labels.0.contains(trimmed_label(&run.text))
        };
        let words = runs.iter().filter(|run| !is_note_reference(run));
        words.for_each(|run| self.add_text(&run.text));
    }
}

/// The labels of the notes of a page.
#[derive(Default)]
pub(super) struct NoteLabels(HashSet<String>);

impl NoteLabels {
    /// Collects the labels of the notes among blocks.
    pub(super) fn of(blocks: &[Block]) -> Self {
        let label = |block: &Block| match &block.content {
            Content::Footnote { label, .. } => Some(trimmed_label(label).to_owned()),
            _ => None,
        };
        Self(blocks.iter().filter_map(label).collect())
    }
}

/// Returns a label without surrounding punctuation.
fn trimmed_label(text: &str) -> &str {
    text.trim_matches(|character: char| !character.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> CharacterCounts {
        let mut counts = CharacterCounts::default();
        counts.add_text(text);
        counts
    }

    #[test]
    fn texts_are_compared_regardless_of_markup() {
        let whole = counts("# *Grüße* aus\n| 7 | 12 |");
        assert!(whole.contains(&counts("Grüße aus 712")));
        assert!(!whole.contains(&counts("Grüße aus 7122")));
        assert!(!whole.contains(&counts("Grüüße")));
        assert!(!whole.contains(&counts("日")));
    }
}
