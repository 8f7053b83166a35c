//! The pixels of a picture in a PDF [ISO 32000-1, 8.9.5], if it is of the kinds that can be recompressed.

use image::{DynamicImage, GrayImage, ImageFormat, RgbImage};
use lopdf::{Dictionary, Document, Object, Stream};

use crate::picture::jpeg;

/// Most bytes of pixels.
const PIXELS: usize = 300 * 1024 * 1024;
/// Least pixels across or down: in smaller ones there is nothing to gain.
const LEAST: i64 = 32;

/// The pixels of a picture.
pub(super) struct Samples {
    /// Grey, or red, green and blue.
    pub(super) pixels: DynamicImage,
    /// Whether they have been a JPEG already.
    pub(super) is_jpeg: bool,
}

impl Samples {
    /// The pixels of a stream; `None` if it is none of the pictures that can be recompressed.
    pub(super) fn of(document: &Document, stream: &Stream) -> Option<Self> {
        let dictionary = &stream.dict;
        let is_image = dictionary.get(b"Subtype").and_then(Object::as_name);
        // Colours that are masks, shades that are turned round, and pixels that are mixed with a colour already.
        let odd = [&b"ImageMask"[..], b"Decode", b"DecodeParms", b"DP"];
        let plain = is_image.is_ok_and(|name| name == b"Image")
            && integer(document, dictionary, b"BitsPerComponent")? == 8
            && !is_mask_of_colours(document, dictionary)
            && !has_matte(document, dictionary);
        let filter = filter(document, dictionary)?;
        let is_jpeg = filter == b"DCTDecode";
        let unusual = odd.iter().any(|key| match *key {
            // Predictors are undone by decoding.
            b"DecodeParms" | b"DP" => is_jpeg && dictionary.has(key),
            key => dictionary.has(key),
        });
        if !plain || unusual {
            return None;
        }
        let sides = [b"Width" as &[u8], b"Height"].map(|key| integer(document, dictionary, key));
        let [Some(width), Some(height)] = sides else {
            return None;
        };
        if width < LEAST || height < LEAST {
            return None;
        }
        let sides = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
        let channels = channels(
            document,
            dictionary.get_deref(b"ColorSpace", document).ok()?,
        )?;
        let pixels = match is_jpeg {
            true => decoded(&stream.content, channels)?,
            false => raw(stream, sides, channels)?,
        };
        let whole = (pixels.width(), pixels.height()) == sides;
        whole.then_some(Self { pixels, is_jpeg })
    }

    /// The dictionary of the picture as a JPEG of these pixels.
    pub(super) fn dictionary(&self, stream: &Stream) -> Dictionary {
        let mut dictionary = stream.dict.clone();
        for key in [&b"DecodeParms"[..], b"Length"] {
            dictionary.remove(key);
        }
        dictionary.set("Filter", "DCTDecode");
        dictionary
    }
}

fn integer(document: &Document, dictionary: &Dictionary, key: &[u8]) -> Option<i64> {
    dictionary.get_deref(key, document).ok()?.as_i64().ok()
}

fn is_mask_of_colours(document: &Document, dictionary: &Dictionary) -> bool {
    let mask = dictionary.get_deref(b"Mask", document);
    mask.is_ok_and(|mask| mask.as_array().is_ok())
}

fn has_matte(document: &Document, dictionary: &Dictionary) -> bool {
    let mask = dictionary.get_deref(b"SMask", document);
    let mask = mask.and_then(Object::as_stream);
    mask.is_ok_and(|mask| mask.dict.has(b"Matte")) || dictionary.has(b"SMaskInData")
}

/// The only filter of a stream; empty if there is none.
fn filter<'a>(document: &'a Document, dictionary: &'a Dictionary) -> Option<&'a [u8]> {
    let filter = match dictionary.get_deref(b"Filter", document) {
        Err(_) | Ok(Object::Null) => return Some(b""),
        Ok(Object::Array(filters)) => match filters.as_slice() {
            [] => return Some(b""),
            [only] => document.dereference(only).ok()?.1,
            _ => return None,
        },
        Ok(only) => only,
    };
    let known = [&b"DCTDecode"[..], b"FlateDecode", b"LZWDecode"];
    filter.as_name().ok().filter(|name| known.contains(name))
}

/// How many channels a colour space has that JPEG can hold.
fn channels(document: &Document, space: &Object) -> Option<u8> {
    if let Ok(name) = space.as_name() {
        return match name {
            b"DeviceGray" => Some(1),
            b"DeviceRGB" => Some(3),
            _ => None,
        };
    }
    let (name, about) = match space.as_array().ok()?.as_slice() {
        [name, about, ..] => (name.as_name().ok()?, document.dereference(about).ok()?.1),
        _ => return None,
    };
    match name {
        b"CalGray" => Some(1),
        b"CalRGB" => Some(3),
        b"ICCBased" => match integer(document, &about.as_stream().ok()?.dict, b"N")? {
            1 => Some(1),
            3 => Some(3),
            _ => None,
        },
        _ => None,
    }
}

fn decoded(file: &[u8], channels: u8) -> Option<DynamicImage> {
    let header = jpeg::header(file).ok()?;
    if header.components != channels || header.precision != 8 {
        return None;
    }
    let pixels = image::load_from_memory_with_format(file, ImageFormat::Jpeg).ok()?;
    let expected = matches!(
        (&pixels, channels),
        (DynamicImage::ImageLuma8(_), 1) | (DynamicImage::ImageRgb8(_), 3)
    );
    expected.then_some(pixels)
}

fn raw(stream: &Stream, (width, height): (u32, u32), channels: u8) -> Option<DynamicImage> {
    let samples = stream.get_plain_content_with_limit(PIXELS).ok()?;
    match channels {
        1 => GrayImage::from_raw(width, height, samples).map(DynamicImage::from),
        _ => RgbImage::from_raw(width, height, samples).map(DynamicImage::from),
    }
}
