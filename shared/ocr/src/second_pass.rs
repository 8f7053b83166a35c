//! Second OCR pass for text that the first pass missed, such as columns far from the rest: decides whether it is needed, and
//! filters its result.

use super::blots::Blot;
use super::ocr_page::{Block, Line, Rectangle, confidence, words};
use super::unread::Rest;

/// Minimum number of remaining letters that justifies a second pass.
const MIN_LETTERS: usize = 4;
/// Minimum confidence of words of the second pass: marks and noise are recognized with less.
const MIN_CONFIDENCE: f32 = 85.0;
/// Maximum width of a letter, in heights of words: wider ones touch.
const WIDE: f64 = 1.5;

/// Returns whether letters remain on a page that is recognized well enough for a second pass.
pub(super) fn is_needed(rest: &Rest, blocks: &[Block]) -> bool {
    let sure = confidence(words(blocks)).is_some_and(|sure| sure >= f64::from(MIN_CONFIDENCE));
    sure && count_adjacent(&rest.letters, rest.height) >= MIN_LETTERS
}

/// Returns the confident lines of the second pass, grouped into columns of lines that overlap horizontally.
pub(super) fn confident(second: Vec<Block>, first: &[Block], height: f64) -> Vec<Block> {
    let mut columns: Vec<Block> = Vec::new();
    let mut region = first.iter().map(|block| block.region).max().unwrap_or(0);
    let lines = second.into_iter().flat_map(|block| block.lines);
    for line in lines.filter_map(|line| confident_line(line, height)) {
        let place = line.rectangle;
        let below = |column: &&mut Block| {
            column.rectangle.left < place.right && place.left < column.rectangle.right
        };
        match columns.iter_mut().find(below) {
            Some(column) => {
                column.rectangle = column.rectangle.union(place);
                column.lines.push(line);
            }
            None => {
                region += 1;
                let mut column = Block::new(region, place);
                column.lines.push(line);
                columns.push(column);
            }
        }
    }
    for column in &mut columns {
        let top = |line: &Line| line.rectangle.top;
        column
            .lines
            .sort_by(|one, two| top(one).total_cmp(&top(two)));
    }
    columns
}

fn confident_line(mut line: Line, height: f64) -> Option<Line> {
    line.words.retain(|word| {
        let high = word.rectangle.bottom - word.rectangle.top;
        word.confidence
            .is_some_and(|confidence| confidence >= MIN_CONFIDENCE)
            && word.text.chars().filter(|c| c.is_alphanumeric()).count() >= 2
            && (0.5 * height..1.6 * height).contains(&high)
    });
    let rectangles = line.words.iter().map(|word| word.rectangle);
    line.rectangle = rectangles.reduce(Rectangle::union)?;
    Some(line)
}

/// Counts letters closely followed by another on the same line.
fn count_adjacent(letters: &[Blot], height: f64) -> usize {
    let places = letters.iter().map(|letter| letter.place);
    let letters: Vec<Rectangle> = places
        .filter(|place| place.width() < WIDE * height)
        .collect();
    let follows = |(index, letter): (usize, &Rectangle)| {
        let after = letters.iter().skip(index + 1);
        let mut near = after.take_while(|next| next.left - letter.right <= 0.5 * height);
        near.any(|next| {
            next.left >= letter.left + 0.05 * height
                && (next.bottom - letter.bottom).abs() <= 0.2 * height
        })
    };
    letters
        .iter()
        .enumerate()
        .filter(|letter| follows(*letter))
        .count()
}
