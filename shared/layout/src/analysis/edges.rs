//! What is repeated at the upper and lower edges of many pages.

mod apart;
mod pattern;
mod repeated;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use self::apart::apart;
use self::pattern::Pattern;
pub(super) use self::repeated::Repeated;
use super::line::Line;
use crate::model::geometry::Rect;

/// How many rows at each edge may be headers or footers.
const ROWS: usize = 4;
/// The part of a page, from its edge, in which they stand.
pub(super) const PART: f32 = 0.16;
/// Most different rows that are kept; those met once go first.
const KEPT: usize = 20_000;

/// Counts rows at the edges of pages.
#[derive(Default)]
pub(super) struct Edges {
    upper: Counts,
    lower: Counts,
    pages: u32,
    /// Pages on which nothing else stands than what may be headers and footers.
    bare: u32,
}

/// Counts rows at one edge.
#[derive(Default)]
struct Counts {
    all: HashMap<u64, Count>,
    /// How far from the edge the outermost row stands that is no longer counted.
    gone: Option<f32>,
}

#[derive(Clone, Copy)]
struct Count {
    pages: u32,
    last: u32,
    /// How many pages that follow each other have it now, and had it at most.
    row: u32,
    longest: u32,
    /// On how many pages it is set apart from what is next to it.
    apart: u32,
    /// How far from the edge it stands at least and at most, points.
    outermost: f32,
    innermost: f32,
    shape: u64,
    /// What it says wherever it counts from; none where it does not count.
    family: Option<u64>,
}

/// A row that may be a header or a footer.
pub(super) struct Edge {
    pattern: Pattern,
    /// Where it stands.
    pub(super) baseline: f32,
    /// How far that is from the edge of the page, points.
    distance: f32,
    /// Whether it is set apart from the row next to it.
    is_apart: bool,
}

impl Edges {
    /// Takes a page of this number into account, which shows these rows and perhaps tables or pictures; tells which of the rows
    /// stand within those at its edges that are set apart.
    pub(super) fn note(
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

    /// How many pages were noted.
    pub(super) fn pages(&self) -> u32 {
        self.pages
    }

    /// The rows that are headers, and those that are footers; none where most pages say nothing else.
    pub(super) fn repeated(&self) -> (Repeated, Repeated) {
        if self.bare * 2 > self.pages {
            return (Repeated::default(), Repeated::default());
        }
        (
            self.upper.repeated(self.pages),
            self.lower.repeated(self.pages),
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

    fn forget(&mut self, is_kept: impl Fn(&Count) -> bool) {
        let gone = self.all.values().filter(|count| !is_kept(count));
        let gone = gone.map(|count| count.outermost).reduce(f32::min);
        self.gone = self.gone.into_iter().chain(gone).reduce(f32::min);
        self.all.retain(|_, count| is_kept(count));
    }

    fn repeated(&self, pages: u32) -> Repeated {
        let mut repeated = Repeated::default();
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

    /// What is the same on all pages and stands farther out than anything else on any page.
    fn outside(&self, pages: u32) -> HashSet<u64> {
        let is_always = |count: &Count| count.pages == pages && pages > 1;
        let (always, others): (Vec<_>, Vec<_>) =
            self.all.iter().partition(|(_, count)| is_always(count));
        let same = always.iter().filter(|(_, count)| count.family.is_none());
        let is_of_others =
            |count: &Count| !always.iter().any(|(_, same)| same.shape == count.shape);
        let body = others.iter().filter(|(_, count)| is_of_others(count));
        let body = body.map(|(_, count)| count.outermost).chain(self.gone);
        // Where all that is looked at is the same, what is next to it may be so, too.
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

    /// Whether so many of these pages have it that it is a header or footer by what it says.
    fn is_often(&self, pages: u32) -> bool {
        self.pages >= 2 && self.pages * 5 >= pages * 2 || self.longest >= 3
    }

    /// Whether it is set apart on most pages.
    fn is_apart(&self) -> bool {
        self.apart * 2 >= self.pages
    }
}

impl Edge {
    /// All that it may say.
    fn keys(&self) -> impl Iterator<Item = u64> {
        let counting = self.pattern.counting.iter();
        let counting = counting.flat_map(|counting| [counting.key, counting.family]);
        std::iter::once(self.pattern.exact).chain(counting)
    }
}

/// How many rows, from the edge on, end with one that is set apart.
fn outer(edges: &[Edge]) -> usize {
    let apart = edges.iter().position(|edge| edge.is_apart);
    apart.map_or(0, |last| last + 1)
}

/// Lines side by side as rows, from top to bottom, each from left to right.
pub(super) fn rows(lines: impl IntoIterator<Item = Line>) -> Vec<Vec<Line>> {
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

/// Whether a line stands on the height of the first one of its row, which is not below it.
pub(super) fn is_beside(first: &Line, line: &Line) -> bool {
    line.baseline - first.baseline <= first.size.min(line.size) * 0.3
}

/// The rows at the upper edge of a page of this number, from the edge on.
pub(super) fn upper(rows: &[Vec<Line>], page: &Rect, number: u32) -> Vec<Edge> {
    let rows: Vec<&Vec<Line>> = rows.iter().collect();
    edge(&rows, page, number, |baseline| baseline)
}

/// The same at the lower edge.
pub(super) fn lower(rows: &[Vec<Line>], page: &Rect, number: u32) -> Vec<Edge> {
    let rows: Vec<&Vec<Line>> = rows.iter().rev().collect();
    edge(&rows, page, number, |baseline| page.height() - baseline)
}

/// Those of rows, from an edge on, that are no farther from it than headers and footers are.
fn edge(rows: &[&Vec<Line>], page: &Rect, number: u32, distance: impl Fn(f32) -> f32) -> Vec<Edge> {
    let limit = page.height() * PART;
    let all = rows.iter().zip(apart(rows, ROWS));
    let all = all.filter_map(|(row, is_apart)| {
        let baseline = row.first()?.baseline;
        Some(Edge {
            pattern: Pattern::of(row, number),
            baseline,
            distance: distance(baseline),
            is_apart,
        })
    });
    all.take_while(|edge| edge.distance <= limit).collect()
}

/// What a row says up to numbers that count, as a number.
pub(super) fn key(row: &[Line]) -> u64 {
    pattern::shape(row)
}
