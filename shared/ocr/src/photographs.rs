//! Detects photographs on a scanned page: areas of varied brightness with little paper and few words.

use std::collections::BTreeSet;

use task::matrix::Matrix;

use super::ocr_page::{Block, Rectangle, Word, is_written_without_spaces, words};
use super::picture::{Picture, number};
use super::straight::Straight;

/// Maximum brightness of a non-paper pixel as a fraction of the paper, and minimum fraction of such pixels in a covered cell.
const PAPER: f64 = 0.85;
const COVERED: f64 = 0.5;
/// Cell size in points, and number of samples per cell and axis.
const PLACE: f64 = 4.5;
const PIXELS: u32 = 6;
/// Minimum side of a photograph in points, and of one at the page edge, where scanners show the edge of the paper.
const LEAST: f64 = 28.0;
const AT_EDGE: f64 = 85.0;
/// Minimum fraction of covered cells in a photograph.
const FULL: f64 = 0.6;
/// Minimum standard deviation of the brightness of its cells: areas of one color are no photographs.
const VARIED: f64 = 8.0;
/// Minimum confidence and length of a credible word, number of credible words that rule out a photograph, and maximum fraction
/// of its area that they may cover. Ideographs and syllables count as long words; shorter words need the confidence of labels.
const SURE: f32 = 60.0;
const LONG: usize = 3;
const WORDS: usize = 3;
const LETTERED: f64 = 0.08;
/// Minimum confidence of a word that stays although it is within a photograph.
const LABEL: f32 = 85.0;
/// Minimum coverage of a pixel row at the edge of a photograph.
const EDGE: f64 = 0.4;

/// Bounds of a credible word, and the number of letters that count.
type CredibleWord = (Rectangle, usize);

/// Finds photographs in the deskewed picture. `point` is the number of pixels per point, `paper` the brightness of the paper.
pub(super) fn find(
    picture: &Picture,
    straight: &Straight,
    blocks: &[Block],
    (point, paper): (f64, f64),
) -> Vec<Rectangle> {
    let view = View {
        picture,
        back: straight.back(),
        dark: PAPER * paper,
    };
    let places = Places::of(&view, straight.sides, PLACE * point);
    let to = straight.upright.then(straight.level);
    let credible_words = words(blocks).filter(|word| is_credible(word));
    let credible_words: Vec<CredibleWord> = credible_words
        .map(|word| (word.rectangle.transformed(to), length(word)))
        .collect();
    let whole = Rectangle {
        right: straight.sides.0.into(),
        bottom: straight.sides.1.into(),
        ..Rectangle::default()
    };
    let areas = places.areas().into_iter();
    let areas = areas.map(|area| view.trimmed(area, PLACE * point));
    areas
        .filter(|area| is_large(area, &whole, point) && !says(area, &credible_words))
        .collect()
}

/// Returns whether any word is credible: words recognized in noise are not.
pub(super) fn has_credible_word(blocks: &[Block]) -> bool {
    words(blocks).any(is_credible)
}

/// Removes words within photographs, except confident ones.
pub(super) fn clear(blocks: &mut Vec<Block>, straight: &Straight, photographs: &[Rectangle]) {
    let to = straight.upright.then(straight.level);
    let is_in = |word: &Word| {
        let place = word.rectangle.transformed(to);
        photographs.iter().any(|area| area.contains_center(place))
    };
    for block in blocks.iter_mut() {
        for line in &mut block.lines {
            // Confident words stay only if one of them has letters. Bullets do not count: they were not recognized.
            let is_label = |word: &Word| is_in(word) && is_read(word) && is_sure(word, LABEL);
            let mut labels = line.words.iter().filter(|word| is_label(word));
            let is_labeled = labels.any(|word| letters(word).count() > 0);
            line.words
                .retain(|word| !is_in(word) || is_labeled && is_sure(word, LABEL));
        }
        block.lines.retain(|line| !line.words.is_empty());
    }
    blocks.retain(|block| !block.lines.is_empty());
}

fn is_read(word: &Word) -> bool {
    word.confidence.is_some()
}

fn is_sure(word: &Word, least: f32) -> bool {
    word.confidence.is_none_or(|sure| sure >= least)
}

