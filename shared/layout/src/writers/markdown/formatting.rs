//! The formatting of runs in Markdown: emphasis is kept where it sets a part of the text apart.

use super::escape;
use super::formula::Part;
use crate::model::leaders::closed_up;
use crate::writers::link::{Target, target};
use crate::writers::notes::Notes;
use crate::{Run, Script};

/// Runs with the same Markdown formatting.
#[derive(Debug)]
pub(super) struct FormattedText {
    pub(super) text: String,
    pub(super) formatting: Formatting,
}

impl FormattedText {
    /// Returns the character that it begins with in Markdown, before any emphasis.
    pub(super) fn first(&self) -> Option<char> {
        match &self.formatting {
            Formatting::Note(_) => Some('['),
            Formatting::Code { .. } => Some('`'),
            Formatting::Formula => Some('$'),
            formatting if formatting.url().is_some() => Some('['),
            Formatting::Text { .. } => self.text.chars().next(),
        }
    }

    /// Whether it has a dollar that may end a formula.
    pub(super) fn has_dollars(&self) -> bool {
        match self.formatting {
            Formatting::Text { .. } => escape::has_dollars(&self.text),
            Formatting::Formula => true,
            Formatting::Code { .. } | Formatting::Note(_) => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Formatting {
    Text {
        bold: bool,
        italic: bool,
        strikethrough: bool,
        script: Script,
        url: Option<String>,
    },
    Code {
        url: Option<String>,
    },
    Note(u32),
    /// The text is LaTeX.
    Formula,
}

impl Formatting {
    /// Link target.
    pub(super) fn url(&self) -> Option<&str> {
        match self {
            Self::Text { url, .. } | Self::Code { url } => url.as_deref(),
            Self::Note(_) | Self::Formula => None,
        }
    }
}

/// The style of all letters of a text, which emphasizes no part of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BaseStyle {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) monospaced: bool,
}

impl BaseStyle {
    pub(super) fn of(runs: &[Run]) -> Self {
        let letters = || {
            let on_line = runs.iter().filter(|run| run.style.script == Script::None);
            on_line.filter(|run| run.text.contains(char::is_alphanumeric))
        };
        Self {
            bold: letters().all(|run| run.style.bold),
            italic: letters().all(|run| run.style.italic),
            monospaced: letters().all(|run| run.style.monospaced),
        }
    }
}

/// Returns the texts of parts; white space between two of the same formatting belongs to them.
pub(super) fn formatted_texts<'r>(
    parts: impl IntoIterator<Item = Part<'r>>,
    notes: &Notes,
    base: BaseStyle,
) -> Vec<FormattedText> {
    let mut texts: Vec<FormattedText> = Vec::new();
    for part in parts {
        match part {
            Part::Run(run) if run.text.is_empty() => {}
            Part::Run(run) => push(&mut texts, run.text.clone(), formatting(&run, notes, base)),
            Part::Formula(text) => texts.push(FormattedText {
                text,
                formatting: Formatting::Formula,
            }),
        }
    }
    for text in &mut texts {
        if !matches!(
            text.formatting,
            Formatting::Code { .. } | Formatting::Formula
        ) {
            text.text = closed_up(&text.text);
        }
    }
    if let Some(last) = texts.last_mut().filter(|last| last.text.ends_with("… ")) {
        last.text.pop();
    }
    texts
}

fn push(texts: &mut Vec<FormattedText>, text: String, formatting: Formatting) {
    let joined = match texts.as_mut_slice() {
        [.., last] if last.formatting == formatting => Some((last, String::new())),
        [.., before, space] if before.formatting == formatting && space.text.trim().is_empty() => {
            let space = std::mem::take(&mut space.text);
            Some((before, space))
        }
        _ => None,
    };
    let Some((last, space)) = joined else {
        texts.push(FormattedText { text, formatting });
        return;
    };
    last.text.push_str(&space);
    last.text.push_str(&text);
    texts.pop_if(|last| last.text.is_empty());
}

fn formatting(run: &Run, notes: &Notes, base: BaseStyle) -> Formatting {
    let style = &run.style;
    let url = match run.link.as_deref().and_then(target) {
        Some(Target::External(url)) => Some(url),
        Some(Target::Page(_)) | None => None,
    };
    let is_blank = run.text.trim().is_empty();
    // Signs, and raised or lowered text, need no other emphasis.
    let has_letter = run.text.contains(char::is_alphanumeric);
    let is_emphasized = has_letter && style.script == Script::None;
    match notes.at(run) {
        Some(note) => Formatting::Note(note.number),
        None if is_code(run) && !base.monospaced => Formatting::Code { url },
        None => Formatting::Text {
            bold: is_emphasized && style.bold && !base.bold,
            italic: is_emphasized && style.italic && !base.italic,
            strikethrough: !is_blank && style.strikethrough,
            script: if is_blank { Script::None } else { style.script },
            url,
        },
    }
}

fn is_code(run: &Run) -> bool {
    let is_text = !run.text.trim().is_empty() && !run.text.contains('\n');
    is_text && run.style.monospaced && run.style.script == Script::None
}
