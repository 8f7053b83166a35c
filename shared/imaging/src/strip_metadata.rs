//! Removes metadata from a JPEG, PNG or WebP without touching its pixels.

use domain::format::Format;
use image::metadata::Orientation;

use super::metadata::{Metadata, orientation_block};

const START_OF_SCAN: u8 = 0xDA;
const END_OF_IMAGE: u8 = 0xD9;
const COMMENT: u8 = 0xFE;
const EXIF: u8 = 0xE1;
const PROFILE: u8 = 0xE2;
const ADOBE: u8 = 0xEE;
/// Bytes before the first chunk of a WebP.
const RIFF: usize = 12;

/// Returns the file with no metadata but the color profile and the orientation; `None` if the format is not supported or
/// the file is damaged.
pub fn strip_metadata(file: &[u8], format: Format, orientation: Orientation) -> Option<Vec<u8>> {
    let orientation = match orientation {
        Orientation::NoTransforms => None,
        orientation => Some(orientation_block(orientation)),
    };
    match format {
        Format::Jpeg => jpeg(file, orientation.as_deref()),
        Format::Png => png(file, orientation.as_deref()),
        Format::Webp => webp(file, orientation.as_deref()),
        _ => None,
    }
}

/// Keeps the segments needed to show the pixels, and the scans up to the EOI marker [ITU-T T.81, annex B].
fn jpeg(file: &[u8], orientation: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut kept = file.get(..2)?.to_vec();
    let mut at = 2;
    let mut has_orientation = orientation.is_none();
    loop {
        let [mark, marker, high, low] = *file.get(at..at + 4)?.as_array()?;
        if mark != 0xFF {
            return None;
        }
        // A marker may be preceded by any number of fill bytes.
        if marker == 0xFF {
            at += 1;
            continue;
        }
        let end = at + 2 + usize::from(u16::from_be_bytes([high, low]));
        let segment = file.get(at..end)?;
        // EXIF goes after the JFIF segment, which must be first.
        if let (false, false, Some(orientation)) = (has_orientation, marker == 0xE0, orientation) {
            kept.extend([0xFF, EXIF]);
            kept.extend(u16::try_from(orientation.len() + 8).ok()?.to_be_bytes());
            kept.extend(b"Exif\0\0");
            kept.extend(orientation);
            has_orientation = true;
        }
        let content = segment.get(4..)?;
        let stays = match marker {
            PROFILE => content.starts_with(b"ICC_PROFILE\0"),
            0xE0 => content.starts_with(b"JFIF\0"),
            ADOBE => content.starts_with(b"Adobe"),
            0xE1..=0xEF | COMMENT => false,
            _ => true,
        };
        if stays {
            kept.extend(segment);
        }
        at = end;
        if marker == START_OF_SCAN {
            break;
        }
    }
    kept.extend(file.get(at..image_end(file, at)?)?);
    Some(kept)
}

/// Returns the position after the EOI marker of the image whose scan begins before `at`.
fn image_end(file: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *file.get(at..at + 2)?.as_array()? {
            [0xFF, END_OF_IMAGE] => return Some(at + 2),
            [0xFF, 0x00 | 0x01 | 0xD0..=0xD7] => at += 2,
            [0xFF, 0xFF] => at += 1,
            [0xFF, _] => {
                let length = *file.get(at + 2..at + 4)?.as_array()?;
                at += 2 + usize::from(u16::from_be_bytes(length));
            }
            _ => at += 1,
        }
    }
}

