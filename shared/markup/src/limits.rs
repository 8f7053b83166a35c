//! Limits of documents, and options of reading.

use domain::operation::Locale;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::limits as bounds;

use crate::error::{MarkupError, Result};

/// Limits of a document; beyond them reading fails with [`MarkupError::TooLarge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of entries of an archive.
    pub entries: u64,
    /// Maximum number of bytes inflated from an archive, all entries together.
    pub inflated_bytes: u64,
    /// Maximum number of bytes of a CSV, TSV or RTF file.
    pub text_bytes: u64,
    /// Maximum number of bytes of an HTML or Markdown file.
    pub page_bytes: u64,
    /// Maximum nesting depth of elements, or of RTF groups.
    pub depth: usize,
    /// Maximum number of elements, attributes and text nodes in all parts.
    pub elements: u64,
    /// Maximum number of elements, attributes and text nodes that are in memory simultaneously, such as those of a slide, a
    /// CSV table or an HTML page.
    pub elements_at_once: usize,
    /// Maximum number of cells in the extent of a table, empty cells included.
    pub cells: u64,
    /// Maximum number of columns of a table.
    pub columns: usize,
    /// Maximum number of cells of a sheet whose places [`Reader::next_sheet`](crate::Reader::next_sheet) returns; it returns larger
    /// sheets without a name and cells. By default no places are kept.
    pub placed_cells: usize,
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
            placed_cells: 0,
        }
    }
}

/// Options of reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Limits of the document.
    pub limits: Limits,
    /// Whether to read speaker notes; they follow the content of the slide.
    pub speaker_notes: bool,
    /// Locale of dates and numbers of a workbook that does not fix it.
    pub locale: Locale,
}

/// Counts read elements against the limits.
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

    /// Counts elements, or an equivalent amount of memory.
    pub(crate) fn spend(&self, count: usize) -> Result {
        let before = self.elements.fetch_add(count as u64, Ordering::Relaxed);
        match before.saturating_add(count as u64) > self.limits.elements {
            true => Err(MarkupError::TooLarge("it has too many elements")),
            false => Ok(()),
        }
    }

    /// Checks a nesting depth.
    pub(crate) fn check_depth(&self, depth: usize) -> Result {
        match depth > self.limits.depth {
            true => Err(MarkupError::TooLarge("it is nested too deeply")),
            false => Ok(()),
        }
    }

    /// Checks the extent of a table.
    pub(crate) fn check_table(&self, rows: usize, columns: usize) -> Result {
        let cells = (rows as u64).saturating_mul(columns as u64);
        if cells > self.limits.cells || columns > self.limits.columns {
            return Err(MarkupError::TooLarge("a table has too many cells"));
        }
        Ok(())
    }
}
