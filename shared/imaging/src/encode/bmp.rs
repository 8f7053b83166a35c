//! BMP: eight bits of gray or twenty-four of color.

use std::io::{Seek, SeekFrom, Write};

use image::codecs::bmp::BmpEncoder;
use image::{DynamicImage, ExtendedColorType, ImageError};
use task::{Fault, Outcome};

use super::{Attributes, a_metre};

/// Where pixels a meter across and down are [BITMAPFILEHEADER, BITMAPINFOHEADER].
const DENSITY: u64 = 38;

/// Writes pixels of 8 bits a sample without transparency; what has more is an error of ours. The format holds no color
/// profile here.
pub fn bmp(
    pixels: &DynamicImage,
    attributes: Attributes<'_>,
    mut out: impl Write + Seek,
) -> Outcome<()> {
    let (width, height) = (pixels.width(), pixels.height());
    let kind = match pixels {
        DynamicImage::ImageLuma8(_) => ExtendedColorType::L8,
        DynamicImage::ImageRgb8(_) => ExtendedColorType::Rgb8,
        _ => {
            return Err(Fault::Installation(
                "pixels that BMP cannot hold".to_owned(),
            ));
        }
    };
    BmpEncoder::new(&mut out)
        .encode(pixels.as_bytes(), width, height, kind)
        .map_err(|error| match error {
            // The kind of the error distinguishes a full disk.
            ImageError::IoError(error) => Fault::Io(error),
            other => Fault::Installation(other.to_string()),
        })?;
    if let Some((across, down)) = attributes.density {
        out.seek(SeekFrom::Start(DENSITY))?;
        out.write_all(
            &[across, down]
                .map(|side| a_metre(side).to_le_bytes())
                .concat(),
        )?;
        out.seek(SeekFrom::End(0))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, ErrorKind};

    use super::*;

    #[test]
    fn a_full_disk_keeps_its_kind_of_error() {
        let pixels = DynamicImage::new_rgb8(10, 10);
        let mut room = [0; 100];
        let written = bmp(&pixels, Attributes::default(), Cursor::new(&mut room[..]));
        assert!(
            matches!(&written, Err(Fault::Io(error)) if error.kind() == ErrorKind::WriteZero),
            "{written:?}"
        );
    }
}
