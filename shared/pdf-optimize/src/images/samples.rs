//! Decodes image XObjects to samples of 8 bits.

use std::panic::catch_unwind;

use imaging::jpeg;
use lopdf::{Dictionary, Document, Object, Stream, dictionary};
use mozjpeg::{ColorSpace, Decompress};
use pdfium_render::prelude::{PdfPageObject, PdfPageObjectsCommon as _, Pdfium};

use super::info::{Coding, Colors, ImageInfo};

/// Maximum bytes of samples.
const MAX_BYTES: usize = 300 * 1024 * 1024;

/// Interleaved samples, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Samples {
    /// Width and height in pixels.
    pub(super) sides: (u32, u32),
    /// Channels per pixel.
    pub(super) channels: u8,
    /// One byte per sample.
    pub(super) bytes: Vec<u8>,
}

impl Samples {
    /// Decodes a stream; `None` if decoding fails or yields too few samples. A JPEG may be decoded at reduced size, but not
    /// below `least`.
    pub(super) fn of(
        library: &Pdfium,
        (document, stream): (&Document, &Stream),
        info: &ImageInfo,
        least: (u32, u32),
    ) -> Option<Self> {
        let samples = match info.coding {
            Coding::Jpeg => decode_jpeg(&stream.content, info, least)?,
            Coding::Lossless => unpack(&packed_samples(stream)?, info)?,
            Coding::Fax | Coding::Jpeg2000 => rendered(library, document, stream, info)?,
        };
        let (width, height) = samples.sides;
        let whole = width as usize * height as usize * usize::from(samples.channels);
        (samples.bytes.len() == whole).then_some(samples)
    }
}

/// Returns the samples in packed form: several per byte if they have fewer than 8 bits.
pub(super) fn packed_samples(stream: &Stream) -> Option<Vec<u8>> {
    match stream.dict.has(b"Filter") {
        true => stream.get_plain_content_with_limit(MAX_BYTES).ok(),
        false => Some(stream.content.clone()),
    }
}

/// Decodes a JPEG with its own number of channels.
pub(super) fn decode_jpeg(file: &[u8], info: &ImageInfo, least: (u32, u32)) -> Option<Samples> {
    let header = jpeg::header(file).ok()?;
    let fits = header.components == info.colors.decoded_channels()
        && header.precision == 8
        && (u32::from(header.width), u32::from(header.height)) == info.sides;
    if !fits || jpeg::check_end(file).is_err() {
        return None;
    }
    // The mozjpeg crate panics on damaged data.
    catch_unwind(|| decompress(file, header.components, scale_in_eighths(info.sides, least)).ok())
        .ok()?
}

/// Returns the smallest scale of libjpeg, in eighths, whose result is not below `least`.
fn scale_in_eighths((width, height): (u32, u32), least: (u32, u32)) -> u8 {
    let enough = |part: u32| width * part / 8 >= least.0 && height * part / 8 >= least.1;
    // Powers of two are exact and fast.
    let part = [1, 2, 4].into_iter().find(|part| enough(*part));
    part.map_or(8, |part| u8::try_from(part).unwrap_or(8))
}

fn decompress(file: &[u8], channels: u8, scale_in_eighths: u8) -> std::io::Result<Samples> {
    let mut decoder = Decompress::new_mem(file)?;
    decoder.scale(scale_in_eighths);
    let mut started = decoder.to_colorspace(match channels {
        1 => ColorSpace::JCS_GRAYSCALE,
        3 => ColorSpace::JCS_RGB,
        _ => ColorSpace::JCS_CMYK,
    })?;
    let side = |side: usize| u32::try_from(side).unwrap_or(0);
    let sides = (side(started.width()), side(started.height()));
    let bytes = started.read_scanlines::<u8>()?;
    started.finish()?;
    Ok(Samples {
        sides,
        channels,
        bytes,
    })
}

/// Unpacks samples of any bit depth, and resolves palettes.
fn unpack(packed: &[u8], info: &ImageInfo) -> Option<Samples> {
    let (width, height) = info.sides;
    let stored = width as usize * usize::from(info.colors.stored_channels());
    let row_bytes = (stored * usize::from(info.bits)).div_ceil(8);
    let mut bytes = Vec::with_capacity(
        width as usize * height as usize * usize::from(info.colors.decoded_channels()),
    );
    for row in packed.chunks_exact(row_bytes.max(1)).take(height as usize) {
        match &info.colors {
            Colors::Indexed {
                entries, channels, ..
            } => {
                for sample in unpack_row(row, info.bits).take(stored) {
                    let begin = usize::from(sample) * usize::from(*channels);
                    bytes.extend(entries.get(begin..begin + usize::from(*channels))?);
                }
            }
            _ => match info.bits {
                8 => bytes.extend(row),
                16 => bytes.extend(row.iter().step_by(2)),
                bits => {
                    let most = u8::MAX >> (8 - bits);
                    bytes.extend(
                        unpack_row(row, bits)
                            .take(stored)
                            .map(|sample| sample * (u8::MAX / most)),
                    );
                }
            },
        }
    }
    Some(Samples {
        sides: info.sides,
        channels: info.colors.decoded_channels(),
        bytes,
    })
}

