//! Images whose headers do not match their data: decompression bombs, truncated files, wrong formats.

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::corpus;
use crate::harness::{self, rejection_code};

/// A PNG header of this size without image data.
pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend([width, height].map(u32::to_be_bytes).concat());
    header.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    file.extend(&header);
    file.extend(crc32(&header).to_be_bytes());
    file.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e\0\0\0\0IEND\xae\x42\x60\x82");
    file
}

/// CRC-32 of a chunk [PNG, annex D].
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}

fn bmp(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    file.extend([width, height].map(u32::to_le_bytes).concat());
    file.extend(b"\x01\0\x18\0");
    file.resize(70, 0);
    file
}

fn gif(width: u16, height: u16) -> Vec<u8> {
    let mut file = b"GIF89a".to_vec();
    file.extend([width, height].map(u16::to_le_bytes).concat());
    file.extend(b"\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;");
    file
}

/// A lossless WebP, whose header has 14 bits for each side.
fn webp(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f".to_vec();
    file.extend(((width - 1) | (height - 1) << 14).to_le_bytes());
    file.resize(34, 0);
    file
}

/// A valid JPEG except for the size in its frame header [ITU-T T.81, B.2.2].
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut file = std::fs::read(corpus::file("images/jpeg/cat.jpg")).unwrap();
    let is_frame = |marker: &[u8]| marker == [0xff, 0xc0] || marker == [0xff, 0xc2];
    let frame = file.windows(2).rposition(is_frame).unwrap();
    file[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    file[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    file
}

/// A TIFF directory of SHORT and LONG tags.
fn tiff(width: u32, height: u32) -> Vec<u8> {
    let tags = [
        (256_u16, width),
        (257, height),
        (258, 8),
        (259, 1),
        (262, 1),
        (273, 8),
        (278, height),
        (279, width),
    ];
    let mut file = b"II*\0\x08\0\0\0\x08\0".to_vec();
    for (tag, value) in tags {
        file.extend(tag.to_le_bytes());
        file.extend(b"\x04\0\x01\0\0\0");
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    file
}

#[test]
fn oversized_images_are_rejected_by_their_header() {
    let large = Some(JobErrorCode::InputTooLarge);
    for (format, header) in [
        (Format::Png, png(60_000, 60_000)),
        (Format::Png, png(20_001, 1)),
        (Format::Bmp, bmp(60_000, 60_000)),
        (Format::Gif, gif(60_000, 60_000)),
        (Format::Jpeg, jpeg(60_000, 60_000)),
        (Format::Webp, webp(16_383, 16_383)),
        (Format::Tiff, tiff(60_000, 60_000)),
    ] {
        assert_eq!(rejection_code(&header, format), large, "{format}");
    }
    let corrupt = Some(JobErrorCode::InputCorrupt);
    assert_eq!(rejection_code(&png(20_000, 5_000), Format::Png), corrupt);
    // One pixel above the decoder's limit, and exactly the limit.
    assert_eq!(rejection_code(&webp(16_384, 1), Format::Webp), corrupt);
    assert_eq!(rejection_code(&webp(1, 16_384), Format::Webp), corrupt);
    assert_eq!(rejection_code(&webp(16_383, 1), Format::Webp), corrupt);
}

#[test]
fn truncated_images_are_corrupt() {
    for name in [
        "jpeg/cat.jpg",
        "jpeg/pil_sample_cmyk.jpg",
        "webp/simple-rgb.webp",
        "gif/interlaced.gif",
        "bmp/rgb24.bmp",
        "tiff/16bit.cropped.tif",
    ] {
        let source = std::fs::read(corpus::file(&format!("images/{name}"))).unwrap();
        let format = Format::from_extension(name.rsplit('.').next().unwrap()).unwrap();
        let found = rejection_code(&source[..source.len() / 2], format);
        assert_eq!(found, Some(JobErrorCode::InputCorrupt), "{name}");
    }
}

#[test]
fn image_pages_count_against_the_page_limit() {
    let source = corpus::file("images/tiff/g4-multi.tiff");
    let within = |pages| harness::rejection_code_within(&source, Format::Tiff, pages);
    assert_eq!(within(3), None);
    assert_eq!(within(2), Some(JobErrorCode::TooManyPages));
}

#[test]
fn images_of_another_format_are_rejected() {
    const KINDS: &[&str] = &[
        "jpeg", "png", "webp", "avif", "gif", "tiff", "bmp", "svg", "heic",
    ];
    let files: Vec<_> = KINDS
        .iter()
        .map(|kind| corpus::entries(&[kind], &["ok"]).swap_remove(0))
        .collect();
    let others = |format| {
        let claims = files.iter().map(|(_, claimed)| *claimed);
        claims.filter(move |claimed| *claimed != format)
    };
    let cases: Vec<_> = files
        .iter()
        .flat_map(|(entry, format)| others(*format).map(move |claimed| (entry, *format, claimed)))
        .collect();
    harness::each(cases, |(entry, format, claimed)| {
        let found = harness::rejection_code(&std::fs::read(entry.path()).unwrap(), claimed);
        // Plain text is noise where a signature is required.
        let expected = match format {
            Format::Svg => JobErrorCode::InputCorrupt,
            _ => JobErrorCode::ContentMismatch,
        };
        assert_eq!(found, Some(expected), "{} as {claimed}", entry.file);
    });
}
