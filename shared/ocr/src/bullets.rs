//! Detects bullets before lines, which Tesseract omits or misreads as letters: small isolated dark components at x-height.

use super::blots::{Blot, blots};
use super::lettering;
use super::ocr_page::{Block, Line, Rectangle, Word};
use super::picture::Picture;
use super::sizes::{Proportions, rough};

/// The character inserted for a bullet.
const BULLET: &str = "•";
/// Maximum brightness of a pixel of a bullet, as a fraction of the paper.
const INK: f64 = 0.6;
/// In multiples of the font size: maximum distance of a bullet before its line, free space after and before it, its size, and
/// the height of its center above the baseline.
const BEFORE: f64 = 4.5;
const BEHIND: f64 = 0.28;
const FREE: f64 = 0.5;
const LARGE: std::ops::RangeInclusive<f64> = 0.13..=0.55;
const MIDDLE: std::ops::RangeInclusive<f64> = 0.14..=0.5;
/// Maximum aspect ratio, and minimum fill of the bounding box.
const ASKEW: f64 = 1.5;
const FILLED: f64 = 0.6;
/// Search range above and below the baseline, in multiples of the font size; smaller than the line spacing.
const ABOVE: f64 = 0.8;
const BELOW: f64 = 0.3;

/// Inserts bullets at the beginning of the lines of an upright page with the given slope, replacing misread words.
pub(super) fn find(blocks: &mut Vec<Block>, picture: &Picture, slope: f64, paper: f64) {
    let lines = blocks.iter().flat_map(|block| &block.lines);
    let found: Vec<Option<Rectangle>> = lines
        .map(|line| before(line, picture, slope, paper))
        .collect();
    let places: Vec<Rectangle> = found.iter().flatten().copied().collect();
    let lines = blocks.iter_mut().flat_map(|block| &mut block.lines);
    for (line, bullet) in lines.zip(found) {
        forget(line, &places);
        if let Some(bullet) = bullet.filter(|_| !line.words.is_empty()) {
            mark(line, bullet);
        }
    }
    for block in blocks.iter_mut() {
        block.lines.retain(|line| !line.words.is_empty());
    }
    blocks.retain(|block| !block.lines.is_empty());
}

/// Finds the bullet before a line.
fn before(line: &Line, picture: &Picture, slope: f64, paper: f64) -> Option<Rectangle> {
    let [x, y, u, v] = line.baseline.filter(|_| !is_from_right(line))?;
    let at = |place: f64| f64::midpoint(y, v) + slope * (place - f64::midpoint(x, u));
    let size = size(line, slope)?;
    let text = line.words.iter().find(|word| says(word))?.rectangle;
    let searched = Rectangle {
        left: text.left - BEFORE * size,
        right: text.left + size,
        top: at(text.left) - ABOVE * size,
        bottom: at(text.left) + BELOW * size,
    };
    let blots = blots(picture, searched, INK * paper);
    let is_bullet = |blot: &&Blot| {
        let (x, y) = blot.place.center();
        is_round(blot, size) && MIDDLE.contains(&((at(x) - y) / size))
    };
    let bullet = blots.iter().find(is_bullet)?.place;
    let is_apart = |Blot { place, .. }: &Blot| {
        *place == bullet
            || place.right <= bullet.left - FREE * size
            || place.left >= bullet.right + BEHIND * size
    };
    let is_first = bullet.left <= text.left + BEHIND * size;
    (is_first && blots.iter().all(is_apart)).then_some(bullet)
}

/// Estimates the font size of a line, by its highest word if its letters do not determine it.
fn size(line: &Line, slope: f64) -> Option<f64> {
    let heights = line.words.iter().filter(|word| says(word));
    let heights = heights.map(|word| word.rectangle.bottom - word.rectangle.top);
    let estimate = rough(line, slope, Proportions::default()).map(|rough| rough.size);
    estimate.or_else(|| heights.reduce(f64::max))
}

/// Returns whether a line is right-to-left, where letters have dots and bullets are on the right.
fn is_from_right(line: &Line) -> bool {
    let mut letters = line.words.iter().flat_map(|word| word.text.chars());
    line.right_to_left || letters.any(lettering::is_from_right)
}

/// Returns whether a word is too long to be a misrecognized bullet.
fn says(word: &Word) -> bool {
    word.text.chars().filter(|c| c.is_alphanumeric()).count() > 1
}

fn is_round(blot: &Blot, size: f64) -> bool {
    let place = blot.place;
    let (across, down) = (place.right - place.left, place.bottom - place.top);
    blot.is_whole
        && LARGE.contains(&(across / size))
        && LARGE.contains(&(down / size))
        && across.max(down) <= ASKEW * across.min(down)
        && blot.pixels >= FILLED * across * down
}

/// Removes the words that bullets were misread as: signs, single letters, and words that cover several bullets.
fn forget(line: &mut Line, bullets: &[Rectangle]) {
    line.words.retain(|word| {
        let covered = bullets
            .iter()
            .filter(|bullet| word.rectangle.contains_center(**bullet));
        match covered.count() {
            0 => true,
            1 => says(word),
            _ => false,
        }
    });
}

