//! Footnotes and what refers to them: raised runs that say nothing but a note's label.

use crate::{Block, Content, Page, Run, Script};

/// The footnotes of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Vec<Note>);

/// A footnote.
#[derive(Clone, Debug)]
pub(super) struct Note {
    /// Its number in the document, from 1.
    pub(super) number: u32,
    /// What refers to it.
    pub(super) label: String,
    /// What it says.
    pub(super) runs: Vec<Run>,
    /// Whether something on its page refers to it.
    pub(super) is_referenced: bool,
}

impl Notes {
    /// The notes of a page, numbered on from the last number given.
    pub(super) fn of(page: &Page, numbered: &mut u32) -> Self {
        let mut notes = Vec::new();
        for block in &page.blocks {
            if let Content::Footnote { label, runs } = &block.content {
                *numbered += 1;
                notes.push(Note {
                    number: *numbered,
                    label: label.clone(),
                    runs: runs.clone(),
                    is_referenced: false,
                });
            }
        }
        let mut notes = Self(notes);
        each_run(&page.blocks, &mut |run| notes.refer(run));
        notes
    }

    /// The note that a run refers to.
    pub(super) fn at(&self, run: &Run) -> Option<&Note> {
        let index = self.index(run)?;
        self.0.get(index)
    }

    /// In the order of the page.
    pub(super) fn all(&self) -> &[Note] {
        &self.0
    }

    fn refer(&mut self, run: &Run) {
        if let Some(note) = self.index(run).and_then(|index| self.0.get_mut(index)) {
            note.is_referenced = true;
        }
    }

    fn index(&self, run: &Run) -> Option<usize> {
        if run.style.script != Script::Super || self.0.is_empty() {
            return None;
        }
        let label = bare(&run.text);
        self.0
            .iter()
            .position(|note| !label.is_empty() && bare(&note.label) == label)
    }
}

fn bare(label: &str) -> &str {
    label.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '.'))
}

/// What is in tables included, and what is in notes not.
fn each_run(blocks: &[Block], see: &mut impl FnMut(&Run)) {
    for block in blocks {
        match &block.content {
            Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => {
                runs.iter().for_each(&mut *see)
            }
            Content::List { items } => items.iter().flat_map(|item| &item.runs).for_each(&mut *see),
            Content::Table(table) => table
                .cells
                .iter()
                .for_each(|cell| each_run(&cell.blocks, see)),
            Content::Image { .. } | Content::Rule | Content::Footnote { .. } => {}
        }
    }
}
