//! A second opinion on PDF.

use std::path::Path;
use std::process::Command;

/// The number of pages.
pub(crate) fn pages(pdf: &Path) -> u32 {
    field(pdf, "Pages").parse().unwrap()
}

/// A line of what `pdfinfo` says.
pub(crate) fn field(pdf: &Path, name: &str) -> String {
    let text = output(Command::new("pdfinfo").arg(pdf));
    let prefix = format!("{name}:");
    let line = text.lines().find_map(|line| line.strip_prefix(&prefix));
    line.unwrap_or_else(|| panic!("no {name} in {text}"))
        .trim()
        .to_owned()
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
