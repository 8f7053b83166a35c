//! Documents as printed by other programs: pages and word positions.

use std::process::Command;

use layout::{Rect, Size};

use crate::office::made_by_libreoffice;

/// A printed page.
pub(crate) struct Printed {
    pub(crate) size: Size,
    pub(crate) words: Vec<(String, Rect)>,
}

impl Printed {
    /// Returns the bounds of a word that is on the page once.
    pub(crate) fn word(&self, word: &str) -> Rect {
        let mut found = self.words.iter().filter(|(known, _)| known == word);
        let one = found
            .next()
            .unwrap_or_else(|| panic!("no {word} among {:?}", self.words));
        assert!(found.next().is_none(), "{word} twice");
        one.1
    }

    /// Returns the text of the page, in the order of poppler.
    pub(crate) fn text(&self) -> String {
        let words: Vec<_> = self.words.iter().map(|(word, _)| word.as_str()).collect();
        words.join(" ")
    }
}

/// Prints with LibreOffice.
pub(crate) fn by_libreoffice(document: &[u8], extension: &str) -> Vec<Printed> {
    read(&made_by_libreoffice(document, extension, "pdf"))
}

/// Prints with Chromium.
pub(crate) fn by_chromium(page: &[u8]) -> Vec<Printed> {
    let directory = tempfile::tempdir().unwrap();
    let (page_path, printed) = (
        directory.path().join("page.html"),
        directory.path().join("page.pdf"),
    );
    std::fs::write(&page_path, page).unwrap();
    let output = Command::new("chromium-headless-shell")
        .args(["--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"])
        .arg(format!(
            "--user-data-dir={}",
            directory.path().join("profile").display()
        ))
        .arg(format!("--print-to-pdf={}", printed.display()))
        .arg(format!("file://{}", page_path.display()))
        .output()
        .unwrap();
    let printed = std::fs::read(printed);
    read(&printed.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))))
}

/// Reads a PDF with poppler.
fn read(pdf: &[u8]) -> Vec<Printed> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("printed.pdf");
    std::fs::write(&path, pdf).unwrap();
    let output = Command::new("pdftotext")
        .arg("-bbox")
        .arg(&path)
        .arg("-")
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let body = text
        .split_once("<doc>")
        .unwrap()
        .1
        .split_once("</doc>")
        .unwrap()
        .0;
    // Characters that XML does not allow would break the parser.
    let body: String = body
        .chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .collect();
    let whole = format!("<doc>{body}</doc>");
    let parsed = roxmltree::Document::parse(&whole).unwrap();
    parsed
        .descendants()
        .filter(|node| node.tag_name().name() == "page")
        .map(page)
        .collect()
}

fn page(node: roxmltree::Node<'_, '_>) -> Printed {
    let words = node
        .children()
        .filter(|node| node.tag_name().name() == "word");
    Printed {
        size: Size {
            width: number(node, "width"),
            height: number(node, "height"),
        },
        words: words
            .map(|word| (word.text().unwrap_or_default().to_owned(), bounds(word)))
            .collect(),
    }
}

fn bounds(word: roxmltree::Node<'_, '_>) -> Rect {
    Rect::between(
        (number(word, "xMin"), number(word, "yMin")),
        (number(word, "xMax"), number(word, "yMax")),
    )
}

fn number(node: roxmltree::Node<'_, '_>, name: &str) -> f32 {
    node.attribute(name).unwrap().parse().unwrap()
}