/// Keeps critical chunks and those that affect how the image is shown [PNG, 5.6, 11.3].
fn png(file: &[u8], orientation: Option<&[u8]>) -> Option<Vec<u8>> {
    const SIGNATURE: usize = 8;
    const DISPLAY_CHUNKS: [&[u8; 4]; 15] = [
        b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP", b"mDCV", b"cLLI", b"bKGD",
        b"hIST", b"pHYs", b"acTL", b"fcTL", b"fdAT",
    ];
    let mut kept = file.get(..SIGNATURE)?.to_vec();
    let mut rest = file.get(SIGNATURE..)?;
    loop {
        let (size, after) = rest.split_first_chunk()?;
        let kind = after.first_chunk::<4>()?;
        let size = usize::try_from(u32::from_be_bytes(*size)).ok()?;
        // Size, type and checksum take 12 bytes.
        let (chunk, after) = rest.split_at_checked(size.checked_add(12)?)?;
        rest = after;
        if kind.first()?.is_ascii_uppercase() || DISPLAY_CHUNKS.contains(&kind) {
            kept.extend(chunk);
        }
        match (kind, orientation) {
            (b"IEND", _) => return Some(kept),
            (b"IHDR", Some(orientation)) => kept.extend(png_chunk(b"eXIf", orientation)?),
            _ => {}
        }
    }
}

fn png_chunk(kind: &[u8; 4], content: &[u8]) -> Option<Vec<u8>> {
    let size = u32::try_from(content.len()).ok()?.to_be_bytes();
    let named = [kind, content].concat();
    let checksum = crc32fast::hash(&named).to_be_bytes();
    Some([&size[..], &named, &checksum].concat())
}

/// Keeps all chunks but EXIF and XMP [WebP Container Specification].
fn webp(file: &[u8], orientation: Option<&[u8]>) -> Option<Vec<u8>> {
    const EXIF: u8 = 0x08;
    const XMP: u8 = 0x04;
    let mut kept = file.get(..RIFF)?.to_vec();
    let mut rest = file.get(RIFF..)?;
    while let Some(head) = rest.get(..8) {
        let size = u32::from_le_bytes(*head.get(4..)?.as_array()?) as usize;
        let (chunk, after) = rest.split_at(rest.len().min(8 + size + size % 2));
        rest = after;
        match head.get(..4)? {
            b"EXIF" | b"XMP " => {}
            b"VP8X" => {
                let begin = kept.len() + 8;
                kept.extend(chunk);
                let flags = kept.get_mut(begin)?;
                *flags &= !(EXIF | XMP);
                *flags |= if orientation.is_some() { EXIF } else { 0 };
            }
            _ => kept.extend(chunk),
        }
    }
    if let Some(orientation) = orientation {
        kept.extend(b"EXIF");
        kept.extend(u32::try_from(orientation.len()).ok()?.to_le_bytes());
        kept.extend(orientation);
    }
    let size = u32::try_from(kept.len() - 8).ok()?;
    kept.get_mut(4..8)?.copy_from_slice(&size.to_le_bytes());
    Some(kept)
}

