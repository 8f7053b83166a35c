//! Footnotes and their references: superscript runs whose text is the label of a note.
//!
//! Declared references are taken as they are. Other superscripts may be exponents: a number or letter references its note once
//! per page, never after a digit, unit or variable, and preferably after a word or punctuation. Other symbols always
//! reference their notes.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use super::direction::is_wide;
use crate::{Block, Content, NOTE, Page, Run, Script};

/// Maximum length of a unit in characters.
const MAX_UNIT: usize = 4;

/// Units that have squares and cubes; one-letter units are treated as variables.
const UNITS: &[&str] = &[
    "mm", "cm", "dm", "dam", "hm", "km", "nm", "µm", "μm", "ft", "in", "yd", "mi", "sec",
];

/// The footnotes of a page, shared by all of its blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Rc<PageNotes>);

#[derive(Debug, Default)]
struct PageNotes {
    notes: Vec<Note>,
    /// Index of the first note with each normalized label.
    labels: HashMap<String, usize>,
}

/// A footnote.
#[derive(Clone, Debug)]
pub(super) struct Note {
    /// Number in the document, from 1.
    pub(super) number: u32,
    /// Label.
    pub(super) label: String,
    /// Text.
    pub(super) runs: Vec<Run>,
    /// Whether it is referenced on its page.
    pub(super) is_referenced: bool,
    /// Shared by all copies of the note.
    is_mentioned: Rc<Cell<bool>>,
}

impl Note {
    /// Whether [`Note::is_first_mention`] was called.
    pub(super) fn is_mentioned(&self) -> bool {
        self.is_mentioned.get()
    }

    /// Whether this is the first call, so that the note can link back to its first reference.
    pub(super) fn is_first_mention(&self) -> bool {
        !self.is_mentioned.replace(true)
    }
}

impl Notes {
    /// Creates the notes of a page, numbered from the last number, and marks the runs that reference them.
    pub(super) fn of(page: &mut Page, numbered: &mut u32) -> Self {
        let mut notes = Vec::new();
        for block in &page.blocks {
            if let Content::Footnote { label, runs } = &block.content {
                *numbered += 1;
                notes.push(Note {
                    number: *numbered,
                    label: label.clone(),
                    runs: runs.clone(),
                    is_referenced: false,
                    is_mentioned: Rc::default(),
                });
            }
        }
        let mut labels = HashMap::new();
        for (index, note) in notes.iter().enumerate() {
            labels.entry(bare(&note.label).to_owned()).or_insert(index);
        }
        labels.remove("");
        let mut known = PageNotes { notes, labels };
        known.refer(&mut page.blocks);
        Self(Rc::new(known))
    }

    /// Returns the note that a run references.
    pub(super) fn at(&self, run: &Run) -> Option<&Note> {
        let is_reference = run.link.as_deref() == Some(NOTE);
        let index = self.0.index(run).filter(|_| is_reference)?;
        self.0.notes.get(index)
    }

    /// Returns the notes in page order.
    pub(super) fn all(&self) -> &[Note] {
        &self.0.notes
    }
}

impl PageNotes {
    /// Marks references to the notes.
    fn refer(&mut self, blocks: &mut [Block]) {
        if self.labels.is_empty() {
            return;
        }
        // By note: the likelihood and index of its best candidate.
        let mut likeliest: HashMap<usize, (Likelihood, usize)> = HashMap::new();
        let mut place = 0;
        each_text(blocks, &mut |runs| {
            for (_, note, likely) in self.candidates(runs) {
                let best = likeliest.entry(note).or_insert((likely, place));
                if likely > best.0 {
                    *best = (likely, place);
                }
                place += 1;
            }
        });
        place = 0;
        each_text(blocks, &mut |runs| {
            for (index, note, likely) in self.candidates(runs) {
                let is_chosen = likely == Likelihood::Certainly
                    || likely > Likelihood::Never && likeliest.get(&note) == Some(&(likely, place));
                if let Some(run) = runs.get_mut(index).filter(|_| is_chosen) {
                    run.link = Some(NOTE.to_owned());
                }
                place += 1;
            }
        });
        for (note, (likely, _)) in likeliest {
            if let Some(note) = self.notes.get_mut(note) {
                note.is_referenced = likely > Likelihood::Never;
            }
        }
    }

    /// Returns the runs with the text of a label: run index, note index and likelihood.
    fn candidates(&self, runs: &[Run]) -> Vec<(usize, usize, Likelihood)> {
        let notes = runs.iter().map(|run| self.index(run)).enumerate();
        notes
            .filter_map(|(index, note)| Some((index, note?, likely(runs, index))))
            .collect()
    }

    fn index(&self, run: &Run) -> Option<usize> {
        let is_raised = run.style.script == Script::Super;
        let index = self.labels.get(bare(&run.text)).filter(|_| is_raised);
        index.copied()
    }
}

/// How likely a superscript references a note.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likelihood {
    /// It is an exponent.
    Never,
    /// Nothing before it is conclusive.
    Maybe,
    /// It follows a word or punctuation.
    Probably,
    /// It cannot be an exponent, or the document declares it.
    Certainly,
}

