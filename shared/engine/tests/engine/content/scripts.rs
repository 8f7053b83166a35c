//! Characters beyond U+FFFF and text of both directions reach every text, and no warning says that they are missing.

use domain::format::Format;

use crate::harness;

/// A face that DejaVu Sans has, in a line of its own and in one of Arabic.
const PAGE: &str =
    "<meta charset=utf-8><p>smile \u{1f600} there</p><p dir=rtl>مرحبا \u{1f600} بالعالم</p>";
const WORDS: [&str; 4] = ["smile", "there", "مرحبا", "بالعالم"];

#[test]
fn characters_of_both_directions_and_of_all_planes_are_kept() {
    let convert = |bytes: &[u8], from, to| {
        let result = harness::run_bytes(bytes, from, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"));
        assert_eq!(result.warnings(), Vec::<&str>::new(), "{from} to {to}");
        result.bytes()
    };
    let docx = convert(PAGE.as_bytes(), Format::Html, Format::Docx);
    for pdf in [
        convert(PAGE.as_bytes(), Format::Html, Format::Pdf),
        convert(&docx, Format::Docx, Format::Pdf),
    ] {
        for to in [Format::Txt, Format::Markdown, Format::Json] {
            let text = String::from_utf8(convert(&pdf, Format::Pdf, to)).unwrap();
            assert_eq!(text.matches('\u{1f600}').count(), 2, "{to}: {text}");
            assert!(!text.contains('\u{fffd}'), "{to}: {text}");
            for word in WORDS {
                assert!(text.contains(word), "{to}: no {word} in {text}");
            }
        }
    }
}
