//! Detects headers and footers: text repeated at the top or bottom of many pages.

mod pattern;
mod places;
mod repeated;
mod separated_rows;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use self::pattern::Pattern;
use self::places::{Place, places};
pub(in crate::analysis) use self::repeated::Repeated;
use self::separated_rows::separated_rows;
use crate::analysis::lines::line::Line;
use crate::model::geometry::Rect;

/// Maximum number of header or footer rows.
const ROWS: usize = 4;
/// Height of the header and footer area, as a fraction of the page height.
pub(in crate::analysis) const PART: f32 = 0.16;
/// Height of the places at which rows with page numbers are counted, points.
const PLACE: f32 = 3.0;
/// Minimum number of consecutive pages whose numbers make a row a header or footer.
const RUNNING: u32 = 3;
/// Number from which they are certain in documents of any length, such as in a preface with numbers of its own.
const CERTAIN: u32 = 5;
/// Maximum share of other pages, as a multiple, and maximum font size of such rows, relative to the body text.
const SHARE: u32 = 5;
const LARGEST: f32 = 1.05;
/// Maximum number of different rows that are kept; rows that occurred once are dropped first.
const KEPT: usize = 20_000;

/// Counts rows at the top and bottom of pages.
#[derive(Default)]
pub(in crate::analysis) struct Edges {
    upper: Counts,
    lower: Counts,
    pages: u32,
    /// Number of pages without other content than possible headers and footers.
    bare: u32,
}

/// Counts rows at one edge of the page.
#[derive(Default)]
struct Counts {
    all: HashMap<u64, Count>,
    /// Rows that begin or end with the page number, by its offset from the page index and their place.
    numbered: HashMap<(i64, u32), Count>,
    /// Distance from the edge of the outermost row that is no longer counted.
    gone: Option<f32>,
}

#[derive(Clone, Copy)]
struct Count {
    pages: u32,
    last: u32,
    /// Current and maximum number of consecutive pages with it.
    row: u32,
    longest: u32,
    /// Number of pages on which it is separated from the adjacent row.
    apart: u32,
    /// Minimum and maximum distance from the edge, points.
    outermost: f32,
    innermost: f32,
    /// Font size of its first occurrence.
    size: f32,
    shape: u64,
    /// Hash of its text without the start of the page numbering; `None` if it has no page number.
    family: Option<u64>,
}

/// A row that may be a header or footer.
pub(in crate::analysis) struct Edge {
    pattern: Pattern,
    /// Baseline.
    pub(in crate::analysis) baseline: f32,
    /// Distance from the edge of the page, points.
    distance: f32,
    /// Font size.
    size: f32,
    /// Whether it is separated from the adjacent row.
    is_apart: bool,
}

impl Edges {
    /// Counts the rows of a page, which may also have tables or pictures; returns which rows belong to the separated rows at
    /// its edges.
    pub(in crate::analysis) fn note(
        &mut self,
        rows: &[Vec<Line>],
        page: &Rect,
        number: u32,
        has_more: bool,
    ) -> Range<usize> {
        self.pages += 1;
        let (upper, lower) = (upper(rows, page, number), lower(rows, page, number));
        let is_bare = !rows.is_empty() && rows.len() <= upper.len() + lower.len();
        self.bare += u32::from(is_bare && !has_more);
        self.upper.note(&upper, self.pages);
        self.lower.note(&lower, self.pages);
        outer(&upper)..rows.len().saturating_sub(outer(&lower))
    }

    /// Returns the number of pages.
    pub(in crate::analysis) fn pages(&self) -> u32 {
        self.pages
    }

    /// Returns the headers and footers, given the size of the body text; none if most pages have no other text.
    pub(in crate::analysis) fn repeated(&self, size: f32) -> (Repeated, Repeated) {
        if self.bare * 2 > self.pages {
            return (Repeated::default(), Repeated::default());
        }
        (
            self.upper.repeated(self.pages, size),
            self.lower.repeated(self.pages, size),
        )
    }
}

impl Counts {
    fn note(&mut self, rows: &[Edge], page: u32) {
        for row in rows {
            self.count(row, row.pattern.exact, None, page);
            for counting in &row.pattern.counting {
                self.count(row, counting.key, Some(counting.family), page);
            }
            self.count_numbered(row, page);
        }
        if self.all.len() > KEPT {
            self.forget(|count| count.pages > 1 || count.last == page);
        }
        if self.all.len() > KEPT {
            self.forget(|_| false);
        }
    }

    fn count(&mut self, row: &Edge, key: u64, family: Option<u64>, page: u32) {
        let new = Count::new(row, family);
        self.all.entry(key).or_insert(new).note(row, page);
    }