/// Returns whether the metadata contains only an orientation, in an EXIF block with no space for more.
pub fn has_only_orientation(metadata: &Metadata) -> bool {
    let is_orientation = |block: &Vec<u8>| {
        let orientation = Orientation::from_exif_chunk(block);
        orientation.is_some_and(|orientation| block.len() <= orientation_block(orientation).len())
    };
    metadata.xmp.is_none() && metadata.exif.as_ref().is_none_or(is_orientation)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Orientation = Orientation::Rotate90;

    fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, marker], &length[..], content].concat()
    }

    #[test]
    fn a_jpeg_keeps_display_segments_and_loses_metadata_and_trailing_data() {
        let display = [
            segment(0xE0, b"JFIF\0rest"),
            segment(PROFILE, b"ICC_PROFILE\0\x01\x01"),
            segment(ADOBE, b"Adobe"),
            segment(0xC0, b"frame"),
            segment(START_OF_SCAN, b"scan"),
            b"\x01\xFF\0\x02\xFF\xD0\x03".to_vec(),
            segment(0xC4, b"a\xFF\xD9table"),
            segment(START_OF_SCAN, b"scan"),
            b"\x01\xFF\xD9".to_vec(),
        ];
        let expected = [&b"\xFF\xD8"[..], &display.concat()].concat();
        let mut file = display.to_vec();
        file.insert(3, segment(COMMENT, b"secret"));
        file.insert(2, segment(PROFILE, b"MPF\0secret"));
        file.insert(1, segment(EXIF, b"Exif\0\0secret"));
        let file = [&b"\xFF\xD8"[..], &file.concat(), b"secret film"].concat();
        let found = strip_metadata(&file, Format::Jpeg, Orientation::NoTransforms);
        assert_eq!(found.as_ref(), Some(&expected));
        let with_orientation = strip_metadata(&file, Format::Jpeg, TURN).unwrap();
        let orientation = segment(EXIF, &[b"Exif\0\0", &orientation_block(TURN)[..]].concat());
        assert_eq!(with_orientation.len(), expected.len() + orientation.len());
        assert!(
            with_orientation
                .windows(orientation.len())
                .any(|part| part == orientation)
        );
        for end in 0..expected.len() {
            assert_eq!(
                strip_metadata(&expected[..end], Format::Jpeg, TURN),
                None,
                "{end}"
            );
        }
    }

    #[test]
    fn fill_bytes_before_a_jpeg_marker_are_skipped() {
        let file = [
            b"\xFF\xD8\xFF".to_vec(),
            segment(EXIF, b"Exif\0\0secret"),
            segment(START_OF_SCAN, b"scan"),
            b"\xFF\xD9".to_vec(),
        ];
        let found = strip_metadata(&file.concat(), Format::Jpeg, Orientation::NoTransforms);
        let expected = [&b"\xFF\xD8"[..], &file[2], &file[3]].concat();
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn a_png_keeps_display_chunks_and_loses_metadata_and_trailing_data() {
        let chunk = |kind: &[u8; 4]| png_chunk(kind, b"secret").unwrap();
        let whole = |kinds: &[&[u8; 4]]| {
            let chunks: Vec<u8> = kinds.iter().flat_map(|kind| chunk(kind)).collect();
            [b"\x89PNG\r\n\x1a\n", &chunks[..]].concat()
        };
        let file = whole(&[
            b"IHDR", b"eXIf", b"iCCP", b"tEXt", b"PLTE", b"tRNS", b"iTXt", b"acTL", b"fcTL",
            b"IDAT", b"IDAT", b"fdAT", b"zTXt", b"tIME", b"caBX", b"IEND", b"tEXt",
        ]);
        let expected = whole(&[
            b"IHDR", b"iCCP", b"PLTE", b"tRNS", b"acTL", b"fcTL", b"IDAT", b"IDAT", b"fdAT",
            b"IEND",
        ]);
        let found = strip_metadata(&file, Format::Png, Orientation::NoTransforms);
        assert_eq!(found.as_ref(), Some(&expected));
        let with_orientation = strip_metadata(&file, Format::Png, TURN).unwrap();
        let orientation = png_chunk(b"eXIf", &orientation_block(TURN)).unwrap();
        let after_head = 8 + chunk(b"IHDR").len();
        let (head, rest) = expected.split_at(after_head);
        assert_eq!(with_orientation, [head, &orientation, rest].concat());
        for end in 0..expected.len() {
            assert_eq!(
                strip_metadata(&expected[..end], Format::Png, TURN),
                None,
                "{end}"
            );
        }
    }

    #[test]
    fn only_an_orientation_counts_as_no_metadata() {
        let is_orientation = |exif: Option<Vec<u8>>, xmp: Option<Vec<u8>>| {
            has_only_orientation(&Metadata { exif, xmp })
        };
        assert!(is_orientation(None, None) && is_orientation(Some(orientation_block(TURN)), None));
        let low_byte_first =
            b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
        assert!(is_orientation(Some(low_byte_first), None));
        assert!(!is_orientation(None, Some(Vec::new())));
        let more = [&orientation_block(TURN)[..], b"more"].concat();
        assert!(!is_orientation(Some(more), None) && !is_orientation(Some(Vec::new()), None));
    }
}
