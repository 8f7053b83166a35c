//! Invisible text of a PDF: white, tiny, under a picture, or outside the page.

use domain::format::Format;
use serde_json::{Value, json};

use crate::harness;
use crate::sample_documents::{pdf, stream};
use crate::structured::{reopened, step};

/// A page of 300 by 300 points with visible words, and further content.
fn page(content: &str) -> Vec<u8> {
    let text = format!("BT /F 12 Tf 20 200 Td (visible words) Tj ET {content}");
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/XObject<</I 5 0 R>>>>>>".to_vec(),
        stream("", text.as_bytes()),
        stream("/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", b"\x80"),
    ])
}

/// The text of a conversion, and the number of words that it left out as hidden.
fn converted(content: &str, to: &str, mode: &str) -> (String, Option<Value>) {
    let steps = [step(to, json!({"mode": mode}))];
    let result = harness::run_bytes(&page(content), Format::Pdf, &steps).unwrap();
    let text = match to {
        "txt" => String::from_utf8(result.bytes()).unwrap(),
        _ => reopened(result.path(), to)["text"]
            .as_str()
            .unwrap()
            .to_owned(),
    };
    let warnings = result.warnings();
    assert!(
        !warnings.contains(&"content_missing"),
        "{content}: {warnings:?}"
    );
    let mut warnings = result.artifact.warnings.iter();
    let hidden = warnings.find(|warning| warning.code == "hidden_left_out");
    (text, hidden.map(|warning| warning.data["count"].clone()))
}

const TARGETS: [(&str, &str); 6] = [
    ("docx", "flow"),
    ("docx", "layout"),
    ("html", "flow"),
    ("pptx", "flow"),
    ("json", "flow"),
    ("txt", "flow"),
];

#[test]
fn white_tiny_and_covered_text_is_kept() {
    for (name, content) in [
        (
            "white",
            "1 g BT /F 12 Tf 20 150 Td (secret message) Tj ET 0 g",
        ),
        ("tiny", "BT /F 0.5 Tf 20 150 Td (secret message) Tj ET"),
        (
            "covered",
            "BT /F 12 Tf 20 150 Td (secret message) Tj ET q 280 0 0 40 10 140 cm /I Do Q",
        ),
    ] {
        for (to, mode) in TARGETS {
            let (text, hidden) = converted(content, to, mode);
            assert!(text.contains("secret message"), "{name} in {to}: {text}");
            assert_eq!(hidden, None, "{name} in {to}");
        }
    }
}

#[test]
fn text_outside_the_page_is_left_out_and_counted() {
    let content =
        "BT /F 12 Tf 20 400 Td (three secret words) Tj ET BT /F 12 Tf 20 -40 Td (more) Tj ET";
    for (to, mode) in TARGETS {
        let (text, hidden) = converted(content, to, mode);
        assert!(text.contains("visible words"), "{to}: {text}");
        assert!(!text.contains("secret"), "{to}: {text}");
        assert_eq!(hidden, Some(json!(4)), "{to} {mode}");
    }
    let (_, hidden) = converted("", "docx", "flow");
    assert_eq!(hidden, None);
}
