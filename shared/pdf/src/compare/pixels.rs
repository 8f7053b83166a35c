//! Finds the areas of two pages that look different.

use std::collections::BTreeSet;

use image::RgbImage;
use task::TaskResult;
use task::comparison::{Area, PagePair};

use super::view::View;

/// Maximum difference of a color component that looks the same, of 255.
const TOLERANCE: u8 = 48;
/// Side of a cell in pixels.
const CELL: u32 = 8;
/// Number of different pixels of a cell that looks different. Fewer are noise of the rendering.
const LEAST: u32 = 3;
/// Maximum distance of cells of one area, in cells.
const REACH: u32 = 2;
/// Maximum number of areas of a page.
const MAX_REGIONS: usize = 500;

/// Compares the look of two pages, with their upper left corners at the same place.
pub(super) fn differences(before: &View<'_>, after: &View<'_>) -> TaskResult<PagePair> {
    let (one, other) = (before.render()?, after.render()?);
    let (width, height) = (
        one.width().max(other.width()),
        one.height().max(other.height()),
    );
    let mut counts = vec![0_u32; usize_of(width.div_ceil(CELL) * height.div_ceil(CELL))];
    let columns = width.div_ceil(CELL);
    for y in 0..height {
        for x in 0..width {
            if differs(&one, &other, x, y)
                && let Some(count) = counts.get_mut(usize_of(y / CELL * columns + x / CELL))
            {
                *count += 1;
            }
        }
    }
    let counted = (0_u32..).zip(&counts).filter(|(_, count)| **count >= LEAST);
    let changed: u32 = counted.clone().map(|(_, count)| count).sum();
    let cells = counted.map(|(index, _)| (index / columns, index % columns));
    let mut regions = regions(cells.collect());
    let more_regions = regions.len() > MAX_REGIONS;
    regions.truncate(MAX_REGIONS);
    // Both pages have this scale unless one of them is very large.
    let scale = before.scale.min(after.scale);
    Ok(PagePair {
        changed_pixels: ratio(changed, width * height),
        regions: regions.iter().map(|cells| area(*cells, scale)).collect(),
        more_regions,
        ..PagePair::default()
    })
}

fn usize_of(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Whether a pixel of one page differs from all nine pixels of the other at and around its place. Edges move by a pixel when a
/// page is rewritten.
fn differs(one: &RgbImage, other: &RgbImage, x: u32, y: u32) -> bool {
    let (Some(a), Some(b)) = (one.get_pixel_checked(x, y), other.get_pixel_checked(x, y)) else {
        return true;
    };
    let is_like = |a: &image::Rgb<u8>, b: &image::Rgb<u8>| {
        let mut components = a.0.iter().zip(b.0);
        components.all(|(a, b)| a.abs_diff(b) <= TOLERANCE)
    };
    if is_like(a, b) {
        return false;
    }
    let has_like = |pixel: &image::Rgb<u8>, page: &RgbImage| {
        let (rows, columns) = (y.saturating_sub(1)..=y + 1, x.saturating_sub(1)..=x + 1);
        rows.flat_map(|y| columns.clone().map(move |x| (x, y)))
            .filter_map(|(x, y)| page.get_pixel_checked(x, y))
            .any(|near| is_like(pixel, near))
    };
    !(has_like(a, other) && has_like(b, one))
}

/// Rows and columns of cells: the first and the last ones.
type Cells = [u32; 4];

/// Joins cells that are near each other, from top to bottom.
fn regions(mut cells: BTreeSet<(u32, u32)>) -> Vec<Cells> {
    let mut regions = Vec::new();
    while let Some(first) = cells.pop_first() {
        let mut region = [first.0, first.1, first.0, first.1];
        let mut due = vec![first];
        while let Some((row, column)) = due.pop() {
            let [top, left, bottom, right] = region;
            region = [
                top.min(row),
                left.min(column),
                bottom.max(row),
                right.max(column),
            ];
            for near_row in row.saturating_sub(REACH)..=row + REACH {
                let columns = column.saturating_sub(REACH)..=column + REACH;
                for near in columns.map(|column| (near_row, column)) {
                    if cells.remove(&near) {
                        due.push(near);
                    }
                }
            }
        }
        regions.push(region);
    }
    regions
}

#[expect(
    clippy::cast_precision_loss,
    reason = "at most a few thousand pixels a side"
)]
fn area([top, left, bottom, right]: Cells, scale: f32) -> Area {
    let points = |cells: u32| (cells * CELL) as f32 / scale;
    Area {
        left: points(left),
        top: points(top),
        right: points(right + 1),
        bottom: points(bottom + 1),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share of the pixels")]
fn ratio(part: u32, of: u32) -> f32 {
    part as f32 / of.max(1) as f32
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn a_moved_edge_is_no_difference_and_a_new_line_is() {
        let drawn = |columns: std::ops::Range<u32>| {
            RgbImage::from_fn(64, 64, |x, _| match columns.contains(&x) {
                true => Rgb([0, 0, 0]),
                false => Rgb([255, 255, 255]),
            })
        };
        let count = |one: &RgbImage, other: &RgbImage| {
            let all = (0..64).flat_map(|y| (0..64).map(move |x| (x, y)));
            all.filter(|(x, y)| differs(one, other, *x, *y)).count()
        };
        assert_eq!(count(&drawn(10..20), &drawn(11..21)), 0);
        assert_eq!(count(&drawn(10..20), &drawn(10..22)), 128);
        assert_eq!(count(&drawn(0..0), &drawn(30..31)), 64);
    }

    #[test]
    fn near_cells_are_one_region() {
        let cells = BTreeSet::from([(0, 0), (1, 2), (9, 9), (0, 40)]);
        assert_eq!(regions(cells), [[0, 0, 1, 2], [0, 40, 0, 40], [9, 9, 9, 9]]);
    }
}
