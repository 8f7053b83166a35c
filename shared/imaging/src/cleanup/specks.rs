//! Specks: single pixels that are far darker or lighter than all around them, and spots of ink that are too small for a stroke of the
//! writing on the page.

use image::{DynamicImage, GrayImage};

use super::threshold::{BLACK, black_and_white};

/// By how much pixels may differ and be alike.
const ALIKE: u8 = 40;
/// What part of the square of a letter's height a spot covers at most: a full stop covers more.
const OF_A_LETTER: usize = 50;
/// What part of the height of letters lies between a spot and other ink at least: dots are nearer to their letters.
const APART: usize = 3;
/// Most pixels of a spot.
const LARGEST: usize = 64;
/// Fewest pixels of a letter, and its least height.
const LETTER: (usize, usize) = (12, 5);
/// From this height on, strokes are wider than a pixel.
const LARGE_LETTER: usize = 14;
/// Marks of ink that was seen once and twice.
const SEEN: u8 = 1;
const SEEN_AGAIN: u8 = 2;

/// Removes specks. Where letters are small, single pixels inside and beside them are parts of them and stay.
pub(super) fn removed(mut pixels: DynamicImage) -> DynamicImage {
    let mut page = Page::of(&pixels);
    let mut letter = page.letter();
    if letter == 0 || letter >= LARGE_LETTER {
        let grey = pixels.to_luma8();
        match &mut pixels {
            DynamicImage::ImageRgb8(image) => remove_single::<3>(image, &grey),
            DynamicImage::ImageLuma8(image) => remove_single::<1>(image, &grey),
            _ => return pixels,
        }
        page = Page::of(&pixels);
        letter = page.letter();
    }
    match &mut pixels {
        DynamicImage::ImageRgb8(image) => page.remove_spots::<3>(letter, image),
        DynamicImage::ImageLuma8(image) => page.remove_spots::<1>(letter, image),
        _ => {}
    }
    pixels
}

/// Makes each pixel that is far darker or far lighter than all its neighbours the middle one of these.
fn remove_single<const CHANNELS: usize>(samples: &mut [u8], grey: &GrayImage) {
    let (width, height) = (grey.width() as usize, grey.height() as usize);
    for y in 0..height {
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        for x in 0..width {
            let here = grey.get(y * width + x).copied().unwrap_or(0);
            let columns = x.saturating_sub(1)..(x + 2).min(width);
            let (mut darker, mut lighter, mut all) = (0, 0, 0);
            for row in rows.clone() {
                let range = row * width + columns.start..row * width + columns.end;
                let neighbours = grey.get(range).unwrap_or_default();
                all += neighbours.len();
                darker += neighbours
                    .iter()
                    .filter(|other| **other < here.saturating_sub(ALIKE))
                    .count();
                lighter += neighbours
                    .iter()
                    .filter(|other| **other > here.saturating_add(ALIKE))
                    .count();
            }
            // Itself is one of all. What lies between its neighbours is the edge of a stroke.
            if (darker + 1 == all || lighter + 1 == all)
                && let Some(middle) = middle(grey, rows.clone(), columns, (x, y))
            {
                let begin = middle * CHANNELS;
                let to = (y * width + x) * CHANNELS;
                samples.copy_within(begin..begin + CHANNELS, to);
            }
        }
    }
}

/// The place of the neighbour that is neither among the darker nor among the lighter half.
fn middle(
    grey: &GrayImage,
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
    (x, y): (usize, usize),
) -> Option<usize> {
    let width = grey.width() as usize;
    let mut neighbours: Vec<(u8, usize)> = rows
        .flat_map(|row| columns.clone().map(move |column| (column, row)))
        .filter(|place| *place != (x, y))
        .map(|(column, row)| row * width + column)
        .filter_map(|place| grey.get(place).map(|sample| (*sample, place)))
        .collect();
    neighbours.sort_unstable();
    neighbours
        .get(neighbours.len() / 2)
        .map(|(_, place)| *place)
}

/// A page in black and white, whose ink is marked as it is seen.
struct Page {
    width: usize,
    height: usize,
    marks: Vec<u8>,
}

