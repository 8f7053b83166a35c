//! A file without what it says beside its pixels, which are not touched: JPEG, PNG and WebP.

use domain::format::Format;
use image::metadata::Orientation;

use super::metadata::{Metadata, turn_alone};

const START_OF_SCAN: u8 = 0xDA;
const END_OF_IMAGE: u8 = 0xD9;
const COMMENT: u8 = 0xFE;
const EXIF: u8 = 0xE1;
const PROFILE: u8 = 0xE2;
const ADOBE: u8 = 0xEE;
/// Bytes before the chunks of a WebP.
const RIFF: usize = 12;

/// The file with nothing beside its pixels but the colour profile and how it has to be turned; `None` if it is of another
/// format or damaged.
pub fn bare(file: &[u8], format: Format, orientation: Orientation) -> Option<Vec<u8>> {
    let turn = match orientation {
        Orientation::NoTransforms => None,
        turn => Some(turn_alone(turn)),
    };
    match format {
        Format::Jpeg => jpeg(file, turn.as_deref()),
        Format::Png => png(file, turn.as_deref()),
        Format::Webp => webp(file, turn.as_deref()),
        _ => None,
    }
}

/// Segments that say how to show the pixels, and the scans up to the end mark [ITU-T T.81, annex B].
fn jpeg(file: &[u8], turn: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut bare = file.get(..2)?.to_vec();
    let mut at = 2;
    let mut is_turned = turn.is_none();
    loop {
        let [mark, marker, high, low] = *file.get(at..at + 4)?.as_array()?;
        if mark != 0xFF {
            return None;
        }
        // A marker may follow any number of these.
        if marker == 0xFF {
            at += 1;
            continue;
        }
        let end = at + 2 + usize::from(u16::from_be_bytes([high, low]));
        let segment = file.get(at..end)?;
        // After the head of JFIF, which has to be first.
        if let (false, false, Some(turn)) = (is_turned, marker == 0xE0, turn) {
            bare.extend([0xFF, EXIF]);
            bare.extend(u16::try_from(turn.len() + 8).ok()?.to_be_bytes());
            bare.extend(b"Exif\0\0");
            bare.extend(turn);
            is_turned = true;
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
            bare.extend(segment);
        }
        at = end;
        if marker == START_OF_SCAN {
            break;
        }
    }
    bare.extend(file.get(at..image_end(file, at)?)?);
    Some(bare)
}

/// Where the image that has begun before `at` ends, its end mark included.
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

