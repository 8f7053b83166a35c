//! Binarization: the local threshold of Sauvola and Pietikäinen ("Adaptive document image binarization", 2000), which adapts
//! to uneven illumination, combined with a global threshold for dark areas larger than its window.

use image::GrayImage;

/// Ink.
pub(super) const BLACK: u8 = 0;
/// Paper.
pub(super) const WHITE: u8 = 255;

/// Sensitivity `k` of Sauvola's formula.
const SAUVOLA_K: f32 = 0.25;
/// Dynamic range `R` of the standard deviation of 8-bit samples.
const SAUVOLA_R: f32 = 128.0;
/// Global threshold, as a fraction of the lightest level.
const GLOBAL_THRESHOLD: f32 = 0.2;
/// Number of windows along the shorter side.
const WINDOWS: u32 = 30;

/// Binarizes a page: ink black, paper white.
pub(super) fn binarize(gray: &GrayImage) -> GrayImage {
    let (width, height) = (gray.width() as usize, gray.height() as usize);
    let reach = (gray.width().min(gray.height()) / (2 * WINDOWS)).clamp(8, 60) as usize;
    let dark = GLOBAL_THRESHOLD * f32::from(white_level(gray));
    let rows: Vec<&[u8]> = gray.chunks_exact(width.max(1)).collect();
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
    GrayImage::from_raw(gray.width(), gray.height(), result).unwrap_or_default()
}

/// Returns the 99th percentile of brightness.
fn white_level(gray: &GrayImage) -> u8 {
    let mut counts = [0_u64; 256];
    for sample in gray.iter() {
        if let Some(count) = counts.get_mut(usize::from(*sample)) {
            *count += 1;
        }
    }
    let most = gray.len() as u64 / 100;
    let mut above = 0;
    for (level, count) in (0..=u8::MAX).zip(counts).rev() {
        above += count;
        if above > most {
            return level;
        }
    }
    0
}

/// Per-column sums and sums of squares over the rows of the window.
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

    /// Appends a binarized row.
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
            let threshold = mean * (1.0 - SAUVOLA_K * (1.0 - deviation / SAUVOLA_R));
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
    fn ink_is_separated_from_paper_under_uneven_illumination() {
        // The paper brightens from 60 to 240 from left to right; bars have a third of its brightness.
        let is_bar = |x: u32, y: u32| x % 20 < 4 && y % 40 < 25;
        let paper = |x: u32| 60 + x * 180 / 400;
        let page = GrayImage::from_fn(400, 400, |x, y| {
            Luma([(if is_bar(x, y) { paper(x) / 3 } else { paper(x) }) as u8])
        });
        let result = binarize(&page);
        let wrong = result
            .enumerate_pixels()
            .filter(|(x, y, pixel)| (pixel.0[0] == BLACK) != is_bar(*x, *y));
        assert_eq!(wrong.count(), 0);
    }

    #[test]
    fn large_black_areas_stay_black_with_white_marks_on_them() {
        let is_ink = |x: u32, y: u32| !(100..200).contains(&y) || x % 50 > 3;
        let page = GrayImage::from_fn(600, 600, |x, y| {
            Luma([if is_ink(x, y) {
                12 + (x + y) as u8 % 9
            } else {
                240
            }])
        });
        let result = binarize(&page);
        let wrong = result
            .enumerate_pixels()
            .filter(|(x, y, pixel)| (pixel.0[0] == BLACK) != is_ink(*x, *y));
        assert_eq!(wrong.count(), 0);
    }

    #[test]
    fn an_empty_page_stays_white() {
        let page = GrayImage::from_fn(300, 200, |x, y| Luma([230 + (x * y % 7) as u8]));
        assert!(binarize(&page).iter().all(|sample| *sample == WHITE));
    }
}
