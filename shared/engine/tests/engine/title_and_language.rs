//! The title and language of a PDF are kept in documents made from it.

use domain::format::Format;
use serde_json::{Value, json};

use crate::harness;
use crate::sample_documents::{pdf, stream};
use crate::structured::step;

/// A page of text in a document with this language, as a PDF string, and the title "A & B".
fn titled(language: &str) -> Vec<u8> {
    let catalog = format!("<</Type/Catalog/Pages 2 0 R/Lang{language}>>");
    let document = pdf(&[
        catalog.into_bytes(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>".to_vec(),
        stream("", b"BT /F 24 Tf 20 100 Td (Salut) Tj ET"),
        b"<</Title(A & B)>>".to_vec(),
    ]);
    let text = String::from_utf8(document).unwrap();
    text.replace("/Root 1 0 R", "/Root 1 0 R/Info 5 0 R")
        .into_bytes()
}

fn converted(language: &str, to: &str) -> harness::Converted {
    harness::run_bytes(&titled(language), Format::Pdf, &[step(to, json!({}))]).unwrap()
}

fn text(language: &str, to: &str) -> String {
    String::from_utf8(converted(language, to).bytes()).unwrap()
}

/// A part of a package.
fn part(package: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(package)).unwrap();
    std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
}

#[test]
fn title_and_language_are_kept() {
    // UTF-16 is valid for every PDF text string.
    for language in ["(fr-CH)", "<FEFF00660072002D00430048>"] {
        let page = text(language, "html");
        assert!(page.contains("<html lang=\"fr-CH\">"), "{page}");
        assert!(page.contains("<title>A &amp; B</title>"), "{page}");
        let model: Value = serde_json::from_str(&text(language, "json")).unwrap();
        assert_eq!(
            (&model["title"], &model["language"]),
            (&json!("A & B"), &json!("fr-CH"))
        );
        let document = converted(language, "docx").bytes();
        let properties = part(&document, "docProps/core.xml");
        assert!(
            properties.contains("<dc:title>A &amp; B</dc:title>"),
            "{properties}"
        );
        assert!(
            properties.contains("<dc:language>fr-CH</dc:language>"),
            "{properties}"
        );
        let styles = part(&document, "word/styles.xml");
        assert!(styles.contains("w:lang w:val=\"fr-CH\""), "{styles}");
    }
}

#[test]
fn invalid_language_is_dropped() {
    for language in [
        "(\"><script>alert\\(1\\)</script>)",
        "()",
        "/fr",
        "7",
        "(f)",
    ] {
        let page = text(language, "html");
        assert!(page.contains("<html>"), "{language}: {page}");
        let model: Value = serde_json::from_str(&text(language, "json")).unwrap();
        assert_eq!(model["language"], Value::Null, "{language}");
    }
}
