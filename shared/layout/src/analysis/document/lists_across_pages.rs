//! Lists across pages: items keep their nesting level, although the outer items are on the previous page.

use crate::Item;
use crate::analysis::lines::marker::{self, Marker};
use crate::model::block::{Block, Content};
use crate::model::text::plain;

/// Maximum nesting level, from 0.
const DEEPEST: u8 = 8;

/// Marker of the last item of each open level at the end of a page.
#[derive(Default)]
pub(in crate::analysis) struct Resumed {
    levels: Vec<String>,
    /// Whether the last item ends with a colon or similar.
    is_open: bool,
}

impl Resumed {
    /// Assigns levels to the items at the beginning of a page and records the end of the page.
    pub(in crate::analysis) fn resume(&mut self, blocks: &mut [Block]) {
        let mut texts = blocks.iter_mut().filter(|block| is_text(block));
        if let Some(Content::List { items }) = texts.next().map(|first| &mut first.content) {
            self.place(items);
        }
        *self = Self::default();
        let last = blocks.iter().rfind(|block| is_text(block));
        if let Some(Content::List { items }) = last.map(|last| &last.content) {
            items.iter().for_each(|item| self.note(item));
        }
    }

    /// Lowers items while each continues an open level.
    fn place(&mut self, items: &mut [Item]) {
        let mut depth = None;
        for item in items {
            if item.level == 0 {
                depth = self.depth(&item.marker, depth);
            }
            let Some(depth) = depth.and_then(|depth| u8::try_from(depth).ok()) else {
                return;
            };
            item.level = item.level.saturating_add(depth).min(DEEPEST);
            self.note(item);
        }
    }

    /// Returns the level of an item without a parent item on this page, after an item of level `last`.
    fn depth(&self, marker: &str, last: Option<usize>) -> Option<usize> {
        let limit = last.map_or(self.levels.len(), |last| last + 1);
        let open = self.levels.get(..limit)?;
        let begins = || {
            let is_first = parsed(marker).is_some_and(Marker::is_first);
            (last.is_none() && is_first && self.is_open).then_some(limit)
        };
        // If several levels have the same bullet, the level is ambiguous.
        let same = open.iter().filter(|open| *open == marker).count();
        open.iter()
            .rposition(|open| follows(marker, open))
            .filter(|_| same < 2)
            .or_else(begins)
    }

    fn note(&mut self, item: &Item) {
        self.levels.resize(usize::from(item.level), String::new());
        self.levels.push(item.marker.clone());
        self.is_open = plain(&item.runs).ends_with(':');
    }
}

fn is_text(block: &Block) -> bool {
    !matches!(block.content, Content::Rule | Content::Footnote { .. })
}

/// Whether a marker is the successor of another one.
fn follows(marker: &str, before: &str) -> bool {
    match (parsed(before), parsed(marker)) {
        (Some(Marker::Bullet), Some(Marker::Bullet)) => marker == before,
        (Some(one), Some(next)) => next.follows(one),
        _ => false,
    }
}

fn parsed(text: &str) -> Option<Marker> {
    marker::parse(text).or_else(|| marker::clause(text))
}
