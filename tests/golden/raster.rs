//! Visual comparison of images.

use std::io::Cursor;
use std::process::{Command, Stdio};

use image::imageops::FilterType;
use image::{DynamicImage, GrayImage, ImageDecoder as _, ImageReader, Rgba};

/// Side length in pixels of the downscaled images that are compared.
const SIDE: u32 = 48;

/// Decodes the first image of a file and rotates it upright.
pub(crate) fn decode(bytes: &[u8]) -> DynamicImage {
    if bytes.get(4..8) == Some(b"ftyp") {
        return by_tool("heif-convert", &[], bytes);
    }
    if bytes.starts_with(b"<") {
        return by_tool("rsvg-convert", &["--output"], bytes);
    }
    let reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .unwrap();
    let mut decoder = reader.into_decoder().unwrap();
    let orientation = decoder.orientation().unwrap();
    let mut picture = DynamicImage::from_decoder(decoder).unwrap();
    picture.apply_orientation(orientation);
    picture
}

/// Decodes a file with another program; `arguments` go between source and target.
fn by_tool(program: &str, arguments: &[&str], bytes: &[u8]) -> DynamicImage {
    let directory = tempfile::tempdir().unwrap();
    let (source, target) = (
        directory.path().join("source"),
        directory.path().join("target.png"),
    );
    std::fs::write(&source, bytes).unwrap();
    let status = Command::new(program)
        .arg(&source)
        .args(arguments)
        .arg(&target)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let status = status.unwrap_or_else(|_| panic!("{program} is missing: run `make setup`"));
    assert!(status.success(), "{program} does not read it");
    image::open(target).unwrap()
}

/// Mean difference of two images on white, 0 (equal) to 255.
pub(crate) fn difference(one: &DynamicImage, other: &DynamicImage) -> f64 {
    let (one, other) = (small(one), small(other));
    let pairs = one.pixels().zip(other.pixels());
    let sum: u64 = pairs
        .map(|(one, other)| u64::from(one.0[0].abs_diff(other.0[0])))
        .sum();
    sum as f64 / f64::from(SIDE * SIDE)
}

fn small(picture: &DynamicImage) -> GrayImage {
    let mut on_white = picture.to_rgba8();
    for Rgba([red, green, blue, alpha]) in on_white.pixels_mut() {
        for channel in [red, green, blue] {
            let (value, alpha) = (u32::from(*channel), u32::from(*alpha));
            *channel = ((value * alpha + 255 * (255 - alpha)) / 255) as u8;
        }
    }
    let on_white = DynamicImage::from(on_white);
    on_white
        .resize_exact(SIDE, SIDE, FilterType::Triangle)
        .to_luma8()
}