/// Returns whether a word is so confident that it is not noise.
pub(super) fn is_credible(word: &Word) -> bool {
    match letters(word).count() {
        0 => false,
        few if few < LONG => is_sure(word, LABEL),
        _ => is_sure(word, SURE),
    }
}

fn letters(word: &Word) -> impl Iterator<Item = char> {
    word.text.chars().filter(|c| c.is_alphanumeric())
}

/// Returns the number of letters that count: limited, and 0 for words without confidence, as an earlier OCR may have
/// recognized noise.
fn length(word: &Word) -> usize {
    match letters(word).any(is_word) {
        _ if !is_read(word) => 0,
        true => LONG,
        false => letters(word).count().min(LONG),
    }
}

/// Returns whether a character is a Chinese, Japanese or Korean ideograph or syllable.
fn is_word(character: char) -> bool {
    is_written_without_spaces(character) || matches!(character, '\u{ac00}'..='\u{d7a3}')
}

fn is_large(area: &Rectangle, whole: &Rectangle, point: f64) -> bool {
    let near = PLACE * point;
    let at_edge = area.left - whole.left < near
        || area.top - whole.top < near
        || whole.right - area.right < near
        || whole.bottom - area.bottom < near;
    let least = if at_edge { AT_EDGE } else { LEAST } * point;
    area.right - area.left >= least && area.bottom - area.top >= least
}

/// Returns whether an area is text on a colored background.
fn says(area: &Rectangle, credible_words: &[CredibleWord]) -> bool {
    let size = |one: &Rectangle| (one.right - one.left) * (one.bottom - one.top);
    let inside = || {
        credible_words
            .iter()
            .filter(|(place, _)| area.contains_center(*place))
    };
    let taken: f64 = inside().map(|(place, _)| size(place)).sum();
    let letters: usize = inside().map(|(_, letters)| letters).sum();
    letters >= WORDS * LONG || taken > LETTERED * size(area)
}

/// The deskewed picture.
struct View<'a> {
    picture: &'a Picture,
    back: Matrix,
    dark: f64,
}

impl View<'_> {
    fn sample(&self, place: (f64, f64)) -> Option<f64> {
        self.picture.sample(self.back.apply(place)).map(f64::from)
    }

    fn is_dark(&self, place: (f64, f64)) -> bool {
        self.sample(place).is_some_and(|sample| sample < self.dark)
    }

    /// Refines the edges of an area, known to one cell, to the pixel.
    fn trimmed(&self, area: Rectangle, by: f64) -> Rectangle {
        let mut area = Rectangle {
            left: area.left - by,
            top: area.top - by,
            right: area.right + by,
            bottom: area.bottom + by,
        };
        let most = 2.0 * by;
        let down = |x: f64, area: &Rectangle| self.covered((x, area.top), (x, area.bottom));
        let across = |y: f64, area: &Rectangle| self.covered((area.left, y), (area.right, y));
        area.left += steps(most, |step| down(area.left + step, &area));
        area.right -= steps(most, |step| down(area.right - step, &area));
        area.top += steps(most, |step| across(area.top + step, &area));
        area.bottom -= steps(most, |step| across(area.bottom - step, &area));
        area
    }

    /// Returns the fraction of non-paper pixels along a line.
    fn covered(&self, (x, y): (f64, f64), (u, v): (f64, f64)) -> f64 {
        const POINTS: u32 = 200;
        let at = |part: u32| {
            let part = (f64::from(part) + 0.5) / f64::from(POINTS);
            (x + (u - x) * part, y + (v - y) * part)
        };
        let dark = (0..POINTS).filter(|part| self.is_dark(at(*part)));
        f64::from(u32::try_from(dark.count()).unwrap_or(0)) / f64::from(POINTS)
    }
}

/// Returns the number of pixels before an edge.
fn steps(most: f64, covered: impl Fn(f64) -> f64) -> f64 {
    let mut step = 0.0;
    while step < most && covered(step + 0.5) < EDGE {
        step += 1.0;
    }
    step
}

/// Covered cells of a deskewed picture with their mean brightness.
struct Places {
    covered: Vec<Option<f64>>,
    width: usize,
    height: usize,
    side: f64,
}

