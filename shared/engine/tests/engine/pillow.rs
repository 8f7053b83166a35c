//! Images as Pillow writes and reads them.

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::format::Format;
use serde::Deserialize;

use crate::rig::checkout;

/// What Pillow reads in an image.
#[derive(Debug, Deserialize)]
pub(crate) struct Read {
    pub(crate) format: String,
    pub(crate) sides: (u32, u32),
    pub(crate) orientation: Option<u16>,
    pub(crate) maker: Option<String>,
    pub(crate) width: Option<u32>,
    /// Whether EXIF says where it was taken.
    pub(crate) place: bool,
    /// Whether XMP says what it shows.
    pub(crate) source: bool,
    /// Whether XMP says that it is to be turned.
    pub(crate) turns: bool,
    /// Whether the preview of a photograph is in the file.
    pub(crate) preview: bool,
    /// Bytes of the colour profile.
    pub(crate) profile: usize,
    /// Red, green, blue and opacity, row by row.
    pub(crate) corners: [[u8; 4]; 4],
    pub(crate) frames: u32,
}

fn run(arguments: &[&str]) -> Vec<u8> {
    let own = checkout().join(".octavo/venv/tests/bin/python");
    let python = std::env::var_os("OCTAVO_PYTHON").map_or(own, PathBuf::from);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/picture.py");
    let ended = Command::new(python).arg(script).args(arguments).output();
    let ended = ended.unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    ended.stdout
}

/// A picture of 240 by 160 pixels, red above blue, to be turned by a quarter, with EXIF, a preview and XMP.
pub(crate) fn photograph(format: Format) -> Vec<u8> {
    made(|path| run(&["make", path, &format.id().to_uppercase()]))
}

/// A PNG of 256 by 256 pixels, to be turned by a quarter, that would take more bytes upright, with the same beside.
pub(crate) fn rows() -> Vec<u8> {
    made(|path| run(&["make-rows", path]))
}

/// The same picture in black and white as fax machines send it: a TIFF of CCITT Group 3.
pub(crate) fn fax(source: &Path) -> Vec<u8> {
    made(|path| run(&["make-fax", source.to_str().unwrap(), path]))
}

fn made(make: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let file = tempfile::NamedTempFile::new().unwrap();
    make(file.path().to_str().unwrap());
    std::fs::read(file.path()).unwrap()
}

pub(crate) fn read(path: &Path) -> Read {
    serde_json::from_slice(&run(&["read", path.to_str().unwrap()])).unwrap()
}
