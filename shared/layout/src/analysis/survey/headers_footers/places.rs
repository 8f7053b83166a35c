//! Places of headers and footers whose text changes, for example with each chapter.

use super::{Count, Edge};

/// Maximum distance of baselines at one place, points, and maximum relative difference of font sizes.
const NEAR: f32 = 1.0;
const SIZES: f32 = 0.05;
/// Maximum ratio of the font size to that of the body text: slides have titles at one place.
const LARGEST: f32 = 1.25;
/// Minimum number of pages with a repeated text at a place, and minimum fraction of all pages and of those with any text there.
const LEAST: u32 = 4;
const OF_PAGES: u32 = 5;
const OF_PLACE: u32 = 2;

/// A baseline with the font size of the rows on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Distance from the edge of the page, points.
    distance: f32,
    size: f32,
}

impl Place {
    /// Returns the place of a row.
    pub(super) fn of(count: &Count) -> Self {
        Self {
            distance: count.outermost,
            size: count.size,
        }
    }

    fn contains(&self, distance: f32, size: f32) -> bool {
        (distance - self.distance).abs() <= NEAR && (size - self.size).abs() <= size * SIZES
    }

    /// Whether a separated row is at this place.
    pub(super) fn holds(&self, row: &Edge) -> bool {
        row.is_apart && self.contains(row.distance, row.size)
    }
}

/// Returns the places at which most rows are separated from the text and repeat a text of another page.
pub(super) fn places<'c>(
    counts: impl Iterator<Item = &'c Count>,
    pages: u32,
    body: f32,
) -> Vec<Place> {
    let mut fixed: Vec<&Count> = counts
        .filter(|count| count.innermost - count.outermost <= NEAR)
        .filter(|count| count.size <= body * LARGEST)
        .collect();
    fixed.sort_by(|one, other| one.outermost.total_cmp(&other.outermost));
    let is_near = |one: &&Count, next: &&Count| next.outermost - one.outermost <= NEAR * 0.5;
    let rows = fixed.chunk_by(is_near).flat_map(|rows| {
        let mut rows = rows.to_vec();
        rows.sort_by(|one, other| one.size.total_cmp(&other.size));
        let is_like = |one: &&Count, next: &&Count| next.size - one.size <= one.size * SIZES;
        let groups: Vec<Vec<&Count>> = rows.chunk_by(is_like).map(<[_]>::to_vec).collect();
        groups
    });
    rows.filter_map(|rows| place(&rows, pages)).collect()
}

/// Returns the place of these rows, if it is one of headers or footers.
fn place(rows: &[&Count], pages: u32) -> Option<Place> {
    // Each row is counted once with its exact text, and again with each of its numbers as the page number.
    let exact = || rows.iter().filter(|count| count.family.is_none());
    let all: u32 = exact().map(|count| count.pages).sum();
    let apart: u32 = exact().map(|count| count.apart).sum();
    let repeated = rows.iter().filter(|count| count.pages > 1);
    let repeated: u32 = repeated.map(|count| count.pages).sum();
    let is_place = repeated >= LEAST
        && repeated * OF_PAGES >= pages
        && repeated * OF_PLACE >= all
        && apart * OF_PLACE >= all;
    let most = rows.iter().max_by_key(|count| count.pages);
    most.filter(|_| is_place).map(|most| Place::of(most))
}
