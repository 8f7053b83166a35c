//! Image attacks: oversized headers, and files that are not images.

use tests::documents::pdf;

use crate::attack::{
    Attack, CORRUPT, Expected, MISMATCH, REPAIRABLE, TOO_LARGE, all_altered, damaged, from_corpus,
    valid,
};

pub(crate) fn attacks() -> Vec<Attack> {
    let mut attacks = vec![
        Attack::new(
            "30,000 pixels a side",
            "png",
            png(30_000, 30_000),
            TOO_LARGE,
        ),
        Attack::new("20,001 pixels wide", "png", png(20_001, 1), TOO_LARGE),
        Attack::new(
            "65,500 pixels a side",
            "jpeg",
            jpeg(65_500, 65_500),
            TOO_LARGE,
        ),
        Attack::new(
            "65,535 pixels a side",
            "gif",
            gif(u16::MAX, u16::MAX),
            TOO_LARGE,
        ),
        Attack::new(
            "16,000 pixels a side",
            "webp",
            webp(16_000, 16_000),
            TOO_LARGE,
        ),
        Attack::new(
            "30,000 pixels a side",
            "bmp",
            bmp(30_000, 30_000),
            TOO_LARGE,
        ),
        Attack::new("directories in a circle", "tiff", cyclic_tiff(), CORRUPT),
        Attack::new("a PDF", "png", pdf(1, 595, 842), MISMATCH),
        Attack::new("a PNG", "jpeg", valid("png").bytes(), MISMATCH),
        Attack::new(
            "a word-processor document",
            "tiff",
            valid("docx").bytes(),
            MISMATCH,
        ),
    ];
    for format in ["png", "tiff", "avif"] {
        attacks.extend(damaged(format, CORRUPT));
    }
    for format in ["jpeg", "gif", "bmp", "webp"] {
        attacks.extend(damaged(format, REPAIRABLE));
    }
    attacks.extend(damaged("svg", CORRUPT));
    attacks.extend(drawings());
    attacks.extend(all_altered(&[
        "png", "jpeg", "gif", "bmp", "tiff", "webp", "avif", "svg",
    ]));
    attacks.extend(from_corpus(&[
        "png", "jpg", "gif", "bmp", "tiff", "webp", "avif", "svg",
    ]));
    attacks
}

/// SVG that references files and hosts, or expands exponentially.
fn drawings() -> Vec<Attack> {
    let svg = |content: &str| {
        let begin = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">"#;
        format!("{begin}{content}</svg>").into_bytes()
    };
    let mut entities = r#"<!DOCTYPE svg [<!ENTITY a0 "<g/>">"#.to_owned();
    for level in 1..9 {
        let before = format!("&a{};", level - 1).repeat(10);
        entities += &format!(r#"<!ENTITY a{level} "{before}">"#);
    }
    let laughs = [(entities + "]>").into_bytes(), svg("&a8;")].concat();
    let outside = br#"<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]>"#;
    let outside = [&outside[..], &svg("<text>&e;</text>")].concat();
    let large = br#"<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"/>"#;
    let fetching = svg(r#"<image href="http://127.0.0.1:9/a.png" width="9" height="9"/>"#);
    vec![
        Attack::new("billion laughs", "svg", laughs, MANY),
        Attack::new("an external entity", "svg", outside, CORRUPT),
        Attack::new("60,000 pixels a side", "svg", large.to_vec(), TOO_LARGE),
        Attack::new(
            "an image of another host",
            "svg",
            fetching,
            Expected::Completes,
        ),
        Attack::new(
            "elements within one another",
            "svg",
            svg(&("<g>".repeat(50_000) + &"</g>".repeat(50_000))),
            MANY,
        ),
    ]
}

/// The exceeded limit depends on the reader.
const MANY: Expected = Expected::Fails(&["input_corrupt", "input_too_large"]);

/// A PNG of this size with almost no data [PNG, 11.2.2].
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [
        (b"IHDR", header),
        (b"IDAT", vec![0x78, 0x9c, 3, 0, 0, 0, 0, 1]),
        (b"IEND", vec![]),
    ] {
        bytes.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        let chunk = [&name[..], &data].concat();
        bytes.extend(&chunk);
        bytes.extend(crc32fast::hash(&chunk).to_be_bytes());
    }
    bytes
}

/// A valid JPEG except for the size in its frame header [ITU-T T.81, B.2.2].
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = valid("jpeg").bytes();
    let is_frame = |marker: &[u8]| marker == [0xff, 0xc0] || marker == [0xff, 0xc2];
    // The last one, as a preview may precede it.
    let frame = bytes.windows(2).rposition(is_frame).unwrap();
    bytes[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    bytes[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    bytes
}

/// A GIF of this size with an empty image [GIF89a, 18].
fn gif(width: u16, height: u16) -> Vec<u8> {
    let (width, height) = (width.to_le_bytes(), height.to_le_bytes());
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend([width, height].concat());
    bytes.extend([0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0]);
    bytes.extend([width, height].concat());
    bytes.extend([0, 2, 2, 0x4c, 1, 0, 0x3b]);
    bytes
}

/// A lossless WebP of this size without pixels [RFC 9649, 3.4].
fn webp(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"RIFF\x14\0\0\0WEBPVP8L\x08\0\0\0\x2f".to_vec();
    bytes.extend(((width - 1) | (height - 1) << 14).to_le_bytes());
    bytes.extend([0, 0, 0]);
    bytes
}

/// A BMP of this size without pixels.
fn bmp(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = tests::documents::noisy_bitmap(1, 1);
    bytes[18..22].copy_from_slice(&width.to_le_bytes());
    bytes[22..26].copy_from_slice(&height.to_le_bytes());
    bytes
}

/// A TIFF whose only directory is its own successor [TIFF 6.0, section 2].
fn cyclic_tiff() -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0\x01\0".to_vec();
    bytes.extend([0, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    bytes.extend(8_u32.to_le_bytes());
    bytes
}
