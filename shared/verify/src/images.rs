//! Checks page images and compressed images by decoding them with a different library than encoded them.

use std::fs::File;
use std::io::{BufReader, Cursor, Read};

use domain::format::Format;
use domain::operation::{Viewport, is_renderable_size};
use image::DynamicImage;
use imaging::frames::{FrameSelection, select_frames};
use imaging::geometry::may_keep_source;
use task::options::conversion;
use task::{Product, Task, TaskError, TaskResult, Verified, Warning};
use zip::ZipArchive;
use zune_core::bytestream::ZCursor;
use zune_core::result::DecodingResult;
use zune_jpeg::JpegDecoder;
use zune_png::PngDecoder;

use super::decoded::unlimited;
use super::image_to_image::{check_frames, check_metadata};
use super::texts::pages_of_result;

/// Maximum bytes of one image.
const MAX_IMAGE: u64 = 1024 * 1024 * 1024;

/// Checks that there is an image for each requested page of the source, with the right dimensions.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn page_images(task: &Task, product: &Product) -> TaskResult<Verified> {
    let pages = pages_of_result(task)?;
    if product.sides.len() != pages as usize {
        return Err(TaskError::output_invalid("pages are missing"));
    }
    match product.sides.as_slice() {
        [sides] => check_dimensions(&std::fs::read(task.output())?, task.to, *sides)?,
        _ => check_archive(task, product)?,
    }
    Ok(Verified::complete(pages))
}

fn check_archive(task: &Task, product: &Product) -> TaskResult<()> {
    let invalid = |_| TaskError::output_invalid("the archive does not open");
    let mut archive =
        ZipArchive::new(BufReader::new(File::open(task.output())?)).map_err(invalid)?;
    if archive.len() != product.sides.len() || archive.len() != product.entries.len() {
        return Err(TaskError::output_invalid("images are missing"));
    }
    for (index, (sides, size)) in product.sides.iter().zip(&product.entries).enumerate() {
        let name = task.entry_name(index + 1);
        let entry = archive.by_name(&name).map_err(invalid)?;
        let mut image = Vec::new();
        let read = entry.take(MAX_IMAGE).read_to_end(&mut image);
        read.map_err(|_| TaskError::output_invalid("the archive is damaged"))?;
        if image.len() as u64 != *size {
            return Err(TaskError::output_invalid("an image has an unexpected size"));
        }
        check_dimensions(&image, task.to, *sides)?;
    }
    Ok(())
}

/// Checks a compressed image: it decodes, has the planned dimensions, and is smaller than the source if format and dimensions
/// are the same, otherwise not larger without a warning. A PNG from a PNG of the same dimensions has identical pixels.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn compressed(task: &Task, product: &Product) -> TaskResult<Verified> {
    let verified = Verified::complete(1);
    let [sides] = product.sides.as_slice() else {
        return Err(TaskError::output_invalid(
            "its dimensions were not reported",
        ));
    };
    if product.unchanged {
        let source = || Ok::<_, TaskError>(BufReader::new(File::open(&task.source)?));
        let (upright, _) = imaging::upright_dimensions(source()?, task.from)?;
        if upright != *sides || !may_keep_source(task, upright) {
            return Err(TaskError::output_invalid(
                "the source does not satisfy the request",
            ));
        }
        check_metadata(task, source()?)?;
        // The operation does not decode a PNG that it cannot make smaller.
        return imaging::decode(source()?, task.from).map(|_| verified);
    }
    let bytes = std::fs::read(task.output())?;
    let orientation = imaging::orientation(Cursor::new(&bytes), task.to).map_err(undecodable)?;
    let stored = match imaging::swaps_dimensions(orientation) {
        true => (sides.1, sides.0),
        false => *sides,
    };
    check_dimensions(&bytes, task.to, stored)?;
    check_metadata(task, Cursor::new(&bytes))?;
    if task.to == Format::Webp
        && let FrameSelection::Animated(animation) = select_frames(task, 1)?
    {
        check_frames(task, animation)?;
    }
    let (size, most) = (bytes.len() as u64, std::fs::metadata(&task.source)?.len());
    if size > most && !product.warnings.contains(&Warning::LargerThanSource) {
        return Err(TaskError::output_invalid("it is larger than the source"));
    }
    let source = || Ok::<_, TaskError>(BufReader::new(File::open(&task.source)?));
    let (upright, _) = imaging::upright_dimensions(source()?, task.from)?;
    if task.from == task.to && upright == *sides {
        if size >= most {
            return Err(TaskError::output_invalid(
                "it is not smaller than the source",
            ));
        }
        if task.to == Format::Png {
            let mut source = imaging::decode(source()?, task.from)?;
            // If the orientation was kept, compare the pixels as stored.
            if orientation != source.orientation {
                source.pixels.apply_orientation(source.orientation);
            }
            check_pixels(&bytes, source.pixels)?;
        }
    }
    Ok(verified)
}

