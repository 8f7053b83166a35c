//! Header or footer of a section: one for all pages, or others on the first page, and on even and odd pages.

use super::header_footer::{HeaderFooter, HeaderFooterKind};
use super::page_numbering::PageNumbering;
use crate::Block;

/// The header or footer of a section.
pub(super) struct SectionHeaderFooter {
    kind: HeaderFooterKind,
    first: Option<HeaderFooter>,
    /// Those of the even and of the odd pages after the first.
    others: [Option<HeaderFooter>; 2],
}

impl SectionHeaderFooter {
    pub(super) fn new(kind: HeaderFooterKind) -> Self {
        Self {
            kind,
            first: None,
            others: [None, None],
        }
    }

    /// Adds the header of a page: its place in the document that is written, from 1, and whether it is a first page with a header of
    /// its own.
    pub(super) fn record(&mut self, blocks: &[Block], place: u32, is_first: bool) {
        let mut found = HeaderFooter::of(self.kind, blocks, place);
        for known in self
            .first
            .iter_mut()
            .chain(self.others.iter_mut().flatten())
        {
            if known.count(blocks, place) {
                found = Some(known.clone());
            }
        }
        let [even, odd] = &mut self.others;
        let own = match place.is_multiple_of(2) {
            _ if is_first => &mut self.first,
            true => even,
            false => odd,
        };
        if own.is_none() {
            *own = found;
        }
    }

    /// Whether the page at this place has a header, but the section has another one for pages of this parity.
    pub(super) fn lacks(&self, blocks: &[Block], place: u32) -> bool {
        let [even, odd] = &self.others;
        let own = if place.is_multiple_of(2) { even } else { odd };
        let own = own.as_ref().filter(|_| !blocks.is_empty());
        own.is_some_and(|own| !own.holds(blocks, place))
    }

    /// Applies the numbering of the section. Programs show the even header on pages with even numbers, so `offset` is the
    /// difference between number and place of a page. `width` is that of the text area, twips.
    pub(super) fn resolve(&mut self, numbering: Option<PageNumbering>, offset: i64, width: u32) {
        for known in self
            .first
            .iter_mut()
            .chain(self.others.iter_mut().flatten())
        {
            known.resolve(numbering);
            known.fit(width);
        }
        if offset % 2 != 0 {
            self.others.reverse();
        }
    }

    /// Whether the section would show a header or footer other than these blocks on its next page, which is at this place.
    pub(super) fn differs_from(&self, blocks: &[Block], place: u32) -> bool {
        let mut known = self.first.iter().chain(self.others.iter().flatten());
        match blocks.is_empty() {
            true => self.of_odd().is_some(),
            false => !known.any(|known| known.holds(blocks, place)),
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
        even.as_ref().or(odd.as_ref()).or(self.first.as_ref())
    }

    pub(super) fn of_odd(&self) -> Option<&HeaderFooter> {
        let [even, odd] = &self.others;
        odd.as_ref().or(even.as_ref()).or(self.first.as_ref())
    }
}

fn words(header_footer: Option<&HeaderFooter>) -> Option<(bool, u32, String)> {
    header_footer.map(HeaderFooter::words)
}
