//! Modes of `ocr` for pages that already have text.

use domain::format::Format;
use domain::operation::{OcrMode, OcrOutput};
use serde_json::Value;

use super::{encoded, json, letter, long_word, read_bytes, text};
use crate::harness;
use crate::poppler;
use crate::sample_documents::{pdf, stream};
use crate::similarity;

pub(super) const LETTERS: &str =
    "BT /F 24 Tf 20 100 Td (These words are written, nobody has to read them.) Tj ET";
pub(super) const SCAN: &str = "q 595 0 0 842 0 0 cm /I Do Q";
pub(super) const HIDDEN: &str =
    "BT 3 Tr /F 12 Tf 20 700 Td (wrongly recognised words that an earlier engine left) Tj ET";

/// A document of pages with these content streams; each can draw the letter as an image.
pub(super) fn pages(contents: &[&str]) -> Vec<u8> {
    let image = letter();
    let (width, height) = image.dimensions();
    let about = format!(
        "/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Width {width}/Height {height}"
    );
    let number = |index: usize| 4 + 2 * index;
    let kids: String = (0..contents.len())
        .map(|index| format!("{} 0 R ", number(index)))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 595 842]>>",
            contents.len()
        )
        .into_bytes(),
        stream(&about, &encoded(&image, image::ImageFormat::Jpeg)),
    ];
    for (index, content) in contents.iter().enumerate() {
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</XObject<</I 3 0 R>>/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
            number(index) + 1
        );
        objects.extend([page.into_bytes(), stream("", content.as_bytes())]);
    }
    pdf(&objects)
}

#[test]
fn modes_apply_to_each_page() {
    let scan_with_hidden = format!("{HIDDEN} {SCAN}");
    let stamped = format!("{SCAN} BT /F 9 Tf 20 20 Td (Page 1) Tj ET");
    let source = pages(&[LETTERS, SCAN, &scan_with_hidden, &stamped, ""]);
    let word = long_word();
    for (mode, kept) in [
        (OcrMode::SkipText, &[0, 2][..]),
        (OcrMode::Redo, &[0]),
        (OcrMode::Force, &[]),
    ] {
        let result = read_bytes(&source, Format::Pdf, OcrOutput::Json, mode);
        let complete = json(&result);
        let pages = complete["pages"].as_array().unwrap();
        assert_eq!(complete["skipped"], kept.len(), "{mode:?}");
        for (index, page) in pages.iter().enumerate() {
            let is_kept = kept.contains(&index);
            assert_eq!(page["recognised"], !is_kept, "{mode:?} {index}");
            let has_word = page["text"].as_str().unwrap().contains(&word);
            assert_eq!(
                has_word,
                (1..4).contains(&index) && !is_kept,
                "{mode:?} {index}"
            );
        }
        assert!(
            pages[0]["text"]
                .as_str()
                .unwrap()
                .contains("nobody has to read"),
            "{mode:?}"
        );
        assert_eq!(pages[4]["text"], "\n");
        assert_eq!(pages[4]["confidence"], Value::Null);
        let expected = ["text_kept", "text_recognized", "no_text_layer"];
        let expected = &expected[usize::from(kept.is_empty())..];
        assert_eq!(result.warnings(), expected, "{mode:?}");
    }
}

#[test]
fn existing_ocr_text_is_kept_or_replaced() {
    let source = pages(&[&format!("{HIDDEN} {SCAN}"), LETTERS]);
    let words = |mode| {
        let result = read_bytes(&source, Format::Pdf, OcrOutput::Pdf, mode);
        assert_eq!(result.artifact.pages, 2);
        poppler::words(result.path())
    };
    let has = |words: &[String], word: &str| words.iter().any(|found| found == word);
    let word = long_word();
    let skipped = words(OcrMode::SkipText);
    assert!(has(&skipped, "wrongly") && !has(&skipped, &word));
    let replaced = words(OcrMode::Redo);
    assert!(
        !has(&replaced, "wrongly") && has(&replaced, &word),
        "{replaced:?}"
    );
    assert!(has(&replaced, "written,"));
}

/// Text on a colored area, and an invisible line of text.
const LETTERS_OVER_HIDDEN: &str = "BT 3 Tr /F 12 Tf 20 700 Td (wrongly recognised) Tj 0 Tr 0 -100 Td \
     /F 24 Tf (These words are written, nobody has to read them.) Tj ET 0.9 0.2 0.1 rg 50 50 200 100 re f";

#[test]
fn force_mode_replaces_all_text() {
    let stamped = format!("{SCAN} BT /F 12 Tf 300 20 Td (Stamped by somebody) Tj ET");
    let contents = [LETTERS_OVER_HIDDEN, stamped.as_str(), SCAN, LETTERS];
    let source = pages(&contents);
    let result = read_bytes(&source, Format::Pdf, OcrOutput::Pdf, OcrMode::Force);
    let texts = poppler::texts(result.path());
    for (page, phrase) in [
        (0, "nobody has to read"),
        (1, "Stamped by somebody"),
        (3, "nobody"),
    ] {
        assert_eq!(texts[page].matches(phrase).count(), 1, "{}", texts[page]);
    }
    assert!(!texts[0].contains("wrongly"), "{}", texts[0]);
    assert!(texts[1].contains(&long_word()) && texts[2].contains(&long_word()));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &source).unwrap();
    for page in 1..=4 {
        let picture = |pdf| poppler::picture(pdf, page, 60);
        let difference = similarity::difference(&picture(result.path()), &picture(file.path()), 60);
        assert!(difference < 2.0, "{page} differs by {difference:.1}");
    }
    // The old text is nowhere in the file.
    let open = std::process::Command::new("qpdf")
        .args(["--qdf", "--object-streams=disable"])
        .args([result.path(), std::path::Path::new("-")])
        .output()
        .unwrap();
    let bytes = String::from_utf8_lossy(&open.stdout);
    assert!(open.status.success() && bytes.contains("/RecognisedText"));
    for old in ["nobody", "wrongly", "Stamped", "Helvetica"] {
        assert_eq!(bytes.contains(old), old == "Helvetica", "{old}");
    }
}

#[test]
fn visible_text_is_not_duplicated_in_the_text_layer() {
    let stamped = format!("{SCAN} BT /F 14 Tf 300 20 Td (Stamped by somebody) Tj ET");
    let source = pages(&[&stamped]);
    for mode in [OcrMode::SkipText, OcrMode::Redo] {
        let result = read_bytes(&source, Format::Pdf, OcrOutput::Pdf, mode);
        assert!(result.bytes().starts_with(&source), "the original is kept");
        let texts = poppler::texts(result.path());
        assert_eq!(
            texts[0].matches("Stamped").count(),
            1,
            "{mode:?}: {texts:?}"
        );
        assert!(texts[0].contains(&long_word()), "{mode:?}: {texts:?}");
        let read = text(&read_bytes(&source, Format::Pdf, OcrOutput::Text, mode));
        assert!(read.contains("Stamped"), "{mode:?}: {read}");
    }
}

/// The text that PDFium extracts, in its order.
pub(super) fn found_by_pdfium(pdf: &std::path::Path) -> String {
    text(&harness::run(pdf, Format::Pdf, &[harness::convert(Format::Txt)]).unwrap())
}
