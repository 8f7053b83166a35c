//! Structural similarity (SSIM) of two images over 8×8 blocks [Wang et al., Image Quality Assessment: From Error Visibility
//! to Structural Similarity, 2004].

use super::samples::Samples;

/// Block size in pixels.
const BLOCK: usize = 8;
/// Stabilizing constants C1 and C2 for samples up to 255.
const C: (f64, f64) = (6.5025, 58.5225);

/// Returns the mean SSIM of all blocks: 1 for equal images, 0 for different dimensions.
pub(super) fn similarity(one: &Samples, other: &Samples) -> f64 {
    if one.sides != other.sides || one.channels != other.channels {
        return 0.0;
    }
    let (width, height) = (one.sides.0 as usize, one.sides.1 as usize);
    let (one, other) = (luma(one), luma(other));
    let (mut sum, mut count) = (0.0, 0_u32);
    for top in (0..height).step_by(BLOCK) {
        for left in (0..width).step_by(BLOCK) {
            let block_at = |luma: &[u8]| block(luma, (left, top), (width, height));
            sum += ssim(&block_at(&one), &block_at(&other));
            count += 1;
        }
    }
    sum / f64::from(count.max(1))
}

/// Returns the mean of the channels of each pixel.
fn luma(samples: &Samples) -> Vec<u8> {
    let channels = usize::from(samples.channels.max(1));
    let pixels = samples.bytes.chunks_exact(channels);
    let mean = |pixel: &[u8]| {
        let sum: usize = pixel.iter().map(|sample| usize::from(*sample)).sum();
        u8::try_from(sum / channels).unwrap_or(u8::MAX)
    };
    pixels.map(mean).collect()
}

fn block(luma: &[u8], (left, top): (usize, usize), (width, height): (usize, usize)) -> Vec<u8> {
    let rows = top..(top + BLOCK).min(height);
    let columns = left..(left + BLOCK).min(width);
    rows.filter_map(|row| luma.get(row * width + columns.start..row * width + columns.end))
        .flatten()
        .copied()
        .collect()
}

fn ssim(one: &[u8], other: &[u8]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 64")]
    let count = one.len().max(1) as f64;
    let (mut x, mut y, mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (f64::from(*a), f64::from(*b));
        x += a;
        y += b;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    let (x, y) = (x / count, y / count);
    let (xx, yy, xy) = (xx / count - x * x, yy / count - y * y, xy / count - x * y);
    ((2.0 * x * y + C.0) * (2.0 * xy + C.1)) / ((x * x + y * y + C.0) * (xx + yy + C.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(each: impl Fn(u32) -> u8) -> Samples {
        Samples {
            sides: (20, 20),
            channels: 1,
            bytes: (0..400).map(each).collect(),
        }
    }

    #[test]
    fn similarity_decreases_with_the_difference() {
        let sharp = samples(|at| if at % 7 < 3 { 20 } else { 220 });
        assert!((similarity(&sharp, &sharp) - 1.0).abs() < 1e-9);
        let noisy = samples(|at| (if at % 7 < 3 { 20 } else { 220 }) + (at % 5) as u8);
        let blank = samples(|_| 128);
        let (little, much) = (similarity(&sharp, &noisy), similarity(&sharp, &blank));
        assert!(
            little > 0.99 && little < 1.0 && much < 0.1,
            "{little} {much}"
        );
        let smaller = Samples {
            sides: (10, 40),
            ..sharp.clone()
        };
        assert!(similarity(&sharp, &smaller).abs() < 1e-9);
    }
}
