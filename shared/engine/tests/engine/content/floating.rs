//! Notes, text boxes and frames are anywhere on a page, so their words are in no wrong order.

use domain::format::Format;

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
fn frame() -> Vec<u8> {
    let properties = r#"<w:pPr><w:framePr w:w="4000" w:hSpace="100" w:wrap="around" w:vAnchor="page" w:hAnchor="page" w:x="5000" w:y="13000"/></w:pPr>"#;
    let [first, second] = BODY.map(|text| paragraph("", text));
    docx(
        &format!("{first}{}{second}", paragraph(properties, FLOATING)),
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
        ("frame", frame(), Format::Pdf),
        ("frame", frame(), Format::Odt),
        ("frame", frame(), Format::Rtf),
        ("text box", text_box(), Format::Pdf),
        ("text box", text_box(), Format::Odt),
    ] {
        let result = harness::run_bytes(&document, Format::Docx, &[harness::convert(to)]);
        let result = result.unwrap();
        assert_eq!(result.warnings(), Vec::<&str>::new(), "{name} to {to}");
    }
}
