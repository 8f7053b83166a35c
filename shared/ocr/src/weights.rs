//! Detects bold words by comparing their stroke thickness with that of the body text.

use std::collections::{BTreeMap, BTreeSet};

use super::ocr_page::{Line, Word};

/// Minimum stroke thickness of bold text relative to body text: of a line or cell, of all text of a size, of a word in a bold
/// line, and of a word in a regular line.
const LINE: f64 = 1.18;
const SIZE: f64 = 1.2;
const WITHIN: f64 = 1.08;
const ALONE: f64 = 1.35;
/// Minimum absolute thickness of bold text smaller than the body text: ink spread adds the same to all sizes.
const SMALLER: f64 = 1.12;
/// Maximum ratio to the body size at which text may still have the body size, which is measured in whole pixels.
const ALIKE: f64 = 1.12;
/// Minimum gap between cells, in font sizes.
const APART: f64 = 1.2;
/// Minimum letters for a measurement.
const MIN_LETTERS: usize = 4;

/// Stroke thickness in font sizes, and number of letters measured.
pub(super) type Thickness = (f64, usize);

/// Returns the median stroke thickness of a line.
pub(super) fn of_line(line: &Line, size: f64) -> Option<Thickness> {
    of_words(&line.words, size)
}

fn of_words(words: &[Word], size: f64) -> Option<Thickness> {
    let words: Vec<Thickness> = words
        .iter()
        .filter_map(|word| of_word(word, size))
        .collect();
    let letters = words.iter().map(|(_, letters)| letters).sum();
    (letters > 0 && size > 0.0).then(|| (weighted_median(words), letters))
}

fn of_word(word: &Word, size: f64) -> Option<Thickness> {
    let letters = word.text.chars().filter(|c| c.is_alphanumeric()).count();
    Some((word.stem? / size, letters)).filter(|_| letters > 0)
}

/// Index among the sizes of the document (0 is the body text), and size in points.
pub(super) type Size = (usize, f64);

/// Stroke thicknesses of a document.
#[derive(Default)]
pub(super) struct Weights {
    /// Thickness of the body text.
    most: f64,
    /// Size of the body text in points.
    body: f64,
    /// Thickness per size.
    sizes: BTreeMap<usize, f64>,
}

impl Weights {
    /// Measures lines with their sizes.
    pub(super) fn of(lines: &[(Thickness, Size)]) -> Self {
        let of_size = |wanted: usize| {
            let lines = lines.iter().filter(|(_, (index, _))| *index == wanted);
            weighted_median(lines.map(|(measured, _)| *measured).collect())
        };
        let sizes: BTreeSet<usize> = lines.iter().map(|(_, (index, _))| *index).collect();
        let mut body = lines.iter().filter(|(_, (index, _))| *index == 0);
        Self {
            most: of_size(0),
            body: body.next().map_or(0.0, |(_, (_, points))| *points),
            sizes: sizes
                .into_iter()
                .map(|size| (size, of_size(size)))
                .collect(),
        }
    }

    /// Returns which words of a line are bold, given its font size in pixels and its size in the document. Lines of another
    /// size than the body text follow the text of that size, or are classified by themselves; cells are classified separately,
    /// except those with too few letters, which follow the other cells of their line.
    pub(super) fn bold(&self, line: &Line, size: f64, (index, points): Size) -> Vec<bool> {
        let least = |least: f64| self.most * least.max(SMALLER * self.body / points);
        let of_size = self.sizes.get(&index).filter(|_| index > 0);
        if of_size.is_some_and(|thickness| *thickness >= least(SIZE)) {
            return vec![true; line.words.len()];
        }
        let size = match points / self.body {
            larger if (1.0..ALIKE).contains(&larger) => size / larger,
            _ => size,
        };
        let cells = line
            .words
            .chunk_by(|word, next| !is_apart(word, next, size));
        let is_bold = |cell: &[Word]| {
            let measured = of_words(cell, size).filter(|(_, letters)| *letters >= MIN_LETTERS);
            measured.map(|(thickness, _)| thickness >= least(LINE))
        };
        let cells: Vec<_> = cells.map(|cell| (cell, is_bold(cell))).collect();
        let mut measured = cells.iter().filter_map(|(_, bold)| *bold).peekable();
        let others = measured.peek().is_some() && measured.all(|bold| bold);
        let words = cells.into_iter().flat_map(|(cell, bold)| match bold {
            Some(true) => words(cell, size, self.most * WITHIN),
            Some(false) => words(cell, size, least(ALONE)),
            None => vec![others; cell.len()],
        });
        words.collect()
    }
}

