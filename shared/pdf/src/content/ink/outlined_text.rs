//! Text drawn as outlines: subpaths of the size of letters that form rows and that no character covers.

use std::collections::{HashMap, HashSet};

use layout::{PageContent, Rect};

use super::grid::{Grid, to_f32};
use super::subpaths::Subpath;
use crate::content::is_legible;

/// Height of letters, in points, and their maximum width relative to the height.
const HEIGHTS: std::ops::RangeInclusive<f32> = 2.0..=60.0;
const MAX_WIDTH: f32 = 2.5;
/// Maximum offset of the bottoms of the letters of a row, in points.
const MAX_OFFSET: f32 = 2.0;
/// Maximum gap between letters relative to their height, at least that of letters with this height.
const MAX_GAP: f32 = 2.0;
const MIN_GAP_HEIGHT: f32 = 6.0;
/// Minimum number of subpaths and of different ones in a row of text: markers and tick marks repeat.
const MIN_LETTERS: usize = 6;
const MIN_DIFFERENT: usize = 5;
/// Minimum part of the letters of a row that have curves.
const MIN_CURVED: f32 = 0.2;
/// Minimum number of letters of a page. Fewer are part of a logo.
const MIN_LETTERS_OF_PAGE: usize = 16;
/// Minimum number of outlined letters of a page on which most letters are outlined.
const MIN_LETTERS_OF_MOST: usize = 100;
/// Minimum part of the letters of a group that are in rows; otherwise only the rows are text.
const MIN_IN_ROWS: f32 = 0.5;
/// Cell size of the grid that groups letters, and margin around them, in points.
const CELL: f32 = 3.0;
const GROUPING: f32 = 4.0;

/// Outlined text of a page.
pub(super) struct OutlinedText {
    /// Its areas.
    pub(super) areas: Vec<Rect>,
    /// Whether the page has more outlined letters than characters, or more drawings than the reader extracts, so that further
    /// letters may be anywhere on it.
    pub(super) is_most: bool,
}

/// Returns the outlined text.
pub(super) fn of_page(
    subpaths: &[Subpath],
    characters: &Grid,
    content: &PageContent,
) -> OutlinedText {
    let letters = subpaths.iter().filter(|one| is_letter(one));
    let letters = letters.filter(|one| !characters.is_covered(one.bounds.center()));
    let letters: Vec<&Subpath> = letters.collect();
    let rows = rows(letters.clone());
    let count: usize = rows.iter().map(|row| row.letters).sum();
    let legible = content
        .characters
        .iter()
        .filter(|one| is_legible(one.text))
        .count();
    let is_text = count >= MIN_LETTERS_OF_PAGE;
    OutlinedText {
        areas: match is_text {
            true => grouped(&letters, &rows, content),
            false => Vec::new(),
        },
        is_most: is_text
            && (content.has_more_drawings || count >= legible.max(MIN_LETTERS_OF_MOST)),
    }
}

/// Whether a subpath has the size of a letter.
pub(super) fn is_letter(subpath: &Subpath) -> bool {
    let (width, height) = (subpath.bounds.width(), subpath.bounds.height());
    subpath.is_filled && HEIGHTS.contains(&height) && width <= MAX_WIDTH * height
}

/// A row of letters.
struct Row {
    bounds: Rect,
    letters: usize,
}

fn rows(mut letters: Vec<&Subpath>) -> Vec<Row> {
    letters.sort_by(|one, other| one.bounds.bottom.total_cmp(&other.bounds.bottom));
    let mut rows = Vec::new();
    let mut rest = letters.as_slice();
    while let Some(first) = rest.first() {
        let end = first.bounds.bottom + MAX_OFFSET;
        let count = rest.partition_point(|one| one.bounds.bottom <= end);
        let (line, next) = rest.split_at(count.max(1));
        rest = next;
        let mut line = line.to_vec();
        line.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
        let mut right = f32::NEG_INFINITY;
        let mut runs: Vec<Vec<&Subpath>> = Vec::new();
        for letter in line {
            let gap = MAX_GAP * letter.bounds.height().max(MIN_GAP_HEIGHT);
            match runs
                .last_mut()
                .filter(|_| letter.bounds.left - right <= gap)
            {
                Some(run) => run.push(letter),
                None => runs.push(vec![letter]),
            }
            right = right.max(letter.bounds.right);
        }
        rows.extend(runs.iter().filter_map(|run| row(run)));
    }
    rows
}

fn row(run: &[&Subpath]) -> Option<Row> {
    let kind = |one: &&Subpath| {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "only to compare; the cast saturates"
        )]
        let points = |length: f32| length.round() as i32;
        let (width, height) = (one.bounds.width(), one.bounds.height());
        (one.segments, points(width), points(height))
    };
    let curved = run.iter().filter(|one| one.curves > 0).count();
    let is_text = run.len() >= MIN_LETTERS
        && run.iter().map(kind).collect::<HashSet<_>>().len() >= MIN_DIFFERENT
        && to_f32(curved) >= MIN_CURVED * to_f32(run.len());
    let bounds = Rect::around(run.iter().map(|one| one.bounds)).filter(|_| is_text)?;
    Some(Row {
        bounds,
        letters: run.len(),
    })
}

/// Extends rows to the letters around them, such as short lines and the parts of a formula.
fn grouped(letters: &[&Subpath], rows: &[Row], content: &PageContent) -> Vec<Rect> {
    let near = letters.iter().map(|one| one.bounds.grown(GROUPING));
    let grid = Grid::of(content.size, CELL, near);
    let group_of = grid.groups();
    let mut groups: HashMap<usize, (usize, Vec<&Row>, Rect)> = HashMap::new();
    for letter in letters {
        let Some(group) = group_of(letter.bounds.center()) else {
            continue;
        };
        let (count, _, bounds) = groups
            .entry(group)
            .or_insert((0, Vec::new(), letter.bounds));
        *count += 1;
        *bounds = bounds.union(&letter.bounds);
    }
    for row in rows {
        let group = group_of((row.bounds.left, row.bounds.center().1));
        if let Some((_, rows, _)) = group.and_then(|group| groups.get_mut(&group)) {
            rows.push(row);
        }
    }
    let areas = groups.into_values().flat_map(|(count, rows, bounds)| {
        let in_rows: usize = rows.iter().map(|row| row.letters).sum();
        match to_f32(in_rows) >= MIN_IN_ROWS * to_f32(count) {
            true => vec![bounds],
            false => rows.iter().map(|row| row.bounds).collect(),
        }
    });
    let mut areas: Vec<Rect> = areas.collect();
    areas.sort_by(|one, other| one.top.total_cmp(&other.top));
    areas
}
