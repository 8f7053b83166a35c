//! What is repeated at the upper and lower edges of many pages.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::line::Line;
use crate::geometry::Rect;
use crate::roman;

/// How many rows at each edge may be headers or footers.
const ROWS: usize = 4;
/// The part of a page, from its edge, in which they stand.
pub(super) const PART: f32 = 0.16;
/// Most different rows that are kept; those met once go first.
const KEPT: usize = 20_000;

/// Counts rows at the edges of pages.
#[derive(Default)]
pub(super) struct Edges {
    upper: HashMap<u64, Count>,
    lower: HashMap<u64, Count>,
    pages: u32,
    /// Pages on which nothing else stands than what may be headers and footers.
    bare: u32,
}

#[derive(Clone, Copy, Default)]
struct Count {
    pages: u32,
    last: u32,
    /// How many pages that follow each other have it now, and had it at most.
    row: u32,
    longest: u32,
}

impl Edges {
    /// Takes a page into account, which shows these rows and perhaps pictures.
    pub(super) fn note(&mut self, rows: &[Vec<Line>], page: &Rect, has_pictures: bool) {
        self.pages += 1;
        let (pages, upper, lower) = (self.pages, upper(rows, page), lower(rows, page));
        let is_bare = !rows.is_empty() && rows.len() <= upper.len() + lower.len();
        self.bare += u32::from(is_bare && !has_pictures);
        for (counts, keys) in [(&mut self.upper, upper), (&mut self.lower, lower)] {
            for (key, _) in keys {
                counts.entry(key).or_default().note(pages);
            }
            if counts.len() > KEPT {
                counts.retain(|_, count| count.pages > 1 || count.last == pages);
            }
            if counts.len() > KEPT {
                counts.clear();
            }
        }
    }

    /// How many pages were noted.
    pub(super) fn pages(&self) -> u32 {
        self.pages
    }

    /// The keys of rows that are headers, and of those that are footers; none where most pages say nothing else.
    pub(super) fn repeated(&self) -> (HashSet<u64>, HashSet<u64>) {
        if self.bare * 2 > self.pages {
            return (HashSet::new(), HashSet::new());
        }
        let repeated = |counts: &HashMap<u64, Count>| {
            let often = counts.iter().filter(|(_, count)| {
                count.pages >= 2 && count.pages * 5 >= self.pages * 2 || count.longest >= 3
            });
            often.map(|(key, _)| *key).collect()
        };
        (repeated(&self.upper), repeated(&self.lower))
    }
}

impl Count {
    fn note(&mut self, page: u32) {
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
        self.last = page;
    }
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

/// The keys of the rows at the upper edge of a page, from the edge on, and where the rows end.
pub(super) fn upper(rows: &[Vec<Line>], page: &Rect) -> Vec<(u64, f32)> {
    let limit = page.height() * PART;
    let rows = rows.iter().take(ROWS);
    let rows = rows.filter_map(|row| Some((key(row), row.first()?.baseline)));
    rows.take_while(|(_, baseline)| *baseline <= limit)
        .collect()
}

/// The same at the lower edge.
pub(super) fn lower(rows: &[Vec<Line>], page: &Rect) -> Vec<(u64, f32)> {
    let limit = page.height() * (1.0 - PART);
    let rows = rows.iter().rev().take(ROWS);
    let rows = rows.filter_map(|row| Some((key(row), row.first()?.baseline)));
    rows.take_while(|(_, baseline)| *baseline >= limit)
        .collect()
}

/// What a row says up to numbers that count, as a number.
pub(super) fn key(row: &[Line]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for piece in row.iter().flat_map(|line| &line.pieces) {
        let text = piece.text();
        match roman::value(&text.to_ascii_lowercase()) {
            Some(_) => "#".hash(&mut hasher),
            None => uncounted(&text).hash(&mut hasher),
        }
    }
    hasher.finish()
}

fn uncounted(text: &str) -> String {
    let mut all = String::new();
    for character in text.chars() {
        match character.is_numeric() {
            true if all.ends_with('#') => {}
            true => all.push('#'),
            false => all.push(character),
        }
    }
    all
}
