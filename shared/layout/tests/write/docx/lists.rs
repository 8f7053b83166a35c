//! Lists of DOCX and of other formats: numbering, and markers that it cannot express.

use layout::Content;
use layout::writers::{NoPictures, html, markdown};

use super::made;
use crate::archive::part;
use crate::document::{OnePicture, PORTRAIT, block, facts, item, page};
use crate::golden::written;
use crate::office::converted;

#[test]
fn lists_are_numbered_as_their_markers() {
    let list = |markers: &[(u8, &str)]| {
        let items = markers
            .iter()
            .map(|(level, marker)| item(*level, marker, "x"));
        block(Content::List {
            items: items.collect(),
        })
    };
    let blocks = vec![
        list(&[
            (0, "1."),
            (1, "a)"),
            (1, "b)"),
            (0, "2."),
            (1, "a)"),
            (0, "3."),
        ]),
        list(&[(0, "1."), (0, "2.")]),
        list(&[(0, "3."), (0, "7."), (0, "•")]),
        list(&[(0, "•"), (1, "–"), (1, "a)"), (0, "5."), (0, "6.")]),
    ];
    let made = made(vec![page(1, PORTRAIT, blocks)]);
    let text = converted(&made, "docx", "txt:Text (encoded):UTF8");
    // LibreOffice adds marker characters of its own to the text, one per level.
    let markers: Vec<_> = text
        .lines()
        .filter_map(|line| line.trim().strip_suffix(" x"))
        .collect();
    assert_eq!(
        markers,
        [
            "1.", "a)", "b)", "2.", "a)", "3.", "1.", "2.", "3.", "7.", "•", "•", "◦", "a)", "5.",
            "6."
        ],
        "{text}"
    );
}

#[test]
fn markers_without_numbering_format_are_text() {
    let mut items = ["Note:", "[12]", "Step1:", "1000."].map(|marker| item(0, marker, "x"));
    items[0].ordered = false;
    let list = block(Content::List {
        items: items.to_vec(),
    });
    let pages = vec![page(1, PORTRAIT, vec![list])];

    let document = made(pages.clone());
    let (text, numbering) = (
        part(&document, "word/document.xml"),
        part(&document, "word/numbering.xml"),
    );
    let slide = part(&crate::pptx::made(pages.clone()), "ppt/slides/slide1.xml");
    let (mut page, mut lines) = (Vec::new(), Vec::new());
    written(
        pages.clone(),
        |output| html(output, &facts(), &OnePicture),
        &mut page,
    );
    written(
        pages,
        |output| markdown(output, &facts(), &NoPictures),
        &mut lines,
    );
    let (page, lines) = (
        String::from_utf8(page).unwrap(),
        String::from_utf8(lines).unwrap(),
    );
    for (made, said) in [
        (&text, "Note:</w:t><w:tab/>"),
        (&text, "Step1:</w:t><w:tab/>"),
        (&numbering, "<w:lvlText w:val=\"[%1]\"/>"),
        (&numbering, "<w:startOverride w:val=\"12\"/>"),
        (&numbering, "<w:startOverride w:val=\"1000\"/>"),
        (&slide, "<a:t>Note: </a:t>"),
        (&slide, "<a:t>[12] </a:t>"),
        (&slide, "<a:t>Step1: </a:t>"),
        (&slide, "startAt=\"1000\""),
        (&page, "<li>Note: x"),
        (&page, "<li>[12] x"),
        (&page, "<li>Step1: x"),
        (&page, "<ol start=\"1000\">\n<li>x"),
        (&lines, "- Note: x"),
        (&lines, "- [12] x"),
        (&lines, "- Step1: x"),
        (&lines, "1000. x"),
    ] {
        assert!(made.contains(said), "no {said} in {made}");
    }
}
