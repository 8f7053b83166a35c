//! What newer C libraries have and that of Lambda's runtime, glibc 2.34, does not.

/// The length of the vector (`x`, `y`) [C23 7.12.8.4], which crates that draw ask for by this name: glibc has another
/// version of it since 2.35, and what is linked against that does not start on 2.34.
#[expect(
    unsafe_code,
    reason = "the linker takes it for the C library's by its name, and it is what that one is"
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
    fn lengths_are_those_of_c() {
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
