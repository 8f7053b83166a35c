//! Page ranges of requests: `1-4`, `2`, `1,3,5-7`, `last`, `-3` for the last three pages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Maximum length of the text in characters.
const MAX_LENGTH: usize = 1_000;

/// Maximum number of pages that ranges may name, including repetitions.
const MAX_PAGES: usize = 20_000;

/// Page ranges, counted from 1, in the order of the request. The syntax is checked; whether the document has the pages is
/// not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 1_000, "pattern" = r"^ *(last|-?[0-9]{1,9}|[0-9]{1,9} *- *([0-9]{1,9}|last)) *(, *(last|-?[0-9]{1,9}|[0-9]{1,9} *- *([0-9]{1,9}|last)) *)*$"))]
pub struct PageRanges(String);

/// The document does not have the pages, a range is descending, or the ranges name too many pages.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct InvalidPageRange(pub String);

/// One range between commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// From the first to the last page, inclusive; `None` is the last page of the document.
    Span(Option<u32>, Option<u32>),
    /// The given number of last pages.
    Tail(u32),
}

impl PageRanges {
    /// Returns the range of a single page, counted from 1.
    #[must_use]
    pub fn page(number: u32) -> Self {
        Self(number.to_string())
    }

    /// Whether the ranges name exactly one page in every document.
    #[must_use]
    pub fn is_one_page(&self) -> bool {
        match part(&self.0) {
            Some(Part::Span(first, last)) => first == last,
            Some(Part::Tail(length)) => length == 1,
            None => false,
        }
    }

    /// Returns the ranges as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the page numbers in a document of `count` pages, in the order of the ranges.
    ///
    /// # Errors
    /// [`InvalidPageRange`] if the document does not have one of the pages (nothing is clamped), if a range is descending, or
    /// if the ranges name too many pages.
    pub fn pages(&self, count: u32) -> Result<Vec<u32>, InvalidPageRange> {
        let mut pages = Vec::new();
        for text in self.0.split(',') {
            let (first, last) = bounds(part(text), count).ok_or_else(|| outside(text, count))?;
            if (last - first) as usize >= MAX_PAGES - pages.len() {
                let message = format!("the page ranges name more than {MAX_PAGES} pages");
                return Err(InvalidPageRange(message));
            }
            pages.extend(first..=last);
        }
        Ok(pages)
    }
}

/// Returns the first and the last page of a range if the document has them.
fn bounds(part: Option<Part>, count: u32) -> Option<(u32, u32)> {
    let (first, last) = match part? {
        Part::Span(first, last) => (first.unwrap_or(count), last.unwrap_or(count)),
        Part::Tail(length) => (count.checked_sub(length)?.saturating_add(1), count),
    };
    (1 <= first && first <= last && last <= count).then_some((first, last))
}

fn outside(part: &str, count: u32) -> InvalidPageRange {
    let part = part.trim();
    let pages = if count == 1 { "page" } else { "pages" };
    InvalidPageRange(format!(
        "Page range `{part}` is outside the document, which has {count} {pages}"
    ))
}

fn part(text: &str) -> Option<Part> {
    let text = text.trim();
    if text == "last" {
        return Some(Part::Span(None, None));
    }
    if let Some(length) = text.strip_prefix('-') {
        return number(length).map(Part::Tail);
    }
    match text.split_once('-') {
        None => number(text).map(|page| Part::Span(Some(page), Some(page))),
        Some((first, last)) => {
            let first = number(first.trim())?;
            let last = match last.trim() {
                "last" => None,
                last => Some(number(last)?),
            };
            Some(Part::Span(Some(first), last))
        }
    }
}

fn number(text: &str) -> Option<u32> {
    let digits = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

impl TryFrom<String> for PageRanges {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let readable = text.len() <= MAX_LENGTH && text.split(',').all(|text| part(text).is_some());
        match readable {
            true => Ok(Self(text)),
            false => Err("must be page ranges such as `1-4`, `1,3,5-7`, `last` or `-3`".to_owned()),
        }
    }
}

impl From<PageRanges> for String {
    fn from(ranges: PageRanges) -> String {
        ranges.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(text: &str) -> PageRanges {
        PageRanges::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn ranges_name_pages_in_the_order_given() {
        for (text, pages) in [
            ("1-4", vec![1, 2, 3, 4]),
            ("2", vec![2]),
            ("1,3,5-7", vec![1, 3, 5, 6, 7]),
            ("last", vec![9]),
            ("-3", vec![7, 8, 9]),
            ("3,1", vec![3, 1]),
            ("8-last", vec![8, 9]),
            (" 1 - 2 , last ", vec![1, 2, 9]),
        ] {
            assert_eq!(ranges(text).pages(9), Ok(pages), "{text}");
        }
    }

    #[test]
    fn missing_pages_are_rejected_not_clamped() {
        for text in ["0", "10", "3-2", "1-10", "-10", "-0", "1,0", "10-last"] {
            let error = ranges(text).pages(9).unwrap_err();
            assert!(error.0.contains("9 pages"), "{text}");
        }
        assert!(ranges("1").pages(0).is_err());
        let many = ["1-999999999"; 2].join(",");
        assert!(ranges(&many).pages(999_999_999).is_err());
    }

    #[test]
    fn is_one_page_is_true_for_single_pages_only() {
        for text in ["3", "last", "-1", "2-2", " 7 "] {
            assert!(ranges(text).is_one_page(), "{text}");
        }
        for text in ["1-2", "1,1", "-2", "4-last"] {
            assert!(!ranges(text).is_one_page(), "{text}");
        }
    }

    #[test]
    fn invalid_syntax_is_rejected() {
        for text in [
            "", "a", "1-", "--1", "1,,2", "1.5", "1-2-3", "-last", "1 2", "+1",
        ] {
            assert!(PageRanges::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
