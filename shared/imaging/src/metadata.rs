//! What a file says about an image beside how it is shown: the blocks of EXIF and XMP, which are kept on request only.

mod exif;

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::{ImageDecoder as _, ImageReader};
use task::Outcome;

pub(crate) use self::exif::turn_alone;
use super::{codec, fault};

/// What XMP calls the orientation; a digit follows, in quotes or as content.
const ORIENTATION: &[u8] = b"tiff:Orientation";
/// The element of XMP that holds previews, and its end [XMP Specification Part 2, 1.2.1].
const PREVIEWS: &[u8] = b"<xmp:Thumbnails>";
const PREVIEWS_END: &[u8] = b"</xmp:Thumbnails>";

/// The blocks of EXIF and XMP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// A TIFF without pixels [Exif 2.32, 4.5].
    pub exif: Option<Vec<u8>>,
    /// A packet of XML [ISO 16684-1].
    pub xmp: Option<Vec<u8>>,
}

impl Metadata {
    /// Reads the blocks of a JPEG, PNG or WebP.
    pub fn read(reader: impl BufRead + Seek, format: Format) -> Outcome<Self> {
        let decoder = ImageReader::with_format(reader, codec(format)?).into_decoder();
        let mut decoder = decoder.map_err(fault)?;
        Ok(Self {
            exif: decoder.exif_metadata().map_err(fault)?,
            xmp: decoder.xmp_metadata().map_err(fault)?,
        })
    }

    /// The same for the image upright and with these sides: nothing turns it any more, and no preview shows it as it was.
    /// EXIF that cannot be read is left out.
    pub(crate) fn of_upright(self, sides: (u32, u32)) -> Self {
        Self {
            exif: self.exif.and_then(|block| exif::of_upright(block, sides)),
            xmp: self.xmp.map(without_turn).map(without_previews),
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.exif.is_none() && self.xmp.is_none()
    }

    /// Leaves out blocks of more bytes than these, EXIF and XMP.
    pub fn within(self, (exif, xmp): (usize, usize)) -> Self {
        Self {
            exif: self.exif.filter(|block| block.len() <= exif),
            xmp: self.xmp.filter(|packet| packet.len() <= xmp),
        }
    }
}

/// A packet in which the image stands upright.
fn without_turn(mut packet: Vec<u8>) -> Vec<u8> {
    let found = packet.windows(ORIENTATION.len()).enumerate();
    let digits: Vec<usize> = found
        .filter(|(at, part)| {
            *part == ORIENTATION && !packet.get(..*at).unwrap_or_default().ends_with(b"</")
        })
        .filter_map(|(at, _)| digit_at(&packet, at + ORIENTATION.len()))
        .collect();
    for at in digits {
        packet.get_mut(at..=at).unwrap_or_default().fill(b'1');
    }
    packet
}

/// Where the digit stands that follows the name of an attribute or the start tag of an element, which ends here.
fn digit_at(packet: &[u8], end: usize) -> Option<usize> {
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

/// A packet without pictures of the image in small.
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
    fn a_packet_says_that_the_image_stands_upright() {
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
            let found = without_turn(packet.as_bytes().to_vec());
            assert_eq!(String::from_utf8(found).unwrap(), expected);
        }
    }

    #[test]
    fn a_packet_holds_no_preview() {
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
