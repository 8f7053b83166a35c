//! Pages as the readers of formats give them.

use std::collections::VecDeque;

pub use layout::writers::Metadata;
use layout::{Block, Size};

use crate::error::Outcome;
use crate::pictures::Pictures;
use crate::warning::Warning;

/// Where pages come from.
pub(crate) trait Source: Send {
    /// The next page; `None` behind the last one.
    fn next(&mut self) -> Outcome<Option<Leaf>>;
    /// At most how many follow.
    fn left(&self) -> usize;
    fn pictures(&self) -> Pictures;
    fn facts(&self) -> &Metadata;
    fn warnings(&self) -> Vec<Warning>;
}

/// A page without its number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaf {
    pub(crate) size: Size,
    pub(crate) header: Vec<Block>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) footer: Vec<Block>,
}

/// Pages that were read all at once.
#[derive(Debug, Default)]
pub(crate) struct Bound {
    pub(crate) leaves: VecDeque<Leaf>,
    pub(crate) pictures: Pictures,
    pub(crate) facts: Metadata,
    pub(crate) warnings: Vec<Warning>,
}

impl Source for Bound {
    fn next(&mut self) -> Outcome<Option<Leaf>> {
        Ok(self.leaves.pop_front())
    }

    fn left(&self) -> usize {
        self.leaves.len()
    }

    fn pictures(&self) -> Pictures {
        self.pictures.clone()
    }

    fn facts(&self) -> &Metadata {
        &self.facts
    }

    fn warnings(&self) -> Vec<Warning> {
        self.warnings.clone()
    }
}
