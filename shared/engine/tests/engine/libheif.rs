//! Reference decoder for AVIF and HEIC: libheif's program.

use std::path::Path;
use std::process::{Command, Stdio};

use image::DynamicImage;

/// The program's path in newer and older packages.
const PROGRAMS: [&str; 2] = ["/usr/bin/heif-dec", "/usr/bin/heif-convert"];

/// Whether libheif handles the file.
pub(crate) fn reads(file: &[u8]) -> bool {
    file.get(4..8) == Some(b"ftyp")
}

/// The primary image, upright.
pub(crate) fn decoded(file: &[u8]) -> DynamicImage {
    let directory = tempfile::tempdir().unwrap();
    let (source, target) = (
        directory.path().join("source.avif"),
        directory.path().join("decoded.png"),
    );
    std::fs::write(&source, file).unwrap();
    let program = PROGRAMS.iter().find(|program| Path::new(program).exists());
    let status = Command::new(program.expect("libheif-examples is missing: run `make setup`"))
        .args([&source, &target])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success(), "libheif does not read it");
    image::open(target).unwrap()
}
