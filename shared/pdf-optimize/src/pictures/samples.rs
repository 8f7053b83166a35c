//! The samples of a picture in a PDF, one byte each.

use std::panic::catch_unwind;

use imaging::jpeg;
use lopdf::{Dictionary, Document, Object, Stream, dictionary};
use mozjpeg::{ColorSpace, Decompress};
use pdfium_render::prelude::{PdfPageObject, PdfPageObjectsCommon as _, Pdfium};

use super::facts::{Coding, Colours, Facts};

/// Most bytes of samples.
const BYTES: usize = 300 * 1024 * 1024;

/// Samples, row by row, the channels of a pixel beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Samples {
    /// Pixels across and down.
    pub(super) sides: (u32, u32),
    /// Channels of a pixel.
    pub(super) channels: u8,
    /// One byte a sample.
    pub(super) bytes: Vec<u8>,
}

impl Samples {
    /// Those of a stream with its content; `None` if they cannot be decoded, or are fewer than they should be. A JPEG that
    /// becomes smaller is decoded in a part of its size, not below `least`.
    pub(super) fn of(
        library: &Pdfium,
        (document, stream): (&Document, &Stream),
        facts: &Facts,
        least: (u32, u32),
    ) -> Option<Self> {
        let samples = match facts.coding {
            Coding::Jpeg => decoded(&stream.content, facts, least)?,
            Coding::Plain => expanded(&raw(stream)?, facts)?,
            Coding::Fax | Coding::Jpeg2000 => drawn(library, document, stream, facts)?,
        };
        let (width, height) = samples.sides;
        let whole = width as usize * height as usize * usize::from(samples.channels);
        (samples.bytes.len() == whole).then_some(samples)
    }
}

/// The samples as they are packed.
pub(super) fn raw(stream: &Stream) -> Option<Vec<u8>> {
    match stream.dict.has(b"Filter") {
        true => stream.get_plain_content_with_limit(BYTES).ok(),
        false => Some(stream.content.clone()),
    }
}

/// Decodes a JPEG into the channels that it holds.
pub(super) fn decoded(file: &[u8], facts: &Facts, least: (u32, u32)) -> Option<Samples> {
    let header = jpeg::header(file).ok()?;
    let fits = header.components == facts.colours.drawn()
        && header.precision == 8
        && (u32::from(header.width), u32::from(header.height)) == facts.sides;
    if !fits || jpeg::check_end(file).is_err() {
        return None;
    }
    // What the library makes of damaged data is no opinion.
    catch_unwind(|| decompressed(file, header.components, eighths(facts.sides, least)).ok()).ok()?
}

/// The least eighths of a JPEG's sides that are not below others.
fn eighths((width, height): (u32, u32), least: (u32, u32)) -> u8 {
    let enough = |part: u32| width * part / 8 >= least.0 && height * part / 8 >= least.1;
    // Powers of two are exact and quick.
    let part = [1, 2, 4].into_iter().find(|part| enough(*part));
    part.map_or(8, |part| u8::try_from(part).unwrap_or(8))
}

