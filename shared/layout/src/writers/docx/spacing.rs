//! Space above blocks: as on the page of the source; above the first block of such a page, as usual in the document.

use std::collections::HashMap;

use crate::writers::length;
use crate::writers::plain::is_code;
use crate::{Block, Content};

/// Maximum space between blocks, and above the first block of a page with a background, twips.
const LIMIT: f32 = 480.0;
const PAGE_LIMIT: f32 = 12_000.0;

/// Maximum overlap of the bounds of consecutive blocks, points.
const OVERLAP: f32 = 6.0;

/// The space between the blocks so far.
#[derive(Default)]
pub(super) struct Spacing {
    /// Kind of the last block; `None` if the next one begins a page of the result.
    last: Option<BlockKind>,
    /// Lower edge of the last block of this page of the source.
    bottom: Option<f32>,
    /// Last space between blocks of two kinds, twips.
    usual: HashMap<(BlockKind, BlockKind), u32>,
}

/// The blocks that have the same space between them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum BlockKind {
    Heading(u8),
    Paragraph,
    Code,
    List,
    Table,
    Other,
}

impl Spacing {
    /// Begins a page of the source; `is_new` if its next block begins a page of the result, too.
    pub(super) fn begin_page(&mut self, is_new: bool) {
        self.bottom = None;
        if is_new {
            self.last = None;
        }
    }

    /// Begins a page of the source whose background shows where its text begins: the space above it counts from this height.
    pub(super) fn begin_at(&mut self, top: f32) {
        (self.last, self.bottom) = (None, Some(top));
    }

    /// Returns the space between a block and the previous one, twips.
    pub(super) fn before(&mut self, block: &Block) -> Option<u32> {
        let bounds = length::place(block.bounds);
        let kind = BlockKind::of(block);
        let last = self.last.replace(kind);
        let bottom = std::mem::replace(&mut self.bottom, bounds.map(|bounds| bounds.bottom));
        let (kinds, top) = (last.map(|last| (last, kind)), bounds?.top);
        let Some(bottom) = bottom else {
            return self.usual(kinds?).filter(|_| !continues(block));
        };
        let limit = if last.is_some() { LIMIT } else { PAGE_LIMIT };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between 0 and a limit"
        )]
        let gap = ((top - bottom) * 20.0).clamp(0.0, limit) as u32;
        // The next column begins above the end of the last one.
        if let Some(kinds) = kinds.filter(|_| top > bottom - OVERLAP) {
            self.usual.insert(kinds, gap);
        }
        Some(gap)
    }

    /// Returns the space between blocks of two kinds; lists and code go on without space.
    fn usual(&self, kinds: (BlockKind, BlockKind)) -> Option<u32> {
        let default = match kinds {
            (BlockKind::List, BlockKind::List) | (BlockKind::Code, BlockKind::Code) => return None,
            (_, BlockKind::Heading(_)) => 240,
            _ => 120,
        };
        Some(self.usual.get(&kinds).copied().unwrap_or(default))
    }
}

impl BlockKind {
    fn of(block: &Block) -> Self {
        match &block.content {
            Content::Heading { level, .. } => Self::Heading(*level),
            Content::Paragraph { .. } if is_code(block) => Self::Code,
            Content::Paragraph { .. } => Self::Paragraph,
            Content::List { .. } => Self::List,
            Content::Table(_) => Self::Table,
            Content::Image { .. } | Content::Rule | Content::Footnote { .. } => Self::Other,
        }
    }
}

fn continues(block: &Block) -> bool {
    matches!(
        block.content,
        Content::Paragraph {
            continues: true,
            ..
        }
    )
}
