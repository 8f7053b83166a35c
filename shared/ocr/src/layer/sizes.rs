//! How large the letters of a line are. Lines without letters that reach up or down would count as smaller than others of
//! the same paragraph, and readers take lines of different sizes apart.

use super::super::layout::{Block, Line};
use super::{Axis, SMALLEST};

/// By what part a line may differ from its paragraph, or a paragraph from the page, and still be of the same size.
const SAME: f64 = 0.3;

/// All lines, each with the size of its letters in pixels.
pub(super) fn lines(blocks: &[Block]) -> impl Iterator<Item = (&Line, f64)> {
    let measured: Vec<Vec<f64>> = blocks
        .iter()
        .map(|block| block.lines.iter().map(height).collect())
        .collect();
    let page = median(measured.iter().flatten().copied());
    let sizes = measured.into_iter().map(move |heights| {
        let block = as_most(median(heights.iter().copied()), page);
        heights
            .into_iter()
            .map(move |height| as_most(height, block))
    });
    let lines = blocks.iter().zip(sizes);
    lines.flat_map(|(block, sizes)| block.lines.iter().zip(sizes))
}

/// The height of the highest word.
fn height(line: &Line) -> f64 {
    let axis = Axis::of(line);
    let heights = line.words.iter().map(|word| axis.across(word.rectangle));
    heights.fold(SMALLEST, |most, (low, high)| most.max(high - low))
}

/// A size, or what most have if it is about the same.
fn as_most(size: f64, most: f64) -> f64 {
    match (size / most - 1.0).abs() <= SAME {
        true => most,
        false => size,
    }
}

fn median(sizes: impl Iterator<Item = f64>) -> f64 {
    let mut sizes: Vec<f64> = sizes.collect();
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(SMALLEST)
}

#[cfg(test)]
mod tests {
    use super::super::super::layout::{Rectangle, Word};
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
    fn lines_of_one_text_are_of_one_size_and_a_heading_is_not() {
        let blocks = [block(&[60.0]), block(&[30.0, 25.0, 31.0]), block(&[28.0])];
        let sizes: Vec<f64> = lines(&blocks).map(|(_, size)| size).collect();
        assert_eq!(sizes, [60.0, 30.0, 30.0, 30.0, 30.0]);
    }
}