fn decompressed(file: &[u8], channels: u8, eighths: u8) -> std::io::Result<Samples> {
    let mut decoder = Decompress::new_mem(file)?;
    decoder.scale(eighths);
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

/// Unpacks samples of any number of bits, and looks colours up.
fn expanded(packed: &[u8], facts: &Facts) -> Option<Samples> {
    let (width, height) = facts.sides;
    let stored = width as usize * usize::from(facts.colours.stored());
    let row_bytes = (stored * usize::from(facts.bits)).div_ceil(8);
    let mut bytes =
        Vec::with_capacity(width as usize * height as usize * usize::from(facts.colours.drawn()));
    for row in packed.chunks_exact(row_bytes.max(1)).take(height as usize) {
        match &facts.colours {
            Colours::Table {
                entries, channels, ..
            } => {
                for sample in unpacked(row, facts.bits).take(stored) {
                    let begin = usize::from(sample) * usize::from(*channels);
                    bytes.extend(entries.get(begin..begin + usize::from(*channels))?);
                }
            }
            _ => match facts.bits {
                8 => bytes.extend(row),
                16 => bytes.extend(row.iter().step_by(2)),
                bits => {
                    let most = u8::MAX >> (8 - bits);
                    bytes.extend(
                        unpacked(row, bits)
                            .take(stored)
                            .map(|sample| sample * (u8::MAX / most)),
                    );
                }
            },
        }
    }
    Some(Samples {
        sides: facts.sides,
        channels: facts.colours.drawn(),
        bytes,
    })
}

/// The samples of a row, of at most eight bits each.
fn unpacked(row: &[u8], bits: u8) -> impl Iterator<Item = u8> {
    let each = usize::from(8 / bits.clamp(1, 8));
    row.iter().flat_map(move |byte| {
        (0..each).map(move |index| {
            let shift = u8::try_from((each - 1 - index) * usize::from(bits)).unwrap_or(0);
            (byte >> shift) & (u8::MAX >> (8 - bits))
        })
    })
}

/// The samples that pdfium decodes, out of a document that holds nothing else.
fn drawn(library: &Pdfium, document: &Document, stream: &Stream, facts: &Facts) -> Option<Samples> {
    let file = alone(document, stream, facts)?;
    let opened = library.load_pdf_from_byte_vec(file, None).ok()?;
    let page = opened.pages().get(0).ok()?;
    let PdfPageObject::Image(image) = page.objects().get(0).ok()? else {
        return None;
    };
    let image = image.get_raw_image().ok()?;
    let channels = facts.colours.drawn();
    let bytes = match channels {
        1 => image.to_luma8().into_raw(),
        3 => image.to_rgb8().into_raw(),
        _ => return None,
    };
    let sides = (image.width(), image.height());
    (sides == facts.sides).then_some(Samples {
        sides,
        channels,
        bytes,
    })
}

/// A document of one page that draws the picture, whose amounts are of no particular colours.
fn alone(document: &Document, stream: &Stream, facts: &Facts) -> Option<Vec<u8>> {
    const COPIED: [&[u8]; 6] = [
        b"Subtype",
        b"Width",
        b"Height",
        b"BitsPerComponent",
        b"Filter",
        b"Type",
    ];
    let mut about = Dictionary::new();
    for key in COPIED {
        if let Ok(value) = stream.dict.get_deref(key, document) {
            about.set(key, value.clone());
        }
    }
    if let Ok(parameters) = stream.dict.get_deref(b"DecodeParms", document) {
        about.set("DecodeParms", parameters.clone());
    }
    if facts.bits == 1 {
        about.set("BitsPerComponent", 1);
    }
    about.set(
        "ColorSpace",
        match facts.colours.drawn() {
            1 => "DeviceGray",
            3 => "DeviceRGB",
            _ => return None,
        },
    );
    let mut file = Document::with_version("1.7");
    let image = file.add_object(Stream::new(about, stream.content.clone()));
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

    fn facts(bits: u8, colours: Colours) -> Facts {
        Facts {
            sides: (3, 2),
            bits,
            colours,
            coding: Coding::Plain,
        }
    }

    #[test]
    fn samples_of_any_size_become_bytes() {
        let bytes = |packed: &[u8], bits| {
            expanded(packed, &facts(bits, Colours::Channels(1)))
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
    fn numbers_of_a_table_become_its_colours() {
        let table = Colours::Table {
            entries: vec![1, 2, 3, 4, 5, 6],
            channels: 3,
            space: "DeviceRGB".into(),
        };
        let samples = expanded(&[0b0100_0000, 0b1010_0000], &facts(1, table.clone())).unwrap();
        assert_eq!(samples.bytes[..9], [1, 2, 3, 4, 5, 6, 1, 2, 3]);
        assert!(expanded(&[2; 6], &facts(8, table)).is_none());
    }

    #[test]
    fn a_jpeg_is_decoded_no_smaller_than_is_needed() {
        assert_eq!(eighths((800, 800), (100, 100)), 1);
        assert_eq!(eighths((800, 800), (101, 100)), 2);
        assert_eq!(eighths((800, 800), (300, 300)), 4);
        assert_eq!(eighths((800, 800), (401, 10)), 8);
    }
}