    fn count_numbered(&mut self, row: &Edge, page: u32) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "distances are those within a page"
        )]
        let place = (row.distance / PLACE).round() as u32;
        for end in &row.pattern.ends {
            let is_known = self.numbered.contains_key(&(*end, place));
            if is_known || self.numbered.len() < KEPT {
                let new = Count::new(row, None);
                let count = self.numbered.entry((*end, place)).or_insert(new);
                count.note(row, page);
            }
        }
    }

    fn forget(&mut self, is_kept: impl Fn(&Count) -> bool) {
        let gone = self.all.values().filter(|count| !is_kept(count));
        let gone = gone.map(|count| count.outermost).reduce(f32::min);
        self.gone = self.gone.into_iter().chain(gone).reduce(f32::min);
        self.all.retain(|_, count| is_kept(count));
    }

    fn repeated(&self, pages: u32, size: f32) -> Repeated {
        let mut repeated = Repeated {
            // Without the rows that were dropped, every place would seem to repeat its rows.
            places: match self.gone {
                None => places(self.all.values(), pages, size),
                Some(_) => Vec::new(),
            },
            ..Repeated::default()
        };
        let running = self.numbered.iter();
        let running = running.filter(|(_, count)| {
            let is_often = count.longest >= CERTAIN
                || count.longest >= RUNNING && count.pages * SHARE >= pages;
            // Titles are larger.
            is_often && count.is_apart() && count.size <= size * LARGEST
        });
        repeated
            .running
            .extend(running.map(|((offset, _), count)| (*offset, Place::of(count))));
        for (key, count) in &self.all {
            if count.is_often(pages) {
                let keys = [Some(*key), count.family].into_iter().flatten();
                repeated.shapes.insert(count.shape);
                repeated.said.extend(keys.clone());
                repeated.apart.extend(keys.filter(|_| count.is_apart()));
            }
        }
        repeated.apart.extend(self.outside(pages));
        repeated
    }

    /// Returns rows that are equal on all pages and farther out than any other row.
    fn outside(&self, pages: u32) -> HashSet<u64> {
        let is_always = |count: &Count| count.pages == pages && pages > 1;
        let (always, others): (Vec<_>, Vec<_>) =
            self.all.iter().partition(|(_, count)| is_always(count));
        let same = always.iter().filter(|(_, count)| count.family.is_none());
        let is_of_others =
            |count: &Count| !always.iter().any(|(_, same)| same.shape == count.shape);
        let body = others.iter().filter(|(_, count)| is_of_others(count));
        let body = body.map(|(_, count)| count.outermost).chain(self.gone);
        // If all examined rows are equal, the adjacent ones may be, too.
        let body = body.reduce(f32::min).unwrap_or_default();
        same.filter(|(_, count)| count.innermost < body)
            .map(|(key, _)| **key)
            .collect()
    }
}

impl Count {
    fn new(row: &Edge, family: Option<u64>) -> Self {
        Self {
            pages: 0,
            last: 0,
            row: 0,
            longest: 0,
            apart: 0,
            outermost: row.distance,
            innermost: row.distance,
            size: row.size,
            shape: row.pattern.shape,
            family,
        }
    }

    fn note(&mut self, row: &Edge, page: u32) {
        self.outermost = self.outermost.min(row.distance);
        self.innermost = self.innermost.max(row.distance);
        if self.last == page {
            return;
        }
        self.row = if self.last + 1 == page {
            self.row + 1
        } else {
            1
        };
        self.longest = self.longest.max(self.row);
        self.pages += 1;
        self.apart += u32::from(row.is_apart);
        self.last = page;
    }

    /// Whether it occurs on enough of these pages to be a header or footer by its text.
    fn is_often(&self, pages: u32) -> bool {
        self.pages >= 2 && self.pages * 5 >= pages * 2 || self.longest >= 3
    }

    /// Whether it is separated on most pages.
    fn is_apart(&self) -> bool {
        self.apart * 2 >= self.pages
    }
}

impl Edge {
    /// Returns all keys that may identify it.
    fn keys(&self) -> impl Iterator<Item = u64> {
        let counting = self.pattern.counting.iter();
        let counting = counting.flat_map(|counting| [counting.key, counting.family]);
        std::iter::once(self.pattern.exact).chain(counting)
    }
}

/// Returns the number of rows from the edge up to the last one before the text that is separated.
fn outer(edges: &[Edge]) -> usize {
    let apart = edges.iter().position(|edge| edge.is_apart);
    apart.map_or(0, |last| last + 1)
}

/// Groups lines into rows from top to bottom, each sorted from left to right.
pub(in crate::analysis) fn rows(lines: impl IntoIterator<Item = Line>) -> Vec<Vec<Line>> {
    let mut lines: Vec<Line> = lines.into_iter().collect();
    lines.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        let beside =
            |row: &&mut Vec<Line>| row.first().is_some_and(|first| is_beside(first, &line));
        match rows.last_mut().filter(beside) {
            Some(row) => row.push(line),
            None => rows.push(vec![line]),
        }
    }
    for row in &mut rows {
        row.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
    }
    rows
}

/// Whether a line is on the baseline of the first line of its row, which is not below it.
pub(in crate::analysis) fn is_beside(first: &Line, line: &Line) -> bool {
    line.baseline - first.baseline <= first.size.min(line.size) * 0.3
}

/// Returns the rows at the top of a page with this number, from the edge.
pub(in crate::analysis) fn upper(rows: &[Vec<Line>], page: &Rect, number: u32) -> Vec<Edge> {
    let rows: Vec<&Vec<Line>> = rows.iter().collect();
    edge(&rows, page, number, |baseline| baseline)
}

/// Returns the rows at the bottom of a page, from the edge.
pub(in crate::analysis) fn lower(rows: &[Vec<Line>], page: &Rect, number: u32) -> Vec<Edge> {
    let rows: Vec<&Vec<Line>> = rows.iter().rev().collect();
    edge(&rows, page, number, |baseline| page.height() - baseline)
}

/// Returns the rows from an edge within the header and footer area.
fn edge(rows: &[&Vec<Line>], page: &Rect, number: u32, distance: impl Fn(f32) -> f32) -> Vec<Edge> {
    let limit = page.height() * PART;
    let all = rows.iter().zip(separated_rows(rows, ROWS));
    let all = all.filter_map(|(row, is_apart)| {
        let Line { baseline, size, .. } = *row.first()?;
        Some(Edge {
            pattern: Pattern::of(row, number),
            baseline,
            distance: distance(baseline),
            size,
            is_apart,
        })
    });
    all.take_while(|edge| edge.distance <= limit).collect()
}

/// Returns a hash of the text of a row without page numbers.
pub(in crate::analysis) fn key(row: &[Line]) -> u64 {
    pattern::shape(row)
}
