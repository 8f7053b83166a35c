//! Parses the dictionary of an image XObject [ISO 32000-1, 8.9.5].

use lopdf::{Dictionary, Document, Object, Stream};
use pdf::objects::is_a;

use super::super::lazy_document::LazyDocument;

/// Maximum width and height in pixels.
const MAX_SIDE: i64 = 65_500;
/// Maximum samples of an image.
const MAX_SAMPLES: u64 = 300_000_000;

/// Properties of an image, known before decoding.
#[derive(Clone, Debug)]
pub(super) struct ImageInfo {
    /// Width and height in pixels.
    pub(super) sides: (u32, u32),
    /// Bits per sample: 1, 2, 4, 8 or 16.
    pub(super) bits: u8,
    /// Color model of the pixels.
    pub(super) colors: Colors,
    /// Encoding of the samples.
    pub(super) coding: Coding,
}

/// Color model of the pixels.
#[derive(Clone, Debug)]
pub(super) enum Colors {
    /// An image mask, 1 bit per pixel.
    Stencil,
    /// One to four color channels.
    Channels(u8),
    /// A palette (`Indexed` color space).
    Indexed {
        /// The palette, `channels` bytes per color.
        entries: Vec<u8>,
        /// Channels of a color.
        channels: u8,
        /// Base color space of the palette.
        space: Object,
    },
}

/// Encoding of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// Uncompressed, or with general-purpose lossless filters.
    Lossless,
    /// As JPEG.
    Jpeg,
    /// CCITT Group 3.
    Fax,
    /// As JPEG 2000.
    Jpeg2000,
}

impl ImageInfo {
    /// Parses the dictionary; `None` if the image has to stay unchanged.
    pub(super) fn of(source: &LazyDocument, stream: &Stream) -> Option<Self> {
        let (document, dictionary) = (&source.document, &stream.dict);
        if !is_a(dictionary, b"Image") || has_special_mask(document, dictionary) {
            return None;
        }
        let side = |key: &[u8]| {
            let side = integer(document, dictionary, key)?;
            u32::try_from(side)
                .ok()
                .filter(|_| (1..=MAX_SIDE).contains(&side))
        };
        let sides = (side(b"Width")?, side(b"Height")?);
        let coding = coding(document, dictionary)?;
        let colors = colors(source, dictionary, coding)?;
        let bits = match colors {
            Colors::Stencil => 1,
            _ if coding == Coding::Jpeg2000 => 8,
            _ => u8::try_from(integer(document, dictionary, b"BitsPerComponent")?).ok()?,
        };
        let samples =
            u64::from(sides.0) * u64::from(sides.1) * u64::from(colors.decoded_channels());
        let most = match colors {
            Colors::Indexed { .. } => 8,
            _ => 16,
        };
        let known = matches!(bits, 1 | 2 | 4 | 8 | 16) && bits <= most && samples <= MAX_SAMPLES;
        known.then_some(Self {
            sides,
            bits,
            colors,
            coding,
        })
    }

    /// Returns whether the image has one bit per pixel.
    pub(super) fn is_bilevel(&self) -> bool {
        let one = !matches!(self.colors, Colors::Channels(2..));
        self.bits == 1 && one
    }
}

impl Colors {
    /// Channels of a decoded pixel.
    pub(super) fn decoded_channels(&self) -> u8 {
        match self {
            Self::Stencil => 1,
            Self::Channels(channels) | Self::Indexed { channels, .. } => *channels,
        }
    }

    /// Channels of a stored pixel.
    pub(super) fn stored_channels(&self) -> u8 {
        match self {
            Self::Stencil | Self::Indexed { .. } => 1,
            Self::Channels(channels) => *channels,
        }
    }
}

/// Returns an integer entry of a dictionary.
pub(super) fn integer(document: &Document, dictionary: &Dictionary, key: &[u8]) -> Option<i64> {
    dictionary.get_deref(key, document).ok()?.as_i64().ok()
}

/// Returns whether the image has a color key mask, a matte color or embedded alpha.
fn has_special_mask(document: &Document, dictionary: &Dictionary) -> bool {
    let color_key = dictionary.get_deref(b"Mask", document);
    let mask = dictionary
        .get_deref(b"SMask", document)
        .and_then(Object::as_stream);
    color_key.is_ok_and(|mask| mask.as_array().is_ok())
        || mask.is_ok_and(|mask| mask.dict.has(b"Matte"))
        || dictionary.has(b"Matte")
        || dictionary.has(b"SMaskInData")
}