fn likely(runs: &[Run], index: usize) -> Likelihood {
    let label = runs.get(index).map_or("", |run| bare(&run.text));
    let before = runs.iter().take(index).rev();
    let mut before = before.flat_map(|run| run.text.chars().rev()).peekable();
    let last = before.peek().copied();
    let mut word: Vec<char> = before
        .take_while(|c| c.is_alphanumeric())
        .take(MAX_UNIT)
        .collect();
    word.reverse();
    let word: String = word.into_iter().collect();
    let is_number = |last: char| last.is_numeric() && label.starts_with(char::is_numeric);
    let is_exponent = UNITS.contains(&word.as_str())
        || word.chars().count() == 1 && !last.is_some_and(is_wide)
        || last.is_some_and(is_number);
    let is_declared = runs
        .get(index)
        .is_some_and(|run| run.link.as_deref() == Some(NOTE));
    match last {
        _ if is_declared => Likelihood::Certainly,
        _ if !label.contains(char::is_alphanumeric) => Likelihood::Certainly,
        _ if is_exponent => Likelihood::Never,
        Some(last) if !last.is_whitespace() => Likelihood::Probably,
        _ => Likelihood::Maybe,
    }
}

/// Returns a label without brackets and dots.
pub(super) fn bare(label: &str) -> &str {
    label.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '.'))
}

/// Visits the runs of each text, including tables, except notes.
pub(super) fn each_text(blocks: &mut [Block], visit: &mut impl FnMut(&mut [Run])) {
    for block in blocks {
        match &mut block.content {
            Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => visit(runs),
            Content::List { items } => items.iter_mut().for_each(|item| visit(&mut item.runs)),
            Content::Table(table) => table
                .cells
                .iter_mut()
                .for_each(|cell| each_text(&mut cell.blocks, visit)),
            Content::Image { .. } | Content::Rule | Content::Footnote { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Notes;
    use crate::{Alignment, Basis, Block, Content, NOTE, Page, Run, Script, Size, Style};

    fn block(content: Content) -> Block {
        Block::from(content)
    }

    fn run(text: &str, script: Script) -> Run {
        let style = Style {
            script,
            ..Style::default()
        };
        Run {
            text: text.to_owned(),
            style,
            link: None,
        }
    }

    /// Returns which superscripts of a page with this note reference it. Superscripts are between bars.
    fn referring(label: &str, text: &str) -> Vec<bool> {
        let scripts = [Script::None, Script::Super];
        let runs = text.split('|').zip(scripts.iter().cycle());
        let runs: Vec<Run> = runs.map(|(text, script)| run(text, *script)).collect();
        let mut page = page_of(runs, label);
        let notes = Notes::of(&mut page, &mut 0);
        let referring = raised_of(&page, &notes);
        let is_referenced = notes.all().iter().any(|note| note.is_referenced);
        assert_eq!(is_referenced, referring.contains(&true), "{text}");
        referring
    }

    /// Creates a page with a paragraph and a note.
    fn page_of(runs: Vec<Run>, label: &str) -> Page {
        Page {
            number: 1,
            size: Size::default(),
            basis: Basis::Geometry,
            header: Vec::new(),
            blocks: vec![
                block(Content::Paragraph {
                    runs,
                    alignment: Alignment::Start,
                    continues: false,
                    preformatted: false,
                }),
                block(Content::Footnote {
                    label: label.to_owned(),
                    runs: Vec::new(),
                }),
            ],
            footer: Vec::new(),
        }
    }

    /// Returns which superscripts of the page reference a note.
    fn raised_of(page: &Page, notes: &Notes) -> Vec<bool> {
        let Some(Content::Paragraph { runs, .. }) = page.blocks.first().map(|block| &block.content)
        else {
            return Vec::new();
        };
        let raised = runs.iter().filter(|run| run.style.script == Script::Super);
        raised.map(|run| notes.at(run).is_some()).collect()
    }

    #[test]
    fn exponents_do_not_reference_notes() {
        for (label, text, expected) in [
            ("2", "12 m|2| as told|2|", vec![false, true]),
            ("2", "x|2| + 10|2| + 3 km|2|", vec![false, false, false]),
            ("2", "|2| word.|2| again|2|", vec![false, true, false]),
            ("2", "a word |2| alone", vec![true]),
            ("[2]", "H2O|2|", vec![true]),
            ("a", "1,250|a|", vec![true]),
            ("*", "12|*| and x|*|", vec![true, true]),
        ] {
            assert_eq!(referring(label, text), expected, "{text}");
        }
    }

    #[test]
    fn declared_references_after_units_are_kept() {
        let runs = |link: Option<&str>| {
            let raised = Run {
                link: link.map(str::to_owned),
                ..run("2", Script::Super)
            };
            vec![run("5 m", Script::None), raised, run(" word", Script::None)]
        };
        for (link, expected) in [(None, false), (Some(NOTE), true), (Some("#page=2"), false)] {
            let mut guessed = runs(None);
            guessed.extend(runs(link));
            let mut page = page_of(guessed, "2");
            let notes = Notes::of(&mut page, &mut 0);
            let found = raised_of(&page, &notes);
            assert_eq!(found, [false, expected], "{link:?}");
        }
    }
}
