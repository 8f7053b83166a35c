//! Header or footer of a section: one for all pages, or a different one on the first page.

use super::header_footer::{HeaderFooter, HeaderFooterKind};
use crate::Block;

/// The header or footer of a section.
pub(super) struct SectionHeaderFooter {
    kind: HeaderFooterKind,
    first: Option<HeaderFooter>,
    /// That of the pages after the first; `None` if all are equal.
    others: Option<HeaderFooter>,
    /// Number of pages after the first with that text and with another one.
    matching: u32,
    different: u32,
}

impl SectionHeaderFooter {
    pub(super) fn new(kind: HeaderFooterKind) -> Self {
        Self {
            kind,
            first: None,
            others: None,
            matching: 0,
            different: 0,
        }
    }

    /// Adds the header of the section's page number `place`. The second page decides whether the first differs; later pages
    /// count only if none had a header before.
    pub(super) fn record(&mut self, blocks: &[Block], number: u32, place: u32) {
        if place == 1 {
            self.first = HeaderFooter::of(self.kind, blocks, number);
        } else if let Some(others) = self.others.take() {
            self.others = Some(others.narrowed(blocks, number));
        } else if self.first.is_none() || (place == 2 && self.lacks(blocks)) {
            self.others = HeaderFooter::of(self.kind, blocks, number);
        } else {
            self.first = self
                .first
                .take()
                .map(|first| first.narrowed(blocks, number));
        }
        if place > 1
            && let Some(most) = self.others.as_ref().or(self.first.as_ref())
            && !blocks.is_empty()
        {
            match most.is_like(blocks) {
                true => self.matching += 1,
                false => self.different += 1,
            }
        }
    }

    /// Whether the section would show a header or footer other than these blocks on its next page.
    pub(super) fn differs_from(&self, blocks: &[Block]) -> bool {
        self.lacks(blocks) || blocks.is_empty() && self.of_most().is_some()
    }

    /// Whether blocks differ from all known headers by more than numbers.
    fn lacks(&self, blocks: &[Block]) -> bool {
        let mut known = self.first.iter().chain(&self.others);
        !blocks.is_empty() && !known.any(|known| known.is_like(blocks))
    }

    /// Whether the first page differs from the others.
    pub(super) fn first_differs(&self) -> bool {
        self.others.is_some() || self.changes()
    }

    /// Whether the text differs on most pages, as the entries above the pages of a dictionary do; headers that alternate on
    /// even and odd pages are right on half of them.
    fn changes(&self) -> bool {
        self.different > self.matching + 1
    }

    pub(super) fn of_first(&self) -> Option<&HeaderFooter> {
        self.first.as_ref()
    }

    pub(super) fn of_most(&self) -> Option<&HeaderFooter> {
        let most = self.others.as_ref().or(self.first.as_ref());
        most.filter(|_| !self.changes())
    }
}
