//! What goes on from one page to the next.

use crate::model::block::{Block, Content};
use crate::model::text::{Run, plain};

/// How the last page ended.
#[derive(Default)]
pub(super) struct Tail {
    last: Option<End>,
}

enum End {
    /// A paragraph that does not end as sentences do, and the size of its text.
    Open(f32),
    /// A table with columns of these widths.
    Table(Vec<f32>),
}

impl Tail {
    /// Marks what goes on from the page before, and takes how this one ends.
    pub(super) fn join(&mut self, blocks: &mut [Block]) {
        let first = blocks
            .iter_mut()
            .find(|block| !matches!(block.content, Content::Rule));
        match (self.last.take(), first.map(|first| &mut first.content)) {
            (
                Some(End::Open(size)),
                Some(Content::Paragraph {
                    runs, continues, ..
                }),
            ) => {
                *continues = goes_on(runs, size);
            }
            (Some(End::Table(widths)), Some(Content::Table(table))) => {
                table.continues = are_like(&widths, &table.widths);
            }
            _ => {}
        }
        let last = blocks
            .iter()
            .rev()
            .find(|block| !matches!(block.content, Content::Footnote { .. } | Content::Rule));
        self.last = last.and_then(|last| End::of(&last.content));
    }
}

impl End {
    fn of(content: &Content) -> Option<Self> {
        match content {
            Content::Paragraph { runs, .. } => {
                let ends = plain(runs)
                    .chars()
                    .next_back()
                    .is_some_and(|last| ".!?:…。！？؟\"”»)".contains(last));
                (!ends).then(|| Self::Open(runs.last().map_or(0.0, |run| run.style.size)))
            }
            Content::Table(table) => Some(Self::Table(table.widths.clone())),
            _ => None,
        }
    }
}

fn goes_on(runs: &[Run], size: f32) -> bool {
    let first = plain(runs).chars().next();
    let is_same = runs
        .first()
        .is_some_and(|run| (run.style.size - size).abs() < 0.3);
    is_same && first.is_some_and(|first| !first.is_uppercase() && !first.is_numeric())
}

fn are_like(one: &[f32], other: &[f32]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| (one - other).abs() < 3.0)
}
