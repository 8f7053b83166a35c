//! Footnotes and what refers to them: raised runs that say nothing but a note's label.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::{Block, Content, Page, Run, Script};

/// The footnotes of a page, which all that is told of the page shares.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Rc<Known>);

#[derive(Debug, Default)]
struct Known {
    notes: Vec<Note>,
    /// By bare label: which is the first of it.
    labels: HashMap<String, usize>,
}

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
    is_mentioned: Cell<bool>,
}

impl Note {
    /// Whether this is asked for the first time, so that what refers to it can be led back to.
    pub(super) fn is_first_mention(&self) -> bool {
        !self.is_mentioned.replace(true)
    }
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
                    is_mentioned: Cell::default(),
                });
            }
        }
        let mut labels = HashMap::new();
        for (index, note) in notes.iter().enumerate() {
            labels.entry(bare(&note.label).to_owned()).or_insert(index);
        }
        labels.remove("");
        let mut known = Known { notes, labels };
        each_run(&page.blocks, &mut |run| known.refer(run));
        Self(Rc::new(known))
    }

    /// The note that a run refers to.
    pub(super) fn at(&self, run: &Run) -> Option<&Note> {
        let index = self.0.index(run)?;
        self.0.notes.get(index)
    }

    /// In the order of the page.
    pub(super) fn all(&self) -> &[Note] {
        &self.0.notes
    }
}

impl Known {
    fn refer(&mut self, run: &Run) {
        if let Some(note) = self.index(run).and_then(|index| self.notes.get_mut(index)) {
            note.is_referenced = true;
        }
    }

    fn index(&self, run: &Run) -> Option<usize> {
        let is_raised = run.style.script == Script::Super;
        let index = self.labels.get(bare(&run.text)).filter(|_| is_raised);
        index.copied()
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
