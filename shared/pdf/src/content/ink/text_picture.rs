//! Distinguishes pictures of text from charts, drawings and photographs: most of their ink forms rows of letters, or they have many
//! letters.

use std::collections::HashSet;

use layout::Rect;

use super::components::visit_components;
use super::grid::to_f32;
use super::rows::rows;

/// Maximum difference of a pixel from the background, and minimum difference of ink, from 0 to 255.
const BACKGROUND_TOLERANCE: u8 = 24;
const MIN_CONTRAST: u8 = 64;
/// Minimum part of the pixels that is background.
const MIN_BACKGROUND: f32 = 0.5;
/// Maximum number of components; a picture with more is noise or a halftone.
const MAX_COMPONENTS: usize = 100_000;
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

/// How much of a picture is text.
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
#[derive(Clone, Copy, Default)]
struct Component {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    pixels: usize,
}

impl GrayPicture {
    /// Returns how much of it is text that no character of the page covers, and the width of this text in points. `is_covered` is
    /// whether a character covers a pixel.
    pub(super) fn text(
        &self,
        is_covered: impl Fn((f32, f32)) -> bool,
    ) -> Option<(PictureText, f32)> {
        let components = self.components(self.ink()?)?;
        let all: usize = components.iter().map(|component| component.pixels).sum();
        let letters = components
            .into_iter()
            .filter(|component| self.has_size_of_letters(component));
        let rows = self.rows(letters.collect());
        let uncovered = rows.iter().flatten();
        let uncovered = uncovered.filter(|component| !is_covered(component.bounds().center()));
        let uncovered: Vec<&Component> = uncovered.collect();
        let width: usize = uncovered.iter().map(|component| component.width()).sum();
        let width = to_f32(width) / self.scale;
        let uncovered: usize = uncovered.iter().map(|component| component.letters()).sum();
        let in_rows: usize = rows
            .iter()
            .flatten()
            .map(|component| component.pixels)
            .sum();
        let is_whole = to_f32(in_rows) >= MIN_TEXT * to_f32(all);
        match rows.len() >= MIN_ROWS {
            true if is_whole && uncovered >= MIN_LETTERS => Some((PictureText::Whole, width)),
            true if uncovered >= MIN_MANY_LETTERS => Some((PictureText::Part, width)),
            _ => None,
        }
    }

    /// Returns which pixels are ink; `None` if too few are background.
    fn ink(&self) -> Option<Vec<bool>> {
        let mut histogram = [0_usize; 256];
        for sample in &self.samples {
            if let Some(count) = histogram.get_mut(usize::from(*sample)) {
                *count += 1;
            }
        }
        let (background, _) = (0_u8..=255)
            .zip(histogram)
            .max_by_key(|(_, count)| *count)?;
        let differs = |sample: &u8, by: u8| sample.abs_diff(background) > by;
        let is_background = |sample: &&u8| !differs(sample, BACKGROUND_TOLERANCE);
        let plain = self.samples.iter().filter(is_background).count();
        (to_f32(plain) >= MIN_BACKGROUND * to_f32(self.samples.len())).then(|| {
            let samples = self.samples.iter();
            samples
                .map(|sample| differs(sample, MIN_CONTRAST))
                .collect()
        })
    }

    /// Returns the connected components; `None` if there are too many.
    fn components(&self, mut ink: Vec<bool>) -> Option<Vec<Component>> {
        let mut components = Vec::new();
        let count = visit_components(&mut ink, self.width, |number, place| {
            if number == components.len() && number < MAX_COMPONENTS {
                components.push(Component {
                    left: usize::MAX,
                    top: usize::MAX,
                    ..Component::default()
                });
            }
            if let Some(component) = components.get_mut(number) {
                component.add(place % self.width, place / self.width);
            }
        });
        (count <= MAX_COMPONENTS).then_some(components)
    }

    fn has_size_of_letters(&self, component: &Component) -> bool {
        let (width, height) = (component.width(), component.height());
        let is_bar =
            width > 2 * height && to_f32(component.pixels) > MAX_FILLED * to_f32(width * height);
        height >= MIN_PIXELS
            && (MIN_HEIGHT * self.scale..=MAX_HEIGHT * self.scale).contains(&to_f32(height))
            && width <= MAX_WIDTH * height
            && !is_bar
    }

    /// Returns the rows of letters of different shapes.
    fn rows(&self, letters: Vec<Component>) -> Vec<Vec<Component>> {
        let min_height = MIN_HEIGHT * self.scale;
        let max_gap = |letter: &Component| MAX_GAP * letter.bounds().height().max(min_height);
        let offset = MAX_OFFSET * self.scale;
        let mut rows = rows(letters, Component::bounds, offset, max_gap);
        rows.retain(|row| is_text(row));
        rows
    }
}

fn is_text(row: &[Component]) -> bool {
    let kinds: HashSet<_> = row
        .iter()
        .map(|component| (component.width(), component.pixels))
        .collect();
    row.iter().map(Component::letters).sum::<usize>() >= MIN_LETTERS_OF_ROW
        && kinds.len() * 2 >= row.len()
}

impl Component {
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

    fn bounds(&self) -> Rect {
        let [left, top, right, bottom] = [self.left, self.top, self.right, self.bottom].map(to_f32);
        Rect {
            left,
            top,
            right,
            bottom,
        }
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
        let text = |ink: &[[usize; 4]]| picture(ink).text(|_| false).map(|(text, _)| text);
        assert_eq!(text(&letters()), Some(PictureText::Whole));
        let (_, width) = picture(&letters()).text(|_| false).unwrap();
        let pixels: usize = letters().iter().map(|[.., width, _]| width).sum();
        assert_eq!(width, to_f32(pixels) / 1.5);
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

    #[test]
    fn many_letters_beside_a_drawing_are_part_of_a_picture() {
        let letter = |row: usize, at: usize| {
            let height = 5 + at % 5;
            [7 * at, 10 + 12 * row - height, 2 + at % 4, height]
        };
        let rows = |count: usize| {
            let letters = (0..count).flat_map(|row| (0..40).map(move |at| letter(row, at)));
            letters.chain([[60, 145, 230, 50]]).collect::<Vec<_>>()
        };
        let text = |ink: &[[usize; 4]]| picture(ink).text(|_| false).map(|(text, _)| text);
        assert_eq!(text(&rows(11)), Some(PictureText::Part));
        assert_eq!(text(&rows(8)), None);
    }

    #[test]
    fn noise_is_not_text() {
        let mut noise = picture(&[]);
        noise.width = 1_000;
        let dots = (0..600_000).map(|at| match (at / 1_000) % 2 == 0 && at % 2 == 0 {
            true => 20,
            false => 250,
        });
        noise.samples = dots.collect();
        let ink = noise.ink().unwrap();
        assert!(noise.components(ink).is_none());
    }
}
