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

/// A HEIC with an image for each of these, the first of which is the primary image.
pub(crate) fn encoded(images: &[DynamicImage]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: String| directory.path().join(name);
    let sources = images.iter().enumerate().map(|(number, image)| {
        let source = path(format!("{number}.png"));
        image.save(&source).unwrap();
        source
    });
    let target = path("encoded.heic".to_owned());
    let status = Command::new("/usr/bin/heif-enc")
        .args(sources)
        .arg("-o")
        .arg(&target)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success(), "libheif does not encode it");
    std::fs::read(target).unwrap()
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
