//! How large a document may be, and how much of it is read.

use std::sync::atomic::{AtomicU64, Ordering};

use domain::limits as bounds;

use crate::error::{MarkupError, Outcome};

/// How large a document may be. What is larger is [`MarkupError::TooLarge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most parts of an archive.
    pub entries: u64,
    /// Most bytes that are inflated of an archive, all parts that are read together.
    pub inflated_bytes: u64,
    /// Most bytes of a table in text or of rich text.
    pub text_bytes: u64,
    /// Most bytes of a web page or a text in markdown.
    pub page_bytes: u64,
    /// Most elements within one another; in rich text, groups.
    pub depth: usize,
    /// Most elements, attributes and pieces of text of all parts together.
    pub elements: u64,
    /// Most of them that are held at once, such as those of a slide, of a table in text or of a web page.
    pub elements_at_once: usize,
    /// Most cells in the range that a table takes, the empty ones included.
    pub cells: u64,
    /// Most columns of a table.
    pub columns: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entries: bounds::ARCHIVE_ENTRIES,
            inflated_bytes: bounds::INFLATED_BYTES,
            text_bytes: bounds::INFLATED_BYTES,
            page_bytes: bounds::MARKUP_BYTES,
            depth: bounds::XML_DEPTH,
            elements: 20_000_000,
            elements_at_once: 5_000_000,
            cells: bounds::SHEET_CELLS,
            columns: 16_384,
        }
    }
}

/// What is read of a document, and how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How large it may be.
    pub limits: Limits,
    /// Whether the notes for the speaker are read, behind what their slide says.
    pub speaker_notes: bool,
}

/// Counts what was read of a document against its limits.
#[derive(Debug)]
pub(crate) struct Budget {
    pub(crate) limits: Limits,
    elements: AtomicU64,
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            elements: AtomicU64::new(0),
        }
    }

    /// Counts elements, or what takes as much memory.
    pub(crate) fn spend(&self, count: usize) -> Outcome {
        let before = self.elements.fetch_add(count as u64, Ordering::Relaxed);
        match before.saturating_add(count as u64) > self.limits.elements {
            true => Err(MarkupError::TooLarge("it has too many elements")),
            false => Ok(()),
        }
    }

    /// Checks how deep something is nested.
    pub(crate) fn check_depth(&self, depth: usize) -> Outcome {
        match depth > self.limits.depth {
            true => Err(MarkupError::TooLarge("it is nested too deeply")),
            false => Ok(()),
        }
    }

    /// Checks the range that a table takes.
    pub(crate) fn check_table(&self, rows: usize, columns: usize) -> Outcome {
        let cells = (rows as u64).saturating_mul(columns as u64);
        if cells > self.limits.cells || columns > self.limits.columns {
            return Err(MarkupError::TooLarge("a table has too many cells"));
        }
        Ok(())
    }
}
