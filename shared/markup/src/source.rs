//! The pages that the format readers produce.

use std::collections::VecDeque;

pub use layout::writers::Metadata;
use layout::{Block, Size};

use crate::error::Result;
use crate::pictures::Pictures;
use crate::sheet_cells::SheetCells;
use crate::warning::Warning;

/// Produces the pages of a document.
pub(crate) trait Source: Send {
    /// Returns the next page; `None` after the last one.
    fn next(&mut self) -> Result<Option<UnnumberedPage>>;
    /// Returns an upper bound of the number of remaining pages.
    fn left(&self) -> usize;
    fn pictures(&self) -> Pictures;
    fn metadata(&self) -> &Metadata;
    fn warnings(&self) -> Vec<Warning>;
}

/// A page without its number.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnnumberedPage {
    pub(crate) size: Size,
    pub(crate) header: Vec<Block>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) footer: Vec<Block>,
    /// The cells, if it is a worksheet.
    pub(crate) sheet: SheetCells,
}

/// A document whose pages are all in memory.
#[derive(Debug, Default)]
pub(crate) struct LoadedDocument {
    pub(crate) leaves: VecDeque<UnnumberedPage>,
    pub(crate) pictures: Pictures,
    pub(crate) metadata: Metadata,
    pub(crate) warnings: Vec<Warning>,
}

impl Source for LoadedDocument {
    fn next(&mut self) -> Result<Option<UnnumberedPage>> {
        Ok(self.leaves.pop_front())
    }

    fn left(&self) -> usize {
        self.leaves.len()
    }

    fn pictures(&self) -> Pictures {
        self.pictures.clone()
    }

    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn warnings(&self) -> Vec<Warning> {
        self.warnings.clone()
    }
}
