//! Text that OCR missed: rows of letters that no recognized word covers.

use super::blots::{Blot, blots};
use super::ocr_page::{Block, Rectangle, Word, words};
use super::picture::{Picture, number};

/// Minimum number of words to estimate the letter height, and their minimum confidence.
const MIN_WORDS: usize = 4;
const MIN_CONFIDENCE: f32 = 60.0;
/// Minimum and maximum height of a letter, in heights of words.
const LOW: f64 = 0.4;
const HIGH: f64 = 1.2;
/// Minimum width of a letter, and maximum width of letters that touch, in heights of words.
const NARROW: f64 = 0.08;
const MOST: f64 = 6.0;
/// Mean width of a letter with its space, in heights of words.
const PITCH: f64 = 0.6;
/// Maximum gap between letters of a row, in heights of words, and minimum part of the height of the lower one that they share.
const GAP: f64 = 0.8;
const SHARED: f64 = 0.6;
/// Minimum number of letters of a row, and of the components that they consist of.
const LETTERS: f64 = 4.0;
const COMPONENTS: usize = 3;
/// Maximum part of the bounds of a letter that is ink: bars and dots have more.
const SOLID: f64 = 0.8;

/// What remains of a picture without its recognized words.
pub(super) struct Rest {
    /// The picture with recognized words painted over.
    pub(super) picture: Picture,
    /// Blots of ink that may be letters.
    pub(super) letters: Vec<Blot>,
    /// Median height of the recognized words.
    pub(super) height: f64,
}

impl Rest {
    /// Paints over recognized words; `None` if there are too few to estimate the size of letters.
    pub(super) fn of(picture: &Picture, blocks: &[Block]) -> Option<Self> {
        let height = height(blocks)?;
        let ink = ink_threshold(picture, blocks)?;
        let mut rest = Picture {
            samples: picture.samples.clone(),
            ..*picture
        };
        for word in words(blocks) {
            rest.paint_white(word.rectangle, height / 4.0);
        }
        Some(Self {
            letters: letters(&rest, ink, height),
            picture: rest,
            height,
        })
    }

    /// Returns the letters that none of these words covers.
    pub(super) fn free<'a>(&'a self, blocks: &'a [Block]) -> impl Iterator<Item = &'a Blot> {
        self.letters.iter().filter(|letter| {
            !words(blocks).any(|word| word.rectangle.contains_center(letter.place))
        })
    }

    /// Returns the rows of letters that none of these words covers.
    pub(super) fn rows(&self, blocks: &[Block]) -> Vec<Rectangle> {
        let (mut rows, mut open): (Vec<Row>, Vec<Row>) = (Vec::new(), Vec::new());
        for letter in self.free(blocks) {
            let ended = open.extract_if(.., |row| !row.reaches(letter, self.height));
            rows.extend(ended);
            match open.iter_mut().find(|row| row.continues(letter)) {
                Some(row) => row.add(letter, self.height),
                None => open.push(Row::of(letter, self.height)),
            }
        }
        rows.append(&mut open);
        rows.retain(Row::is_text);
        rows.into_iter().map(|row| row.place).collect()
    }
}

/// Letters side by side.
struct Row {
    place: Rectangle,
    last: Rectangle,
    components: usize,
    /// Number of components that are not solid.
    open: usize,
    letters: f64,
}

impl Row {
    fn of(letter: &Blot, height: f64) -> Self {
        let mut row = Self {
            place: letter.place,
            last: letter.place,
            components: 0,
            open: 0,
            letters: 0.0,
        };
        row.add(letter, height);
        row
    }

    fn add(&mut self, letter: &Blot, height: f64) {
        self.place = self.place.union(letter.place);
        self.last = letter.place;
        self.components += 1;
        self.open += usize::from(!is_solid(letter));
        self.letters += (letter.place.width() / (PITCH * height)).max(1.0);
    }

    /// Returns whether a letter is near its end.
    fn reaches(&self, letter: &Blot, height: f64) -> bool {
        letter.place.left - self.place.right <= GAP * height
    }

