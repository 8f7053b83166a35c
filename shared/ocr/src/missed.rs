//! Finds text that the first reading has left out, as Tesseract does with columns that stand far from the rest: whether
//! letters are left where no word was read, and what a second look, for scattered words, is believed of.

use super::layout::{Block, Line, Rectangle, Word, confidence, words};
use super::picture::Picture;

/// Least words that the first reading has to have found, to know how large letters are.
const KNOWN: usize = 4;
/// Letters from which a second look is worth its time.
const LETTERS: usize = 4;
/// How sure a word of the second look has to be: marks and noise are read as words that are not.
const SURE: f32 = 85.0;
/// Most pixels of a letter, in squares of the height of words: larger dark areas are pictures.
const LARGEST: f64 = 1.5;

/// A picture with what was read painted over, if letters are left in it.
pub(super) fn rest(picture: &Picture, blocks: &[Block]) -> Option<Picture> {
    let height = height(blocks)?;
    let ink = ink(picture, blocks)?;
    let mut rest = Picture {
        samples: picture.samples.clone(),
        ..*picture
    };
    for word in words(blocks) {
        rest.paint_white(word.rectangle, height / 4.0);
    }
    let letters = letters(&rest, ink, height);
    (in_company(&letters, height) >= LETTERS).then_some(rest)
}

/// What is believed of a second look, as columns: lines that stand below each other are one.
pub(super) fn believed(second: Vec<Block>, first: &[Block]) -> Vec<Block> {
    let Some(height) = height(first) else {
        return Vec::new();
    };
    let mut columns: Vec<Block> = Vec::new();
    let mut region = first.iter().map(|block| block.region).max().unwrap_or(0);
    let lines = second.into_iter().flat_map(|block| block.lines);
    for line in lines.filter_map(|line| believed_line(line, height)) {
        let place = line.rectangle;
        let below = |column: &&mut Block| {
            column.rectangle.left < place.right && place.left < column.rectangle.right
        };
        match columns.iter_mut().find(below) {
            Some(column) => {
                column.rectangle = column.rectangle.with(place);
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

fn believed_line(mut line: Line, height: f64) -> Option<Line> {
    line.words.retain(|word| {
        let high = word.rectangle.bottom - word.rectangle.top;
        word.confidence.is_some_and(|sure| sure >= SURE)
            && word.text.chars().filter(|c| c.is_alphanumeric()).count() >= 2
            && (0.5 * height..1.6 * height).contains(&high)
    });
    let rectangles = line.words.iter().map(|word| word.rectangle);
    line.rectangle = rectangles.reduce(Rectangle::with)?;
    Some(line)
}

/// The height of most words, where enough were read and are sure.
fn height(blocks: &[Block]) -> Option<f64> {
    let high = |word: &Word| word.rectangle.bottom - word.rectangle.top;
    let mut heights: Vec<f64> = words(blocks).map(high).collect();
    if heights.len() < KNOWN || confidence(words(blocks))? < f64::from(SURE) {
        return None;
    }
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied()
}

/// The grey below which a pixel is ink: halfway between the dark of the words that were read and the paper.
fn ink(picture: &Picture, blocks: &[Block]) -> Option<u8> {
    let mut inside = [0_usize; 256];
    for word in words(blocks) {
        picture.each_sample(word.rectangle, |sample| count(&mut inside, sample));
    }
    let mut page = [0; 256];
    let every_other = picture.samples.iter().step_by(7);
    every_other.for_each(|sample| count(&mut page, *sample));
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

/// The connected areas of ink that have the size of a letter.
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
            && (0.08 * height..LARGEST * height).contains(&across);
        if is_letter {
            letters.push(area);
        }
    }
    letters
}

/// Takes a mark away; whether it was there.
fn take(marks: &mut [bool], place: usize) -> bool {
    marks.get_mut(place).is_some_and(std::mem::take)
}

/// How many letters stand right behind another one on the same line.
fn in_company(letters: &[Rectangle], height: f64) -> usize {
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
