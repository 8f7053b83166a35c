//! YCbCr → RGB (full range, matrix coefficients of BT.601), as JPEG and TIFF store colors.

/// Converts the first three samples of a pixel from YCbCr to RGB.
pub(crate) fn to_rgb(pixel: &mut [u8]) {
    let [luma, blue, red, ..] = pixel else {
        return;
    };
    let (y, cb, cr) = (
        f32::from(*luma),
        f32::from(*blue) - 128.0,
        f32::from(*red) - 128.0,
    );
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a byte"
    )]
    let sample = |light: f32| light.round().clamp(0.0, 255.0) as u8;
    *luma = sample(y + 1.402 * cr);
    *blue = sample(y - 0.344_14 * cb - 0.714_14 * cr);
    *red = sample(y + 1.772 * cb);
}
