//! PDFs whose page tree has a wrong `/Count`.

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};

use crate::sample_documents::{pdf, stream};
use crate::{corpus, harness};

/// Three pages, two of them in an inner node, with the text `page N` and these counts.
fn tree(root: &str, inner: &str) -> Vec<u8> {
    let page = |parent: u32, content: u32| {
        let resources = "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>";
        let page = format!(
            "<</Type/Page/Parent {parent} 0 R/MediaBox[0 0 200 200]/Contents {content} 0 R{resources}>>"
        );
        page.into_bytes()
    };
    let text = |number: u32| {
        stream(
            "",
            format!("BT /F 24 Tf 20 100 Td (page {number}) Tj ET").as_bytes(),
        )
    };
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[3 0 R 4 0 R]/Count {root}>>").into_bytes(),
        page(2, 7),
        format!("<</Type/Pages/Parent 2 0 R/Kids[5 0 R 6 0 R]/Count {inner}>>").into_bytes(),
        page(4, 8),
        page(4, 9),
        text(1),
        text(2),
        text(3),
        b"(three)".to_vec(),
    ])
}

#[test]
fn every_actual_page_is_in_the_result() {
    for (root, inner) in [("1", "2"), ("2", "1"), ("2", "2")] {
        let document = tree(root, inner);
        let result =
            harness::run_bytes(&document, Format::Pdf, &[harness::convert(Format::Txt)]).unwrap();
        let text = String::from_utf8(result.bytes()).unwrap();
        assert_eq!(text, "page 1\n\u{c}page 2\n\u{c}page 3\n", "{root} {inner}");
        assert_eq!(result.artifact.pages, 3);
        assert_eq!(result.warnings(), ["page_count_mended"]);
        let result =
            harness::run_bytes(&document, Format::Pdf, &[harness::convert(Format::Png)]).unwrap();
        assert_eq!(result.artifact.contents.unwrap().sizes.len(), 3);
    }
    let sound = harness::run_bytes(
        &tree("3", "2"),
        Format::Pdf,
        &[harness::convert(Format::Txt)],
    )
    .unwrap();
    assert_eq!(sound.artifact.pages, 3);
    assert_eq!(sound.warnings(), Vec::<&str>::new());
}

#[test]
fn invalid_counts_are_damage() {
    let corrupt = Some(JobErrorCode::InputCorrupt);
    for count in ["(3)", "/Three", "[3]", "10 0 R", "7 0 R"] {
        assert_eq!(
            harness::rejection_code(&tree(count, "2"), Format::Pdf),
            corrupt,
            "{count}"
        );
    }
    let document = std::fs::read(corpus::file("pdf-broken/poppler-91414-0-53.pdf")).unwrap();
    assert_eq!(harness::rejection_code(&document, Format::Pdf), corrupt);
}

#[test]
fn page_limit_applies_to_actual_pages() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), tree("1", "2")).unwrap();
    let within = |pages| {
        let limits = JobLimits {
            pages,
            ..harness::GENEROUS
        };
        let steps = [harness::convert(Format::Txt)];
        harness::code(harness::run_within(
            file.path(),
            Format::Pdf,
            &steps,
            limits,
        ))
        .err()
    };
    assert_eq!(within(3), None);
    assert_eq!(within(2), Some(JobErrorCode::TooManyPages));
}
