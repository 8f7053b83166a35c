//! Fields: only their results are read; page numbers are dropped.

use crate::instruction::{fetches, link, numbers_page};
use crate::link::Linked;
use crate::warning::Losses;
use crate::xml::Element;

/// The stack of open fields, the innermost last.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    open: Vec<Field>,
}

#[derive(Clone, Debug, Default)]
struct Field {
    instruction: String,
    /// Whether its result has begun.
    shows: bool,
    /// Link target of its result.
    link: Option<String>,
    /// Whether the link has text or pictures.
    linked: Linked,
}

/// Maximum nesting of fields; deeper ones display their text.
const DEPTH: usize = 64;
/// Maximum length of an instruction that is evaluated, in characters.
const INSTRUCTION: usize = 8_192;

impl Fields {
    /// Handles the start, separator or end of a field. A link that is not kept is counted as dropped content.
    pub(super) fn mark(&mut self, mark: &Element, losses: &mut Losses) {
        match mark.get("w:fldCharType") {
            Some("begin") if self.open.len() < DEPTH => self.open.push(Field::default()),
            Some("separate") => {
                if let Some(field) = self.open.last_mut() {
                    field.shows = !numbers_page(&field.instruction);
                    field.link = link(&field.instruction, losses);
                }
            }
            Some("end") => {
                if let Some(field) = self.open.pop().filter(|field| field.link.is_some()) {
                    field.linked.end(losses);
                }
            }
            _ => {}
        }
    }

    /// Ends all instructions with their paragraph, so that an unterminated field cannot hide the rest of the document.
    pub(super) fn end_paragraph(&mut self) {
        self.open.iter_mut().for_each(|field| field.shows = true);
    }

    /// Appends to the instruction.
    pub(super) fn instruct(&mut self, text: &str) {
        if let Some(field) = self
            .open
            .last_mut()
            .filter(|field| field.instruction.len() < INSTRUCTION)
        {
            field.instruction.push_str(text);
        }
    }

    /// Whether text at this position is displayed.
    pub(super) fn shows(&self) -> bool {
        self.open.iter().all(|field| field.shows)
    }

    /// Returns the link target of text at this position.
    pub(super) fn link(&self) -> Option<&str> {
        self.open
            .iter()
            .rev()
            .find_map(|field| field.link.as_deref())
    }

    /// Whether the link at this position has text or pictures.
    pub(super) fn linked(&mut self) -> Option<&mut Linked> {
        let mut fields = self.open.iter_mut().rev();
        let field = fields.find(|field| field.link.is_some());
        field.map(|field| &mut field.linked)
    }

    /// Whether the field loads external content.
    pub(super) fn fetches(&self) -> bool {
        self.open
            .last()
            .is_some_and(|field| fetches(&field.instruction))
    }
}
