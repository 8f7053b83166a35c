//! PDF whose page tree states another number of pages than it holds.

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};

use crate::documents::{pdf, stream};
use crate::{corpus, rig};

/// Three pages, two of them below an inner node, with `page N` on each, whose tree states these numbers.
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
fn every_page_that_a_document_holds_is_in_the_result() {
    for (root, inner) in [("1", "2"), ("2", "1"), ("2", "2")] {
        let document = tree(root, inner);
        let made = rig::run_bytes(&document, Format::Pdf, &[rig::convert(Format::Txt)]).unwrap();
        let text = String::from_utf8(made.bytes()).unwrap();
        assert_eq!(text, "page 1\n\u{c}page 2\n\u{c}page 3\n", "{root} {inner}");
        assert_eq!(made.artifact.pages, 3);
        assert_eq!(made.warnings(), ["page_count_mended"]);
        let made = rig::run_bytes(&document, Format::Pdf, &[rig::convert(Format::Png)]).unwrap();
        assert_eq!(made.artifact.contents.unwrap().sizes.len(), 3);
    }
    let sound = rig::run_bytes(&tree("3", "2"), Format::Pdf, &[rig::convert(Format::Txt)]).unwrap();
    assert_eq!(sound.artifact.pages, 3);
    assert_eq!(sound.warnings(), Vec::<&str>::new());
}

#[test]
fn a_number_of_pages_that_is_none_is_damage() {
    let corrupt = Some(JobErrorCode::InputCorrupt);
    for count in ["(3)", "/Three", "[3]", "10 0 R", "7 0 R"] {
        assert_eq!(
            rig::refused(&tree(count, "2"), Format::Pdf),
            corrupt,
            "{count}"
        );
    }
    let known = std::fs::read(corpus::file("pdf-broken/poppler-91414-0-53.pdf")).unwrap();
    assert_eq!(rig::refused(&known, Format::Pdf), corrupt);
}

#[test]
fn the_plan_bounds_the_pages_that_are_held_not_those_that_are_stated() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), tree("1", "2")).unwrap();
    let within = |pages| {
        let limits = JobLimits {
            pages,
            ..rig::GENEROUS
        };
        let steps = [rig::convert(Format::Txt)];
        rig::code(rig::run_within(file.path(), Format::Pdf, &steps, limits)).err()
    };
    assert_eq!(within(3), None);
    assert_eq!(within(2), Some(JobErrorCode::TooManyPages));
}
