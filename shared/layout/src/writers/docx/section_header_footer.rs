//! Header or footer of a section: one for all pages, or others on the first page, and on even and odd pages.

use super::header_footer::{HeaderFooter, HeaderFooterKind};
use super::page_numbering::PageNumbering;
use crate::Block;

/// The header or footer of a section.
pub(super) struct SectionHeaderFooter {
    kind: HeaderFooterKind,
    first: Option<HeaderFooter>,
    /// Those of the even and of the odd pages after the first.
    others: [Option<Other>; 2],
}

/// The header of the even or of the odd pages.
struct Other {
    header_footer: HeaderFooter,
    /// Number of later pages with that text and with another one.
    matching: u32,
    different: u32,
}

impl Other {
    /// Whether the text differs on most pages, as the entries above the pages of a dictionary do.
    fn changes(&self) -> bool {
        self.different > self.matching
    }
}

impl SectionHeaderFooter {
    pub(super) fn new(kind: HeaderFooterKind) -> Self {
        Self {
            kind,
            first: None,
            others: [None, None],
        }
    }

    /// Adds the header of a page: its place in the document that is written, from 1, and whether it is the first of the section.
    pub(super) fn record(&mut self, blocks: &[Block], place: u32, is_first: bool) {
        let mut found = HeaderFooter::of(self.kind, blocks, place);
        let others = self.others.iter_mut().flatten();
        let others = others.map(|other| &mut other.header_footer);
        for known in self.first.iter_mut().chain(others) {
            if known.count(blocks, place) {
                found = Some(known.clone());
            }
        }
        if is_first {
            self.first = found;
            return;
        }
        let [even, odd] = &mut self.others;
        let own = if place.is_multiple_of(2) { even } else { odd };
        match (own, found) {
            (Some(own), Some(_)) => match own.header_footer.is_like(blocks) {
                true => own.matching += 1,
                false => own.different += 1,
            },
            (own @ None, Some(header_footer)) => {
                *own = Some(Other {
                    header_footer,
                    matching: 0,
                    different: 0,
                });
            }
            (_, None) => {}
        }
    }

    /// Applies the numbering of the section. Programs show the even header on pages with even numbers, so `offset` is the
    /// difference between number and place of a page.
    pub(super) fn resolve(&mut self, numbering: Option<PageNumbering>, offset: i64) {
        let others = self.others.iter_mut().flatten();
        let others = others.map(|other| &mut other.header_footer);
        for known in self.first.iter_mut().chain(others) {
            known.resolve(numbering);
        }
        if offset % 2 != 0 {
            self.others.reverse();
        }
    }

    /// Whether the section would show a header or footer other than these blocks on its next page.
    pub(super) fn differs_from(&self, blocks: &[Block]) -> bool {
        let others = self.others.iter().flatten();
        let others = others.map(|other| &other.header_footer);
        let mut known = self.first.iter().chain(others);
        match blocks.is_empty() {
            true => self.of_odd().is_some(),
            false => !known.any(|known| known.is_like(blocks)),
        }
    }

    /// Whether the first page differs from the others.
    pub(super) fn first_differs(&self) -> bool {
        let of_first = words(self.of_first());
        let has_others = self.others.iter().any(Option::is_some);
        has_others && (words(self.of_odd()) != of_first || words(self.of_even()) != of_first)
    }

    /// Whether even and odd pages differ.
    pub(super) fn alternates(&self) -> bool {
        words(self.of_even()) != words(self.of_odd())
    }

    pub(super) fn of_first(&self) -> Option<&HeaderFooter> {
        self.first.as_ref()
    }

    pub(super) fn of_even(&self) -> Option<&HeaderFooter> {
        let [even, odd] = &self.others;
        self.steady([even, odd])
    }

    pub(super) fn of_odd(&self) -> Option<&HeaderFooter> {
        let [even, odd] = &self.others;
        self.steady([odd, even])
    }

    /// Returns the first of these headers unless it changes, or that of the first page if there are none.
    fn steady<'h>(&'h self, others: [&'h Option<Other>; 2]) -> Option<&'h HeaderFooter> {
        match others.into_iter().flatten().next() {
            Some(other) => (!other.changes()).then_some(&other.header_footer),
            None => self.first.as_ref(),
        }
    }
}

fn words(header_footer: Option<&HeaderFooter>) -> Option<(bool, String)> {
    header_footer.map(HeaderFooter::words)
}
