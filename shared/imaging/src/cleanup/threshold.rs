//! Ink and paper told apart: by the threshold of Sauvola and Pietikäinen ("Adaptive document image binarization", 2000),
//! which follows the light on the page, and by darkness alone inside what is larger than its window.

use image::GrayImage;

/// Ink.
pub(super) const BLACK: u8 = 0;
/// Paper.
pub(super) const WHITE: u8 = 255;

/// How far the threshold lies below the mean where nothing is written.
const SENSITIVITY: f32 = 0.25;
/// The largest deviation that samples of 8 bits have.
const DEVIATION: f32 = 128.0;
/// What part of the lightest level is ink in any light.
const DARK: f32 = 0.2;
/// How many windows are side by side across the shorter side.
const WINDOWS: u32 = 30;

/// Makes ink black and paper white.
pub(super) fn black_and_white(grey: &GrayImage) -> GrayImage {
    let (width, height) = (grey.width() as usize, grey.height() as usize);
    let reach = (grey.width().min(grey.height()) / (2 * WINDOWS)).clamp(8, 60) as usize;
    let dark = DARK * f32::from(lightest(grey));
    let rows: Vec<&[u8]> = grey.chunks_exact(width.max(1)).collect();
    let mut columns = Columns::new(width);
    for row in rows.iter().take(reach) {
        columns.add(row);
    }
    let mut result = Vec::with_capacity(width * height);
    for (y, row) in rows.iter().enumerate() {
        if let Some(entering) = rows.get(y + reach) {
            columns.add(entering);
        }
        if let Some(leaving) = y.checked_sub(reach + 1).and_then(|y| rows.get(y)) {
            columns.remove(leaving);
        }
        columns.classify(row, reach, dark, &mut result);
    }
    GrayImage::from_raw(grey.width(), grey.height(), result).unwrap_or_default()
}

/// The level that only one pixel of a hundred exceeds.
fn lightest(grey: &GrayImage) -> u8 {
    let mut counts = [0_u64; 256];
    for sample in grey.iter() {
        if let Some(count) = counts.get_mut(usize::from(*sample)) {
            *count += 1;
        }
    }
    let most = grey.len() as u64 / 100;
    let mut above = 0;
    for (level, count) in (0..=u8::MAX).zip(counts).rev() {
        above += count;
        if above > most {
            return level;
        }
    }
    0
}

/// Sums over the rows of a window, for each column.
struct Columns {
    sums: Vec<u32>,
    squares: Vec<u32>,
    rows: u32,
}

impl Columns {
    fn new(width: usize) -> Self {
        Self {
            sums: vec![0; width],
            squares: vec![0; width],
            rows: 0,
        }
    }

    fn add(&mut self, row: &[u8]) {
        self.rows += 1;
        for ((sample, sum), square) in row.iter().zip(&mut self.sums).zip(&mut self.squares) {
            let sample = u32::from(*sample);
            *sum += sample;
            *square += sample * sample;
        }
    }

    fn remove(&mut self, row: &[u8]) {
        self.rows -= 1;
        for ((sample, sum), square) in row.iter().zip(&mut self.sums).zip(&mut self.squares) {
            let sample = u32::from(*sample);
            *sum -= sample;
            *square -= sample * sample;
        }
    }

    /// Appends a row of black and white.
    fn classify(&self, row: &[u8], reach: usize, dark: f32, result: &mut Vec<u8>) {
        let (mut sum, mut square, mut count) = (0_u64, 0_u64, 0_u64);
        let column = |x: usize| {
            let sum = self.sums.get(x).copied();
            sum.zip(self.squares.get(x).copied())
        };
        for (a, b) in self.sums.iter().zip(&self.squares).take(reach) {
            sum += u64::from(*a);
            square += u64::from(*b);
            count += u64::from(self.rows);
        }
        for (x, sample) in row.iter().enumerate() {
            if let Some((a, b)) = column(x + reach) {
                sum += u64::from(a);
                square += u64::from(b);
                count += u64::from(self.rows);
            }
            if let Some((a, b)) = x.checked_sub(reach + 1).and_then(column) {
                sum -= u64::from(a);
                square -= u64::from(b);
                count -= u64::from(self.rows);
            }
            #[expect(clippy::cast_precision_loss, reason = "a few thousand samples")]
            let (mean, mean_square) = (sum as f32 / count as f32, square as f32 / count as f32);
            let deviation = (mean_square - mean * mean).max(0.0).sqrt();
            let threshold = mean * (1.0 - SENSITIVITY * (1.0 - deviation / DEVIATION));
            let is_ink = f32::from(*sample) <= threshold.max(dark);
            result.push(if is_ink { BLACK } else { WHITE });
        }
    }
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    #[test]
    fn ink_is_told_from_paper_in_light_and_in_shade() {
        // Paper from 60 to 240 across, with bars a third as light.
        let is_bar = |x: u32, y: u32| x % 20 < 4 && y % 40 < 25;
        let paper = |x: u32| 60 + x * 180 / 400;
        let page = GrayImage::from_fn(400, 400, |x, y| {
            Luma([(if is_bar(x, y) { paper(x) / 3 } else { paper(x) }) as u8])
        });
        let result = black_and_white(&page);
        let wrong = result
            .enumerate_pixels()
            .filter(|(x, y, pixel)| (pixel.0[0] == BLACK) != is_bar(*x, *y));
        assert_eq!(wrong.count(), 0);
    }

    #[test]
    fn what_is_black_all_over_stays_so_with_what_is_written_on_it() {
        let is_ink = |x: u32, y: u32| !(100..200).contains(&y) || x % 50 > 3;
        let page = GrayImage::from_fn(600, 600, |x, y| {
            Luma([if is_ink(x, y) {
                12 + (x + y) as u8 % 9
            } else {
                240
            }])
        });
        let result = black_and_white(&page);
        let wrong = result
            .enumerate_pixels()
            .filter(|(x, y, pixel)| (pixel.0[0] == BLACK) != is_ink(*x, *y));
        assert_eq!(wrong.count(), 0);
    }

    #[test]
    fn an_empty_page_stays_white() {
        let page = GrayImage::from_fn(300, 200, |x, y| Luma([230 + (x * y % 7) as u8]));
        assert!(black_and_white(&page).iter().all(|sample| *sample == WHITE));
    }
}
