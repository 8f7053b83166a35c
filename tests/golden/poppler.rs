//! Reads PDF with poppler, which no engine uses.

use std::path::Path;
use std::process::Command;

use image::DynamicImage;

/// Displayed width and height of each page in points, including rotation.
pub(crate) fn page_sizes(pdf: &Path) -> Vec<(f64, f64)> {
    let text = String::from_utf8(run("pdfinfo", &["-f", "1", "-l", "100000"], pdf, &[])).unwrap();
    let numbers = |name: &str| -> Vec<Vec<f64>> {
        let lines = text.lines().filter(|line| line.starts_with("Page "));
        let lines = lines.filter_map(|line| line.split_once(name).map(|(_, rest)| rest));
        lines
            .map(|rest| {
                rest.split_whitespace()
                    .filter_map(|word| word.parse().ok())
                    .collect()
            })
            .collect()
    };
    let (sizes, turns) = (numbers(" size:"), numbers(" rot:"));
    assert_eq!(sizes.len(), turns.len(), "{text}");
    let pages = sizes.iter().zip(&turns);
    pages
        .map(|(size, turn)| match turn[0] as i64 % 180 {
            0 => (size[0], size[1]),
            _ => (size[1], size[0]),
        })
        .collect()
}

/// The text of all pages.
pub(crate) fn text(pdf: &Path) -> String {
    String::from_utf8(run("pdftotext", &["-enc", "UTF-8"], pdf, &["-"])).unwrap()
}

/// Renders a page, counted from 1, at a resolution in dpi.
pub(crate) fn picture(pdf: &Path, page: usize, density: u32) -> DynamicImage {
    let (page, density) = (page.to_string(), density.to_string());
    let png = run(
        "pdftoppm",
        &["-png", "-f", &page, "-l", &page, "-r", &density],
        pdf,
        &[],
    );
    image::load_from_memory(&png).unwrap()
}

fn run(program: &str, before: &[&str], pdf: &Path, after: &[&str]) -> Vec<u8> {
    let output = Command::new(program)
        .args(before)
        .arg(pdf)
        .args(after)
        .output();
    let output =
        output.unwrap_or_else(|error| panic!("{program} (package poppler-utils): {error}"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {complaint}");
    output.stdout
}
