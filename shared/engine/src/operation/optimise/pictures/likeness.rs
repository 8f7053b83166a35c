//! How much two pictures are alike: the peak ratio of signal to noise.

/// Samples that are looked at together: a small part that is spoilt must not vanish in a large picture.
const PART: usize = 64 * 1024;

/// The ratio of the worst part, in decibels; 0 for pictures of different sizes.
pub(super) fn likeness(one: &[u8], other: &[u8]) -> f64 {
    if one.len() != other.len() {
        return 0.0;
    }
    let parts = one.chunks(PART).zip(other.chunks(PART));
    parts
        .map(|(one, other)| ratio(one, other))
        .fold(f64::INFINITY, f64::min)
}

fn ratio(one: &[u8], other: &[u8]) -> f64 {
    let squares: u64 = one
        .iter()
        .zip(other)
        .map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2))
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "a part is small")]
    let mean = squares as f64 / one.len().max(1) as f64;
    10.0 * (255.0 * 255.0 / mean).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_part_counts() {
        assert_eq!(likeness(&[7; 100], &[7; 100]), f64::INFINITY);
        let (one, mut other) = (vec![0; 20 * PART], vec![0; 20 * PART]);
        other[PART..2 * PART].fill(255);
        assert!(likeness(&one, &other) < 0.01);
        assert!(likeness(&[0; 4], &[0; 5]) < 0.01);
        assert!((likeness(&[100; 50], &[101; 50]) - 48.13).abs() < 0.01);
    }
}
