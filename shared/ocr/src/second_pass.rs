//! Second OCR pass for text that the first pass missed, such as columns far from the rest: detects remaining letters, and
//! filters the result of sparse-text recognition.

use super::ocr_page::{Block, Line, Rectangle, Word, confidence, words};
use super::picture::Picture;

/// Minimum number of words of the first pass, to estimate the letter height.
const MIN_WORDS: usize = 4;
/// Minimum number of remaining letters that justifies a second pass.
const MIN_LETTERS: usize = 4;
/// Minimum confidence of words of the second pass: marks and noise are recognized with less.
const MIN_CONFIDENCE: f32 = 85.0;
/// Maximum width of a letter, in heights of words: wider dark areas are images.
const MAX_LETTER_WIDTH: f64 = 1.5;

/// Returns the picture with recognized words painted over, if letters remain.
pub(super) fn unrecognized(picture: &Picture, blocks: &[Block]) -> Option<Picture> {
    let height = height(blocks)?;
    let ink = ink_threshold(picture, blocks)?;
    let mut rest = Picture {
        samples: picture.samples.clone(),
        ..*picture
    };
    for word in words(blocks) {
        rest.paint_white(word.rectangle, height / 4.0);
    }
    let letters = letters(&rest, ink, height);
    (count_adjacent(&letters, height) >= MIN_LETTERS).then_some(rest)
}

/// Returns the confident lines of the second pass, grouped into columns of lines that overlap horizontally.
pub(super) fn confident(second: Vec<Block>, first: &[Block]) -> Vec<Block> {
    let Some(height) = height(first) else {
        return Vec::new();
    };
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

/// Returns the median word height, if enough words were recognized with confidence.
fn height(blocks: &[Block]) -> Option<f64> {
    let high = |word: &Word| word.rectangle.bottom - word.rectangle.top;
    let mut heights: Vec<f64> = words(blocks).map(high).collect();
    if heights.len() < MIN_WORDS || confidence(words(blocks))? < f64::from(MIN_CONFIDENCE) {
        return None;
    }
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied()
}

/// Returns the ink threshold: halfway between the ink of recognized words and the paper.
fn ink_threshold(picture: &Picture, blocks: &[Block]) -> Option<u8> {
    let mut inside = [0_usize; 256];
    for word in words(blocks) {
        picture.each_sample(word.rectangle, |sample| count(&mut inside, sample));
    }
    let mut page = [0; 256];
    let sampled = picture.samples.iter().step_by(7);
    sampled.for_each(|sample| count(&mut page, *sample));
    let (dark, paper) = (quantile(&inside, 0.05)?, quantile(&page, 0.5)?);
    (paper > dark.saturating_add(40)).then(|| dark.midpoint(paper))
}

fn count(histogram: &mut [usize; 256], sample: u8) {
    if let Some(count) = histogram.get_mut(usize::from(sample)) {
        *count += 1;
    }
}

fn quantile(histogram: &[usize; 256], part: f64) -> Option<u8> {
    let all: usize = histogram.iter().sum();
    let mut below = 0;
    (0..=u8::MAX).zip(histogram).find_map(|(sample, count)| {
        below += count;
        (below > 0 && to_number(below) >= part * to_number(all)).then_some(sample)
    })
}

fn to_number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Returns the connected components of ink that have the size of a letter.
fn letters(picture: &Picture, ink: u8, height: f64) -> Vec<Rectangle> {
    let (width, rows) = (picture.width as usize, picture.height as usize);
    let mut left: Vec<bool> = picture.samples.iter().map(|sample| *sample < ink).collect();
    let (mut letters, mut pending) = (Vec::new(), Vec::new());
    for start in 0..left.len().min(width * rows) {
        if !take(&mut left, start) {
            continue;
        }
        pending.push(start);
        let (mut lowest, mut highest) = ((width, rows), (0, 0));
        while let Some(place) = pending.pop() {
            let (x, y) = (place % width, place / width);
            lowest = (lowest.0.min(x), lowest.1.min(y));
            highest = (highest.0.max(x), highest.1.max(y));
            for near_y in y.saturating_sub(1)..(y + 2).min(rows) {
                for near_x in x.saturating_sub(1)..(x + 2).min(width) {
                    let near = near_y * width + near_x;
                    if take(&mut left, near) {
                        pending.push(near);
                    }
                }
            }
        }
        let area = Rectangle {
            left: to_number(lowest.0),
            top: to_number(lowest.1),
            right: to_number(highest.0 + 1),
            bottom: to_number(highest.1 + 1),
        };
        let (across, down) = (area.right - area.left, area.bottom - area.top);
        let is_letter = (0.4 * height..1.2 * height).contains(&down)
            && (0.08 * height..MAX_LETTER_WIDTH * height).contains(&across);
        if is_letter {
            letters.push(area);
        }
    }
    letters
}

/// Clears a mark; returns whether it was set.
fn take(marks: &mut [bool], place: usize) -> bool {
    marks.get_mut(place).is_some_and(std::mem::take)
}

/// Counts letters closely followed by another on the same line.
fn count_adjacent(letters: &[Rectangle], height: f64) -> usize {
    let mut letters = letters.to_vec();
    letters.sort_by(|one, two| one.left.total_cmp(&two.left));
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
