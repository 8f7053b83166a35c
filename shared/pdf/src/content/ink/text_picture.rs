//! Tells pictures of text from charts, drawings and photographs: most of their ink forms rows of letters, or they have many
//! letters.

use std::collections::HashSet;

use super::grid::to_f32;

/// Maximum difference of a pixel from the paper, and minimum difference of ink, from 0 to 255.
const PAPER_TOLERANCE: u8 = 24;
const MIN_CONTRAST: u8 = 64;
/// Minimum part of the pixels that is paper.
const MIN_PAPER: f32 = 0.5;
/// Height of letters in points, at least this number of pixels. Letters of a word may touch each other.
const MAX_HEIGHT: f32 = 29.0;
const MIN_HEIGHT: f32 = 3.0;
const MIN_PIXELS: usize = 4;
const MAX_WIDTH: usize = 12;
/// Maximum part of its bounds that ink wider than a letter fills; bars fill more.
const MAX_FILLED: f32 = 0.85;
/// Maximum offset of the bottoms of a row, in points.
const MAX_OFFSET: f32 = 2.0;
/// Maximum gap in a row, relative to the height of the letters.
const MAX_GAP: f32 = 2.5;
/// Minimum number of letters of a row, of rows, and of letters that no character of the page covers.
const MIN_LETTERS_OF_ROW: usize = 5;
const MIN_ROWS: usize = 3;
const MIN_LETTERS: usize = 40;
/// Minimum number of such letters of a picture that has text and other content.
const MIN_MANY_LETTERS: usize = 400;
/// Minimum part of the ink that is in rows.
const MIN_TEXT: f32 = 0.6;

/// Text of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PictureText {
    /// The picture is text.
    Whole,
    /// The picture has other content as well.
    Part,
}

/// A gray picture as displayed.
pub(super) struct GrayPicture {
    pub(super) samples: Vec<u8>,
    pub(super) width: usize,
    /// Pixels per point.
    pub(super) scale: f32,
}

/// Connected ink.
#[derive(Clone, Copy)]
struct Blot {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    pixels: usize,
}

impl GrayPicture {
    /// Returns how much of it is text that no character of the page covers. `is_covered` is whether a character covers a pixel.
    pub(super) fn text(&self, is_covered: impl Fn((f32, f32)) -> bool) -> Option<PictureText> {
        let blots = self.blots(self.ink()?);
        let all: usize = blots.iter().map(|blot| blot.pixels).sum();
        let letters = blots.into_iter().filter(|blot| self.is_lettering(blot));
        let rows = self.rows(letters.collect());
        let uncovered = rows.iter().flatten();
        let uncovered = uncovered.filter(|blot| !is_covered(blot.center()));
        let uncovered: usize = uncovered.map(Blot::letters).sum();
        let in_rows: usize = rows.iter().flatten().map(|blot| blot.pixels).sum();
        let is_whole = to_f32(in_rows) >= MIN_TEXT * to_f32(all);
        match rows.len() >= MIN_ROWS {
            true if is_whole && uncovered >= MIN_LETTERS => Some(PictureText::Whole),
            true if uncovered >= MIN_MANY_LETTERS => Some(PictureText::Part),
            _ => None,
        }
    }

    /// Returns which pixels are ink; `None` if too few are paper.
    fn ink(&self) -> Option<Vec<bool>> {
        let mut histogram = [0_usize; 256];
        for sample in &self.samples {
            if let Some(count) = histogram.get_mut(usize::from(*sample)) {
                *count += 1;
            }
        }
        let (paper, _) = (0_u8..=255)
            .zip(histogram)
            .max_by_key(|(_, count)| *count)?;
        let differs = |sample: &u8, by: u8| sample.abs_diff(paper) > by;
        let is_paper = |sample: &&u8| !differs(sample, PAPER_TOLERANCE);
        let plain = self.samples.iter().filter(is_paper).count();
        (to_f32(plain) >= MIN_PAPER * to_f32(self.samples.len())).then(|| {
            let samples = self.samples.iter();
            samples
                .map(|sample| differs(sample, MIN_CONTRAST))
                .collect()
        })
    }

    fn blots(&self, mut ink: Vec<bool>) -> Vec<Blot> {
        let (mut blots, mut pending) = (Vec::new(), Vec::new());
        for first in 0..ink.len() {
            if ink.get(first) != Some(&true) {
                continue;
            }
            let mut blot = Blot {
                left: usize::MAX,
                top: usize::MAX,
                right: 0,
                bottom: 0,
                pixels: 0,
            };
            pending.push(first);
            while let Some(place) = pending.pop() {
                let Some(is_ink) = ink.get_mut(place).filter(|is_ink| **is_ink) else {
                    continue;
                };
                *is_ink = false;
                let (column, row) = (place % self.width, place / self.width);
                blot.add(column, row);
                let columns = column.saturating_sub(1)..(column + 2).min(self.width);
                for row in row.saturating_sub(1)..row + 2 {
                    pending.extend(columns.clone().map(|column| row * self.width + column));
                }
            }
            blots.push(blot);
        }
        blots
    }

