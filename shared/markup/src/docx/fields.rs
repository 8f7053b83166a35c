//! Fields: only their results are read, and those of numbers of pages are not.

use crate::instruction::{fetches, link, numbers_page};
use crate::xml::Element;

/// The fields that are open, the innermost last.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    open: Vec<Field>,
}

#[derive(Clone, Debug, Default)]
struct Field {
    instruction: String,
    /// Its result has begun.
    shows: bool,
    /// Where its result leads to.
    link: Option<String>,
}

/// Most fields within one another; what more there are shows its text.
const DEPTH: usize = 64;
/// Most characters of an instruction that are looked at.
const INSTRUCTION: usize = 8_192;

impl Fields {
    /// Takes the mark that begins a field, its result, or ends it.
    pub(super) fn mark(&mut self, mark: &Element) {
        match mark.get("w:fldCharType") {
            Some("begin") if self.open.len() < DEPTH => self.open.push(Field::default()),
            Some("separate") => {
                if let Some(field) = self.open.last_mut() {
                    field.shows = !numbers_page(&field.instruction);
                    field.link = link(&field.instruction);
                }
            }
            Some("end") => {
                self.open.pop();
            }
            _ => {}
        }
    }

    /// An instruction ends with its paragraph at the latest, so that a field without an end hides nothing further.
    pub(super) fn end_paragraph(&mut self) {
        self.open.iter_mut().for_each(|field| field.shows = true);
    }

    /// Takes a piece of an instruction.
    pub(super) fn instruct(&mut self, text: &str) {
        if let Some(field) = self
            .open
            .last_mut()
            .filter(|field| field.instruction.len() < INSTRUCTION)
        {
            field.instruction.push_str(text);
        }
    }

    /// Whether text is shown here.
    pub(super) fn shows(&self) -> bool {
        self.open.iter().all(|field| field.shows)
    }

    /// Where text leads to here.
    pub(super) fn link(&self) -> Option<&str> {
        self.open
            .iter()
            .rev()
            .find_map(|field| field.link.as_deref())
    }

    /// Whether a field fetches something.
    pub(super) fn fetches(&self) -> bool {
        self.open
            .last()
            .is_some_and(|field| fetches(&field.instruction))
    }
}