impl Places {
    fn of(view: &View<'_>, sides: (u32, u32), side: f64) -> Self {
        let count = |pixels: u32| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "fewer than pixels"
            )]
            let count = (f64::from(pixels) / side).ceil() as usize;
            count
        };
        let (width, height) = (count(sides.0), count(sides.1));
        let places = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let corner = |(column, row)| (number(column) * side, number(row) * side);
        let shade = |place| shade(view, corner(place), side);
        Self {
            covered: places.map(shade).collect(),
            width,
            height,
            side,
        }
    }

    /// Returns the bounding boxes of nearby covered cells that look like photographs.
    fn areas(&self) -> Vec<Rectangle> {
        let mut left: BTreeSet<(usize, usize)> = (0..self.width * self.height)
            .map(|place| (place % self.width, place / self.width))
            .filter(|place| self.shade(*place).is_some())
            .collect();
        let mut areas = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut together = vec![first];
            let mut next = 0;
            while let Some((column, row)) = together.get(next).copied() {
                next += 1;
                for near in around(column, row) {
                    together.extend(left.take(&near));
                }
            }
            areas.extend(self.area(&together));
        }
        areas
    }

    fn shade(&self, (column, row): (usize, usize)) -> Option<f64> {
        self.covered
            .get(row * self.width + column)
            .copied()
            .flatten()
    }

    fn area(&self, together: &[(usize, usize)]) -> Option<Rectangle> {
        let columns = || together.iter().map(|(column, _)| *column);
        let rows = || together.iter().map(|(_, row)| *row);
        let (left, right) = (columns().min()?, columns().max()? + 1);
        let (top, bottom) = (rows().min()?, rows().max()? + 1);
        let all = number((right - left) * (bottom - top));
        let shades: Vec<f64> = together
            .iter()
            .filter_map(|place| self.shade(*place))
            .collect();
        let is_one = number(together.len()) >= FULL * all && deviation(&shades) >= VARIED;
        is_one.then_some(Rectangle {
            left: number(left) * self.side,
            top: number(top) * self.side,
            right: number(right) * self.side,
            bottom: number(bottom) * self.side,
        })
    }
}

/// Returns a cell and its neighbors at a distance of up to two.
fn around(column: usize, row: usize) -> impl Iterator<Item = (usize, usize)> {
    let rows = row.saturating_sub(2)..=row + 2;
    rows.flat_map(move |row| {
        (column.saturating_sub(2)..=column + 2).map(move |column| (column, row))
    })
}

/// Returns the mean brightness of the non-paper pixels of a cell, if it is covered.
fn shade(view: &View<'_>, (left, top): (f64, f64), side: f64) -> Option<f64> {
    let step = side / f64::from(PIXELS);
    let at = |part: u32| (f64::from(part) + 0.5) * step;
    let (mut sum, mut dark, mut seen) = (0.0, 0.0, 0.0);
    for row in 0..PIXELS {
        for column in 0..PIXELS {
            if let Some(sample) = view.sample((left + at(column), top + at(row))) {
                seen += 1.0;
                if sample < view.dark {
                    dark += 1.0;
                    sum += sample;
                }
            }
        }
    }
    (seen > 0.0 && dark >= COVERED * seen).then(|| sum / dark)
}