/// Unpacks the samples of a row, of at most eight bits each.
fn unpack_row(row: &[u8], bits: u8) -> impl Iterator<Item = u8> {
    let each = usize::from(8 / bits.clamp(1, 8));
    row.iter().flat_map(move |byte| {
        (0..each).map(move |index| {
            let shift = u8::try_from((each - 1 - index) * usize::from(bits)).unwrap_or(0);
            (byte >> shift) & (u8::MAX >> (8 - bits))
        })
    })
}

/// Decodes an image with PDFium, in a document that contains nothing else.
fn rendered(
    library: &Pdfium,
    document: &Document,
    stream: &Stream,
    info: &ImageInfo,
) -> Option<Samples> {
    let file = one_image_document(document, stream, info)?;
    let opened = library.load_pdf_from_byte_vec(file, None).ok()?;
    let page = opened.pages().get(0).ok()?;
    let PdfPageObject::Image(image) = page.objects().get(0).ok()? else {
        return None;
    };
    let image = image.get_raw_image().ok()?;
    let channels = info.colors.decoded_channels();
    let bytes = match channels {
        1 => image.to_luma8().into_raw(),
        3 => image.to_rgb8().into_raw(),
        _ => return None,
    };
    let sides = (image.width(), image.height());
    (sides == info.sides).then_some(Samples {
        sides,
        channels,
        bytes,
    })
}

/// Builds a one-page document that draws the image, with a device color space in place of its own.
fn one_image_document(document: &Document, stream: &Stream, info: &ImageInfo) -> Option<Vec<u8>> {
    const COPIED: [&[u8]; 6] = [
        b"Subtype",
        b"Width",
        b"Height",
        b"BitsPerComponent",
        b"Filter",
        b"Type",
    ];
    let mut dictionary = Dictionary::new();
    for key in COPIED {
        if let Ok(value) = stream.dict.get_deref(key, document) {
            dictionary.set(key, value.clone());
        }
    }
    if let Ok(parameters) = stream.dict.get_deref(b"DecodeParms", document) {
        dictionary.set("DecodeParms", parameters.clone());
    }
    if info.bits == 1 {
        dictionary.set("BitsPerComponent", 1);
    }
    dictionary.set(
        "ColorSpace",
        match info.colors.decoded_channels() {
            1 => "DeviceGray",
            3 => "DeviceRGB",
            _ => return None,
        },
    );
    let mut file = Document::with_version("1.7");
    let image = file.add_object(Stream::new(dictionary, stream.content.clone()));
    let content = file.add_object(Stream::new(
        Dictionary::new(),
        b"100 0 0 100 0 0 cm /I Do".to_vec(),
    ));
    let pages = file.new_object_id();
    let page = file.add_object(dictionary! {
        "Type" => "Page",
        "Parent" => pages,
        "MediaBox" => [0, 0, 100, 100].map(Object::from).to_vec(),
        "Contents" => content,
        "Resources" => dictionary! { "XObject" => dictionary! { "I" => image } },
    });
    let kids = vec![Object::Reference(page)];
    let tree = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => 1 };
    file.set_object(pages, tree);
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    file.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(bits: u8, colors: Colors) -> ImageInfo {
        ImageInfo {
            sides: (3, 2),
            bits,
            colors,
            coding: Coding::Lossless,
        }
    }

    #[test]
    fn samples_of_any_size_become_bytes() {
        let bytes = |packed: &[u8], bits| {
            unpack(packed, &info(bits, Colors::Channels(1)))
                .unwrap()
                .bytes
        };
        assert_eq!(
            bytes(&[0b1010_0000, 0b0100_0000], 1),
            [255, 0, 255, 0, 255, 0]
        );
        assert_eq!(
            bytes(&[0b0001_1011, 0b1100_0100], 2),
            [0, 85, 170, 255, 0, 85]
        );
        assert_eq!(
            bytes(&[0x0f, 0x80, 0x12, 0x30], 4),
            [0, 255, 136, 17, 34, 51]
        );
        assert_eq!(
            bytes(&[9, 1, 8, 2, 7, 3, 6, 4, 5, 5, 4, 6], 16),
            [9, 8, 7, 6, 5, 4]
        );
    }

    #[test]
    fn palette_indices_become_colors() {
        let table = Colors::Indexed {
            entries: vec![1, 2, 3, 4, 5, 6],
            channels: 3,
            space: "DeviceRGB".into(),
        };
        let samples = unpack(&[0b0100_0000, 0b1010_0000], &info(1, table.clone())).unwrap();
        assert_eq!(samples.bytes[..9], [1, 2, 3, 4, 5, 6, 1, 2, 3]);
        assert!(unpack(&[2; 6], &info(8, table)).is_none());
    }

    #[test]
    fn a_jpeg_is_decoded_at_the_smallest_sufficient_scale() {
        assert_eq!(scale_in_eighths((800, 800), (100, 100)), 1);
        assert_eq!(scale_in_eighths((800, 800), (101, 100)), 2);
        assert_eq!(scale_in_eighths((800, 800), (300, 300)), 4);
        assert_eq!(scale_in_eighths((800, 800), (401, 10)), 8);
    }
}
