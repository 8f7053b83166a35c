//! Headings that the outline (bookmarks) of the document names.

use layout::OutlineEntry;

use crate::pen::Pen;

/// Reads a gray line of the size of the text between two paragraphs, on a page with this title in the outline.
fn read(title: &str) -> String {
    let paragraph = ["The keeper looked after the old lighthouse for years"; 6];
    let mut pen = Pen::new();
    let y = pen.lines(50.0, 100.0, &paragraph) + 10.0;
    pen.color = [90; 3];
    let y = pen.lines(50.0, y, &["Of old lamps and of ships"]) + 10.0;
    pen.color = [0; 3];
    pen.lines(50.0, y, &paragraph);
    let title = title.to_owned();
    pen.sheet.outline = vec![OutlineEntry { title, depth: 1 }];
    pen.read()
}

#[test]
fn titles_of_the_outline_are_headings() {
    let read = read("2. Of Old Lamps and of Ships");
    assert!(read.contains("h1 Of old lamps and of ships"), "{read}");
}

#[test]
fn an_outline_without_titles_changes_nothing() {
    for title in ["harbour.docx", "1", "The keeper looked"] {
        let read = read(title);
        assert!(!read.contains("h1"), "{title}: {read}");
    }
}