fn deviation(shades: &[f64]) -> f64 {
    let count = number(shades.len()).max(1.0);
    let mean = shades.iter().sum::<f64>() / count;
    let off = shades.iter().map(|shade| (shade - mean).powi(2));
    (off.sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(shade: impl Fn(u32, u32) -> u8) -> Picture {
        let (width, height) = (400, 300);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Picture {
            samples: pixels.map(|(x, y)| shade(x, y)).collect(),
            width,
            height,
            resolution: None,
        }
    }

    /// A word within the photograph.
    fn word(text: &str, left: f64, sure: f32) -> Word {
        let place = Rectangle {
            left,
            top: 130.0,
            right: left + 6.0,
            bottom: 140.0,
        };
        Word::new(text, place, Some(sure)).unwrap()
    }

    fn block(words: &[Word]) -> Block {
        let mut block = Block::new(0, Rectangle::default());
        block.lines.push(super::super::ocr_page::Line {
            words: words.to_vec(),
            ..Default::default()
        });
        block
    }

    fn found(shade: impl Fn(u32, u32) -> u8, words: &[Word]) -> Vec<Rectangle> {
        let picture = picture(shade);
        let straight = Straight {
            upright: Matrix::IDENTITY,
            level: Matrix::IDENTITY,
            sides: (400, 300),
            slope: 0.0,
        };
        find(&picture, &straight, &[block(words)], (1.0, 250.0))
    }

    fn is_in(x: u32, y: u32) -> bool {
        (110..230).contains(&x) && (100..190).contains(&y)
    }

    fn photograph(x: u32, y: u32) -> u8 {
        match is_in(x, y) {
            true => u8::try_from(20 + (x + 2 * y) % 190).unwrap(),
            false => 250,
        }
    }

    #[test]
    fn a_photograph_is_found_where_it_is() {
        let [area] = found(photograph, &[])[..] else {
            panic!("not one photograph");
        };
        let off = [
            area.left - 110.0,
            area.top - 100.0,
            area.right - 230.0,
            area.bottom - 190.0,
        ];
        assert!(off.iter().all(|off| off.abs() <= 2.0), "{area:?}");
    }

    #[test]
    fn letters_noise_plain_areas_and_page_edges_are_not_photographs() {
        let lettered = [("over", 120.0), ("the", 155.0), ("sea", 190.0)];
        let lettered = lettered.map(|(text, left)| word(text, left, 70.0));
        assert_eq!(found(photograph, &lettered), []);
        assert_eq!(found(|x, y| if is_in(x, y) { 90 } else { 250 }, &[]), []);
        assert_eq!(
            found(|x, y| if (x * 7 + y * 13) % 3 == 0 { 60 } else { 250 }, &[]),
            []
        );
        let edge = |x, y| {
            if x < 40 {
                u8::try_from((x + y) % 200).unwrap()
            } else {
                250
            }
        };
        assert_eq!(found(edge, &[]), []);
        let small = |x, y| if x < 130 { photograph(x, y) } else { 250 };
        assert_eq!(found(small, &[]), []);
    }

    #[test]
    fn short_words_on_a_background_are_text_and_noise_is_not() {
        let said = |words: [(&str, f32); 4]| -> Vec<Word> {
            let places = [120.0, 140.0, 160.0, 180.0];
            let words = words.into_iter().zip(places);
            words
                .map(|((text, sure), left)| word(text, left, sure))
                .collect()
        };
        for sure in [
            [("日", 93.0), ("本", 96.0), ("茶", 90.0), ("。", 91.0)],
            [("녹차", 90.0), ("주", 90.0), ("の", 90.0), ("%", 90.0)],
        ] {
            assert_eq!(found(photograph, &said(sure)), [], "{sure:?}");
        }
        for noise in [
            [("日", 60.0), ("二", 80.0), ("一", 84.0), ("人", 70.0)],
            [("ee", 80.0), ("|", 95.0), ("a", 84.0), ("—", 95.0)],
            [("lighthouse", 95.0), ("I", 95.0), ("|", 95.0), ("x1", 95.0)],
        ] {
            assert_eq!(found(photograph, &said(noise)).len(), 1, "{noise:?}");
        }
        let numbers = ["12", "5", "%", "340", "19", "7"];
        let numbers = numbers
            .iter()
            .zip([112.0, 130.0, 150.0, 170.0, 190.0, 210.0]);
        let numbers: Vec<Word> = numbers.map(|(text, left)| word(text, left, 92.0)).collect();
        assert_eq!(found(photograph, &numbers), []);
    }

    #[test]
    fn words_in_a_photograph_are_removed_unless_confident() {
        let area = found(photograph, &[]);
        let bullet = Word {
            confidence: None,
            ..word("•", 120.0, 0.0)
        };
        let mut blocks = vec![
            block(&[
                word("noise", 120.0, 84.0),
                word("pier", 140.0, 92.0),
                word("茶", 160.0, 90.0),
                word("5", 180.0, 85.0),
                word("%", 200.0, 90.0),
                word("on", 250.0, 40.0),
            ]),
            block(&[bullet, word("noise", 140.0, 40.0)]),
            block(&[word("|", 140.0, 95.0)]),
        ];
        clear(&mut blocks, &Straight::of(&[], (400, 300)), &area);
        let left: Vec<&str> = words(&blocks).map(|word| word.text.as_str()).collect();
        assert_eq!(left, ["pier", "茶", "5", "%", "on"]);
        assert_eq!(blocks.len(), 1);
    }
}
