//! Page numbering of sections: numerals, and the number of the first page.

use std::fmt::Write as _;

use crate::writers::marker::Numerals;

/// A numbering of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageNumbering {
    pub(super) numerals: Numerals,
    /// Difference between the number of a page and its place in the document that is written, from 1.
    pub(super) offset: i64,
}

impl Default for PageNumbering {
    /// The numbering of a document that declares none.
    fn default() -> Self {
        Self {
            numerals: Numerals::Decimal,
            offset: 0,
        }
    }
}

/// Largest page number; larger numbers in headers are not page numbers.
const LARGEST: u32 = 32_767;

impl PageNumbering {
    /// Returns the numbering in which the page at this place has this number.
    pub(super) fn of(numerals: Numerals, number: u32, place: u32) -> Option<Self> {
        (number <= LARGEST).then(|| Self {
            numerals,
            offset: i64::from(number) - i64::from(place),
        })
    }

    /// Returns the number of the page at the place `first`. Programs allow no negative numbers.
    pub(super) fn start(self, first: u32) -> i64 {
        self.offset.saturating_add(i64::from(first))
    }

    /// Returns the section property; `None` if the numbering of the section before continues.
    pub(super) fn xml(self, before: Self, first: u32) -> Option<String> {
        let format = match self.numerals {
            Numerals::LowerRoman => " w:fmt=\"lowerRoman\"",
            Numerals::UpperRoman => " w:fmt=\"upperRoman\"",
            _ => "",
        };
        let mut attributes = format.to_owned();
        if self.offset != before.offset {
            write!(attributes, " w:start=\"{}\"", self.start(first)).ok();
        }
        (!attributes.is_empty()).then(|| format!("<w:pgNumType{attributes}/>"))
    }
}

/// How many pages of a section have a number that fits each numbering.
#[derive(Default)]
pub(super) struct NumberingCounts {
    counts: Vec<Count>,
    /// Number of pages with numbers.
    pages: u32,
    /// The numbering by the page numbers of the source.
    of_source: Option<PageNumbering>,
}

struct Count {
    numbering: PageNumbering,
    pages: u32,
    /// Place of the last page with it.
    last: u32,
    /// Whether consecutive pages have it.
    is_consecutive: bool,
}

/// Maximum number of numberings that are counted in a section.
const KEPT: usize = 1_000;
/// Maximum number of numbers of a page that are counted.
const NUMBERS: usize = 8;
/// Minimum number of pages with a numbering that no consecutive pages have.
const SEVERAL: u32 = 3;

impl NumberingCounts {
    /// Counts the numberings that the numbers of a page fit; the page has this number in the source and this place.
    pub(super) fn record(&mut self, fitting: &[PageNumbering], number: u32, place: u32) {
        self.of_source = self
            .of_source
            .or(PageNumbering::of(Numerals::Decimal, number, place));
        self.pages += u32::from(!fitting.is_empty());
        for numbering in fitting.iter().take(NUMBERS) {
            let is_full = self.counts.len() >= KEPT;
            let mut known = self.counts.iter_mut();
            match known.find(|known| known.numbering == *numbering) {
                // A page may have its number twice.
                Some(known) if known.last == place => {}
                Some(known) => {
                    known.pages += 1;
                    known.is_consecutive |= known.last + 1 == place;
                    known.last = place;
                }
                None if is_full => {}
                None => self.counts.push(Count {
                    numbering: *numbering,
                    pages: 1,
                    last: place,
                    is_consecutive: false,
                }),
            }
        }
    }

    /// Returns the numbering of the section, after a section with the numbering `before`. The number on a single page is its page
    /// number only if it continues that or is the page number of the source.
    pub(super) fn numbering(&self, before: PageNumbering) -> Option<PageNumbering> {
        let is_counted = |one: &PageNumbering| {
            let mut counts = self.counts.iter();
            counts.any(|known| known.numbering == *one)
        };
        let likely = || [Some(before), self.of_source].into_iter().flatten();
        self.frequent().or_else(|| likely().find(is_counted))
    }

    /// Whether the numbering of the section does not fit the numbers of its next page.
    pub(super) fn restarts_with(&self, fitting: &[PageNumbering]) -> bool {
        let frequent = self.frequent();
        !fitting.is_empty() && frequent.is_some_and(|frequent| !fitting.contains(&frequent))
    }

    /// Returns the numbering of several pages, which are most of those with numbers.
    fn frequent(&self) -> Option<PageNumbering> {
        let most = |count: &&Count| (count.pages, Some(count.numbering) == self.of_source);
        let most = self.counts.iter().max_by_key(most)?;
        let is_frequent = most.is_consecutive || most.pages >= SEVERAL;
        (is_frequent && most.pages * 2 > self.pages).then_some(most.numbering)
    }
}