/// Inserts a bullet before a line, and removes the sign it was misread as from the first word.
fn mark(line: &mut Line, bullet: Rectangle) {
    let is_sign = |word: &Word| {
        !word.text.contains(char::is_alphanumeric) && word.rectangle.left <= bullet.right
    };
    while line.words.first().is_some_and(is_sign) {
        line.words.remove(0);
    }
    if let Some(first) = line.words.first_mut() {
        let is_beside = first.rectangle.contains_center(bullet);
        let is_left = |c: char| c == '_' || is_beside && !c.is_alphanumeric();
        first.text = first.text.trim_start_matches(is_left).to_owned();
        if is_beside {
            let free = bullet.right + (bullet.right - bullet.left);
            first.rectangle.left = free.min(first.rectangle.right);
        }
    }
    line.rectangle = line.rectangle.union(bullet);
    line.words.splice(..0, Word::new(BULLET, bullet, None));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with dots of a position and size, and a bar per word.
    fn drawn(dots: &[(u32, u32, u32)], words: &[Rectangle]) -> Picture {
        let (width, height) = (300, 100);
        let is_dark = |x: u32, y: u32| {
            let in_dot = |(left, top, side): &(u32, u32, u32)| {
                (*left..left + side).contains(&x) && (*top..top + side).contains(&y)
            };
            let in_word = |word: &Rectangle| {
                let (x, y) = (f64::from(x), f64::from(y));
                (word.left..word.right).contains(&x) && (word.top..word.bottom).contains(&y)
            };
            dots.iter().any(in_dot) || words.iter().any(in_word)
        };
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Picture {
            samples: pixels
                .map(|(x, y)| if is_dark(x, y) { 20 } else { 250 })
                .collect(),
            width,
            height,
            resolution: None,
        }
    }

    fn word(text: &str, left: f64, right: f64) -> Word {
        let place = Rectangle {
            left,
            top: 40.0,
            right,
            bottom: 60.0,
        };
        Word::new(text, place, Some(90.0)).unwrap()
    }

    fn found(dots: &[(u32, u32, u32)], words: &[Word]) -> Vec<String> {
        let drawn_words: Vec<_> = words
            .iter()
            .filter(|word| says(word))
            .map(|word| word.rectangle)
            .collect();
        let picture = drawn(dots, &drawn_words);
        let places = words.iter().map(|word| word.rectangle);
        let mut block = Block::new(0, Rectangle::default());
        block.lines.push(Line {
            rectangle: places.reduce(Rectangle::union).unwrap(),
            baseline: Some([0.0, 60.0, 300.0, 60.0]),
            right_to_left: false,
            is_vertical: false,
            words: words.to_vec(),
        });
        let mut blocks = vec![block];
        find(&mut blocks, &picture, 0.0, 250.0);
        let lines = blocks.iter().flat_map(|block| &block.lines);
        lines.map(Line::text).collect()
    }

    #[test]
    fn a_blot_before_a_line_is_a_bullet() {
        let text = word("Lamps", 100.0, 180.0);
        let bullet = (70, 51, 6);
        assert_eq!(found(&[bullet], std::slice::from_ref(&text)), ["• Lamps"]);
        let taken = word("e", 69.0, 77.0);
        assert_eq!(found(&[bullet], &[taken, text.clone()]), ["• Lamps"]);
        // A full stop, the dots of a colon, a speck, a bullet preceded by a letter, and nothing.
        for dots in [
            &[(70, 56, 4)][..],
            &[(70, 51, 4), (70, 43, 4)],
            &[(70, 52, 1)],
            &[bullet, (66, 45, 3)],
            &[],
        ] {
            assert_eq!(
                found(dots, std::slice::from_ref(&text)),
                ["Lamps"],
                "{dots:?}"
            );
        }
    }

    #[test]
    fn a_word_misread_from_several_bullets_is_removed() {
        let line = |text: &str, top: f64| Line {
            rectangle: Rectangle {
                left: 100.0,
                top,
                right: 180.0,
                bottom: top + 20.0,
            },
            baseline: Some([100.0, top + 20.0, 180.0, top + 20.0]),
            right_to_left: false,
            is_vertical: false,
            words: vec![Word {
                rectangle: Rectangle {
                    left: 100.0,
                    top,
                    right: 180.0,
                    bottom: top + 20.0,
                },
                ..word(text, 100.0, 180.0)
            }],
        };
        let mut column = line("vwPB", 10.0);
        column.words[0].rectangle = Rectangle {
            left: 68.0,
            top: 12.0,
            right: 78.0,
            bottom: 80.0,
        };
        let mut lines = vec![line("Lamps", 10.0), line("Knives", 60.0)];
        let bars: Vec<_> = lines.iter().map(|line| line.rectangle).collect();
        let picture = drawn(&[(70, 21, 6), (70, 71, 6)], &bars);
        lines.push(column);
        let mut blocks = vec![Block {
            lines,
            ..Block::new(0, Rectangle::default())
        }];
        find(&mut blocks, &picture, 0.0, 250.0);
        let texts: Vec<_> = blocks[0].lines.iter().map(Line::text).collect();
        assert_eq!(texts, ["• Lamps", "• Knives"]);
    }
}
