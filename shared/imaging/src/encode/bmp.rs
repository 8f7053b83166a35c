//! BMP with 8 bits of gray or 24 bits of RGB.

use std::io::{Seek, SeekFrom, Write};

use image::codecs::bmp::BmpEncoder;
use image::{DynamicImage, ExtendedColorType, ImageError};
use task::{TaskError, TaskResult};

use super::{Attributes, per_meter};

/// Offset of the horizontal and vertical pixels per meter [BITMAPFILEHEADER, BITMAPINFOHEADER].
const DENSITY: u64 = 38;

/// Writes opaque pixels of 8 bits per sample; the caller must have converted others. No color profile is written.
///
/// # Errors
/// If the file cannot be written, or the pixels are of another type.
pub fn bmp(
    pixels: &DynamicImage,
    attributes: Attributes<'_>,
    mut out: impl Write + Seek,
) -> TaskResult<()> {
    let (width, height) = (pixels.width(), pixels.height());
    let kind = match pixels {
        DynamicImage::ImageLuma8(_) => ExtendedColorType::L8,
        DynamicImage::ImageRgb8(_) => ExtendedColorType::Rgb8,
        _ => {
            return Err(TaskError::Installation(
                "pixel type not supported by BMP".to_owned(),
            ));
        }
    };
    BmpEncoder::new(&mut out)
        .encode(pixels.as_bytes(), width, height, kind)
        .map_err(|error| match error {
            // Kept as I/O error, so that a full disk can be detected.
            ImageError::IoError(error) => TaskError::Io(error),
            other => TaskError::Installation(other.to_string()),
        })?;
    if let Some((across, down)) = attributes.density {
        out.seek(SeekFrom::Start(DENSITY))?;
        out.write_all(
            &[across, down]
                .map(|side| per_meter(side).to_le_bytes())
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
    fn a_full_disk_is_reported_as_an_io_error() {
        let pixels = DynamicImage::new_rgb8(10, 10);
        let mut room = [0; 100];
        let written = bmp(&pixels, Attributes::default(), Cursor::new(&mut room[..]));
        assert!(
            matches!(&written, Err(TaskError::Io(error)) if error.kind() == ErrorKind::WriteZero),
            "{written:?}"
        );
    }
}
