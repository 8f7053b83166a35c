//! The order of words in text boxes and frames is not compared, as these are anywhere on a page; that of the paragraphs after
//! them is.

use domain::format::Format;

use super::{convert, found};
use crate::harness;
use crate::sample_documents::docx;

/// Words of the body before and after what floats.
const BODY: [&str; 2] = [
    "The boat leaves the northern pier at noon.",
    "Every passenger carries one suitcase aboard.",
];
const FLOATING: &str = "Harbour office, seventeen lighthouse road";

fn paragraph(properties: &str, text: &str) -> String {
    format!("<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// A paragraph in a frame at the foot of the page.
fn frame() -> String {
    let properties = r#"<w:pPr><w:framePr w:w="4000" w:hSpace="100" w:wrap="around" w:vAnchor="page" w:hAnchor="page" w:x="5000" w:y="13000"/></w:pPr>"#;
    paragraph(properties, FLOATING)
}

fn with_frame_inside() -> Vec<u8> {
    let [first, second] = BODY.map(|text| paragraph("", text));
    docx(&format!("{first}{}{second}", frame()), "")
}

fn with_frame_before(body: [&str; 2]) -> Vec<u8> {
    docx(
        &(frame() + &body.map(|text| paragraph("", text)).concat()),
        "",
    )
}

/// A text box at the foot of the page.
fn text_box() -> Vec<u8> {
    let [first, second] = BODY.map(|text| paragraph("", text));
    let text = paragraph("", FLOATING);
    let drawing = format!(
        r##"<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape style="position:absolute;margin-left:200pt;margin-top:600pt;width:220pt;height:40pt" type="#_x0000_t202"><v:textbox><w:txbxContent>{text}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"##
    );
    docx(&format!("{first}{drawing}{second}"), "")
}

#[test]
fn frames_and_text_boxes_are_in_no_wrong_order() {
    for (name, document, to) in [
        ("frame", with_frame_inside(), Format::Pdf),
        ("frame", with_frame_inside(), Format::Odt),
        ("frame", with_frame_inside(), Format::Rtf),
        ("text box", text_box(), Format::Pdf),
        ("text box", text_box(), Format::Odt),
    ] {
        let result = harness::run_bytes(&document, Format::Docx, &[harness::convert(to)]);
        let result = result.unwrap();
        assert_eq!(result.warnings(), Vec::<&str>::new(), "{name} to {to}");
    }
}

#[test]
fn paragraphs_after_a_frame_in_another_order_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let [plain, swapped] = ["plain", "swapped"].map(|name| directory.path().join(name));
    let [first, second] = BODY;
    std::fs::write(&plain, with_frame_before([first, second])).unwrap();
    std::fs::write(&swapped, with_frame_before([second, first])).unwrap();
    for to in [Format::Pdf, Format::Odt] {
        let result = convert(&plain, Format::Docx, to);
        let found = found(result.path(), (&swapped, Format::Docx), to);
        assert!(found.reordered > 0, "{to}: {found:?}");
    }
}
