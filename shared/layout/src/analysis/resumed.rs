//! Lists that go on over the end of a page: their items keep their levels, although the upper ones are on the page before.

use super::marker::{self, Marker};
use crate::Item;
use crate::model::block::{Block, Content};
use crate::model::text::plain;

/// The deepest level of a list, from 0.
const DEEPEST: u8 = 8;

/// The markers of the last item of each level that is open where a page ends.
#[derive(Default)]
pub(super) struct Resumed {
    levels: Vec<String>,
    /// Whether the last item announces others.
    is_open: bool,
}

impl Resumed {
    /// Puts the items of a list with which a page begins to their levels, and takes how the page ends.
    pub(super) fn resume(&mut self, blocks: &mut [Block]) {
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

    /// Lowers items for as long as each goes on with one that is open.
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

    /// The level of an item whose list on this page has no upper one, after one of the level `last`.
    fn depth(&self, marker: &str, last: Option<usize>) -> Option<usize> {
        let limit = last.map_or(self.levels.len(), |last| last + 1);
        let open = self.levels.get(..limit)?;
        let begins = || {
            let is_first = parsed(marker).is_some_and(Marker::is_first);
            (last.is_none() && is_first && self.is_open).then_some(limit)
        };
        // Where bullets are the same on several levels, nothing tells which one it is.
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

/// Whether a marker comes next after another.
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
