//! Text drawn as outlines: subpaths of the size of letters that form rows and that no character covers.

use std::collections::{BTreeMap, HashSet};

use layout::{Rect, Size};

use super::InkArea;
use super::grid::{Grid, to_f32};
use super::rows::rows;
use super::subpaths::Subpath;

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
pub(super) const MIN_LETTERS_OF_MOST: usize = 100;
/// Minimum part of the letters of a group that are in rows; otherwise only the rows are text.
const MIN_IN_ROWS: f32 = 0.5;
/// Cell size of the grid that groups letters, and margin around them, in points.
const CELL: f32 = 3.0;
const GROUPING: f32 = 4.0;

/// Returns the areas of outlined text of a page.
pub(super) fn areas(subpaths: &[Subpath], characters: &Grid, size: Size) -> Vec<InkArea> {
    let letters = subpaths.iter().filter(|one| is_letter(one));
    let letters = letters.filter(|one| !characters.is_covered(one.bounds.center()));
    let letters: Vec<&Subpath> = letters.collect();
    let rows = text_rows(letters.clone());
    let count = rows.iter().map(|row| row.letters).sum::<usize>();
    match count >= MIN_LETTERS_OF_PAGE {
        true => grouped(&letters, rows, size),
        false => Vec::new(),
    }
}

/// Returns all rows of outlined letters of a page, also under characters.
pub(super) fn all_rows(subpaths: &[Subpath]) -> Vec<InkArea> {
    text_rows(subpaths.iter().filter(|one| is_letter(one)).collect())
}

fn text_rows(letters: Vec<&Subpath>) -> Vec<InkArea> {
    let max_gap = |letter: &&Subpath| MAX_GAP * letter.bounds.height().max(MIN_GAP_HEIGHT);
    let rows = rows(letters, |letter| letter.bounds, MAX_OFFSET, max_gap);
    rows.iter().filter_map(|row| text(row)).collect()
}

/// Whether a subpath has the size of a letter.
fn is_letter(subpath: &Subpath) -> bool {
    let (width, height) = (subpath.bounds.width(), subpath.bounds.height());
    subpath.fill.is_some() && HEIGHTS.contains(&height) && width <= MAX_WIDTH * height
}

/// Returns the area of a row; `None` if it is not text.
fn text(row: &[&Subpath]) -> Option<InkArea> {
    let shape = |one: &&Subpath| {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "only to compare; the cast saturates"
        )]
        let points = |length: f32| length.round() as i32;
        let (width, height) = (one.bounds.width(), one.bounds.height());
        (one.segments, points(width), points(height))
    };
    let curved = row.iter().filter(|one| one.curves > 0).count();
    let is_text = row.len() >= MIN_LETTERS
        && row.iter().map(shape).collect::<HashSet<_>>().len() >= MIN_DIFFERENT
        && to_f32(curved) >= MIN_CURVED * to_f32(row.len());
    let bounds = Rect::around(row.iter().map(|one| one.bounds)).filter(|_| is_text)?;
    Some(InkArea {
        bounds,
        text_width: bounds.width(),
        letters: row.len(),
        segments: row.iter().map(|one| one.segments).sum(),
        shape: 0,
    })
}

/// Extends rows to the letters around them, such as short lines and the parts of a formula.
fn grouped(letters: &[&Subpath], rows: Vec<InkArea>, size: Size) -> Vec<InkArea> {
    let near = letters.iter().map(|one| one.bounds.grown(GROUPING));
    let group_of = Grid::of(size, CELL, near).into_groups();
    // The number of letters, and all rows as one area, of each group.
    let mut groups: BTreeMap<usize, (usize, InkArea)> = BTreeMap::new();
    for letter in letters {
        let Some(group) = group_of(letter.bounds.center()) else {
            continue;
        };
        let (count, area) = groups.entry(group).or_insert((
            0,
            InkArea {
                bounds: letter.bounds,
                ..InkArea::default()
            },
        ));
        *count += 1;
        area.bounds = area.bounds.union(&letter.bounds);
    }
    let group_of_row = |row: &InkArea| group_of((row.bounds.left, row.bounds.center().1));
    for row in &rows {
        if let Some((_, area)) = group_of_row(row).and_then(|group| groups.get_mut(&group)) {
            area.text_width += row.text_width;
            area.letters += row.letters;
            area.segments += row.segments;
        }
    }
    let is_text =
        |(count, area): &(usize, InkArea)| to_f32(area.letters) >= MIN_IN_ROWS * to_f32(*count);
    let mut areas = rows;
    areas.retain(|row| {
        let group = group_of_row(row).and_then(|group| groups.get(&group));
        group.is_none_or(|group| !is_text(group))
    });
    areas.extend(
        groups
            .values()
            .filter(|group| is_text(group))
            .map(|(_, area)| *area),
    );
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        width: 600.0,
        height: 800.0,
    };

    /// A row of letters of different shapes, five points apart.
    fn letters(count: usize, baseline: f32) -> Vec<Subpath> {
        let letter = |index: usize| {
            let left = 100.0 + 5.0 * to_f32(index);
            let size = (3.0 + to_f32(index % 2), 5.0 + to_f32(index % 4));
            Subpath {
                bounds: Rect::between((left, baseline - size.1), (left + size.0, baseline)),
                segments: 6 + index % 5,
                curves: index % 3,
                ends: None,
                fill: Some([0; 3]),
            }
        };
        (0..count).map(letter).collect()
    }

    fn found(subpaths: &[Subpath], characters: &[Rect]) -> Vec<InkArea> {
        let characters = Grid::of(SIZE, 3.0, characters.iter().copied());
        areas(subpaths, &characters, SIZE)
    }

    #[test]
    fn rows_of_letters_without_characters_are_outlined_text() {
        let row = letters(40, 300.0);
        let text = found(&row, &[]);
        let [area] = text[..] else {
            panic!("{text:?}");
        };
        assert_eq!(area.letters, 40);
        assert!((190.0..=200.0).contains(&area.text_width), "{area:?}");
        let character = Rect::between((90.0, 290.0), (310.0, 302.0));
        assert!(found(&row, &[character]).is_empty());
        assert!(found(&letters(12, 300.0), &[]).is_empty());
        // Markers of a chart are equal.
        let markers = letters(40, 300.0).into_iter().map(|one| Subpath {
            segments: 4,
            curves: 4,
            bounds: Rect::between((one.bounds.left, 296.0), (one.bounds.left + 4.0, 300.0)),
            ..one
        });
        assert!(found(&markers.collect::<Vec<_>>(), &[]).is_empty());
    }
}
