//! Reads PDF with poppler's tools, independently of the engine.

use std::path::Path;
use std::process::Command;

/// Number of pages.
pub(crate) fn pages(pdf: &Path) -> u32 {
    field(pdf, "Pages").parse().unwrap()
}

/// A field of `pdfinfo`.
pub(crate) fn field(pdf: &Path, name: &str) -> String {
    maybe_field(pdf, name).unwrap_or_else(|| panic!("pdfinfo has no field {name}"))
}

/// A field of `pdfinfo`, if present.
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

/// The rows of `pdfimages -list`: page, number, type, width, height, color space, components, bits, encoding and others.
pub(crate) fn images(pdf: &Path) -> Vec<Vec<String>> {
    let text = output(Command::new("pdfimages").arg("-list").arg(pdf));
    let rows = text.lines().skip(2);
    rows.map(|row| row.split_whitespace().map(str::to_owned).collect())
        .collect()
}

/// The data of the first JPEG image of a document.
pub(crate) fn jpeg(pdf: &Path) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("picture");
    output(Command::new("pdfimages").arg("-j").args([pdf, &target]));
    std::fs::read(directory.path().join("picture-000.jpg")).unwrap()
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

/// The characters of a document in content order.
pub(crate) fn characters(pdf: &Path) -> String {
    output(
        Command::new("pdftotext")
            .args(["-raw", "-enc", "UTF-8"])
            .arg(pdf)
            .arg("-"),
    )
}

/// The fonts of a document, one per line.
pub(crate) fn fonts(pdf: &Path) -> String {
    output(Command::new("pdffonts").arg(pdf))
}

/// The text of each page with words separated by single spaces.
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

/// A page as SVG with the outlines of its glyphs.
pub(crate) fn svg(pdf: &Path, page: u32) -> String {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("page.svg");
    let page = page.to_string();
    output(
        Command::new("pdftocairo")
            .args(["-svg", "-f", &page, "-l", &page])
            .args([pdf, &target]),
    );
    std::fs::read_to_string(target).unwrap()
}

/// A page rendered at a resolution in dpi.
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

/// Width and height of each page in points.
pub(crate) fn page_sizes(pdf: &Path) -> Vec<(f64, f64)> {
    let last = pages(pdf).to_string();
    let text = output(Command::new("pdfinfo").args(["-l", &last]).arg(pdf));
    let size = |line: &str| {
        let (name, size) = line.split_once(" size:")?;
        name.strip_prefix("Page ")?;
        let (width, rest) = size.trim().split_once(" x ")?;
        Some((width.parse().ok()?, rest.split_once(' ')?.0.parse().ok()?))
    };
    text.lines().filter_map(size).collect()
}

/// Left, top, right and bottom of the first occurrence of a word, in points from the upper left corner of its page.
pub(crate) fn word_box(pdf: &Path, word: &str) -> [f64; 4] {
    let text = output(Command::new("pdftotext").arg("-bbox").arg(pdf).arg("-"));
    let end = format!(">{word}</word>");
    let line = text.lines().find(|line| line.ends_with(&end));
    let line = line.unwrap_or_else(|| panic!("{word} is not in {text}"));
    ["xMin", "yMin", "xMax", "yMax"].map(|name| {
        let (_, value) = line.split_once(&format!("{name}=\"")).unwrap();
        value.split_once('"').unwrap().0.parse().unwrap()
    })
}

/// The words of each page with left, top, right and bottom, in points from the upper left corner of the page.
pub(crate) fn word_boxes(pdf: &Path) -> Vec<Vec<(String, [f64; 4])>> {
    let text = output(Command::new("pdftotext").arg("-bbox").arg(pdf).arg("-"));
    let mut pages: Vec<Vec<(String, [f64; 4])>> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("<page ") {
            pages.push(Vec::new());
        } else if let Some(word) = line.strip_prefix("<word ") {
            let (places, word) = word
                .strip_suffix("</word>")
                .unwrap()
                .split_once('>')
                .unwrap();
            let mut numbers = places.split('"').skip(1).step_by(2);
            let place = [(); 4].map(|()| numbers.next().unwrap().parse().unwrap());
            pages.last_mut().unwrap().push((word.to_owned(), place));
        }
    }
    pages
}

/// The current date in UTC.
pub(crate) fn today() -> String {
    output(Command::new("date").args(["-u", "+%F"]))
        .trim()
        .to_owned()
}

/// The structure elements of a document, one per line.
pub(crate) fn structure(pdf: &Path) -> String {
    output(Command::new("pdfinfo").arg("-struct").arg(pdf))
}

/// The texts of the structure elements, in order.
pub(crate) fn tagged_texts(pdf: &Path) -> Vec<String> {
    let text = output(Command::new("pdfinfo").arg("-struct-text").arg(pdf));
    let lines = text.lines().map(str::trim);
    let texts = lines.filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    texts.map(str::to_owned).collect()
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}