    /// Returns whether a letter is level with its last one.
    fn continues(&self, letter: &Blot) -> bool {
        let shared = self.last.intersection(letter.place);
        let lower = self.last.height().min(letter.place.height());
        shared.height() >= SHARED * lower
    }

    fn is_text(&self) -> bool {
        self.letters >= LETTERS && self.components >= COMPONENTS && self.open * 2 >= self.components
    }
}

/// Returns whether a component is a bar or a dot.
fn is_solid(letter: &Blot) -> bool {
    letter.pixels > SOLID * letter.place.area()
}

/// Returns the median height of confident words, if there are enough.
fn height(blocks: &[Block]) -> Option<f64> {
    let is_sure = |word: &&Word| word.confidence.is_some_and(|sure| sure >= MIN_CONFIDENCE);
    let sure = words(blocks).filter(is_sure);
    let mut heights: Vec<f64> = sure.map(|word| word.rectangle.height()).collect();
    heights.sort_by(f64::total_cmp);
    let middle = heights.get(heights.len() / 2).copied();
    middle.filter(|_| heights.len() >= MIN_WORDS)
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
        (below > 0 && number(below) >= part * number(all)).then_some(sample)
    })
}

/// Returns the connected components of ink that have the size of a letter, or of letters that touch.
fn letters(picture: &Picture, ink: u8, height: f64) -> Vec<Blot> {
    let whole = Rectangle {
        right: picture.width.into(),
        bottom: picture.height.into(),
        ..Rectangle::default()
    };
    let mut letters = blots(picture, whole, ink.into());
    letters.retain(|letter| {
        (LOW * height..HIGH * height).contains(&letter.place.height())
            && (NARROW * height..MOST * height).contains(&letter.place.width())
    });
    letters
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::Line;
    use super::*;

    /// Draws a frame of two pixels, as hollow as a letter, or a bar.
    fn draw(
        picture: &mut Picture,
        (left, top): (u32, u32),
        (width, height): (u32, u32),
        bar: bool,
    ) {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let is_edge = x < 2 || y < 2 || x + 2 >= width || y + 2 >= height;
            if bar || is_edge {
                picture.samples[((top + y) * picture.width + left + x) as usize] = 0;
            }
        }
    }

    fn word(left: f64, top: f64) -> Word {
        let place = Rectangle {
            left,
            top,
            right: left + 60.0,
            bottom: top + 20.0,
        };
        Word::new("known", place, Some(95.0)).unwrap()
    }

    #[test]
    fn rows_of_letters_that_no_word_covers_are_found() {
        let mut picture = Picture {
            samples: vec![255; 500 * 300],
            width: 500,
            height: 300,
            resolution: None,
        };
        // Four recognized words, a row of letters, a row of bars, a photograph, and a few marks.
        for (row, column) in (0..4).flat_map(|row| (0..5).map(move |column| (row, column))) {
            draw(
                &mut picture,
                (20 + 12 * column, 20 + 60 * row),
                (9, 18),
                false,
            );
        }
        for column in 0..6 {
            draw(&mut picture, (200 + 12 * column, 20), (9, 14), false);
            draw(&mut picture, (200 + 12 * column, 80), (7, 16), true);
        }
        draw(&mut picture, (200, 140), (200, 100), false);
        draw(&mut picture, (200, 260), (9, 14), false);
        draw(&mut picture, (212, 260), (9, 14), false);
        let mut block = Block::new(0, Rectangle::default());
        block.lines.push(Line {
            words: (0..4)
                .map(|row| word(20.0, 19.0 + 60.0 * f64::from(row)))
                .collect(),
            ..Line::default()
        });
        let rest = Rest::of(&picture, &[block.clone()]).unwrap();
        let [row] = rest.rows(&[block.clone()])[..] else {
            panic!("{:?}", rest.rows(&[block]));
        };
        assert_eq!((row.left, row.top, row.right), (200.0, 20.0, 269.0));
        block.lines[0].words.push(Word {
            rectangle: row.grown(1.0),
            ..word(0.0, 0.0)
        });
        assert_eq!(rest.rows(&[block]), []);
    }
}