    fn is_lettering(&self, blot: &Blot) -> bool {
        let (width, height) = (blot.width(), blot.height());
        let is_bar =
            width > 2 * height && to_f32(blot.pixels) > MAX_FILLED * to_f32(width * height);
        height >= MIN_PIXELS
            && (MIN_HEIGHT * self.scale..=MAX_HEIGHT * self.scale).contains(&to_f32(height))
            && width <= MAX_WIDTH * height
            && !is_bar
    }

    /// Returns the rows of letters of different shapes.
    fn rows(&self, mut blots: Vec<Blot>) -> Vec<Vec<Blot>> {
        blots.sort_by_key(|blot| blot.bottom);
        let mut rows: Vec<Vec<Blot>> = Vec::new();
        let mut rest = blots.as_slice();
        while let Some(first) = rest.first() {
            let end = to_f32(first.bottom) + MAX_OFFSET * self.scale;
            let count = rest.partition_point(|blot| to_f32(blot.bottom) <= end);
            let (line, next) = rest.split_at(count.max(1));
            rest = next;
            let mut line = line.to_vec();
            line.sort_by_key(|blot| blot.left);
            let mut right = f32::NEG_INFINITY;
            let mut is_open = false;
            for blot in line {
                let gap = to_f32(blot.left) - right;
                let is_near = gap <= MAX_GAP * to_f32(blot.height()).max(MIN_HEIGHT * self.scale);
                match rows.last_mut().filter(|_| is_open && is_near) {
                    Some(row) => row.push(blot),
                    None => rows.push(vec![blot]),
                }
                is_open = true;
                right = right.max(to_f32(blot.right));
            }
        }
        rows.retain(|row| is_text(row));
        rows
    }
}

fn is_text(row: &[Blot]) -> bool {
    let kinds: HashSet<_> = row.iter().map(|blot| (blot.width(), blot.pixels)).collect();
    row.iter().map(Blot::letters).sum::<usize>() >= MIN_LETTERS_OF_ROW
        && kinds.len() * 2 >= row.len()
}

impl Blot {
    fn add(&mut self, column: usize, row: usize) {
        self.left = self.left.min(column);
        self.right = self.right.max(column + 1);
        self.top = self.top.min(row);
        self.bottom = self.bottom.max(row + 1);
        self.pixels += 1;
    }

    fn width(&self) -> usize {
        self.right - self.left
    }

    fn height(&self) -> usize {
        self.bottom - self.top
    }

    fn center(&self) -> (f32, f32) {
        let middle = |from: usize, to: usize| f32::midpoint(to_f32(from), to_f32(to));
        (middle(self.left, self.right), middle(self.top, self.bottom))
    }

    /// Estimated number of letters: most are narrower than high.
    fn letters(&self) -> usize {
        (self.width() * 5 / (self.height() * 4).max(1)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 300;

    /// A picture with rectangles of ink: left, top, width, height.
    fn picture(ink: &[[usize; 4]]) -> GrayPicture {
        let mut samples = vec![250; WIDTH * 200];
        for [left, top, width, height] in ink {
            for row in *top..top + height {
                samples[row * WIDTH + left..row * WIDTH + left + width].fill(20);
            }
        }
        GrayPicture {
            samples,
            width: WIDTH,
            scale: 1.5,
        }
    }

    /// Four rows of letters of different sizes.
    fn letters() -> Vec<[usize; 4]> {
        let letter = |row: usize, at: usize| {
            let height = 9 + at % 5;
            [
                10 + 12 * at,
                40 + 40 * row - height,
                3 + (at * 7 + row) % 6,
                height,
            ]
        };
        (0..4)
            .flat_map(|row| (0..20).map(move |at| letter(row, at)))
            .collect()
    }

    #[test]
    fn rows_of_letters_are_text_and_charts_are_not() {
        let text = |ink: &[[usize; 4]]| picture(ink).text(|_| false);
        assert_eq!(text(&letters()), Some(PictureText::Whole));
        assert_eq!(picture(&letters()).text(|_| true), None);
        let bars = (0..8).map(|bar| [20 + 30 * bar, 20 + 15 * bar, 20, 170 - 15 * bar]);
        let mut chart: Vec<_> = letters().into_iter().step_by(2).collect();
        chart.extend(bars);
        assert_eq!(text(&chart), None);
        let letters = letters();
        let markers = letters
            .iter()
            .map(|[left, top, _, height]| [*left, top + height, 6, 6]);
        assert_eq!(text(&markers.collect::<Vec<_>>()), None);
        assert_eq!(text(&[[0, 0, 300, 90]]), None);
    }
}
