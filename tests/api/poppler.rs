//! Inspects PDF files with poppler, which Octavo itself does not use.

use std::io::Write;
use std::process::Command;

/// Returns the text of all pages in content stream order.
pub(crate) fn text(pdf: &[u8]) -> String {
    run("pdftotext", &["-enc", "UTF-8", "-raw"], pdf, &["-"])
}

/// Returns the text of each page.
pub(crate) fn page_texts(pdf: &[u8]) -> Vec<String> {
    let text = text(pdf);
    let pages = text.trim_end_matches('\u{c}').split('\u{c}');
    pages.map(str::to_owned).collect()
}

/// Returns the number of pages.
pub(crate) fn page_count(pdf: &[u8]) -> usize {
    let facts = run("pdfinfo", &[], pdf, &[]);
    let count = facts.lines().find_map(|line| line.strip_prefix("Pages:"));
    count.unwrap().trim().parse().unwrap()
}

/// Returns the width of each page in points, rounded down.
pub(crate) fn page_widths(pdf: &[u8]) -> Vec<u32> {
    let facts = run("pdfinfo", &["-f", "1", "-l", "100000"], pdf, &[]);
    let sizes = facts.lines().filter_map(|line| line.split_once(" size:"));
    let sizes = sizes.filter(|(before, _)| before.starts_with("Page "));
    let width = |(_, size): (&str, &str)| {
        let width: f64 = size.split_whitespace().next().unwrap().parse().unwrap();
        width.round() as u32
    };
    sizes.map(width).collect()
}

/// Returns the 1-based page number of each image.
pub(crate) fn image_pages(pdf: &[u8]) -> Vec<usize> {
    let list = run("pdfimages", &["-list"], pdf, &[]);
    let rows = list.lines().skip(2).map(|line| line.split_whitespace());
    let images = rows.filter_map(|mut row| {
        let page = row.next()?.parse().ok()?;
        (row.nth(1)? == "image").then_some(page)
    });
    images.collect()
}

/// Renders the first page at a resolution in pixels per inch.
pub(crate) fn gray(pdf: &[u8], resolution: u32) -> image::GrayImage {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("page");
    let (resolution, prefix) = (resolution.to_string(), target.to_str().unwrap());
    let options = ["-png", "-gray", "-singlefile", "-r", &resolution];
    run("pdftoppm", &options, pdf, &[prefix]);
    let page = std::fs::read(target.with_extension("png")).unwrap();
    image::load_from_memory(&page).unwrap().to_luma8()
}

fn run(program: &str, before: &[&str], pdf: &[u8], after: &[&str]) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(pdf).unwrap();
    let mut command = Command::new(program);
    let output = command.args(before).arg(file.path()).args(after).output();
    let output =
        output.unwrap_or_else(|error| panic!("{program} (package poppler-utils): {error}"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}
