//! OCR of a document that is too long for one run of an engine function: ranges of its pages are recognized in runs of their
//! own, and another run assembles the result.

use serde::{Deserialize, Serialize};

use crate::operation::Languages;

/// Media type of the file of the pages of a range.
pub const PAGES_MIME_TYPE: &str = "application/gzip";

/// Extension of the file of the pages of a range.
pub const PAGES_EXTENSION: &str = "gz";

/// Maximum number of ranges of a document: about 36 hours of CPU time.
pub const MAX_RANGES: usize = 500;

/// Consecutive pages, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PageSpan {
    /// The first page.
    pub first: u32,
    /// The last page.
    pub last: u32,
}

impl PageSpan {
    /// Returns the number of pages.
    #[must_use]
    pub fn count(self) -> u32 {
        (self.last + 1).saturating_sub(self.first)
    }
}

/// The ranges of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OcrRanges {
    /// The languages of all ranges: those requested, or those detected.
    pub languages: Languages,
    /// The ranges, in order.
    pub spans: Vec<PageSpan>,
}

impl OcrRanges {
    /// Returns the number of pages of the document.
    #[must_use]
    pub fn pages(&self) -> u32 {
        self.spans.last().map_or(0, |span| span.last)
    }

    /// Whether there are several ranges that have each of at most `max_pages` pages once.
    #[must_use]
    pub fn is_valid(&self, max_pages: u32) -> bool {
        let mut next = Some(1);
        for span in &self.spans {
            if next != Some(span.first) || span.last < span.first {
                return false;
            }
            next = span.last.checked_add(1);
        }
        (2..=MAX_RANGES).contains(&self.spans.len()) && self.pages() <= max_pages
    }
}

/// What a run of `ocr` on a PDF does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum OcrPart {
    /// Recognizes the document, or returns its ranges if it is too long for one run.
    WholeOrRanges,
    /// Recognizes some pages. The result is a file of pages for [`Self::Assembly`].
    Pages {
        /// The pages.
        span: PageSpan,
        /// The languages.
        languages: Languages,
    },
    /// Writes the result of the operation from the files of all ranges: the attachments, in order.
    Assembly(OcrRanges),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_several_and_have_each_page_once() {
        let is_valid = |spans: &[(u32, u32)]| {
            let spans = spans.iter();
            let ranges = OcrRanges {
                languages: Languages::default(),
                spans: spans
                    .map(|(first, last)| PageSpan {
                        first: *first,
                        last: *last,
                    })
                    .collect(),
            };
            ranges.is_valid(100)
        };
        assert!(is_valid(&[(1, 60), (61, 61), (62, 100)]));
        for invalid in [
            &[][..],
            &[(1, 100)],
            &[(1, 60), (61, 101)],
            &[(1, 60), (62, 100)],
            &[(1, 60), (60, 100)],
            &[(2, 60), (61, 100)],
            &[(1, 60), (61, 60), (61, 90)],
            &[(1, 60), (61, u32::MAX), (0, 100)],
        ] {
            assert!(!is_valid(invalid), "{invalid:?}");
        }
    }
}
