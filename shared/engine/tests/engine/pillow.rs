//! Writes and reads images with Pillow.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::format::Format;
use serde::Deserialize;

use crate::harness::checkout;

/// What Pillow reads in an image.
#[derive(Debug, Deserialize)]
pub(crate) struct Read {
    pub(crate) format: String,
    pub(crate) sides: (u32, u32),
    pub(crate) orientation: Option<u16>,
    pub(crate) maker: Option<String>,
    pub(crate) width: Option<u32>,
    /// Whether EXIF has a location.
    pub(crate) place: bool,
    /// Whether XMP has a description.
    pub(crate) source: bool,
    /// Whether XMP has an orientation.
    pub(crate) turns: bool,
    /// Whether the file contains a preview.
    pub(crate) preview: bool,
    /// Size of the color profile in bytes.
    pub(crate) profile: usize,
    /// RGBA values of the corners, row by row.
    pub(crate) corners: [[u8; 4]; 4],
    pub(crate) frames: u32,
}

fn run(arguments: &[&str]) -> Vec<u8> {
    let own = checkout().join(".octavo/venv/tests/bin/python");
    let python = std::env::var_os("OCTAVO_PYTHON").map_or(own, PathBuf::from);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/picture.py");
    let finished = Command::new(python).arg(script).args(arguments).output();
    let finished = finished.unwrap();
    let text = String::from_utf8_lossy(&finished.stderr);
    assert!(finished.status.success(), "{text}");
    finished.stdout
}

/// An image of 240 × 160 pixels, red above blue, with orientation 6, EXIF, a preview and XMP.
pub(crate) fn photograph(format: Format) -> Vec<u8> {
    converted(|path| run(&["make", path, &format.id().to_uppercase()]))
}

/// A PNG of 256 × 256 pixels with orientation 6 and the same metadata, which compresses worse when upright.
pub(crate) fn rows() -> Vec<u8> {
    converted(|path| run(&["make-rows", path]))
}

/// The same image as a bilevel TIFF in a CCITT coding.
pub(crate) fn fax(source: &Path, coding: &str) -> Vec<u8> {
    converted(|path| run(&["make-fax", source.to_str().unwrap(), path, coding]))
}

fn converted(make: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let file = tempfile::NamedTempFile::new().unwrap();
    make(file.path().to_str().unwrap());
    std::fs::read(file.path()).unwrap()
}

pub(crate) fn read(path: &Path) -> Read {
    serde_json::from_slice(&run(&["read", path.to_str().unwrap()])).unwrap()
}
