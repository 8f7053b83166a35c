//! How thick the strokes of recognised letters are, which tells bold ones from others, and how high the letters are.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Line, Rectangle};
use super::picture::Picture;

/// How dark a pixel of a letter is at least, in parts of the paper, and how much of a pixel counts as a stroke.
const DARK: f64 = 0.85;
const LEAST: f64 = 0.4;
/// How dark a pixel is that belongs to the height of a letter, in parts of the paper, and the highest letter in pixels.
const INK: f64 = 0.6;
const HIGHEST: f64 = 2_000.0;
/// How far below the line it is looked for at most, in pixels.
const BELOW: f64 = 12.0;
/// How much thicker bold letters are than those of the text, in one line and in all of a size, and how many tell it.
const BOLD: f64 = 1.3;
const BOLD_AS_A_SIZE: f64 = 1.2;
const TELLING: usize = 4;

/// How thick most strokes of a word are across the line, in pixels: half dark ones count half.
pub(super) fn of(picture: &Picture, word: Rectangle, paper: f64) -> Option<f64> {
    let (mut thickest, mut runs, mut run) = (0.0_f64, Vec::new(), 0.0);
    let width = word.right.ceil() - word.left.floor();
    let mut column = 0.0;
    picture.each_sample(word, |sample| {
        let ink = (paper - f64::from(sample)).max(0.0);
        thickest = thickest.max(ink);
        if f64::from(sample) < DARK * paper {
            run += ink;
        } else if run > 0.0 {
            runs.push(run);
            run = 0.0;
        }
        column += 1.0;
        if column >= width {
            column = 0.0;
            runs.extend((run > 0.0).then_some(run));
            run = 0.0;
        }
    });
    let mut runs: Vec<f64> = runs.iter().map(|run| run / thickest).collect();
    runs.retain(|run| *run >= LEAST);
    runs.sort_by(f64::total_cmp);
    runs.get(runs.len() / 2).copied()
}

/// How high a word's letters stand above the line that they stand on, in pixels. It falls from a point on by so much, or is
/// a little higher or lower than that.
pub(super) fn above(
    picture: &Picture,
    word: Rectangle,
    (begin, fall): ((f64, f64), f64),
    paper: f64,
) -> Option<f64> {
    let mut rows: Vec<usize> = Vec::new();
    picture.each_place(word, |(x, y), sample| {
        let (x, y) = (x + 0.5, y + 0.5);
        let height = begin.1 + fall * (x - begin.0) - y + BELOW;
        if f64::from(sample) < INK * paper && (0.0..HIGHEST).contains(&height) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "within a word"
            )]
            let row = height as usize;
            rows.resize(rows.len().max(row + 1), 0);
            rows.get_mut(row).into_iter().for_each(|count| *count += 1);
        }
    });
    let most = rows.iter().max()?;
    let highest = rows.iter().rposition(|count| *count > most / 20)? + 1;
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(0));
    Some(number(highest) - number(line(&rows, highest)))
}

/// The row that letters stand on: where the ink begins at once, near to where it should be.
fn line(rows: &[usize], highest: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few pixels"
    )]
    let told = BELOW as usize;
    let near = (highest / 6).min(told);
    let grows = |row: &usize| {
        let count = |row: usize| rows.get(row).copied().unwrap_or(0);
        count(*row).saturating_sub(row.checked_sub(1).map_or(0, count))
    };
    let rows = told - near..=told + near;
    rows.max_by_key(grows).unwrap_or(told)
}

/// How thick the strokes of a line are in parts of its size, and how many characters tell it.
pub(super) fn of_line(line: &Line, size: f64) -> Option<(f64, usize)> {
    let (mut sum, mut letters) = (0.0, 0_usize);
    for word in &line.words {
        if let Some(stem) = word
            .stem
            .filter(|_| word.text.chars().any(char::is_alphanumeric))
        {
            let count = word.text.chars().count();
            sum += stem * f64::from(u32::try_from(count).unwrap_or(0));
            letters += count;
        }
    }
    let all = f64::from(u32::try_from(letters).unwrap_or(u32::MAX));
    (letters > 0 && size > 0.0).then(|| (sum / all / size, letters))
}

/// Which lines of a document are bold.
#[derive(Default)]
pub(super) struct Weights {
    /// The thickness of most letters.
    most: f64,
    /// That of the letters of each size but the first.
    sizes: BTreeMap<usize, f64>,
}

impl Weights {
    /// Of the thickness of lines, each with how many characters have it and which size of the document they have.
    pub(super) fn of(lines: &[((f64, usize), usize)]) -> Self {
        let of_size = |wanted: usize| {
            let lines = lines.iter().filter(|(_, size)| *size == wanted);
            middle(lines.map(|(told, _)| *told).collect())
        };
        let sizes: BTreeSet<usize> = lines.iter().map(|(_, size)| *size).collect();
        Self {
            most: middle(lines.iter().map(|(told, _)| *told).collect()),
            sizes: sizes
                .into_iter()
                .map(|size| (size, of_size(size)))
                .collect(),
        }
    }

    /// Whether a line is bold. Lines of the text itself may be or not; others are as most of their size are.
    pub(super) fn is_bold(&self, (thickness, letters): (f64, usize), size: usize) -> bool {
        match size {
            0 => letters >= TELLING && thickness >= self.most * BOLD,
            other => {
                let thickness = self.sizes.get(&other);
                thickness.is_some_and(|thickness| *thickness >= self.most * BOLD_AS_A_SIZE)
            }
        }
    }
}

/// The thickness of the letter in the middle.
fn middle(mut lines: Vec<(f64, usize)>) -> f64 {
    lines.sort_by(|one, other| one.0.total_cmp(&other.0));
    let all: usize = lines.iter().map(|(_, letters)| letters).sum();
    let mut before = 0;
    let middle = lines.iter().find(|(_, letters)| {
        before += letters;
        before * 2 >= all
    });
    middle.map_or(f64::INFINITY, |(thickness, _)| *thickness)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_are_as_thick_as_they_are_drawn() {
        let samples = (0..10).flat_map(|_| {
            (0..20).map(|x| match x {
                4 | 6 | 12 | 14 => 125,
                5 | 13 => 0,
                _ => 250,
            })
        });
        let picture = Picture {
            samples: samples.collect(),
            width: 20,
            height: 10,
            resolution: None,
        };
        let whole = Rectangle {
            left: 0.0,
            top: 0.0,
            right: 20.0,
            bottom: 10.0,
        };
        assert_eq!(of(&picture, whole, 250.0), Some(2.0));
        assert_eq!(
            of(
                &picture,
                Rectangle {
                    right: 3.0,
                    ..whole
                },
                250.0
            ),
            None
        );
    }

    #[test]
    fn bold_is_what_is_thicker_than_most() {
        let lines = [
            ((0.1, 500), 0),
            ((0.16, 20), 0),
            ((0.09, 80), 0),
            ((0.13, 20), 1),
            ((0.11, 8), 1),
        ];
        let weights = Weights::of(&lines);
        assert!(weights.is_bold((0.16, 20), 0) && !weights.is_bold((0.16, 2), 0));
        assert!(!weights.is_bold((0.11, 20), 0) && weights.is_bold((0.11, 8), 1));
    }
}
