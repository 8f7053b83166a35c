//! EXIF and XMP metadata of an image, kept only on request.

mod exif;

use std::io::{BufRead, BufReader, Seek};

use domain::format::Format;
use image::{ImageDecoder as _, ImageReader};
use task::TaskResult;

pub(crate) use self::exif::orientation_block;
use super::input::Input;
use super::{codec, decoding_error};

/// XMP property of the orientation; a digit follows, in quotes or as element content.
const ORIENTATION: &[u8] = b"tiff:Orientation";
/// XMP element that holds previews, with its end tag [XMP Specification Part 2, 1.2.1].
const PREVIEWS: &[u8] = b"<xmp:Thumbnails>";
const PREVIEWS_END: &[u8] = b"</xmp:Thumbnails>";

/// The EXIF block and the XMP packet of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The EXIF block: a TIFF structure without pixels [Exif 2.32, 4.5].
    pub exif: Option<Vec<u8>>,
    /// The XMP packet [ISO 16684-1].
    pub xmp: Option<Vec<u8>>,
}

impl Metadata {
    /// Reads EXIF and XMP of a JPEG, PNG or WebP.
    ///
    /// # Errors
    /// [`TaskError::Document`] if the header cannot be parsed.
    pub fn read(mut reader: impl BufRead + Seek, format: Format) -> TaskResult<Self> {
        Self::read_from(BufReader::new(&mut reader), format)
    }

    fn read_from(reader: Input<'_>, format: Format) -> TaskResult<Self> {
        let decoder = ImageReader::with_format(reader, codec(format)?).into_decoder();
        let mut decoder = decoder.map_err(decoding_error)?;
        Ok(Self {
            exif: decoder.exif_metadata().map_err(decoding_error)?,
            xmp: decoder.xmp_metadata().map_err(decoding_error)?,
        })
    }

    /// Sets orientation 1 and these dimensions, and removes previews, which show the image before processing. An unreadable
    /// EXIF block is dropped.
    pub(crate) fn for_upright(self, sides: (u32, u32)) -> Self {
        Self {
            exif: self.exif.and_then(|block| exif::for_upright(block, sides)),
            xmp: self.xmp.map(with_upright_orientation).map(without_previews),
        }
    }

    /// Returns whether there is neither EXIF nor XMP.
    pub fn is_empty(&self) -> bool {
        self.exif.is_none() && self.xmp.is_none()
    }

    /// Drops blocks larger than these limits, in bytes.
    pub fn drop_larger_than(self, (exif, xmp): (usize, usize)) -> Self {
        Self {
            exif: self.exif.filter(|block| block.len() <= exif),
            xmp: self.xmp.filter(|packet| packet.len() <= xmp),
        }
    }
}

/// Sets `tiff:Orientation` of the packet to 1.
fn with_upright_orientation(mut packet: Vec<u8>) -> Vec<u8> {
    let found = packet.windows(ORIENTATION.len()).enumerate();
    let digits: Vec<usize> = found
        .filter(|(at, part)| {
            *part == ORIENTATION && !packet.get(..*at).unwrap_or_default().ends_with(b"</")
        })
        .filter_map(|(at, _)| orientation_digit(&packet, at + ORIENTATION.len()))
        .collect();
    for at in digits {
        packet.get_mut(at..=at).unwrap_or_default().fill(b'1');
    }
    packet
}

/// Returns the position of the orientation digit: `end` is the end of the attribute name or of the name in a start tag.
fn orientation_digit(packet: &[u8], end: usize) -> Option<usize> {
    let after_space = |at: usize| {
        let space = packet.get(at..)?.iter();
        Some(at + space.take_while(|byte| byte.is_ascii_whitespace()).count())
    };
    let mut at = after_space(end)?;
    if packet.get(at)? == &b'=' {
        at = after_space(at + 1)?;
    }
    let opened = matches!(packet.get(at)?, b'"' | b'\'' | b'>');
    let at = after_space(at + 1)?;
    (opened && packet.get(at)?.is_ascii_digit()).then_some(at)
}

/// Removes the previews of the packet.
fn without_previews(packet: Vec<u8>) -> Vec<u8> {
    let split = |packet: &'_ [u8], part: &[u8]| {
        let at = packet.windows(part.len()).position(|found| found == part)?;
        Some((at, at + part.len()))
    };
    let (mut kept, mut rest) = (Vec::with_capacity(packet.len()), packet.as_slice());
    while let Some((before, begin)) = split(rest, PREVIEWS) {
        let inside = rest.get(begin..).unwrap_or_default();
        let Some((_, end)) = split(inside, PREVIEWS_END) else {
            break;
        };
        kept.extend_from_slice(rest.get(..before).unwrap_or_default());
        rest = inside.get(end..).unwrap_or_default();
    }
    kept.extend_from_slice(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_xmp_orientation_becomes_1() {
        for (packet, expected) in [
            ("<a tiff:Orientation=\"6\"/>", "<a tiff:Orientation=\"1\"/>"),
            (
                "<tiff:Orientation>8</tiff:Orientation>7",
                "<tiff:Orientation>1</tiff:Orientation>7",
            ),
            (
                "<a tiff:Orientation = '6' b='6'/>",
                "<a tiff:Orientation = '1' b='6'/>",
            ),
            (
                "<a tiff:Orientation\n=\n\" 3\"/>",
                "<a tiff:Orientation\n=\n\" 1\"/>",
            ),
            (
                "<tiff:Orientation>\n 8\n</tiff:Orientation>",
                "<tiff:Orientation>\n 1\n</tiff:Orientation>",
            ),
            ("<a tiff:Orientation=''/>7", "<a tiff:Orientation=''/>7"),
            ("<tiff:Orientation/>", "<tiff:Orientation/>"),
            ("tiff:Orientation", "tiff:Orientation"),
        ] {
            let found = with_upright_orientation(packet.as_bytes().to_vec());
            assert_eq!(String::from_utf8(found).unwrap(), expected);
        }
    }

    #[test]
    fn xmp_previews_are_removed() {
        for (packet, expected) in [
            (
                "<a><xmp:Thumbnails><b>/9j/</b></xmp:Thumbnails>c<xmp:Thumbnails></xmp:Thumbnails></a>",
                "<a>c</a>",
            ),
            ("<a><xmp:Thumbnails/></a>", "<a><xmp:Thumbnails/></a>"),
            ("<xmp:Thumbnails><b>", "<xmp:Thumbnails><b>"),
        ] {
            let found = without_previews(packet.as_bytes().to_vec());
            assert_eq!(String::from_utf8(found).unwrap(), expected);
        }
    }
}
