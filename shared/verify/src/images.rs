//! Checks pictures of pages and compressed images: decodes them with another library than encoded them.

use std::fs::File;
use std::io::{BufReader, Cursor, Read};

use domain::format::Format;
use domain::operation::{Viewport, is_drawable};
use image::DynamicImage;
use imaging::frames::{Layout, layout};
use imaging::framing::may_stay;
use task::options::conversion;
use task::{Fault, Outcome, Product, Remark, Task, Verified};
use zip::ZipArchive;
use zune_core::bytestream::ZCursor;
use zune_core::result::DecodingResult;
use zune_jpeg::JpegDecoder;
use zune_png::PngDecoder;

use super::decoded::unlimited;
use super::redrawn::{check_frames, check_metadata};
use super::texts::pages_of_result;

/// Most bytes of one picture.
const PICTURE: u64 = 1024 * 1024 * 1024;

/// There is a picture for each page of the source, opened anew, that was asked for, and each has the sides that its page asks for.
pub fn page_images(task: &Task, product: &Product) -> Outcome<Verified> {
    let pages = pages_of_result(task)?;
    if product.sides.len() != pages as usize {
        return Err(Fault::output_invalid("pages are missing"));
    }
    match product.sides.as_slice() {
        [sides] => check_sides(&std::fs::read(task.output())?, task.to, *sides)?,
        _ => check_archive(task, product)?,
    }
    Ok(Verified { pages })
}

fn check_archive(task: &Task, product: &Product) -> Outcome<()> {
    let invalid = |_| Fault::output_invalid("the archive does not open");
    let mut archive =
        ZipArchive::new(BufReader::new(File::open(task.output())?)).map_err(invalid)?;
    if archive.len() != product.sides.len() || archive.len() != product.entries.len() {
        return Err(Fault::output_invalid("pictures are missing"));
    }
    for (index, (sides, size)) in product.sides.iter().zip(&product.entries).enumerate() {
        let name = task.entry_name(index + 1);
        let entry = archive.by_name(&name).map_err(invalid)?;
        let mut picture = Vec::new();
        let read = entry.take(PICTURE).read_to_end(&mut picture);
        read.map_err(|_| Fault::output_invalid("the archive is damaged"))?;
        if picture.len() as u64 != *size {
            return Err(Fault::output_invalid("a picture has another size"));
        }
        check_sides(&picture, task.to, *sides)?;
    }
    Ok(())
}

/// A compressed image decodes, has the sides that were decided, is smaller than its source if it is of the same kind and
/// size, and no larger without saying so else; a PNG made from a PNG of the same size has the very same pixels.
pub fn compressed(task: &Task, product: &Product) -> Outcome<Verified> {
    let verified = Verified { pages: 1 };
    let [sides] = product.sides.as_slice() else {
        return Err(Fault::output_invalid("it has no sides"));
    };
    if product.unchanged {
        let source = || Ok::<_, Fault>(BufReader::new(File::open(&task.source)?));
        let (upright, _) = imaging::upright_sides(source()?, task.from)?;
        if upright != *sides || !may_stay(task, upright) {
            return Err(Fault::output_invalid(
                "the source is not what was asked for",
            ));
        }
        check_metadata(task, source()?)?;
        // A PNG that cannot be made smaller was never decoded for that.
        return imaging::decode(source()?, task.from).map(|_| verified);
    }
    let bytes = std::fs::read(task.output())?;
    let orientation = imaging::orientation(Cursor::new(&bytes), task.to).map_err(undecodable)?;
    let stored = match imaging::is_sideways(orientation) {
        true => (sides.1, sides.0),
        false => *sides,
    };
    check_sides(&bytes, task.to, stored)?;
    check_metadata(task, Cursor::new(&bytes))?;
    if task.to == Format::Webp
        && let Layout::Moving(motion) = layout(task, 1)?
    {
        check_frames(task, motion)?;
    }
    let (size, most) = (bytes.len() as u64, std::fs::metadata(&task.source)?.len());
    if size > most && !product.remarks.contains(&Remark::LargerThanSource) {
        return Err(Fault::output_invalid("it is larger than the source"));
    }
    let source = || Ok::<_, Fault>(BufReader::new(File::open(&task.source)?));
    let (upright, _) = imaging::upright_sides(source()?, task.from)?;
    if task.from == task.to && upright == *sides {
        if size >= most {
            return Err(Fault::output_invalid("it is no smaller than the source"));
        }
        if task.to == Format::Png {
            let mut source = imaging::decode(source()?, task.from)?;
            // What stands as it stood has the pixels as they are stored.
            if orientation != source.orientation {
                source.pixels.apply_orientation(source.orientation);
            }
            check_pixels(&bytes, source.pixels)?;
        }
    }
    Ok(verified)
}

