//! What becomes of text that a page has already.

use domain::format::Format;
use domain::operation::{OcrMode, OcrOutput};
use serde_json::Value;

use super::{encoded, json, letter, long_word, read_bytes};
use crate::documents::{pdf, stream};
use crate::poppler;

pub(super) const LETTERS: &str =
    "BT /F 24 Tf 20 100 Td (These words are written, nobody has to read them.) Tj ET";
pub(super) const SCAN: &str = "q 595 0 0 842 0 0 cm /I Do Q";
pub(super) const HIDDEN: &str =
    "BT 3 Tr /F 12 Tf 20 700 Td (wrongly recognised words that an earlier engine left) Tj ET";

/// A document of pages with these contents, which may show the letter.
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
fn each_mode_decides_page_by_page() {
    let scan_with_hidden = format!("{HIDDEN} {SCAN}");
    let stamped = format!("{SCAN} BT /F 9 Tf 20 20 Td (Page 1) Tj ET");
    let source = pages(&[LETTERS, SCAN, &scan_with_hidden, &stamped, ""]);
    let word = long_word();
    for (mode, kept) in [
        (OcrMode::SkipText, &[0, 2][..]),
        (OcrMode::Redo, &[0]),
        (OcrMode::Force, &[]),
    ] {
        let made = read_bytes(&source, Format::Pdf, OcrOutput::Json, mode);
        let whole = json(&made);
        let pages = whole["pages"].as_array().unwrap();
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
        let expected = if kept.is_empty() {
            vec![]
        } else {
            vec!["text_kept"]
        };
        assert_eq!(made.warnings(), expected, "{mode:?}");
    }
}

#[test]
fn text_of_an_earlier_recognition_is_kept_or_replaced() {
    let source = pages(&[&format!("{HIDDEN} {SCAN}"), LETTERS]);
    let words = |mode| {
        let made = read_bytes(&source, Format::Pdf, OcrOutput::Pdf, mode);
        assert_eq!(made.artifact.pages, 2);
        poppler::words(made.path())
    };
    let has = |words: &[String], word: &str| words.iter().any(|found| found == word);
    let word = long_word();
    let skipped = words(OcrMode::SkipText);
    assert!(has(&skipped, "wrongly") && !has(&skipped, &word));
    for mode in [OcrMode::Redo, OcrMode::Force] {
        let words = words(mode);
        assert!(
            !has(&words, "wrongly") && has(&words, &word),
            "{mode:?}: {words:?}"
        );
        assert!(has(&words, "written,"), "{mode:?}");
    }
}
