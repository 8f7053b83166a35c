//! Which recognised words are bold, by how thick their strokes are beside those of most.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Line, Word};

/// How much thicker bold letters are than those of the text: those of a whole line, of all of a size, of each word of a bold line,
/// and of words in a line that is not.
const LINE: f64 = 1.18;
const SIZE: f64 = 1.2;
const WITHIN: f64 = 1.08;
const ALONE: f64 = 1.3;
/// How many letters tell it.
const TELLING: usize = 4;

/// How thick strokes are in parts of the size, and how many letters tell it.
pub(super) type Told = (f64, usize);

/// How thick the strokes of most letters of a line are.
pub(super) fn of_line(line: &Line, size: f64) -> Option<Told> {
    let words: Vec<Told> = line
        .words
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

/// How thick the letters of a document are.
#[derive(Default)]
pub(super) struct Weights {
    /// Most of them.
    most: f64,
    /// Those of each size.
    sizes: BTreeMap<usize, f64>,
}

impl Weights {
    /// Of lines, each with which size of the document it has.
    pub(super) fn of(lines: &[(Told, usize)]) -> Self {
        let of_size = |wanted: usize| {
            let lines = lines.iter().filter(|(_, size)| *size == wanted);
            middle(lines.map(|(told, _)| *told).collect())
        };
        let sizes: BTreeSet<usize> = lines.iter().map(|(_, size)| *size).collect();
        let body = lines.iter().filter(|(_, size)| *size == 0);
        Self {
            most: middle(body.map(|(told, _)| *told).collect()),
            sizes: sizes
                .into_iter()
                .map(|size| (size, of_size(size)))
                .collect(),
        }
    }

    /// Which words of a line are bold, whose letters have this size in pixels and this one of the document's sizes. Lines of another
    /// size than the text's are as most of that size are, or as they are by themselves.
    pub(super) fn bold(&self, line: &Line, size: f64, index: usize) -> Vec<bool> {
        let told = of_line(line, size);
        let is_bold =
            |(thickness, letters): Told| letters >= TELLING && thickness >= self.most * LINE;
        let of_size = self.sizes.get(&index).filter(|_| index > 0);
        let as_size = of_size.is_some_and(|thickness| *thickness >= self.most * SIZE);
        if as_size {
            return vec![true; line.words.len()];
        }
        let least = match told.is_some_and(is_bold) {
            true => WITHIN,
            false => ALONE,
        };
        self.words(line, size, least)
    }

    /// Which words are so much thicker than most; words that do not tell it are as the one before, at the beginning as the next.
    fn words(&self, line: &Line, size: f64, least: f64) -> Vec<bool> {
        let tells = |word: &Word| {
            let (thickness, letters) = of_word(word, size)?;
            (letters >= TELLING).then_some(thickness >= self.most * least)
        };
        let told: Vec<Option<bool>> = line.words.iter().map(tells).collect();
        let mut before = told.iter().flatten().next().copied().unwrap_or(false);
        let each = told.into_iter().map(|told| {
            before = told.unwrap_or(before);
            before
        });
        each.collect()
    }
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
            ((0.1, 500), 0),
            ((0.13, 20), 0),
            ((0.09, 80), 0),
            ((0.13, 20), 1),
            ((0.1, 8), 1),
        ])
    }

    #[test]
    fn a_line_is_bold_whose_letters_are_thicker_than_most() {
        let told = |words: &[(&str, f64)], index| weights().bold(&line(words), 1.0, index);
        assert_eq!(told(&[("3", 0.1), ("River", 0.122)], 0), [true, true]);
        assert_eq!(told(&[("3", 0.1), ("River", 0.11)], 0), [false, false]);
        assert_eq!(told(&[("Ink", 0.16)], 0), [false]);
        assert_eq!(told(&[("River", 0.1)], 1), [true]);
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
        let bold = weights().bold(&line(&words), 1.0, 0);
        assert_eq!(bold, [true, true, true, false, false, false, false]);
    }
}
