//! Which pages of a document that is being printed are kept, in the document's order.

use domain::operation::{PageRangeInvalid, PageRanges};
use task::{Fault, Outcome};

/// The pages of a document of `count` pages that ranges name, each once.
pub(super) fn kept(ranges: &PageRanges, count: u32) -> Outcome<Vec<u32>> {
    let outside = |error: PageRangeInvalid| Fault::page_range_invalid(&error.0);
    let mut pages = ranges.pages(count).map_err(outside)?;
    pages.sort_unstable();
    pages.dedup();
    Ok(pages)
}

/// Pages in order, such as `1-3,7`: a list of all would be long.
pub(super) fn written(pages: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for page in pages {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *page => *last = *page,
            _ => ranges.push((*page, *page)),
        }
    }
    let texts = ranges.into_iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    texts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_in_a_row_are_one_range() {
        assert_eq!(written(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
    }

    #[test]
    fn pages_are_kept_once_and_in_order() {
        let ranges = |text: &str| PageRanges::try_from(text.to_owned()).unwrap();
        assert_eq!(kept(&ranges("last,2,1-2"), 9).unwrap(), [1, 2, 9]);
        assert!(kept(&ranges("10"), 9).is_err());
    }
}
