//! What a file says about an image beside how it is shown: the blocks of EXIF and XMP, which are kept on request only.

mod exif;

use std::io::{BufRead, Seek};

use domain::format::Format;
use image::{ImageDecoder as _, ImageReader};

pub(crate) use self::exif::turn_alone;
use super::{codec, fault};
use crate::fault::Outcome;

/// What XMP calls the orientation; a digit follows, in quotes or as content.
const ORIENTATION: &[u8] = b"tiff:Orientation";

/// The blocks of EXIF and XMP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    /// A TIFF without pixels [Exif 2.32, 4.5].
    pub(crate) exif: Option<Vec<u8>>,
    /// A packet of XML [ISO 16684-1].
    pub(crate) xmp: Option<Vec<u8>>,
}

impl Metadata {
    /// Reads the blocks of a JPEG, PNG or WebP.
    pub(crate) fn read(reader: impl BufRead + Seek, format: Format) -> Outcome<Self> {
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
            xmp: self.xmp.map(without_turn),
        }
    }

    /// Whether there is nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.exif.is_none() && self.xmp.is_none()
    }

    /// Leaves out blocks of more bytes than these, EXIF and XMP.
    pub(crate) fn within(self, (exif, xmp): (usize, usize)) -> Self {
        Self {
            exif: self.exif.filter(|block| block.len() <= exif),
            xmp: self.xmp.filter(|packet| packet.len() <= xmp),
        }
    }
}

/// A packet in which the image stands upright.
fn without_turn(mut packet: Vec<u8>) -> Vec<u8> {
    // `="6"` or `>6`.
    const BETWEEN: usize = 4;
    let found = packet.windows(ORIENTATION.len()).enumerate();
    let ends: Vec<usize> = found
        .filter(|(at, part)| {
            *part == ORIENTATION && !packet.get(..*at).unwrap_or_default().ends_with(b"</")
        })
        .map(|(at, _)| at + ORIENTATION.len())
        .collect();
    for end in ends {
        let after = packet.iter_mut().skip(end).take(BETWEEN);
        let mut after = after.skip_while(|byte| b"=\"'> ".contains(byte));
        if let Some(digit) = after.next().filter(|byte| byte.is_ascii_digit()) {
            *digit = b'1';
        }
    }
    packet
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
            ("<tiff:Orientation/>", "<tiff:Orientation/>"),
            ("tiff:Orientation", "tiff:Orientation"),
        ] {
            let found = without_turn(packet.as_bytes().to_vec());
            assert_eq!(String::from_utf8(found).unwrap(), expected);
        }
    }
}
