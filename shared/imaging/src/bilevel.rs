//! Images in black and white, which take a bit a pixel.

/// Whether there is nothing but black and white among samples of 8 bits.
pub fn is_black_and_white(samples: &[u8]) -> bool {
    samples.iter().all(|sample| matches!(sample, 0 | 255))
}

/// Eight pixels a byte, white is 1; each row begins a new byte.
pub fn pack(samples: &[u8], width: usize) -> Vec<u8> {
    let byte = |pixels: &[u8]| {
        let bits = pixels.iter().enumerate();
        bits.fold(0, |byte, (index, pixel)| byte | (pixel & 0x80) >> index)
    };
    samples
        .chunks(width.max(1))
        .flat_map(|row| row.chunks(8).map(byte))
        .collect()
}
