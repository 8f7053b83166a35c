//! The pictures of a package, as writers ask for them: those that everything shows as they are, others as PNG.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufReader, Cursor, Read, Result};
use std::path::{Path, PathBuf};

use domain::format::Format;
use imaging::encode::{Attributes, Effort, check_sides, png};
use imaging::{Upright, jpeg};
use layout::writers::{PictureFormat, PictureInfo};
use task::magic::image_format_of;
use task::{Fault, Outcome};

/// Colours of a JPEG that is in the inks of printing, which few programs show.
const INKS: u8 = 4;
/// How far into a picture its first element is looked for.
const HEAD: usize = 4_096;

/// The pictures of a document, each read once and put into a directory.
pub(super) struct Packed<'a> {
    pictures: markup::Pictures,
    directory: &'a Path,
    /// By number; none for those that cannot be shown.
    kept: RefCell<HashMap<usize, Option<PictureInfo>>>,
}

impl<'a> Packed<'a> {
    pub(super) fn new(pictures: markup::Pictures, directory: &'a Path) -> Self {
        Self {
            pictures,
            directory,
            kept: RefCell::default(),
        }
    }

    /// How many of those that were asked for cannot be shown.
    pub(super) fn missing(&self) -> u32 {
        let kept = self.kept.borrow();
        let missing = kept.values().filter(|facts| facts.is_none()).count();
        u32::try_from(missing).unwrap_or(u32::MAX)
    }

    fn path(&self, image: usize) -> PathBuf {
        self.directory.join(format!("picture-{image}"))
    }

    /// Puts a picture where it can be opened; what is at fault within the document leaves it out.
    fn keep(&self, image: usize) -> Result<Option<PictureInfo>> {
        let Ok(Some(bytes)) = self.pictures.bytes(image) else {
            return Ok(None);
        };
        match shown(&bytes) {
            Ok((facts, Some(png))) => fs::write(self.path(image), png).map(|()| Some(facts)),
            Ok((facts, None)) => fs::write(self.path(image), &bytes).map(|()| Some(facts)),
            Err(Fault::Io(error)) => Err(error),
            Err(Fault::Document(_) | Fault::Installation(_)) => Ok(None),
        }
    }
}

impl layout::writers::Pictures for Packed<'_> {
    fn info(&self, image: usize) -> Result<Option<PictureInfo>> {
        if let Some(known) = self.kept.borrow().get(&image) {
            return Ok(*known);
        }
        let facts = self.keep(image)?;
        self.kept.borrow_mut().insert(image, facts);
        Ok(facts)
    }

    fn open(&self, image: usize) -> Result<Box<dyn Read + '_>> {
        Ok(Box::new(BufReader::new(File::open(self.path(image))?)))
    }
}

/// What is known of a picture, and it as PNG where not everything shows it as it is.
fn shown(bytes: &[u8]) -> Outcome<(PictureInfo, Option<Vec<u8>>)> {
    let format = format_of(bytes).ok_or_else(Fault::variant)?;
    let sides = imaging::sides(Cursor::new(bytes), format)?;
    check_sides(Format::Png, sides)?;
    if sides.0 == 0 || sides.1 == 0 {
        return Err(Fault::corrupt());
    }
    match as_it_is(bytes, format)? {
        Some(format) => Ok((facts(format, sides), None)),
        None => redrawn(bytes, format),
    }
}

/// The format of a picture; of drawings only those that are a text are known.
fn format_of(bytes: &[u8]) -> Option<Format> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let is_drawing = || head.windows(4).any(|word| word == b"<svg");
    image_format_of(head).or_else(|| is_drawing().then_some(Format::Svg))
}

/// The format of a picture that everything shows as it is, and that is whole.
fn as_it_is(bytes: &[u8], format: Format) -> Outcome<Option<PictureFormat>> {
    match format {
        Format::Jpeg => {
            let colours = jpeg::header(Cursor::new(bytes))?.components;
            jpeg::check_end(Cursor::new(bytes))?;
            Ok((colours < INKS).then_some(PictureFormat::Jpeg))
        }
        Format::Png if bytes.windows(4).rev().any(|word| word == b"IEND") => {
            Ok(Some(PictureFormat::Png))
        }
        Format::Png => Err(Fault::corrupt()),
        Format::Gif => Ok(Some(PictureFormat::Gif)),
        _ => Ok(None),
    }
}

fn redrawn(bytes: &[u8], format: Format) -> Outcome<(PictureInfo, Option<Vec<u8>>)> {
    let image = Upright::read(|| Ok(Cursor::new(bytes)), format)?.in_srgb();
    let sides = (image.pixels.width(), image.pixels.height());
    let png = png(image.pixels, Effort::Quick, Attributes::default())?;
    Ok((facts(PictureFormat::Png, sides), Some(png)))
}

fn facts(format: PictureFormat, (width, height): (u32, u32)) -> PictureInfo {
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
    fn pictures_stay_as_they_are_where_everything_shows_them() {
        for (format, expected, stays) in [
            (ImageFormat::Jpeg, PictureFormat::Jpeg, true),
            (ImageFormat::Png, PictureFormat::Png, true),
            (ImageFormat::Gif, PictureFormat::Gif, true),
            (ImageFormat::Bmp, PictureFormat::Png, false),
            (ImageFormat::Tiff, PictureFormat::Png, false),
            (ImageFormat::WebP, PictureFormat::Png, false),
        ] {
            let (found, png) = shown(&file(format)).unwrap();
            assert_eq!(found, facts(expected, (3, 2)), "{format:?}");
            assert_eq!(png.is_none(), stays, "{format:?}");
        }
        let drawing =
            b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' width='4' height='5'/>";
        let (found, png) = shown(drawing).unwrap();
        assert_eq!(found, facts(PictureFormat::Png, (4, 5)));
        assert!(png.unwrap().starts_with(b"\x89PNG"));
    }

    #[test]
    fn what_cannot_be_shown_is_left_out() {
        let jpeg = file(ImageFormat::Jpeg);
        let png = file(ImageFormat::Png);
        for bytes in [
            b"\x01\0\0\0\x6c\0\0\0 an enhanced metafile".as_slice(),
            b"",
            &jpeg[..jpeg.len() - 10],
            &png[..png.len() - 12],
        ] {
            assert!(shown(bytes).is_err(), "{}", bytes.len());
        }
    }
}
