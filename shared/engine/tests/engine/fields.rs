//! Texts of forms in other scripts than Latin are what was typed when they become part of the page.

use domain::format::Format;
use domain::operation::{NoOptions, Operation};

use crate::documents::pdf;
use crate::{poppler, qpdf, rig};

/// A page with one field, which holds a text and says this of itself.
fn form(text: &str, more: &str) -> Vec<u8> {
    let units: String = text
        .encode_utf16()
        .map(|unit| format!("{unit:04X}"))
        .collect();
    pdf(&[
        "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/NeedAppearances true/DA(/Helv 0 Tf 0 g)/DR<</Font<</Helv 5 0 R>>>>>>>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Annots[4 0 R]>>".to_owned(),
        format!("<</Type/Annot/Subtype/Widget/P 3 0 R/F 4/FT/Tx/T(field)/Rect[20 20 280 80]/DA(/Helv 12 Tf 1 0 0 rg)/V<FEFF{units}>{more}>>"),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ])
}

fn flat(document: &[u8]) -> rig::Made {
    let made = rig::run_bytes(document, Format::Pdf, &[Operation::Flatten(NoOptions {})]).unwrap();
    qpdf::check(made.path(), "");
    assert_eq!(poppler::field(made.path(), "Form"), "none");
    made
}

/// Left and right edge of what is red, in points.
fn red(made: &rig::Made) -> (u32, u32) {
    let picture = poppler::picture(made.path(), 1, 72);
    let red = picture.enumerate_pixels().filter(|(_, _, pixel)| {
        let [red, green, blue] = pixel.0;
        red > 200 && green < 128 && blue < 128
    });
    let columns: Vec<u32> = red.map(|(x, _, _)| x).collect();
    assert!(!columns.is_empty(), "nothing red");
    (
        *columns.iter().min().unwrap(),
        *columns.iter().max().unwrap(),
    )
}

#[test]
fn what_was_typed_stays_in_every_script() {
    for text in [
        "Привет мир",
        "Ελληνικά",
        "機密文書",
        "שלום",
        "नमस्ते",
        "Zażółć €5",
    ] {
        let made = flat(&form(text, ""));
        let mut found: Vec<char> = poppler::characters(made.path())
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect();
        let mut expected: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text}");
        red(&made);
        assert_eq!(flat(&form(text, "")).artifact.sha256, made.artifact.sha256);
    }
}

#[test]
fn a_text_stands_where_its_field_says() {
    let sides = ["", "/Q 1", "/Q 2"].map(|side| red(&flat(&form("Привет", side))));
    let [left, middle, right] = sides;
    assert!((20..26).contains(&left.0), "{left:?}");
    assert!((middle.0 + middle.1).abs_diff(300) < 6, "{middle:?}");
    assert!((272..=280).contains(&right.1), "{right:?}");
}

#[test]
fn a_long_text_takes_several_lines() {
    let text = "слово ".repeat(20);
    let made = flat(&form(text.trim(), "/Ff 4096"));
    assert!(red(&made).1 < 280);
    assert_eq!(poppler::words(made.path()), vec!["слово"; 20]);
    let lines = poppler::characters(made.path());
    assert!(lines.trim().lines().count() > 2, "{lines}");
}

#[test]
fn the_shown_text_of_a_choice_stays() {
    let document = String::from_utf8(form("a", "")).unwrap();
    let value = "/FT/Ch/Ff 131072/Opt[[(a)<FEFF0414043E043C>]]";
    let document = document.replace("/FT/Tx", value);
    let made = flat(pdf_again(&document).as_bytes());
    assert_eq!(poppler::words(made.path()), ["Дом"]);
}

/// The same without its table, which no longer fits: it is mended.
fn pdf_again(document: &str) -> String {
    let (objects, _) = document.rsplit_once("xref\n0").unwrap();
    format!("{objects}trailer<</Root 1 0 R>>\n")
}