/// Ink that hangs together.
struct Spot {
    /// How many pixels it has.
    size: usize,
    /// The places of as many as are of interest.
    places: Vec<usize>,
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Page {
    fn of(pixels: &DynamicImage) -> Self {
        let page = black_and_white(&pixels.to_luma8());
        Self {
            width: page.width() as usize,
            height: page.height() as usize,
            marks: page.into_raw(),
        }
    }

    /// How high letters usually are, 0 if there are none. Marks all ink as seen.
    fn letter(&mut self) -> usize {
        let mut heights = Vec::new();
        self.each_spot(BLACK, SEEN, |_, spot| {
            let height = spot.bottom - spot.top + 1;
            if spot.size >= LETTER.0 && height >= LETTER.1 {
                heights.push(height);
            }
        });
        heights.sort_unstable();
        heights.get(heights.len() / 2).copied().unwrap_or(0)
    }

    /// Paints spots over with the paper around them.
    fn remove_spots<const CHANNELS: usize>(&mut self, letter: usize, samples: &mut [u8]) {
        let largest = (letter * letter / OF_A_LETTER).clamp(1, LARGEST);
        self.each_spot(SEEN, SEEN_AGAIN, |page, spot| {
            if spot.size <= largest && page.is_apart(spot, (letter / APART).max(2)) {
                page.paint_over::<CHANNELS>(spot, samples);
            }
        });
    }

    /// Finds everything that hangs together and has the mark `ink`, and leaves the mark `seen` on it.
    fn each_spot(&mut self, ink: u8, seen: u8, mut found: impl FnMut(&Self, &Spot)) {
        let mut pending = Vec::new();
        for place in 0..self.marks.len() {
            if self.marks.get(place) == Some(&ink) {
                let spot = self.spot(place, (ink, seen), &mut pending);
                found(self, &spot);
            }
        }
    }

    fn spot(&mut self, start: usize, (ink, seen): (u8, u8), pending: &mut Vec<u32>) -> Spot {
        let (x, y) = (start % self.width, start / self.width);
        let mut spot = Spot {
            size: 0,
            places: Vec::new(),
            left: x,
            right: x,
            top: y,
            bottom: y,
        };
        self.mark(start, seen);
        // At most 100 megapixels.
        pending.extend(u32::try_from(start));
        while let Some(place) = pending.pop() {
            let place = place as usize;
            spot.add(place, self.width);
            let (x, y) = (place % self.width, place / self.width);
            for row in y.saturating_sub(1)..(y + 2).min(self.height) {
                for column in x.saturating_sub(1)..(x + 2).min(self.width) {
                    let other = row * self.width + column;
                    if self.marks.get(other) == Some(&ink) {
                        self.mark(other, seen);
                        pending.extend(u32::try_from(other));
                    }
                }
            }
        }
        spot
    }

    fn mark(&mut self, place: usize, mark: u8) {
        if let Some(here) = self.marks.get_mut(place) {
            *here = mark;
        }
    }

    /// Whether there is no other ink so many pixels around a spot.
    fn is_apart(&self, spot: &Spot, reach: usize) -> bool {
        let is_ink = |place: &usize| self.marks.get(*place) != Some(&super::threshold::WHITE);
        self.around(spot, reach).filter(is_ink).count() == spot.size
    }

    /// Gives a spot and what touches it the mean colour of the paper around.
    fn paint_over<const CHANNELS: usize>(&self, spot: &Spot, samples: &mut [u8]) {
        let is_paper = |place: usize| self.marks.get(place) == Some(&super::threshold::WHITE);
        let (mut sums, mut count) = ([0_u32; CHANNELS], 0);
        for place in self.around(spot, 3).filter(|place| is_paper(*place)) {
            if self.touches(spot, place) {
                continue;
            }
            let begin = place * CHANNELS;
            let pixel = samples.get(begin..begin + CHANNELS).unwrap_or_default();
            for (sum, sample) in sums.iter_mut().zip(pixel) {
                *sum += u32::from(*sample);
            }
            count += 1;
        }
        if count == 0 {
            return;
        }
        let paper = sums.map(|sum| u8::try_from(sum / count).unwrap_or(u8::MAX));
        let near = self.around(spot, 1).filter(|place| is_paper(*place));
        for place in near.chain(spot.places.iter().copied()) {
            let begin = place * CHANNELS;
            if let Some(pixel) = samples.get_mut(begin..begin + CHANNELS) {
                pixel.copy_from_slice(&paper);
            }
        }
    }

    /// The places of the rectangle around a spot, so many pixels larger to each side.
    fn around(&self, spot: &Spot, margin: usize) -> impl Iterator<Item = usize> {
        let rows = spot.top.saturating_sub(margin)..(spot.bottom + margin + 1).min(self.height);
        let columns = spot.left.saturating_sub(margin)..(spot.right + margin + 1).min(self.width);
        let width = self.width;
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// Whether a place is in the rectangle around a spot that is a pixel larger to each side.
    fn touches(&self, spot: &Spot, place: usize) -> bool {
        let (x, y) = (place % self.width, place / self.width);
        x + 1 >= spot.left && x <= spot.right + 1 && y + 1 >= spot.top && y <= spot.bottom + 1
    }
}

impl Spot {
    fn add(&mut self, place: usize, width: usize) {
        let (x, y) = (place % width, place / width);
        self.size += 1;
        if self.places.len() < LARGEST {
            self.places.push(place);
        }
        (self.left, self.right) = (self.left.min(x), self.right.max(x));
        (self.top, self.bottom) = (self.top.min(y), self.bottom.max(y));
    }
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// Strokes of a line, a dot above it, and a frame a pixel wide.
    fn page() -> GrayImage {
        GrayImage::from_fn(200, 100, |x, y| {
            let is_stroke = x % 12 < 3 && (30..58).contains(&y) && x < 180;
            let is_dot = x % 12 < 5 && (20..25).contains(&y) && x < 180;
            let is_frame = y == 90 || x == 190;
            Luma([if is_stroke || is_dot || is_frame {
                20
            } else {
                235
            }])
        })
    }

    #[test]
    fn strokes_dots_and_thin_lines_stay() {
        assert_eq!(removed(page().into()).into_luma8(), page());
        let coloured = DynamicImage::ImageLuma8(page()).into_rgb8();
        assert_eq!(removed(coloured.clone().into()).into_rgb8(), coloured);
    }

    #[test]
    fn single_pixels_and_spots_go() {
        let mut noisy = page();
        for (x, y) in [
            (184, 5),
            (100, 75),
            (101, 75),
            (101, 76),
            (16, 63),
            (60, 70),
            (60, 71),
        ] {
            noisy.put_pixel(x, y, Luma([60]));
        }
        noisy.put_pixel(1, 40, Luma([250]));
        let result = removed(noisy.into()).into_luma8();
        let wrong: Vec<_> = result
            .enumerate_pixels()
            .filter(|(x, y, pixel)| pixel.0[0].abs_diff(page().get_pixel(*x, *y).0[0]) > 2)
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
