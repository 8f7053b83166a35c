//! A second opinion on PDF.

use std::path::Path;
use std::process::Command;

/// The number of pages.
pub(crate) fn pages(pdf: &Path) -> u32 {
    field(pdf, "Pages").parse().unwrap()
}

/// A line of what `pdfinfo` says.
pub(crate) fn field(pdf: &Path, name: &str) -> String {
    maybe_field(pdf, name).unwrap_or_else(|| panic!("pdfinfo does not tell {name}"))
}

/// A line of what `pdfinfo` says, if it is there.
pub(crate) fn maybe_field(pdf: &Path, name: &str) -> Option<String> {
    let text = output(Command::new("pdfinfo").arg(pdf));
    let prefix = format!("{name}:");
    let line = text.lines().find_map(|line| line.strip_prefix(&prefix));
    line.map(|line| line.trim().to_owned())
}

/// The XMP packet.
pub(crate) fn packet(pdf: &Path) -> String {
    let text = output(Command::new("pdfinfo").arg("-meta").arg(pdf));
    text.trim().to_owned()
}

/// The words of a document.
pub(crate) fn words(pdf: &Path) -> Vec<String> {
    let text = output(
        Command::new("pdftotext")
            .args(["-enc", "UTF-8"])
            .arg(pdf)
            .arg("-"),
    );
    text.split_whitespace().map(str::to_owned).collect()
}

/// The characters of a document as they follow one another in it.
pub(crate) fn characters(pdf: &Path) -> String {
    output(
        Command::new("pdftotext")
            .args(["-raw", "-enc", "UTF-8"])
            .arg(pdf)
            .arg("-"),
    )
}

/// The fonts of a document, one a line.
pub(crate) fn fonts(pdf: &Path) -> String {
    output(Command::new("pdffonts").arg(pdf))
}

/// The text of each page, its words divided by one space.
pub(crate) fn texts(pdf: &Path) -> Vec<String> {
    let text = output(
        Command::new("pdftotext")
            .args(["-enc", "UTF-8"])
            .arg(pdf)
            .arg("-"),
    );
    let pages = text.strip_suffix('\u{c}').unwrap_or(&text).split('\u{c}');
    pages
        .map(|page| page.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// The first page, drawn at a resolution.
pub(crate) fn picture(pdf: &Path, page: u32, resolution: u32) -> image::RgbImage {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("page");
    let page = page.to_string();
    output(
        Command::new("pdftocairo")
            .args(["-png", "-singlefile", "-f", &page, "-l", &page])
            .args(["-r", &resolution.to_string()])
            .args([pdf, &target]),
    );
    image::open(target.with_extension("png")).unwrap().to_rgb8()
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}
