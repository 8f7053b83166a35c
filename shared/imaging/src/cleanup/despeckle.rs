//! Despeckling: removes single pixels far darker or lighter than all their neighbors, and ink spots too small to be part of
//! the writing on the page.

use image::{DynamicImage, GrayImage};

use super::binarize::{BLACK, binarize};

/// Maximum difference of pixels that count as alike.
const TOLERANCE: u8 = 40;
/// A spot covers at most this fraction (1/n) of the squared letter height; a full stop covers more.
const SPOT_FRACTION: usize = 50;
/// Minimum distance of a spot from other ink, as a fraction (1/n) of the letter height; diacritic dots are closer.
const DISTANCE_FRACTION: usize = 3;
/// Maximum pixels of a spot.
const MAX_SPOT: usize = 64;
/// Minimum pixels and minimum height of a letter.
const MIN_LETTER: (usize, usize) = (12, 5);
/// From this letter height on, strokes are wider than one pixel.
const LARGE_LETTER: usize = 14;
/// Marks of ink visited by the first and second pass.
const VISITED: u8 = 1;
const VISITED_TWICE: u8 = 2;

/// Removes specks. On pages with small letters, single pixels may be parts of letters and stay.
pub(super) fn despeckle(mut pixels: DynamicImage) -> DynamicImage {
    let mut page = Page::of(&pixels);
    let mut letter_height = page.letter_height();
    if letter_height == 0 || letter_height >= LARGE_LETTER {
        let gray = pixels.to_luma8();
        match &mut pixels {
            DynamicImage::ImageRgb8(image) => remove_single_pixels::<3>(image, &gray),
            DynamicImage::ImageLuma8(image) => remove_single_pixels::<1>(image, &gray),
            _ => return pixels,
        }
        page = Page::of(&pixels);
        letter_height = page.letter_height();
    }
    match &mut pixels {
        DynamicImage::ImageRgb8(image) => page.remove_spots::<3>(letter_height, image),
        DynamicImage::ImageLuma8(image) => page.remove_spots::<1>(letter_height, image),
        _ => {}
    }
    pixels
}

/// Replaces each pixel that is far darker or lighter than all its neighbors by their median.
fn remove_single_pixels<const CHANNELS: usize>(samples: &mut [u8], gray: &GrayImage) {
    let (width, height) = (gray.width() as usize, gray.height() as usize);
    for y in 0..height {
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        for x in 0..width {
            let here = gray.get(y * width + x).copied().unwrap_or(0);
            let columns = x.saturating_sub(1)..(x + 2).min(width);
            let (mut darker, mut lighter, mut all) = (0, 0, 0);
            for row in rows.clone() {
                let range = row * width + columns.start..row * width + columns.end;
                let neighbors = gray.get(range).unwrap_or_default();
                all += neighbors.len();
                darker += neighbors
                    .iter()
                    .filter(|other| **other < here.saturating_sub(TOLERANCE))
                    .count();
                lighter += neighbors
                    .iter()
                    .filter(|other| **other > here.saturating_add(TOLERANCE))
                    .count();
            }
            // `all` includes the pixel itself. A pixel between its neighbors in brightness is the edge of a stroke.
            if (darker + 1 == all || lighter + 1 == all)
                && let Some(median) = median(gray, rows.clone(), columns, (x, y))
            {
                let begin = median * CHANNELS;
                let to = (y * width + x) * CHANNELS;
                samples.copy_within(begin..begin + CHANNELS, to);
            }
        }
    }
}

/// Returns the index of the neighbor with the median brightness.
fn median(
    gray: &GrayImage,
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
    (x, y): (usize, usize),
) -> Option<usize> {
    let width = gray.width() as usize;
    let mut neighbors: Vec<(u8, usize)> = rows
        .flat_map(|row| columns.clone().map(move |column| (column, row)))
        .filter(|place| *place != (x, y))
        .map(|(column, row)| row * width + column)
        .filter_map(|place| gray.get(place).map(|sample| (*sample, place)))
        .collect();
    neighbors.sort_unstable();
    neighbors.get(neighbors.len() / 2).map(|(_, place)| *place)
}

/// A binarized page whose ink pixels are marked when visited.
struct Page {
    width: usize,
    height: usize,
    marks: Vec<u8>,
}

