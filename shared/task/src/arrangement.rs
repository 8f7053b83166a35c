//! Which pages of which documents the files of a result hold, for every operation on PDF.

use domain::operation::{Operation, PageRanges};

use crate::{Fault, Outcome};

/// A page of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The document that it comes from: 0 is the source, its attachments follow.
    pub document: usize,
    /// Its number there, from 1.
    pub page: u32,
    /// How far it was turned, clockwise, in degrees.
    pub turned: i64,
}

/// The pages of each file of a result, in order, of documents with so many pages.
///
/// # Errors
/// `page_range_invalid` if the operation names pages that are not there, or leaves none.
pub fn arrangement(operation: &Operation, counts: &[u32]) -> Outcome<Vec<Vec<Placed>>> {
    let count = counts.first().copied().unwrap_or(0);
    let one = |pages: Vec<u32>| Ok(vec![of_source(&pages)]);
    match operation {
        Operation::Merge(_) => Ok(vec![one_after_the_other(counts)]),
        Operation::Split(options) => {
            let files = match (&options.ranges, options.every) {
                (Some(ranges), _) => ranges.iter().map(|range| named(range, count)).collect(),
                (None, every) => Ok(chunks(count, every.map_or(1, |every| every.value()))),
            };
            Ok(files?.iter().map(|pages| of_source(pages)).collect())
        }
        Operation::ExtractPages(options) => one(named(&options.pages, count)?),
        Operation::DeletePages(options) => one(without(&named(&options.pages, count)?, count)?),
        Operation::Reorder(options) => one(permutation(&options.order, count)?),
        Operation::Rotate(options) => {
            let turned = selected(options.pages.as_ref(), count)?;
            let mut placed = of_source(&all(count));
            for page in placed.iter_mut().filter(|page| turned.contains(&page.page)) {
                page.turned = options.angle.into();
            }
            Ok(vec![placed])
        }
        _ => one(all(count)),
    }
}

/// The pages that an option names, each once and in order; all when it is not given.
pub fn selected(ranges: Option<&PageRanges>, count: u32) -> Outcome<Vec<u32>> {
    let Some(ranges) = ranges else {
        return Ok(all(count));
    };
    let mut pages = named(ranges, count)?;
    pages.sort_unstable();
    pages.dedup();
    Ok(pages)
}

/// The pages of a document of so many that a conversion keeps, in their order.
///
/// # Errors
/// `page_range_invalid` for pages that are not there.
pub fn chosen(operation: &Operation, count: u32) -> Outcome<Vec<u32>> {
    match operation {
        Operation::Convert(options) => selected(options.pages.as_ref(), count),
        _ => Ok(all(count)),
    }
}

fn all(count: u32) -> Vec<u32> {
    (1..=count).collect()
}

fn of_source(pages: &[u32]) -> Vec<Placed> {
    pages.iter().map(|page| placed(0, *page)).collect()
}

fn placed(document: usize, page: u32) -> Placed {
    Placed {
        document,
        page,
        turned: 0,
    }
}

fn one_after_the_other(counts: &[u32]) -> Vec<Placed> {
    let documents = counts.iter().enumerate();
    documents
        .flat_map(|(document, count)| (1..=*count).map(move |page| placed(document, page)))
        .collect()
}

/// The pages that ranges name, in their order, of a document of so many.
///
/// # Errors
/// `page_range_invalid` for pages that are not there.
pub fn named(ranges: &PageRanges, count: u32) -> Outcome<Vec<u32>> {
    let pages = ranges.pages(count);
    pages.map_err(|invalid| Fault::page_range_invalid(&sentence(&invalid.0)))
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

fn without(deleted: &[u32], count: u32) -> Outcome<Vec<u32>> {
    let mut kept = all(count);
    let deleted: std::collections::HashSet<u32> = deleted.iter().copied().collect();
    kept.retain(|page| !deleted.contains(page));
    match kept.is_empty() {
        false => Ok(kept),
        true => {
            let message = "Deleting every page would leave no document.";
            Err(Fault::page_range_invalid(message))
        }
    }
}

fn permutation(order: &[u32], count: u32) -> Outcome<Vec<u32>> {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    match sorted == all(count) {
        true => Ok(order.to_vec()),
        false => Err(Fault::page_range_invalid(&format!(
            "The order must name every page of this document once, from 1 to {count}."
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
        let files = arrangement(operation, counts).ok()?;
        let numbers = |file: &Vec<Placed>| file.iter().map(|placed| placed.page).collect();
        Some(files.iter().map(numbers).collect())
    }

    #[test]
    fn files_hold_the_pages_that_were_asked_for() {
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
    fn a_split_is_by_ranges_by_a_number_of_pages_or_by_page() {
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
    fn an_order_names_every_page_once() {
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