/// Checks a screenshot of a web page: it decodes, has the requested dimensions, and is not of one color if the page has text.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn screenshot(task: &Task, product: &Product) -> TaskResult<Verified> {
    let options = conversion(&task.operation)?;
    let viewport = Viewport::of(options);
    let [least, window] =
        [viewport.width, viewport.height].map(|side| viewport.pixels(side.into()));
    let fits = |(width, height): (u32, u32)| match options.full_page.unwrap_or(true) {
        true => width >= least && height >= window && is_renderable_size(width, height),
        false => (width, height) == (least, window),
    };
    let [sides] = product.sides.as_slice() else {
        return Err(TaskError::output_invalid(
            "its dimensions were not reported",
        ));
    };
    let (found, samples) = png(&std::fs::read(task.output())?)?;
    if found != (sides.0 as usize, sides.1 as usize) || !fits(*sides) {
        return Err(TaskError::output_invalid(
            "it does not have the requested dimensions",
        ));
    }
    match product.shows_text && samples.is_one_color() {
        true => Err(TaskError::output_invalid("it is blank")),
        false => Ok(Verified::complete(1)),
    }
}

fn undecodable<E>(_: E) -> TaskError {
    TaskError::output_invalid("it cannot be decoded")
}

/// Decodes an image completely and checks its dimensions.
fn check_dimensions(bytes: &[u8], format: Format, sides: (u32, u32)) -> TaskResult<()> {
    let found = match format {
        Format::Png => png(bytes)?.0,
        Format::Jpeg => {
            let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), unlimited());
            decoder.decode().map_err(undecodable)?;
            decoder.dimensions().ok_or_else(|| undecodable(()))?
        }
        // Encoded by libwebp, decoded by another implementation.
        _ => {
            let reader = Cursor::new(bytes);
            let decoded = imaging::decode(reader, format).map_err(undecodable)?.pixels;
            (decoded.width() as usize, decoded.height() as usize)
        }
    };
    match found == (sides.0 as usize, sides.1 as usize) {
        true => Ok(()),
        false => Err(TaskError::output_invalid("it has unexpected dimensions")),
    }
}

/// Decodes with a different library than wrote the file.
fn png(bytes: &[u8]) -> TaskResult<((usize, usize), Samples)> {
    let mut decoder = PngDecoder::new_with_options(ZCursor::new(bytes), unlimited());
    let decoded = decoder.decode().map_err(undecodable)?;
    let sides = decoder.dimensions().ok_or_else(|| undecodable(()))?;
    let space = decoder.colorspace().ok_or_else(|| undecodable(()))?;
    let depth = match decoded {
        DecodingResult::U8(samples) => Depth::Eight(samples),
        DecodingResult::U16(samples) => Depth::Sixteen(samples),
        _ => return Err(undecodable(())),
    };
    let channels = space.num_components().max(1);
    Ok((sides, Samples { depth, channels }))
}

/// Checks that all pixels are equal, independent of channels and bit depth.
fn check_pixels(bytes: &[u8], expected: DynamicImage) -> TaskResult<()> {
    let (_, found) = png(bytes)?;
    let expected = Samples::of(expected);
    match found.pixels().eq(expected.pixels()) {
        true => Ok(()),
        false => Err(TaskError::output_invalid(
            "its pixels differ from the source",
        )),
    }
}

/// Interleaved samples.
struct Samples {
    depth: Depth,
    channels: usize,
}

enum Depth {
    Eight(Vec<u8>),
    Sixteen(Vec<u16>),
}

impl Samples {
    fn is_one_color(&self) -> bool {
        let mut pixels = self.pixels();
        let first = pixels.next();
        pixels.all(|pixel| Some(pixel) == first)
    }

    fn of(image: DynamicImage) -> Self {
        let channels = image.color().channel_count().into();
        let wide = image.color().bytes_per_pixel() > image.color().channel_count();
        let depth = match (wide, image) {
            (false, image) => Depth::Eight(image.into_bytes()),
            (true, DynamicImage::ImageLuma16(image)) => Depth::Sixteen(image.into_raw()),
            (true, DynamicImage::ImageLumaA16(image)) => Depth::Sixteen(image.into_raw()),
            (true, DynamicImage::ImageRgb16(image)) => Depth::Sixteen(image.into_raw()),
            (true, DynamicImage::ImageRgba16(image)) => Depth::Sixteen(image.into_raw()),
            (true, image) => {
                let depth = Depth::Sixteen(image.into_rgba16().into_raw());
                return Self { depth, channels: 4 };
            }
        };
        Self { depth, channels }
    }

    /// Returns the pixels as 16-bit RGBA. Lazy because images are large.
    fn pixels(&self) -> Box<dyn Iterator<Item = Option<[u16; 4]>> + '_> {
        match &self.depth {
            Depth::Eight(samples) => Box::new(samples.chunks_exact(self.channels).map(|pixel| {
                rgba(pixel, u8::MAX).map(|pixel| pixel.map(|sample| u16::from(sample) * 257))
            })),
            Depth::Sixteen(samples) => {
                let pixels = samples.chunks_exact(self.channels);
                Box::new(pixels.map(|pixel| rgba(pixel, u16::MAX)))
            }
        }
    }
}

fn rgba<T: Copy>(pixel: &[T], opaque: T) -> Option<[T; 4]> {
    match *pixel {
        [gray] => Some([gray, gray, gray, opaque]),
        [gray, alpha] => Some([gray, gray, gray, alpha]),
        [red, green, blue] => Some([red, green, blue, opaque]),
        [red, green, blue, alpha] => Some([red, green, blue, alpha]),
        _ => None,
    }
}
