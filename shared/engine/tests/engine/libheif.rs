//! What libheif sees in AVIF and HEIC: the second tool for these.

use std::path::Path;
use std::process::{Command, Stdio};

use image::DynamicImage;

/// The program's name in older and newer packages.
const PROGRAMS: [&str; 2] = ["/usr/bin/heif-dec", "/usr/bin/heif-convert"];

/// Whether a file is one of its kinds.
pub(crate) fn reads(file: &[u8]) -> bool {
    file.get(4..8) == Some(b"ftyp")
}

/// The image that is shown, upright.
pub(crate) fn seen(file: &[u8]) -> DynamicImage {
    let directory = tempfile::tempdir().unwrap();
    let (source, target) = (
        directory.path().join("source.avif"),
        directory.path().join("seen.png"),
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
