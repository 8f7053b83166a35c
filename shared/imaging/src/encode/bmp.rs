//! BMP: eight bits of grey or twenty-four of colour, rows from the bottom [BITMAPFILEHEADER, BITMAPINFOHEADER].

use std::io::Write;

use image::DynamicImage;
use task::{Fault, Outcome};

use super::{Attributes, a_metre};

const FILE_HEADER: u32 = 14;
const HEADER: u32 = 40;
const GREYS: u32 = 256;

/// Writes pixels of 8 bits a sample without transparency; what has more is an error of ours. The format holds no colour
/// profile here.
pub fn bmp(pixels: &DynamicImage, attributes: Attributes<'_>, mut out: impl Write) -> Outcome<()> {
    let (width, height) = (pixels.width(), pixels.height());
    let (channels, colours) = match pixels {
        DynamicImage::ImageLuma8(_) => (1, GREYS),
        DynamicImage::ImageRgb8(_) => (3, 0),
        _ => {
            return Err(Fault::Installation(
                "pixels that BMP cannot hold".to_owned(),
            ));
        }
    };
    let row = width * channels;
    let padding = row.wrapping_neg() % 4;
    let begin = FILE_HEADER + HEADER + colours * 4;
    let size = (row + padding) * height;
    let (across, down) = attributes
        .density
        .map_or((0, 0), |(across, down)| (a_metre(across), a_metre(down)));
    out.write_all(b"BM")?;
    numbers(&mut out, &[begin + size, 0, begin, HEADER, width, height])?;
    let planes_and_bits = 1 | (channels * 8) << 16;
    numbers(
        &mut out,
        &[planes_and_bits, 0, size, across, down, colours, 0],
    )?;
    for grey in 0..colours {
        numbers(&mut out, &[grey * 0x01_01_01])?;
    }
    for line in pixels.as_bytes().chunks_exact(row.max(1) as usize).rev() {
        match channels {
            1 => out.write_all(line)?,
            _ => out.write_all(&blue_first(line))?,
        }
        out.write_all([0; 3].get(..padding as usize).unwrap_or_default())?;
    }
    Ok(())
}

fn numbers(out: &mut impl Write, numbers: &[u32]) -> std::io::Result<()> {
    let mut bytes = numbers.iter().map(|number| number.to_le_bytes());
    bytes.try_for_each(|bytes| out.write_all(&bytes))
}

fn blue_first(line: &[u8]) -> Vec<u8> {
    let mut line = line.to_vec();
    line.chunks_exact_mut(3).for_each(<[u8]>::reverse);
    line
}
