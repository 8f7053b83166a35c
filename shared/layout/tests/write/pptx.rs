//! pptx: consistent packages in schema order, which other programs read as intended.

use layout::Page;
use layout::writers::pptx;
use serde_json::json;

use crate::archive::{archive, assert_consistent, assert_order, part};
use crate::document::{OnePicture, facts, rich};
use crate::golden::compare;
use crate::office::{converted, reopened};

pub(crate) const ORDERS: &[(&str, &[&str])] = &[
    (
        "presentation",
        &["sldMasterIdLst", "sldIdLst", "sldSz", "notesSz"],
    ),
    ("sp", &["nvSpPr", "spPr", "txBody"]),
    (
        "spPr",
        &["xfrm", "prstGeom", "custGeom", "noFill", "solidFill", "ln"],
    ),
    ("ln", &["noFill", "solidFill", "custDash", "miter"]),
    ("blipFill", &["blip", "srcRect", "stretch"]),
    ("txBody", &["bodyPr", "lstStyle", "p"]),
    ("pPr", &["buFont", "buNone", "buAutoNum", "buChar"]),
    ("rPr", &["solidFill", "latin", "ea", "cs", "hlinkClick"]),
    ("r", &["rPr", "t"]),
    ("tbl", &["tblPr", "tblGrid", "tr"]),
    ("tc", &["txBody", "tcPr"]),
    ("tcPr", &["lnL", "lnR", "lnT", "lnB"]),
    ("pic", &["nvPicPr", "blipFill", "spPr"]),
    (
        "sldMaster",
        &["cSld", "clrMap", "sldLayoutIdLst", "txStyles"],
    ),
];

pub(crate) fn made(pages: Vec<Page>) -> Vec<u8> {
    let mut made = Vec::new();
    archive(
        pages,
        |output| pptx(output, &facts(), &OnePicture),
        &mut made,
    );
    made
}

#[test]
fn python_reads_the_intended_content() {
    let made = made(rich());
    assert_consistent(&made);
    assert_order(&made, ORDERS);
    let read = reopened(&made, "pptx");
    compare("rich.pptx.json", format!("{read:#}\n").as_bytes());
}

#[test]
fn libreoffice_reads_every_slide() {
    let read = converted(&made(rich()), "pptx", "fodp");
    let parsed = roxmltree::Document::parse(&read).unwrap();
    let slides: Vec<_> = parsed
        .descendants()
        .filter(|node| node.tag_name().name() == "page")
        .collect();
    assert_eq!(slides.len(), 4);
    let text: String = slides
        .iter()
        .flat_map(|slide| slide.descendants())
        .filter_map(|node| node.text().filter(|_| node.is_text()))
        .collect();
    for words in [
        "1. Escapes: <tags> & *stars*, of_all #",
        "Second paragraph",
        "ends on the second",
        "Compound",
        "A note that nothing refers to.",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
}

#[test]
fn merged_cells_are_marked_in_all_positions() {
    let slide = part(&made(rich()), "ppt/slides/slide1.xml");
    let places: Vec<_> = slide
        .split("<a:tc")
        .skip(1)
        .filter(|cell| !cell.starts_with("Pr"))
        .map(|cell| cell.split('>').next().unwrap())
        .collect();
    let expected = [
        " gridSpan=\"2\"",
        " hMerge=\"1\"",
        "",
        " rowSpan=\"2\"",
        "",
        "",
        " vMerge=\"1\"",
        "",
        "",
    ];
    assert_eq!(places, expected);
}

#[test]
fn documents_without_pages_are_consistent() {
    let made = made(Vec::new());
    assert_consistent(&made);
    assert_eq!(reopened(&made, "pptx")["slides"], json!([]));
}
