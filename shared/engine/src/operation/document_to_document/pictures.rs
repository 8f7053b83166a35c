//! Images of a package for the writers: JPEG, PNG and GIF as they are, other formats as PNG.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufReader, Cursor, Read, Result};
use std::path::{Path, PathBuf};

use domain::format::Format;
use imaging::encode::{Attributes, Effort, check_dimensions, png};
use imaging::{UprightImage, jpeg};
use layout::writers::{PictureFormat, PictureInfo};
use task::magic::sniff_image_format;
use task::{TaskError, TaskResult};

/// Color components of a CMYK JPEG, which few programs display.
const CMYK_COMPONENTS: u8 = 4;
/// Bytes at the start of an image in which its root element is searched.
const HEAD: usize = 4_096;

/// The images of a document, each extracted into a directory once.
pub(super) struct PackagePictures<'a> {
    pictures: markup::Pictures,
    directory: &'a Path,
    /// By number; `None` if the image cannot be read.
    extracted: RefCell<HashMap<usize, Option<PictureInfo>>>,
}

impl<'a> PackagePictures<'a> {
    pub(super) fn new(pictures: markup::Pictures, directory: &'a Path) -> Self {
        Self {
            pictures,
            directory,
            extracted: RefCell::default(),
        }
    }

    /// Number of requested images that cannot be read.
    pub(super) fn missing(&self) -> u32 {
        let extracted = self.extracted.borrow();
        let missing = extracted.values().filter(|info| info.is_none()).count();
        u32::try_from(missing).unwrap_or(u32::MAX)
    }

    fn path(&self, image: usize) -> PathBuf {
        self.directory.join(format!("picture-{image}"))
    }

    /// Extracts an image into the directory. Returns `None` if the document's image is missing, damaged or not supported.
    fn extract(&self, image: usize) -> Result<Option<PictureInfo>> {
        let Ok(Some(bytes)) = self.pictures.bytes(image) else {
            return Ok(None);
        };
        match prepare(&bytes) {
            Ok((info, Some(png))) => fs::write(self.path(image), png).map(|()| Some(info)),
            Ok((info, None)) => fs::write(self.path(image), &bytes).map(|()| Some(info)),
            Err(TaskError::Io(error)) => Err(error),
            Err(TaskError::Document(_) | TaskError::Installation(_)) => Ok(None),
        }
    }
}

impl layout::writers::Pictures for PackagePictures<'_> {
    fn info(&self, image: usize) -> Result<Option<PictureInfo>> {
        if let Some(info) = self.extracted.borrow().get(&image) {
            return Ok(*info);
        }
        let info = self.extract(image)?;
        self.extracted.borrow_mut().insert(image, info);
        Ok(info)
    }

    fn open(&self, image: usize) -> Result<Box<dyn Read + '_>> {
        Ok(Box::new(BufReader::new(File::open(self.path(image))?)))
    }
}

/// Returns an image's properties, and its PNG encoding if the original format is not supported everywhere.
fn prepare(bytes: &[u8]) -> TaskResult<(PictureInfo, Option<Vec<u8>>)> {
    let format = format_of(bytes).ok_or_else(TaskError::unsupported_variant)?;
    let sides = imaging::dimensions(Cursor::new(bytes), format)?;
    check_dimensions(Format::Png, sides)?;
    if sides.0 == 0 || sides.1 == 0 {
        return Err(TaskError::input_corrupt());
    }
    match unconverted_format(bytes, format)? {
        Some(format) => Ok((info_of(format, sides), None)),
        None => converted_to_png(bytes, format),
    }
}

/// The format of an image; SVG is the only supported vector format.
fn format_of(bytes: &[u8]) -> Option<Format> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let is_drawing = || head.windows(4).any(|word| word == b"<svg");
    sniff_image_format(head).or_else(|| is_drawing().then_some(Format::Svg))
}

/// The format of an image that can be used unconverted; checks that the file is complete.
fn unconverted_format(bytes: &[u8], format: Format) -> TaskResult<Option<PictureFormat>> {
    match format {
        Format::Jpeg => {
            let components = jpeg::header(Cursor::new(bytes))?.components;
            jpeg::check_end(Cursor::new(bytes))?;
            Ok((components < CMYK_COMPONENTS).then_some(PictureFormat::Jpeg))
        }
        Format::Png if bytes.windows(4).rev().any(|word| word == b"IEND") => {
            Ok(Some(PictureFormat::Png))
        }
        Format::Png => Err(TaskError::input_corrupt()),
        Format::Gif => Ok(Some(PictureFormat::Gif)),
        _ => Ok(None),
    }
}

fn converted_to_png(bytes: &[u8], format: Format) -> TaskResult<(PictureInfo, Option<Vec<u8>>)> {
    let image = UprightImage::read(|| Ok(Cursor::new(bytes)), format)?.in_srgb();
    let sides = (image.pixels.width(), image.pixels.height());
    let png = png(image.pixels, Effort::Quick, Attributes::default())?;
    Ok((info_of(PictureFormat::Png, sides), Some(png)))
}

fn info_of(format: PictureFormat, (width, height): (u32, u32)) -> PictureInfo {
    PictureInfo {
        format,
        width,
        height,
    }
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, ImageFormat, RgbImage};

    use super::*;

    fn file(format: ImageFormat) -> Vec<u8> {
        let image = DynamicImage::from(RgbImage::from_pixel(3, 2, image::Rgb([200, 10, 10])));
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn widely_supported_formats_are_not_converted() {
        for (format, expected, stays) in [
            (ImageFormat::Jpeg, PictureFormat::Jpeg, true),
            (ImageFormat::Png, PictureFormat::Png, true),
            (ImageFormat::Gif, PictureFormat::Gif, true),
            (ImageFormat::Bmp, PictureFormat::Png, false),
            (ImageFormat::Tiff, PictureFormat::Png, false),
            (ImageFormat::WebP, PictureFormat::Png, false),
        ] {
            let (found, png) = prepare(&file(format)).unwrap();
            assert_eq!(found, info_of(expected, (3, 2)), "{format:?}");
            assert_eq!(png.is_none(), stays, "{format:?}");
        }
        let drawing =
            b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' width='4' height='5'/>";
        let (found, png) = prepare(drawing).unwrap();
        assert_eq!(found, info_of(PictureFormat::Png, (4, 5)));
        assert!(png.unwrap().starts_with(b"\x89PNG"));
    }

    #[test]
    fn unsupported_and_truncated_images_are_rejected() {
        let jpeg = file(ImageFormat::Jpeg);
        let png = file(ImageFormat::Png);
        for bytes in [
            b"\x01\0\0\0\x6c\0\0\0 an enhanced metafile".as_slice(),
            b"",
            &jpeg[..jpeg.len() - 10],
            &png[..png.len() - 12],
        ] {
            assert!(prepare(bytes).is_err(), "{}", bytes.len());
        }
    }
}
