//! How thick the strokes of recognised letters are, which tells bold ones from others.

use super::layout::{Line, Rectangle};
use super::picture::Picture;

/// How dark a pixel of a letter is at least, in parts of the paper, and how much of a pixel counts as a stroke.
const DARK: f64 = 0.85;
const LEAST: f64 = 0.4;
/// How much thicker bold letters are than those of the text.
const BOLD: f64 = 1.3;

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

/// From which thickness on letters are bold, by those of all lines, each with how many characters have it.
pub(super) fn bold(mut lines: Vec<(f64, usize)>) -> f64 {
    lines.sort_by(|one, other| one.0.total_cmp(&other.0));
    let all: usize = lines.iter().map(|(_, letters)| letters).sum();
    let mut before = 0;
    let middle = lines.iter().find(|(_, letters)| {
        before += letters;
        before * 2 >= all
    });
    middle.map_or(f64::INFINITY, |(thickness, _)| thickness * BOLD)
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
        let least = bold(vec![(0.1, 500), (0.16, 20), (0.09, 80)]);
        assert!((0.11..0.16).contains(&least), "{least}");
    }
}
