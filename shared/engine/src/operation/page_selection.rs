//! Page ranges of an export, in document order.

use domain::operation::{InvalidPageRange, PageRanges};
use task::{TaskError, TaskResult};

/// The pages in `ranges` of a document of `count` pages, sorted and without duplicates.
pub(super) fn selected_pages(ranges: &PageRanges, count: u32) -> TaskResult<Vec<u32>> {
    let outside = |error: InvalidPageRange| TaskError::page_range_invalid(&error.0);
    let mut pages = ranges.pages(count).map_err(outside)?;
    pages.sort_unstable();
    pages.dedup();
    Ok(pages)
}

/// Formats sorted pages as ranges such as `1-3,7`, which stays short for long selections.
pub(super) fn format_ranges(pages: &[u32]) -> String {
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
    fn consecutive_pages_form_one_range() {
        assert_eq!(format_ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
    }

    #[test]
    fn pages_are_sorted_without_duplicates() {
        let ranges = |text: &str| PageRanges::try_from(text.to_owned()).unwrap();
        assert_eq!(selected_pages(&ranges("last,2,1-2"), 9).unwrap(), [1, 2, 9]);
        assert!(selected_pages(&ranges("10"), 9).is_err());
    }
}
