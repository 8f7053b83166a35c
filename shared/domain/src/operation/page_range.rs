//! Page ranges as clients write them: `1-4`, `2`, `1,3,5-7`, `last`, `-3` for the last three.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Longest text of ranges, in characters.
const LONGEST: usize = 1_000;

/// Most pages that ranges may name, repetitions included.
const MOST_PAGES: usize = 20_000;

/// Ranges of pages, counted from 1, in the order of the request. Whether a document has them is not known yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("minLength" = 1, "maxLength" = 1_000, "pattern" = r"^ *(last|-?[0-9]{1,9}|[0-9]{1,9} *- *([0-9]{1,9}|last)) *(, *(last|-?[0-9]{1,9}|[0-9]{1,9} *- *([0-9]{1,9}|last)) *)*$"))]
pub struct PageRanges(String);

/// The document does not have the pages, or they run backwards.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct PageRangeInvalid(pub String);

/// One part between commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// From one page to another, both included; `None` is the last page.
    Span(Option<u32>, Option<u32>),
    /// The last so many pages.
    Tail(u32),
}

impl PageRanges {
    /// A single page, counted from 1.
    #[must_use]
    pub fn page(number: u32) -> Self {
        Self(number.to_string())
    }

    /// Whether they name one page, whatever document they meet.
    #[must_use]
    pub fn is_one_page(&self) -> bool {
        match part(&self.0) {
            Some(Part::Span(first, last)) => first == last,
            Some(Part::Tail(length)) => length == 1,
            None => false,
        }
    }

    /// The ranges as they were written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pages named, in a document of `count` pages, in the order of the ranges.
    ///
    /// # Errors
    /// [`PageRangeInvalid`] when one is not there; nothing is clamped.
    pub fn pages(&self, count: u32) -> Result<Vec<u32>, PageRangeInvalid> {
        let mut pages = Vec::new();
        for text in self.0.split(',') {
            let (first, last) = bounds(part(text), count).ok_or_else(|| refusal(text, count))?;
            if (last - first) as usize >= MOST_PAGES - pages.len() {
                let message = format!("the ranges name {MOST_PAGES} pages or more");
                return Err(PageRangeInvalid(message));
            }
            pages.extend(first..=last);
        }
        Ok(pages)
    }
}

/// First and last page of a part, when the document has them.
fn bounds(part: Option<Part>, count: u32) -> Option<(u32, u32)> {
    let (first, last) = match part? {
        Part::Span(first, last) => (first.unwrap_or(count), last.unwrap_or(count)),
        Part::Tail(length) => (count.checked_sub(length)?.saturating_add(1), count),
    };
    (1 <= first && first <= last && last <= count).then_some((first, last))
}

fn refusal(part: &str, count: u32) -> PageRangeInvalid {
    let part = part.trim();
    let pages = if count == 1 { "page" } else { "pages" };
    PageRangeInvalid(format!(
        "`{part}` is not a range of this document, which has {count} {pages}"
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
        let readable = text.len() <= LONGEST && text.split(',').all(|text| part(text).is_some());
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
    fn pages_that_are_not_there_are_refused_and_never_clamped() {
        for text in ["0", "10", "3-2", "1-10", "-10", "-0", "1,0", "10-last"] {
            let refused = ranges(text).pages(9).unwrap_err();
            assert!(refused.0.contains("9 pages"), "{text}");
        }
        assert!(ranges("1").pages(0).is_err());
        let many = ["1-999999999"; 2].join(",");
        assert!(ranges(&many).pages(999_999_999).is_err());
    }

    #[test]
    fn one_page_is_told_from_several() {
        for text in ["3", "last", "-1", "2-2", " 7 "] {
            assert!(ranges(text).is_one_page(), "{text}");
        }
        for text in ["1-2", "1,1", "-2", "4-last"] {
            assert!(!ranges(text).is_one_page(), "{text}");
        }
    }

    #[test]
    fn what_is_no_range_is_not_read() {
        for text in [
            "", "a", "1-", "--1", "1,,2", "1.5", "1-2-3", "-last", "1 2", "+1",
        ] {
            assert!(PageRanges::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