/// A picture of a page from the web decodes, has the sides that were asked for, and is not of one colour where the page has
/// text.
pub fn captured(task: &Task, product: &Product) -> Outcome<Verified> {
    let asked = conversion(&task.operation)?;
    let viewport = Viewport::of(asked);
    let [least, window] =
        [viewport.width, viewport.height].map(|side| viewport.pixels(side.into()));
    let fits = |(width, height): (u32, u32)| match asked.full_page.unwrap_or(true) {
        true => width >= least && height >= window && is_drawable(width, height),
        false => (width, height) == (least, window),
    };
    let [sides] = product.sides.as_slice() else {
        return Err(Fault::output_invalid("it has no sides"));
    };
    let (found, samples) = png(&std::fs::read(task.output())?)?;
    if found != (sides.0 as usize, sides.1 as usize) || !fits(*sides) {
        return Err(Fault::output_invalid("it has other sides than asked for"));
    }
    match product.shows_text && samples.are_one_colour() {
        true => Err(Fault::output_invalid("it is blank")),
        false => Ok(Verified { pages: 1 }),
    }
}

fn undecodable<E>(_: E) -> Fault {
    Fault::output_invalid("it cannot be decoded")
}

/// Decodes a picture whole.
fn check_sides(bytes: &[u8], format: Format, sides: (u32, u32)) -> Outcome<()> {
    let found = match format {
        Format::Png => png(bytes)?.0,
        Format::Jpeg => {
            let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), unlimited());
            decoder.decode().map_err(undecodable)?;
            decoder.dimensions().ok_or_else(|| undecodable(()))?
        }
        // The encoder is libwebp, the decoder here another implementation.
        _ => {
            let reader = Cursor::new(bytes);
            let decoded = imaging::decode(reader, format).map_err(undecodable)?.pixels;
            (decoded.width() as usize, decoded.height() as usize)
        }
    };
    match found == (sides.0 as usize, sides.1 as usize) {
        true => Ok(()),
        false => Err(Fault::output_invalid("it has other sides than expected")),
    }
}

/// Decodes with another library than wrote the file.
fn png(bytes: &[u8]) -> Outcome<((usize, usize), Samples)> {
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

/// Every pixel is the same, whatever channels and depth each file spells it with.
fn check_pixels(bytes: &[u8], expected: DynamicImage) -> Outcome<()> {
    let (_, found) = png(bytes)?;
    let expected = Samples::of(expected);
    match found.pixels().eq(expected.pixels()) {
        true => Ok(()),
        false => Err(Fault::output_invalid("its pixels differ from the source")),
    }
}

/// Samples of pixels, one channel after the other.
struct Samples {
    depth: Depth,
    channels: usize,
}

enum Depth {
    Eight(Vec<u8>),
    Sixteen(Vec<u16>),
}

impl Samples {
    fn are_one_colour(&self) -> bool {
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

    /// Red, green, blue and alpha of each pixel with 16 bits, made one at a time: images are large.
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
        [grey] => Some([grey, grey, grey, opaque]),
        [grey, alpha] => Some([grey, grey, grey, alpha]),
        [red, green, blue] => Some([red, green, blue, opaque]),
        [red, green, blue, alpha] => Some([red, green, blue, alpha]),
        _ => None,
    }
}
