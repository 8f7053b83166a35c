//! Tests of the features of table candidates that depend on their cells and on the gaps between them.

use super::*;
use crate::analysis::glyphs::sample;
use crate::analysis::tables::grid::Area;
use crate::analysis::tables::segment::tests::text;

/// A table of a page of 100 × 100 points with rows of these cells, each with the number of columns that it spans. Those without
/// rules have the number of their header rows.
fn grid(rows: &[&[usize]], head: Option<usize>) -> Grid {
    let columns = rows[0].iter().sum::<usize>();
    let edges =
        |count: usize| -> Vec<f32> { (0..=count).map(|edge| 100.0 * ratio(edge, count)).collect() };
    let (xs, ys) = (edges(columns), edges(rows.len()));
    let mut cells = Vec::new();
    for (row, spans) in rows.iter().enumerate() {
        let mut column = 0;
        for column_span in spans.iter().copied() {
            let end = column + column_span;
            cells.push(Area {
                row,
                column,
                row_span: 1,
                column_span,
                bounds: Rect::between((xs[column], ys[row]), (xs[end], ys[row + 1])),
            });
            column = end;
        }
    }
    Grid::of_areas(xs, ys, cells, head).unwrap()
}

/// A feature of a table with words from left to right at these baselines.
fn feature(name: &str, grid: &Grid, words: &[(f32, f32, f32)]) -> f32 {
    let words = words
        .iter()
        .map(|(left, right, y)| ('a', *left, *right, y - 8.0, y + 2.0, *y));
    let glyphs = sample::glyphs(&words.collect::<Vec<_>>());
    let page = Rect::between((0.0, 0.0), (100.0, 100.0));
    let content = Content::new(page, &[], &[], &glyphs);
    let features = features(grid, &content, &[]);
    let found: Vec<f32> = features
        .iter()
        .filter_map(|(known, value)| (*known == name).then_some(*value))
        .collect();
    assert_eq!(found.len(), 1, "{features:?}");
    found[0]
}

#[test]
fn columns_are_the_mean_number_of_cells_of_a_row() {
    let columns = |rows: &[&[usize]]| feature("columns", &grid(rows, None), &[]);
    assert_eq!(columns(&[&[1; 2], &[1; 2], &[1; 2]]), 0.25);
    assert_eq!(columns(&[&[1; 4], &[1; 4]]), 0.5);
    // Cells of several columns count once.
    assert_eq!(columns(&[&[4], &[1; 4]]), 2.5 / 8.0);
    assert_eq!(columns(&[&[1; 8], &[1; 8]]), 1.0);
    assert_eq!(columns(&[&[1; 20], &[1; 20]]), 1.0);
}

#[test]
fn filled_is_the_share_of_cells_with_text() {
    let rows: &[&[usize]] = &[&[1, 1], &[1, 1]];
    let words = [(5.0, 20.0, 15.0), (60.0, 80.0, 15.0), (5.0, 20.0, 65.0)];
    let filled = |words: &[(f32, f32, f32)], head| feature("filled", &grid(rows, head), words);
    assert_eq!(filled(&[], None), 0.0);
    assert_eq!(filled(&words, None), 0.75);
    // Several lines of a cell count once.
    let with_line = [&words[..], &[(5.0, 20.0, 30.0)]].concat();
    assert_eq!(filled(&with_line, None), 0.75);
    // A few aligned texts without rules are there by chance.
    assert_eq!(filled(&words, Some(0)), 3.0 / 8.0);
}

#[test]
fn gap_is_the_median_of_the_gaps_between_cells_relative_to_the_text() {
    let table = grid(&[&[1, 1], &[1, 1], &[1, 1]], None);
    let gaps = |gaps: [f32; 3]| {
        let rows = [20.0, 50.0, 80.0].into_iter().zip(gaps);
        let words = rows.flat_map(|(y, gap)| {
            let edge = gap / 2.0;
            [(2.0, 50.0 - edge, y), (50.0 + edge, 98.0, y)]
        });
        feature("gap", &table, &words.collect::<Vec<_>>())
    };
    assert_eq!(gaps([10.0, 10.0, 10.0]), 0.2);
    assert_eq!(gaps([10.0, 90.0, 20.0]), 0.4);
    assert_eq!(gaps([60.0, 60.0, 60.0]), 1.0);
    let row = [text(20.0, &[(0.0, 30.0), (50.0, 80.0)], false)];
    assert_eq!([10.0, 20.0].map(|size| gap(&row, size)), [0.4, 0.2]);
    // Without several cells in a line, nothing is known.
    assert_eq!(feature("gap", &table, &[(2.0, 40.0, 20.0)]), 0.5);
}