/// Returns the names of the filters, and the parameters of the last.
fn filters<'a>(
    document: &'a Document,
    dictionary: &'a Dictionary,
) -> Option<(Vec<&'a [u8]>, Option<&'a Dictionary>)> {
    let several = |key: &[u8]| match dictionary.get_deref(key, document) {
        Err(_) | Ok(Object::Null) => Vec::new(),
        Ok(Object::Array(items)) => items.iter().collect(),
        Ok(only) => vec![only],
    };
    let name = |filter| document.dereference(filter).ok()?.1.as_name().ok();
    let names: Option<Vec<&[u8]>> = several(b"Filter").into_iter().map(name).collect();
    let parameters = several(b"DecodeParms");
    let last = parameters.last();
    let last = last.and_then(|last| document.dereference(last).ok()?.1.as_dict().ok());
    Some((names?, last))
}

fn coding(document: &Document, dictionary: &Dictionary) -> Option<Coding> {
    const LOSSLESS: [&[u8]; 4] = [
        b"FlateDecode",
        b"LZWDecode",
        b"ASCII85Decode",
        b"ASCIIHexDecode",
    ];
    let (names, parameters) = filters(document, dictionary)?;
    match names.as_slice() {
        names if names.iter().all(|name| LOSSLESS.contains(name)) => Some(Coding::Lossless),
        [b"DCTDecode"] => parameters
            .is_none_or(|it| !it.has(b"ColorTransform"))
            .then_some(Coding::Jpeg),
        [b"CCITTFaxDecode"] => {
            let k = parameters.and_then(|it| integer(document, it, b"K"));
            (k.unwrap_or(0) >= 0).then_some(Coding::Fax)
        }
        [b"JPXDecode"] => Some(Coding::Jpeg2000),
        _ => None,
    }
}

fn colors(source: &LazyDocument, dictionary: &Dictionary, coding: Coding) -> Option<Colors> {
    let document = &source.document;
    let is_stencil = dictionary
        .get_deref(b"ImageMask", document)
        .and_then(Object::as_bool);
    if is_stencil.unwrap_or(false) {
        return Some(Colors::Stencil);
    }
    let space = dictionary.get_deref(b"ColorSpace", document).ok()?;
    let is_indexed = |name: &[u8]| matches!(name, b"Indexed" | b"I");
    match space.as_array().map(Vec::as_slice) {
        Ok([name, base, highest, table]) if name.as_name().is_ok_and(is_indexed) => {
            // Lossy filters would yield palette indices, which cannot be handled here.
            if dictionary.has(b"Decode") || coding != Coding::Lossless {
                return None;
            }
            let space = document.dereference(base).ok()?.1;
            let channels = channels(document, space)?;
            let entries = palette(source, table)?;
            let highest = document.dereference(highest).ok()?.1.as_i64().ok()?;
            let whole = usize::try_from(highest.checked_add(1)?)
                .ok()?
                .checked_mul(usize::from(channels))?;
            let entries = entries.get(..whole)?.to_vec();
            Some(Colors::Indexed {
                entries,
                channels,
                space: base.clone(),
            })
        }
        _ => channels(document, space).map(Colors::Channels),
    }
}

fn palette(source: &LazyDocument, table: &Object) -> Option<Vec<u8>> {
    match source.document.dereference(table).ok()?.1 {
        Object::String(entries, _) => Some(entries.clone()),
        Object::Stream(entries) => source.decoded(entries),
        _ => None,
    }
}

/// Returns the number of channels of a color space whose values can be interpolated and stored as JPEG.
fn channels(document: &Document, space: &Object) -> Option<u8> {
    if let Ok(name) = space.as_name() {
        return match name {
            b"DeviceGray" | b"G" => Some(1),
            b"DeviceRGB" | b"RGB" => Some(3),
            b"DeviceCMYK" | b"CMYK" => Some(4),
            _ => None,
        };
    }
    let (name, about) = match space.as_array().ok()?.as_slice() {
        [name, about, ..] => (name.as_name().ok()?, document.dereference(about).ok()?.1),
        _ => return None,
    };
    match name {
        b"CalGray" | b"Separation" => Some(1),
        b"CalRGB" => Some(3),
        b"ICCBased" => match integer(document, &about.as_stream().ok()?.dict, b"N")? {
            1 => Some(1),
            3 => Some(3),
            4 => Some(4),
            _ => None,
        },
        _ => None,
    }
}
