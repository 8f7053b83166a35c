//! Detects file types by their magic bytes.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use domain::format::Format;

/// PDF readers accept the header anywhere in the first 1,024 bytes.
const PDF_HEADER_WITHIN: usize = 1024;

/// A file type as the magic bytes identify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// A ZIP archive: OOXML, `OpenDocument`, or something else.
    Zip,
    /// An OLE compound file: binary Office formats, or encrypted OOXML.
    Compound,
    /// Rich text.
    Rtf,
    /// PDF.
    Pdf,
    /// An image of this format.
    Image(Format),
    /// No known magic bytes, as in plain text.
    Unknown,
}

/// Magic bytes at offset 0.
const SIGNATURES: [(&[u8], Container); 12] = [
    (b"PK\x03\x04", Container::Zip),
    (b"PK\x05\x06", Container::Zip),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Container::Compound),
    (b"{\\rtf", Container::Rtf),
    (b"\x89PNG\r\n\x1a\n", Container::Image(Format::Png)),
    (b"\xff\xd8\xff", Container::Image(Format::Jpeg)),
    (b"GIF87a", Container::Image(Format::Gif)),
    (b"GIF89a", Container::Image(Format::Gif)),
    (b"II*\0", Container::Image(Format::Tiff)),
    (b"MM\0*", Container::Image(Format::Tiff)),
    (b"II+\0\x08\0\0\0", Container::Image(Format::Tiff)),
    (b"MM\0+\0\x08\0\0", Container::Image(Format::Tiff)),
];

/// Detects the type of a file.
///
/// # Errors
/// If the file cannot be read.
pub fn container(path: &Path) -> std::io::Result<Container> {
    let mut head = Vec::new();
    let bytes = PDF_HEADER_WITHIN as u64 + 8;
    File::open(path)?.take(bytes).read_to_end(&mut head)?;
    Ok(sniff(&head))
}

/// Detects the format of an image file.
pub(crate) fn image_format(path: &Path) -> Option<Format> {
    match container(path) {
        Ok(Container::Image(format)) => Some(format),
        _ => None,
    }
}

/// Detects the format of an image in memory.
pub fn sniff_image_format(bytes: &[u8]) -> Option<Format> {
    match sniff(bytes) {
        Container::Image(format) => Some(format),
        _ => None,
    }
}

/// Detects the type by the first bytes of a file.
pub fn sniff(head: &[u8]) -> Container {
    let known = SIGNATURES
        .iter()
        .find(|(signature, _)| head.starts_with(signature));
    if let Some((_, container)) = known {
        return *container;
    }
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Container::Image(Format::Webp);
    }
    if let Some(format) = by_ftyp_brand(head) {
        return Container::Image(format);
    }
    if is_bitmap(head) {
        return Container::Image(Format::Bmp);
    }
    if head.windows(5).any(|window| window == b"%PDF-") {
        return Container::Pdf;
    }
    Container::Unknown
}

/// Detects AVIF and HEIC by the major and compatible brands of the `ftyp` box [ISO/IEC 14496-12, 4.3]. Image sequences
/// contain a still image, too.
fn by_ftyp_brand(head: &[u8]) -> Option<Format> {
    let Some([s0, s1, s2, s3, b'f', b't', b'y', b'p']) = head.get(..8) else {
        return None;
    };
    let end = u32::from_be_bytes([*s0, *s1, *s2, *s3]) as usize;
    let brands = head.get(8..end.min(head.len()))?.chunks_exact(4);
    if !matches!(
        head.get(8..12)?,
        b"avif" | b"avis" | b"heic" | b"heix" | b"mif1" | b"msf1" | b"miaf"
    ) {
        return None;
    }
    let mut brands = brands.enumerate().filter(|(index, _)| *index != 1);
    brands.find_map(|(_, brand)| match brand {
        b"avif" | b"avis" => Some(Format::Avif),
        b"heic" | b"heix" => Some(Format::Heic),
        _ => None,
    })
}

/// Checks the size of the second header, too, because text can start with `BM`.
fn is_bitmap(head: &[u8]) -> bool {
    const HEADER_SIZES: [u8; 7] = [12, 16, 40, 52, 56, 108, 124];
    head.starts_with(b"BM")
        && matches!(head.get(14..18), Some([size, 0, 0, 0]) if HEADER_SIZES.contains(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magic_bytes_are_distinguished_from_similar_text() {
        let cases: [(&[u8], Container); 11] = [
            (b"PK\x03\x04rest", Container::Zip),
            (b"{\\rtf1", Container::Rtf),
            (b"junk before\n%PDF-1.7", Container::Pdf),
            (b"RIFF\0\0\0\0WEBPVP8 ", Container::Image(Format::Webp)),
            (b"RIFF\0\0\0\0WAVE", Container::Unknown),
            (
                b"\0\0\0\x18ftypmif1\0\0\0\0miafavif\0\0\0\x10meta",
                Container::Image(Format::Avif),
            ),
            (
                b"\0\0\0\x14ftypheic\0\0\0\0mif1\0\0\0\x10meta",
                Container::Image(Format::Heic),
            ),
            (b"\0\0\0\x14ftypisom\0\0\0\0mp41avif", Container::Unknown),
            (b"BMW is a car maker", Container::Unknown),
            (b"PKZIP is a program", Container::Unknown),
            (b"", Container::Unknown),
        ];
        for (head, expected) in cases {
            assert_eq!(sniff(head), expected, "{}", head.escape_ascii());
        }
        let mut bitmap = *b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0";
        assert_eq!(sniff(&bitmap), Container::Image(Format::Bmp));
        bitmap[14] = 41;
        assert_eq!(sniff(&bitmap), Container::Unknown);
    }
}
