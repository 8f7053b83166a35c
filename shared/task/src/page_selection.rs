//! Selects the pages of each output file, for all operations on PDF.

use domain::operation::{Operation, PageRanges};

use crate::{TaskError, TaskResult};

/// A page of an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcePage {
    /// Index of the document it comes from: 0 is the source, followed by the attachments.
    pub document: usize,
    /// Page number in that document, from 1.
    pub page: u32,
    /// Additional clockwise rotation in degrees.
    pub rotation: i64,
}

/// Returns the pages of each output file in order. `counts` are the page counts of the source and its attachments.
///
/// # Errors
/// `page_range_invalid` if the operation selects pages that do not exist, or would leave none.
pub fn output_files(operation: &Operation, counts: &[u32]) -> TaskResult<Vec<Vec<SourcePage>>> {
    let count = counts.first().copied().unwrap_or(0);
    let one = |pages: Vec<u32>| Ok(vec![source_pages(&pages)]);
    match operation {
        Operation::Merge(_) => Ok(vec![concatenated(counts)]),
        Operation::Split(options) => {
            let files = match (&options.ranges, options.every) {
                (Some(ranges), _) => ranges
                    .iter()
                    .map(|range| resolve_ranges(range, count))
                    .collect(),
                (None, every) => Ok(chunks(count, every.map_or(1, |every| every.value()))),
            };
            Ok(files?.iter().map(|pages| source_pages(pages)).collect())
        }
        Operation::ExtractPages(options) => one(resolve_ranges(&options.pages, count)?),
        Operation::DeletePages(options) => {
            one(without(&resolve_ranges(&options.pages, count)?, count)?)
        }
        Operation::Reorder(options) => one(permutation(&options.order, count)?),
        Operation::Rotate(options) => {
            let rotated = selected_pages(options.pages.as_ref(), count)?;
            let mut pages = source_pages(&all(count));
            for page in pages.iter_mut().filter(|page| rotated.contains(&page.page)) {
                page.rotation = options.angle.into();
            }
            Ok(vec![pages])
        }
        _ => one(all(count)),
    }
}

/// Returns the selected pages in ascending order without duplicates; all pages if `ranges` is absent.
///
/// # Errors
/// `page_range_invalid` for pages that do not exist.
pub fn selected_pages(ranges: Option<&PageRanges>, count: u32) -> TaskResult<Vec<u32>> {
    let Some(ranges) = ranges else {
        return Ok(all(count));
    };
    let mut pages = resolve_ranges(ranges, count)?;
    pages.sort_unstable();
    pages.dedup();
    Ok(pages)
}

/// Returns the pages that a conversion selects, in ascending order; all pages for other operations.
///
/// # Errors
/// `page_range_invalid` for pages that do not exist.
pub fn pages_to_convert(operation: &Operation, count: u32) -> TaskResult<Vec<u32>> {
    match operation {
        Operation::Convert(options) => selected_pages(options.pages.as_ref(), count),
        _ => Ok(all(count)),
    }
}

fn all(count: u32) -> Vec<u32> {
    (1..=count).collect()
}

fn source_pages(pages: &[u32]) -> Vec<SourcePage> {
    pages.iter().map(|page| unrotated(0, *page)).collect()
}

fn unrotated(document: usize, page: u32) -> SourcePage {
    SourcePage {
        document,
        page,
        rotation: 0,
    }
}

fn concatenated(counts: &[u32]) -> Vec<SourcePage> {
    let documents = counts.iter().enumerate();
    documents
        .flat_map(|(document, count)| (1..=*count).map(move |page| unrotated(document, page)))
        .collect()
}

/// Returns the pages of ranges, in their order, for a document with `count` pages.
///
/// # Errors
/// `page_range_invalid` for pages that do not exist.
pub fn resolve_ranges(ranges: &PageRanges, count: u32) -> TaskResult<Vec<u32>> {
    let pages = ranges.pages(count);
    pages.map_err(|invalid| TaskError::page_range_invalid(&sentence(&invalid.0)))
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    format!("{}{}.", String::from_iter(first), characters.as_str())
}

fn chunks(count: u32, every: u32) -> Vec<Vec<u32>> {
    let pages = all(count);
    let chunks = pages.chunks(every.max(1) as usize);
    chunks.map(<[u32]>::to_vec).collect()
}

fn without(deleted: &[u32], count: u32) -> TaskResult<Vec<u32>> {
    let mut kept = all(count);
    let deleted: std::collections::HashSet<u32> = deleted.iter().copied().collect();
    kept.retain(|page| !deleted.contains(page));
    match kept.is_empty() {
        false => Ok(kept),
        true => {
            let message = "Deleting every page would leave no document.";
            Err(TaskError::page_range_invalid(message))
        }
    }
}

fn permutation(order: &[u32], count: u32) -> TaskResult<Vec<u32>> {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    match sorted == all(count) {
        true => Ok(order.to_vec()),
        false => Err(TaskError::page_range_invalid(&format!(
            "The order must contain every page number of the document exactly once, from 1 to {count}."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use domain::operation::{MergeOptions, PagesOptions, ReorderOptions, SplitOptions};

    use super::*;

    fn ranges(text: &str) -> PageRanges {
        PageRanges::try_from(text.to_owned()).unwrap()
    }

    fn numbers(operation: &Operation, counts: &[u32]) -> Option<Vec<Vec<u32>>> {
        let files = output_files(operation, counts).ok()?;
        let numbers = |file: &Vec<SourcePage>| file.iter().map(|page| page.page).collect();
        Some(files.iter().map(numbers).collect())
    }

    #[test]
    fn output_files_have_the_requested_pages() {
        let pages = |text| PagesOptions {
            pages: ranges(text),
        };
        let extract = Operation::ExtractPages(pages("3,1"));
        assert_eq!(numbers(&extract, &[3]), Some(vec![vec![3, 1]]));
        let delete = Operation::DeletePages(pages("2,2"));
        assert_eq!(numbers(&delete, &[3]), Some(vec![vec![1, 3]]));
        let delete = Operation::DeletePages(pages("1-3"));
        assert_eq!(numbers(&delete, &[3]), None);
        let merge = Operation::Merge(MergeOptions::default());
        assert_eq!(numbers(&merge, &[1, 2]), Some(vec![vec![1, 1, 2]]));
    }

    #[test]
    fn split_is_by_ranges_by_chunks_or_by_page() {
        let split = |ranges, every: Option<i64>| {
            let every = every.map(|every| every.try_into().unwrap());
            Operation::Split(SplitOptions { ranges, every })
        };
        let parts = Some(vec![ranges("2-3"), ranges("1")]);
        assert_eq!(
            numbers(&split(parts, None), &[3]),
            Some(vec![vec![2, 3], vec![1]])
        );
        assert_eq!(
            numbers(&split(None, Some(2)), &[3]),
            Some(vec![vec![1, 2], vec![3]])
        );
        assert_eq!(
            numbers(&split(None, None), &[2]),
            Some(vec![vec![1], vec![2]])
        );
    }

    #[test]
    fn an_order_contains_every_page_once() {
        let reorder = |order: &[u32]| {
            let order = order.to_vec();
            numbers(&Operation::Reorder(ReorderOptions { order }), &[3])
        };
        assert_eq!(reorder(&[3, 1, 2]), Some(vec![vec![3, 1, 2]]));
        for wrong in [
            &[1, 2][..],
            &[1, 2, 2],
            &[1, 2, 4],
            &[1, 2, 3, 3],
            &[0, 1, 2],
        ] {
            assert_eq!(reorder(wrong), None, "{wrong:?}");
        }
    }
}
