//! The letters and digits of a document, counted: what it says, however it is divided and marked.

use std::collections::{HashMap, HashSet};

use layout::{Block, Content, Run, Script};

/// How often each letter and digit is there.
pub(super) struct Letters {
    plain: [u64; 128],
    others: HashMap<char, u64>,
}

impl Default for Letters {
    fn default() -> Self {
        Self {
            plain: [0; 128],
            others: HashMap::new(),
        }
    }
}

impl Letters {
    /// Counts what blocks of a page say: not their markers, and not what refers to notes by their labels, as each format
    /// numbers these in its own way.
    pub(super) fn add<'b>(&mut self, blocks: impl Iterator<Item = &'b Block>, labels: &Labels) {
        blocks.for_each(|block| self.add_block(block, labels));
    }

    fn add_block(&mut self, block: &Block, labels: &Labels) {
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

    /// Counts what a text says.
    pub(super) fn add_text(&mut self, text: &str) {
        for character in text.chars().filter(|character| character.is_alphanumeric()) {
            match self.plain.get_mut(character as usize) {
                Some(count) => *count += 1,
                None => *self.others.entry(character).or_default() += 1,
            }
        }
    }

    /// Whether every one of others is here, as often at least.
    pub(super) fn hold(&self, others: &Self) -> bool {
        let mut plain = self.plain.iter().zip(&others.plain);
        let has = |(character, count)| self.others.get(character).is_some_and(|have| have >= count);
        plain.all(|(have, wanted)| have >= wanted) && others.others.iter().all(has)
    }

    fn add_runs(&mut self, runs: &[Run], labels: &Labels) {
        let refers = |run: &&Run| {
            let is_raised = run.style.script == Script::Super;
            is_raised && labels.0.contains(bare(&run.text))
        };
        let words = runs.iter().filter(|run| !refers(run));
        words.for_each(|run| self.add_text(&run.text));
    }
}

/// What the notes of a page are called.
#[derive(Default)]
pub(super) struct Labels(HashSet<String>);

impl Labels {
    /// Of the notes among these blocks.
    pub(super) fn of(blocks: &[Block]) -> Self {
        let label = |block: &Block| match &block.content {
            Content::Footnote { label, .. } => Some(bare(label).to_owned()),
            _ => None,
        };
        Self(blocks.iter().filter_map(label).collect())
    }
}

/// A label without what stands around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|character: char| !character.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str) -> Letters {
        let mut letters = Letters::default();
        letters.add_text(text);
        letters
    }

    #[test]
    fn what_is_said_is_told_from_how_it_is_divided() {
        let whole = letters("# *Grüße* aus\n| 7 | 12 |");
        assert!(whole.hold(&letters("Grüße aus 712")));
        assert!(!whole.hold(&letters("Grüße aus 7122")));
        assert!(!whole.hold(&letters("Grüüße")));
        assert!(!whole.hold(&letters("日")));
    }
}
