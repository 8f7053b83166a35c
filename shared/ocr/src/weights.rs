//! Which recognised words are bold, by how thick their strokes are beside those of most.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Line, Word};

/// How much thicker bold letters are than those of the text: those of a whole line or cell, of all of a size, of each word of a
/// bold line, and of words in a line that is not.
const LINE: f64 = 1.18;
const SIZE: f64 = 1.2;
const WITHIN: f64 = 1.08;
const ALONE: f64 = 1.35;
/// How much thicker they are on the paper where they are smaller than the text: ink runs by as much around small letters.
const SMALLER: f64 = 1.12;
/// Up to how much larger than the text's letters are that may be of its size, which is told by whole pixels.
const ALIKE: f64 = 1.12;
/// How wide a gap parts cells, in parts of the size.
const APART: f64 = 1.2;
/// How many letters tell it.
const TELLING: usize = 4;

/// How thick strokes are in parts of the size, and how many letters tell it.
pub(super) type Told = (f64, usize);

/// How thick the strokes of most letters of a line are.
pub(super) fn of_line(line: &Line, size: f64) -> Option<Told> {
    of_words(&line.words, size)
}

fn of_words(words: &[Word], size: f64) -> Option<Told> {
    let words: Vec<Told> = words
        .iter()
        .filter_map(|word| of_word(word, size))
        .collect();
    let letters = words.iter().map(|(_, letters)| letters).sum();
    (letters > 0 && size > 0.0).then(|| (middle(words), letters))
}

fn of_word(word: &Word, size: f64) -> Option<Told> {
    let letters = word.text.chars().filter(|c| c.is_alphanumeric()).count();
    Some((word.stem? / size, letters)).filter(|_| letters > 0)
}

/// Which of a document's sizes letters have, of which the first is that of the text, and that size in points.
pub(super) type Size = (usize, f64);

/// How thick the letters of a document are.
#[derive(Default)]
pub(super) struct Weights {
    /// Most of them.
    most: f64,
    /// The size of these, points.
    body: f64,
    /// Those of each size.
    sizes: BTreeMap<usize, f64>,
}

impl Weights {
    /// Of lines, each with its size.
    pub(super) fn of(lines: &[(Told, Size)]) -> Self {
        let of_size = |wanted: usize| {
            let lines = lines.iter().filter(|(_, (index, _))| *index == wanted);
            middle(lines.map(|(told, _)| *told).collect())
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

    /// Which words of a line are bold, whose letters have this size in pixels and this one of the document's sizes. Lines of another
    /// size than the text's are as most of that size are, or as they are by themselves; cells are by themselves, but for those
    /// that say too little, which are as all others of their line.
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
            let told = of_words(cell, size).filter(|(_, letters)| *letters >= TELLING);
            told.map(|(thickness, _)| thickness >= least(LINE))
        };
        let cells: Vec<_> = cells.map(|cell| (cell, is_bold(cell))).collect();
        let mut told = cells.iter().filter_map(|(_, bold)| *bold).peekable();
        let others = told.peek().is_some() && told.all(|bold| bold);
        let words = cells.into_iter().flat_map(|(cell, bold)| match bold {
            Some(true) => words(cell, size, self.most * WITHIN),
            Some(false) => words(cell, size, least(ALONE)),
            None => vec![others; cell.len()],
        });
        words.collect()
    }
}

/// Which words are at least so thick; words that do not tell it are as the one before, at the beginning as the next.
fn words(words: &[Word], size: f64, least: f64) -> Vec<bool> {
    let tells = |word: &Word| {
        let (thickness, letters) = of_word(word, size)?;
        (letters >= TELLING).then_some(thickness >= least)
    };
    let told: Vec<Option<bool>> = words.iter().map(tells).collect();
    let mut before = told.iter().flatten().next().copied().unwrap_or(false);
    let each = told.into_iter().map(|told| {
        before = told.unwrap_or(before);
        before
    });
    each.collect()
}

/// Whether a word stands in another cell than the one before.
fn is_apart(word: &Word, next: &Word, size: f64) -> bool {
    let (word, next) = (word.rectangle, next.rectangle);
    (next.left - word.right).max(word.left - next.right) > APART * size
}

/// The thickness of the letter in the middle.
fn middle(mut all: Vec<Told>) -> f64 {
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let letters: usize = all.iter().map(|(_, letters)| letters).sum();
    let mut before = 0;
    let middle = all.iter().find(|(_, letters_here)| {
        before += letters_here;
        before * 2 >= letters
    });
    middle.map_or(f64::INFINITY, |(thickness, _)| *thickness)
}

#[cfg(test)]
mod tests {
    use super::super::layout::Rectangle;
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
    fn a_line_is_bold_whose_letters_are_thicker_than_most() {
        let told = |words: &[(&str, f64)], size| weights().bold(&line(words), 1.0, size);
        let body = (0, 10.0);
        assert_eq!(told(&[("3", 0.1), ("River", 0.122)], body), [true, true]);
        assert_eq!(told(&[("3", 0.1), ("River", 0.11)], body), [false, false]);
        assert_eq!(told(&[("Ink", 0.16)], body), [false]);
        assert_eq!(told(&[("River", 0.1)], (1, 14.0)), [true]);
    }

    #[test]
    fn small_letters_are_bold_that_are_thicker_on_the_paper_too() {
        let told = |thickness| weights().bold(&line(&[("River", thickness)]), 1.0, (2, 7.0));
        assert_eq!(told(0.14), [false]);
        assert_eq!(told(0.17), [true]);
    }

    #[test]
    fn cells_are_bold_each_by_itself() {
        let bold = |words: &[(&str, f64, f64)]| {
            let told = words.iter().map(|(text, stem, _)| (*text, *stem));
            let mut line = line(&told.collect::<Vec<_>>());
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
    fn words_are_bold_in_a_line_that_is_not() {
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
