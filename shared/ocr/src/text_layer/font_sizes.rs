//! Font sizes of lines. Lines without ascenders or descenders would otherwise get a smaller size than the other lines of their
//! paragraph, and readers separate lines of different sizes.

use super::super::ocr_page::{Block, Line};
use super::{Axis, MIN_SIZE};

/// Maximum relative difference between a line and its paragraph, or a paragraph and the page, for the same font size.
const MAX_DIFFERENCE: f64 = 0.3;

/// Returns all lines with their font size in pixels.
pub(super) fn lines(blocks: &[Block]) -> impl Iterator<Item = (&Line, f64)> {
    let measured: Vec<Vec<f64>> = blocks
        .iter()
        .map(|block| block.lines.iter().map(height).collect())
        .collect();
    let page = median(measured.iter().flatten().copied());
    let sizes = measured.into_iter().map(move |heights| {
        let block = snap_to(median(heights.iter().copied()), page);
        heights
            .into_iter()
            .map(move |height| snap_to(height, block))
    });
    let lines = blocks.iter().zip(sizes);
    lines.flat_map(|(block, sizes)| block.lines.iter().zip(sizes))
}

/// Returns the height of the highest word.
fn height(line: &Line) -> f64 {
    let axis = Axis::of(line);
    let heights = line
        .words
        .iter()
        .map(|word| axis.extent_across(word.rectangle));
    heights.fold(MIN_SIZE, |most, (low, high)| most.max(high - low))
}

/// Returns the common size if the size is close to it.
fn snap_to(size: f64, most: f64) -> f64 {
    match (size / most - 1.0).abs() <= MAX_DIFFERENCE {
        true => most,
        false => size,
    }
}

fn median(sizes: impl Iterator<Item = f64>) -> f64 {
    let mut sizes: Vec<f64> = sizes.collect();
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(MIN_SIZE)
}

#[cfg(test)]
mod tests {
    use super::super::super::ocr_page::{Rectangle, Word};
    use super::*;

    fn block(heights: &[f64]) -> Block {
        let mut block = Block::new(0, Rectangle::default());
        block.lines = heights
            .iter()
            .map(|height| {
                let rectangle = Rectangle {
                    right: 50.0,
                    bottom: *height,
                    ..Rectangle::default()
                };
                Line {
                    rectangle,
                    words: vec![Word::new("word", rectangle, None).unwrap()],
                    ..Line::default()
                }
            })
            .collect();
        block
    }

    #[test]
    fn lines_of_a_text_share_a_size_and_headings_differ() {
        let blocks = [block(&[60.0]), block(&[30.0, 25.0, 31.0]), block(&[28.0])];
        let sizes: Vec<f64> = lines(&blocks).map(|(_, size)| size).collect();
        assert_eq!(sizes, [60.0, 30.0, 30.0, 30.0, 30.0]);
    }
}