/// The chunks without which a PNG cannot be read, and those that say how it is shown [PNG, 5.6, 11.3].
fn png(file: &[u8], turn: Option<&[u8]>) -> Option<Vec<u8>> {
    const SIGNATURE: usize = 8;
    const SHOWS: [&[u8; 4]; 15] = [
        b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP", b"mDCV", b"cLLI", b"bKGD",
        b"hIST", b"pHYs", b"acTL", b"fcTL", b"fdAT",
    ];
    let mut bare = file.get(..SIGNATURE)?.to_vec();
    let mut rest = file.get(SIGNATURE..)?;
    loop {
        let (size, after) = rest.split_first_chunk()?;
        let kind = after.first_chunk::<4>()?;
        let size = usize::try_from(u32::from_be_bytes(*size)).ok()?;
        // Size, kind and checksum stand beside the content.
        let (chunk, after) = rest.split_at_checked(size.checked_add(12)?)?;
        rest = after;
        if kind.first()?.is_ascii_uppercase() || SHOWS.contains(&kind) {
            bare.extend(chunk);
        }
        match (kind, turn) {
            (b"IEND", _) => return Some(bare),
            (b"IHDR", Some(turn)) => bare.extend(png_chunk(b"eXIf", turn)?),
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

/// All chunks but those of EXIF and XMP [WebP Container Specification].
fn webp(file: &[u8], turn: Option<&[u8]>) -> Option<Vec<u8>> {
    const EXIF: u8 = 0x08;
    const XMP: u8 = 0x04;
    let mut bare = file.get(..RIFF)?.to_vec();
    let mut rest = file.get(RIFF..)?;
    while let Some(head) = rest.get(..8) {
        let size = u32::from_le_bytes(*head.get(4..)?.as_array()?) as usize;
        let (chunk, after) = rest.split_at(rest.len().min(8 + size + size % 2));
        rest = after;
        match head.get(..4)? {
            b"EXIF" | b"XMP " => {}
            b"VP8X" => {
                let begin = bare.len() + 8;
                bare.extend(chunk);
                let flags = bare.get_mut(begin)?;
                *flags &= !(EXIF | XMP);
                *flags |= if turn.is_some() { EXIF } else { 0 };
            }
            _ => bare.extend(chunk),
        }
    }
    if let Some(turn) = turn {
        bare.extend(b"EXIF");
        bare.extend(u32::try_from(turn.len()).ok()?.to_le_bytes());
        bare.extend(turn);
    }
    let size = u32::try_from(bare.len() - 8).ok()?;
    bare.get_mut(4..8)?.copy_from_slice(&size.to_le_bytes());
    Some(bare)
}

/// Whether a file says nothing but how it has to be turned, in a block with no room for more.
pub fn is_silent(metadata: &Metadata) -> bool {
    let says_turn = |block: &Vec<u8>| {
        let turn = Orientation::from_exif_chunk(block);
        turn.is_some_and(|turn| block.len() <= turn_alone(turn).len())
    };
    metadata.xmp.is_none() && metadata.exif.as_ref().is_none_or(says_turn)
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
    fn a_jpeg_keeps_what_shows_it_and_loses_what_stands_behind_it() {
        let shown = [
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
        let expected = [&b"\xFF\xD8"[..], &shown.concat()].concat();
        let mut file = shown.to_vec();
        file.insert(3, segment(COMMENT, b"secret"));
        file.insert(2, segment(PROFILE, b"MPF\0secret"));
        file.insert(1, segment(EXIF, b"Exif\0\0secret"));
        let file = [&b"\xFF\xD8"[..], &file.concat(), b"secret film"].concat();
        let found = bare(&file, Format::Jpeg, Orientation::NoTransforms);
        assert_eq!(found.as_ref(), Some(&expected));
        let turned = bare(&file, Format::Jpeg, TURN).unwrap();
        let turn = segment(EXIF, &[b"Exif\0\0", &turn_alone(TURN)[..]].concat());
        assert_eq!(turned.len(), expected.len() + turn.len());
        assert!(turned.windows(turn.len()).any(|part| part == turn));
        for end in 0..expected.len() {
            assert_eq!(bare(&expected[..end], Format::Jpeg, TURN), None, "{end}");
        }
    }

    #[test]
    fn a_marker_of_a_jpeg_may_stand_after_filling() {
        let file = [
            b"\xFF\xD8\xFF".to_vec(),
            segment(EXIF, b"Exif\0\0secret"),
            segment(START_OF_SCAN, b"scan"),
            b"\xFF\xD9".to_vec(),
        ];
        let found = bare(&file.concat(), Format::Jpeg, Orientation::NoTransforms);
        let expected = [&b"\xFF\xD8"[..], &file[2], &file[3]].concat();
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn a_png_keeps_what_shows_it_and_loses_what_stands_behind_it() {
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
        let found = bare(&file, Format::Png, Orientation::NoTransforms);
        assert_eq!(found.as_ref(), Some(&expected));
        let turned = bare(&file, Format::Png, TURN).unwrap();
        let turn = png_chunk(b"eXIf", &turn_alone(TURN)).unwrap();
        let after_head = 8 + chunk(b"IHDR").len();
        let (head, rest) = expected.split_at(after_head);
        assert_eq!(turned, [head, &turn, rest].concat());
        for end in 0..expected.len() {
            assert_eq!(bare(&expected[..end], Format::Png, TURN), None, "{end}");
        }
    }

    #[test]
    fn nothing_but_a_turn_is_silent() {
        let says = |exif: Option<Vec<u8>>, xmp: Option<Vec<u8>>| is_silent(&Metadata { exif, xmp });
        assert!(says(None, None) && says(Some(turn_alone(TURN)), None));
        let low_byte_first =
            b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
        assert!(says(Some(low_byte_first), None));
        assert!(!says(None, Some(Vec::new())));
        let more = [&turn_alone(TURN)[..], b"more"].concat();
        assert!(!says(Some(more), None) && !says(Some(Vec::new()), None));
    }
}
