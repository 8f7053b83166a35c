//! Measures stroke thickness and letter height of recognized words.

use super::ocr_page::Rectangle;
use super::picture::{Picture, number};

/// Maximum brightness of a letter's pixel as a fraction of the paper, and minimum thickness of a stroke in pixels.
const DARK: f64 = 0.85;
const LEAST: f64 = 0.4;
/// Fraction of a word's area brighter than its background, and minimum brightness of the background as a fraction of the paper:
/// light letters on a dark background are not measured.
const BRIGHTER: f64 = 0.25;
const DARKEST: f64 = 0.5;
/// Maximum brightness of ink for the letter height, as a fraction of the paper, and maximum letter height in pixels.
const INK: f64 = 0.6;
const HIGHEST: f64 = 2_000.0;
/// Search range below the expected baseline, in pixels.
const BELOW: f64 = 24.0;
/// A row belongs to the letter height if it has more dark pixels than this, or than a fraction (1/n) of the fullest row: a
/// single letter may be taller than the others.
const SPECK: usize = 1;
const PART: usize = 20;

/// Returns the median stroke thickness of a word in pixels, measured horizontally with partial coverage, relative to its local
/// background.
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

/// Returns the brightness of the background of a word.
fn ground(picture: &Picture, word: Rectangle) -> Option<f64> {
    let mut samples: Vec<u8> = Vec::new();
    picture.each_sample(word, |sample| samples.push(sample));
    samples.sort_unstable_by(|one, other| other.cmp(one));
    let brighter = number(samples.len()) * BRIGHTER;
    let mut ranked = samples.iter().zip(0_u32..);
    let found = ranked.find(|(_, rank)| f64::from(*rank) >= brighter);
    found.map(|(sample, _)| f64::from(*sample))
}

/// Returns the height of a word's letters above the baseline in pixels. The baseline is given by a point and slope, and refined
/// by the ink.
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

/// Returns the baseline row: the strongest increase of ink near the expected row.
fn line(rows: &[usize], highest: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few pixels"
    )]
    let expected = BELOW as usize;
    let near = (highest.saturating_sub(expected) / 3).min(expected);
    let grows = |row: &usize| {
        let count = |row: usize| rows.get(row).copied().unwrap_or(0);
        count(*row).saturating_sub(row.checked_sub(1).map_or(0, count))
    };
    let rows = expected - near..=expected + near;
    rows.max_by_key(grows).unwrap_or(expected)
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
    fn one_tall_letter_determines_the_height_of_its_word() {
        // Seven small letters, the last one with a stem.
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
        let height = above(&picture, word, ((0.0, 54.0), 0.0), 250.0);
        assert_eq!(height, Some(20.0));
    }
}