/// A connected component of ink (8-connectivity).
struct Spot {
    /// Number of pixels.
    size: usize,
    /// Indices of the first [`MAX_SPOT`] pixels.
    places: Vec<usize>,
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Page {
    fn of(pixels: &DynamicImage) -> Self {
        let page = binarize(&pixels.to_luma8());
        Self {
            width: page.width() as usize,
            height: page.height() as usize,
            marks: page.into_raw(),
        }
    }

    /// Returns the median letter height, 0 without letters. Marks all ink as visited once.
    fn letter_height(&mut self) -> usize {
        let mut heights = Vec::new();
        self.for_each_spot(BLACK, VISITED, |_, spot| {
            let height = spot.bottom - spot.top + 1;
            if spot.size >= MIN_LETTER.0 && height >= MIN_LETTER.1 {
                heights.push(height);
            }
        });
        heights.sort_unstable();
        heights.get(heights.len() / 2).copied().unwrap_or(0)
    }

    /// Fills small isolated spots with the color of the surrounding paper.
    fn remove_spots<const CHANNELS: usize>(&mut self, letter_height: usize, samples: &mut [u8]) {
        let largest = (letter_height * letter_height / SPOT_FRACTION).clamp(1, MAX_SPOT);
        self.for_each_spot(VISITED, VISITED_TWICE, |page, spot| {
            if spot.size <= largest
                && page.is_isolated(spot, (letter_height / DISTANCE_FRACTION).max(2))
            {
                page.fill::<CHANNELS>(spot, samples);
            }
        });
    }

    /// Visits all connected components with the mark `ink` and changes the mark to `seen`.
    fn for_each_spot(&mut self, ink: u8, seen: u8, mut found: impl FnMut(&Self, &Spot)) {
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
        // At most 100 megapixels, so indices fit 32 bits.
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

    /// Returns whether there is no other ink within `reach` pixels of a spot.
    fn is_isolated(&self, spot: &Spot, reach: usize) -> bool {
        let is_ink = |place: &usize| self.marks.get(*place) != Some(&super::binarize::WHITE);
        self.area_around(spot, reach).filter(is_ink).count() == spot.size
    }

    /// Fills a spot and the pixels that touch it with the mean color of the surrounding paper.
    fn fill<const CHANNELS: usize>(&self, spot: &Spot, samples: &mut [u8]) {
        let is_paper = |place: usize| self.marks.get(place) == Some(&super::binarize::WHITE);
        let (mut sums, mut count) = ([0_u32; CHANNELS], 0);
        for place in self.area_around(spot, 3).filter(|place| is_paper(*place)) {
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
        let near = self.area_around(spot, 1).filter(|place| is_paper(*place));
        for place in near.chain(spot.places.iter().copied()) {
            let begin = place * CHANNELS;
            if let Some(pixel) = samples.get_mut(begin..begin + CHANNELS) {
                pixel.copy_from_slice(&paper);
            }
        }
    }

    /// Returns the indices of the bounding box of a spot, extended by `margin` pixels.
    fn area_around(&self, spot: &Spot, margin: usize) -> impl Iterator<Item = usize> {
        let rows = spot.top.saturating_sub(margin)..(spot.bottom + margin + 1).min(self.height);
        let columns = spot.left.saturating_sub(margin)..(spot.right + margin + 1).min(self.width);
        let width = self.width;
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// Returns whether a pixel is within the bounding box of a spot extended by one pixel.
    fn touches(&self, spot: &Spot, place: usize) -> bool {
        let (x, y) = (place % self.width, place / self.width);
        x + 1 >= spot.left && x <= spot.right + 1 && y + 1 >= spot.top && y <= spot.bottom + 1
    }
}

impl Spot {
    fn add(&mut self, place: usize, width: usize) {
        let (x, y) = (place % width, place / width);
        self.size += 1;
        if self.places.len() < MAX_SPOT {
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

    /// A line of strokes, dots above them, and a frame one pixel wide.
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
        assert_eq!(despeckle(page().into()).into_luma8(), page());
        let colored = DynamicImage::ImageLuma8(page()).into_rgb8();
        assert_eq!(despeckle(colored.clone().into()).into_rgb8(), colored);
    }

    #[test]
    fn single_pixels_and_small_spots_are_removed() {
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
        let result = despeckle(noisy.into()).into_luma8();
        let wrong: Vec<_> = result
            .enumerate_pixels()
            .filter(|(x, y, pixel)| pixel.0[0].abs_diff(page().get_pixel(*x, *y).0[0]) > 2)
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
