//! How thick the strokes of recognised letters are, and how high the letters are.

use super::layout::Rectangle;
use super::picture::{Picture, number};

/// How dark a pixel of a letter is at least, in parts of the paper, and how much of a pixel counts as a stroke.
const DARK: f64 = 0.85;
const LEAST: f64 = 0.4;
/// How much of a word's area is brighter than its ground, and how dark that is at most, in parts of the paper: letters that are
/// brighter than what they stand on are not measured.
const BRIGHTER: f64 = 0.25;
const DARKEST: f64 = 0.5;
/// How dark a pixel is that belongs to the height of a letter, in parts of the paper, and the highest letter in pixels.
const INK: f64 = 0.6;
const HIGHEST: f64 = 2_000.0;
/// How far below the line it is looked for at most, in pixels.
const BELOW: f64 = 24.0;
/// A row of a letter's height has more dark pixels than this, or than a part of the most of a row: a single letter may be higher
/// than the others of its word.
const SPECK: usize = 1;
const PART: usize = 20;

/// How thick most strokes of a word are across the line, in pixels: half dark ones count half. They are measured on what the word
/// stands on, which may be shaded.
pub(super) fn of(picture: &Picture, word: Rectangle, paper: f64) -> Option<f64> {
    let paper = ground(picture, word).filter(|ground| *ground >= DARKEST * paper)?;
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

/// The grey that a word stands on.
fn ground(picture: &Picture, word: Rectangle) -> Option<f64> {
    let mut samples: Vec<u8> = Vec::new();
    picture.each_sample(word, |sample| samples.push(sample));
    samples.sort_unstable_by(|one, other| other.cmp(one));
    let brighter = number(samples.len()) * BRIGHTER;
    let mut ranked = samples.iter().zip(0_u32..);
    let found = ranked.find(|(_, rank)| f64::from(*rank) >= brighter);
    found.map(|(sample, _)| f64::from(*sample))
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
    let least = SPECK.min(most / PART);
    let highest = rows.iter().rposition(|count| *count > least)? + 1;
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
    let near = (highest.saturating_sub(told) / 3).min(told);
    let grows = |row: &usize| {
        let count = |row: usize| rows.get(row).copied().unwrap_or(0);
        count(*row).saturating_sub(row.checked_sub(1).map_or(0, count))
    };
    let rows = told - near..=told + near;
    rows.max_by_key(grows).unwrap_or(told)
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
    fn one_tall_letter_tells_the_height_of_its_word() {
        // Seven small letters of which the last one has a stem.
        let is_dark = |x: u32, y: u32| match x {
            0..140 => (40..54).contains(&y) && x % 20 < 16,
            140..142 => (34..54).contains(&y),
            _ => false,
        };
        let pixels = (0..80).flat_map(|y| (0..160).map(move |x| (x, y)));
        let picture = Picture {
            samples: pixels
                .map(|(x, y)| if is_dark(x, y) { 0 } else { 250 })
                .collect(),
            width: 160,
            height: 80,
            resolution: None,
        };
        let word = Rectangle {
            left: 0.0,
            top: 30.0,
            right: 150.0,
            bottom: 56.0,
        };
        let told = above(&picture, word, ((0.0, 54.0), 0.0), 250.0);
        assert_eq!(told, Some(20.0));
    }
}
