//! Functions that newer C libraries provide but glibc 2.34 of the Lambda runtime does not.

/// Euclidean length of (`x`, `y`) [C23 7.12.8.4], which the rendering crates link by this name. Since 2.35, glibc exports
/// it with a newer symbol version; a binary linked against that does not start on 2.34.
#[expect(
    unsafe_code,
    reason = "it replaces the symbol of the C library and has the same contract"
)]
#[unsafe(no_mangle)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a length beyond `f32` is infinite, as in C"
)]
extern "C" fn hypotf(x: f32, y: f32) -> f32 {
    if x.is_infinite() || y.is_infinite() {
        return f32::INFINITY;
    }
    let (x, y) = (f64::from(x), f64::from(y));
    (x * x + y * y).sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_match_the_c_standard() {
        for (x, y, length) in [
            (3.0, -4.0, 5.0),
            (0.0, 0.0, 0.0),
            (1.0e-38, 0.0, 1.0e-38),
            (f32::MAX, f32::MAX, f32::INFINITY),
            (f32::NAN, f32::NEG_INFINITY, f32::INFINITY),
        ] {
            assert_eq!(hypotf(x, y).to_bits(), f32::to_bits(length), "{x}, {y}");
        }
        assert!(hypotf(f32::NAN, 1.0).is_nan());
        assert_eq!(hypotf(f32::MAX, 1.0), f32::MAX);
    }
}
