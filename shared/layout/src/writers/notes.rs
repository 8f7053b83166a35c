//! Footnotes and what refers to them: raised runs that say nothing but a note's label.
//!
//! Where the document says that a run refers to a note, it does. Else what is raised may be an exponent. A number or a letter refers to its note once on a page, and never behind a digit, a unit
//! or a variable; it does so behind a word or a sign rather than elsewhere. Other signs refer to their notes wherever they stand.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use super::direction::is_wide;
use crate::{Block, Content, NOTE, Page, Run, Script};

/// Most characters of a word that are looked at: it is no unit then.
const LONG: usize = 4;

/// Units of which there are squares and cubes; those of one letter are as variables are.
const UNITS: &[&str] = &[
    "mm", "cm", "dm", "dam", "hm", "km", "nm", "µm", "μm", "ft", "in", "yd", "mi", "sec",
];

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
    /// The notes of a page, numbered on from the last number given. Marks the runs of the page that refer to them.
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
        known.refer(&mut page.blocks);
        Self(Rc::new(known))
    }

    /// The note that a run refers to.
    pub(super) fn at(&self, run: &Run) -> Option<&Note> {
        let is_reference = run.link.as_deref() == Some(NOTE);
        let index = self.0.index(run).filter(|_| is_reference)?;
        self.0.notes.get(index)
    }

    /// In the order of the page.
    pub(super) fn all(&self) -> &[Note] {
        &self.0.notes
    }
}

impl Known {
    /// Marks what refers to the notes.
    fn refer(&mut self, blocks: &mut [Block]) {
        if self.labels.is_empty() {
            return;
        }
        // By note: how likely its likeliest reference is, and which of its candidates that is.
        let mut likeliest: HashMap<usize, (Likely, usize)> = HashMap::new();
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
                let is_chosen = likely == Likely::Certainly
                    || likely > Likely::Never && likeliest.get(&note) == Some(&(likely, place));
                if let Some(run) = runs.get_mut(index).filter(|_| is_chosen) {
                    run.link = Some(NOTE.to_owned());
                }
                place += 1;
            }
        });
        for (note, (likely, _)) in likeliest {
            if let Some(note) = self.notes.get_mut(note) {
                note.is_referenced = likely > Likely::Never;
            }
        }
    }

    /// The runs that say what a note's label says: which run, which note, and how likely it is that it refers to it.
    fn candidates(&self, runs: &[Run]) -> Vec<(usize, usize, Likely)> {
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

/// How likely it is that a raised text refers to a note.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likely {
    /// It is an exponent.
    Never,
    /// It stands behind nothing that tells.
    Maybe,
    /// It stands behind a word or a sign.
    Probably,
    /// It is none that powers have, or the document says so.
    Certainly,
}

fn likely(runs: &[Run], index: usize) -> Likely {
    let label = runs.get(index).map_or("", |run| bare(&run.text));
    let before = runs.iter().take(index).rev();
    let mut before = before.flat_map(|run| run.text.chars().rev()).peekable();
    let last = before.peek().copied();
    let mut word: Vec<char> = before
        .take_while(|c| c.is_alphanumeric())
        .take(LONG)
        .collect();
    word.reverse();
    let word: String = word.into_iter().collect();
    let is_number = |last: char| last.is_numeric() && label.starts_with(char::is_numeric);
    let is_powered = UNITS.contains(&word.as_str())
        || word.chars().count() == 1 && !last.is_some_and(is_wide)
        || last.is_some_and(is_number);
    let is_said = runs
        .get(index)
        .is_some_and(|run| run.link.as_deref() == Some(NOTE));
    match last {
        _ if is_said => Likely::Certainly,
        _ if !label.contains(char::is_alphanumeric) => Likely::Certainly,
        _ if is_powered => Likely::Never,
        Some(last) if !last.is_whitespace() => Likely::Probably,
        _ => Likely::Maybe,
    }
}

/// A label without what may stand around it.
pub(super) fn bare(label: &str) -> &str {
    label.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '.'))
}

/// The runs of each text, of those in tables too and of those in notes not.
pub(super) fn each_text(blocks: &mut [Block], see: &mut impl FnMut(&mut [Run])) {
    for block in blocks {
        match &mut block.content {
            Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => see(runs),
            Content::List { items } => items.iter_mut().for_each(|item| see(&mut item.runs)),
            Content::Table(table) => table
                .cells
                .iter_mut()
                .for_each(|cell| each_text(&mut cell.blocks, see)),
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

    /// Which of the raised texts of a page with a note of this label refer to it. Raised texts stand between bars.
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

    /// A page of a paragraph and a note.
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

    /// Which of the raised runs of such a page refer to a note.
    fn raised_of(page: &Page, notes: &Notes) -> Vec<bool> {
        let Some(Content::Paragraph { runs, .. }) = page.blocks.first().map(|block| &block.content)
        else {
            return Vec::new();
        };
        let raised = runs.iter().filter(|run| run.style.script == Script::Super);
        raised.map(|run| notes.at(run).is_some()).collect()
    }

    #[test]
    fn exponents_refer_to_no_notes() {
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
    fn what_the_document_says_to_refer_to_a_note_does_behind_a_unit_too() {
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
