//! Check boxes that are drawn as shapes are characters of the result, without a warning about drawings.

use domain::format::Format;

use crate::harness;
use crate::sample_documents::{pdf, stream};

/// A page with choices below each other; the second one has a check mark.
fn form() -> Vec<u8> {
    let content: String = ["Alpha", "Beta", "Gamma", "Delta"]
        .iter()
        .enumerate()
        .map(|(row, name)| {
            let y = 260 - 24 * row;
            let (top, bottom, middle) = (y + 7, y + 1, y + 4);
            let mark = match row {
                1 => format!("32 {middle} m 34 {bottom} l 38 {top} l S "),
                _ => String::new(),
            };
            format!(
                "30 {} 10 10 re S {mark}BT /F 12 Tf 46 {y} Td ({name} choice of the form) Tj ET\n",
                y - 1
            )
        })
        .collect();
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>> >> >>".to_vec(),
        stream("", content.as_bytes()),
    ])
}

#[test]
fn check_boxes_drawn_as_shapes_are_characters() {
    let result =
        harness::run_bytes(&form(), Format::Pdf, &[harness::convert(Format::Markdown)]).unwrap();
    let text = String::from_utf8(result.bytes()).unwrap();
    let expected =
        ["☐ Alpha", "☑ Beta", "☐ Gamma", "☐ Delta"].map(|one| format!("{one} choice of the form"));
    assert_eq!(text, format!("{}\n", expected.join("\n\n")));
    assert_eq!(result.warnings(), Vec::<&str>::new());
}