/// Classifies words by thickness; those with too few letters follow the word before, the first ones the next.
fn words(words: &[Word], size: f64, least: f64) -> Vec<bool> {
    let is_bold = |word: &Word| {
        let (thickness, letters) = of_word(word, size)?;
        (letters >= MIN_LETTERS).then_some(thickness >= least)
    };
    let measured: Vec<Option<bool>> = words.iter().map(is_bold).collect();
    let mut before = measured.iter().flatten().next().copied().unwrap_or(false);
    let each = measured.into_iter().map(|is_bold| {
        before = is_bold.unwrap_or(before);
        before
    });
    each.collect()
}

/// Returns whether a word is in another cell than the one before.
fn is_apart(word: &Word, next: &Word, size: f64) -> bool {
    let (word, next) = (word.rectangle, next.rectangle);
    (next.left - word.right).max(word.left - next.right) > APART * size
}

/// Returns the median thickness, weighted by the number of letters.
fn weighted_median(mut all: Vec<Thickness>) -> f64 {
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let letters: usize = all.iter().map(|(_, letters)| letters).sum();
    let mut before = 0;
    let median = all.iter().find(|(_, letters_here)| {
        before += letters_here;
        before * 2 >= letters
    });
    median.map_or(f64::INFINITY, |(thickness, _)| *thickness)
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::Rectangle;
    use super::*;

    fn line(words: &[(&str, f64)]) -> Line {
        let words = words.iter().map(|(text, stem)| Word {
            stem: Some(*stem),
            ..Word::new(text, Rectangle::default(), None).unwrap()
        });
        Line {
            words: words.collect(),
            ..Line::default()
        }
    }

    fn weights() -> Weights {
        Weights::of(&[
            ((0.1, 500), (0, 10.0)),
            ((0.13, 20), (0, 10.0)),
            ((0.09, 80), (0, 10.0)),
            ((0.13, 20), (1, 14.0)),
            ((0.1, 8), (1, 14.0)),
            ((0.13, 20), (2, 7.0)),
        ])
    }

    #[test]
    fn a_line_with_thicker_letters_is_bold() {
        let bold = |words: &[(&str, f64)], size| weights().bold(&line(words), 1.0, size);
        let body = (0, 10.0);
        assert_eq!(bold(&[("3", 0.1), ("River", 0.122)], body), [true, true]);
        assert_eq!(bold(&[("3", 0.1), ("River", 0.11)], body), [false, false]);
        assert_eq!(bold(&[("Ink", 0.16)], body), [false]);
        assert_eq!(bold(&[("River", 0.1)], (1, 14.0)), [true]);
    }

    #[test]
    fn small_letters_are_bold_only_if_thicker_in_absolute_terms() {
        let bold = |thickness| weights().bold(&line(&[("River", thickness)]), 1.0, (2, 7.0));
        assert_eq!(bold(0.14), [false]);
        assert_eq!(bold(0.17), [true]);
    }

    #[test]
    fn cells_are_classified_separately() {
        let bold = |words: &[(&str, f64, f64)]| {
            let stems = words.iter().map(|(text, stem, _)| (*text, *stem));
            let mut line = line(&stems.collect::<Vec<_>>());
            for (word, (_, _, left)) in line.words.iter_mut().zip(words) {
                (word.rectangle.left, word.rectangle.right) = (*left, *left + 3.0);
            }
            weights().bold(&line, 1.0, (0, 10.0))
        };
        let row = |last| {
            bold(&[
                ("Item", 0.14, 0.0),
                ("007", 0.14, 3.2),
                ("B", 0.14, 9.0),
                ("3,120", last, 15.0),
            ])
        };
        assert_eq!(row(0.1), [true, true, false, false]);
        assert_eq!(row(0.13), [true, true, true, true]);
    }

    #[test]
    fn words_may_be_bold_in_a_regular_line() {
        let words = [
            ("Over", 0.14),
            ("a", 0.1),
            ("table", 0.15),
            ("under", 0.11),
            ("the", 0.1),
            ("ladder", 0.09),
            ("early", 0.1),
        ];
        let bold = weights().bold(&line(&words), 1.0, (0, 10.0));
        assert_eq!(bold, [true, true, true, false, false, false, false]);
    }
}
