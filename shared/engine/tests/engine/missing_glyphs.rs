//! Characters that no installed font has are reported, because the result shows boxes in their place.

use domain::format::Format;
use domain::operation::Operation;
use serde_json::{Value, json};

use crate::harness;
use crate::sample_documents::docx;

/// Letters of Tangsa and Vithkuqi, which no font has.
const MISSING: &str = "\u{16a70} \u{10570}";

/// Text in scripts that have fonts, with marks and invisible characters.
const PRESENT: &str = "Grüße Ελληνικά Кириллица العربية עברית 漢字かな 한국어 नमस्ते ไทย e\u{301} a\u{200b}b ☃\u{fe0f} “–…” \u{1f680}";

/// The data of the warnings about missing glyphs of a document.
fn reported(document: &[u8], from: Format, to: Format) -> Vec<Value> {
    let result = harness::run_bytes(document, from, &[harness::convert(to)]).unwrap();
    let warnings = result.artifact.warnings.iter();
    let warnings = warnings.filter(|warning| warning.code == "glyphs_missing");
    warnings
        .inspect(|warning| assert!(warning.is_loss()))
        .map(|warning| Value::Object(warning.data.clone()))
        .collect()
}

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn svg(text: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="600" height="40"><title>{MISSING}</title><text y="30">{text}</text></svg>"#
    )
}

fn html(text: &str) -> String {
    format!("<meta charset=utf-8><p>{text}</p><p hidden>{MISSING}</p>")
}

/// A document with this text and the page that is reported for it, of each type of source.
fn documents(text: &str) -> [(Vec<u8>, Format, Format, &'static [u32]); 8] {
    let page_break = r#"<w:p><w:r><w:br w:type="page"/></w:r></w:p>"#;
    let body = format!("{}{page_break}{}", paragraph("first"), paragraph(text));
    let markdown = format!("# Title\n\n{text}\n").into_bytes();
    [
        (docx(&body, ""), Format::Docx, Format::Pdf, &[2]),
        (
            format!("a,b\nc,{text}\n").into_bytes(),
            Format::Csv,
            Format::Pdf,
            &[1],
        ),
        (html(text).into_bytes(), Format::Html, Format::Pdf, &[]),
        (html(text).into_bytes(), Format::Html, Format::Png, &[]),
        (markdown.clone(), Format::Markdown, Format::Pdf, &[]),
        (markdown, Format::Markdown, Format::Png, &[]),
        (svg(text).into_bytes(), Format::Svg, Format::Pdf, &[]),
        (svg(text).into_bytes(), Format::Svg, Format::Png, &[]),
    ]
}

#[test]
fn characters_without_a_font_are_reported() {
    for (document, from, to, pages) in documents(&format!("Launch {MISSING} {PRESENT}")) {
        let expected =
            json!({"characters": ["\u{10570}", "\u{16a70}"], "count": 2, "pages": pages});
        assert_eq!(reported(&document, from, to), [expected], "{from} {to}");
    }
}

#[test]
fn boxes_that_pdfium_cannot_read_are_reported() {
    let document = format!("team\tcups\nred {MISSING}\t3\n");
    let expected = json!({"characters": ["\u{10570}", "\u{16a70}"], "count": 2, "pages": [1]});
    assert_eq!(
        reported(document.as_bytes(), Format::Tsv, Format::Pdf),
        [expected]
    );
}

#[test]
fn characters_with_a_font_are_not_reported() {
    for (document, from, to, _) in documents(PRESENT) {
        assert_eq!(
            reported(&document, from, to),
            Vec::<Value>::new(),
            "{from} {to}"
        );
    }
}

#[test]
fn selected_pages_are_checked_without_a_comparison_of_their_content() {
    let (document, from, ..) = documents(MISSING)[0].clone();
    for (pages, count) in [("1", 0), ("2", 1)] {
        let step = json!({"operation": "convert", "format": "pdf", "pages": pages});
        let step = Operation::read(&step, "$").unwrap();
        let result = harness::run_bytes(&document, from, &[step]).unwrap();
        let found = result.warnings().into_iter();
        assert_eq!(
            found.filter(|code| *code == "glyphs_missing").count(),
            count,
            "{pages}"
        );
    }
}

#[test]
fn half_of_a_character_fails_no_conversion() {
    let page = "<p>text<script>document.body.append('\u{1f680}'.slice(0, 1))</script>";
    for to in [Format::Png, Format::Pdf] {
        let result = harness::run_bytes(page.as_bytes(), Format::Html, &[harness::convert(to)]);
        assert_eq!(result.unwrap().artifact.pages, 1, "{to}");
    }
}
