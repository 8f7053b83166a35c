//! Bilevel images (black and white), stored with one bit per pixel.

/// Returns whether all 8-bit samples are 0 or 255.
pub fn is_bilevel(samples: &[u8]) -> bool {
    samples.iter().all(|sample| matches!(sample, 0 | 255))
}

/// Packs eight pixels per byte, white = 1; each row starts at a byte boundary.
pub fn pack_bits(samples: &[u8], width: usize) -> Vec<u8> {
    let byte = |pixels: &[u8]| {
        let bits = pixels.iter().enumerate();
        bits.fold(0, |byte, (index, pixel)| byte | (pixel & 0x80) >> index)
    };
    samples
        .chunks(width.max(1))
        .flat_map(|row| row.chunks(8).map(byte))
        .collect()
}
